"""What is known of a word beside its being one: how frequent, medical, a drug.

Each list comes from sources of one licence, so that it has one. They are evidence for detection
only: no surrogate is drawn from them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

from dpdeid.normalize import fold

from . import words

RAREST: Final = 2
"""Zipf value (log10 of occurrences in a billion words) below which a word is not listed."""
MEDICAL, DRUG = 1, 2
"""Bits of the medical list."""
_SHORTEST_DRUG: Final = 4
_EVERYDAY: Final = 6
"""Zipf value from which a word of a medical title says nothing about medicine ("avec")."""
_WORD: Final = re.compile(r"[^\W\d_]+")


def frequencies(sources: Mapping[str, Path]) -> dict[str, int]:
    """Folded word → whole part of its Zipf value, from `RAREST` to 7."""
    found: dict[str, int] = {}
    for number, texts in enumerate(words.bins(sources["wordfreq"])):
        zipf = (900 - number) // 100
        if zipf < RAREST:
            break
        for key in map(fold, texts):
            if _WORD.fullmatch(key):
                found.setdefault(key, min(zipf, 7))
    return found


def medical(
    sources: Mapping[str, Path], names: Collection[str], zipf: Mapping[str, int]
) -> dict[str, int]:
    """Folded word → `MEDICAL`, `DRUG` or both.

    A capitalised word of a title is medical unless it is one of `names`. A drug's name of one word
    is a drug; of a longer one ("fluorure de calcium crinex") only what is no word of French.
    """
    lower, other = words.medical_words(sources["edsnlp"])
    ordinary = words.ordinary_words(sources)
    found = {
        word: MEDICAL
        for word in lower | (other - set(names))
        if len(word) > 2 and _WORD.fullmatch(word) and zipf.get(word, 0) < _EVERYDAY
    }
    drugs = json.loads((_resources(sources) / "drugs.json").read_text(encoding="utf-8"))
    for label in (label for labels in drugs.values() for label in labels):
        parts = [fold(part) for part in _WORD.findall(label)]
        for part in parts:
            if len(part) >= _SHORTEST_DRUG and (len(parts) == 1 or part not in ordinary):
                found[part] = found.get(part, 0) | DRUG
    return found


def name_words(sources: Mapping[str, Path], known: Collection[str]) -> list[str]:
    """Folded words of French that are left out of the words because they are names as well."""
    ordinary = (w for w in words.ordinary_words(sources) if len(w) > 1 and _WORD.fullmatch(w))
    return sorted(set(ordinary) - set(known))


def rows(numbers: Mapping[str, int]) -> Iterator[str]:
    """The lines of a lexicon: "word<TAB>number", in alphabetical order."""
    return (f"{word}\t{number}" for word, number in sorted(numbers.items()))


def _resources(sources: Mapping[str, Path]) -> Path:
    (found,) = sources["edsnlp"].rglob("edsnlp/resources")
    return found
