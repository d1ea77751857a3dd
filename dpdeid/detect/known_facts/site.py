"""What a hospital's own lists name: its staff, units, places of care, quarters and streets.

Found in any case and accent, people in either order. An entry that is also made of ordinary words
("Petit", "Bonne Nouvelle", "SI") counts only where it is written as a name. A list adds findings
and takes none away: what must not be redacted cannot be listed.
Cost: one pass over the tokens, whatever the length of the lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Final

from dpdeid.detect.known_facts.metadata import bounded, initials, titled
from dpdeid.detect.known_facts.propagate import Finder, reads_as_name
from dpdeid.detect.known_facts.site_lists import STAFF, Listed, Surname, Thing, targets
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role

_SURE: Final = 0.95
_ALONE: Final = 0.55
"""A surname alone: below what the rules give to a town or a person of that name."""

_HEADED: Final = frozenset(("units", "hospitals", "streets"))
"""Lists whose entries of several words begin with a noun, and stand in lower case too."""
_ACRONYM: Final = 4
_MIN_ALONE: Final = 4
_NUMBER: Final = 4
_REPEATED: Final = voc.words("bis ter quater")


@dataclass(frozen=True, slots=True)
class Site:
    """Finds the entries of a hospital's lists.

    Args:
        folder: of the lists; read once a process. In a policy file a relative path starts where
            the file lies.
    """

    name: ClassVar[str] = "site"
    folder: Path

    def __post_init__(self) -> None:
        _loaded(self.folder)

    def __call__(self, doc: Document) -> Iterable[Span]:
        """The spans of a note; their sources are "site/staff", "site/units" and so on.

        Raises:
            PolicyError: the lists are missing or cannot be used.
        """
        view = view_of(doc)
        things: list[tuple[int, int, Thing]] = []
        surnames: list[tuple[int, int, Surname]] = []
        given: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
        for first, stop, listed in _loaded(self.folder).find(view):
            if isinstance(listed, Thing):
                things.append((first, stop, listed))
            elif isinstance(listed, Surname):
                surnames.append((first, stop, listed))
            else:
                given[first].append((first, stop, listed.key))
                given[-stop].append((first, stop, listed.key))
        return [*_things(view, things), *_people(view, surnames, given)]


@cache
def _loaded(folder: Path) -> Finder[Listed]:
    return Finder(targets(folder))


def _things(view: View, found: Iterable[tuple[int, int, Thing]]) -> Iterator[Span]:
    for first, stop, thing in found:
        if bounded(view, first, stop) and _is_written(view, first, stop, thing.kind):
            if thing.label is Label.STREET:
                first = _house(view, first)
            yield _span(view, first, stop, thing.label, thing.kind)


def _people(
    view: View,
    found: Iterable[tuple[int, int, Surname]],
    given: Mapping[int, Sequence[tuple[int, int, str]]],
) -> Iterator[Span]:
    """Surnames with their given names or initials beside them, and alone where they read as names.

    Args:
        given: the given names by the token they begin at, and by minus the one after them.
    """
    for first, stop, surname in found:
        after = stop + (view.texts[stop : stop + 1] == (",",))
        beside = {
            (begin, end)
            for begin, end, key in (*given.get(after, ()), *given.get(-first, ()))
            if key in surname.given and _is_written(view, min(first, begin), max(stop, end), STAFF)
        }
        if not beside and view.texts[first][0].isupper():
            beside.update(initials(view, first, stop, surname.letters))
        if beside:
            yield _span(view, first, stop, Label.LAST_NAME, STAFF, role=Role.STAFF)
            for begin, end in sorted(beside):
                yield _span(view, begin, end, Label.FIRST_NAME, STAFF, role=Role.STAFF)
        elif _stands_alone(view, first, stop):
            role = Role.UNKNOWN if _another(view, first, stop) else Role.STAFF
            yield _span(view, first, stop, Label.LAST_NAME, STAFF, _ALONE, role)


def _span(
    view: View,
    first: int,
    stop: int,
    label: Label,
    kind: str,
    score: float = _SURE,
    role: Role = Role.UNKNOWN,
) -> Span:
    return view.span(first, stop, label, score, f"{Site.name}/{kind}", role)


def _is_written(view: View, first: int, stop: int, kind: str) -> bool:
    """Whether the run is meant as a name: it has a word that is none, or is written as one."""
    letters = [i for i in range(first, stop) if view.texts[i].isalpha()]
    content = [i for i in letters if not view.bits[i] & voc.PARTICLE] or letters
    if not all(view.bits[i] & voc.WORD for i in content):
        return True
    if len(content) > 1:
        return kind in _HEADED or any(view.texts[i][0].isupper() for i in content)
    text = view.texts[content[0]]
    if kind == "units" and len(text) > _ACRONYM:
        return True
    return text.isupper() or (text[0].isupper() and not view.opens(content[0]))


def _house(view: View, first: int) -> int:
    """The token at which the house number before a street begins."""
    at = first - 1
    at -= view.texts[at : at + 1] == (",",)
    at -= view.folded[at : at + 1] != () and view.folded[at] in _REPEATED
    digits = at >= 0 and view.texts[at].isdigit() and len(view.texts[at]) <= _NUMBER
    return at if digits and not view.breaks.intersection(range(at + 1, first + 1)) else first


def _stands_alone(view: View, first: int, stop: int) -> bool:
    """Whether a surname without a given name is one: of thousands many are words or acronyms."""
    if not reads_as_name(view, first, stop):
        return False
    letters = [i for i in range(first, stop) if view.texts[i].isalpha()]
    size = sum(len(view.texts[i]) for i in letters)
    ordinary = all(view.bits[i] & voc.WORD for i in letters)
    doubtful = size < _MIN_ALONE or (ordinary and view.texts[first].isupper())
    return not doubtful or titled(view, first)


def _another(view: View, first: int, stop: int) -> bool:
    """A civility or somebody else's given name stands beside: who bears it may be a patient."""
    at = first - 1 - (view.texts[first - 1 : first] == (".",))
    if at >= 0 and voc.TITLES.get(view.folded[at]) is Role.UNKNOWN:
        return True
    beside = [i for i in (first - 1, stop) if 0 <= i < view.size]
    return any(view.bits[i] & voc.FIRST and view.texts[i][0].isupper() for i in beside)
