"""What a release is written into: lines, one file of a kind, or a folder of files.

Where it is no file of rows, each note is a file of the kind that it came in, called as its released
id. Everything appears when all is written: a folder is written under its name with ".part" behind
it, and renamed. Its files are made in the order of their names, so that their times tell nothing.
"""

from __future__ import annotations

import json
import shutil
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from gzip import GzipFile
from pathlib import Path
from typing import Any, BinaryIO, Final, cast
from urllib.parse import quote

from dpdeid.cohort import durable
from dpdeid.document import Deidentified
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.kinds import ANY, Kind, Piece, Reading, kind_called, kind_of
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.pieces import Pieces, packed
from dpdeid.formats.write import json_line

ERRORS: Final = "errors.jsonl"
"""The file of a folder that has a row for each note that failed."""
OCR: Final = "ocr.jsonl"
"""The file of a folder that has a row for each note that was read by OCR: how sure that is."""
_LONGEST: Final = 200
"""Bytes of the name of a file."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where released notes go.

    Args:
        kind: of the file; None if it is a folder.
        path: None is standard output.
        kept: columns of a table beside id, text and error.
    """

    kind: Kind | None
    path: Path | None = None
    kept: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        path: Path | None,
        sources: Sequence[Path],
        kept: Iterable[str] = (),
        how: Reading = ANY,
    ) -> Target:
        """The target of a path: a folder if it is one, or if one is read and its name has no
        ending; else by the ending of its name, and JSON lines if that is of no kind.

        Args:
            sources: files and folders that are read.
            how: by which kind they are.

        Raises:
            UsageError: a folder is not empty, or one note is asked for where more may be read.
        """
        if path is None:
            return cls(kind_called("jsonl"))
        if path.is_dir() or (not path.suffix and any(file.is_dir() for file in sources)):
            if path.is_dir() and any(path.iterdir()):
                raise UsageError(f"{path} is not empty: name a new folder")
            return cls(None, path)
        kind = kind_of(path.name) or kind_called("jsonl")
        read = [how.kind(file.name) for file in sources if not file.is_dir()]
        if not kind.whole and [one and one.releases for one in read] != [kind.releases]:
            raise UsageError(
                f"{path} is one note, and INPUT is no file of one: name an empty folder, or a file "
                "of rows such as .jsonl"
            )
        return cls(kind, path, tuple(dict.fromkeys(kept)))

    @property
    def is_of_rows(self) -> bool:
        """Whether a note in it is a row, and no file."""
        return self.kind is not None and not self.kind.releases

    @property
    def _is_table(self) -> bool:
        """Whether all its rows have the same columns, which is not so for JSON lines."""
        return self.kind is not None and self.is_of_rows and self.kind.name != "jsonl"

    def piece(self, row: Row, result: Deidentified, out_id: str, kept: Mapping[str, Any]) -> Piece:
        """A released note; the content of a file is in base64.

        Raises:
            InputError: it cannot be written as a file of its kind; names the row.
        """
        read = {} if row.ocr is None else {"ocr": row.ocr}
        if self._is_table:
            kept = {key: packed(value) for key, value in kept.items()}
        if self.is_of_rows:
            if self.kind and self.kind.longest:
                self._fits(result.text, *map(str, kept.values()), most=self.kind.longest)
            return {"id": out_id, "text": result.text, **kept, **read}
        ending, content = ".txt", result.text.encode("utf-8", "replace")
        if row.form is not None and (self.kind is None or row.form.ending in self.kind.endings):
            ending, content = row.form.ending, row.form.written(result, out_id)
        file_name(out_id, ending)
        return {"id": out_id, "ending": ending, "content": b64encode(content).decode(), **read}

    @staticmethod
    def _fits(*cells: str, most: int) -> None:
        if any(len(cell.encode("utf-16-le", "replace")) > 2 * most for cell in cells):
            raise InputError(f"longer than the {most:,} letters that a cell of its kind may have")

    @contextmanager
    def opened(self) -> Iterator[Write]:
        """What writes the lines of pieces, once. An older file keeps its place until the block ends
        well.

        Raises:
            UsageError: it cannot be written.
            OSError: writing it failed on the way.
        """
        with ExitStack() as files:
            try:
                write = self._opened(files)
            except OSError as error:
                raise UsageError(f"cannot write {self.path}: {error.strerror}") from None
            yield write

    def _opened(self, files: ExitStack) -> Write:
        if self.path is None:
            return _print
        if self.kind is None:
            folder = files.enter_context(new_folder(self.path))
            return lambda lines: _fill(folder, _pieces(lines))
        file = files.enter_context(durable.beside(self.path, private=False))
        if self.path.name.lower().endswith(".gz"):
            name = self.path.name[: -len(".gz")]
            file = cast(BinaryIO, files.enter_context(GzipFile(name, "wb", fileobj=file)))
        if not self.kind.whole:
            return lambda lines: _only(_pieces(lines), file)
        if self.kind.name == "jsonl":  # they are the lines
            return file.writelines
        writer = self.kind.writer
        if self._is_table:
            return lambda lines: writer(Pieces(lines, self.kept), file)
        return lambda lines: writer(_pieces(lines), file)


Write = Callable[[Iterable[bytes]], None]
"""Writes the pieces of a release, a line of JSON each."""


def _pieces(lines: Iterable[bytes]) -> Iterator[Piece]:
    for line in lines:
        piece: dict[str, Any] = json.loads(line)
        if "content" in piece:
            piece["content"] = b64decode(piece["content"])
        yield piece


def _print(lines: Iterable[bytes]) -> None:
    """Writes lines to standard output, in UTF-8 in any locale."""
    for line in lines:
        sys.stdout.buffer.write(line)


def _only(pieces: Iterator[Piece], file: BinaryIO) -> None:
    """Writes the one note of a file that holds one."""
    nothing: Piece = {"error": "every note is left out"}
    piece = next(pieces, nothing)
    if "content" not in piece:
        raise UsageError(f"nothing is released: {piece['error']}")
    if next(pieces, None) is not None:
        raise UsageError("INPUT holds more than one note: name a new folder, or a file of rows")
    file.write(piece["content"])


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder that takes the place of an empty one when the block ends well."""
    path = path.resolve()
    new = durable.part_of(path)
    new.mkdir()
    try:
        with durable.claimed(new):
            yield new
        new.replace(path)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    durable.sweep(path)


def _fill(folder: Path, pieces: Iterable[Piece]) -> None:
    rows: dict[str, list[Piece]] = {ERRORS: [], OCR: []}
    for piece in pieces:
        if not _is_written(folder, piece):
            rows[ERRORS].append(piece)
        elif "ocr" in piece:
            rows[OCR].append({"id": piece["id"], "ocr": piece["ocr"]})
    for name, lines in rows.items():
        if lines:
            (folder / name).write_text("".join(map(json_line, lines)), encoding="utf-8")


def _is_written(folder: Path, piece: Piece) -> bool:
    if "content" in piece:
        (folder / file_name(piece["id"], piece["ending"])).write_bytes(piece["content"])
    return "content" in piece


def file_name(note: str, ending: str) -> str:
    """The name of the file of a note: no folder, no hidden file, no other note's, by any id.

    Raises:
        InputError: the id is too long for one.
    """
    name = quote(note, safe=" ", errors="surrogatepass") + ending
    if name.startswith(".") or name.lower() in (ERRORS, OCR):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    if len(name) > _LONGEST:
        raise InputError("the id is too long for the name of a file")
    return name
