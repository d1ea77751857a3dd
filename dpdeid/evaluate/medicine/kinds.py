"""The kind of medicine that a word of a note is, by the word and its line.

Phrases decide first (`forms.yaml`): a word inside "Hb 12,3 g/dl" is part of a value, inside
"500 mg" of a dose. Then lists and forms of single words (`cues.yaml`). A word whose cue stands on
another line (a table, a scan) is told by itself alone. The cues are of this room alone, nothing of
the detectors; of the shipped lists the medical words, the drugs and the common words are read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from dpdeid import gazetteers
from dpdeid.evaluate.coding.terms import aliases
from dpdeid.normalize import fold


class Kind(StrEnum):
    """Of a changed word: first those of `MEDICINE`, last two that are in no sum. An acronym is in
    it unless it is one of administration: what nobody can expand, a clinician may.
    """

    DRUG = "drug"
    DOSE = "dose"
    VALUE = "value"
    CODE = "code"
    DURATION = "duration"
    NAMED = "named"
    ABBREVIATION = "abbreviation"
    TERM = "term"
    ACRONYM = "acronym"
    WORD = "word"
    NUMBER = "number"
    GRAMMAR = "grammar"
    FORMAT = "format"


MEDICINE: Final = tuple(Kind)[:9]
COUNTED: Final = tuple(Kind)[:11]

WORD: Final = re.compile(r"[^\W_]+(?:(?<=\d)[.,/:-](?=\d)[^\W_]+)*")
"""Letters and digits; a number keeps the marks inside it."""

_CAPITALS: Final = re.compile(r"[A-Z]{2,6}")
_MIXED: Final = re.compile(
    r"(?=\w*[a-z\d])(?:[a-z]?[A-Z][a-z]{0,2}[A-Z]\w{0,6}|[A-Z]{1,5}[a-z]?\d\w{0,4})"
)
"""Capitals among small letters or with digits: "IDMc", "aVL", "SpO2", "CA125"."""
_OFTEN: Final = 6
"""Zipf value from which a word is one of French, whatever it is else: "du"."""
_LEAD: Final = re.compile(r"([^\W\d_]{3,})\s(?:(?:de|du)\s|d['’])?$")
_SCANNED: Final = str.maketrans("0158", "olsb")
_ARTICLES: Final = frozenset(["un", "une"])
_EVERYDAY: Final = 5_000
"""So many of the most frequent words are everyday ones, whatever wordings hold them."""
_OF_MASS: Final = re.compile(r"\s\d+(?:[.,]\d+)?\s?(?:mg|µg|ug|mcg|ui|g)(?![^\W_])", re.IGNORECASE)
"""What follows a drug: "Xyzal 5 mg"."""


def kind_by_itself(word: str, before: str, after: str) -> Kind:
    """The kind of a word that is in no phrase.

    Args:
        before, after: what stands beside it in its line.
    """
    word = _as_scanned(word)
    folded = fold(word)
    if word[0].isdigit() or (folded in cue_words("numbers in words") and folded not in _ARTICLES):
        last = WORD.findall(before)[-1:]
        return Kind.DOSE if last and is_drug(fold(last[0])) else Kind.NUMBER
    common = folded in gazetteers.common_words()
    is_dosed = word.isalpha() and len(word) > 3 and _OF_MASS.match(after)
    if is_drug(folded) or (is_dosed and not common):
        return Kind.DRUG
    if _listed(folded, "everyday words of medicine"):
        return Kind.TERM
    if folded in cue_words("abbreviations that are no medicine"):
        return Kind.WORD
    if word[0].isupper() and (
        cue_form("names of devices and scores").fullmatch(folded) or _is_named(word, before)
    ):
        return Kind.NAMED
    if _is_abbreviation(word, folded):
        return Kind.ABBREVIATION
    if _is_term(folded):
        return Kind.TERM
    if word.isupper() and cue_form("names of devices and scores").fullmatch(folded):
        return Kind.NAMED
    among_capitals = (before + after).isupper() and _is_french(folded)
    if _MIXED.fullmatch(word) or (_CAPITALS.fullmatch(word) and not among_capitals):
        return Kind.WORD if _is_of_file(word, before, after) else Kind.ACRONYM
    return Kind.WORD


_FILE: Final = re.compile(r"[^\W_][._]\Z")
_NUMBERED: Final = re.compile(r"[A-Z]+\d{4}")


def _is_of_file(word: str, before: str, after: str) -> bool:
    """Whether it is a piece or the ending of a file's name, or a message's number: "MSG00781"."""
    return after[:1] == "_" or bool(_FILE.search(before) or _NUMBERED.match(word))


def _as_scanned(word: str) -> str:
    """A word whose digits are letters of a bad scan, put right: "0PERAT0IRE"."""
    letters = word.lower().translate(_SCANNED)
    wrong = any(map(str.isdigit, word)) and sum(map(str.isalpha, word)) > len(word) / 2
    return letters if wrong and len(word) > 4 and _is_french(fold(letters)) else word


def _listed(folded: str, cue: str) -> bool:
    listed = cue_words(cue)
    return folded in listed or (folded[-1] in "sx" and folded[:-1] in listed)


def _is_named(word: str, before: str) -> bool:
    """Whether a capitalised word, no French one, follows a word of medicine: "de Monteggia"."""
    lead = _LEAD.search(before)
    if lead is None or word.isupper() or _is_french(fold(word)):
        return False
    folded = fold(lead[1])
    return _is_term(folded) or _listed(folded, "everyday words of medicine")


def is_drug(folded: str) -> bool:
    """Whether a folded word names a drug or substance."""
    if folded in cue_words("drugs that no list has"):
        return True
    if len(folded) < 4 or folded in gazetteers.common_words():
        return False
    listed = gazetteers.medical().get(folded, 0) & 2
    return bool(listed) or cue_form("stems of drugs").fullmatch(folded) is not None


def _is_abbreviation(word: str, folded: str) -> bool:
    if folded in cue_words("abbreviations"):
        return True
    return bool(_CAPITALS.fullmatch(word) or _MIXED.fullmatch(word)) and (
        word in _short_aliases()
        or cue_form("analytes").fullmatch(folded) is not None
        or cue_form("scores").fullmatch(folded) is not None
    )


def _is_term(folded: str) -> bool:
    """Of common words only those of the coder's wordings: labels of codes hold any."""
    if folded in gazetteers.common_words():
        return folded in _alias_words()
    listed = gazetteers.medical().get(folded, 0)
    return bool(listed) or cue_form("endings of medical words").fullmatch(folded) is not None


@cache
def _alias_words() -> frozenset[str]:
    """The words of the coder's wordings that are not everyday words ("entorse", not "nouveau")."""
    every = {fold(word) for term in aliases() for word in WORD.findall(term.text)}
    common = gazetteers.common_words()
    return frozenset(word for word in every if common.get(word, _EVERYDAY) >= _EVERYDAY)


def _is_french(folded: str) -> bool:
    listed = folded in gazetteers.words() or folded in gazetteers.name_words()
    return listed or gazetteers.frequency().get(folded, 0) >= _OFTEN


@cache
def _short_aliases() -> frozenset[str]:
    return frozenset(term.text for term in aliases() if term.capitals)


@cache
def cue_words(cue: str) -> frozenset[str]:
    """The words of a list, folded; KeyError for a list that is not there."""
    return frozenset(map(fold, read_yaml("cues.yaml")[cue].split()))


@cache
def cue_form(cue: str) -> re.Pattern[str]:
    """Any of the alternatives, to match a whole word."""
    return re.compile(alternatives(cue))


def alternatives(cue: str) -> str:
    """What a list holds, to stand in a group of a regular expression."""
    if cue == "numbers in words":
        return "|".join(sorted(cue_words(cue)))
    return re.sub(r"\|\s+", "|", read_yaml("cues.yaml")[cue])


@cache
def read_yaml(name: str) -> dict[str, Any]:
    """A file of this folder."""
    text = (files("dpdeid.evaluate.medicine") / name).read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


_AROUND: Final = 160
"""Characters of a line that are read before and after a word."""
_SIGNS: Final = frozenset("%‰°+<>≤≥±")


def kind_of(text: str, start: int, end: int) -> Kind:
    """The kind of a word, or of a mark that stands alone: a sign in a phrase ("50 %", "< 5 mg/l")
    is of its kind, any other is format.

    Args:
        start, end: the word in the text, code points, half-open.
    """
    is_mark = not any(map(str.isalnum, text[start:end]))
    if is_mark and text[start:end] not in _SIGNS:
        return Kind.FORMAT
    first = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    stop = text.find("\n", end)
    last = min(len(text) if stop < 0 else stop, end + _AROUND)
    for kind, its_start, its_end in phrases(text[first:last]):
        if first + its_start < end and start < first + its_end:
            return kind
    if is_mark:
        return Kind.FORMAT
    if text[start].isdigit() and _is_measured(text, start):
        return Kind.VALUE
    return kind_by_itself(text[start:end], text[first:start], text[end:last])


_SEPARATORS: Final = re.compile(r"[ \t]*[|;\t][ \t]*|[ \t]{2,}")
_HIGHEST: Final = 15
"""Rows above a number where the head of its column is looked for."""
_NEAR: Final = 3
"""Characters by which a head in a column of blanks may be set off."""


def _is_measured(text: str, start: int) -> bool:
    """Whether a number is a cell in a row or under a head that is called as measures are."""
    *above, before = text[:start].split("\n")[-_HIGHEST:]
    line, begins = before + text[start:].partition("\n")[0], start - len(before)
    cells = _cells(line)
    own = next((n for n, (a, b, _) in enumerate(cells) if a <= start - begins <= b), None)
    if own is None or len(cells) < 2 or re.search(r"[^\W\d_]{3}", cells[own][2]):
        return False
    if _names_measure(cells[0][2]):
        return True
    marked = any(mark in line for mark in "|;\t")
    for row in reversed(above):
        heads = _cells(row)
        if len(heads) == 1 or (marked and len(heads) <= own):
            return len(heads) == 1 and _names_measure(row)
        low, high = cells[own][0] - _NEAR, cells[own][1] + _NEAR
        over = [heads[own]] if marked else [h for h in heads if h[0] <= high and low <= h[1]]
        if told := [h[2] for h in over if re.search(r"[^\W\d_]", h[2])]:
            return any(map(_names_measure, told))
    return False


def _cells(line: str) -> list[tuple[int, int, str]]:
    """Start, end and text of each cell of a line."""
    gaps = [gap.span() for gap in _SEPARATORS.finditer(line)]
    starts, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(line)]
    return [(a, b, line[a:b]) for a, b in zip(starts, ends, strict=True)]


@cache
def _measure() -> re.Pattern[str]:
    return _form(r"\W*{{start}}(?:{{analytes}}|{{scores}}){{end}}")


def _names_measure(cell: str) -> bool:
    return _measure().match(fold(cell)) is not None


def phrases(line: str) -> Iterator[tuple[Kind, int, int]]:
    """Kind, start and end of every phrase of a line, the deciding kinds first."""
    plain = "".join(unicodedata.normalize("NFD", c)[0].lower()[:1] for c in line)
    for kind, as_written, form in _forms():
        for match in form.finditer(line if as_written else plain):
            yield kind, *match.span("it" if "it" in form.groupindex else 0)
    for lead_form, name_form in _named() if not line.isupper() else ():
        for lead in lead_form.finditer(plain):
            if name := name_form.match(line, lead.end()):
                yield Kind.NAMED, *name.span("it")


@cache
def _forms() -> tuple[tuple[Kind, bool, re.Pattern[str]], ...]:
    rows = read_yaml("forms.yaml")["forms"]
    return tuple((Kind(kind), case == "as written", _form(form)) for kind, case, form in rows)


@cache
def _named() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """A lead, in a line without case and accents, and the name behind it as it is written."""
    rows = read_yaml("forms.yaml")["named"]
    return tuple((_form(row["lead"]), _form(row["name"])) for row in rows)


def _form(pattern: str) -> re.Pattern[str]:
    """A pattern with all its parts put in."""
    parts: dict[str, Any] = read_yaml("forms.yaml")["parts"]
    while (whole := _PART.sub(lambda m: parts.get(m[1]) or alternatives(m[1]), pattern)) != pattern:
        pattern = whole
    return re.compile(pattern)


_PART: Final = re.compile(r"\{\{([a-z ]+)\}\}")
