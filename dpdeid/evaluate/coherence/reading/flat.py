"""Small letters without accents, of the same length; lines and clauses, and of whom they speak."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from dpdeid.evaluate.coherence.cues import any_of, cue
from dpdeid.french.titles import KIN_SEX


def flat(text: str) -> str:
    """`text` in small letters without accents, character by character.

    >>> flat("Née à ÉVRY")
    'nee a evry'
    """
    return text.lower() if text.isascii() else "".join(map(_bare, text))


@lru_cache(maxsize=4096)
def _bare(sign: str) -> str:
    base = unicodedata.normalize("NFD", sign)[0].lower()
    return base if len(base) == 1 else sign


Piece = tuple[str, int, int]
"""Text and the stretch it stands for: as long as the text if it is copied, else all of it."""


def spliced(text: str, changes: Iterable[tuple[int, int, str]]) -> Iterator[Piece]:
    """The pieces of a text with others in place of stretches, in order; a stretch that begins in
    one before it is left out.
    """
    done = 0
    for start, end, shown in changes:
        if start >= done:
            yield text[done:start], done, start
            yield shown, start, end
            done = end
    yield text[done:], done, len(text)


def line_of(text: str, at: int) -> tuple[int, int]:
    """The line around an offset."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


KINDRED: Final = any_of(KIN_SEX.keys() - {"patiente", "veuf", "veuve"})
_OTHERS: Final = rf"(?:{KINDRED}|{cue('others')})"
_LABEL: Final = re.compile(
    rf"[^a-z\n]*(?:(?:la|le|sa|son|les|ses|du|de la|d'un|nom d[ue] (?:la )?) ?)?"
    rf"(?:{_OTHERS}|personne (?:de confiance|a prevenir|a contacter)|contact|entourage|referent)\b"
)
_NAMED: Final = re.compile(rf"\b{_OTHERS}\b(?! (?:de|d') ?\d)")
_END: Final = re.compile(r"(?<=[a-z\d)]{2})[.;] |[!?;]|\n")


def sentence_before(flat: str, at: int) -> str:
    """What stands before an offset in its line, behind the last full stop."""
    return flat[max(flat.rfind("\n", 0, at), flat.rfind(". ", 0, at)) + 1 : at]


def clause_before(flat: str, at: int) -> str:
    """The words of a sentence before an offset."""
    start, _ = line_of(flat, at)
    return _END.split(flat[start:at])[-1]


def another(flat: str, at: int, reach: int = 500) -> bool:
    """Whether what stands at an offset is said of somebody else: its sentence names a relative, or
    its line begins with one as a label.

    Args:
        reach: so many characters before the offset may name a relative.
    """
    start, _ = line_of(flat, at)
    return bool(_LABEL.match(flat[start:at]) or _NAMED.search(clause_before(flat, at)[-reach:]))
