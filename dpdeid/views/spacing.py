"""Words and numbers that are stuck together, words broken at the end of a line and names that a
scan broke in two, mended: "DrMARTINhépato" is read as "Dr MARTIN hépato".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.tables import words_by_key
from dpdeid.french.titles import KIN, ROLES, TITLES
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold
from dpdeid.views.reading import Edit
from dpdeid.views.words import IS_KNOWN, is_name, runs, words

_UPPER: Final = "A-ZÀ-ÖØ-Þ"
_LOWER: Final = "a-zà-öø-ÿ"
_TWO_WORDS: Final = re.compile(
    rf"(?<![{_UPPER}])([{_UPPER}]{{3,}}?)(?=([{_UPPER}][{_LOWER}]{{2,}}))"  # DUPONT|Jean
    rf"|(?<![^\W\d_])([^\W\d_]?[{_LOWER}]+)(?=([{_UPPER}](?:[{_LOWER}]+|[{_UPPER}]{{2,}}))"
    r"(?![^\W\d_]))"  # Jean|Dupont
)
_NUMBERED: Final = re.compile(
    rf"(?<=[{_LOWER}]{{2}})(?=[A-Z]{{1,3}}\d{{2}})"  # lot|J21
    r"|(?<![^\W_])(?:IPP|NIP|NDA|IEP|NIR|INS|RPPS|NISS|AVS)(?=[A-Z]?\d)"
    r"|(?<![^\W_])(?i:fax|t[ée]l)(?=[O0]\d)"
    rf"|(?<=\d{{8}})(?=[{_UPPER}][{_LOWER}]{{2}})"  # 0299467120|Urgences
    rf"|(?<=[{_LOWER}]{{4}})(?=[{_UPPER}]\.)"  # externe|M.
)
_TITLED: Final = re.compile(
    r"(?i:monsieur|madame|mademoiselle|docteur|mme|mlle)(?=[^\W\d_]{3})"
    rf"|(?:[Mm]r|[Dd]re?|[Pp]re?|[Pp]rof|M(?=[{_UPPER}]{{4}}))(?=[{_UPPER}][^\W\d_]{{2}})"
)
"""A title that is stuck to a name; a short one only before a capital."""
_ROLE: Final = re.compile(rf"[{_LOWER}]{{3,12}}(?=[{_UPPER}])")
_RUNS: Final = re.compile(rf"[{_UPPER}][{_LOWER}]+|[{_UPPER}]+|[{_LOWER}]+")
"""A word in pieces of one case: "Lucas", "THIBAULT", "fièvre"."""
_STAMP: Final = re.compile(
    r"(?<![\d.,])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
    r"(?=(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?![.,]?\d))"
)
"""The day of a day and time as HL7 and file names write it, "20241204153000"."""
_LONG: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]{5,40}(?![^\W\d_])")
_LENGTHS: Final = range(5, 41)
_MAYBE: Final = re.compile(
    rf"[{_LOWER}]{{2}}[A-Z]{{1,3}}\d\d|[{_LOWER}]{{4}}[{_UPPER}]\Z|\d{{8}}[{_UPPER}][{_LOWER}]"
    r"|\d{12}|(?:IPP|NIP|NDA|IEP|NIR|INS|RPPS|NISS|AVS)[A-Z]?\d|(?i:fax|t[ée]l)[O0]\d"
)
_MAYBE_NUMBERED: Final = Memo(lambda run: _MAYBE.search(run) is not None)
"""Whether a run of letters and digits may be a word and a number, or a stamp."""
_BROKEN: Final = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{1,24})(-[ \t]*\r?\n[ \t]*|- )(?=([^\W\d_]{1,24}))"
)
_BREAKS: Final = ("- ", "-\t", "-\r", "-\n")
_PARTED: Final = re.compile(
    rf"(?<![^\W_]|[-'.])([{_UPPER}][{_LOWER}]{{1,11}}) (?=([{_LOWER}]{{2,12}})(?![^\W_]|[-']))"
)
"""A capital word, a space and a small one: "Szw arc"."""
_NEAR: Final = 16
"""Characters before a name in which its title stands."""
_SHORT: Final = 6
_LEAST: Final = 4
"""Letters of a name beside another word."""
_BEHIND: Final = frozenset(
    ("né", "née", "nee", "et", "est", "qui", "pour", "dit", "dans", "avec", "sur", "chez")
)
"""Words that stand behind a name."""
_KIN: Final = frozenset(fold(word) for word, *_ in KIN)
_BEFORE: Final = _KIN | TITLES
_ROLES: Final = _KIN | ROLES.keys() | {"interne", "externe", "enfant", "bebe", "patient"}
_CARE: Final = frozenset(words_by_key("specialties")["short"])
_VERBS: Final = frozenset(("vu", "vue", "revu", "revue", "calme", "agite", "agitee", "se", "a"))
"""What stands behind a name in small letters, besides words of five letters and more."""


def edits(text: str) -> Iterator[Edit]:
    """Spaces between stuck words, and none where a word was broken."""
    letters, stuck = words(text), set[int]()
    if any(map(_MAYBE_NUMBERED.__getitem__, runs(text))):
        stuck.update(m.end() for p in (_NUMBERED, _STAMP) for m in p.finditer(text))
    for match in _TWO_WORDS.finditer(text) if any(map(_HOLDS_TWO.__getitem__, letters)) else ():
        # but in the key of a machine: "StudyTime="
        if _are_names(match) and not text.startswith("=", match.end() + len(match[2] or match[4])):
            stuck.add(match.end())
    seamed = any(_SEAMS[word] for word in letters if len(word) in _LENGTHS)
    for match in _LONG.finditer(text) if seamed else ():
        stuck.update(match.start() + at for at in _SEAMS[match[0]])
    yield from sorted(
        [*_whole(text), *_parted(text), *(Edit(at, at, " ", hollow=True) for at in stuck)],
    )


def _are_names(match: re.Match[str]) -> bool:
    head, tail = (word for word in match.groups() if word)
    whole = tail[1:] in _VERBS and is_name(fold(head + tail[0]))  # "LEROYse"
    return head != "m" and not whole and _opens_a_name(fold(head)) and is_name(fold(tail))


_HOLDS_TWO: Final = Memo(lambda word: any(map(_are_names, _TWO_WORDS.finditer(word))))


def _whole(text: str) -> Iterator[Edit]:
    """Broken words: "consul-tation" is one, "Marie-Claire" and "SAINT-DENIS" keep their hyphen.
    Where an export joined the lines, "Kermar- rec", the whole must be known and a part must not.
    """
    if not any(mark in text for mark in _BREAKS):
        return
    for match in _BROKEN.finditer(text):
        head, gap, tail = match.groups()
        if gap == "- ":
            parts = IS_KNOWN[fold(head)] and IS_KNOWN[fold(tail)]
            if tail.islower() and not parts and IS_KNOWN[fold(head + tail)]:
                yield Edit(match.start(2), match.end(2), "")
            continue
        one = tail[0].islower() or (tail.isupper() and IS_KNOWN[fold(head + tail)])
        yield Edit(match.start(2), match.end(2), "" if one else gap[0])


def _parted(text: str) -> Iterator[Edit]:
    """The space inside a name, where neither or only the second half is known by itself, and inside
    a given name behind a title: "Dr Béran gère Orsini".
    """
    for match in _PARTED.finditer(text):
        before = text[max(0, match.start() - _NEAR) : match.start()].split()
        titled = bool(before) and fold(before[-1].rstrip(".")) in TITLES
        if _ARE_ONE[match[1] + " " + match[2]] or (titled and _is_given(match[1], match[2])):
            yield Edit(match.end(1), match.end(), "")


def _are_one(halves: str) -> bool:
    first, second = fold(halves).split(" ")
    name = first + second
    if len(name) < _SHORT or not is_name(name) or name in gazetteers.words():
        return False
    if first in gazetteers.words() or first in gazetteers.frequency():
        return False
    return not IS_KNOWN[first] or (is_name(first) and not IS_KNOWN[second])


_ARE_ONE: Final = Memo(_are_one)


def _is_given(first: str, second: str) -> bool:
    """Whether the halves are those of a given name."""
    long = len(first + second) >= _SHORT and second not in _BEHIND
    return long and fold(first + second) in gazetteers.first_names()


def _opens_a_name(folded: str) -> bool:
    long = len(folded) >= _LEAST - 1
    return folded in _BEFORE or (long and is_name(folded))


def _seams(word: str) -> tuple[int, ...]:
    """Where the further words begin of what is written as one; nothing if it is one.

    Behind a title any name may stand, behind a relative a first name ("filsyacine"), behind a name
    what tells of its bearer ("Alexiset", "DUPONTnée") or a word of care ("DrMARTINhépato").
    """
    if IS_KNOWN[fold(word)]:
        return ()
    title = _TITLED.match(word) or _ROLE.match(word)
    if title and (title.re is _TITLED or fold(title[0]) in _ROLES):
        behind = tuple(_behind_name(word, title.end()))
        initial = title.end() == 1  # "MBONNEFOYpancréas", and not "MBAYEvu"
        alone = word[: behind[0]] if behind else word
        if not initial or (behind and not is_name(fold(alone)) and is_name(fold(alone[1:]))):
            return title.end(), *behind
    if word.isupper() and word.startswith("DR") and len(word) > _SHORT and is_name(fold(word[2:])):
        return (2,)  # "DRPOIRSON"
    cuts = range(len(word) - 2, 2, -1)
    two = next((at for at in cuts if _are_two(word[:at], word[at:])), 0)
    return (two,) if two else tuple(_loud(word))


def _behind_name(word: str, start: int) -> Iterator[int]:
    """Where words begin behind a name that begins at `start`, and its own second part."""
    runs = [run.span() for run in _RUNS.finditer(word, start)]
    for (first, _), (at, end) in pairwise(runs):
        name, tail = word[first:at], word[at:end]
        if tail.islower() and len(name) > _LEAST and _is_turned(name, tail):
            yield at - 1
        elif (at - first >= _LEAST - 1 or fold(tail) in _CARE) and end - at > 1:
            yield at
    first, last = runs[-1]
    piece = word[first:last]
    if len(piece) > _LEAST and not (piece.islower() or IS_KNOWN[fold(piece)]):
        cuts = range(_LEAST - 1, len(piece) - 1)
        yield from (first + at for at in cuts if _is_led_on(piece[:at], piece[at:]))


def _is_led_on(name: str, tail: str) -> bool:
    """Whether a name of one case goes on with a word of care or what its bearer does."""
    word, named = fold(tail), is_name(fold(name))
    if tail.isupper():
        return word in _CARE and (named or len(word) > _LEAST)
    said = word in _VERBS or word in _CARE or (len(word) > _LEAST and word in gazetteers.words())
    return named and len(name) >= _LEAST and said


def _is_turned(name: str, tail: str) -> bool:
    """Whether the last capital of a name in capitals begins the next word: "DUPONT|Jean"."""
    known = IS_KNOWN[fold(tail)] or fold(tail) in _CARE | _VERBS
    return not known and IS_KNOWN[fold(name[-1] + tail)]


def _loud(word: str) -> Iterator[int]:
    """Where a word in small letters is stuck to a name in capitals: "ROYlevée"."""
    runs = [run[0] for run in _RUNS.finditer(word)]
    if len(runs) == 2 and runs[0].isupper() and runs[1].islower():
        name, tail = runs
        word = fold(tail)
        said = word in _CARE or (len(word) >= _LEAST - 1 and word in gazetteers.words())
        if len(name) >= _LEAST - 1 and said and is_name(fold(name)):
            yield len(name)


def _are_two(head: str, tail: str) -> bool:
    first, last = fold(head), fold(tail)
    if not tail.islower():
        return False
    if head[0].isupper():
        is_name = head.isupper() or first in gazetteers.first_names()
        return is_name and len(head) >= _LEAST and tail in _BEHIND
    return first in _BEFORE and len(tail) >= _LEAST and last in gazetteers.first_names()


_SEAMS: Final = Memo(_seams)
