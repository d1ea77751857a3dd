"""Who signs: what stands alone after a letter's closing words, or on its last line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.leanings import leaning
from dpdeid.detect.units import Unit, View
from dpdeid.document import Span
from dpdeid.labels import Label, Role

_CLOSING: Final = voc.SIGN_OFF | voc.words("cdt cdlt")
_LEAST: Final = 2
_MOST: Final = 24
"""Letters between which the last word of a note may be a name."""
_GIVEN: Final = -3.0
"""Log odds from which it is a given name: who signs with one word signs so."""
_TAIL: Final = 60
"""How many tokens from the end a signature is looked for."""


def signatures(view: View) -> Iterator[Span]:
    """Names and initials that sign the note."""
    low = max(0, view.size - _TAIL)
    lines = {at for at in view.breaks if at > low}
    if "\n>" in view.text:
        lines.update(_quoted(view))
    for index in sorted(lines, reverse=True):
        text = view.texts[index]
        before = index - 1
        while before > 0 and view.texts[before] in ",.!->":
            before -= 1
        closed = view.folded[before] in _CLOSING
        unit = view.unit(index)
        if unit is None:
            continue
        last = unit.stop
        ends = last == view.size or last in view.breaks
        if unit.shape == "I" and ends and (last - index >= 4 or (closed and text.isupper())):
            yield view.span(index, last, Label.FIRST_NAME, 0.7, "lookup", Role.STAFF)
        elif not ends or view.bits[index] & voc.CALL:
            continue
        elif unit.shape == "U" and unit.size <= 4:
            if (closed or last == view.size) and unit.strange:
                yield view.span(index, last, Label.FIRST_NAME, 0.7, "lookup", Role.STAFF)
        elif last == view.size and _closes_note(view, unit):
            what = Label.FIRST_NAME if leaning(view, unit) > _GIVEN else Label.LAST_NAME
            yield view.span(index, last, what, 0.6, "lookup", Role.STAFF)
        elif closed and unit.size > 2 and (unit.strange or unit.bits & voc.FIRST):
            what = Label.FIRST_NAME if unit.bits & voc.FIRST or len(text) < 4 else Label.LAST_NAME
            yield view.span(index, last, what, 0.85, "lookup", Role.STAFF)


def _quoted(view: View) -> Iterator[int]:
    """The first tokens of the lines of a mail that is quoted: "> Merci⏎> Anne"."""
    for index in view.after("\n>"):
        at = index
        while at < view.size and view.texts[at] == ">":
            at += 1
        if at < view.size and at not in view.breaks:
            yield at


def _closes_note(view: View, unit: Unit) -> bool:
    """The unit, alone on the last line, is in no list of words and no town: who wrote the note."""
    word = view.folded[unit.first]
    if not unit.strange or unit.bits & (voc.EPONYM | voc.STOP) or not _LEAST < unit.size < _MOST:
        return False
    if gazetteers.medical().get(word) or gazetteers.places_named(word):
        return False
    return unit.shape != "L" or unit.stop == unit.first + 1
