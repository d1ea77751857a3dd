"""The lists that a hospital adds, read from a folder of UTF-8 text files, one entry a line.

    staff.txt          people who work there: "KERVADEC Solène", "Solène Kervadec", "KERVADEC", or
                       surname and given name with a tab between, where the order must be told
    units.txt          departments and wards
    hospitals.txt      places of care
    organizations.txt  employers, schools, associations
    places.txt         places smaller than a country: quarters, hamlets
    streets.txt        streets and addresses, without the house number

A line that begins with "#" is a comment. Says what to search for, not where it is believed. An
error names the file and the line and repeats nothing of an entry.
"""

from __future__ import annotations

from bisect import bisect_left
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from dpdeid.detect.known_facts.metadata import initial_letters, respelt
from dpdeid.detect.known_facts.propagate import (
    MAX_TARGET,
    NAME_GAPS,
    NUMBER_GAPS,
    Target,
    name_target,
)
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.first_or_last_name import given
from dpdeid.detect.names.name_tokens import Unit, View
from dpdeid.document import Document
from dpdeid.errors import PolicyError
from dpdeid.labels import Label
from dpdeid.normalize import clean

STAFF: Final = "staff"
THINGS: Final = {
    "units": Label.UNIT,
    "hospitals": Label.HOSPITAL,
    "organizations": Label.ORGANIZATION,
    "places": Label.CITY,
    "streets": Label.STREET,
}
"""List → the label of what it lists."""

_FILES: Final = tuple(f"{name}.txt" for name in (STAFF, *THINGS))
_NAME_MARKS: Final = NAME_GAPS | {"."}
_MIN_LETTERS: Final = 2
_SHOWN: Final = 50
"""Mistakes that one message names."""

Words = tuple[str, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Thing:
    """An entry of a list that is not about people."""

    kind: str

    @property
    def label(self) -> Label:
        return THINGS[self.kind]


@dataclass(frozen=True, slots=True)
class Given:
    """A given name that some of the staff bear."""

    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Surname:
    """A surname of the staff.

    Args:
        given: the keys of the given names that are listed with it.
        letters: the initials of these names.
    """

    given: frozenset[str] = field(default=frozenset(), repr=False)
    letters: frozenset[str] = field(default=frozenset(), repr=False)


Listed = Thing | Given | Surname


@dataclass(frozen=True, slots=True)
class _Line:
    """One entry: the tokens `first` to `stop` (exclusive) of its file, and where it stands.

    Args:
        tab: the first token after the tab; `stop` without one.
        tabs: how many there are.
    """

    path: Path
    number: int
    view: View = field(repr=False)
    first: int
    stop: int
    tab: int
    tabs: int

    def error(self, message: str) -> PolicyError:
        return PolicyError(f"{self.path}, line {self.number}: {message}")

    def words(
        self, first: int, stop: int, marks: frozenset[str], least: int = _MIN_LETTERS
    ) -> Words:
        """The folded words of some tokens of the entry.

        Raises:
            PolicyError: a mark stands in it that none of `marks` is, or it is too short or long.
        """
        words = tuple(filter(str.isalnum, self.view.folded[first:stop]))
        if len(words) < stop - first:
            for text in self.view.texts[first:stop]:
                if not text.isalnum() and text not in marks:
                    raise self.error(f"the mark {text!r} cannot stand in an entry")
        letters = "".join(words)
        if sum(map(str.isalpha, letters)) < least:
            raise self.error(f"an entry needs at least {_MIN_LETTERS} letters")
        if len(letters) > MAX_TARGET:
            raise self.error(f"an entry has at most {MAX_TARGET} letters and digits")
        return words


def targets(folder: Path) -> list[Target[Listed]]:
    """What to search for in a note, for all lists of a folder. Hidden files are not read.

    Raises:
        PolicyError: there is no such folder, it holds no list or something else, or entries cannot
            be used; names all files and lines, so that they can be mended together.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise PolicyError(f"cannot read the site lists {folder}: {error.strerror}") from None
    if not paths:
        raise PolicyError(f"{folder} holds no site list; it may hold {', '.join(_FILES)}")
    found: list[Target[Listed]] = []
    wrong: list[PolicyError] = []
    for path in paths:
        if path.name not in _FILES:
            allowed = ", ".join(_FILES)
            wrong.append(PolicyError(f"{path} is not a site list; allowed: {allowed}"))
            continue
        try:
            view = _view(path)
        except PolicyError as error:
            wrong.append(error)
            continue
        found += _people(path, view, wrong) if path.stem == STAFF else _things(path, view, wrong)
    if wrong:
        more = [f"and {len(wrong) - _SHOWN} more"] if len(wrong) > _SHOWN else []
        raise PolicyError("\n".join([*map(str, wrong[:_SHOWN]), *more]))
    return found


def entry_of(kind: str, text: str) -> Hashable | None:
    """What a list of that kind reads in a line, by which lines are one entry; None if it cannot
    be used.
    """
    path = Path(f"{kind}.txt")
    wrong: list[PolicyError] = []
    view = View(Document(kind, clean(text).text.replace("\r", "")))
    read = _parts if kind == STAFF else _words
    found: list[Hashable] = [*_entries(path, view, wrong, read)]
    return found[0] if len(found) == 1 and not wrong else None


def _view(path: Path) -> View:
    try:
        data = path.read_bytes().removeprefix(BOM_UTF8)
    except OSError as error:
        raise PolicyError(f"cannot read the site list {path}: {error.strerror}") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        where = data.count(b"\n", 0, error.start) + 1
        raise PolicyError(f"{path}, line {where}: not UTF-8; save the list as UTF-8") from None
    return View(Document(path.name, clean(text).text.replace("\r", "")))


def _lines(path: Path, view: View) -> Iterator[_Line]:
    begin = stop = 0
    for number, row in enumerate(view.text.split("\n"), 1):
        first, tab = stop, begin + row.find("\t")
        begin += len(row) + 1
        stop = bisect_left(view.starts, begin, first)
        if first == stop or view.texts[first] == "#":
            continue
        tabs = row.count("\t")
        after = bisect_left(view.starts, tab, first, stop) if tabs else stop
        yield _Line(path, number, view, first, stop, after, tabs)


def _entries(
    path: Path, view: View, wrong: list[PolicyError], read: Callable[[_Line], T]
) -> Iterator[T]:
    """What is read of each line; lines that cannot be used are added to `wrong`."""
    seen: dict[T, int] = {}
    for line in _lines(path, view):
        try:
            if "#" in line.view.texts[line.first : line.stop]:
                raise line.error("a comment needs a line of its own")
            entry = read(line)
            if (before := seen.setdefault(entry, line.number)) != line.number:
                raise line.error(f"the entry stands on line {before} already")
        except PolicyError as error:
            wrong.append(error)
        else:
            yield entry


def _words(line: _Line) -> Words:
    if line.tabs:
        raise line.error(f"only {STAFF}.txt has two columns")
    return line.words(line.first, line.stop, NUMBER_GAPS)


def _things(path: Path, view: View, wrong: list[PolicyError]) -> Iterator[Target[Listed]]:
    thing = Thing(path.stem)
    writings: set[Words] = set()
    for words in _entries(path, view, wrong, _words):
        writings.update(respelt(words, street=thing.label is Label.STREET))
    for words in writings:
        yield name_target(words, thing, NUMBER_GAPS)


def _people(path: Path, view: View, wrong: list[PolicyError]) -> Iterator[Target[Listed]]:
    bearers: dict[str, set[Words]] = defaultdict(set)
    surnames: set[Words] = set()
    for surname, first_name in _entries(path, view, wrong, _parts):
        surnames.add(surname)
        bearers["".join(surname)].update((first_name,) if first_name else ())
    for names in set().union(*bearers.values()):
        yield name_target(names, Given("".join(names)))
    facts = {
        key: Surname(frozenset(map("".join, names)), initial_letters(names))
        for key, names in bearers.items()
    }
    for words in surnames:
        yield name_target(words, facts["".join(words)])


def _columns(line: _Line) -> tuple[Words, Words]:
    if line.tabs > 1:
        raise line.error("a person has two columns: surname, tab, given name")
    surname = line.words(line.first, line.tab, _NAME_MARKS)
    if line.tab == line.stop:
        return surname, ()
    return surname, line.words(line.tab, line.stop, _NAME_MARKS, least=1)


def _parts(line: _Line) -> tuple[Words, Words]:
    """Surname and given names: the columns, or told by capitals, the lists, the usual order."""
    if line.tabs:
        return _columns(line)
    words, view = line.words(line.first, line.stop, _NAME_MARKS), line.view
    if not all(map(str.isalpha, words)):
        raise line.error("a name has no figures")
    units: list[Unit] = []
    at = line.first
    while at < line.stop:
        unit = view.unit(at)
        if unit is not None:
            units.append(unit)
        at = at + 1 if unit is None else unit.stop
    if len(units) == 1:
        return words, ()
    if units[0].bits & voc.TITLE:
        raise line.error("leave titles out, or part surname and given name by a tab")
    surname: list[str] = []
    first_name: list[str] = []
    for unit, first in zip(units, given(view, units, Label.LAST_NAME), strict=True):
        part = first_name if first else surname
        part += filter(str.isalnum, view.folded[unit.first : unit.stop])
    if len("".join(surname)) < _MIN_LETTERS:
        raise line.error("no surname can be told: write surname, tab, given name")
    return tuple(surname), tuple(first_name)
