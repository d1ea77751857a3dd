"""The kinds of files: how they are called and end, and the module that reads or writes each.

A module has `read(file, origin, how)`, which yields a `Row` for each note of an open file; if a
whole release can be one file of its kind, `write(pieces, file)`; if its rows have columns,
`columns(file, origin, how)`, which says what they are; and, if a table is read in an envelope,
`cells_of(data)`, which gives its cells as a text. `needs()` raises a ValueError that says what it
needs beside packages of Python, if that is not installed. It is imported when it is asked for, and
what it needs beyond the package with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from importlib import import_module
from types import MappingProxyType
from typing import Any, BinaryIO, Final, Protocol, cast

from dpdeid.errors import InputError, UsageError
from dpdeid.formats.rows import FACTS, OWN_KEYS, Row

Piece = Mapping[str, Any]
"""Of a release, one note: {"id", "text", …}; for files {"id", "content": bytes, "ending"}; or
{"id", "error"}.
"""


DEEPEST: Final = 6
"""Envelopes in one another."""
PARTS: Final = 1_000
UNPACKED: Final = 256 << 20
"""Bytes of all parts of an envelope, at all depths."""
OCR_FLOOR: Final = 85.0
"""Percent of confidence that OCR must have in the words of a note, if nothing else is asked for."""


class PartError(InputError):
    """A part of an envelope cannot be read: `path` is where it lies, as "OBX 3 › body"."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}{'' if why.startswith(MARK) else ': '}{why}")


MARK: Final = " › "
"""Between an envelope and its part in messages."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that rows come from, as messages call it, and no path.

    Args:
        name: its place in a folder; "" if it was named by itself.
        note: the id of its note, if it holds one.
    """

    name: str
    note: str

    @property
    def file(self) -> str:
        """The file, for the messages of one that holds one note."""
        return f"file {self.name or self.note}"

    def row(self, number: int) -> str:
        """A row of the file, from 1, for messages."""
        return f"{self.name}, row {number}" if self.name else f"row {number}"


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read.

    Args:
        format: the name of a kind, whatever the file is called; "" goes by its ending.
        columns: key of a row → the column or key that stands for it, where it is called otherwise.
        body: only the body of pages: no headers, no footers, no margins.
        sheet: of a workbook; "" is the first that shows.
        partial: what an envelope holds is read where other parts of it cannot be.
        ocr_floor: percent of confidence under which what OCR reads is refused.
        bare: messages without a document are rows too.
        depth: of envelopes in which what is read lies.
        left: parts and bytes that may still be opened in the outermost one.
        seen: counts what is opened, by depth and kind.
    """

    format: str = ""
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    body: bool = False
    sheet: str = ""
    partial: bool = False
    bare: bool = False
    ocr_floor: float = OCR_FLOOR
    depth: int = 0
    left: list[int] | None = None
    seen: Counter[tuple[int, str]] | None = None

    def __post_init__(self) -> None:
        if self.format and self.format not in {kind.name for kind in KINDS}:
            raise UsageError(f"--format is one of {', '.join(kind.name for kind in KINDS)}")
        if other := sorted(self.columns.keys() - {*COLUMNS}):
            raise UsageError(f"no such key: {other[0]}; allowed: {', '.join(COLUMNS)}")

    def kind(self, name: str) -> Kind | None:
        """The kind as which a file of that name is read, None if it is none of ours."""
        return kind_called(self.format) if self.format else kind_of(name)

    def opening(self) -> Reading:
        """How an envelope is read: its parts share what may be opened."""
        return self if self.left is not None else replace(self, left=[PARTS, UNPACKED])

    def deeper(self, size: int) -> Reading:
        """How a part of so many bytes is read.

        Raises:
            ValueError: it lies too deep, or is one too many or too large.
        """
        how = self.opening()
        assert how.left is not None
        how.left[:] = how.left[0] - 1, how.left[1] - size
        if self.depth >= DEEPEST:
            raise ValueError(f"more than {DEEPEST} envelopes in one another")
        if min(how.left) < 0:
            raise ValueError(f"more than {PARTS:,} parts or {UNPACKED >> 20} MB in one envelope")
        return replace(how, depth=self.depth + 1)

    def key(self, name: str) -> str:
        """The key of ours that a column or key is read as, "" if as none."""
        told = {column: key for key, column in self.columns.items()}
        key = key_of(name)
        return told.get(name) or ("" if key in self.columns else key)

    def renamed(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row with the keys of ours, told as columns are; facts stand under "patient".

        Raises:
            InputError: two keys are one of ours; names it.
        """
        given = {key: row[name] for key, name in self.columns.items() if name in row}
        taken, others = {*self.columns.values()}, dict[str, Any]()
        for name, value in row.items():
            key = key_of(name)
            if name in taken or key in self.columns:
                continue
            if key in given:
                raise InputError(f"more than one key is {key}")
            (given if key else others)[key or name] = value
        facts = {key: given.pop(key) for key in tuple(given) if key not in OWN_KEYS}
        if facts:
            given["patient"] = with_facts(given.get("patient"), facts)
        return others | given


COLUMNS: Final = tuple(key for key in (*OWN_KEYS, *FACTS, "sex", "date_shift") if key != "patient")
"""Keys for which a column may be named."""


def key_of(name: str) -> str:
    """The key that a column, or a key of JSON, is called as, "" if it is called as none."""
    name = name.strip().lower()
    fact = name.removeprefix("patient.")
    return name if name in OWN_KEYS else fact if fact in COLUMNS and fact not in OWN_KEYS else ""


def with_facts(patient: object, given: Mapping[str, Any]) -> object:
    """What is known of a patient with the facts beside it, which count where both have one."""
    if patient is not None and not isinstance(patient, Mapping):
        return patient
    return {**(patient or {}), **{k: v for k, v in given.items() if v not in (None, "")}}


class Reader(Protocol):
    def __call__(self, file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
        """The rows of a file, each with its note or with what is wrong with it."""


def of_one_note(read: Callable[[BinaryIO, Origin, Reading], Row]) -> Reader:
    """The reader of files of one note each; a ValueError says why there is none."""

    @wraps(read)
    def rows(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
        try:
            yield read(file, origin, how)
        except (ValueError, PartError) as error:
            told = f"{origin.file}{MARK if isinstance(error, PartError) else ': '}{error}"
            yield Row(origin.file, origin.note, None, told, place="file 1")

    return rows


class Writer(Protocol):
    def __call__(self, pieces: Iterable[Piece], file: BinaryIO) -> None:
        """Writes a whole release."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file.

    Args:
        name: of `--format`.
        endings: of names of such files, in small letters.
        module: of this room.
        releases: what a file of one of its notes ends with; "" for rows, whose notes are texts.
        whole: whether a release can be one such file.
        extra: what it needs to be installed, "" if nothing.
        longest: characters of a text that it holds, in UTF-16; 0 is any number.
        scans: whether its notes, or parts of them, may be images that are read by OCR.
    """

    name: str
    endings: tuple[str, ...]
    module: str
    releases: str = ""
    whole: bool = False
    extra: str = ""
    longest: int = 0
    scans: bool = False

    @property
    def is_written(self) -> bool:
        """Whether a release can be files of it: of a PDF the words are, as a text."""
        return not self.releases or self.releases in self.endings

    @property
    def missing(self) -> str:
        """What is not there and reads it, and what installs that, for messages; "" if all is."""
        try:
            getattr(self._module(), "needs", bool)()
        except UsageError as error:
            return str(error)
        except ValueError as error:
            return f"{self.endings[0]} files: {error}"
        return ""

    @property
    def reader(self) -> Reader:
        """Raises `UsageError` if what it needs is not installed."""
        return cast(Reader, self._module().read)

    @property
    def writer(self) -> Writer:
        """Raises `UsageError` if what it needs is not installed."""
        return cast(Writer, self._module().write)

    @property
    def cells_of(self) -> Callable[[bytes], str] | None:
        """What reads a table in an envelope, as one text with tabs between cells; None if it is
        none, or is not read there.

        Raises:
            UsageError: what it needs is not installed.
        """
        found: Callable[[bytes], str] | None = getattr(self._module(), "cells_of", None)
        return found

    def columns(self, file: BinaryIO, origin: Origin, how: Reading) -> Mapping[str, str]:
        """What each column of an open file is: name → a key of ours, or ""; none if its notes are
        no rows.

        Raises:
            UsageError: what it needs is not installed, or a column of notes is missing.
        """
        module = self._module()
        found: Mapping[str, str] = {}
        if hasattr(module, "columns"):
            found = module.columns(file, origin, how)
        return found

    def _module(self) -> Any:
        try:
            return import_module(f"dpdeid.formats.{self.module}")
        except ImportError as error:
            raise UsageError(
                f"{self.endings[0]} files need {(error.name or '').partition('.')[0]}: pip install "
                f"'.[{self.extra}]' in a checkout of dpdeid"
            ) from None


KINDS: Final = (
    Kind("csv", (".csv", ".csv.gz"), "tables.csv_rows", whole=True),
    Kind("jsonl", (".jsonl", ".jsonl.gz"), "tables.json_rows", whole=True),
    Kind("parquet", (".parquet",), "tables.parquet", whole=True, extra="formats"),
    Kind("tsv", (".tsv", ".tsv.gz"), "tables.tsv_rows", whole=True),
    Kind("xlsx", (".xlsx",), "tables.xlsx", whole=True, extra="formats", longest=32_767),
    Kind("docx", (".docx",), "office.docx", releases=".docx"),
    Kind("eml", (".eml",), "envelopes.mail", releases=".eml", scans=True),
    Kind("fhir", (".json", ".ndjson"), "documents.fhir", releases=".json", whole=True, scans=True),
    Kind("hl7", (".hl7",), "documents.hl7", releases=".hl7", whole=True, scans=True),
    Kind("html", (".html", ".htm"), "documents.html", releases=".html"),
    Kind("jpeg", (".jpg", ".jpeg"), "scans.files", releases=".txt", extra="ocr", scans=True),
    Kind("msg", (".msg",), "envelopes.outlook", releases=".eml", extra="mail", scans=True),
    Kind("ods", (".ods",), "office.odf", releases=".ods"),
    Kind("odt", (".odt",), "office.odf", releases=".odt"),
    Kind("pdf", (".pdf",), "documents.pdf", releases=".txt", extra="formats", scans=True),
    Kind("png", (".png",), "scans.files", releases=".txt", extra="ocr", scans=True),
    Kind("rtf", (".rtf",), "documents.rtf", releases=".rtf"),
    Kind("tiff", (".tif", ".tiff"), "scans.files", releases=".txt", extra="ocr", scans=True),
    Kind("txt", (".txt",), "documents.text", releases=".txt"),
    Kind("xml", (".xml",), "documents.xml", releases=".xml", scans=True),
    Kind("zip", (".zip",), "envelopes.zips", releases=".zip", scans=True),
)

ANY: Final = Reading()
"""Files as their names say."""


def kind_of(name: str) -> Kind | None:
    """The kind of a file by the ending of its name, None if it is none of ours."""
    ends = ((ending, kind) for kind in KINDS for ending in kind.endings)
    fitting = [pair for pair in ends if name.lower().endswith(pair[0])]
    return max(fitting, key=lambda pair: len(pair[0]))[1] if fitting else None


def kind_called(name: str) -> Kind:
    """The kind of that name."""
    return next(kind for kind in KINDS if kind.name == name)


def endings(*, written: bool = False) -> str:
    """How the names of files that are read end, or of those that are written, for messages."""
    kinds = (kind for kind in KINDS if kind.is_written or not written)
    return ", ".join(ending for kind in kinds for ending in kind.endings)
