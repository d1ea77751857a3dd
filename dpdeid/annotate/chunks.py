"""Notes as units: lines in random order across all patients, as many of each type of document.

An annotator who sees single lines of many patients learns less of each than one who reads notes
(Loftsson, CHUV 2022, sections 2.1 and 2.2). docs/annotate.md has what that does not protect.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from dpdeid.annotate.units import Unit
from dpdeid.document import Document
from dpdeid.privacy.rng import derive, tag

_LINE: Final = re.compile(r"[^\r\n\v\f\x85\u2028\u2029]+")


def units_of(doc: Document, doc_type: str = "", *, whole: bool = False) -> Iterator[Unit]:
    """The lines of a note that are not blank, or the note as one unit; without the white space at
    their ends.
    """
    stretches = [(0, len(doc.text))] if whole else [m.span() for m in _LINE.finditer(doc.text)]
    number = 0
    for start, end in stretches:
        text = doc.text[start:end]
        if text.strip():
            start += len(text) - len(text.lstrip())
            yield Unit(f"{doc.id}#{number}", doc.id, doc_type, start, text.strip())
            number += 1


def drawn(units: Iterable[Unit], seed: int) -> list[Unit]:
    """The units in an order that follows from the seed and their ids alone."""
    key = derive(b"dpdeid annotate", str(seed))
    return sorted(units, key=lambda unit: tag(key, unit.id, size=16))


def per_type_of(units: Iterable[Unit], most: int | None) -> list[Unit]:
    """The first so many units of each type of document, or all of a type that has fewer; all if
    None.
    """
    taken = Counter[str]()
    chosen = []
    for unit in units:
        taken[unit.doc_type] += 1
        if most is None or taken[unit.doc_type] <= most:
            chosen.append(unit)
    return chosen
