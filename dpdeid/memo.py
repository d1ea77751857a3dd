"""A function of one word, remembered: a look-up costs half of what `functools.lru_cache` takes.

Meant for what is asked of every token. Nothing is ranked by use: a full memo starts anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

V = TypeVar("V")

_MOST: Final = 1 << 16
"""Words after which a memo starts anew, so that a long run does not fill the memory."""


class Memo(dict[str, V]):
    """`memo[word]` is `function(word)`."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[[str], V]) -> None:
        self._function = function

    def __missing__(self, word: str) -> V:
        if len(self) >= _MOST:
            self.clear()
        value = self[word] = self._function(word)
        return value
