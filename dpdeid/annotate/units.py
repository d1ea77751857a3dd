"""What travels through the workshop: units that people annotate, and what they answered.

A unit is a stretch of a note, whose id says of which (`NOTE#3`). Everything that is asked or
measured is asked of units. A file of either kind is JSON lines and holds text of patients: it is
written with mode 0600, and no message repeats what stands in it but ids.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from dpdeid.errors import AnnotationError
from dpdeid.formats.json_lines import rows


class Marked(NamedTuple):
    """A stretch of a unit and its category: code points, half-open, a name of the scheme."""

    start: int
    end: int
    category: str


def overlapping(marks: Sequence[Marked]) -> bool:
    """Whether two of the marks, which are sorted, share a character."""
    return any(one.end > other.start for one, other in pairwise(marks))


@dataclass(frozen=True, slots=True)
class Unit:
    """What one annotator sees at once.

    Args:
        document: the id of its note.
        start: where it begins in the note, in code points.
        suggested: what was marked before anybody looked; None if nothing was asked to.
    """

    id: str
    document: str
    doc_type: str
    start: int
    text: str = field(repr=False)
    suggested: tuple[Marked, ...] | None = None

    @property
    def digest(self) -> str:
        """Of the text, by which an answer is known to be of this unit."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one annotator said of one unit; `marked` is sorted and disjoint.

    Args:
        at: when it was given, ISO 8601, "" if the tool does not say.
        seconds: what it took, None if the tool does not say.
        ignored: the annotator passed it over.
        corrects: it is a correction: it stands whatever the votes say.
    """

    unit: Unit
    annotator: str
    team: str = ""
    marked: tuple[Marked, ...] = ()
    at: str = ""
    seconds: float | None = None
    ignored: bool = False
    corrects: bool = False

    def row(self) -> dict[str, Any]:
        """For a file; `of_row` reads it."""
        told = asdict(self)
        told["marked"] = [list(mark) for mark in self.marked]
        suggested = self.unit.suggested
        told["unit"]["suggested"] = None if suggested is None else [list(m) for m in suggested]
        return told

    @classmethod
    def of_row(cls, row: Mapping[str, Any], where: str) -> Self:
        """The answer of a row.

        Raises:
            AnnotationError: a key is missing or of another kind, a mark lies outside the text, or
                marks overlap; names the row and the key.
        """
        told = _keys(row, cls, where)
        unit = told["unit"]
        if not isinstance(unit, dict):
            raise AnnotationError(f"{where}: unit is no object")
        unit = _keys(unit, Unit, where)
        if unit.get("suggested") is not None:
            unit["suggested"] = _marks(unit["suggested"], unit["text"], f"{where}: suggested")
        told["unit"] = Unit(**unit)
        told["marked"] = _marks(told.get("marked", []), unit["text"], f"{where}: marked")
        if overlapping(told["marked"]):
            raise AnnotationError(f"{where}: marked holds marks that overlap, of {unit['id']}")
        return cls(**told)


def read_answers(paths: Iterable[Path]) -> list[Answer]:
    """The answers of files, in their order.

    Raises:
        AnnotationError: a file or row that cannot be read, an answer of nobody, or two texts under
            one unit's id.
    """
    found: list[Answer] = []
    digests: dict[str, str] = {}
    for path in paths:
        for number, row in rows(path, AnnotationError):
            one = Answer.of_row(row, f"{path}: line {number}")
            if not one.annotator:
                raise AnnotationError(f"{path}: line {number}: no annotator of {one.unit.id}")
            if digests.setdefault(one.unit.id, one.unit.digest) != one.unit.digest:
                raise AnnotationError(f"{path}: line {number}: another text under {one.unit.id}")
            found.append(one)
    return found


_NEEDED: Final[Mapping[type, tuple[str, ...]]] = {
    Unit: ("id", "document", "doc_type", "start", "text"),
    Answer: ("unit", "annotator"),
}
_KINDS: Final[Mapping[str, type]] = {
    **dict.fromkeys(("id", "document", "doc_type", "text", "annotator", "team", "at"), str),
    **dict.fromkeys(("ignored", "corrects"), bool),
    "start": int,
}


def _keys(row: Mapping[str, Any], of: type, where: str) -> dict[str, Any]:
    """The row as keywords of a class, each of its kind."""
    names = of.__dataclass_fields__  # type: ignore[attr-defined]
    for name in _NEEDED[of]:
        if name not in row:
            raise AnnotationError(f"{where}: no {name}")
    told = {name: row[name] for name in names if name in row}
    for name, kind in _KINDS.items():
        if name in told and type(told[name]) is not kind:
            raise AnnotationError(f"{where}: {name} is not of its kind")
    seconds = told.get("seconds")
    if seconds is not None:
        number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not number or not math.isfinite(seconds) or seconds < 0:
            raise AnnotationError(f"{where}: seconds is no duration")
    return told


def _marks(told: object, text: str, where: str) -> tuple[Marked, ...]:
    if not isinstance(told, list):
        raise AnnotationError(f"{where} is no list")
    found = set()
    for one in told:
        if not isinstance(one, list | tuple) or [type(x) for x in one] != [int, int, str]:
            raise AnnotationError(f"{where} holds what is no [start, end, category]")
        if not 0 <= one[0] < one[1] <= len(text) or not one[2]:
            raise AnnotationError(f"{where} holds a mark outside the text, or an empty one")
        found.add(Marked(*one))
    return tuple(sorted(found))
