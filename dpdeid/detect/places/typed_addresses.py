"""The grammar of an address as nurses type it: no capital, no accent, no hyphen, no comma.

"97429 petite ile chemin piton bambou n 63" is a run of codes, communes and quarters
(`french/overseas.tsv`), and ways. A way is a kind, words, and what numbers it; its words end before
medicine, verbs and what else no address has ("… n 41 ulcere jbe d").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE, LISTS, TRAITS, UNLISTED
from dpdeid.detect.places.index import ARTICLES, split
from dpdeid.document import Document
from dpdeid.french.measures import UNITS
from dpdeid.french.tables import rows
from dpdeid.labels import Label

KINDS: Final = LISTS["address_kinds"]
WAYS: Final = LISTS["address_ways"]
FLATS: Final = LISTS["address_flats"]
NATURE: Final = LISTS["address_nature"]
ENDS: Final = LISTS["address_ends"] | voc.words("bat batiment esc escalier porte appt case rn rd")
_LINKS: Final = voc.words("de du des d la le les l a au aux en sur ' -")
_NUMBERED: Final = voc.words("lot pk case bp ligne villa kaz bat batiment rn rd")
"""Kinds that a number may follow at once: "lot 83", "ligne des 400"."""
_FAINT: Final = voc.words(
    "rn rd lot pk case bp bat batiment section ligne anse bras trace cour bois"
)
"""Kinds that are words of medicine or of stores: an "n 3" behind them makes no address."""
_HOUSED: Final = voc.words("quartier cite residence lotissement")
"""Kinds that a flat or house behind makes an address anywhere: "quartier ouakam villa 219"."""
_NUMBER: Final = voc.words("n no num numero nr")
_BIS: Final = voc.words("bis ter quater")
_DOSED: Final = voc.words("app cp cpr gel sachet fois fs j jours jour sem semaines mois ans")
_HEIGHTS: Final = (("les", "hauts"), ("les", "bas"), ("les", "bains"))
_UP_OR_DOWN: Final = voc.words("hauts haut bas")
_SHORT: Final = {"st": "saint", "ste": "sainte"}
CODE: Final = re.compile(r"9(?:7[1-8]|8[678])\d\d")
MOST_WORDS: Final = 3


@cache
def names_overseas() -> dict[str, tuple[tuple[tuple[str, ...], bool], ...]]:
    """First word → the names that begin with it, the longest first: their words, and whether they
    are hardly anything else.
    """
    found: dict[str, dict[tuple[str, ...], bool]] = {}
    for _, commune, *quarters in rows("overseas"):
        for name in (commune, *quarters):
            words = split(name)
            bare = words[1:] if words[0] in ARTICLES and len(words) > 1 else words
            for form in (words, bare):
                sure = len(bare) > 1 and name == commune
                sure = sure and not all(word in KINDS | NATURE | _LINKS for word in bare)
                own_word = any(len(w) > 3 and not EVIDENCE[w].known for w in bare)
                listed = len(bare) == 1 and TRAITS[bare[0]] & voc.LISTED
                sure = sure or (own_word and not listed and "saint" not in bare)
                sure = sure or (len(bare) > 2 and bare[-2:] in _HEIGHTS)
                own = found.setdefault(form[0], {})
                own[form] = own.get(form, False) or sure
    for short, long in _SHORT.items():
        found[short] = found[long]
    return {
        first: tuple(sorted(forms.items(), key=lambda one: -len(one[0])))
        for first, forms in found.items()
    }


class Part(NamedTuple):
    """A part of a run: its tokens, its label, and how much it says.

    Args:
        weight: of a way 3 with "n 63" behind it, 2 with a number alone, 1 without; of a name 2 if
            it is hardly anything else, else 1.
    """

    first: int
    stop: int
    label: Label
    weight: int


@dataclass(frozen=True, slots=True)
class Line:
    """The tokens of a note, read from left to right."""

    doc: Document
    texts: Sequence[str]
    folded: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]

    def word(self, at: int) -> str:
        """The folded word of a token, "" where none is."""
        return self.folded[at] if 0 <= at < len(self.folded) else ""

    def gap(self, at: int) -> str:
        """What stands before a token; a break behind the last."""
        return self.doc.text[self.ends[at - 1] : self.starts[at]] if at < len(self.texts) else "\n"

    def joined(self, at: int) -> bool:
        """Whether a token follows the one before with a space at most."""
        return self.gap(at) in ("", " ")

    def opening(self, at: int, done: int) -> int:
        """Where the address begins that opens at a token: at its article, or at its code."""
        here = at
        if self.word(at - 1) == "'" and self.word(at - 2) == "l" and self._name(at - 2):
            here = at - 2
        elif self.word(at - 1) in ARTICLES and self._name(at - 1):
            here = at - 1
        code = here - 1 - (self.word(here - 1) in (",", "-"))
        if code >= done and CODE.fullmatch(self.word(code)) and "\n" not in self.gap(here):
            return code
        return here if here >= done else at

    def run(self, at: int) -> list[Part]:
        """The parts of the address that begins at a token."""
        parts: list[Part] = []
        here = at
        while part := self._part(here, parts):
            parts.append(part)
            here = part.stop
            while self.word(here) in (",", "-", "/", "(", ":") and self.joined(here):
                here += 1
            if "\n" in self.gap(here) or len(self.gap(here)) > 1:
                break
        return parts

    def _part(self, at: int, before: Sequence[Part]) -> Part | None:
        word = self.word(at)
        if not word:
            return None
        if CODE.fullmatch(word):
            return Part(at, at + 1, Label.ZIP, 0)
        if word.isdigit() and before and len(word) < 5:
            first = at + 1 + (self.word(at + 1) in _BIS)
            way = self._way(first) if self.word(first) in WAYS and self.joined(first) else None
            return way and Part(at, way.stop, Label.STREET, 3)
        if name := self._name(at):
            stop, sure = name
            way = self._way(at) if word in KINDS else None
            if sure and not (self._number(stop) > stop or self._flat(stop) > stop):
                way = None  # "bras panon ravine tamarin", and not "morne pitault n 9"
            if way is None or way.stop <= stop or (before and not way.weight > 1):
                return Part(at, stop, Label.CITY, 1 + sure)
            return way
        if word in KINDS:
            return self._way(at)
        behind_name = bool(before) and before[-1].label is Label.CITY
        if behind_name and UNLISTED[word] and self.texts[at].islower():
            stop = at + 1
            if self.word(stop) in KINDS or self.word(stop).isdigit() or not self.joined(stop):
                return Part(at, stop, Label.CITY, 0)
        return None

    def _name(self, at: int) -> tuple[int, bool] | None:
        """Where the longest commune or quarter ends that begins at a token; whether it is sure."""
        for words, sure in names_overseas().get(self.word(at), ()):
            here = at
            for word in words:
                while here > at and self.word(here) in ("-", "'") and self.joined(here):
                    here += 1
                said = self.word(here)
                if _SHORT.get(said, said) != word or (here > at and not self.joined(here)):
                    break
                here += 1
            else:
                if self.word(here) in ("les", "le") and self.word(here + 1) in _UP_OR_DOWN:
                    here += 2
                elif self.word(here) in _UP_OR_DOWN and CODE.fullmatch(self.word(here + 1)):
                    here += 1  # "ilet a vidot bas 97419"
                return here, sure
        if self.word(at) in ARTICLES:  # "l'entre deux"
            behind = at + 1 + (self.word(at + 1) == "'")
            bare = self.joined(behind) and self.word(behind) not in ARTICLES
            return self._name(behind) if bare else None
        return None

    def _way(self, at: int) -> Part | None:
        """The way that begins at its kind."""
        kind = self.word(at)
        here = at + 1
        if self.word(here) == "." and self.joined(here):
            here += 1
        numbered = here
        while self.word(numbered) in _LINKS and self.joined(numbered):
            numbered += 1
        if kind in _NUMBERED and self.word(numbered).isdigit() and self.joined(numbered):
            here = self._decimals(numbered + 1) if kind == "pk" else numbered + 1
            if kind == "bp" and len(self.word(here)) == len("045") and self.word(here).isdigit():
                here += self.joined(here)  # "bp 13 045"
            if kind == "pk" and self.word(here) == "cote" and self.joined(here):
                here += 2 * (self.word(here + 1) in ("mer", "montagne"))
            weight = 3 if self.word(here - 2) == "cote" else 1 + (kind == "ligne")
            stop, told = self._tail(here, kind)
            return Part(at, stop, Label.STREET, max(weight, told))
        stop = self._words(here)
        if stop == here:
            return None
        stop, weight = self._tail(stop, kind)
        return Part(at, stop, Label.STREET, weight)

    def _decimals(self, at: int) -> int:
        marked = self.word(at) in (",", ".") and self.gap(at) == self.gap(at + 1) == ""
        return at + 2 if marked and self.word(at + 1).isdigit() else at

    def _words(self, at: int) -> int:
        """Where the words of a way end; `at` where none are."""
        here = stop = at
        said = 0
        while said < MOST_WORDS and self.joined(here):
            word = self.word(here)
            if word in _LINKS:
                here += 1
                continue
            if not word.isalpha() or self._ends(here, said):
                break
            said += 1
            here = stop = here + 1
        return stop

    def _ends(self, at: int, said: int) -> bool:
        """Whether a word is no more of a way's name."""
        word = self.folded[at]
        if word in _NUMBER and self._number(at) > at:
            return True
        if word in ENDS or len(word) == 1 or (word in _NUMBERED and self.word(at + 1).isdigit()):
            return True
        if word in NATURE:
            return False
        known = EVIDENCE[word]
        if TRAITS[word] & (voc.STOP | voc.TITLE | voc.ROLE) or known.drug or known.shorthand:
            return word not in _SHORT
        if said and (word in KINDS or self._name(at) or voc.CUT_SHORT[word]):
            return True
        if known.medical:
            return True
        if not said or self._is_numbered(at + 1):
            return False
        return said > 1 or (known.word and not (known.first_name or known.surname > 2))

    def _is_numbered(self, at: int) -> bool:
        """Whether an "n 63" or a flat stands within the next words."""
        for here in range(at, at + MOST_WORDS):
            if not self.joined(here):
                return False
            if self._number(here) > here:
                return True
            if self.word(here) in FLATS and self.word(here + 1).isdigit():
                return True
            if not self.word(here).isalpha() or EVIDENCE[self.word(here)].medical:
                return False
        return False

    def _number(self, at: int) -> int:
        """Where "n 63", "n° 8 bis" ends; `at` where it is none."""
        here = at
        if self.word(at) not in _NUMBER or not self.joined(at):
            return at
        here += 1
        here += self.word(here) in ("°", "o", "º", ".")
        if not self.word(here).isdigit() or len(self.word(here)) > 4 or not self.joined(here):
            return at
        return self._lettered(here + 1)

    def _lettered(self, at: int) -> int:
        """Behind a house number what belongs to it: "bis", "b"."""
        if self.word(at) in _BIS and self.joined(at):
            return at + 1
        letter = len(self.word(at)) == 1 and self.word(at).isalpha() and self.gap(at) == ""
        return at + 1 if letter else at

    def _tail(self, at: int, kind: str) -> tuple[int, int]:
        """Where the numbers and flats behind a way end, and how much they say."""
        stop, weight = at, 1
        for _ in range(5):
            here = stop + (self.word(stop) == "," and self.joined(stop))
            if (end := self._number(here)) > here:
                weight = 3 if kind not in _FAINT else max(weight, 2)
            elif (end := self._flat(here)) > here:
                weight = 3 if kind in _HOUSED else max(weight, 2)
            elif weight == 1 and (end := self._bare(here)) > here:
                weight = 2
            else:
                break
            stop = end
        return stop, weight

    def _bare(self, at: int) -> int:
        """Where a house number without a word before it ends; no dose, no measure, no date."""
        word, behind = self.word(at), self.word(at + 1)
        if not word.isdigit() or len(word) > 4 or not self.joined(at) or word[0] == "0":
            return at
        if self.gap(at + 1) == "" and behind in (",", ".", "/", ":", "-", "%", "x", "h"):
            return at
        dosed = behind in UNITS or behind in _DOSED or EVIDENCE[behind].shorthand
        if self.joined(at + 1) and (dosed or behind in WAYS):
            return at
        return self._lettered(at + 1)

    def _flat(self, at: int) -> int:
        """Where "bat 3", "porte 118", "rn2", "cote montagne" ends; `at` where it is none."""
        word, behind = self.word(at), self.word(at + 1)
        if not self.joined(at) or not self.joined(at + 1):
            return at
        if word == "cote" and behind in ("mer", "montagne"):
            return at + 2
        if word in ("rn", "rd", "cd") and behind.isdigit():
            return at + 2
        if word not in FLATS:
            return at
        here = at + 1 + (self.word(at + 1) == "." and self.gap(at + 1) == "")
        if (end := self._number(here)) > here:
            return end
        value = self.word(here)
        if value.isdigit() and len(value) < 6 and self.joined(here):
            return self._lettered(here + 1)
        letter = len(value) == 1 and value.isalpha() and value not in ("a", "l", "d", "n", "y")
        return here + 1 if (letter or self.texts[here : here + 1] == ("A",)) else at
