"""The views in turn: each gives edits of the text before it.

What none changes is the same text, and costs a few searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from dpdeid.normalize import clean
from dpdeid.views import boxes, escapes, letters, markup, scans, spacing, speech
from dpdeid.views.apart import cut, dotted, lines
from dpdeid.views.reading import Edit, Reading

_VIEWS: Final[tuple[Callable[[str], Iterable[Edit]], ...]] = (
    escapes.edits,
    markup.edits,
    lines.edits,
    letters.edits,
    speech.edits,
    dotted.edits,
    boxes.edits,
    cut.edits,
    spacing.edits,
    scans.edits,
)


def reading_of(text: str) -> Reading:
    """What a note says, without the form in which it says it. Linear in its length."""
    reading = Reading(text, text)
    for view in _VIEWS:
        if found := tuple(view(reading.text)):
            reading = reading.edited(found)
        if view is markup.edits:
            reading = _cleaned(reading)
    return reading


def _cleaned(reading: Reading) -> Reading:
    """With ordinary spaces, hyphens and apostrophes, composed, without invisible characters."""
    view = clean(reading.text)
    if view.starts is None or view.ends is None:
        return Reading(reading.raw, view.text, reading.starts, reading.ends)
    if reading.starts is None or reading.ends is None:
        return Reading(reading.raw, view.text, view.starts, view.ends)
    raw = [
        (reading.starts[start], reading.ends[start])
        if end == start + 1
        else reading.to_raw(start, end) or (0, 0)
        for start, end in zip(view.starts, view.ends, strict=True)
    ]
    starts, ends = zip(*raw, strict=True) if raw else ((), ())
    return Reading(reading.raw, view.text, starts, ends)
