"""Whatever stands in a file, reading it ends in rows, each with a note or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from random import Random

import pytest

from dpdeid.formats.kinds import Origin, Reading, kind_of
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import unique
from tests.fuzz.cases import CASES, QUICK, Case, is_clean, refused, run
from tests.fuzz.files import FILES
from tests.fuzz.mutations import LARGEST

SHARES: Mapping[str, float] = {
    "jsonl": 0.08,
    "csv": 0.12,
    "tsv": 0.05,
    "parquet": 0.04,
    "docx": 0.05,
    "json": 0.06,
    "hl7": 0.12,
    "html": 0.08,
    "pdf": 0.02,
    "txt": 0.08,
    "xml": 0.06,
}
"""Of all cases: what is slow to read has fewer."""
NEEDS = {"parquet": "pyarrow", "docx": "docx", "pdf": "pdfminer"}


def rows_of(data: bytes, ending: str, how: Reading | None = None) -> list[Row]:
    """The rows of a file, none if it is refused as a whole. Each is checked."""
    name = f"note.{ending}"
    kind = kind_of(name)
    assert kind is not None
    rows: list[Row] = []
    with refused():
        rows.extend(unique(kind.reader(BytesIO(data), Origin("", name), how or Reading())))
    for row in rows:
        assert (row.document is None) == bool(row.error)
        assert is_clean(row.error)
        assert is_clean(row.where + row.place)
        if row.document is not None:
            assert row.id == row.document.id
            assert len(row.document.text) <= 1100 * len(data) + 100  # what gzip can unpack
    assert len(rows) <= max(1, 1100 * len(data))
    return rows


def reading(ending: str) -> Case:
    """The case of one kind of files. Where none can be read, or all can, nothing is tried."""
    make = FILES[ending]

    def case(dice: Random) -> object:
        data = make(dice)
        assert len(data) <= 4 * LARGEST
        body = Reading(body=True) if ending == "pdf" and dice.random() < 0.5 else None
        return rows_of(data, ending, body)

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


Record = Callable[[str, object], None]


def test_some_files_of_every_kind(ending: str, record_property: Record) -> None:
    run(ending, reading(ending), round(SHARES[ending] * QUICK), record_property)


@pytest.mark.slow
def test_many_files_of_every_kind(ending: str, record_property: Record) -> None:
    run(ending, reading(ending), round(SHARES[ending] * CASES), record_property)


def test_mutated_files_are_read_and_refused(ending: str) -> None:
    """Else the cases would say nothing: a hundred of a kind hold notes, and others are refused."""
    read = wrong = 0
    for number in range(100):
        rows = rows_of(FILES[ending](Random(number)), ending)
        read += any(row.document is not None for row in rows)
        wrong += not rows or any(row.error for row in rows)
    assert read >= 20
    assert wrong >= 5 or ending == "html"  # of which any bytes are one
