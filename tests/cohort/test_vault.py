"""The vault keeps what was released of a patient where nobody without the key reads it."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest

from dpdeid.cohort.vault import Vault
from dpdeid.errors import CohortError
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.memory import Memory
from dpdeid.privacy.places.release import Placed
from dpdeid.privacy.timeline.points import Kind, Past, Point, Released
from tests.conftest import KEY, OTHER_KEY

A, B, C = (("patient", one) for one in ("A-117", "B-204", "C-391"))


def memory_of(name: str, place: str = "Douarnenez") -> Memory:
    charge = Charge("unit", f"event of {name}", "mechanism", Epsilon(Fraction(1, 2)))
    point = Point(f"{name}/day", 738_000, Kind.NOTE, 0)
    past = Past(((point, Released(735_000, (charge,))),))
    return Memory(past, {("FR", place): Placed(12, (charge,))})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vault.sqlite"


@pytest.fixture
def vault(path: Path) -> Iterator[Vault]:
    with Vault(path, KEY) as vault:
        yield vault


class TestKeeping:
    def test_what_is_kept_is_there_when_the_file_is_opened_again(self, path: Path) -> None:
        with Vault(path, KEY) as vault:
            assert vault.recall(A) is None
            vault.keep(A, memory_of("2021-03-12"))
        with Vault(path, KEY) as vault:
            assert vault.recall(A) == memory_of("2021-03-12")
            assert vault.recall(B) is None
            assert vault.recall(("note", A[1])) is None

    def test_the_latest_stands_for_all_before(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        vault.keep(A, memory_of("2021-03-13"))
        assert vault.recall(A) == memory_of("2021-03-13")
        assert vault.counts() == (1, 0)

    def test_without_a_file_it_lives_in_this_process(self) -> None:
        with Vault(None, KEY) as vault:
            vault.keep(A, memory_of("2021-03-12"))
            assert vault.recall(A) == memory_of("2021-03-12")

    def test_a_block_is_kept_whole_or_not_at_all(self, path: Path) -> None:
        with Vault(path, KEY) as vault:
            with suppress(ZeroDivisionError), vault.together():
                vault.keep(A, memory_of("2021-03-12"))
                raise ZeroDivisionError
            with vault.together():
                vault.keep(B, memory_of("2021-03-12"))
        with Vault(path, KEY) as vault:
            assert vault.recall(A) is None
            assert vault.recall(B) is not None


class TestSecrecy:
    def test_the_file_is_its_owners_and_shows_no_word_of_what_it_holds(self, path: Path) -> None:
        with Vault(path, KEY) as vault:
            vault.keep(A, memory_of("2021-03-12"))
            vault.keep(B, memory_of("1950-01-01", "Kerfeuntein"))
            vault.merge(B[1], A[1])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        data = path.read_bytes()
        for secret in ("A-117", "B-204", "2021-03-12", "Douarnenez", "event", "738000"):
            assert secret.encode() not in data

    def test_lengths_are_told_in_steps(self, path: Path) -> None:
        with Vault(path, KEY) as vault:
            vault.keep(A, memory_of("2021-03-12", "Y"))
            vault.keep(B, memory_of("2021-03-12", "Douarnenez"))
        rows = sqlite3.connect(path).execute("SELECT length(data) FROM released").fetchall()
        assert len(rows) == 2
        assert len(set(rows)) == 1

    def test_a_row_of_another_key_or_of_another_patient_is_refused(self, path: Path) -> None:
        with Vault(path, KEY) as vault:
            vault.keep(A, memory_of("2021-03-12"))
            vault.keep(B, memory_of("2021-03-12"))
        file = sqlite3.connect(path)
        (first, second) = file.execute("SELECT row, data FROM released").fetchall()
        file.execute("UPDATE released SET data = ? WHERE row = ?", [first[1], second[0]])
        file.commit()
        with Vault(path, KEY) as vault:
            moved = [one for one in (A, B) if vault._row(*one) == second[0]]
            with pytest.raises(CohortError, match="altered"):
                vault.recall(*moved)
        with Vault(path, OTHER_KEY) as vault:
            assert vault.recall(A) is None  # another key names its rows otherwise

    def test_what_is_no_vault_is_refused_with_its_name(self, path: Path) -> None:
        path.write_bytes(b"no database, and long enough to be read as the head of one" * 20)
        with pytest.raises(CohortError, match=r"vault\.sqlite cannot be used"):
            Vault(path, KEY)

    def test_a_later_version_is_refused(self, path: Path) -> None:
        Vault(path, KEY)
        file = sqlite3.connect(path)
        file.execute("PRAGMA user_version = 2")
        file.close()
        with pytest.raises(CohortError, match="version 2, this is 1"):
            Vault(path, KEY)


class TestMerging:
    def test_later_notes_are_those_of_the_other(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        assert vault.patient(B[1]) == B[1]
        vault.merge(B[1], A[1])
        assert vault.patient(B[1]) == vault.patient(A[1]) == A[1]
        assert vault.same(B[1]) == vault.same(A[1]) == (A[1], B[1])
        assert vault.recall(A) == memory_of("2021-03-12")

    def test_what_was_released_before_counts_and_is_not_used(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        vault.keep(B, memory_of("1999-01-01"))
        vault.merge(B[1], A[1])
        found = vault.recall(A)
        assert found is not None
        assert [given.day for _, given in found.past.entries] == [735_000, None]
        assert sum(len(given.charges) for _, given in found.past.entries) == 2
        assert vault.recall(B) == memory_of("1999-01-01")

    def test_three_ids_are_one_person_in_whatever_order(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        vault.keep(B, memory_of("2021-03-13"))
        vault.merge(C[1], B[1])
        vault.merge(B[1], A[1])
        assert vault.patient(C[1]) == A[1]
        assert set(vault.same(C[1])) == {A[1], B[1], C[1]}

    @pytest.mark.parametrize("pair", [("A-117", "A-117"), ("A-117", "B-204"), ("B-204", "A-117")])
    def test_no_circle(self, vault: Vault, pair: tuple[str, str]) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        vault.merge("B-204", "A-117")
        with pytest.raises(CohortError, match="one person already"):
            vault.merge(*pair)

    def test_into_somebody_unknown_is_refused_without_a_name(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        with pytest.raises(CohortError, match="other way round") as caught:
            vault.merge("A-117", "B-204")
        assert "A-117" not in str(caught.value)


class TestSplitting:
    def test_a_merge_with_nothing_since_is_wholly_undone(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        vault.keep(B, memory_of("1999-01-01"))
        vault.merge(B[1], A[1])
        assert vault.split(B[1]) == 0
        assert vault.recall(A) == memory_of("2021-03-12")
        assert vault.recall(B) == memory_of("1999-01-01")
        assert vault.patient(B[1]) == B[1]
        assert vault.counts() == (2, 0)

    def test_what_came_since_stays_with_one_and_counts_for_both(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        vault.merge(B[1], A[1])
        grown = vault.recall(A)
        assert grown is not None
        grown.past = Past((*grown.past.entries, *memory_of("2021-05-01").past.entries))
        vault.keep(A, grown)
        assert vault.split(B[1]) == 1
        own = vault.recall(B)
        assert own is not None
        assert [given.day for _, given in own.past.entries] == [None]
        assert sum(len(given.charges) for _, given in own.past.entries) == 1
        assert vault.recall(A) == grown

    def test_it_may_be_merged_and_split_again(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        vault.keep(B, memory_of("1999-01-01"))
        for _ in range(3):
            vault.merge(B[1], A[1])
            assert vault.split(B[1]) == 0
        assert vault.recall(A) == memory_of("2021-03-12")
        assert vault.recall(B) == memory_of("1999-01-01")

    def test_of_three_one_leaves_and_two_stay(self, vault: Vault) -> None:
        for unit, day in ((A, "2021-03-12"), (B, "2021-03-13"), (C, "2021-03-14")):
            vault.keep(unit, memory_of(day))
        vault.merge(C[1], B[1])
        vault.merge(B[1], A[1])
        assert vault.split(C[1]) == 0
        assert vault.same(B[1]) == (A[1], B[1])
        found = vault.recall(A)
        assert found is not None
        assert sum(len(given.charges) for _, given in found.past.entries) == 2  # not that of C

    def test_who_was_not_merged_is_refused_without_a_name(self, vault: Vault) -> None:
        vault.keep(A, memory_of("2021-03-12"))
        with pytest.raises(CohortError, match="into no other") as caught:
            vault.split("A-117")
        assert "A-117" not in str(caught.value)


class TestForgetting:
    def test_all_ids_and_own_notes_go_and_nobody_else(self, vault: Vault) -> None:
        note = ("note", "report 7")
        for unit in (A, B, C, note):
            vault.keep(unit, memory_of("2021-03-12"))
        vault.merge(B[1], A[1])
        vault.forget(B[1], [note[1]])
        assert [vault.recall(unit) for unit in (A, B, note)] == [None] * 3
        assert vault.recall(C) is not None
        assert vault.patient(B[1]) == B[1]
        assert vault.counts() == (1, 0)

    def test_no_byte_of_the_row_stays_in_the_file(self, path: Path) -> None:
        with Vault(path, KEY) as vault:
            vault.keep(A, memory_of("2021-03-12"))
        ((sealed,),) = sqlite3.connect(path).execute("SELECT data FROM released").fetchall()
        assert sealed[:64] in path.read_bytes()
        with Vault(path, KEY) as vault:
            vault.forget(A[1])
        assert sealed[:64] not in path.read_bytes()
