"""`dpdeid vault`, and what runs of one cohort make of notes that come day by day."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cohort.vault import VAULT
from dpdeid.errors import CohortError, UsageError


def invoke(*args: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(a) for a in args], env={"DPDEID_KEY": None}, input=stdin)


@pytest.fixture
def cohort(tmp_path: Path) -> Path:
    assert invoke("cohort", "new", tmp_path / "cohort", "--policy", "dp").exit_code == 0
    return tmp_path / "cohort"


def released(cohort: Path, patient: str, text: str, date: str = "2021-03-12") -> str:
    """The released text of a note that comes alone."""
    row = {"id": f"{patient} {date}", "patient_id": patient, "note_date": date, "text": text}
    source = cohort.parent / "notes.jsonl"
    source.write_text(json.dumps(row) + "\n")
    done = invoke("run", source, "-c", cohort)
    assert done.exit_code == 0, done.exception
    return str(json.loads(done.stdout)["text"])


def test_a_note_of_the_next_day_fits_that_of_the_day_before(cohort: Path) -> None:
    stay = released(cohort, "A", "Hospitalisée du 03/03/2021 au 09/03/2021 à Quimper.")
    later = released(cohort, "A", "Sortie le 09/03/2021. Vit à Quimper.", "2021-04-20")
    left, town = re.findall(r"au (\S+) à (.+)\.", stay)[0]
    assert later == f"Sortie le {left}. Vit à {town}."


def test_show_counts_and_names_nobody(cohort: Path) -> None:
    released(cohort, "A-117", "Vue à Quimper.")
    assert invoke("vault", "merge", cohort, "B-204", "A-117", "--yes").exit_code == 0
    said = invoke("vault", "show", cohort).stdout
    assert "1 unit released (patients, and notes without a patient id), 1 patient id merged" in said
    assert "A-117" not in said
    assert "B-204" not in said


def test_merged_patients_are_one_from_then_on(cohort: Path) -> None:
    text = "Mme Durand, vue le 12/03/2021 à Quimper."
    first = released(cohort, "A-117", text)
    assert released(cohort, "C-391", text) != first
    done = invoke("vault", "merge", cohort, "-", "--yes", stdin="B-204\nA-117\n")
    assert done.exit_code == 0
    assert "B-204" not in done.output
    assert released(cohort, "B-204", text) == first


def test_forgetting_one_id_forgets_the_person(cohort: Path) -> None:
    released(cohort, "A-117", "Vue le 12/03/2021.")
    invoke("vault", "merge", cohort, "B-204", "A-117", "--yes")
    assert invoke("forget", "B-204", "--cohort", cohort).exit_code == 0
    assert "0 units" in invoke("vault", "show", cohort).stdout
    source = cohort.parent / "notes.jsonl"  # still that of A-117
    assert "1 row of forgotten patients left out" in invoke("run", source, "-c", cohort).stderr


def test_whoever_objects_under_one_id_objects_under_all(cohort: Path) -> None:
    released(cohort, "A-117", "Vue le 12/03/2021.")
    invoke("vault", "merge", cohort, "B-204", "A-117", "--yes")
    objecting = cohort.parent / "objecting.txt"
    objecting.write_text("B-204\n")
    source = cohort.parent / "notes.jsonl"  # still that of A-117
    done = invoke("run", source, "-c", cohort, "--exclude", objecting)
    assert done.exit_code == 0
    assert done.stdout == ""
    assert "1 row of 1 patient left out (--exclude lists 1 patient; 0 without" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("B-204", "A-117"), "other way round"),
        (("B-204",), "two patient ids"),
        (("-",), "two patient ids"),
    ],
)
def test_what_cannot_be_merged_is_refused(
    cohort: Path, args: tuple[str, ...], message: str
) -> None:
    refused = invoke("vault", "merge", cohort, *args, "--yes", stdin="B-204\n")
    assert isinstance(refused.exception, UsageError)
    assert message in str(refused.exception)
    assert "B-204" not in str(refused.exception)


@pytest.mark.parametrize(("answer", "merged"), [("yes\n", 1), ("\n", 0), ("y\n", 0), ("", 0)])
def test_a_merge_asks(
    cohort: Path, answer: str, merged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    released(cohort, "A-117", "Vue.")
    pair = ("vault", "merge", cohort, "B-204", "A-117")
    refused = invoke(*pair, stdin=answer)
    assert isinstance(refused.exception, UsageError)
    assert "--yes" in str(refused.exception)
    assert "0 patient ids merged" in invoke("vault", "show", cohort).stdout
    monkeypatch.setattr("dpdeid.cli.cohort._at_terminal", lambda: True)
    done = invoke(*pair, stdin=answer)
    assert done.exit_code == 1 - merged
    assert "vault split" in done.stderr
    assert "B-204" not in done.output
    assert json.loads(shown(cohort))["merged"] == merged


def shown(cohort: Path) -> str:
    figures = cohort.parent / "shown.json"
    invoke("vault", "show", cohort, "--json", figures)
    return figures.read_text(encoding="utf-8")


def test_two_that_were_split_are_apart_from_then_on(cohort: Path) -> None:
    text = "Mme Durand, vue le 12/03/2021 à Quimper."
    first, second = released(cohort, "A-117", text), released(cohort, "B-204", text)
    assert first != second
    invoke("vault", "merge", cohort, "B-204", "A-117", "--yes")
    assert released(cohort, "B-204", text) == first
    both = "Vue le 20/04/2021 à Brest."
    one = released(cohort, "B-204", both, "2021-04-20")
    done = invoke("vault", "split", cohort, "-", stdin="B-204\n")
    assert done.exit_code == 0, done.exception
    assert "B-204" not in done.output
    assert "days and towns" in done.stdout
    assert "forget both" in done.stdout
    assert released(cohort, "B-204", text) == second
    assert released(cohort, "A-117", text) == first
    assert released(cohort, "A-117", both, "2021-04-20") == one  # stays with the second id
    assert released(cohort, "B-204", both, "2021-04-20") != one
    assert json.loads(shown(cohort)) == {"released": 2, "merged": 0}


def test_what_was_done_is_said_in_the_language_of_the_question(cohort: Path) -> None:
    released(cohort, "A-117", "Vue le 12/03/2021.")
    for command, words in (("merge", "Fusionnés."), ("split", "Séparés.")):
        args = ("B-204", "A-117", "--yes") if command == "merge" else ("B-204",)
        said = invoke("--lang", "fr", "vault", command, cohort, *args).stdout
        assert said.startswith(words), said


@pytest.mark.parametrize("patient", ["A-117", "C-391", ""])
def test_only_who_was_merged_is_split(cohort: Path, patient: str) -> None:
    released(cohort, "A-117", "Vue.")
    invoke("vault", "merge", cohort, "B-204", "A-117", "--yes")
    refused = invoke("vault", "split", cohort, patient)
    assert isinstance(refused.exception, UsageError)
    assert not patient or patient not in str(refused.exception)


def test_a_cohort_without_its_vault_releases_nothing(cohort: Path) -> None:
    (cohort / VAULT).unlink()
    source = cohort.parent / "notes.jsonl"
    source.write_text('{"id": "a", "text": "Vue."}\n')
    refused = invoke("run", source, "-c", cohort)
    assert isinstance(refused.exception, CohortError)
    assert "put it back" in str(refused.exception)
    assert not (cohort / VAULT).exists()


def test_closing_destroys_it(cohort: Path) -> None:
    assert invoke("cohort", "close", cohort, "--yes").exit_code == 0
    assert not (cohort / VAULT).exists()
    assert isinstance(invoke("vault", "show", cohort).exception, CohortError)
