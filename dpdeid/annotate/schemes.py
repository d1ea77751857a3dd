"""The categories that annotators choose from, with colours, shortcuts, definitions and examples.

`dpdeid` has our labels; `chuv` has the 25 categories of the CHUV and their fallback AUTRES
(Loftsson 2022, Table 2.1, and Appendix A in other words). Rows are in `labels.tsv`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid.annotate.units import Marked, Unit
from dpdeid.document import Span
from dpdeid.errors import UsageError
from dpdeid.labels import NAMES, Label, Role

_LETTER: Final = r"(?:\s?(?:bis|ter|quater|[a-zA-Z]))?\b"
_FIRST: Final = re.compile(rf"(?P<number>\d{{1,5}}{_LETTER})[\s,]*(?P<street>.*)", re.S)
_LAST: Final = re.compile(rf"(?P<street>.*[^\s,])[\s,]+(?P<number>\d{{1,3}}{_LETTER})", re.S)
"""A house number behind the street, as in Switzerland; four digits are a year in its name."""
_CANTONS: Final = "|".join(re.findall("..", "AGAIARBEBLBSFRGEGLGRJULUNENWOWSGSHSOSZTGTIURVDVSZGZH"))
"""The codes of the 26 cantons of Switzerland."""
_TOWN: Final = re.compile(rf"(?:(?P<town>.*[^\s(])[\s(]+)?(?P<canton>{_CANTONS})\)?", re.S)
_FORMS: Final[Mapping[Label, tuple[re.Pattern[str], ...]]] = {
    Label.STREET: (_FIRST, _LAST),
    Label.CITY: (_TOWN,),
}
"""Spans that the CHUV cuts, and of which category each piece is."""
_PIECES: Final = {
    "number": "NUMÉRO_HABITATION",
    "street": "RUE",
    "town": "EMPLACEMENT_GÉOGRAPHIQUE",
    "canton": "CODE_CANTON",
}
_MARKED: Final = re.compile("«(.*?)»")


@dataclass(frozen=True, slots=True)
class Category:
    """One category of a scheme.

    Args:
        group: its supercategory, which has one colour.
        key: the shortcut, one letter or digit.
        labels: labels of ours that are of this category.
        confused: categories outside the group that it is taken for.
        english, french: the definition.
        examples: French texts with what is to be marked in «…».
        never: French texts of which nothing is to be marked so.
    """

    name: str
    group: str
    colour: str
    key: str
    labels: tuple[Label, ...]
    confused: tuple[str, ...]
    english: str
    french: str
    examples: tuple[str, ...]
    never: tuple[str, ...]

    @property
    def plain(self) -> str:
        """The name in ASCII, for tools that allow no more."""
        parted = unicodedata.normalize("NFD", self.name)
        return parted.encode("ascii", "ignore").decode()


@dataclass(frozen=True, slots=True)
class Scheme:
    """Categories by name, in the order in which they are listed."""

    name: str
    categories: Mapping[str, Category]

    def similar(self, name: str) -> tuple[str, ...]:
        """Categories that one may be taken for: those of its group, and what it is confused with;
        all others where there is none.
        """
        own = self.categories[name]
        others = [one for one in self.categories.values() if one is not own]
        near = [
            one.name
            for one in others
            if one.group == own.group or one.name in own.confused or name in one.confused
        ]
        return tuple(near or [one.name for one in others])

    def marks(self, span: Span, text: str) -> Iterator[Marked]:
        """A span of ours as marks of this scheme; none where it has no category for it."""
        if self.name != "chuv":
            yield Marked(span.start, span.end, span.label.value)
        elif found := _cut(span, text):
            for group in found.groupdict():
                if found[group]:
                    yield Marked(*found.span(group), _PIECES[group])
        elif span.label in NAMES and span.role is Role.STAFF:
            yield Marked(span.start, span.end, "PERSONNEL_MÉDICAL")
        else:
            for one in self.categories.values():
                if span.label in one.labels:
                    yield Marked(span.start, span.end, one.name)


def _cut(span: Span, text: str) -> re.Match[str] | None:
    """A street with the number before or behind it, a town with the code of its canton, or a code
    alone; None if the span is one piece.
    """
    stretch = text, span.start, span.end
    matches = (form.fullmatch(*stretch) for form in _FORMS.get(span.label, ()))
    return next(filter(None, matches), None)


def suggestion(unit: Unit, spans: tuple[Span, ...], text: str, scheme: Scheme) -> list[Marked]:
    """What the spans of a note mark in one of its units: sorted and disjoint, without white space
    at the ends. Of two that overlap the first stays, of two that begin together the longer.

    Args:
        text: of the note.
    """
    marks: list[Marked] = []
    end = unit.start + len(unit.text)
    own = [s for s in spans if s.start < end and unit.start < s.end]
    told = sorted((m for s in own for m in scheme.marks(s, text)), key=lambda m: (m[0], -m[1], m))
    for mark in told:
        first = max(mark.start, unit.start) - unit.start
        inside = unit.text[first : max(min(mark.end, end) - unit.start, first)]
        first += len(inside) - len(inside.lstrip())
        if inside.strip() and (not marks or marks[-1].end <= first):
            marks.append(Marked(first, first + len(inside.strip()), mark.category))
    return marks


def pieces(example: str) -> Iterator[tuple[str, bool]]:
    """The pieces of an example in order, each with whether it is to be marked."""
    for number, piece in enumerate(_MARKED.split(example)):
        if piece:
            yield piece, number % 2 == 1


@cache
def schemes() -> Mapping[str, Scheme]:
    """All schemes by name."""
    head, *lines = table("labels.tsv")
    found: dict[str, dict[str, Category]] = {}
    for line in lines:
        row = dict(zip(head, line, strict=True))
        found.setdefault(row["scheme"], {})[row["category"]] = Category(
            row["category"],
            row["group"],
            row["colour"],
            row["key"],
            tuple(map(Label, row["labels"].split())),
            tuple(row["confused"].split()),
            row["english"],
            row["french"],
            tuple(filter(None, row["examples"].split(" | "))),
            tuple(filter(None, row["never"].split(" | "))),
        )
    return {name: Scheme(name, categories) for name, categories in found.items()}


def table(name: str) -> list[list[str]]:
    """The rows of a table of this folder."""
    text = (files("dpdeid.annotate") / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


def scheme_called(name: str) -> Scheme:
    """The scheme of that name.

    Raises:
        UsageError: there is none; has the names.
    """
    if name not in schemes():
        raise UsageError(f"no such scheme: {name}; allowed: {', '.join(schemes())}")
    return schemes()[name]
