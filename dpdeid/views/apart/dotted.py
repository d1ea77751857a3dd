"""Abbreviations with dots or blanks between their letters, read without: "H.T.A." is "HTA".

Somebody's initials keep their dots: what stands around letters tells, else the list, else whether
a thing stands there ("pas de C.B.H. franc"). All steps behind see plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.calendar import MONTHS
from dpdeid.french.letters.abbreviations import DOTTED, LISTED, of_people, of_things
from dpdeid.normalize import fold
from dpdeid.views.reading import Edit
from dpdeid.views.words import is_name

_MAYBE: Final = re.compile(
    r"[. ](?:(?<=[^\W\d_]\.)[^\W\d_](?![^\W\d_])"
    r"|(?<=[^\W\d_] )(?<![^\W_][^\W\d_] )[^\W\d_] [^\W\d_](?![^\W_]))"
)
"""Without such letters no abbreviation is written apart."""
_DOTTED: Final = re.compile(
    r"(?<![^\W_])(?<!\w[.@])(?<!\.-)(?<!\b\w-)"
    r"[^\W\d_](?:\.[^\W\d_]){1,7}(?:\.?\d{1,2})?(?![^\W_])(?!@|\.?-[^\W\d_]\b|\.[^\W_])"
)
_APART: Final = re.compile(
    r"(?<![^\W_])(?<!\b\w[ .|'-])(?:[A-Z](?: [A-Z]){2,5}|[a-z](?: [a-z]){2,5})(?![^\W_])"
    r"(?![ |]?[.'-]?[^\W\d_]\b)"
)
_DOUBLE: Final = re.compile(
    r"(?<![^\W_])(?<!\w[.@-])[^\W\d_](?:\.[^\W\d_]){0,6}\.?-[^\W\d_](?:\.[^\W\d_]){0,6}(?![^\W_])"
    r"(?!@|\.?-)"
)
"""Two that a hyphen joins: "L.I.-R.A.D.S."."""
_HYPHENED: Final = 5
"""Letters of two such that are nobody's."""
_GAPS: Final = re.compile(r"[. ]")
_ENDS: Final = re.compile(r"\.(?=\s*(?:\n|\Z)|\s+[A-ZÀ-Þ][a-zà-ÿ])")
"""A last dot that ends a sentence too."""
_SURNAME: Final = re.compile(r"\.? (?:(?:d[eu]|DE|LE|LA) )?([A-ZÀ-Þ][^\W\d_]{2,}(?:-[^\W\d_]+)?)")
_NAMED: Final = re.compile(r"([A-ZÀ-Þ][^\W\d_]{2,}(?:-[^\W\d_]+)?),? \Z")
_ALONE: Final = re.compile(r"(?:\A|[.—–|()\]/-]|\d[./:hH]\d\d(?:[./]\d\d(?:\d\d)?)?) {0,3}\Z")
"""What stands before initials that sign a line, or nothing does."""
_SIGNED: Final = re.compile(r"\.?\)? {0,3}(?:\n|\Z|\|)")
_DESCRIBED: Final = re.compile(
    r"\.?(?: (?!(?:appel|avis|inform|contact|consult|arriv|pass|rentr|all|mont|alert|excus"
    r"|dispos|fatigu)\w{1,3}\b)"
    r"(?:[^\W\d_]{2,12}(?:ée?s?|ifs?|ives?|ales?|aux|iques?|eux|euses?|aires?|[ai]bles?|iens?|iennes?)"
    r"|clairs?|libres?|droite?s?|gauches?|ouverte?s?|souples?|toniques?|longue?s?|court[es]?s?|faite?s?"
    r"|normale?s?|à l'\w{3,20}|(?:de|sur|à|en) \d))(?![^\W_])"
)
"""What is said of a thing behind its abbreviation: "L.A. | clair", "T.E. | de 36"."""
_COMPANY: Final = 3
"""Abbreviations with dots in a text that writes all of them so."""
_SPELT: Final = re.compile(
    r"(?i)\b(?:[ée]pel\w{0,5}|lettres?|nom|[ée]crit|orthograph\w{1,4})\W{1,4}\Z"
)
"""What stands before a name that is spelt: "épelé : | F.R.I.E.D.E.N."."""
_CROWD: Final = 8
"""The same, of a text that hardly writes anything else."""
_AT_END: Final = re.compile(r"\.?\)?[ \t]{0,3}(?:\r?\n|\Z)")
_MONTHS: Final = frozenset(fold(word)[:3] for word in MONTHS)
_NUMBERED: Final = re.compile(r"\d\.? {0,2}\Z")
_FEW: Final = 2
_MANY: Final = 4
"""Letters of initials that hardly anybody has."""
_NEAR: Final = 40


def edits(text: str) -> Iterator[Edit]:
    """The dots and blanks of abbreviations, read as nothing."""
    if not _MAYBE.search(text):
        return
    found: list[Edit] = []
    runs = [*_DOTTED.finditer(text)]
    read = [run for run in runs if _is_abbreviation(text, run)]
    if len(read) >= _COMPANY:
        others = (run for run in runs if run not in read)
        crowd = len(read) >= _CROWD
        read += [run for run in others if _is_of_company(text, run, crowd=crowd)]
    read += [run for run in _DOUBLE.finditer(text) if "." in run[0] and _is_double(text, run)]
    for run in read:
        found += [Edit(*gap.span(), "") for gap in _GAPS.finditer(text, *run.span())]
        end = run.end()
        if text.startswith(".", end) and not _ENDS.match(text, end):
            found.append(Edit(end, end + 1, ""))
    for run in _APART.finditer(text):
        if _letters(run[0]) in LISTED and not of_people(text, *run.span()):
            found += [Edit(*gap.span(), "") for gap in _GAPS.finditer(text, *run.span())]
    yield from sorted(found)


def _is_double(text: str, run: re.Match[str]) -> bool:
    """Whether a hyphen joins two abbreviations: many capitals, or two of the list."""
    if len(_letters(run[0])) >= _HYPHENED and run[0].isupper():
        return True
    halves = [_letters(half) for half in run[0].split("-")]
    return all(len(h) >= _FEW and h in DOTTED for h in halves) and not of_people(text, *run.span())


def _is_numbered(text: str, start: int) -> bool:
    return _NUMBERED.search(text, max(0, start - _NEAR), start) is not None


def _letters(run: str) -> str:
    return "".join(filter(str.isalnum, fold(run)))


def _is_abbreviation(text: str, run: re.Match[str]) -> bool:
    """Whether a dotted run is one by the list or its place, and nobody's initials."""
    start, end = run.span()
    letters = _letters(run[0])
    few = sum(map(str.isalpha, letters)) <= _FEW
    if letters in _MONTHS and _is_numbered(text, start):
        return False  # "n°4. O.C.T." is no day
    if _SPELT.search(text, max(0, start - _NEAR), start):
        return False
    if of_people(text, start, end) or (few and _is_of_name(text, start, end)):
        return False
    if letters in DOTTED or letters.rstrip("0123456789") in DOTTED:
        return not _signs(text, start, end, few=few)
    if few:
        return False
    many = len(letters) >= _MANY and not _signs(text, start, end, few=True)
    return many or (of_things(text, start, end) and not _is_of_name(text, start, end))


def _is_of_company(text: str, run: re.Match[str], *, crowd: bool) -> bool:
    """Whether letters in no list are one among many others: no person is led to or signs there;
    two letters, only if they are described, or within a line of a `crowd`.
    """
    start, end = run.span()
    letters = _letters(run[0])
    if of_people(text, start, end) or _is_of_name(text, start, end):
        return False
    if _signs(text, start, end, few=True) or (letters in _MONTHS and _is_numbered(text, start)):
        return False
    if sum(map(str.isalpha, letters)) <= _FEW:
        told = crowd and text[start - 1 : start] != "(" and not _AT_END.match(text, end)
        return told or _DESCRIBED.match(text, end) is not None
    return _AT_END.match(text, end) is None or of_things(text, start, end)


def _is_of_name(text: str, start: int, end: int) -> bool:
    """Whether a name stands beside the letters: "Schyns | J.M.", "| P.Y. | Tanguy"."""
    behind = _SURNAME.match(text, end)
    before = _NAMED.search(text, max(0, start - _NEAR), start)
    word = fold(before[1]) if before else ""
    named = bool(word) and is_name(word) and word not in gazetteers.words()
    return named or (behind is not None and is_name(fold(behind[1])))


_CLOSING: Final = re.compile(
    r"(?i)(?:cordialement|confraternelle\w*|amicalement"
    r"|sentiments\b.*|salutations\b.*|à toi|amitiés)"
    r"[ ,.]*\s*\Z"
)


def _signs(text: str, start: int, end: int, *, few: bool) -> bool:
    """Whether the letters sign: two alone at the end of a line, more behind a letter's close."""
    if not _SIGNED.match(text, end):
        return False
    opens = text.rfind("\n", 0, start) + 1
    before = text[opens:start]
    if few and _ALONE.search(before):
        return True
    return not before.strip() and _CLOSING.search(text, max(0, opens - _NEAR), opens) is not None
