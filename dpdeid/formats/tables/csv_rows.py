"""Tables as text: CSV with a line of column names, packed by gzip or not.

Read: cells between commas, semicolons, tabs or bars, whichever parts the first line into most;
quoted ones may hold line breaks, and a quote in one is doubled (RFC 4180). Behind a quote that is
not, nothing is read: lines of a note could be taken for rows, and their words for a column that is
kept.

Written: a cell that a spreadsheet would take for a formula gets an apostrophe before it, as OWASP
says ("CSV Injection"), but for plain numbers. Reading takes it off again, so that texts come back
exactly: offsets, scores and `dpdeid restore` count on them.
"""

from __future__ import annotations

import csv
import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from io import StringIO, TextIOWrapper
from typing import Any, BinaryIO, Final

from dpdeid.errors import UsageError
from dpdeid.formats.encodings import decoded, file_encoding, told
from dpdeid.formats.json_lines import DAMAGED, unpacked
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.columns import Columns
from dpdeid.formats.tables.pieces import Pieces
from dpdeid.formats.write import json_text

_DELIMITERS: Final = ",;\t|"
_LARGEST: Final = 1 << 26
"""Letters of a cell or a line: what holds more was not meant as one."""
_HEAD: Final = 10_000
_FORMULA: Final = re.compile("'*[=+@\t\r\n＝＋－＠-]")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_NO_NAME: Final = re.compile(r"[\d\W]+|.*[\x00-\x1f\x7f\udc80-\udcff].*|.{65,}", re.DOTALL)
"""What is hardly the name of a column: numbers, dates, texts."""
_UNREAD: Final = re.compile("[\udc80-\udcff]")
"""What stands for a byte that cannot be decoded."""
MISSING: Final = frozenset(("", "NULL", "null", r"\N", "nan", "NaN", "None", "NA", "N/A"))
"""What databases and data frames write where there is no value."""
_QUOTES: Final = (
    "a quote inside a quoted cell is not doubled, a quoted cell has no end, or a cell is larger "
    f"than {_LARGEST >> 20} million letters; nothing from here on is read"
)
_NAMELESS: Final = "its first line is no line of column names"


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The rows of a file, which are not all held at once.

    Raises:
        UsageError: a column is missing, see `Columns.of`.
    """
    done = 0
    try:
        text, encoding = _decoded(unpacked(file))
        for row in _rows(_lines(text), origin, how):
            yield replace(row, encoding="" if done else told(encoding))
            done += 1
        text.detach()
    except csv.Error:
        yield _broken(origin, done, _QUOTES)
    except (*DAMAGED, UnicodeError) as error:
        yield _broken(origin, done, f"damaged file ({type(error).__name__})")


def cells_of(data: bytes) -> str:
    """All cells of a file, as a text with tabs between them.

    Raises:
        ValueError: it is no text in any of the encodings.
    """
    text, _ = decoded(data)
    csv.field_size_limit(_LARGEST)
    try:
        names, sign = _names(StringIO(text, newline=""))
        lines = csv.reader(StringIO(text, newline=""), delimiter=sign) if names else ()
        return tabbed(map(_bare, cells) for cells in lines)
    except csv.Error:
        raise ValueError("a cell that is larger than may be") from None


def tabbed(lines: Iterable[Iterable[Any]]) -> str:
    """Lines of cells as a text, with tabs between them."""
    return "\n".join("\t".join(map(_shown, cells)) for cells in lines)


def _shown(value: Any) -> str:
    if isinstance(value, dt.datetime) and value.time() == dt.time.min:
        value = value.date()
    return "" if value is None else str(value)


def columns(file: BinaryIO, origin: Origin, how: Reading) -> Mapping[str, str]:
    """What each column is, see `Columns`; none if the file is empty or its names cannot be read.

    Raises:
        UsageError: a column is missing, see `Columns.of`.
    """
    try:
        text, _ = _decoded(unpacked(file))
        names, _ = _names(_lines(text))
        text.detach()
    except (csv.Error, *DAMAGED, UnicodeError):
        return {}
    try:
        return Columns.of(names, origin, how).meant if names else {}
    except UsageError:
        if not any(map(_NO_NAME.fullmatch, names)):
            raise
        return {}


def _decoded(file: BinaryIO) -> tuple[TextIOWrapper, str]:
    """A file as text, and its encoding."""
    encoding = file_encoding(file)
    file.seek(0)
    errors = "strict" if encoding.startswith("utf-16") else "surrogateescape"
    return TextIOWrapper(file, encoding, errors, newline=""), encoding


def _broken(origin: Origin, done: int, why: str) -> Row:
    where = origin.row(done + 1)
    return Row(where, None, None, f"{where}: {why}")


def _names(lines: Iterator[str]) -> tuple[list[str], str]:
    """The names of the columns, none of an empty file, and what stands between cells."""
    head = next((line for line in lines if line.strip()), "")
    while head.count('"') % 2 and len(head) < _HEAD and (more := next(lines, "")):
        head += more  # a name with a line break
    if not head:
        return [], ""
    named = (next(csv.reader(StringIO(head, newline=""), delimiter=sign)) for sign in _DELIMITERS)
    names, sign = max(zip(named, _DELIMITERS, strict=True), key=lambda pair: len(pair[0]))
    return [_bare(name) for name in names], sign


def _rows(lines: Iterator[str], origin: Origin, how: Reading) -> Iterator[Row]:
    names, sign = _names(lines)
    if not names:
        return
    try:
        columns = Columns.of(names, origin, how)
    except UsageError:  # names the columns, which may be the first row of a table without names
        if not any(_NO_NAME.fullmatch(name) for name in names):
            raise
        yield Row(origin.file, None, None, f"{origin.file}: {_NAMELESS}", place="file 1")
        return
    known = {columns.own.get("patient_id"), *columns.facts.values()}
    records = (cells for cells in csv.reader(lines, delimiter=sign, strict=True) if cells)
    for number, cells in enumerate(records, 1):
        where = origin.row(number)
        if len(cells) != len(names):
            error = f"{where}: {len(cells)} cells, and there are {len(names)} columns"
            yield Row(where, None, None, error)
        elif any(map(_UNREAD.search, cells)):
            yield Row(where, None, None, f"{where}: bytes that are not in the encoding of the file")
        else:
            bare = (_bare(cell) for cell in cells)
            given = [
                None if at in known and cell.strip() in MISSING else cell
                for at, cell in enumerate(bare)
            ]
            yield columns.row(given, number)


def _lines(text: TextIOWrapper) -> Iterator[str]:
    csv.field_size_limit(_LARGEST)
    while line := text.readline(_LARGEST):
        if len(line) == _LARGEST:
            raise csv.Error
        yield line


def _bare(cell: str) -> str:
    """A cell without the apostrophe that `_safe` put before it."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _safe(value: Any) -> str:
    """A value as the text of a cell that no spreadsheet runs."""
    if value is None:
        return ""
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    cell = value if isinstance(value, str) else json_text(value, indent=None).rstrip("\n")
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def write(pieces: Pieces, file: BinaryIO, delimiter: str = ",") -> None:
    """Writes a line of column names and one for each row, in UTF-8; what has no text is empty."""
    text = TextIOWrapper(file, "utf-8", "replace", newline="")
    table = csv.writer(text, delimiter=delimiter)
    table.writerow(map(_safe, pieces.columns))
    table.writerows([_safe(piece[name]) for name in pieces.columns] for piece in pieces)
    text.flush()
    text.detach()
