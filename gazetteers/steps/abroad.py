"""Words of German, Dutch, Italian and English, as evidence that a word names nobody in a paragraph
of that language.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from dpdeid.normalize import fold

from . import words

LANGUAGES: Final = ("de", "nl", "it", "en")
"""In the order of the digits."""
COMMON: Final = 25_000
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def abroad(wordfreq: Path) -> Iterator[str]:
    """The lines "word<TAB>digits" of folded words among the most frequent of a language: for each
    language the whole part of its Zipf value, 0 where the word is not among them ("haus\t6003").
    """
    found: dict[str, list[int]] = {}
    for place, language in enumerate(LANGUAGES):
        for word, zipf in _frequent(wordfreq, language).items():
            found.setdefault(word, [0] * len(LANGUAGES))[place] = zipf
    for word in sorted(found):
        yield f"{word}\t{''.join(map(str, found[word]))}"


def _frequent(wordfreq: Path, language: str) -> Mapping[str, int]:
    (source,) = wordfreq.rglob(f"large_{language}.msgpack.gz")
    found: dict[str, int] = {}
    for number, texts in enumerate(words.unpack_bins(gzip.decompress(source.read_bytes()))):
        for key in map(fold, texts):
            if _WORD.fullmatch(key):
                found.setdefault(key, min((900 - number) // 100, 7))
        if len(found) >= COMMON:
            break
    return found
