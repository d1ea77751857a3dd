"""Small letters without accents, of the same length; lines and clauses, and of whom they speak."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
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


def line_of(text: str, at: int) -> tuple[int, int]:
    """The line around an offset."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


_KIN: Final = "|".join(
    sorted(KIN_SEX.keys() - {"patiente", "veuf", "veuve"}, key=len, reverse=True)
)
_OTHERS: Final = rf"(?:{_KIN}|{cue('others')})"
_LABEL: Final = re.compile(
    rf"[^a-z\n]*(?:(?:la|le|sa|son|les|ses|du|de la|d'un|nom d[ue] (?:la )?) ?)?"
    rf"(?:{_OTHERS}|personne (?:de confiance|a prevenir|a contacter)|contact|entourage|referent)\b"
)
_NAMED: Final = re.compile(rf"\b{_OTHERS}\b(?! (?:de|d') ?\d)")
_END: Final = re.compile(r"(?<=[a-z\d)]{2})[.;] |[!?;]|\n")


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
