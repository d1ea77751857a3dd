"""Surrogates before blanks, which tell no length: one constant number stands in the place of any.

"Nom : DURAND    Ville : LILLE" in a form of fixed width tells by its blanks how long each value
was; in a form whose columns are parted by so many blanks the width of a column would tell it.
Nobody can say which it is, so neither is kept: three blanks or more behind a mention, or two in a
line that has three elsewhere, become four. A day below ten that a blank pads ("le  3/04/2021")
loses the blank with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from dpdeid.document import Surrogate
from dpdeid.labels import Label
from dpdeid.substitute.cedex import without_numbers

_BLANKS: Final = re.compile(r"[ \u00a0]{2,}")
_WIDE: Final = re.compile(r"[ \u00a0]{3}")
_PADDED: Final = re.compile(r"(?<=[^\W_])[ \u00a0]{2}\Z|(?<=: )[ \u00a0]\Z")
"""Before a number that is a digit short."""
_SHORT: Final = re.compile(r"\d(?!\d)")
_COUNTED: Final = frozenset((Label.DATE, Label.BIRTH_DATE, Label.AGE, Label.TIME))
_LOOKED_AT: Final = 3
_APART: Final = "    "


def in_widths(text: str, surrogates: Iterable[Surrogate]) -> Iterator[Surrogate]:
    """The sorted surrogates of a text, with the blanks behind them that part columns."""
    done = 0
    for one in without_numbers(text, surrogates):
        span = one.mention.span
        start, end, new = span.start, span.end, one.text
        before = _PADDED.search(text, max(done, start - _LOOKED_AT), start)
        if before and span.label in _COUNTED and _SHORT.match(text, start):
            start -= 1
        blanks = _BLANKS.match(text, end)
        if blanks and _is_field(text, blanks):
            end, new = blanks.end(), new + _APART
        done = end
        if (start, end) == (span.start, span.end):
            yield one
            continue
        wide = replace(span, start=start, end=end)
        yield one._replace(mention=one.mention._replace(span=wide, text=text[start:end]), text=new)


def _is_field(text: str, blanks: re.Match[str]) -> bool:
    """Whether blanks end a field, and are no slip between two words."""
    if len(blanks[0]) > 2:
        return True
    first, end = text.rfind("\n", 0, blanks.start()) + 1, text.find("\n", blanks.end())
    return _WIDE.search(text, first, len(text) if end < 0 else end) is not None
