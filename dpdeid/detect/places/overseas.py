"""Addresses of overseas France as nurses type them: no capital, no accent, no hyphen, no comma.

A grammar in place of rows: "97429 petite ile chemin piton bambou n 63" is a run of codes, communes
and quarters (`french/overseas.tsv`), and ways. A way is a kind, words, and what numbers it; its
words end before medicine, verbs and what else no address has ("… n 41 ulcere jbe d"). A run is
believed for what stands together in it: a code and a name, a way and its "n 63", a commune and a
way; and where a note tells for sure that it is overseas, for less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress
from typing import Final, NamedTuple

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE, LISTS, TRAITS, UNLISTED
from dpdeid.detect.places.index import ARTICLES, split
from dpdeid.document import Document, Span
from dpdeid.french.measures import UNITS
from dpdeid.french.tables import rows
from dpdeid.labels import Label

_KINDS: Final = LISTS["address_kinds"]
_WAYS: Final = LISTS["address_ways"]
_GROUNDS: Final = LISTS["address_grounds"]
_FLATS: Final = LISTS["address_flats"]
_NATURE: Final = LISTS["address_nature"]
_ENDS: Final = LISTS["address_ends"] | voc.words("bat batiment esc escalier porte appt apt case rn rd")
_LINKS: Final = voc.words("de du des d la le les l a au aux en sur ' -")
_NUMBERED: Final = voc.words("lot pk case bp ligne villa kaz bat batiment")
"""Kinds that a number may follow at once: "lot 83", "ligne des 400"."""
_FAINT: Final = voc.words("lot pk case bp bat batiment section ligne anse bras trace voie cour bois")
"""Kinds that are words of medicine or of stores: an "n 3" behind them makes no address."""
_HOUSED: Final = voc.words("quartier cite residence lotissement")
"""Kinds that a flat or house behind makes an address anywhere: "quartier ouakam villa 219"."""
_NUMBER: Final = voc.words("n no num numero nr")
_BIS: Final = voc.words("bis ter quater")
_DOSED: Final = voc.words("app cp cpr gel sachet sachets fois fs j jours jour sem semaines mois ans")
_SHORT: Final = {"st": "saint", "ste": "sainte"}
_CODE: Final = re.compile(r"9(?:7[1-8]|8[678])\d\d")
_NEAR: Final = (" ", "", ", ", " , ", " - ", "-", "/", " / ", " (", "(")
_MOST_WORDS: Final = 3
_AREAS: Final = re.compile(
    r"\b(?i:r[ée]union|guadeloupe|martinique|guyane|mayotte|polyn[ée]sie|tahiti|nouvelle[- ]cal[ée]donie"
    r"|noum[ée]a|papeete)\b|(?<!\d)0 ?(?:69[0-7]|639|262|263|590|594|596|269)(?: ?\d\d){3}(?!\d)"
)
"""What tells that a note is of overseas: an area, a telephone number."""
_SOURCE: Final = "patterns/places.overseas"


@cache
def _names() -> dict[str, tuple[tuple[tuple[str, ...], bool], ...]]:
    """First word → the names that begin with it, the longest first: their words, and whether they
    are hardly anything else.
    """
    found: dict[str, dict[tuple[str, ...], bool]] = {}
    for _, commune, *quarters in rows("overseas"):
        for name in (commune, *quarters):
            words = split(name)
            bare = words[1:] if words[0] in ARTICLES and len(words) > 1 else words
            for form in (words, bare):
                sure = len(bare) > 1 and (name == commune or "saint" not in bare)
                sure = sure and not all(word in _KINDS | _NATURE | _LINKS for word in bare)
                known = EVIDENCE[bare[0]]
                sure = sure or (len(bare) == 1 and not (known.known or TRAITS[bare[0]] & voc.LISTED))
                own = found.setdefault(form[0], {})
                own[form] = own.get(form, False) or sure
    for short, long in _SHORT.items():
        found[short] = found[long]
    return {
        first: tuple(sorted(forms.items(), key=lambda one: -len(one[0])))
        for first, forms in found.items()
    }


@cache
def _anchors() -> frozenset[str]:
    """What an address may begin with, codes and articles left out."""
    return _KINDS | _names().keys() - ARTICLES


class _Part(NamedTuple):
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
class _Line:
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
        if code >= done and _CODE.fullmatch(self.word(code)) and "\n" not in self.gap(here):
            return code
        return here if here >= done else at

    def run(self, at: int) -> list[_Part]:
        """The parts of the address that begins at a token."""
        parts: list[_Part] = []
        here = at
        while part := self._part(here, parts):
            parts.append(part)
            here = part.stop
            while self.word(here) in (",", "-", "/", "(", ":") and self.joined(here):
                here += 1
            if "\n" in self.gap(here) or len(self.gap(here)) > 1:
                break
        return parts

    def _part(self, at: int, before: Sequence[_Part]) -> _Part | None:
        word = self.word(at)
        if not word:
            return None
        if _CODE.fullmatch(word):
            return _Part(at, at + 1, Label.ZIP, 0)
        if word.isdigit() and before and len(word) < 5:
            first = at + 1 + (self.word(at + 1) in _BIS)
            way = self._way(first) if self.word(first) in _WAYS and self.joined(first) else None
            return way and _Part(at, way.stop, Label.STREET, 3)
        if name := self._name(at):
            stop, sure = name
            way = self._way(at) if word in _KINDS and not sure else None
            if way is None or way.stop <= stop or (before and not way.weight > 1):
                return _Part(at, stop, Label.CITY, 1 + sure)
            return way
        if word in _KINDS:
            return self._way(at)
        if before and before[-1].label is Label.CITY and UNLISTED[word] and self.texts[at].islower():
            stop = at + 1
            if self.word(stop) in _KINDS or self.word(stop).isdigit() or not self.joined(stop):
                return _Part(at, stop, Label.CITY, 0)
        return None

    def _name(self, at: int) -> tuple[int, bool] | None:
        """Where the longest commune or quarter ends that begins at a token, and whether it is sure."""
        for words, sure in _names().get(self.word(at), ()):
            here = at
            for word in words:
                while here > at and self.word(here) in ("-", "'") and self.joined(here):
                    here += 1
                said = self.word(here)
                if _SHORT.get(said, said) != word or (here > at and not self.joined(here)):
                    break
                here += 1
            else:
                if self.word(here) in ("les", "le") and self.word(here + 1) in ("hauts", "bas", "haut"):
                    here += 2
                return here, sure
        if self.word(at) in ARTICLES:  # "l'entre deux"
            behind = at + 1 + (self.word(at + 1) == "'")
            bare = self.joined(behind) and self.word(behind) not in ARTICLES
            return self._name(behind) if bare else None
        return None

    def _way(self, at: int) -> _Part | None:
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
            if kind == "pk" and self.word(here) == "cote" and self.joined(here):
                here += 2 * (self.word(here + 1) in ("mer", "montagne"))
            weight = 1 + (kind == "ligne")
            stop, told = self._tail(here, kind)
            return _Part(at, stop, Label.STREET, max(weight, told))
        stop = self._words(here)
        if stop == here:
            return None
        stop, weight = self._tail(stop, kind)
        return _Part(at, stop, Label.STREET, weight)

    def _decimals(self, at: int) -> int:
        marked = self.word(at) in (",", ".") and self.gap(at) == self.gap(at + 1) == ""
        return at + 2 if marked and self.word(at + 1).isdigit() else at

    def _words(self, at: int) -> int:
        """Where the words of a way end; `at` where none are."""
        here = stop = at
        said = 0
        while said < _MOST_WORDS and self.joined(here):
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
        if word in _ENDS or len(word) == 1:
            return True
        if word in _NATURE:
            return False
        known = EVIDENCE[word]
        if TRAITS[word] & (voc.STOP | voc.TITLE | voc.ROLE) or known.drug or known.shorthand:
            return word not in _SHORT
        if said and (word in _KINDS or self._name(at) or voc.CUT_SHORT[word]):
            return True
        if known.medical:
            return True
        if not said or self._is_numbered(at + 1):
            return False
        if said > 1 or known.suspicious:
            return said > 1
        return known.word and not (known.first_name or known.surname > 2)

    def _is_numbered(self, at: int) -> bool:
        """Whether an "n 63" or a flat stands within the next words."""
        for here in range(at, at + _MOST_WORDS):
            if not self.joined(here):
                return False
            if self._number(here) > here:
                return True
            if self.word(here) in _FLATS and self.word(here + 1).isdigit():
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
        if self.joined(at + 1) and (dosed or behind in _WAYS):
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
        if word not in _FLATS:
            return at
        here = at + 1 + (self.word(at + 1) == "." and self.gap(at + 1) == "")
        if (end := self._number(here)) > here:
            return end
        value = self.word(here)
        if value.isdigit() and len(value) < 6 and self.joined(here):
            return self._lettered(here + 1)
        letter = len(value) == 1 and value.isalpha() and value not in ("a", "l", "d", "n", "y")
        return here + 1 if (letter or self.texts[here : here + 1] == ("A",)) else at


def before_medicine(doc: Document, span: Span) -> Span:
    """A street in small letters without what a tagger took in behind it: "… n 41 | ulcere jbe".

    A word of medicine behind a number, or behind a name and in no link to it, where no number
    follows, is none of an address.
    """
    own = doc.tokens.over(span.start, span.end)
    if span.label is not Label.STREET or len(own) < _MOST_WORDS:
        return span
    folded, texts = doc.tokens.folded, doc.tokens.texts
    for at in own[2:]:
        word, before = folded[at], folded[at - 1]
        known = EVIDENCE[word]
        ends = known.medical or known.drug or (known.shorthand and len(word) > 2) or word in _ENDS
        named = word in _NATURE | _KINDS | _FLATS or known.surname > 1 or before in _LINKS | _FLATS
        if ends and not named and texts[at].islower() and before not in _WAYS:
            if not any(folded[rest].isdigit() for rest in range(at, own.stop)):
                return replace(span, end=doc.tokens.ends[at - 1])
    return span


def overseas_addresses(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The codes, communes, quarters and ways of overseas addresses in small letters.

    What it costs: a look at each token, and more only from a word on that opens an address.
    """
    tokens, anchors = doc.tokens, _anchors()
    folded = tokens.folded
    line = _Line(doc, tokens.texts, folded, tokens.starts, tokens.ends)
    runs: list[list[_Part]] = []
    done = 0
    opens = map(anchors.__contains__, folded)
    for at in compress(range(len(folded)), opens):
        if at < done:
            continue
        if parts := line.run(line.opening(at, done)):
            runs.append(parts)
            done = parts[-1].stop
    if not runs:
        return
    here = any(map(_is_sure, runs)) or _AREAS.search(doc.text) is not None
    for parts in runs:
        if _is_believed(line, parts, here=here):
            yield from _spans(line, parts)


def _is_sure(parts: Sequence[_Part]) -> bool:
    """Whether a run tells by itself that it is overseas."""
    codes = any(part.label is Label.ZIP for part in parts)
    sure = any(part.label is Label.CITY and part.weight > 1 for part in parts)
    return (codes and len(parts) > 1) or sure


def _is_believed(line: _Line, parts: Sequence[_Part], *, here: bool) -> bool:
    labels = {part.label for part in parts}
    ways = [part for part in parts if part.label is Label.STREET]
    if any(part.weight > 2 for part in ways):
        return True
    if not here:
        return False
    if len(labels) > 1:
        return True
    if ways:
        ground = any(line.folded[part.first] in _GROUNDS for part in ways)
        return ground or any(
            part.weight > 1 and line.folded[part.first] in _WAYS | {"ligne"} for part in ways
        )
    if labels == {Label.ZIP}:
        return False
    return any(part.weight > 1 for part in parts) or line.folded[parts[0].first] in _SAINTS


_SAINTS: Final = voc.words("saint sainte st ste")


def _spans(line: _Line, parts: Sequence[_Part]) -> Iterator[Span]:
    """The spans of a run, ways that follow each other in one."""
    first = 0
    for at, part in enumerate(parts):
        following = parts[at + 1].label if at + 1 < len(parts) else None
        if part.label is Label.STREET and following is Label.STREET:
            continue
        begin = parts[first].first
        yield Span(line.starts[begin], line.ends[part.stop - 1], part.label, 0.9, _SOURCE)
        first = at + 1
