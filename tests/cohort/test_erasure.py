"""Forgetting: all that leads back to one patient goes, and nothing of anybody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdeid.cohort import access_log, account, durable, manifest
from dpdeid.cohort.cohort import read_key, unit_tag, write_key
from dpdeid.cohort.erasure import forget
from dpdeid.cohort.sealed import Entry, Seal, entries, sealing
from dpdeid.document import Deidentified, Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import CohortError, SealError, UsageError
from dpdeid.formats.write import json_line, mapping_row
from dpdeid.policy.policy import policy_text
from dpdeid.privacy.ledger import Ledger
from tests.conftest import KEY, OTHER_KEY

SEAL = Seal.of(KEY)
DOCS = [
    Document("1", "Mme Durand, vue le 12/03/2021 à Lyon.", "p"),
    Document("2", "M. Petit, vu le 02/01/2020 à Brest.", "q"),
    Document("3", "Mme DURAND, revue le 15/03/2021.", "p"),
    Document("4", "M. Kervadec, vu le 07/05/2020.", None),
]


class Ward:
    """A cohort with a release, its sealed mapping and its plain one."""

    def __init__(self, folder: Path, policy: str = "dp") -> None:
        self.cohort, self.sealed, self.mapping = (
            folder / name for name in ("cohort", "sealed", "mapping.jsonl")
        )
        own = folder / "policy.yaml"
        own.write_text(policy_text(policy).replace(", crf, transformer]", "]"))
        manifest.create(self.cohort, str(own))
        with account.committing(self.cohort) as held, sealing(self.sealed, SEAL) as sealer:
            opened = manifest.open_cohort(self.cohort)
            self.own = opened.cohort
            engine = Deidentifier(opened.policy, key=self.own.key, e0=self.own.e0)
            results = [r for r in engine.pipe(DOCS) if isinstance(r, Deidentified)]
            held.commit(sum((result.ledger for result in results), Ledger()))
            pairs = list(zip(DOCS, results, strict=True))
            sealer(Entry.of(doc, one, self.out(doc)) for doc, one in pairs)
        with self.mapping.open("w", encoding="utf-8") as file:
            for doc, one in pairs:
                file.write(json_line(mapping_row(one, self.out(doc), doc.patient_id)))

    def out(self, doc: Document) -> str:
        return self.own.released_id(doc.id)

    def notes(self) -> tuple[list[str], list[str]]:
        """The notes that each mapping still leads back to."""
        rows = map(json.loads, self.mapping.read_text().splitlines())
        return [e.id for _, e in entries(self.sealed, SEAL)], [row["id"] for row in rows]

    def content(self) -> dict[Path, bytes]:
        return {
            path: path.read_bytes()
            for path in (self.sealed, self.mapping, self.cohort / account.CHARGES)
        }


@pytest.fixture
def ward(tmp_path: Path) -> Ward:
    return Ward(tmp_path)


def test_everything_of_the_patient_goes_and_nothing_else(ward: Ward) -> None:
    before = ward.content()
    unit = ward.own.unit("patient", "p")
    spent = account.read(ward.cohort).ledger
    erased = forget(
        "p", cohort=ward.cohort, mappings=[ward.mapping], seals=[ward.sealed], seal=SEAL
    )
    assert dict(erased.files) == {ward.mapping: 2, ward.sealed: 2}
    assert set(erased.released) == {ward.out(DOCS[0]), ward.out(DOCS[2])}
    assert len(erased.released) == 2
    assert erased.unknown == 2
    assert ward.notes() == (["2", "4"], ["2", "4"])
    left = account.read(ward.cohort)
    assert erased.charges == len(spent.of_unit(unit).charges) > 0
    assert left.ledger == Ledger(spent.charges - spent.of_unit(unit).charges)
    assert left.forgotten == {unit: erased.tombstone}
    after = ward.content()
    for path in (ward.sealed, ward.mapping):
        assert set(after[path].splitlines()) < set(before[path].splitlines())
        assert b"Durand" not in after[path]


def test_twice_is_once(ward: Ward) -> None:
    files = {"mappings": [ward.mapping], "seals": [ward.sealed]}
    first = forget("p", cohort=ward.cohort, seal=SEAL, **files)
    content = ward.content()
    again = forget("p", cohort=ward.cohort, seal=SEAL, **files)
    assert dict(again.files) == {ward.mapping: 0, ward.sealed: 0}
    assert (again.charges, again.released, again.tombstone) == (0, (), first.tombstone)
    assert ward.content() == content


def test_what_was_interrupted_is_finished_by_doing_it_again(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Path] = []
    replace = durable.replace

    def dies_at_the_second(path: Path, lines: object, error: type[Exception]) -> None:
        calls.append(path)
        if len(calls) == 2:
            raise error("No space left on device")
        replace(path, lines, error)  # type: ignore[arg-type]

    monkeypatch.setattr(durable, "replace", dies_at_the_second)
    with pytest.raises(UsageError, match="No space left"):
        forget("p", cohort=ward.cohort, mappings=[ward.mapping], seals=[ward.sealed], seal=SEAL)
    assert account.read(ward.cohort).forgotten  # from here on no run brings the patient back
    forget("p", cohort=ward.cohort, mappings=[ward.mapping], seals=[ward.sealed], seal=SEAL)
    assert ward.notes() == (["2", "4"], ["2", "4"])


def test_where_the_unit_is_the_note_its_notes_are_found_by_a_mapping(tmp_path: Path) -> None:
    ward = Ward(tmp_path, "hnfc")
    spent = account.read(ward.cohort).ledger
    notes = {ward.own.unit("note", doc.id) for doc in (DOCS[0], DOCS[2])} & set(spent.units)
    assert notes
    forget("p", cohort=ward.cohort, mappings=[ward.mapping])
    assert set(account.read(ward.cohort).ledger.units) == set(spent.units) - notes


def test_a_patient_without_any_note_leaves_a_tombstone_only(ward: Ward) -> None:
    before = account.read(ward.cohort).ledger
    erased = forget("nobody", cohort=ward.cohort, seals=[ward.sealed], seal=SEAL)
    assert (erased.charges, erased.released) == (0, ())
    assert account.read(ward.cohort).ledger == before
    assert len(account.read(ward.cohort).forgotten) == 1


def test_the_tombstone_does_not_name_the_patient(ward: Ward) -> None:
    forget("Zorblax-4471", cohort=ward.cohort)
    text = b"".join(path.read_bytes() for path in ward.cohort.iterdir())
    assert b"zorblax" not in text.lower()
    assert b"4471" not in text


def test_neither_the_policy_nor_the_lists_can_keep_a_patient_in(ward: Ward) -> None:
    (ward.cohort / manifest.POLICY).write_text("broken: [")
    assert forget("p", cohort=ward.cohort).charges > 0


def test_opening_to_forget_is_logged_without_the_notes(ward: Ward) -> None:
    forget("p", seals=[ward.sealed], seal=SEAL)
    (line,) = map(json.loads, access_log.path_of(ward.sealed).read_text().splitlines())
    assert (line["what"], line["rows"]) == ("forget", [])


class TestNothingIsChanged:
    @pytest.fixture(autouse=True)
    def unchanged(self, ward: Ward) -> object:
        before = ward.content()
        yield
        assert ward.content() == before

    def test_under_another_key(self, ward: Ward) -> None:
        with pytest.raises(SealError, match="wrong key"):
            forget(
                "p", cohort=ward.cohort, mappings=[ward.mapping], seals=[ward.sealed],
                seal=Seal.of(OTHER_KEY),
            )  # fmt: skip

    def test_if_a_mapping_is_missing_or_is_none(self, ward: Ward, tmp_path: Path) -> None:
        (tmp_path / "notes.jsonl").write_text('{"id": "1", "text": "Mme Durand"}\n')
        (tmp_path / "bad.jsonl").write_bytes(ward.mapping.read_bytes()[:-9])
        for name, message in (
            ("none.jsonl", "cannot read the mapping"),
            ("notes.jsonl", "line 1 is not of a mapping"),
            ("bad.jsonl", "line 4 is not of a mapping"),
        ):
            with pytest.raises(UsageError, match=rf"{message}|{name}.*{message}") as caught:
                forget("p", cohort=ward.cohort, mappings=[ward.mapping, tmp_path / name])
            assert name in str(caught.value)
            assert "Durand" not in str(caught.value)

    def test_while_a_run_goes_on(self, ward: Ward) -> None:
        with account.committing(ward.cohort), pytest.raises(CohortError, match="another run"):
            forget("p", cohort=ward.cohort, mappings=[ward.mapping])


class TestClosed:
    def test_charges_under_a_destroyed_key_lead_to_nobody(self, ward: Ward) -> None:
        manifest.close(ward.cohort)
        before = account.read(ward.cohort)
        erased = forget("p", cohort=ward.cohort, seals=[ward.sealed], seal=SEAL)
        assert erased.tombstone is None
        assert account.read(ward.cohort) == before
        assert [entry.id for _, entry in entries(ward.sealed, SEAL)] == ["2", "4"]

    def test_a_ledger_key_still_finds_them(self, tmp_path: Path) -> None:
        key = tmp_path / "ledger.key"
        write_key(key)
        folder = tmp_path / "c"
        manifest.create(folder, "dp", ledger_key_file=key)
        with pytest.raises(CohortError, match="ledger key"):
            forget("p", cohort=folder)
        manifest.close(folder)
        assert forget("p", cohort=folder).tombstone is None
        unit = unit_tag(read_key(key), "patient", "p")
        erased = forget("p", cohort=folder, ledger_key_file=key)
        assert account.read(folder).forgotten == {unit: erased.tombstone}
