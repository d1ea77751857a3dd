"""Small letters without accents, of the same length: one set of expressions for all layouts."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


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
