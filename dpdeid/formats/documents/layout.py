"""The lines of a page, and which of them are its header, its body, its margins and its footer.

- Header and footer: lines at the top and bottom that come again on other pages, numbers apart,
  before any long line that does not, and what lies beyond them; of a page without such lines, what
  stands near its edge behind the widest gap.
- Margins: what stands wholly beside the column of the long lines, such as a list of the staff.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

UNKNOWN: Final = "\ufffd"
"""A letter that no font names."""
_ENDS: Final = (0.3, 0.25)
"""Shares of a page, top and bottom, in which lines that come again are a header or a footer."""
_EDGES: Final = (0.12, 0.1)
"""Shares of a page in which a wide gap ends a header or begins a footer."""
_TELLING: Final = 20
"""Letters from which a line is told by its text, and not by its height as well."""
_WIDE: Final = 1.8
"""A wide gap, in distances of lines."""
_NEAR: Final = 4.0
"""Points within which places are one."""
_LONG: Final = 0.35
"""Share of the width of a page from which a line is long."""
_RULES: Final = 20
"""Lines and curves of a page that frames and rules may have: a short word in outlines has more."""
_FEW: Final = 100
_COVERED: Final = 0.5
_LIGATURES: Final = {0xFB00 + at: text for at, text in enumerate(("ff", "fi", "fl", "ffi", "ffl"))}


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of text on one line of a page, in points from its lower left corner."""

    text: str = field(repr=False)
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its lines, in no order.

    Args:
        pictured: how much of it images cover, as a share.
        drawn: lines and curves of its drawings, which letters may be.
    """

    width: float
    height: float
    lines: tuple[Line, ...]
    pictured: float = 0.0
    drawn: int = 0

    @property
    def is_image(self) -> bool:
        """Whether what it says stands in an image, or a drawing of letters: no text does beside
        it, or few letters do on an image that covers half of the page, as a stamp of the scanner.
        """
        letters = sum(len(line.text) for line in self.lines)
        if not letters:
            return self.pictured > 0 or self.drawn > _RULES
        return letters < _FEW and self.pictured >= _COVERED


@dataclass(frozen=True, slots=True)
class Parts:
    """The lines of a page by what they are."""

    header: tuple[Line, ...]
    body: tuple[Line, ...]
    margins: tuple[Line, ...]
    footer: tuple[Line, ...]


def text_of(laid: Sequence[Page], *, body: bool) -> str:
    """The text of pages, or of their bodies.

    Raises:
        ValueError: they have no text, or no body that can be told.
    """
    if not any(page.lines for page in laid):
        raise ValueError("no text in it")
    found = parted(laid)
    if body:
        texts = [written(parts.body) for parts in found]
    else:
        fields = ("header", "body", "margins", "footer")
        texts = [written(getattr(parts, name)) for parts in found for name in fields]
    text = "\n".join(filter(None, texts))
    if not text:
        raise ValueError("its body cannot be told from headers and margins: read all of it")
    return text


def written(lines: Iterable[Line]) -> str:
    """Lines as a text: from top to bottom, what stands beside each other in one row."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: (-_middle(one), one.x0)):
        last = rows[-1][0] if rows else None
        if last and abs(_middle(last) - _middle(line)) < min(last.height, line.height) / 2:
            rows[-1].append(line)
        else:
            rows.append([line])
    return "\n".join(_row(sorted(row, key=lambda one: one.x0)) for row in rows)


def _middle(line: Line) -> float:
    return (line.y0 + line.y1) / 2


def _row(row: Sequence[Line]) -> str:
    text = row[0].text
    for before, line in pairwise(row):
        text += ("\t" if line.x0 - before.x1 > line.height else " ") + line.text
    return text.translate(_LIGATURES)


def parted(laid: Sequence[Page]) -> list[Parts]:
    """The parts of each page."""
    again = _again(laid)
    left, right = _column(laid, again)
    found = []
    for page in laid:
        beside = {line for line in page.lines if line.x1 < left or line.x0 > right}
        low, high = _edges(page, again, [line for line in page.lines if line not in beside])
        inside = [line for line in page.lines if low < _middle(line) < high]
        found.append(
            Parts(
                tuple(line for line in page.lines if _middle(line) >= high),
                tuple(line for line in inside if line not in beside),
                tuple(line for line in inside if line in beside),
                tuple(line for line in page.lines if _middle(line) <= low),
            )
        )
    return found


def _key(line: Line) -> str:
    """A line without its numbers: those of pages differ."""
    return re.sub(r"\d+", "0", " ".join(line.text.split()))


def _again(laid: Sequence[Page]) -> set[str]:
    """Lines near the top or bottom that come again at their place on half of the pages or more; at
    any height if they are telling and stand at the very edge of one, since the first page may have
    a larger header.
    """
    seen: Counter[tuple[str, int, int]] = Counter()
    at_edge = {
        _key(line) for page in laid for line in page.lines if not _is_amid(page, line, _EDGES)
    }
    for page in laid:
        near = [(_key(line), line) for line in page.lines if not _is_amid(page, line, _ENDS)]
        free = {key for key, _ in near if len(key) >= _TELLING and key in at_edge}
        places = {
            (key, round(one.x0 / _NEAR), 0 if key in free else round(one.y0 / _NEAR))
            for key, one in near
        }
        seen.update(places)
    return {key for (key, _, _), count in seen.items() if count > max(1, len(laid) // 2 - 1)}


def _is_amid(page: Page, line: Line, ends: tuple[float, float]) -> bool:
    """Whether a line stands between such shares of its page at the top and at the bottom."""
    return ends[1] * page.height < _middle(line) < (1 - ends[0]) * page.height


def _is_long(page: Page, line: Line) -> bool:
    return line.x1 - line.x0 >= _LONG * page.width


def _edges(page: Page, again: set[str], lines: Sequence[Line]) -> tuple[float, float]:
    """Between which heights the body of a page lies.

    Args:
        lines: those that do not stand beside the column.
    """
    heights = [_middle(line) for line in lines if _key(line) in again]
    texts = [_middle(one) for one in lines if _is_long(page, one) and _key(one) not in again]
    last, first = _gaps(page, lines)
    above = [
        at for at in heights if at >= max(texts, default=0) and at > (1 - _ENDS[0]) * page.height
    ]
    below = [at for at in heights if at <= min(texts, default=at) and at < _ENDS[1] * page.height]
    return max(below, default=last), min(above, default=first)


def _gaps(page: Page, lines: Sequence[Line]) -> tuple[float, float]:
    """Where the widest gaps part what stands near the bottom and the top of a page from the rest,
    if they are wide.
    """
    top, bottom = page.height + 1, -1.0
    steps = [
        (_middle(a), _middle(b))
        for a, b in pairwise(sorted(lines, key=_middle, reverse=True))
        if _middle(a) - _middle(b) > min(a.height, b.height) / 2
    ]
    if not steps:
        return bottom, top
    wide = _WIDE * median(high - low for high, low in steps)
    above = [step for step in steps if step[0] > (1 - _EDGES[0]) * page.height]
    below = [step for step in steps if step[1] < _EDGES[1] * page.height]
    for high, low in sorted(above, key=_size)[-1:]:
        top = high if high - low >= wide else top
    for high, low in sorted(below, key=_size)[-1:]:
        bottom = low if high - low >= wide else bottom
    return bottom, top


def _size(step: tuple[float, float]) -> float:
    return step[0] - step[1]


def _column(laid: Sequence[Page], again: set[str]) -> tuple[float, float]:
    """Where the column of the long lines begins and ends, in points from the left."""
    left, right = Counter[int](), Counter[int]()
    for page in laid:
        for line in page.lines:
            if _is_long(page, line) and _key(line) not in again:
                left[round(line.x0 / _NEAR)] += len(line.text)
                right[round(line.x1 / _NEAR)] += len(line.text)
    if not left:
        return 0.0, max(page.width for page in laid)
    return (left.most_common(1)[0][0] - 1) * _NEAR, (max(right) + 1) * _NEAR
