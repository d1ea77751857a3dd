"""Workbooks are read as tables, the values of one sheet, and written as such."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cohort.cohort import Cohort
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Origin, Reading, kind_called
from dpdeid.formats.rows import Row
from tests.conftest import KEY

openpyxl = pytest.importorskip("openpyxl", reason="needs the extra formats")
SECRET = "ZORGLUB"
"""Planted wherever it must not pass."""
NAMES = ("id", "text", "last_name", "note_date", "service", "lits")
NOTES = (
    (7, "Mme Quatrebarbes va mieux.", "Quatrebarbes", dt.date(2021, 3, 14), "cardio", 3),
    (8, "- Apyrétique", "NULL", None, "réa", 2.5),
)


def book(*rows: tuple[Any, ...], change: Callable[[Any], object] | None = None) -> bytes:
    workbook = openpyxl.Workbook()
    for row in (NAMES, *rows):
        workbook.active.append(row)
    if change is not None:
        change(workbook)
    out = BytesIO()
    workbook.save(out)
    return out.getvalue()


def rows_of(data: bytes, sheet: str = "") -> list[Row]:
    reader = kind_called("xlsx").reader
    return list(reader(BytesIO(data), Origin("", "n.xlsx"), Reading(sheet=sheet)))


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, [str(a) for a in args], env={"DPDEID_KEY": KEY.hex()})


def cells(path: Path) -> Iterator[tuple[Any, ...]]:
    (sheet,) = openpyxl.load_workbook(path).worksheets
    return iter(sheet.iter_rows(values_only=True))


def test_rows_are_read_with_their_facts() -> None:
    first, second = rows_of(book(*NOTES))
    assert first.document is not None
    assert second.document is not None
    assert (first.id, first.document.text) == ("7", "Mme Quatrebarbes va mieux.")
    assert first.document.note_date == dt.date(2021, 3, 14)
    assert [*first.document.known.values()] == [("Quatrebarbes",)]
    assert first.extra == {"service": "cardio", "lits": 3}
    assert not second.document.known


def test_a_release_is_a_row_for_a_row_with_its_types(tmp_path: Path) -> None:
    source, out = tmp_path / "n.xlsx", tmp_path / "o.xlsx"
    source.write_bytes(book(*NOTES))
    kept = ("--keep", "service", "--keep", "lits")
    result = invoke("run", source, "-o", out, "-p", "redact", *kept)
    assert result.exit_code == 0, result.output
    names, *rows = cells(out)
    assert names == ("id", "text", "service", "lits", "error")
    assert sorted(row[1:] for row in rows) == [
        ("- Apyrétique", "réa", 2.5, None),
        ("Mme [LAST_NAME] va mieux.", "cardio", 3, None),
    ]
    assert {row[0] for row in rows} == {Cohort(KEY).released_id(one) for one in ("7", "8")}


def plant(workbook: Any) -> None:
    """The word in every corner of a workbook that is no cell of its table."""
    sheet = workbook.active
    properties = workbook.properties
    properties.creator = properties.title = properties.keywords = properties.description = SECRET
    sheet["B2"].comment = openpyxl.comments.Comment(SECRET, SECRET)
    sheet["B2"].hyperlink = f"https://exemple.fr/{SECRET}"
    sheet["G1"], sheet["G2"] = SECRET, SECRET
    sheet.column_dimensions["G"].hidden = True
    sheet["H1"], sheet["H2"] = "note", f'=CONCATENATE("{SECRET}",B2)'
    sheet.title = f"Feuille {SECRET}"
    sheet.oddHeader.center.text = sheet.oddFooter.left.text = SECRET
    sheet.append((9, SECRET, SECRET, None, SECRET, 1))
    sheet.row_dimensions[4].hidden = True
    hidden = workbook.create_sheet(f"Autre {SECRET}", 0)
    hidden.sheet_state = "veryHidden"
    hidden.append(("text", SECRET))
    name = openpyxl.workbook.defined_name.DefinedName(SECRET, attr_text="$A$1")
    workbook.defined_names[SECRET] = name
    check = openpyxl.worksheet.datavalidation.DataValidation(type="list", formula1=f'"{SECRET}"')
    check.error = check.prompt = SECRET
    sheet.add_data_validation(check)
    workbook.custom_doc_props.append(
        openpyxl.packaging.custom.StringProperty(name=SECRET, value=SECRET)
    )


def test_what_is_no_cell_that_shows_never_passes(tmp_path: Path) -> None:
    source, out = tmp_path / "n.xlsx", tmp_path / "o.xlsx"
    source.write_bytes(book(*NOTES, change=plant))
    result = invoke("run", source, "-o", out, "-p", "redact", "--keep", "note", "--keep-ids")
    assert result.exit_code == 3, result.output
    with ZipFile(out) as file:
        whole = "".join(file.read(name).decode() for name in file.namelist())
    assert SECRET not in whole
    assert list(cells(out))[1:] == [
        ("7", "Mme [LAST_NAME] va mieux.", None, None),
        ("8", "- Apyrétique", None, None),
        (None, None, None, "row 3: is hidden in its sheet, and not read"),
    ]


def test_no_text_is_written_as_a_formula_or_changed(tmp_path: Path) -> None:
    text = "=1+1 \x07 _x0041_ fin\r\n\u2028 é"
    source, out = tmp_path / "n.jsonl", tmp_path / "o.xlsx"
    source.write_text(json.dumps({"id": "1", "text": text, "n": "=2"}) + "\n", encoding="utf-8")
    assert invoke("run", source, "-o", out, "-p", "redact", "--keep", "n").exit_code == 0
    sheet = openpyxl.load_workbook(out).active
    assert [sheet.cell(2, at).data_type for at in (2, 3)] == ["s", "s"]
    (row,) = rows_of(out.read_bytes())
    assert row.document is not None
    assert row.document.text == text
    assert row.extra == {"n": "=2", "error": None}


def test_the_sheet_is_the_first_that_shows_or_the_one_named(tmp_path: Path) -> None:
    def more(workbook: Any) -> None:
        other = workbook.create_sheet("Suite")
        other.append(("text",))
        other.append(("Toux",))

    data = book(*NOTES, change=more)
    assert len(rows_of(data)) == 2
    (row,) = rows_of(data, "Suite")
    assert row.document is not None
    assert row.document.text == "Toux"
    (tmp_path / "n.xlsx").write_bytes(data)
    result = invoke("run", tmp_path / "n.xlsx", "--sheet", "Suite", "-p", "redact")
    assert "Toux" in result.stdout
    with pytest.raises(UsageError, match="no sheet that shows is called Autre") as told:
        rows_of(data, "Autre")
    assert "Suite" not in str(told.value), "a sheet may be called as a patient is"


def test_of_a_formula_the_last_value_is_read() -> None:
    def told(workbook: Any) -> None:
        workbook.active["E2"] = f'="{SECRET}"'

    data = book(*NOTES, change=told)
    out = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(
                name,
                old.read(name).replace(b"<v></v>", b"<v>12</v>").replace(b"<v />", b"<v>12</v>"),
            )
    assert rows_of(out.getvalue())[0].extra["service"] == 12


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
            "has a password, or is older than .xlsx",
        ),
        (b"id;text\n1;a", "damaged, or no .xlsx file"),
        (book()[:-40], "damaged, or no .xlsx file"),
    ],
)
def test_what_is_refused_says_why(data: bytes, error: str) -> None:
    (row,) = rows_of(data)
    assert error in row.error
    assert row.error.startswith("file n.xlsx: ")


def test_a_part_that_unpacks_to_far_more_is_refused() -> None:
    def big(workbook: Any) -> None:
        workbook.active["Z9"] = "a" * 32_000
        for number in range(200):
            workbook.active.cell(number + 1, 9).value = "a" * 32_000

    (row,) = rows_of(book(change=big))
    assert "a zip bomb" in row.error


def test_a_note_longer_than_a_cell_is_an_error_and_not_cut(tmp_path: Path) -> None:
    source, out = tmp_path / "n.jsonl", tmp_path / "o.xlsx"
    source.write_text(json.dumps({"id": "1", "text": "va bien " * 5_000}) + "\n", encoding="utf-8")
    assert invoke("run", source, "-o", out, "-p", "redact").exit_code
    assert "longer than the 32,767 letters" in [*cells(out)][1][-1]
