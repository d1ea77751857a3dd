"""A note's tokens as units: what stands between spaces, with its shape and its traits.

A unit is "Stindel-Roux", "d'Angelo", "J.-L." or "LE"; the tokenizer parts them at every mark. One
`View` of a note is shared by all detectors of people and places. Here, too, is which tokens belong
to an eponym: the disease, sign, score or device that bears a name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from itertools import compress
from operator import and_, or_
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

_FIRM: Final = voc.LISTS["eponym_heads"]
_NOUNS: Final = _FIRM | voc.LISTS["eponym_heads_loose"] | voc.LISTS["device_heads"]
_WHOLE: Final = (("gilles", "de", "la", "tourette"), ("von", "willebrand"), ("von", "hippel"))
"""Eponyms that are a whole name and need no noun."""
_OPENING: Final = frozenset(phrase[0] for phrase in _WHOLE)
_DEVICES: Final = voc.LISTS["device_heads"]
_MAKERS: Final = voc.LISTS["device_names"]
"""Given names that a device bears behind its noun: "valve d'Ahmed"."""
_OF: Final = frozenset({"de", "d", "du", "des"})
_JOINS: Final = frozenset({"et", "-", "/", ","})
_PEOPLE: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_MAX_ADJECTIVES: Final = 2
_MAX_NAMES: Final = 4


def eponym_tokens(doc: Document) -> frozenset[int]:
    """Indices of the tokens that are the name part of an eponym phrase."""
    found: set[int] = set()
    folded = doc.tokens.folded
    for index in compress(range(len(folded)), map(_NOUNS.__contains__, folded)):
        found.update(_names(doc, index + 1, firm=folded[index] in _FIRM))
    for index in compress(range(len(folded)), map(_OPENING.__contains__, folded)):
        before = [word for word in folded[max(0, index - 2) : index] if word != "."]
        if not (before and voc.TRAITS[before[-1]] & voc.TITLE):
            whole = (p for p in _WHOLE if folded[index : index + len(p)] == p)
            found.update(range(index, index + max(map(len, whole), default=0)))
    return frozenset(found)


def _names(doc: Document, at: int, *, firm: bool) -> list[int]:
    """The name tokens of the phrase whose noun stands just before `at`."""
    tokens = doc.tokens
    texts, folded, end = tokens.texts, tokens.folded, len(tokens.texts)
    start = at
    of = False
    for _ in range(_MAX_ADJECTIVES + 1):
        if at >= end or not texts[at].isalpha():
            return []
        if folded[at] in _OF:
            of = True
            at += 2 if at + 1 < end and texts[at + 1] == "'" else 1
            break
        if texts[at][0].isupper() and len(texts[at]) > 1:
            break
        at += 1  # an adjective, or the letter of a type or form: "anse en Y de Roux"
    if not of and (at != start or "\n" in doc.text[tokens.ends[at - 1] : tokens.starts[at]]):
        return []
    names: list[int] = []
    while at < end and len(names) < _MAX_NAMES:
        word, bits = texts[at], voc.TRAITS[folded[at]]
        if bits & voc.TITLE and not word.islower():
            break
        if names and folded[at] in ("d", "o") and _capital_behind_apostrophe(texts, at):
            at += 2
        elif word.isalpha() and (
            _is_name(word, bits, of=of or bool(names), firm=firm or not of)
            or (not names and folded[start - 1] in _DEVICES and folded[at] in _MAKERS)
        ):
            names.append(at)
            at += 1
        elif (
            (folded[at] in _JOINS or bits & voc.PARTICLE)
            and at + 1 < end
            and (texts[at + 1][0].isupper() or (names and texts[at] == "-"))
        ):
            at += 1
        else:
            break
    return names


def _capital_behind_apostrophe(texts: Sequence[str], at: int) -> bool:
    """Whether "d'" or "O'" leads to a word with a capital: "Merle d'Aubigné", "et O'Connor"."""
    return at + 2 < len(texts) and texts[at + 1] == "'" and texts[at + 2][0].isupper()


def _is_name(word: str, bits: int, *, of: bool, firm: bool) -> bool:
    if bits & voc.STOP:
        return False
    if not firm and bits & voc.FIRST and not bits & (voc.EPONYM | voc.WORD):
        return False
    if not of and bits & voc.FREQUENT and not bits & (voc.EPONYM | voc.WORD):
        return False  # "cas index Clémence"
    return word[0].isupper() or (of and (not bits & voc.WORD or bool(bits & voc.EPONYM)))


def without_eponyms(doc: Document, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans of a tagger without names that are an eponym's as a whole, "Charcot" in "maladie de
    Charcot"."""
    named = eponym_tokens(doc)
    if not named:
        return tuple(spans)
    return tuple(
        span
        for span in spans
        if span.label not in _PEOPLE or not named.issuperset(doc.tokens.over(span.start, span.end))
    )


_OUTSIDE: Final = ("",) * 16
_MAX_PARTS: Final = 9
_ABBREVIATED: Final = frozenset({"ph", "ch", "th", "fr", "cl", "guy", "jn", "chr", "alex"})

_ELIDED: Final = (("t",), ("s",))
_SAINTS: Final = frozenset({"saint", "sainte", "st", "ste"})
_NAMED: Final = voc.LAST | voc.FIRST | voc.PARTICLE
_MISREAD: Final = frozenset("015")
_MISREAD_LETTERS: Final = 5
_PARTICLE: Final = 3
"""Letters of the longest particles, which are in every list: "Ben", "Aït", "Le", "N'"."""


class Unit(NamedTuple):
    """Tokens `first` to `stop` (exclusive): "I" initials, "U" upper, "C" title, "L" lower case."""

    first: int
    stop: int
    shape: str
    bits: int
    size: int

    @property
    def known(self) -> bool:
        """In a list of names and no ordinary word."""
        return bool(self.bits & voc.LISTED) and not self.bits & voc.WORD

    @property
    def strange(self) -> bool:
        """No ordinary word."""
        return not self.bits & voc.WORD


class View:
    """One document's tokens with their traits; what every reader of names works on."""

    __slots__ = (
        "_units", "bits", "breaks", "ends", "folded", "guarded", "size", "starts", "text", "texts",
        "word",
    )  # fmt: skip

    def __init__(self, doc: Document) -> None:
        tokens = doc.tokens
        self.text, self.texts, self.folded = doc.text, tokens.texts, tokens.folded
        self.starts, self.ends = tokens.starts, tokens.ends
        self.bits = tuple(map(voc.TRAITS.__getitem__, tokens.folded))
        self.size = len(tokens)
        # an index below 0 counts from the end
        self.word: Callable[[int], str] = (self.folded + _OUTSIDE).__getitem__
        """The folded token, or "" up to sixteen places outside the text."""
        self._units: dict[int, Unit | None] = {}
        self.guarded = eponym_tokens(doc)
        """Tokens inside eponym phrases."""
        self.breaks = self.after("\n")
        """Tokens with the end of a line in the white space before them."""

    def after(self, mark: str) -> frozenset[int]:
        """The tokens right after a mark or white space; one step for each of these."""
        starts, text = self.starts, self.text
        found, at = [], text.find(mark)
        while at >= 0:
            index = bisect_right(starts, at)
            if index == len(starts):
                break
            found.append(index)
            at = text.find(mark, starts[index])
        return frozenset(found)

    def glued(self, index: int) -> bool:
        """Nothing stands between this token and the one before."""
        return 0 < index < self.size and self.starts[index] == self.ends[index - 1]

    def gap(self, index: int) -> str:
        """The white space before a token."""
        return self.text[self.ends[index - 1] if index else 0 : self.starts[index]]

    def opens(self, index: int) -> bool:
        """The token begins a sentence or a line, as far as marks tell."""
        if index == 0 or index in self.breaks:
            return True
        return self.texts[index - 1] in ".!?•*>" or (
            self.texts[index - 1] == "-" and (index < 2 or index - 1 in self.breaks)
        )

    def unit(self, at: int) -> Unit | None:
        """The unit that begins at token `at`, or None where no letter begins one."""
        units = self._units
        if at in units:
            return units[at]
        after = at + 1
        unit: Unit | None
        if (
            after < self.size
            and (shape := _ALONE[self.texts[at]])
            and (self.starts[after] > self.ends[at] or not _GOES_ON[self.texts[after]])
        ):  # most units are one word between spaces, or before a mark
            unit = Unit(at, after, shape, self.bits[at], len(self.texts[at]))
        else:
            unit = self._read_unit(at)
        units[at] = unit
        return unit

    def _read_unit(self, at: int) -> Unit | None:
        if at >= self.size or not self.texts[at].isalpha():
            return self._elided(at)
        word = self.texts[at]
        short = len(word) == 1 or self.folded[at] in _ABBREVIATED
        if short and (stop := self._initials(at)) > at:
            return Unit(at, stop, "I", 0, 1)
        stop = at + 1
        limit = min(self.size - 1, at + _MAX_PARTS)
        while (
            stop < limit
            and self.texts[stop] in "-'"
            and self.glued(stop)
            and self.texts[stop + 1].isalpha()
            and (self.glued(stop + 1) or self._broken(stop))
        ):
            stop += 2
        if stop < self.size and self.texts[stop].isdigit() and self.glued(stop):
            return self._misread(at, stop)
        if stop == at + 3 and not self.glued(at + 2):
            word += self.texts[at + 2]  # one word, parted at a syllable: "HU-⏎BERT"
            if bits := voc.TRAITS[fold(word)] & ~(voc.STOP | voc.ROLE):
                return Unit(at, stop, _shape(word), bits, len(word))
        if stop == at + 1 and len(word) == 1:
            return Unit(at, stop, "I", 0, 1)
        if stop == at + 1:
            return Unit(at, stop, _shape(word), self.bits[at], len(word))
        return self._compound(at, stop)

    def _elided(self, at: int) -> Unit | None:
        """The particle of "Pieter 't Hooft"."""
        if self.texts[at : at + 1] != ("'",) or self.folded[at + 1 : at + 2] not in _ELIDED:
            return None
        if self.gap(at + 2) != " " or not self.glued(at + 1) or self.glued(at):
            return None
        return Unit(at, at + 2, "L", voc.PARTICLE, 1)

    def _broken(self, hyphen: int) -> bool:
        """The end of the line parts a name, at its hyphen or at a syllable: "TESSIER-⏎DUMOULIN"."""
        if self.gap(hyphen + 1) not in ("\n", "\r\n"):
            return False
        first, second = _shape(self.texts[hyphen - 1]), _shape(self.texts[hyphen + 1])
        if first not in "CU" or (second == "C" and first == "U"):
            return False
        before, after = self.bits[hyphen - 1], self.bits[hyphen + 1]
        if first == second and before & voc.LISTED and after & voc.LISTED:
            return not (before | after) & (voc.ROLE | voc.STOP)
        return second != "C" and _is_parted(self.folded[hyphen - 1], self.folded[hyphen + 1])

    def _misread(self, at: int, digit: int) -> Unit | None:
        """The word with a digit that an optical reader took for a letter: "GAUTH1ER"."""
        stop, letters = digit, sum(len(t) for t in self.texts[at:digit] if t.isalpha())
        while stop + 1 < self.size and self.texts[stop] in _MISREAD and self.glued(stop + 1):
            if not self.texts[stop + 1].isalpha() or not self.glued(stop):
                return None
            letters += len(self.texts[stop + 1])
            stop += 2
        ends = stop == self.size or not self.glued(stop) or not self.texts[stop].isalnum()
        capital = self.texts[at][0].isupper()
        if stop == digit or not ends or letters < _MISREAD_LETTERS or not capital:
            return None
        word = "".join(self.texts[at:stop])
        shape = "U" if word.isupper() else "C"
        bits = 0
        for one in "il":
            meant = fold(word).replace("0", "o").replace("5", "s").replace("1", one)
            bits = bits or voc.TRAITS[meant] & (voc.FIRST | voc.LAST | voc.COMMON | voc.FREQUENT)
        return Unit(at, stop, shape, bits, letters)

    def _compound(self, at: int, stop: int) -> Unit:
        texts = self.texts[at:stop:2]
        parts = zip(texts, self.bits[at:stop:2], strict=True)
        own = [bits for text, bits in parts if len(text) > 1] or [0]
        head, every, some = own[0], reduce(and_, own), reduce(or_, own)
        lower = any(map(str.islower, texts))
        shapes = {_SHAPES[text] for text in texts if len(text) > 1}
        bits = some & voc.EPONYM
        if head & voc.FIRST and (every & voc.FIRST or not lower):
            bits |= voc.FIRST | head & voc.FREQUENT
        if all(part & _NAMED for part in own):
            bits |= voc.LAST
        if every & voc.WORD and not every & voc.FIRST:
            bits |= voc.WORD
        whole = "".join(self.folded[at:stop:2])
        elided = len(texts[0]) == 1 and voc.TRAITS[whole] & voc.LAST  # "M'BAYE", and not "j'ai"
        if len(texts[0]) == 1 and every & voc.STOP:
            bits |= voc.STOP
        elif elided or self.folded[at] in _SAINTS:  # "Sainte-Rose" is a surname
            bits = bits & ~(voc.FIRST | voc.FREQUENT) | voc.LAST
        shape = "U" if shapes == {"U"} else "C" if shapes & {"C", "U"} else "L"
        return Unit(at, stop, shape, bits, sum(map(len, texts)))

    def _initials(self, at: int) -> int:
        """Where "J.", "J.-L.", "P.Y.", "Ph.", "j-f" ends, or `at` where there is none."""
        texts, size = self.texts, self.size
        stop = at
        limit = min(size, at + 2 * _MAX_PARTS)
        while stop < limit and (
            (len(texts[stop]) == 1 and texts[stop].isalpha())
            or (self.folded[stop] in _ABBREVIATED and stop + 1 < size and texts[stop + 1] == ".")
        ):
            after = stop + 1
            dotted = after < size and texts[after] == "." and self.glued(after)
            after += dotted
            hyphen = (
                after + 1 < size
                and texts[after] == "-"
                and self.glued(after)
                and self.glued(after + 1)
                and len(texts[after + 1]) <= 2
                and texts[after + 1].isalpha()
            )
            if not dotted and not hyphen and stop == at:
                return at
            stop = after
            if hyphen:
                stop += 1
            elif not dotted or not self.glued(stop):
                break
        return stop

    def is_unlisted(self, unit: Unit) -> bool:
        """No list has the unit, or of a compound any part of four letters or more."""
        parts = [w for w in self.folded[unit.first : unit.stop] if len(w) > _PARTICLE]
        return bool(parts) and all(map(voc.UNLISTED.__getitem__, parts))

    def span(
        self, first: int, stop: int, label: Label, score: float, source: str, role: Role
    ) -> Span:
        """The span of tokens `first` to `stop` (exclusive)."""
        return Span(self.starts[first], self.ends[stop - 1], label, score, source, role)


_LOUD: Final = 10
"""Capitals for each small letter from which the case of a text tells nothing."""


@lru_cache(maxsize=8)
def is_loud(text: str) -> bool:
    """Whether a text is written in capitals, so that they mark no name."""
    return _LOUD * sum(map(str.islower, text)) < sum(map(str.isupper, text))


@lru_cache(maxsize=8)
def view_of(doc: Document) -> View:
    """The view of a document, shared by the detectors that read it one after the other."""
    return View(doc)


def _alone(word: str) -> str:
    """The shape of a word that is a unit by itself where nothing goes on, else nothing."""
    whole = word.isalpha() and len(word) > 1 and fold(word) not in _ABBREVIATED
    return _shape(word) if whole else ""


def _is_parted(first: str, second: str) -> bool:
    """Whether two parts are one name, by the lists, or because no list of words has the second."""
    word = first + second
    if gazetteers.medical().get(word) or voc.TRAITS[word] & (voc.WORD | voc.ROLE | voc.TITLE):
        return False
    if voc.TRAITS[word] & (voc.FIRST | voc.LAST):
        return True
    return not (voc.TRAITS[second] & (voc.WORD | voc.STOP) or gazetteers.medical().get(second))


def _shape(word: str) -> str:
    if word.isupper():
        return "U" if len(word) > 1 else "I"
    return "C" if word[0].isupper() else "L"


_SHAPES: Final = Memo(_shape)
_ALONE: Final = Memo(_alone)
_GOES_ON: Final = Memo(lambda mark: mark in "-'" or mark.isdigit())
"""Whether what touches a word on its right may be a part of its unit."""
