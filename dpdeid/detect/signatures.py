"""Who signs: what stands alone after a letter's closing words, or on its last line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.units import View
from dpdeid.document import Span
from dpdeid.labels import Label, Role

_TAIL: Final = 60
"""How many tokens from the end a signature is looked for."""


def signatures(view: View) -> Iterator[Span]:
    """Names and initials that sign the note."""
    low = max(0, view.size - _TAIL)
    for index in sorted((at for at in view.breaks if at > low), reverse=True):
        text = view.texts[index]
        before = index - 1
        while before > 0 and view.texts[before] in ",.!-":
            before -= 1
        closed = view.folded[before] in voc.SIGN_OFF
        unit = view.unit(index)
        if unit is None:
            continue
        last = unit.stop
        ends = last == view.size or last in view.breaks
        if unit.shape == "I" and last - index >= 4 and ends:
            yield view.span(index, last, Label.FIRST_NAME, 0.7, "lookup", Role.STAFF)
        elif not ends or view.bits[index] & (voc.TITLE | voc.ROLE):
            continue
        elif unit.shape == "U" and unit.size <= 4:
            if (closed or last == view.size) and unit.strange:
                yield view.span(index, last, Label.FIRST_NAME, 0.7, "lookup", Role.STAFF)
        elif closed and unit.size > 2 and (unit.strange or unit.bits & voc.FIRST):
            what = Label.FIRST_NAME if unit.bits & voc.FIRST or len(text) < 4 else Label.LAST_NAME
            yield view.span(index, last, what, 0.85, "lookup", Role.STAFF)
