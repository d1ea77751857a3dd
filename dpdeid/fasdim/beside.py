"""What goes with a word that is removed, for where it stands: names behind titles, places behind
their nouns, words with capitals in a row, particles between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.rules.fragments import folded
from dpdeid.fasdim.lists import Lists
from dpdeid.fasdim.numbers import is_elision
from dpdeid.fasdim.starting import DRUG, LISTS, SHORT_TIMES, Verdict, is_medical, phrases, withheld
from dpdeid.french import titles
from dpdeid.french.tables import words_by_key
from dpdeid.labels import Role

_SHORT: Final = voc.words("m me mm pr prof pre doc")
"""Titles that are words or units in small letters."""
_PARTICLES: Final = voc.PARTICLES | voc.words("en sur sous aux au lez et")
_GAP: Final = 4
"""Tokens between two removed words, at most, that may all be particles."""
_BEHIND: Final = 2
"""Words behind a title."""
_BEHIND_PLACES: Final = 4
_INITIALS: Final = 4


def is_title(view: View, at: int) -> bool:
    """Whether a token is a title that a name follows."""
    word, text = view.folded[at], view.texts[at]
    if word not in titles.TITLES or (at and view.texts[at - 1].isdigit()):
        return False
    if len(text) == 1 and _is_initial(view, at):
        return False
    return word not in _SHORT or text[0].isupper()


def _is_initial(view: View, at: int) -> bool:
    """The letter of "J.-M. Roux", "M.-C. Roux", or "ROUX M."."""
    if view.glued(at) and view.texts[at - 1] in "-.":
        return True
    name = at + 1 + (view.texts[at + 1 : at + 2] == (".",))
    return name >= view.size or name in view.breaks or not view.texts[name].isalpha()


def titled(view: View, lists: Lists, *, published: bool) -> Iterator[tuple[int, Role]]:
    """The one or two words behind each title, with whose name they are."""
    for at in range(view.size):
        if is_title(view, at):
            role = voc.TITLES[view.folded[at]]
            start = at + 1 + (view.texts[at + 1 : at + 2] == (".",))
            for count, token in enumerate(_behind(view, start)):
                ordinary = lists.word(view.folded[token]) is Verdict.AUTHORIZED
                if count and not published and view.texts[token].islower() and ordinary:
                    break
                yield token, role


def _behind(view: View, at: int, left: int = _BEHIND) -> Iterator[int]:
    """The next words on the line; particles and what a hyphen joins do not count."""
    while left and at < view.size and at not in view.breaks:
        if view.texts[at] in "-'." and view.glued(at):
            left += view.texts[at] == "-"
        elif view.texts[at].isalpha():
            yield at
            left -= view.folded[at] not in _PARTICLES
        else:
            return
        at += 1


@cache
def _departments() -> frozenset[str]:
    """Words that may stand in the name of a department."""
    names = folded("SPECIALTIES, MODIFIERS, HOSPITAL_KINDS")
    words = {word for name in names for word in re.findall(r"[a-z]+", name)}
    return frozenset(words.union(words_by_key("addresses")["adjective"]))


def places(view: View) -> Iterator[int]:
    """Place nouns with what stands behind them, and words of departments behind one another."""
    for at, word in enumerate(view.folded):
        for phrase in phrases().get(word, ()):
            if found := _same(view, at, phrase):
                yield from (*found, *_department(view, found[-1] + 1))
        if word in LISTS["heads"]:
            yield from _named_place(view, at)
        if word in LISTS["disciplines"] or (word in withheld() and word in _departments()):
            yield from _department(view, at + 1)


def _same(view: View, at: int, phrase: Sequence[str]) -> list[int]:
    """The tokens of a phrase that begins at a token; none if it does not stand there."""
    found = []
    for word in phrase:
        if view.word(at) in ("'", "-"):
            at += 1
        if view.word(at) != word:
            return []
        found.append(at)
        at += 1
    return found


def _named_place(view: View, at: int) -> Iterator[int]:
    """What a place noun is about: words with capitals, behind some nouns also in small letters;
    the noun itself where it belongs to the name ("Clinique du Parc").
    """
    word = view.folded[at]
    small = word in LISTS["open_heads"]
    outer = word in LISTS["outer_heads"]
    waiting: list[int] = [] if outer else [at]
    for token in _behind(view, at + 1, _BEHIND_PLACES):
        folded_word = view.folded[token]
        if is_title(view, token) and folded_word in titles.CIVILITIES:
            return
        if view.texts[token].islower() and not small:
            if folded_word not in _PARTICLES and folded_word not in _departments():
                return
            waiting.append(token)
            continue
        if view.texts[token].islower() and folded_word in _PARTICLES:
            waiting += [] if outer else [token]
            continue
        if view.texts[token].islower():
            small = False
            yield from _department(view, token + 1)
        yield from (*waiting, token)
        waiting, outer = [], False


def _department(view: View, at: int) -> Iterator[int]:
    """Words of the name of a department that begins before a token."""
    waiting: list[int] = []
    for token in _behind(view, at):
        if view.folded[token] in _PARTICLES:
            waiting.append(token)
        elif view.folded[token] in _departments():
            yield from (*waiting, token)
            waiting = []
        else:
            return


def particles(view: View, gone: set[int]) -> Iterator[int]:
    """Particles between two removed words, and one with a capital before them."""
    order = sorted(gone)
    for one, other in pairwise(order):
        middle = range(one + 1, other)
        if 0 < len(middle) <= _GAP and not view.breaks.intersection(range(one + 1, other + 1)):
            words = [at for at in middle if view.texts[at].isalpha()]
            ends = view.texts[one].isalpha() and view.texts[other].isalpha()
            if (
                ends
                and words
                and all(view.folded[at] in _PARTICLES for at in words)
                and all(view.texts[at] in "-'" for at in middle if not view.texts[at].isalpha())
            ):
                yield from words
    for at in order:
        before = at - 1 - (view.texts[at - 1] == "'") if at else -1
        part = before >= 0 and (view.folded[before] in _PARTICLES or is_elision(view, before))
        if part and at not in view.breaks:
            text = view.texts[before]
            opens = view.opens(before) and not (before > 1 and before - 2 in gone)
            if view.texts[at].isalpha() and text[0].isupper() and not opens:
                yield before


def joined(view: View, gone: set[int]) -> Iterator[int]:
    """Words with a capital in a row with a removed one: "Fort-de-France", "Grand Est"."""
    for way, order in ((1, sorted(gone)), (-1, sorted(gone, reverse=True))):
        for at in order:
            while (at := _neighbour(view, at, way)) >= 0 and at not in gone:
                yield at


def companions(view: View, gone: set[int]) -> Iterator[int]:
    """What goes with a removed token beside it: short days, months and seasons ("jeu 12/03"), and
    initials behind others ("PYT/ml").
    """
    for at in gone:
        text, initials = view.texts[at], at + 2
        before = at - 1 - (view.texts[at - 1] == ".")
        if text.isdigit() and at not in view.breaks and view.word(before) in SHORT_TIMES:
            yield before
        if text.isupper() and len(text) <= _INITIALS and view.word(at + 1) == "/":
            letters = view.word(initials)
            if view.glued(initials) and letters.isalpha() and len(letters) < _INITIALS:
                yield initials


def _neighbour(view: View, at: int, way: int) -> int:
    """The word beside one with a capital that has one as well, -1 if there is none."""
    start = at
    if not view.texts[at][0].isupper():
        return -1
    for _ in range(_GAP):
        at += way
        if not 0 <= at < view.size or (at if way > 0 else at + 1) in view.breaks:
            return -1
        glued = view.glued(at if way > 0 else at + 1)
        upper = glued and view.texts[at].isupper() and len(view.texts[at]) > 1
        if upper or (is_title_case(view, at) and is_title_case(view, start)):
            safe = is_title(view, at) or is_medical(view.folded[at])
            glued = glued and not gazetteers.medical().get(view.folded[at], 0) & DRUG
            opens = view.opens(at) and not glued
            return -1 if (safe and not glued) or opens else at
        if view.texts[at] not in "-'" and view.folded[at] not in _PARTICLES:
            return -1
    return -1


def is_title_case(view: View, at: int) -> bool:
    text = view.texts[at]
    return text.isalpha() and len(text) > 1 and text[0].isupper() and not text.isupper()
