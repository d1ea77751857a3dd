"""Bare days below a month or a date: "Mars 2021 : 3 : chute ; 12 : IRM", and rows "13 : apyrexie".

They count up, and what they open is no measure and nothing that one counts. Under a line that is
a month, or behind a month and a colon, one day is enough if a mark stands behind it, else two are
needed; below a row that opens with a date two, where the month stands in a sentence three.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from dpdeid.french.measures import COUNTS, UNITS
from dpdeid.normalize import fold

_MONTH: Final = (
    r"(?:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre"
    r"|d[ée]cembre|janv|f[ée]vr?|avr|juil|sept|oct|nov|d[ée]c)\b"
)
_MONTH_TOLD: Final = re.compile(rf"(?i)\b{_MONTH}")
_DAY: Final = r"(?P<day>(?i:le )?(?:0?[1-9]|[12]\d|3[01])(?:er)?)"
_MARK: Final = r"(?:[ \t]*[:;|>=](?![\d])|[ \t]+[-–—>→][ \t]|\t|[ \t]{2,9}|,(?=[ \t]))"
_WORD: Final = rf"(?!(?i:{_MONTH}))(?P<word>[^\W\d_][\w'’-]*)"
_ROW: Final = re.compile(
    rf"(?m)^[ \t]{{0,40}}+[-•*]?[ \t]{{0,9}}{_DAY}(?P<mark>{_MARK}| )[ \t]*{_WORD}[^\n]*$"
)
"""A row that opens with a bare day: "12 : refus toilette"; of a single blank it may count."""
_HEAD: Final = re.compile(
    rf"(?im)(?:^[ \t]{{0,9}}[-•*#]{{0,3}} ?|[.;] )(?:en )?{_MONTH}\.?(?: (?:\d{{4}}|'?\d\d))?"
    r" ?(?P<end>[:(–-]|[ \t]*$)"
)
"""A month that heads lines or items: "Mars 2021 :"."""
_DATED: Final = re.compile(
    rf"(?im)^[ \t]{{0,9}}[-•*]? ?(?:le )?(?P<day>\d{{1,2}})(?:er)?"
    rf"(?:[/.-]\d{{1,2}}(?:[/.-]\d{{2,4}})?| {_MONTH}(?: \d{{4}})?) ?(?:[:,>=–—-]|\t| {{2}})"
)
"""A date that opens a row."""
_ITEM: Final = re.compile(rf"[ \t]?{_DAY}(?P<mark>[ \t]*[:=](?!\d)|,| )[ \t]*{_WORD}")
_BOUND: Final = re.compile(r"[;,.](?=\s)|\)|\n")
_PLURAL: Final = re.compile(r"[^\W\d_]{3,}[sx]|(?i:fois|et|ou|[àa]|sur|sous|h|j|ans?|mois|par)")
"""What stands behind a number that counts."""
_HEADING, _ROWS, _PAIR, _LAST = 240, 3, 2, 31


def listed(text: str) -> Iterator[tuple[int, int]]:
    """Where such days stand."""
    if not _MONTH_TOLD.search(text) and not _DATED.search(text):
        return
    yield from _below(text)
    for head in _HEAD.finditer(text):
        if head["end"].strip():
            yield from _beside(text, head.end())


def _below(text: str) -> Iterator[tuple[int, int]]:
    """The days that open rows."""
    block: list[re.Match[str]] = []
    for row in (*_ROW.finditer(text), None):
        if row and (not block or not text[block[-1].end() : row.start()].strip()):
            block.append(row)
            continue
        if block and _is_of_days(text, block):
            yield from (one.span("day") for one in block)
        block = [row] if row else []


def _is_of_days(text: str, block: Sequence[re.Match[str]]) -> bool:
    """Whether rows open with days, by their numbers and by what stands above them."""
    if not _counts_up(block):
        return False
    above = text[max(0, block[0].start() - _HEADING) : block[0].start()].rstrip()
    last = above.rpartition("\n")[2]
    marked = all(row["mark"] != " " for row in block)
    if (dated := _DATED.match(last)) is not None and int(dated["day"]) < _number(block[0]):
        return marked and len(block) >= _PAIR
    if (head := _HEAD.match(last)) is not None and head.end() == len(last):
        return True
    told = _MONTH_TOLD.search("\n".join(above.splitlines()[-2:])) is not None
    return told and marked and len(block) >= _ROWS


def _beside(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The days of the items behind a month, on its line."""
    items: list[re.Match[str]] = []
    while (item := _ITEM.match(text, start)) is not None:
        items.append(item)
        bound = _BOUND.search(text, item.end())
        if bound is None or bound[0] in ")\n":
            break
        start = bound.end()
    if items and _counts_up(items):
        yield from (item.span("day") for item in items)


def _number(one: re.Match[str]) -> int:
    return int(one["day"].split()[-1].removesuffix("er"))


def _counts_up(block: Sequence[re.Match[str]]) -> bool:
    """Whether numbers rise, but not one by one from one, and open nothing that they could count."""
    numbers = [_number(one) for one in block]
    steps = [after - before for before, after in pairwise(numbers)]
    if numbers[-1] > _LAST or min(steps, default=0) < 0:
        return False
    if not any(steps) or (numbers[0] <= 1 and set(steps) == {1}):
        return not steps and numbers[0] > 1 and block[0]["mark"].strip() in (":", "=")
    return not any(one["mark"] == " " and _is_counted(one["word"]) for one in block)


def _is_counted(word: str) -> bool:
    return fold(word) in UNITS | COUNTS or _PLURAL.fullmatch(word) is not None
