"""`dpdeid omop --dry-run`: tells what a run finds, refuses what it refuses, and makes nothing."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.releasing import rehearsal
from tests.conftest import KEY
from tests.omop.conftest import PASSWORD, Server
from tests.omop.sites import NOTE, NOTES, SECRETS, SITE, Site, note

pytest.importorskip("duckdb", reason="needs the extra omop")
pytest.importorskip("pyarrow", reason="needs the extra omop")

POLICY = """\
name: rules
unit: {unit}
detectors: [patterns]
merge: union
strategies:
  - dates: {{labels: [DATE, BIRTH_DATE],
             timeline: {{metric: {{epsilon_per_day: 0.05, cap: 3, shift_days: 3650}}}}}}
default: redact
"""
ALSO = ("--also", "visit_occurrence.visit_start_date", "--also",
        "visit_occurrence.visit_end_datetime")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two policies."""
    monkeypatch.chdir(tmp_path)
    for unit in ("patient", "note"):
        Path(f"{unit}.yaml").write_text(POLICY.format(unit=unit))
    return tmp_path


@pytest.fixture(params=["parquet", "duckdb", pytest.param("postgres", marks=pytest.mark.postgres)])
def site(request: pytest.FixtureRequest, folder: Path) -> Site:
    server = request.getfixturevalue("server") if request.param == "postgres" else None
    return Site(request.param, folder, server)


def invoke(*args: object) -> Result:
    env = {"DPDEID_KEY": KEY.hex(), "COLUMNS": "200"}
    return CliRunner().invoke(app, [*map(str, args)], env=env)


def everything(site: Site) -> object:
    """What lies in the folder, with the time of its last change, and in the database."""
    files = {
        path: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in site.folder.rglob("*")
        if path.is_file()
    }
    return files, [site.read(one) for one in ("cdm", "out") if site.kind == "postgres"]


def cells(shown: str) -> dict[str, str]:
    """The table that is printed, by the first cell of each row."""
    return dict(re.findall(r"^│ (.+?) +│ (.*?) +│$", shown, re.MULTILINE))


def test_it_tells_what_a_run_finds_and_makes_nothing(site: Site) -> None:
    faults = [
        note(20, 1, None, "sans date"),
        note(21, 4, dt.date(2020, 1, 1), "vu"),
        note(22, 4, dt.date(2999, 1, 1), "futur"),
    ]
    source = site.fill("cdm", {**SITE, NOTE: [*NOTES, *faults]})
    asked = ("omop", source, "-o", site.make("out"), "-p", "patient.yaml", *ALSO, "--facts",
             "names", "--note-nlp", "--spans", "s.jsonl")  # fmt: skip
    before = everything(site)
    result = invoke(*asked, "--dry-run")
    assert result.exit_code == 3, (result.output, result.exception)
    assert everything(site) == before
    told = cells(result.stdout)
    assert told["policy"].startswith("rules (")
    assert told["persons"] == "3"
    assert told["facts names"].startswith("person_id, last_name, first_name, phone: looked for")
    assert told["table visit_occurrence"].startswith("visit_occurrence_id, person_id, visit_")
    assert told["rows"] == "6"
    assert told["notes"].startswith("5 notes of 3 patients; 0 without patient_id, 5 with note_date")
    assert told["cannot be read"] == "1 row"
    assert told["would fail"].startswith("2 notes")
    assert told["beside notes"].startswith("6 days and births")
    assert told["beware"].startswith("1 persons have more than the 3 dates")
    made = "note, note_errors, person, note_nlp, visit_occurrence"
    assert told["output"].endswith(f": new, with {made}")
    assert told["spans (private)"] == "s.jsonl: new"
    assert "no note_date" in result.stdout
    assert "note_date lies after" in result.stdout
    assert result.stdout.endswith(f"{rehearsal.NOTHING}\n")
    assert [one for one in (*SECRETS, PASSWORD) if one in result.output] == []
    run = invoke(*asked)
    assert run.exit_code == 3, (run.output, run.exception)
    assert len(site.read("out")["note_errors"]) == 1 + 2
    assert told["beware"] in run.stderr


def test_what_a_run_refuses_is_refused(site: Site) -> None:
    source, target = site.fill("cdm", SITE), site.make("out")
    taken = site.fill("taken", {NOTE: []})
    Path("who.txt").write_text("1\n77\n")
    refused = [
        ((source, "-o", taken, "-p", "patient.yaml"), "taken"),
        ((source, "-o", target, "-p", "redact"), "note_date of NOTE is mandatory"),
        ((source, "-o", target, "-p", "note.yaml", *ALSO), "protects each note by itself"),
        ((source, "-o", target, "-p", "patient.yaml", "--facts", "note"), "no fact is called"),
        ((source, "-o", target, "-p", "patient.yaml", "--exclude", "who.txt"), "line 2"),
        ((site.make("none"), "-o", target, "-p", "patient.yaml"), ""),
    ]
    for args, why in refused:
        before = everything(site)
        told = str(invoke("omop", *args, "--dry-run").exception)
        assert why in told
        assert told not in ("", "None")
        assert PASSWORD not in told
        assert everything(site) == before
        assert str(invoke("omop", *args).exception) == told


def test_account_and_vault_stay_as_they_are(folder: Path) -> None:
    site = Site("duckdb", folder)
    source = site.fill("cdm", SITE)
    assert invoke("cohort", "new", "c", "--policy", "patient.yaml").exit_code == 0
    asked = ("omop", source, "-c", "c", "-o")
    assert invoke(*asked, site.name("first")).exit_code == 0
    before = everything(site)
    result = invoke(*asked, site.name("out"), "--dry-run")
    assert result.exit_code == 0, (result.output, result.exception)
    assert everything(site) == before
    assert cells(result.stdout)["charges, vault"].startswith("added to c/charges.jsonl")
    assert "0 charges" not in cells(result.stdout)["cohort"]


@pytest.mark.postgres
def test_a_schema_that_its_user_cannot_write_is_refused(folder: Path, server: Server) -> None:
    """Before anything is read or charged, whether or not it is a look."""
    site = Site("postgres", folder, server)
    source = site.fill("cdm", SITE)
    site.make("out")
    server.execute(
        "DROP ROLE IF EXISTS reader",
        f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'",
        "GRANT USAGE ON SCHEMA out TO reader",
    )
    target = f"{server.url(user='reader')}?schema=out"
    for more in ((), ("--dry-run",)):
        told = str(invoke("omop", source, "-o", target, "-p", "patient.yaml", *more).exception)
        assert told.endswith("no right to make tables in schema out")
