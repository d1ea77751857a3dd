"""`dpdeid run --engine spark`: what the other engine releases, and no key where others look."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid import Ledger
from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from tests.bridges.conftest import forms

pytest.importorskip("pyspark", reason="needs the extra spark")
if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
    pytest.skip("needs Java 17 or later", allow_module_level=True)
pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:pyspark"),
    pytest.mark.filterwarnings("ignore::FutureWarning:pyspark"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of py4j
]

SECRET = "c9f1a7e35b804d2296b8f0130e6c5ad7d2489be1703f4ca5816d0b97fe24c35a"
ROWS: list[dict[str, Any]] = [
    {
        "id": f"n{n}",
        "patient_id": f"p{n % 7}" if n % 5 else None,
        "note_date": f"2023-03-{1 + n:02}",
        "text": f'Mme Zorglub, opérée le {1 + n:02}/03/2023.\nElle dit « oui, "non" »; à zorglub.',
        "patient": {"sex": "F", "birth_name": "Kerviniou", "last_name": ["Zorglub", "Petit"]},
        "ward": "cardio" if n % 2 else {"name": "uro", "ipp": "SECRET"},
    }
    for n in range(24)
]
WRONG: list[dict[str, Any]] = [
    {"id": "n3", "patient_id": "p50", "text": "Mme Zorglub, une autre note du 01/02/2023."},
    {"id": "bad", "patient_id": "p1", "note_date": "SECRET", "text": "Vue ce jour."},
    {"id": "half", "patient_id": "p1", "text": "Vue \ud800 ce jour."},
    {"id": "late", "patient_id": "p51", "note_date": "2999-01-01", "text": "Vue."},
    {"patient_id": "p1", "text": "Vue ce jour."},
]


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPDEID_KEY", SECRET)


def run(*options: object) -> Result:
    return CliRunner().invoke(app, ["run", *map(str, options)])


def json_lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def rows_in(path: Path) -> list[dict[str, Any]]:
    """Released rows of a file or folder of JSON lines, in the order of their ids."""
    files = sorted(path.glob("part-*.jsonl")) if path.is_dir() else [path]
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return sorted(rows, key=lambda row: (row.get("id") or "", row.get("error", "")))


def texts(path: Path) -> dict[str, str]:
    return {row["id"]: row["text"] for row in rows_in(path) if "text" in row}


@pytest.mark.parametrize("policy", ["quick", "by_note"])
def test_json_lines_and_their_ledger_are_those_of_the_other_engine(
    spark: Any, policy: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source = json_lines(tmp_path / "notes.jsonl", ROWS)
    common = ("-p", request.getfixturevalue(policy), "--keep", "note_date", "--keep", "ward")
    kept = ("--ledger", tmp_path / "one.json", "-o", tmp_path / "one.jsonl")
    assert run(source, *common, *kept).exit_code == 0
    kept = ("--ledger", tmp_path / "two.json", "-o", tmp_path / "two.jsonl")
    done = run(source, *common, *kept, "--engine", "spark")
    assert done.exit_code == 0, done.output
    assert "24 rows released, 0 failed" in done.stderr
    alone, ours = rows_in(tmp_path / "one.jsonl"), rows_in(tmp_path / "two.jsonl")
    assert [(row["text"], row["note_date"]) for row in ours] == [
        (row["text"], row["note_date"]) for row in alone
    ]
    assert {row["ward"] for row in ours} == {"cardio", '{"name": "uro"}'}
    assert "Zorglub" not in str(ours)
    one, two = ((tmp_path / name).read_text() for name in ("one.json", "two.json"))
    assert json.loads(two) == json.loads(one)
    assert len(Ledger.from_json(two).charges) > 20
    assert (tmp_path / "two.json").stat().st_mode & 0o777 == 0o600


def test_a_folder_of_tables_gives_parquet(spark: Any, quick: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path / "notes"
    folder.mkdir()
    rows = [row | {"visit": 2**60 + at} for at, row in enumerate(ROWS)]
    names = ("id", "patient_id", "note_date", "text")
    with (folder / "a.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, names, extrasaction="ignore", delimiter=";")
        table.writeheader()
        table.writerows(rows[:9])
    json_lines(folder / "b.jsonl", rows[9:15])
    columns = {name: [row[name] for row in rows[15:]] for name in (*names, "visit")}
    pq.write_table(pa.table(columns), folder / "c.parquet")
    common = ("-p", quick, folder, "-o")
    assert run(*common, tmp_path / "one.jsonl").exit_code == 0
    visits = ("--engine", "spark", "--keep", "visit", "--keep-as-it-is", "visit")
    done = run(*common, tmp_path / "two", *visits)
    assert done.exit_code == 0, done.output
    table = pq.read_table(tmp_path / "two").to_pydict()
    assert dict(zip(table["id"], table["text"], strict=True)) == texts(tmp_path / "one.jsonl")
    assert len(table["id"]) == len(ROWS)
    assert sorted(filter(None, table["visit"]))[0] == str(2**60 + 9)  # types differ: as texts
    own = (folder / "c.parquet", "-p", quick, *visits)
    assert run(*own, "-o", tmp_path / "typed").exit_code == 0
    assert max(pq.read_table(tmp_path / "typed")["visit"].to_pylist()) == 2**60 + 23


def test_what_fails_is_told_and_nothing_else_of_it(spark: Any, quick: Path, tmp_path: Path) -> None:
    source = json_lines(tmp_path / "notes.jsonl", ROWS + WRONG)
    with source.open("a") as file:
        file.write("no JSON\n")
    assert run(source, "-p", quick, "-o", tmp_path / "one.jsonl").exit_code == 3
    options = ("--engine", "spark", "--keep", "ward", "-o", tmp_path / "two.jsonl")
    assert run(source, "-p", quick, *options).exit_code == 3
    alone, ours = texts(tmp_path / "one.jsonl"), texts(tmp_path / "two.jsonl")
    half = alone.keys() - ours.keys()
    assert {name: alone[name] for name in ours} == ours
    assert len(half) == 1  # a letter that Spark cannot hold
    errors = [row for row in rows_in(tmp_path / "two.jsonl") if "error" in row]
    assert all(row.keys() <= {"id", "error"} for row in errors)
    assert sorted(row["error"] for row in errors) == sorted(
        [
            "row 25: same id as row 4",
            "row 26: note_date is not a date such as 2023-11-06 or 06/11/2023 (day first), with or "
            "without a time",
            "row 27: half a character (a lone surrogate), which Spark cannot hold",
            "note_date lies after the cohort's reference date e0 = 2030-12-31",
            "row 29: no id",
            "row 30: not valid JSON",
        ]
    )
    named = {row["id"] for row in rows_in(tmp_path / "one.jsonl") if row["id"]}
    assert {row["id"] for row in errors if "id" in row} <= named


def test_the_key_stands_in_no_log(spark: Any, quick: Path, events: Path, tmp_path: Path) -> None:
    source = json_lines(tmp_path / "notes.jsonl", ROWS)
    key = tmp_path / "key"
    key.write_text(SECRET)
    key.chmod(0o600)
    common = (source, "-p", quick, "--engine", "spark", "-o")
    told = [run(*common, tmp_path / "a.jsonl").output]
    told.append(run(*common, tmp_path / "b.jsonl", "-k", key).output)
    assert texts(tmp_path / "a.jsonl") == texts(tmp_path / "b.jsonl") != {}
    told += [path.read_bytes().decode("latin-1") for path in events.rglob("*") if path.is_file()]
    everything = "\n".join(told).lower()
    assert "mapinarrow" in everything
    assert not [form for form in forms(bytes.fromhex(SECRET)) if form in everything]
    assert not [text for text in ("zorglub", "kerviniou") if text in everything]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--cohort", "cohort"), "--cohort is not for --engine spark: its account and vault"),
        (("--mapping", "m.jsonl"), "--mapping is not for --engine spark: many processes would"),
        (("--spans", "s.jsonl"), "--spans is not"),
        (("--seal", "s", "--seal-key-file", "k"), "--seal is not"),
        (("--exclude", "people"), "somebody who objects"),
        (("--workers", "2"), "Spark has workers of its own"),
        (("--resume",), "Spark does lost tasks again"),
        (("--keep-ids",), "rows lie by their keyed ids"),
        (("--keep-order",), "have no order"),
        (("--body",), "of documents"),
        (("-o", "out.csv"), "a folder of Parquet files, or one of JSON lines"),
        (("-o", "full"), "full is there"),
        (("--text-column", "absent"), "no column is called absent"),
    ],
)
def test_what_cannot_be_had_is_refused(
    options: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.csv").write_text("id,text\n1,Vue.\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    done = run("notes.csv", "--engine", "spark", "-o", "out", *options)
    assert isinstance(done.exception, UsageError)
    assert why in str(done.exception)
    assert sorted(tmp_path.rglob("*")) == before


def test_sources_that_are_no_rows_are_refused(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.pdf").touch()
    out = ("--engine", "spark", "-o", tmp_path / "out")
    for source, why in [("-", "reads files and writes a folder"), ("letters", "a file of pdf")]:
        done = run(source if source == "-" else tmp_path / source, *out)
        assert why in str(done.exception)
    assert "is local or spark" in str(run(tmp_path, "--engine", "dask").exception)
