"""Step 3 of FASDIM: which words and numbers of a note are removed, since no list vouches for them.

Beyond the paper, whose misses were parts of places (64 %) and names (23 %): what stands behind a
place noun ("rue du Petit Moulin") goes as what stands behind a title does; particles between two
removed words go with them, and so does what is glued to a removed number; a word that is also a
name is kept in small letters only, and an ordinary word with a capital inside a sentence if it is
one of medicine; of two words behind a title an ordinary one in small letters stays.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from dpdeid.detect.names.name_tokens import View
from dpdeid.fasdim import beside
from dpdeid.fasdim.beside import is_title, is_title_case
from dpdeid.fasdim.lists import Lists
from dpdeid.fasdim.numbers import WORDS as NUMERALS
from dpdeid.fasdim.numbers import Number, Shape, numbers
from dpdeid.fasdim.starting import (
    LISTS,
    Verdict,
    is_frequent_name,
    is_medical,
    is_unit,
)

_GLUE: Final = frozenset("-_")
_LINKED: Final = frozenset(("a", "ou", "et", "-", "/", "x", "–"))
"""Between two numbers of one unit: "5 à 10 mg"."""
_FREE: Final = frozenset("gpjt")
"""Letters that a number makes a formula anywhere: "G3P2", "J12", "T1"."""
_CODE: Final = re.compile(r"(?<!\w)(?:[A-Q][A-Z]{3}\d{3}|[A-Z]\d\d\.\d{1,2})(?![\w/-]|\.\d)")
"""Codes of CCAM and ICD-10."""
_OPENERS: Final = frozenset(':;()|/–—=-[]»«"#&')


def removed(
    view: View, lists: Lists, taken: Iterable[int] = (), *, published: bool = False
) -> set[int]:
    """The tokens that no list vouches for, and what goes with them.

    Args:
        taken: tokens that are removed for other reasons.
        published: as in the paper, titles included.
    """
    gone = unvouched(view, lists, published=published)
    if published:
        return gone | {at for at in range(view.size) if is_title(view, at)}
    gone |= {*taken, *beside.places(view)}
    gone |= {*beside.joined(view, gone), *beside.companions(view, gone)}
    return gone | set(beside.particles(view, gone))


def unvouched(view: View, lists: Lists, *, published: bool = False) -> set[int]:
    """The tokens with a letter or digit that no list vouches for, by themselves and as they are
    written; in the published method by themselves alone.
    """
    gone = {at for at in range(view.size) if _is_unknown(view, at, lists, published=published)}
    if not published:
        gone -= view.guarded
    before, behind = set[int](), set[int]()
    for number, protected in judged(view, lists):
        if protected:
            stop = number.tail if is_unit(number) else number.stop
            gone.difference_update(range(number.first, stop))
            before.clear()
            behind.clear()
        elif published or not is_title(view, number.first):
            gone.update(at for at in range(number.first, number.stop) if view.texts[at].isalnum())
            gone.update(() if published else _glued(view, number, before, behind))
    for code in () if published else _CODE.finditer(view.text):
        first = bisect_left(view.starts, code.start())
        if view.word(first - 1) not in LISTS["places_by_number"]:
            gone -= set(range(first, bisect_left(view.starts, code.end())))
    return gone


def _is_unknown(view: View, at: int, lists: Lists, *, published: bool) -> bool:
    text = view.texts[at]
    folded = view.folded[at]
    if not text.isalpha() or len(text) == 1 or folded in NUMERALS:
        return False
    verdict = lists.word(folded)
    if verdict is Verdict.AUTHORIZED and (published or text.islower()):
        return False
    if is_title(view, at) and not published:
        return False
    if published or verdict in (None, Verdict.FORBIDDEN):
        return verdict is not Verdict.AUTHORIZED
    if verdict is Verdict.LOWER:
        return not (text.islower() or _opens_plainly(view, at))
    inside = is_title_case(view, at) and not _starts(view, at)
    return inside and not is_medical(folded)


def _starts(view: View, at: int) -> bool:
    return (
        view.opens(at)
        or len(view.gap(at)) > 1
        or view.texts[at - 1] in _OPENERS
        or view.texts[at - 1].isdigit()
    )


def _opens_plainly(view: View, at: int) -> bool:
    """A word with a capital because it opens a sentence or line, and no name of several words."""
    if is_frequent_name(view.folded[at]):
        return False
    after = view.texts[at + 1 : at + 2]
    alone = not after or at + 1 in view.breaks or not after[0].istitle()
    return view.opens(at) and view.texts[at].istitle() and alone


def judged(view: View, lists: Lists) -> list[tuple[Number, bool]]:
    """All numbers, last first, each with whether it is protected. The first of "5 à 10 mg" is as
    the second is, and the letter of "J12" as its number, unless it tells a place ("chambre B12").
    """
    found: list[tuple[Number, bool]] = []
    for number in reversed(list(numbers(view))):
        protected = lists.number(number) is Verdict.AUTHORIZED
        behind, its = found[-1] if found else (number, False)
        if view.texts[number.first].isalpha() and behind.first == number.stop < view.size:
            if view.glued(number.stop):
                behind_word = number.before.isalnum() or view.folded[number.first] in _FREE
                place = number.before in LISTS["places_by_number"]
                protected = its and behind_word and not place
        elif number.shape is not Shape.OTHER and number.after in _LINKED:
            protected = its if behind.first == number.stop + 1 else protected
        found.append((number, protected))
    return found


def _glued(view: View, number: Number, before: set[int], behind: set[int]) -> Iterator[int]:
    """Letters and digits that stand without a space beside a number that is removed.

    Args:
        before, behind: the tokens that stand so beside others, beyond which all is told; they are
            added to.
    """
    at = number.first
    while (
        at - 1 not in before
        and view.glued(at)
        and (view.texts[at - 1].isalnum() or view.texts[at - 1] in _GLUE)
    ):
        at -= 1
        before.add(at)
        yield from (at,) if view.texts[at].isalnum() else ()
    at = number.stop
    while (
        at not in behind
        and view.glued(at)
        and (view.texts[at].isalnum() or view.texts[at] in _GLUE)
    ):
        behind.add(at)
        yield from (at,) if view.texts[at].isalnum() else ()
        at += 1
