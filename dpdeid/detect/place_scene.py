"""What stands around a name of the lists: titles, brackets, postal codes, dates, line ends.

Facts only; what they are worth together is for `dpdeid.detect.lookup_places` to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.place_index import ARTICLES, Hit, Names, given_names, lands
from dpdeid.detect.place_words import CANTONS, LIVES, PLACE_NOUNS, TITLES
from dpdeid.document import Document

_OUTSIDE: Final = ("",) * 16
_SKIPPED: Final = frozenset(("'", "la", "le", "les", "l", "d", ":", "("))
_BEFORE_CODE: Final = frozenset(("(", ",", "-", "–", "cedex", "à"))
_OF: Final = frozenset(("de", "d", "'", "du", "la", "le", "des", "-"))
_WEEKDAYS: Final = frozenset(
    ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "ce", "le"]
)


class Scene:
    """One document while it is searched: what stands before and after a hit."""

    __slots__ = ("ends", "folded", "names", "starts", "text", "texts", "word")

    def __init__(self, doc: Document, index: Names) -> None:
        tokens = doc.tokens
        self.text = doc.text
        self.texts, self.folded = tokens.texts, tokens.folded
        self.starts, self.ends = tokens.starts, tokens.ends
        self.names = index
        # an index below 0 counts from the end
        self.word: Callable[[int], str] = (self.folded + _OUTSIDE).__getitem__
        """The folded token, or "" up to sixteen places outside the text."""

    def before(self, index: int) -> int:
        """The token before `index`, articles and opening marks left out."""
        index -= 1
        while index >= 0 and self.folded[index] in _SKIPPED:
            index -= 1
        return index

    def opens_line(self, index: int) -> bool:
        """Whether nothing but marks stands before the token on its line."""
        start = self.starts[index]
        above = self.text.rfind("\n", max(0, start - 80), start)
        return (above >= 0 or start <= 80) and not any(
            map(str.isalnum, self.text[above + 1 : start])
        )

    def capital(self, hit: Hit) -> bool:
        """Whether a word of the name, articles apart, begins with a capital that tells something.

        Between other words in capitals it tells nothing.
        """
        texts, first, last = self.texts, hit.first, hit.last
        if (not texts[last][0].isupper() or self.folded[last] in ARTICLES) and not any(
            texts[i][0].isupper() for i in range(first, last) if self.folded[i] not in ARTICLES
        ):
            return False
        if not texts[last].isupper():
            return True
        near = (first - 2, first - 1, last + 1, last + 2)
        return not any(
            0 <= i < len(texts) and len(texts[i]) > 3 and texts[i].isupper() for i in near
        )

    def named(self, hit: Hit) -> bool:
        """Whether a title, an initial or a capital name stands right before: a person, then."""
        index = hit.first - 1
        word = self.word(index)
        if word == "." and index > 0:
            index -= 1
            word = self.word(index)
            if len(word) == 1 and self.texts[index].isupper():
                return True
        if word in TITLES:
            return True
        if word in _OF and index > 0:
            index -= 1 if word != "'" else 2
            word = self.word(index)
            if word in ("de", "d") and index > 0:
                index -= 1
                word = self.word(index)
            if word in TITLES and word not in PLACE_NOUNS:
                return True
        return (
            word.isalpha()
            and self.texts[index][0].isupper()
            and word in given_names()
            and word not in LIVES
            and word not in gazetteers.common_words()
        )

    def broken(self, hit: Hit) -> bool:
        """Whether the name is a part of a longer compound."""
        start, end = self.starts[hit.first], self.ends[hit.last]
        return (
            self.text[end : end + 1] in ("-", "'") and self.text[end + 1 : end + 2].isalpha()
        ) or (
            self.text[start - 1 : start] == "-"
            and self.text[max(0, start - 2) : start - 1].isalpha()
        )

    def postal(self, hit: Hit) -> int | None:
        """The token of the postal code beside the name, or None."""
        before, behind = hit.first - 1, hit.last + 1
        word = self.word
        for index, gap in (
            (before, None),
            (before - 1, before),
            (behind, None),
            (behind + 1, behind),
        ):
            if (
                word(index).isdigit()
                and (gap is None or word(gap) in _BEFORE_CODE)
                and self._is_code(index, hit)
            ):
                return index
        return None

    def _is_code(self, index: int, hit: Hit) -> bool:
        word = self.folded[index]
        start, end = self.starts[index], self.ends[index]
        before, behind = self.text[max(0, start - 1) : start], self.text[end : end + 2]
        if (
            before.isalnum()
            or before in (".", "/")
            or (behind[:1] in (".", ",", "/") and behind[1:].isdigit())
        ):
            return False
        low, high = sorted((end, self.starts[hit.first] if index < hit.first else start))
        if "\n" in self.text[min(low, self.ends[hit.last]) : high]:
            return False
        if len(word) == 5:
            return "01000" <= word <= "98999"
        return len(word) == 4 and index < hit.first and bool(lands(hit.key) & {"CH", "BE", "LU"})

    def dated(self, hit: Hit) -> bool:
        """Whether the name opens a line that goes on with a date: "Metz, le 3 mai"."""
        behind = hit.last + 1
        if self.word(behind) == ",":
            behind += 1
        return (self.word(behind) in _WEEKDAYS or self.word(behind).isdigit()) and self.opens_line(
            hit.first
        )

    def coded(self, hit: Hit) -> bool:
        """Whether a canton code follows a Swiss town."""
        behind = hit.last + 1
        return behind < len(self.texts) and self.texts[behind] in CANTONS and "CH" in lands(hit.key)

    def in_canton(self, hit: Hit) -> bool:
        """Whether a canton code in brackets follows a Swiss town."""
        behind = hit.last + 2
        return (
            self.word(hit.last + 1) == "("
            and self.word(hit.last + 3) == ")"
            and self.texts[behind] in CANTONS
            and "CH" in lands(hit.key)
        )

    def written(self, hit: Hit) -> bool:
        """Whether the name has a hyphen and capitals at both ends, as only names are written."""
        first, last = self.texts[hit.first], self.texts[hit.last]
        return (
            hit.words > 1
            and "-" in self.text[self.ends[hit.first] : self.starts[hit.last]]
            and first.istitle()
            and last.istitle()
        )

    def bracketed(self, hit: Hit) -> bool:
        """Whether a country or a department number follows in brackets."""
        if self.word(hit.last + 1) != "(" or self.word(hit.last + 3) != ")":
            return False
        inner = self.word(hit.last + 2)
        return inner in self.names.countries or (len(inner) in (2, 3) and inner.isdigit())

    def enclosed(self, hit: Hit) -> bool:
        """Whether the name, with a capital, is all that stands in brackets."""
        return (
            self.word(hit.first - 1) == "("
            and self.word(hit.last + 1) in (")", ",", "/", ";")
            and self.texts[hit.last][0].isupper()
        )
