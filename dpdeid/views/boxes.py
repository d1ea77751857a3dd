"""Values of forms with a box a character, read as one: "1 2 / 0 3 / 1 9 5 8", "D|U|P|O|N|T".

A row that counts up, or repeats one sign, is a scale and is left, and so is a dose in capitals
("2 G I V"). Wider gaps part words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from dpdeid.french.doses import is_order, is_ticked
from dpdeid.french.measures import HEADS
from dpdeid.normalize import fold
from dpdeid.views.reading import Edit
from dpdeid.views.words import is_name

_GAP: Final = r"(?:[ \t|_\[\]]{1,9}|[ |_\[\]]{0,3}['/.()+-][ |_\[\]]{0,3})"
_ROW: Final = re.compile(rf"(?<![^\W_])(?<!\d[.,])[^\W_](?:{_GAP}(?!à )[^\W_](?![^\W_])){{3,60}}")
_GAPS: Final = re.compile(rf"(?<=[^\W_]){_GAP}(?=[^\W_])")
_MARK: Final = re.compile(r"['/.()+-]")
_FRAME: Final = re.compile(r"[|_\[\]]")
_LEFT: Final = re.compile(r"(?<![|_\[ \t])[ \t]*[|_\[][ \t]*\Z")
_RIGHT: Final = re.compile(r"[ \t]*[|_\]](?![|_\[\]])[ \t]*")
"""The frame of the first and of the last box."""
_SHORT: Final = re.compile(
    r"(?<=[^\W\d_])[ \t]{1,9}:?[ \t]{0,9}(?P<row>(?:\|[^\W_]){2,3}\||(?:\[[^\W_]\]){2,3})(?!\S)"
)
"""Two or three boxes behind a word: "clé |5|4|", "Lit [1][2]"."""
_SIDES: Final = re.compile(r"[|\[\]]+")
_FEW: Final = 6
"""So many digits with spaces alone between them are one number, or four with a date's slash."""
_FRAMED: Final = 3
"""Boxes that are a row."""
_PAIRS: Final = re.compile(r"\d/\d(?:[ \t]{1,9}\d/\d)*(?:[ \t]{1,9}\d)?")
"""A row of days or of scores: "5/4  6/6  8/8"."""
_TIGHT: Final = re.compile(r"\d[.,]\d")
_DAYS, _MONTHS = 31, 12
_COUNTING: Final = 0.7
_BEFORE: Final = 40
_WORDS: Final = 3


def edits(text: str) -> Iterator[Edit]:
    """What stands between the boxes of a row, read as nothing, a mark or a space."""
    yield from sorted((*_long(text), *_short(text)))


def _short(text: str) -> Iterator[Edit]:
    """The frames of two or three boxes behind a word that is no measurement's."""
    for row in _SHORT.finditer(text) if "|" in text or "[" in text else ():
        start, end = row.span("row")
        signs = [c for c in row["row"] if c.isalnum()]
        if len(signs) == _FRAMED and _is_scale(signs):
            continue
        if _is_measured(text, start):
            continue
        for side in _SIDES.finditer(text, start, end):
            outer = side.start() == start or side.end() == end
            yield Edit(*side.span(), " " if outer else "", hollow=outer)


def _long(text: str) -> Iterator[Edit]:
    for row in _ROW.finditer(text):
        if _PAIRS.fullmatch(row[0]):
            continue
        gaps = [*_GAPS.finditer(text, row.start(), row.end())]
        if _is_slashed([gap[0] for gap in gaps], row[0]) or _is_spelt(gaps, row[0]):
            marked = (gap for gap in gaps if gap[0].strip())
            yield from (Edit(gap.start(), gap.end(), gap[0].strip(" /-")) for gap in marked)
            continue
        bare = [gap[0] for gap in gaps if not _MARK.search(gap[0])]
        if not bare or not _is_row(row[0], bare) or _is_measured(text, row.start()):
            continue
        usual = {
            framed: Counter(gap for gap in bare if bool(_FRAME.search(gap)) is framed)
            for framed in (True, False)
        }
        framed = [bool(_FRAME.search(gap[0])) for gap in gaps]
        spelt = all(c.isalpha() or c == " " for c in row[0])
        if framed[0] and (before := _LEFT.search(text, max(0, row.start() - 9), row.start())):
            yield Edit(before.start(), before.end(), " ", hollow=True)
        for at, gap in enumerate(gaps):
            mark = _MARK.search(gap[0])
            beside = framed[max(0, at - 1) : at + 2]
            least = usual[framed[at]].most_common(1)
            loose = not spelt or len(least[0][0]) > 1
            wide = bool(least) and len(gap[0]) > len(least[0][0]) + loose
            parts = not mark and (wide or (not framed[at] and any(beside)))
            plain = mark[0] if mark else " " if parts else ""
            if plain != gap[0]:
                yield Edit(gap.start(), gap.end(), plain, hollow=parts)
        if framed[-1] and (behind := _RIGHT.match(text, row.end())):
            yield Edit(behind.start(), behind.end(), " ", hollow=True)


def _is_slashed(gaps: Sequence[str], row: str) -> bool:
    """Whether slashes stand between all characters, as in "3/1 . 1/2 . 1/9/6/4"; no posology."""
    digits = sum(map(str.isdigit, row))
    return (
        sum(gap == "/" for gap in gaps) >= _FRAMED
        and all(gap == "/" or gap != gap.strip() for gap in gaps)
        and (digits >= _FEW or not digits)
    )


def _is_spelt(gaps: Sequence[re.Match[str]], row: str) -> bool:
    """Whether single hyphens stand between letters, as in "D-U-P-O-N-T"."""
    signs = [c for c in row if c.isalnum()]
    letters = all(map(str.isalpha, signs)) and not _is_scale(signs)
    return letters and all(gap[0] == "-" for gap in gaps)


def _is_measured(text: str, start: int) -> bool:
    """Whether what stands before a row on its line is what measurements are called."""
    before = text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    words = re.findall(r"[^\W_]+", fold(before))[-_WORDS:]
    return any(len(word) > 1 and word in HEADS for word in words)


def _is_row(row: str, gaps: Sequence[str]) -> bool:
    signs = [c for c in row if c.isalnum()]
    if _is_scale(signs) or is_ticked([*map(fold, signs)]):
        return False
    if not any(map(_FRAME.search, gaps)) and _is_order(signs):
        return False
    if sum(map(bool, map(_FRAME.search, gaps))) >= _FRAMED:
        return True
    if not all(map(str.isdigit, signs)):
        return not _TIGHT.search(row) and all(map(str.isalpha, signs)) and len(gaps) >= _FRAMED
    if _TIGHT.search(row) and not _is_dotted_date(row):  # a row of decimals
        return False
    return len(gaps) >= _FRAMED and (len(signs) >= _FEW or "/" in row)


def _is_order(signs: Sequence[str]) -> bool:
    """Whether the signs say a dose or a way of giving and spell no name: "I V L D"."""
    folded = [*map(fold, signs)]
    return is_order(folded) and not is_name("".join(folded))


def _is_scale(signs: Sequence[str]) -> bool:
    """Whether the signs count up, or are all the same."""
    up = sum(ord(b) - ord(a) == 1 for a, b in pairwise(signs))
    return up >= _COUNTING * (len(signs) - 1) or len(set(signs)) == 1


def _is_dotted_date(row: str) -> bool:
    parts = ["".join(filter(str.isdigit, part)) for part in re.split("[.,]", row)]
    return (
        [*map(len, parts)] in ([2, 2, 2], [2, 2, 4])
        and 0 < int(parts[0]) <= _DAYS
        and 0 < int(parts[1]) <= _MONTHS
    )
