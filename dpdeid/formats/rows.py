"""Notes from JSON lines, text files, folders or standard input.

Reading never stops at a bad row: what cannot be read becomes a `Row` with an error that names the
row or file, so that every input row has its output row. No message repeats the input's values.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

from dpdeid.days import DAY_FORMS, day_of
from dpdeid.document import Document
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.facts import date_shift, facts, is_code
from dpdeid.formats.json_lines import BOM, Numbered, file_lines, json_lines

_OWN_KEYS: Final = frozenset({"id", "text", "patient_id", "note_date", "patient"})


@dataclass(frozen=True, slots=True)
class Row:
    """One input row: a document, or why there is none.

    Args:
        where: the row or file, for messages.
        id: the caller's id, None if the row has no readable one.
        document: the note, None if the row cannot be read.
        error: why not.
        extra: the row's other keys.
        patient_id: whose note it is, where that can be read, also if the note cannot.
        place: `where` without the name of a file, which may be that of a patient: "file 3" of a
            folder in the order of names. For what is released; "" if `where` has no such name.
    """

    where: str
    id: str | None = None
    document: Document | None = field(default=None, repr=False)
    error: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)
    patient_id: str | None = field(default=None, repr=False)
    place: str = ""


def document_of(row: Mapping[str, Any], number: int = 1) -> Document:
    """The document of a parsed JSON row `{"id", "text", "patient_id"?, "note_date"?, "patient"?}`.

    Raises:
        InputError: a field is missing or of the wrong kind; names the row and the key.
    """
    where = f"row {number}"
    known, sex = facts(row.get("patient"), where)
    patient_id = row.get("patient_id")
    if patient_id is not None and not is_code(patient_id):
        raise InputError(f"{where}: patient_id is neither text nor a number")
    text = row.get("text")
    if not isinstance(text, str):
        raise InputError(f"{where}: no text" if text is None else f"{where}: text is not text")
    return Document(
        _id(row, where),
        text,
        _whose(row),
        _note_date(row.get("note_date"), where),
        known,
        sex,
        date_shift(row.get("patient"), where),
    )


def _whose(row: Mapping[str, Any]) -> str | None:
    """The patient of a row, None if it names none: a blank does not, or all such rows were one."""
    value = row.get("patient_id")
    return str(value) if is_code(value) and str(value).strip() else None


def _id(row: Mapping[str, Any], where: str) -> str:
    value = row.get("id")
    if not is_code(value) or value == "":
        raise InputError(f"{where}: no id" if value is None else f"{where}: id is not text")
    return str(value)


def _note_date(value: object, where: str) -> dt.date | None:
    if value is None or value == "":
        return None
    day = day_of(value)
    if day is None:
        raise InputError(f"{where}: note_date is not a date such as {DAY_FORMS}")
    return day


def read(source: str, stdin: BinaryIO) -> Iterator[Row]:
    """The rows of a source: "-", a .txt, .jsonl or .jsonl.gz file, or a folder of such files. Of a
    folder hidden files and files of other kinds are not read, see `skipped`.

    Ids must be unique over the whole source: a later row with an id seen before is an error.

    Raises:
        UsageError: the source does not exist or is of another kind.
    """
    first: dict[str, str] = {}
    for row in _rows(source, stdin):
        if row.id is None or row.document is None:
            yield row
        elif row.id in first:
            error = f"{row.where}: same id as {first[row.id]}"
            yield replace(row, document=None, error=error, extra={})
        else:
            first[row.id] = row.place or row.where
            yield row


def _rows(source: str, stdin: BinaryIO) -> Iterator[Row]:
    if source == "-":
        yield from _piped(stdin)
        return
    path = _checked(source)
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.is_file() and not _skipped(p, path))
        for number, inner in enumerate(files, 1):
            name = inner.relative_to(path).as_posix()
            for row in _file(inner, name):
                line = row.where.removeprefix(name) if row.where.startswith(name) else ""
                yield replace(row, place=f"file {number}{line}")
        return
    yield from _file(path, "")


def _piped(stdin: BinaryIO) -> Iterator[Row]:
    """JSON lines if the first line that is not blank is an object, else one note; nothing if there
    is nothing.
    """
    head = [stdin.readline().removeprefix(BOM)]
    while head[-1] and not head[-1].strip():
        head.append(stdin.readline())
    if head[-1].lstrip().startswith(b"{"):
        yield from _json_rows(json_lines(chain(head, stdin)), "row")
    elif any(head):
        yield _text_row("stdin", "standard input", b"".join(head) + stdin.read())


def source_files(source: str) -> tuple[Path, ...]:
    """The file or folder that a source is, none if it is standard input.

    Raises:
        UsageError: the source does not exist or is of another kind.
    """
    return () if source == "-" else (_checked(source),)


def skipped(source: str) -> Counter[str]:
    """How many files of a folder `read` leaves aside: "hidden", or by what their names end with.

    Raises:
        UsageError: the source does not exist or is of another kind.
    """
    paths = [path for path in source_files(source) if path.is_dir()]
    kinds = (_skipped(p, path) for path in paths for p in path.rglob("*") if p.is_file())
    return Counter(kind for kind in kinds if kind)


def _skipped(file: Path, folder: Path) -> str:
    """Why a file of a folder is not read, "" if it is."""
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        return "hidden"
    return "" if _kind(file) else file.suffix.lower() or "without a suffix"


def _checked(source: str) -> Path:
    """The path of a source that is not standard input."""
    if not source:  # a variable of a script that was not set, and not the current folder
        raise UsageError("INPUT is empty: name a file or a folder, or - for standard input")
    path = Path(source)
    if not path.is_dir():
        if not path.is_file():
            raise UsageError(f"no such file or folder: {source}")
        if not _kind(path):
            raise UsageError(f"{source}: input is -, a folder, .txt, .jsonl or .jsonl.gz")
    return path


def _kind(path: Path) -> str:
    name = path.name.lower()
    return next((k for k in (".txt", ".jsonl", ".jsonl.gz") if name.endswith(k)), "")


def _file(path: Path, name: str) -> Iterator[Row]:
    """The rows of one file; `name` is its place in the folder, "" for a file given by itself."""
    if _kind(path) == ".txt":
        note = name.removesuffix(".txt") or path.stem
        row = _text_row(note, f"file {name or path.name}", path.read_bytes())
        yield replace(row, place="file 1")
        return
    yield from _json_rows(file_lines(path), f"{name}, row" if name else "row")


def _text_row(id: str, where: str, data: bytes) -> Row:  # noqa: A002 - the field's own name
    try:
        return Row(where, id, Document(id, data.decode("utf-8")))
    except UnicodeDecodeError as error:
        return Row(where, id, None, f"{where}: not UTF-8 (byte {error.start})")


def _json_rows(lines: Iterable[Numbered], label: str) -> Iterator[Row]:
    for number, parsed in lines:
        where = f"{label} {number}"
        if isinstance(parsed, str):
            yield Row(where, None, None, f"{where}: {parsed}")
        else:
            yield _json_row(parsed, number, where)


def _json_row(parsed: dict[str, Any], number: int, where: str) -> Row:
    extra = {key: value for key, value in parsed.items() if key not in _OWN_KEYS}
    given = parsed.get("id")
    usable = is_code(given) and given != ""
    patient_id = _whose(parsed)
    try:
        doc = document_of(parsed, number)
        return Row(where, doc.id, doc, extra=extra, patient_id=patient_id)
    except InputError as error:
        message = str(error).replace(f"row {number}", where, 1)
        known = str(given) if usable else None
        return Row(where, known, None, message, patient_id=patient_id)
