"""The clinical tokenizer: words, numbers and marks with their offsets.

Letters part from digits ("12nov" → 12 · nov, "5ml" → 5 · ml, "né le03/02"), every mark stands alone
("18#03#2022", "tom/smith", "1015-Lausanne", "(2007)"), a lower-case letter followed by two capitals
ends a word ("SmithCHIRURGIEN" → Smith · CHIRURGIEN), and so do a title before and a field's name
after it ("DrChabert" → Dr · Chabert, "DUPONTPrénom" → DUPONT · Prénom). Whether "12.03" is a
measure or a date is for the detectors to say: it is three tokens here. White space is no token.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, chain
from operator import add
from typing import Any, Final

from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

_FIELD: Final = r"(?:Pr[ée]nom|Nom|Née?|Nee|Sexe|Service|Date|Adresse|Docteur)"
"""Words that open a field; glued to the value before, they are a token of their own."""
_LOWER: Final = rf"[a-zà-öø-ÿ]++(?:(?=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ]{{2}}|{_FIELD}\b)|[^\W\d_]*)"
# every branch opens with a character, so that the engine leaves the others at a glance
_TOKEN: Final = re.compile(
    rf"({_LOWER}"
    r"|(?:D(?:r|octeur)|Pr|M(?:me|lle|onsieur|adame))(?=[A-ZÀ-ÖØ-Þ])"  # Dr|Chabert
    rf"|[A-ZÀ-ÖØ-Þ](?:{_LOWER}|[A-ZÀ-ÖØ-Þ]+(?={_FIELD}\b)|[^\W\d_]*)"  # DUPONT|Prénom
    r"|[^\W\d_]+"
    r"|\d+"
    r"|[^\w\s]|_)"
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Parallel tuples, one entry a token: `texts[i]` is the text from `starts[i]` to `ends[i]`.

    `folded[i]` is its comparison key (see `dpdeid.normalize.fold`). Offsets are code points,
    half-open, sorted and disjoint; only white space lies between tokens.
    """

    texts: tuple[str, ...] = field(repr=False)
    folded: tuple[str, ...] = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)
    ends: tuple[int, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def over(self, start: int, end: int) -> range:
        """The tokens that share a character with the half-open stretch."""
        first = bisect_right(self.ends, start)
        return range(first, bisect_left(self.starts, end, first))


_FOLDED: Final = Memo(fold)
_CHUNK: Final = re.compile(r"(\S++\s*)(?:\s|\Z)")
_WIDE_GAP: Final = re.compile(r" \s")


def _chunk(chunk: str) -> tuple[str | int, ...]:
    """Of each token between two spaces: itself, folded, its length, and up to the next token."""
    if chunk.isdecimal() or (chunk.islower() and chunk.isalpha()):  # one token, as most are
        return chunk, _FOLDED[chunk], len(chunk), len(chunk) + 1
    pieces = _TOKEN.split(f"{chunk} ")  # nothing, token, what lies between, token, …, white space
    known: list[str | int] = []
    for at in range(1, len(pieces), 2):
        token = pieces[at]
        size = len(token)
        known += (token, _FOLDED[token], size, size + len(pieces[at + 1]))
    return tuple(known)


_CHUNKS: Final = Memo(_chunk)


def tokenize(text: str) -> Tokens:
    """The tokens of a text, in order. Linear in its length."""
    # no token goes over white space, and most of what stands between comes again and again
    wide = _WIDE_GAP.search(text) is not None
    chunks = _CHUNK.findall(text) if wide else text.split(" ")  # all but the last space of a gap
    known: tuple[Any, ...] = tuple(chain.from_iterable(map(_CHUNKS.__getitem__, chunks)))
    indent = len(text) - len(text.lstrip())
    starts = tuple(accumulate(known[3::4], initial=indent))[:-1]
    return Tokens(known[::4], known[1::4], starts, tuple(map(add, starts, known[2::4])))
