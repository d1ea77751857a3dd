"""Ordinary words: inflected French, medical vocabulary and drugs, the common ones first."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dpdeid.normalize import fold

COMMON: Final = 30_000
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_MEDICAL: Final = ("cim10.csv.gz", "adicap.json.gz", "drugs.json")


def words(french: Path, edsnlp: Path, wordfreq: Path) -> tuple[list[str], list[str]]:
    """(the common ones by frequency, all others in alphabetical order), folded and disjoint."""
    (source,) = french.rglob("index.json")
    ordinary = {fold(word) for word in json.loads(source.read_text(encoding="utf-8"))}
    known = {word for word in ordinary | medical(edsnlp) if len(word) > 1}
    common = [word for word in dict.fromkeys(map(fold, frequent(wordfreq))) if word in known]
    del common[COMMON:]
    return common, sorted(known - set(common))


def medical(edsnlp: Path) -> set[str]:
    """Folded words of CIM-10 titles, ADICAP labels and ATC drug names."""
    (resources,) = edsnlp.rglob("edsnlp/resources")
    found: set[str] = set()
    for name in _MEDICAL:
        path = resources / name
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode("utf-8")
        if name == "cim10.csv.gz":
            text = "\n".join(row["long"] for row in csv.DictReader(text.splitlines()))
        else:
            text = "\n".join(_strings(json.loads(text)))
        for word in _WORD.findall(fold(text)):
            found.update((word, *re.split("['-]", word)))
    return found


def frequent(wordfreq: Path) -> Iterator[str]:
    """French words, most frequent first (wordfreq: a list of bins of about equal frequency)."""
    (source,) = wordfreq.rglob("large_fr.msgpack.gz")
    for text in _unpack_bins(gzip.decompress(source.read_bytes())):
        yield from text


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _unpack_bins(data: bytes) -> Iterator[list[str]]:
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
