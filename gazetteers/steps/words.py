"""Ordinary words: inflected French, medical vocabulary and drugs, the common ones first."""

from __future__ import annotations

import csv
import gzip
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from dpdeid.normalize import fold

from . import hunspell
from .names_first import NAMES_FIRST

COMMON: Final = 30_000
_FIRST_NAMES: Final = 5_000
_SURNAMES: Final = 10_000
"""So many of the most frequent names are looked at when a word may be a name."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_MEDICAL: Final = ("cim10.csv.gz", "adicap.json.gz", "drugs.json")


def ordinary_words(sources: Mapping[str, Path]) -> set[str]:
    """Folded words of French in any inflection, as two dictionaries have them."""
    (source,) = sources["an-array-of-french-words"].rglob("index.json")
    found = {fold(word) for word in json.loads(source.read_text(encoding="utf-8"))}
    found.update(fold(word) for word in hunspell.forms(sources["dictionary-fr"] / "package"))
    return found


def words(
    sources: Mapping[str, Path], first_names: list[str], surnames: list[str]
) -> tuple[list[str], list[str]]:
    """(all words in alphabetical order, the common ones by frequency), folded.

    The names are display forms by frequency. A name is no word if it comes only as an eponym or a
    brand, if it is a rare word or inflected form ("basset", "grondin"), or is in `NAMES_FIRST`.
    """
    ordinary = ordinary_words(sources)
    medical, capitalised = medical_words(sources["edsnlp"])
    names = {fold(name) for name in first_names[:_FIRST_NAMES] + surnames[:_SURNAMES]}
    by_frequency = dict.fromkeys(map(fold, frequent(sources["wordfreq"])))
    usual = set(itertools.islice((word for word in by_frequency if word in ordinary), COMMON))
    known = {word for word in ordinary if word in usual or word not in names}
    known |= medical | (capitalised - names)
    known = {word for word in known - NAMES_FIRST if len(word) > 1 and _WORD.fullmatch(word)}
    return sorted(known), [word for word in by_frequency if word in known][:COMMON]


def medical_words(edsnlp: Path) -> tuple[set[str], set[str]]:
    """Folded words of CIM-10 titles, ADICAP labels and ATC drug names: (in lower case, others).

    The case is that of the source: "maladie de Raynaud" makes "raynaud" no word.
    """
    (resources,) = edsnlp.rglob("edsnlp/resources")
    lower: set[str] = set()
    other: set[str] = set()
    for name in _MEDICAL:
        path = resources / name
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode("utf-8")
        if name == "cim10.csv.gz":
            text = "\n".join(row["long"] for row in csv.DictReader(text.splitlines()))
        else:
            text = "\n".join(_strings(json.loads(text)))
        for word in _WORD.findall(text):
            into = lower if word.islower() else other
            into.update((fold(word), *re.split("['-]", fold(word))))
    return lower, other - lower


def frequent(wordfreq: Path) -> Iterator[str]:
    """French words, most frequent first."""
    return itertools.chain.from_iterable(bins(wordfreq))


def bins(wordfreq: Path) -> Iterator[list[str]]:
    """French words by frequency: those of bin n make up 10^(-n/100) of a text each."""
    (source,) = wordfreq.rglob("large_fr.msgpack.gz")
    return unpack_bins(gzip.decompress(source.read_bytes()))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def unpack_bins(data: bytes) -> Iterator[list[str]]:
    """The lists of strings in a MessagePack array `[header, [str, …], …]`.

    The three kinds of MessagePack values that the file holds after its header need no package.
    """
    at = data.index(b"\xa7version") + 9
    while at < len(data):
        count, at = _length(data, at, fix=0x90, mask=0x0F, wide=(0xDC, 0xDD))
        bin_words: list[str] = []
        for _ in range(count):
            size, at = _length(data, at, fix=0xA0, mask=0x1F, wide=(0xD9, 0xDA, 0xDB))
            bin_words.append(data[at : at + size].decode("utf-8"))
            at += size
        yield bin_words


def _length(data: bytes, at: int, *, fix: int, mask: int, wide: tuple[int, ...]) -> tuple[int, int]:
    """(length in the type byte or the bytes after it, offset behind it) of an array or string."""
    kind = data[at]
    if kind & ~mask == fix:
        return kind & mask, at + 1
    if kind not in wide:
        raise RuntimeError("unexpected MessagePack type")
    size = {0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4}[kind]
    return int.from_bytes(data[at + 1 : at + 1 + size], "big"), at + 1 + size
