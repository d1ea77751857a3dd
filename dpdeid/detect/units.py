"""A note's tokens seen as units: what stands between spaces, with its shape and its traits.

A unit is "Stindel-Roux", "d'Angelo", "J.-L." or "LE"; the tokenizer parts them at every mark. One
view of a note is shared by all detectors of people. Nothing is decided here.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.eponyms import protected
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.memo import Memo
from dpdeid.normalize import fold

_MAX_PARTS: Final = 9
_ABBREVIATED: Final = frozenset({"ph", "ch", "th", "fr", "cl", "guy", "jn", "chr", "alex"})

_ELIDED: Final = (("t",), ("s",))
_SAINTS: Final = frozenset({"saint", "sainte", "st", "ste"})
_NAMED: Final = voc.LAST | voc.FIRST | voc.PARTICLE
_MISREAD: Final = frozenset("015")
_MISREAD_LETTERS: Final = 5


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
        return bool(self.bits & (voc.FIRST | voc.LAST)) and not self.bits & voc.WORD

    @property
    def strange(self) -> bool:
        """No ordinary word."""
        return not self.bits & voc.WORD


class View:
    """One document's tokens with their traits; what every reader of names works on."""

    __slots__ = (
        "_breaks",
        "_guarded",
        "_units",
        "bits",
        "doc",
        "ends",
        "folded",
        "size",
        "starts",
        "text",
        "texts",
    )

    def __init__(self, doc: Document) -> None:
        tokens = doc.tokens
        self.doc, self.text = doc, doc.text
        self.texts, self.folded = tokens.texts, tokens.folded
        self.starts, self.ends = tokens.starts, tokens.ends
        self.bits = tuple(map(voc.TRAITS.__getitem__, tokens.folded))
        self.size = len(tokens)
        self._breaks: frozenset[int] | None = None
        self._guarded: frozenset[int] | None = None
        self._units: dict[int, Unit | None] = {}

    @property
    def guarded(self) -> frozenset[int]:
        """Tokens inside eponym phrases."""
        if self._guarded is None:
            self._guarded = protected(self.doc)
        return self._guarded

    @property
    def breaks(self) -> frozenset[int]:
        """Tokens with the end of a line in the white space before them."""
        if self._breaks is None:
            self._breaks = self.after("\n")
        return self._breaks

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
        if stop == at + 1:
            bits = self.bits[at]
            size = len(word)
            if size == 1:
                return Unit(at, stop, "I", 0, 1)
            return Unit(at, stop, _shape(word), bits, size)
        return self._compound(at, stop)

    def _elided(self, at: int) -> Unit | None:
        """The particle of "Pieter 't Hooft"."""
        if self.texts[at : at + 1] != ("'",) or self.folded[at + 1 : at + 2] not in _ELIDED:
            return None
        if self.gap(at + 2) != " " or not self.glued(at + 1) or self.glued(at):
            return None
        return Unit(at, at + 2, "L", voc.PARTICLE, 1)

    def _broken(self, hyphen: int) -> bool:
        """The end of the line parts a name, at its hyphen or at a syllable: "TESSIER-⏎DUMOULIN",
        "Ker-⏎lubac".
        """
        if self.gap(hyphen + 1) not in ("\n", "\r\n"):
            return False
        first, second = _shape(self.texts[hyphen - 1]), _shape(self.texts[hyphen + 1])
        if first not in "CU" or (second == "C" and first == "U"):
            return False
        before, after = self.bits[hyphen - 1], self.bits[hyphen + 1]
        listed = voc.FIRST | voc.LAST
        if first == second and before & listed and after & listed:
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
        if (
            stop == digit
            or not ends
            or letters < _MISREAD_LETTERS
            or not self.texts[at][0].isupper()
        ):
            return None
        word = "".join(self.texts[at:stop])
        shape = "U" if word.isupper() else "C"
        bits = 0
        for one in "il":
            meant = fold(word).replace("0", "o").replace("5", "s").replace("1", one)
            bits = bits or voc.TRAITS[meant] & (voc.FIRST | voc.LAST | voc.COMMON | voc.FREQUENT)
        return Unit(at, stop, shape, bits, letters)

    def _compound(self, at: int, stop: int) -> Unit:
        every, some, named = -1, 0, True  # bits of all parts but letters, of any, whether names
        head, lower, size, shapes = -1, False, 0, ""
        for index in range(at, stop, 2):
            text = self.texts[index]
            size += len(text)
            lower = lower or text.islower()
            if len(text) > 1:
                part = self.bits[index]
                head = part if head < 0 else head
                every &= part
                some |= part
                named = named and bool(part & _NAMED)
                shapes += _SHAPES[text]
        if head < 0:
            head = every = 0
            named = False
        bits = some & voc.EPONYM
        if head & voc.FIRST and (every & voc.FIRST or not lower):
            bits |= voc.FIRST | head & voc.FREQUENT
        if named:
            bits |= voc.LAST
        if every & voc.WORD and not every & voc.FIRST:
            bits |= voc.WORD
        if self.folded[at] in _SAINTS:
            bits = bits & ~(voc.FIRST | voc.FREQUENT) | voc.LAST  # "Sainte-Rose" is a surname
        elif len(self.texts[at]) == 1 and voc.TRAITS["".join(self.folded[at:stop:2])] & voc.LAST:
            bits = bits & ~(voc.FIRST | voc.FREQUENT) | voc.LAST  # "M'BAYE"
        shape = "U" if set(shapes) == {"U"} else "C" if set(shapes) & {"C", "U"} else "L"
        return Unit(at, stop, shape, bits, size)

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

    def span(
        self, first: int, stop: int, label: Label, score: float, source: str, role: Role
    ) -> Span:
        """The span of tokens `first` to `stop` (exclusive)."""
        return Span(self.starts[first], self.ends[stop - 1], label, score, source, role)


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
