"""Planted truth: what a coder finds of codes that are known to stand in a note.

Sentences with their codes ship with the package (`planted_codes.txt`). They are put between the
lines of fictitious notes, and only what is coded inside them is scored: of the rest the truth is
not known. A code is right if it is the planted one or lies below it (E119 for E11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid.document import Document
from dpdeid.evaluate.coding.codes import Code, Coder, undotted
from dpdeid.evaluate.counts import Counts
from dpdeid.synth.corpus import notes

_MARK: Final = re.compile(r"«([^:»]+):([^»]+)»")
_IN_ONE_NOTE: Final = 6


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the codes it carries.

    Args:
        section: what it tests ("wordings", "traps", …).
        codes: (start, end, codes any of which is right).
    """

    section: str
    text: str
    codes: tuple[tuple[int, int, tuple[str, ...]], ...]


@cache
def sentences() -> tuple[Sentence, ...]:
    """The shipped sentences."""
    source = files("dpdeid.evaluate.coding") / "planted_codes.txt"
    found = []
    section = ""
    for line in source.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            found.append(_sentence(section, line))
    return tuple(found)


def _sentence(section: str, line: str) -> Sentence:
    codes = []
    pieces: list[str] = []
    at = length = 0
    for match in _MARK.finditer(line):
        pieces += (line[at : match.start()], match[2])
        start = length + match.start() - at
        length = start + len(match[2])
        codes.append((start, length, tuple(undotted(code) for code in match[1].split("|"))))
        at = match.end()
    return Sentence(section, "".join((*pieces, line[at:])), tuple(codes))


def planted_notes() -> Iterator[tuple[Document, tuple[tuple[int, Sentence], ...]]]:
    """Notes with some sentences each, and where each sentence begins."""
    every = sentences()
    groups = [every[at : at + _IN_ONE_NOTE] for at in range(0, len(every), _IN_ONE_NOTE)]
    for number, (row, group) in enumerate(zip(notes(len(groups), 0), groups, strict=True)):
        lines = row["text"].splitlines()
        middle = len(lines) // 2
        text = "\n".join(lines[:middle])
        places = []
        for sentence in group:
            text += "\n"
            places.append((len(text), sentence))
            text += sentence.text
        text = "\n".join((text, *lines[middle:]))
        yield Document(f"planted-{number}", text), tuple(places)


def on_planted(coder: Coder) -> Mapping[str, Counts]:
    """What a coder finds of the planted codes, by section and under "all"."""
    counts = {section: Counts() for section in dict.fromkeys(s.section for s in sentences())}
    for doc, places in planted_notes():
        codes = tuple(coder(doc))
        for start, sentence in places:
            inside = [c for c in codes if start <= c.start and c.end <= start + len(sentence.text)]
            counts[sentence.section] += _counted(inside, start, sentence)
    return {**counts, "all": sum(counts.values(), Counts())}


def _counted(given: list[Code], start: int, sentence: Sentence) -> Counts:
    found = 0
    right: set[Code] = set()
    for first, last, allowed in sentence.codes:
        hits = {
            c
            for c in given
            if c.start < start + last and start + first < c.end and c.value.startswith(allowed)
        }
        found += bool(hits)
        right |= hits
    return Counts(found, len(set(given) - right), len(sentence.codes) - found)
