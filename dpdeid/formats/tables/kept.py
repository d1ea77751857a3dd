"""Columns that are released beside notes: what detectors find in them does not pass.

A value is read as a small note of its patient: whatever the policy replaces in notes is refused in
it, with its row, before anything is drawn or charged for that row. Equal values are read once.
Numbers, dates and what is neither text nor number are not looked at. In a short text, as in a
closed list of wards or professions, what describes many people passes; a name never does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from dpdeid.detect.known_facts.metadata import Metadata
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.formats.rows import Row
from dpdeid.formats.write import without_identity
from dpdeid.french.calendar import day_of
from dpdeid.labels import NAMES, Label

SHORT: Final = 40
"""Characters up to which a value may be one of a closed list."""
BYTES: Final = "bytes"
OF_MANY: Final = frozenset(
    {
        Label.UNIT, Label.ROOM, Label.PROFESSION, Label.NATIONALITY, Label.MARITAL_STATUS,
        Label.KINSHIP, Label.AGE, Label.DURATION, Label.TIME, Label.COUNTRY,
    }
)  # fmt: skip
"""Labels of what describes many people: a short value may be one."""

_NUMBER: Final = re.compile(r"[-+<>≤≥]?\s?\d[\d ,.'\u00a0\u202f]*%?")
_LEAST_DIGITS: Final = 8
"""Digits from which a number may be a telephone or an identifier."""
_SURE: Final = 0.5
"""The score from which a name or a number in a short value is believed."""
_LEAST_NAME: Final = 3
"""Characters of a value from which it may be a name, and no code."""
_HELD: Final = 10_000
"""Values that are remembered of a column."""

Found = tuple[tuple[str, int], ...]
"""How often each label was found, the most frequent first; nothing of the value."""


@dataclass(slots=True)
class Kept:
    """Looks at the columns of rows that are released as they are.

    Args:
        engine: whose detectors look, and whose policy says what may stay.
        columns: those that are looked at.
        refused: column → how many rows were refused for it.
        found: column → what was found in it, by label.
    """

    engine: Deidentifier
    columns: tuple[str, ...]
    refused: Counter[str] = field(default_factory=Counter)
    found: dict[str, Counter[str]] = field(default_factory=dict)
    _read: dict[str, Found] = field(default_factory=dict, repr=False)

    def rest(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows; of one with an identifier in a column there is an error in its place."""
        if not self.columns:
            yield from rows
            return
        for row in rows:
            wrong = "" if row.document is None else self.fault(row.extra, row.document)
            yield replace(row, document=None, error=f"{row.where}: {wrong}") if wrong else row

    def fault(self, values: Mapping[str, Any], note: Document) -> str:
        """Why a row is refused, with columns and counts; "" if it is not."""
        faults = []
        for name in self.columns:
            counts = Counter[str]()
            for text in texts(without_identity(values.get(name))):
                counts.update(dict(self._found(text, note) if text else ((BYTES, 1),)))
            if counts:
                self.refused[name] += 1
                self.found.setdefault(name, Counter()).update(counts)
                faults.append(f"--keep {name}: it holds {listed(counts)}")
        if not faults:
            return ""
        return "; ".join(faults) + " (--keep-as-it-is COLUMN releases them)"

    def told(self) -> Iterator[str]:
        """What is said at the end of a run: each column with what was found in it."""
        for name, number in self.refused.items():
            yield f"--keep {name}: rows refused: {number:,}, with {listed(self.found[name])}"

    def _found(self, text: str, note: Document) -> Found:
        if (found := self._read.get(text)) is None:
            found = self._labels(text, self.engine.detect(Document("kept", text)).spans)
            if len(self._read) < _HELD:
                self._read[text] = found
        if found or not any(note.facts):
            return found
        told = replace(note, id="kept", text=text)
        return self._labels(text, Metadata()(told))

    def _labels(self, text: str, spans: Iterable[Span]) -> Found:
        stays = {x for s in self.engine.policy.strategies if s.name == "keep" for x in s.labels}
        identify = (s.label for s in spans if s.label not in stays and _identifies(text, s))
        return tuple(Counter(map(str, identify)).most_common())


def listed(counts: Mapping[str, int]) -> str:
    """Counts as text: "2 LAST_NAME, 1 CITY"."""
    return ", ".join(f"{number:,} {label}" for label, number in Counter(counts).most_common())


def texts(value: Any) -> Iterator[str]:
    """What may identify somebody in a value: texts, and numbers as long as a telephone's; "" for
    bytes, which no detector reads."""
    if isinstance(value, Mapping):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)
    elif isinstance(value, bytes):
        yield ""
    elif isinstance(value, str | int) and not isinstance(value, bool):
        text = str(value)
        digits = sum(map(str.isdigit, text))
        short = digits < _LEAST_DIGITS and _NUMBER.fullmatch(text.strip())
        if text.strip() and not short and day_of(text) is None:
            yield text


def _identifies(text: str, span: Span) -> bool:
    """Whether what was found is refused: in a short value that may be a false alarm."""
    own = text.strip()
    if len(own) > SHORT:
        return True
    if span.label in OF_MANY or (span.label is Label.DATE and len(span) == len(own)):
        return False
    if span.label.endswith("_ID") and not any(map(str.isdigit, text[span.start : span.end])):
        return False
    if span.label in NAMES and len(own) < _LEAST_NAME:
        return False
    return span.score >= _SURE or not span.label.is_direct
