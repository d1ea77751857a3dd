"""Workbooks (.xlsx), by openpyxl: the values of one sheet as a table.

Read is the first sheet that shows, or one that is named; of a formula its last value. A hidden row
is a row with an error, a hidden column is none, and comments, names and properties are not read.
Written are values: a text that begins as a formula does is a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from math import isfinite
from typing import Any, BinaryIO, Final
from warnings import catch_warnings, simplefilter

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.utils.escape import unescape
from openpyxl.worksheet._reader import WorkSheetParser

from dpdeid.document import LONGEST
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.office.package import UNPACKED, Package
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.columns import Columns
from dpdeid.formats.tables.csv_rows import MISSING, tabbed
from dpdeid.formats.tables.pieces import Pieces
from dpdeid.formats.write import json_text

_LARGEST: Final = 10**15
"""Whole numbers from here on lose digits in a cell."""
_NO_LETTER: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)"
)
_UNPACKED: Final = 1 << 30
_HIDDEN: Final = "is hidden in its sheet, and not read"
_Cells = Mapping[int, Any]


def columns(file: BinaryIO, origin: Origin, how: Reading) -> Mapping[str, str]:
    """What each column is, see `Columns`; none if it is no workbook.

    Raises:
        UsageError: a column or a sheet is missing, see `Columns.of`.
    """
    try:
        names = next(_lines(file, origin, how), None)
    except ValueError:
        return {}
    return Columns.of([str(name) for name in names.values()], origin, how).meant if names else {}


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The rows of a sheet that hold anything.

    Raises:
        UsageError: a column or a sheet is missing, see `Columns.of`.
    """
    number = 0
    try:
        lines = _lines(file, origin, how)
        if not (names := next(lines, None)):
            return
        columns = Columns.of([str(name) for name in names.values()], origin, how)
        known = {columns.own.get("patient_id"), *columns.facts.values()}
        for number, cells in enumerate(lines, 1):
            where = origin.row(number)
            if cells is None:
                yield Row(where, None, None, f"{where}: {_HIDDEN}")
                continue
            given = [cells.get(at) for at in names]
            yield columns.row(
                [_known(v) if at in known else v for at, v in enumerate(given)], number
            )
    except ValueError as error:
        where = origin.row(number + 1) if number else origin.file
        yield Row(where, None, None, f"{where}: {error}", place="" if number else "file 1")


def _known(value: Any) -> Any:
    return None if isinstance(value, str) and value.strip() in MISSING else value


def cells_of(data: bytes) -> str:
    """The values of all sheets that show, as texts with tabs between cells; what is hidden goes.

    Raises:
        ValueError: it is no workbook, or a damaged one, or no cell shows, or far too many.
    """
    texts = []
    for sheet in _sheets(book := _opened(data, UNPACKED)):
        lines = [line for line in _shown(_parser(book, sheet)) if line]
        columns = sorted({at for line in lines for at in line})
        if len(lines) * len(columns) > LONGEST:
            raise ValueError(f"a sheet of more than {LONGEST:,} cells")
        texts.append(tabbed([line.get(at) for at in columns] for line in lines))
    if not any(map(str.strip, texts)):
        raise ValueError("no cell shows")
    return "\n\n".join(text for text in texts if text)


def _lines(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[_Cells | None]:
    """The cells of each line that holds any, by the number of their columns; None of a hidden one.

    Raises:
        ValueError: it is no workbook, or a damaged one.
        UsageError: no sheet is called so.
    """
    book = _opened(file.read())
    sheets = {one.title: one for one in _sheets(book)}
    name = how.sheet or next(iter(sheets), "")
    if name not in sheets:  # whose names are not told: they may be a patient's
        asked = f"no sheet that shows is called {name}" if name else "no sheet shows"
        raise UsageError(f"{origin.note}: {asked}; {len(sheets)} of {len(book.worksheets)} show")
    yield from _shown(_parser(book, sheets[name]))


@contextmanager
def _reading() -> Iterator[None]:
    """Whatever the parts of a workbook make openpyxl stumble over is a damaged one."""
    try:
        with catch_warnings():  # they repeat values
            simplefilter("ignore")
            yield
    except Exception as error:
        raise ValueError(f"damaged ({type(error).__name__})") from None


def _opened(data: bytes, most: int = _UNPACKED) -> Any:
    Package(data, ".xlsx").check(most)
    with _reading():
        return load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)


def _sheets(book: Any) -> list[Any]:
    with _reading():
        return [one for one in book.worksheets if one.sheet_state == "visible"]


def _shown(parser: Any) -> Iterator[_Cells | None]:
    with _reading():
        lines = parser.parse()
    while True:
        with _reading():
            if (line := next(lines, None)) is None:
                return
            number, cells = line
            hidden = _hidden(parser.column_dimensions.values())
            values = {
                one["column"]: _value(one["value"])
                for one in cells
                if one["value"] is not None and not any(one["column"] in span for span in hidden)
            }
            shows = not _hides(parser.row_dimensions.pop(str(number), {}), "ht")
        if values:
            yield values if shows else None


def _parser(book: Any, sheet: Any) -> Any:
    """What parses a sheet: openpyxl's own, since its rows do not tell which are hidden."""
    with _reading():
        return WorkSheetParser(
            sheet._get_source(), sheet._shared_strings, data_only=True, epoch=book.epoch,
            date_formats=book._date_formats, timedelta_formats=book._timedelta_formats,
        )  # fmt: skip


def _hidden(spans: Iterable[Mapping[str, str]]) -> list[range]:
    hidden = (one for one in spans if _hides(one, "width"))
    return [range(int(one["min"]), int(one["max"]) + 1) for one in hidden]


def _hides(given: Mapping[str, str], size: str) -> bool:
    return given.get("hidden") in ("1", "true") or float(given.get(size, 1)) == 0


def _value(value: Any) -> Any:
    return unescape(value) if isinstance(value, str) else value


def write(pieces: Pieces, file: BinaryIO) -> None:
    """Writes a sheet with a line of column names and one for each row."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("notes")
    names = dict(zip(pieces.columns, pieces.columns, strict=True))
    for piece in chain([names], pieces):
        sheet.append([_cell(sheet, piece[name]) for name in pieces.columns])
    book.save(file)


def _cell(sheet: Any, value: Any) -> Any:
    """A number as such, and anything else as the text of a cell, whatever it begins with."""
    if value is None or (
        isinstance(value, int | float) and isfinite(value) and abs(value) < _LARGEST
    ):
        return value
    text = value if isinstance(value, str) else json_text(value, indent=None).strip('\n"')
    cell = WriteOnlyCell(sheet)
    cell._value = _NO_LETTER.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    cell.data_type = "s"
    return cell
