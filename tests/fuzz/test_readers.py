"""Whatever stands in a file, reading it ends in rows, each with a note or why there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.document import Deidentified, Mention, Span, Surrogate, rewrite
from dpdeid.formats.kinds import Origin, Reading, kind_of
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import read, unique
from dpdeid.labels import Label
from dpdeid.policy.policy import policy_text
from tests.fuzz.cases import CASES, QUICK, Case, is_clean, refused, run
from tests.fuzz.files import FILES
from tests.fuzz.mutations import LARGEST

SHARES: Mapping[str, float] = {
    "jsonl": 0.08,
    "csv": 0.12,
    "tsv": 0.05,
    "parquet": 0.04,
    "docx": 0.05,
    "odt": 0.05,
    "rtf": 0.08,
    "xlsx": 0.03,
    "eml": 0.01,
    "json": 0.06,
    "hl7": 0.12,
    "html": 0.08,
    "msg": 0.01,
    "pdf": 0.02,
    "txt": 0.08,
    "xml": 0.06,
    "zip": 0.01,
}
"""Of all cases: what is slow to read has fewer. Of envelopes 3 in 100: 30,000 in `make nightly`."""
NEEDS = {
    "parquet": "pyarrow",
    "xlsx": "openpyxl",
    "docx": "docx",
    "pdf": "pdfminer",
    "msg": "oxmsg",
}


def rows_of(data: bytes, ending: str, how: Reading | None = None) -> list[Row]:
    """The rows of a file, none if it is refused as a whole. Each is checked."""
    name = f"note.{ending}"
    kind = kind_of(name)
    assert kind is not None
    rows: list[Row] = []
    with refused():
        rows.extend(unique(kind.reader(BytesIO(data), Origin("", name), how or Reading())))
    for row in rows:
        assert (row.document is None) == bool(row.error or row.bare)
        assert is_clean(row.error)
        assert is_clean(row.where + row.place)
        if row.document is not None:
            assert row.id == row.document.id
            assert len(row.document.text) <= 1100 * len(data) + 100  # what gzip can unpack
    assert len(rows) <= max(1, 1100 * len(data))
    return rows


def written(row: Row, dice: Random) -> None:
    """A note as a file of its kind, with surrogates for any of its stretches; or it is refused."""
    if row.document is None or row.form is None:
        return
    text, at = row.document.text, 0
    found = []
    while (start := at + dice.randint(0, 60)) < len(text) and len(found) < 20:
        at = min(len(text), start + dice.randint(1, 15))
        mention = Mention(0, Span(start, at, Label.LAST_NAME), text[start:at])
        found.append(Surrogate(mention, dice.choice(("X", "", "<&\n|^\\")), "test"))
    result = Deidentified("x", rewrite(text, found), surrogates=tuple(found))
    with refused():
        assert isinstance(row.form.written(result, "x1"), bytes)


def reading(ending: str) -> Case:
    """The case of one kind of files: they are read, and what they hold is written."""
    make = FILES[ending]

    def case(dice: Random) -> None:
        data = make(dice)
        assert len(data) <= 4 * LARGEST
        body = Reading(body=True) if ending == "pdf" and dice.random() < 0.5 else None
        for row in rows_of(data, ending, body):
            written(row, dice)

    return case


@pytest.fixture(params=sorted(FILES))
def ending(request: pytest.FixtureRequest) -> str:
    """Each kind, skipped where what reads or makes it is not installed."""
    kind: str = request.param
    if kind in NEEDS:
        pytest.importorskip(NEEDS[kind])
    if kind == "pdf":
        pytest.importorskip("reportlab")
    return kind


def test_some_files_of_every_kind(ending: str) -> None:
    run(ending, reading(ending), round(SHARES[ending] * QUICK))


@pytest.mark.slow
def test_many_files_of_every_kind(ending: str) -> None:
    run(ending, reading(ending), round(SHARES[ending] * CASES))


def test_mutated_files_are_read_and_refused(ending: str) -> None:
    """Else the cases would say nothing: a hundred of a kind hold notes, and others are refused."""
    read = wrong = 0
    for number in range(100):
        rows = rows_of(FILES[ending](Random(number)), ending)
        read += any(row.document is not None for row in rows)
        wrong += not rows or any(row.error for row in rows)
    assert read >= 20
    assert wrong >= 5 or ending == "html"  # of which any bytes are one


def test_a_run_over_a_folder_has_a_row_for_each_that_is_read(tmp_path: Path) -> None:
    """The whole way, with files that are never refused as a whole."""
    folder, policy, out = tmp_path / "in", tmp_path / "p.yaml", tmp_path / "out.jsonl"
    folder.mkdir()
    text = policy_text("redact").replace(", crf, transformer", "")
    policy.write_text(text)
    for number in range(120):
        ending = ("hl7", "html", "json", "jsonl", "txt", "xml")[number % 6]
        (folder / f"n{number}.{ending}").write_bytes(FILES[ending](Random(number)))
    given = list(read(str(folder), BytesIO()))
    assert (
        CliRunner().invoke(app, ["run", str(folder), "-p", str(policy), "-o", str(out)]).exit_code
    )
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == len(given) > 120
    assert all(("text" in row) != ("error" in row) for row in rows)
    errors = [row["error"] for row in rows if "error" in row]
    assert len(errors) > 20
    assert all(map(is_clean, errors))
