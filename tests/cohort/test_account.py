"""The account of a cohort: what is spent is never forgotten, who is forgotten never comes back."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from dpdeid.cohort.account import CHARGES, Forgotten, committing, forget, read
from dpdeid.errors import CohortError
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import Epsilon, NoGuarantee

PAID = Charge("u", "e", "m", Epsilon(1))
MORE = Charge("u", "f", "m", Epsilon(2))
OTHER = Charge("v", "e", "m", Epsilon(1))
NOTE = Charge("note", "e", "m", Epsilon(1))
LATER = Charge("v", "g", "m", Epsilon(1))


@pytest.fixture
def cohort(tmp_path: Path) -> Path:
    return tmp_path


def test_what_is_committed_is_read_again_and_once(cohort: Path) -> None:
    for ledger in (Ledger.of([PAID]), Ledger.of([PAID, MORE])):
        with committing(cohort) as account:
            account.commit(ledger)
            account.commit(ledger)
    assert read(cohort).ledger == Ledger.of([PAID, MORE])
    assert len((cohort / CHARGES).read_text().splitlines()) == 2
    assert stat.S_IMODE((cohort / CHARGES).stat().st_mode) == 0o600


def test_only_bounded_losses_are_kept(cohort: Path) -> None:
    with committing(cohort) as account:
        account.commit(Ledger.of([Charge("u", "e", "m", NoGuarantee("kept"))]))
    assert read(cohort).ledger == Ledger()


def test_a_torn_line_is_dropped_and_the_next_run_starts_clean(cohort: Path) -> None:
    with committing(cohort) as account:
        account.commit(Ledger.of([PAID]))
    with (cohort / CHARGES).open("a") as file:
        file.write('{"unit": "u", "ev')
    assert read(cohort).ledger == Ledger.of([PAID])
    with committing(cohort) as account:
        account.commit(Ledger.of([MORE]))
    assert read(cohort).ledger == Ledger.of([PAID, MORE])


@pytest.mark.parametrize("line", [b'{"unit": "u"}\n', b'{"unit": "\xff"}\n', b"[7]\n"])
def test_a_damaged_line_is_named(cohort: Path, line: bytes) -> None:
    (cohort / CHARGES).write_bytes(line)
    with pytest.raises(CohortError, match="line 1"):
        read(cohort)


def test_charges_are_on_the_disk_when_commit_returns(
    cohort: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a loss of power leaves is what the file held at the last fsync."""
    safe: list[str] = []

    def fsync(descriptor: int) -> None:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            safe.append((cohort / CHARGES).read_text())

    monkeypatch.setattr(os, "fsync", fsync)
    with committing(cohort) as account:
        account.commit(Ledger.of([PAID]))
        assert json.loads(safe[-1]) == PAID.to_json()
        waits = len(safe)
        account.commit(Ledger.of([PAID]))
        assert len(safe) == waits
        account.commit(Ledger.of([PAID, MORE]))
        assert len(safe[-1].splitlines()) == 2


def test_the_name_of_the_file_is_on_the_disk_before_anything_is_paid(
    cohort: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[int] = []

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            assert (cohort / CHARGES).exists()
            folders.append(found.st_ino)

    monkeypatch.setattr(os, "fsync", fsync)
    with committing(cohort):
        assert folders == [cohort.stat().st_ino]


def test_one_run_at_a_time(cohort: Path) -> None:
    with (
        committing(cohort),
        pytest.raises(CohortError, match="another run"),
        committing(cohort),
    ):
        pass


class TestForgetting:
    @pytest.fixture(autouse=True)
    def paid(self, cohort: Path) -> None:
        with committing(cohort) as account:
            account.commit(Ledger.of([PAID, MORE, OTHER, NOTE]))

    def test_the_charges_go_and_a_tombstone_stays(self, cohort: Path) -> None:
        assert forget(cohort, ("u",), {"note"}, "2026-11-21") == Forgotten(3, "2026-11-21", False)
        assert read(cohort).ledger == Ledger.of([OTHER])
        assert read(cohort).forgotten == {"u": "2026-11-21"}
        assert stat.S_IMODE((cohort / CHARGES).stat().st_mode) == 0o600
        lines = [json.loads(line) for line in (cohort / CHARGES).read_text().splitlines()]
        assert lines[-1] == {"forgotten": "u", "on": "2026-11-21"}

    def test_twice_is_once(self, cohort: Path) -> None:
        forget(cohort, ("u",), (), "2026-11-21")
        before = (cohort / CHARGES).read_bytes()
        assert forget(cohort, ("u",), (), "2026-12-31") == Forgotten(0, "2026-11-21", True)
        assert (cohort / CHARGES).read_bytes() == before

    def test_whoever_spent_nothing_is_forgotten_too(self, cohort: Path) -> None:
        assert forget(cohort, ("nobody",), (), "2026-11-21") == Forgotten(0, "2026-11-21", False)
        assert read(cohort).ledger == Ledger.of([PAID, MORE, OTHER, NOTE])
        assert read(cohort).forgotten == {"nobody": "2026-11-21"}

    def test_a_run_sees_the_tombstones_and_keeps_them(self, cohort: Path) -> None:
        forget(cohort, ("u",), (), "2026-11-21")
        with committing(cohort) as account:
            assert account.forgotten == {"u": "2026-11-21"}
            account.commit(Ledger.of([LATER]))
        assert read(cohort).ledger == Ledger.of([OTHER, NOTE, LATER])
        assert read(cohort).forgotten == {"u": "2026-11-21"}

    def test_not_while_a_run_goes_on(self, cohort: Path) -> None:
        with committing(cohort), pytest.raises(CohortError, match="another run"):
            forget(cohort, ("u",), (), "2026-11-21")
        assert PAID in read(cohort).ledger.charges

    def test_a_damaged_account_is_left_as_it_is(self, cohort: Path) -> None:
        with (cohort / CHARGES).open("a") as file:
            file.write("[]\n")
        before = (cohort / CHARGES).read_bytes()
        with pytest.raises(CohortError, match="line 5: not a charge"):
            forget(cohort, ("u",), (), "2026-11-21")
        assert (cohort / CHARGES).read_bytes() == before
