"""brat's standoff: NOTE.txt with NOTE.ann beside it, in a folder or alone.

A line "T1⇥LABEL 0 5;9 14⇥text" marks one or more stretches; each becomes a span. Relations, events,
attributes and notes mark no text of their own and are not read. A text without its .ann file, and
the other way round, is refused: a note without spans has an empty .ann file.
https://brat.nlplab.org/standoff.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dpdeid.formats.annotated import Annotated, Mark

_ENTITY: Final = re.compile(r"T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_BROKEN: Final = "a T line of its .ann file is not LABEL START END"


def read_brat(path: Path) -> list[Annotated]:
    """The notes of a folder, or the one that a .txt or .ann file belongs to."""
    if not path.is_dir():
        return [_note(path.with_suffix(""), path.stem)]
    files = {p.with_suffix("") for p in path.rglob("*") if p.suffix in (".txt", ".ann")}
    return [_note(stem, stem.relative_to(path).as_posix()) for stem in sorted(files)]


def _note(stem: Path, note_id: str) -> Annotated:
    where = f"file {note_id}"
    try:
        text = Path(f"{stem}.txt").read_bytes().decode("utf-8")
        lines = Path(f"{stem}.ann").read_bytes().decode("utf-8")
        return Annotated(where, note_id, text, tuple(_marks(lines)))
    except FileNotFoundError:
        return Annotated(where, note_id, error="the .txt or the .ann file is missing")
    except UnicodeDecodeError:
        return Annotated(where, note_id, error="not UTF-8")
    except ValueError:
        return Annotated(where, note_id, error=_BROKEN)


def _marks(lines: str) -> Iterator[Mark]:
    for line in re.split(r"\r?\n", lines):
        if not line.startswith("T"):
            continue
        if (found := _ENTITY.fullmatch(line)) is None:
            raise ValueError(_BROKEN)
        pieces = [piece.split() for piece in found[2].split(";")]
        yield Mark(tuple((int(start), int(end)) for start, end in pieces), found[1], found[3])
