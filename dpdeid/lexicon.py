"""Hundreds of thousands of words in a few megabytes, looked up in about a microsecond.

A set of 435,000 strings takes 60 MB and a dictionary of 219,000 names 27 MB; the same words as one
sorted text take 5 MB and 3 MB. A word is searched among those that share its first letters; where
they stand is found by bisection, once for each beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeVar, overload

T = TypeVar("T")
_LETTERS: Final = 4
"""How many first bytes share a block: blocks of some dozen words, some thousand of them."""


class Lexicon(Mapping[str, int]):
    """Words with a number each, from sorted lines "word" or "word<TAB>number" (0 if none stands).

    Raises:
        ValueError: the lines are not in the order of their UTF-8 bytes.
    """

    __slots__ = ("_block", "_data", "_size")

    def __init__(self, lines: bytes) -> None:
        self._data = b"\n" + lines
        self._size = lines.count(b"\n")
        if not lines.endswith(b"\n") or not self._sorted():
            raise ValueError("a lexicon needs sorted lines")
        self._block = lru_cache(maxsize=1 << 15)(self._bounds)

    def _sorted(self) -> bool:
        """Whether a sample of the lines rises; all of them are checked when lists are built."""
        step = max(1, len(self._data) // 1000)
        sample = [self._line(at) for at in range(0, len(self._data) - 1, step)]
        found = [word for word in sample if word]  # the last position has no line behind it
        return found == sorted(found)

    def _line(self, at: int) -> bytes:
        """The word of the first line that begins at or after a position."""
        start = self._data.find(b"\n", at) + 1
        line = self._data[start : self._data.find(b"\n", start)] if start < len(self._data) else b""
        return line.partition(b"\t")[0]

    def _bounds(self, prefix: bytes) -> tuple[int, int]:
        """From where to where in the data all words with this beginning stand."""
        return self._first(prefix), self._first(prefix + b"\xff") + 1

    def _first(self, wanted: bytes) -> int:
        """The position of the line break before the first word that is not less than `wanted`."""
        low, high = 0, len(self._data) - 1  # both at line breaks
        while low < high:
            middle = self._data.rfind(b"\n", low, (low + high) // 2 + 1)
            if self._line(middle) < wanted:
                low = self._data.find(b"\n", middle + 1)
            else:
                high = middle
        return low

    @overload
    def get(self, word: str, /) -> int | None: ...
    @overload
    def get(self, word: str, /, default: int) -> int: ...
    @overload
    def get(self, word: str, /, default: T) -> int | T: ...
    def get(self, word: str, /, default: object = None) -> object:
        """The number of a word, `default` if it is not there."""
        key = word.encode("utf-8", "replace")
        start, end = self._block(key[:_LETTERS])
        at = self._data.find(b"\n%b\t" % key, start, end)
        if at >= 0:
            number = at + len(key) + 2
            return int(self._data[number : self._data.find(b"\n", number)])
        return 0 if self._data.find(b"\n%b\n" % key, start, end) >= 0 else default

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.get(word) is not None

    def __getitem__(self, word: str) -> int:
        number = self.get(word)
        if number is None:
            raise KeyError
        return number

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        for line in self._data[1:-1].split(b"\n"):
            yield line.partition(b"\t")[0].decode("utf-8")
