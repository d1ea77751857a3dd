"""Cohorts: what must not change is refused with both names; what is spent is never forgotten."""

from __future__ import annotations

import datetime as dt
import json
import stat
from pathlib import Path

import pytest

from dpdeid import gazetteers
from dpdeid.cohort import manifest
from dpdeid.cohort.cohort import read_key, write_key
from dpdeid.cohort.manifest import Manifest, close, committing, create, open_cohort, read
from dpdeid.engine import Deidentifier
from dpdeid.errors import CohortError, SecretKeyError, UsageError
from dpdeid.policy.policy import load_policy, policy_text
from dpdeid.privacy.ledger import Ledger
from tests.conftest import OTHER_KEY


@pytest.fixture
def cohort(tmp_path: Path) -> Path:
    create(tmp_path / "c", "dp", e0=dt.date(2025, 6, 30))
    return tmp_path / "c"


def rewritten(directory: Path, **changes: object) -> None:
    path = directory / manifest.MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_new_cohort_has_a_private_key_and_a_public_manifest(cohort: Path) -> None:
    assert stat.S_IMODE((cohort / manifest.KEY).stat().st_mode) == 0o600
    made = read(cohort)
    assert (made.policy, made.policy_sha256) == ("dp", load_policy("dp").sha256)
    assert made.gazetteers == gazetteers.fingerprint()
    assert (made.e0, made.closed, made.scheme) == ("2025-06-30", None, manifest.SCHEME)
    key = (cohort / manifest.KEY).read_text().strip()
    assert key not in (cohort / manifest.MANIFEST).read_text()


def test_without_a_reference_date_it_has_room_for_the_notes_of_years(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FINDINGS A4: what lay after the reference date collapsed onto it."""
    for year in (2026, 2031):
        monkeypatch.setattr(manifest, "_today", lambda year=year: f"{year}-11-22")
        assert create(tmp_path / str(year), "redact").e0 == f"{year + 4}-12-31"
        assert open_cohort(tmp_path / str(year)).cohort.e0 == dt.date(year + 4, 12, 31)


def test_it_opens_with_its_own_key_reference_date_and_policy(cohort: Path) -> None:
    opened = open_cohort(cohort)
    assert opened.policy == load_policy("dp")
    assert opened.cohort.e0 == dt.date(2025, 6, 30)
    assert opened.cohort.key == read_key(cohort / manifest.KEY)
    assert opened.cohort.linkable
    assert opened.spent == Ledger()
    assert open_cohort(cohort, "dp").policy == opened.policy


def test_another_model_is_refused(tmp_path: Path) -> None:
    """Its card is enough: nothing is loaded, and the tagger need not be installed."""
    text = policy_text("dp").replace("crf, transformer]", "crf]")
    (tmp_path / "own.yaml").write_text(text)
    made = create(tmp_path / "c", str(tmp_path / "own.yaml"))
    assert set(made.models) == {"crf", "merge"}
    assert open_cohort(tmp_path / "c").policy.name == "dp"
    merge = {"merge": made.models["merge"]}
    for changed, named in (({"crf": "0" * 16}, "0" * 16), ({}, "none")):
        rewritten(tmp_path / "c", models={**merge, **changed})
        with pytest.raises(CohortError, match=f"crf model {named}, not with"):
            open_cohort(tmp_path / "c")


def test_a_cohort_is_made_once(cohort: Path) -> None:
    with pytest.raises(CohortError, match="already"):
        create(cohort, "aphp")
    assert read(cohort).policy == "dp"


def test_another_policy_is_refused_with_both_names(cohort: Path) -> None:
    with pytest.raises(CohortError, match=r"made with policy dp \(.*not with aphp \("):
        open_cohort(cohort, "aphp")
    changed = cohort / "mine.yaml"
    changed.write_text(policy_text("dp").replace("cap: 1}", "cap: 2}"))
    ours = load_policy("dp").sha256[:12], load_policy(changed).sha256[:12]
    with pytest.raises(CohortError, match=f"{ours[0]}.*{ours[1]}"):
        open_cohort(cohort, str(changed))
    (cohort / manifest.POLICY).write_text(changed.read_text())
    with pytest.raises(CohortError, match="made with policy"):
        open_cohort(cohort)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gazetteers": "0" * 64}, "made with gazetteers 000000000000, not with"),
        ({"scheme": 0}, "made with surrogate scheme 0, not with"),
        ({"key": "0011223344556677"}, "made with key 0011223344556677, not with"),
        ({"ledger_key": "0011223344556677"}, "made with ledger key 0011223344556677, not with"),
        ({"closed": "2026-01-01"}, "closed since 2026-01-01"),
        ({"version": 99}, "has version 99"),
        ({"e0": "soon"}, "not a cohort manifest"),
        ({"colour": "red"}, "not a cohort manifest"),
    ],
)
def test_what_differs_from_the_manifest_is_refused(
    cohort: Path, changes: dict[str, object], message: str
) -> None:
    rewritten(cohort, **changes)
    with pytest.raises(CohortError, match=message):
        open_cohort(cohort)


def test_a_folder_without_a_cohort_says_how_to_make_one(tmp_path: Path) -> None:
    for use in (read, close, open_cohort):
        with pytest.raises(CohortError, match="dpdeid cohort new"):
            use(tmp_path)
    with pytest.raises(UsageError), committing(tmp_path):
        pass


def test_closing_destroys_the_key_and_only_that(cohort: Path) -> None:
    key = read_key(cohort / manifest.KEY)
    closed = close(cohort)
    assert closed.closed is not None
    assert not (cohort / manifest.KEY).exists()
    assert all(
        key not in p.read_bytes() and key.hex() not in p.read_text() for p in cohort.iterdir()
    )
    assert read(cohort) == closed
    for use in (open_cohort, close):
        with pytest.raises(CohortError, match="closed since"):
            use(cohort)


def test_the_key_is_overwritten_before_it_is_removed(cohort: Path) -> None:
    other_name = cohort.parent / "still-linked"
    other_name.hardlink_to(cohort / manifest.KEY)
    before = other_name.read_bytes()
    close(cohort)
    assert len(other_name.read_bytes()) == len(before)
    assert other_name.read_bytes() != before


def test_a_key_that_cannot_be_destroyed_leaves_the_cohort_open(cohort: Path) -> None:
    key = cohort / manifest.KEY
    key.rename(cohort / "elsewhere")
    key.mkdir()
    with pytest.raises(SecretKeyError, match="cannot destroy"):
        close(cohort)
    assert read(cohort).closed is None


def test_a_ledger_key_outlives_the_cohort_and_must_be_the_same(tmp_path: Path) -> None:
    ledger_key = tmp_path / "ledger.key"
    write_key(ledger_key)
    for name in "ab":
        create(tmp_path / name, "dp", ledger_key_file=ledger_key)
    one, two = (open_cohort(tmp_path / n, ledger_key_file=ledger_key).cohort for n in "ab")
    assert one.unit("patient", "p") == two.unit("patient", "p")
    assert one.streams("patient", "p").event("x") != two.streams("patient", "p").event("x")
    with pytest.raises(CohortError, match="ledger key"):
        open_cohort(tmp_path / "a")
    assert not manifest.has_own_ledger_key(tmp_path / "a")


def test_the_ledger_key_changes_no_draw(cohort: Path) -> None:
    own = open_cohort(cohort).cohort
    texts = {
        Deidentifier("dp", key=own.key, ledger_key=ledger_key)("Mme Durand, vue à Lyon.").text
        for ledger_key in (None, OTHER_KEY)
    }
    assert len(texts) == 1


def test_a_manifest_reads_what_it_writes(cohort: Path) -> None:
    made = read(cohort)
    assert Manifest.from_json(made.to_json(), "x") == made
