"""The rows of a source: standard input, a file of any kind that is known, or a folder of them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final

from dpdeid.errors import UsageError
from dpdeid.formats.json_lines import BOM
from dpdeid.formats.kinds import ANY, Kind, Origin, Reading, endings, kind_called, kind_of
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.json_rows import rows_of

_SHOWN: Final = 10
"""Rows that a message of `read_whole` lists."""


def read(
    source: str, stdin: BinaryIO, how: Reading = ANY, bare: Counter[str] | None = None
) -> Iterator[Row]:
    """The rows of a source: "-", a file, or a folder. Of a folder hidden files, links that lead out
    of it and files of no known kind are not read, see `Found`; a file whose kind needs what is
    not installed is a row with an error.

    Ids must be unique over the whole source: a later row with an id seen before is an error.

    Args:
        bare: counts the messages that hold no document, which are no rows, by what they are.

    Raises:
        UsageError: the source does not exist or is of another kind, or what reads it is not
            installed.
    """
    yield from look(source, how).rows(stdin, how, bare)


def noted(rows: Iterable[Row], bare: Counter[str]) -> Iterator[Row]:
    """The rows that are notes, or should be; the others are counted by what they are."""
    for row in rows:
        if row.bare:
            bare[row.bare] += 1
        else:
            yield row


def unique(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows; one with the id of a row before it is an error."""
    first: dict[str, str] = {}
    for row in rows:
        if row.id is None or row.document is None:
            yield row
        elif row.id in first:
            error = f"{row.where}: same id as {first[row.id]}"
            yield replace(row, document=None, error=error, extra={})
        else:
            first[row.id] = row.place or row.where
            yield row


def read_whole(source: str, name: str) -> list[Row]:
    """The rows of a source, each with its note.

    Args:
        source: as `read` takes it.
        name: what messages call the source.

    Raises:
        UsageError: a row cannot be read, or there is none; has the reasons.
    """
    rows = list(read(source, sys.stdin.buffer))
    if wrong := [row.error for row in rows if row.document is None]:
        more = f" and {len(wrong) - _SHOWN} more rows" if len(wrong) > _SHOWN else ""
        raise UsageError(f"{name}: {'; '.join(wrong[:_SHOWN])}{more}")
    if not rows:
        raise UsageError(f"{name}: no notes")
    return rows


def source_files(source: str, how: Reading = ANY) -> tuple[Path, ...]:
    """The file or folder that a source is, none if it is standard input.

    Raises:
        UsageError: the source does not exist or is of another kind.
    """
    if source == "-":
        return ()
    if not source:  # a variable of a script that was not set, and not the current folder
        raise UsageError("INPUT is empty: name a file or a folder, or - for standard input")
    path = Path(source)
    if not path.is_dir():
        if not path.is_file():
            raise UsageError(f"no such file or folder: {source}")
        _kind_at(path, how)
    return (path,)


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a source.

    Args:
        number: of the file in its folder, from 1 in the order of names; 0 if it lies in none.
    """

    path: Path
    origin: Origin
    kind: Kind
    number: int

    def rows(self, how: Reading) -> Iterator[Row]:
        """Its rows; one with the id of a row before it is among them.

        Raises:
            UsageError: see `read`.
        """
        name = self.origin.name
        for row in self._unread() or _file(self.path, self.origin, self.kind, how):
            if self.number:
                line = row.where.removeprefix(name) if row.where.startswith(name) else ""
                row = replace(row, place=f"file {self.number}{line}")
            yield row

    @property
    def missing(self) -> str:
        """What installs what it needs, if it is one of a folder that can be read without it."""
        return self.kind.missing if self.number else ""

    def _unread(self) -> tuple[Row, ...]:
        """The row that says why it cannot be read, if what it needs is not installed."""
        if not (why := self.missing):
            return ()
        where, note = self.origin.file, self.origin.note if self.kind.releases else None
        return (Row(where, note, None, f"{where}: {why}"),)


@dataclass(frozen=True, slots=True)
class Found:
    """A source, looked through once.

    Args:
        source: what was looked through.
        parts: the files of it, in the order in which they are read; none of standard input.
        skipped: how many files of a folder are left aside: "hidden", "links", or by what their
            names end with.
    """

    source: str
    parts: tuple[Part, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=Counter)

    def rows(
        self, stdin: BinaryIO, how: Reading, bare: Counter[str] | None = None
    ) -> Iterator[Row]:
        """See `read`."""
        rows = _piped(stdin, how) if self.source == "-" else self._rows(how)
        return unique(noted(rows, Counter() if bare is None else bare))

    def _rows(self, how: Reading) -> Iterator[Row]:
        return chain.from_iterable(part.rows(how) for part in self.parts)

    def columns(self, how: Reading) -> Mapping[str, str]:
        """What each column of the files is: name → a key of ours, or "". None of standard input,
        which can be read but once, and of files that cannot be opened.

        Raises:
            UsageError: see `read`.
        """
        found: dict[str, str] = {}
        for part in self.parts:
            if part.missing:
                continue
            with suppress(OSError), part.path.open("rb") as file:
                found |= part.kind.columns(file, part.origin, how)
        return found

    def may_be_scanned(self, how: Reading) -> bool:
        """Whether notes may be images, which are read by OCR, by the kinds of the files."""
        if self.source == "-":
            return bool(how.format) and kind_called(how.format).scans
        return any(part.kind.scans for part in self.parts)

    def unread(self) -> Mapping[str, Counter[str]]:
        """What needs to be installed for files of a folder, each with how many, by ending."""
        found: dict[str, tuple[str, Counter[str]]] = {}
        for part in self.parts:
            if why := part.missing:
                _, counts = found.setdefault(part.kind.extra, (why, Counter()))
                counts[part.path.suffix.lower()] += 1
        return dict(found.values())


def look(source: str, how: Reading = ANY) -> Found:
    """What a source is.

    Raises:
        UsageError: it does not exist or is of another kind.
    """
    parts, skipped = list[Part](), Counter[str]()
    for path in source_files(source, how):
        if not path.is_dir():
            return Found(source, (Part(path, Origin("", path.name), _kind_at(path, how), 0),))
        for inner in sorted(p for p in path.rglob("*") if p.is_file()):
            if why := _skipped(inner, path, how):
                skipped[why] += 1
                continue
            name = inner.relative_to(path).as_posix()
            parts.append(Part(inner, Origin(name, name), _kind_at(inner, how), len(parts) + 1))
    return Found(source, tuple(parts), skipped)


def _skipped(file: Path, folder: Path, how: Reading) -> str:
    """Why a file of a folder is not read, "" if it is."""
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        return "hidden"
    if not file.resolve().is_relative_to(folder.resolve()):
        return "links"
    kind = kind_of(file.name)
    if kind is not None and how.format in ("", kind.name):
        return ""
    return file.suffix.lower() or "without a suffix"


def _kind_at(path: Path, how: Reading) -> Kind:
    if (found := how.kind(path.name)) is None:
        raise UsageError(f"{path}: input is -, a folder, or ends with {endings()}")
    return found


def _piped(stdin: BinaryIO, how: Reading) -> Iterator[Row]:
    """JSON lines if the first line that is not blank is an object, else one note, if any; or what
    is said of it.
    """
    if how.format:
        origin = Origin("", "stdin")
        yield from kind_called(how.format).reader(BytesIO(stdin.read()), origin, how)
        return
    head = [stdin.readline().removeprefix(BOM)]
    while head[-1] and not head[-1].strip():
        head.append(stdin.readline())
    if head[-1].lstrip().startswith(b"{"):
        yield from rows_of(chain(head, stdin), Origin("", "stdin"), how)
    elif any(head):
        whole = BytesIO(b"".join(head) + stdin.read())
        yield from kind_called("txt").reader(whole, Origin("standard input", "stdin"), how)


def _file(path: Path, origin: Origin, kind: Kind, how: Reading) -> Iterator[Row]:
    """The rows of one file. A text is called as its file without the ending."""
    if kind.name == "txt":
        note = origin.note[: -len(".txt")] if origin.note.lower().endswith(".txt") else origin.note
        origin = replace(origin, note=note, name=origin.name or path.name)
    try:
        file = path.open("rb")
    except OSError as error:
        where = origin.file
        yield Row(where, origin.note, None, f"{where}: cannot be opened ({error.strerror})")
        return
    with file:
        yield from kind.reader(file, origin, how)
