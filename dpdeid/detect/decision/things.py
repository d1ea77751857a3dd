"""Whether a word names a thing where it stands, or hardly anybody.

Asked of words alone whose chance decides little: such a word must be likelier.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.known_facts.told_words import is_only_a_word
from dpdeid.detect.merge.no_names import (
    SPELT_DRUGS,
    THINGS,
    is_nobody_here,
    solid,
)
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import is_loud, view_of
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules import columns, hl7
from dpdeid.document import Document
from dpdeid.french.letters.abbreviations import of_people
from dpdeid.normalize import fold

_ABBREVIATIONS: Final = voc.ABBREVIATIONS | voc.DEGREES
_MAKERS: Final = voc.LISTS["device_names"]
_STOP: Final = voc.STOP | voc.PARTICLE
_BARS: Final = frozenset("|lI")
_LETTERS: Final = frozenset("DGMFHON")
_CELL: Final = re.compile(r"[|;\t]")
_LAND: Final = re.compile(r"(?:CH|FL?|BE?|LU?|FR|DE?) ?- ?\d{4,5}(?!\w)")
"""What stands before a postal code of a country: "CH-2900", "L - 1210"."""
_CALLED_AS_LANDS: Final = frozenset(("france", "israel", "jordan", "georgia", "kenya", "india"))
_TO_LAND: Final = re.compile(
    r"(?i)\b(?:en|visas?|vers|hors|air|assurance|territoire|ambassade de|consulat de) \Z"
)
"""What stands before a land rather than before somebody who is called so."""
_FEW_BARS: Final = 6
_RARE: Final = 2
"""How usual a surname must be for an ordinary word to be one, in the levels of the lists."""
_ACRONYM: Final = 3
_USUAL: Final = 3
"""How usual a surname must be for a word to be one beside a hyphen, in the levels of the lists."""


def is_thing_there(doc: Document, at: int) -> bool:
    """Whether a word names a device or its maker, is an abbreviation in capitals, part of a
    compound, a letter in a cell, a particle, a bar of a bar code, in the header of a message or the
    head of a column, a greeting, a sex or the head of a mail, the eponym of several people, a drug
    in another spelling, a land or its code, or a told name that is a word there.
    """
    text, word = doc.tokens.texts[at], doc.tokens.folded[at]
    start, end = doc.tokens.starts[at], doc.tokens.ends[at]
    if word in THINGS or word in voc.GREETINGS or SPELT_DRUGS[word]:
        return True
    run, loud = solid(doc.text, start, end), is_loud(doc.text)
    return (
        (word in _MAKERS and at in view_of(doc).guarded)
        or is_nobody_here(doc, at)
        or is_only_a_word(doc, start, end)
        or _is_abbreviation(doc, at, run)
        or _is_lone_letter(doc.text, start, end)
        or _is_compound(doc, at)
        or _is_small(text.lower() if loud or _leads_loudly(doc, at) else text)
        or _LAND.match(doc.text, start) is not None
        or (word in _CALLED_AS_LANDS and _TO_LAND.search(doc.text, 0, start) is not None)
        or (len(run) >= _FEW_BARS and _BARS.issuperset(run))
        or columns.is_head(doc.text, start)
        or hl7.is_header(doc.text, start)
    )


def is_hardly_anybody(doc: Document, at: int) -> bool:
    """Whether a word is an eponym or an ordinary word that hardly anybody is called; a part of a
    longer word is not asked.
    """
    if at in view_of(doc).guarded:
        return True
    start, end = doc.tokens.starts[at], doc.tokens.ends[at]
    beside = doc.text[max(start - 1, 0) : start] + doc.text[end : end + 1]
    if any(map(str.isalnum, beside)):
        return False
    known = EVIDENCE[doc.tokens.folded[at]]
    plain = known.word and not known.first_name and known.surname < _RARE
    return plain and end - start > _ACRONYM


def _is_lone_letter(text: str, start: int, end: int) -> bool:
    """Whether it is a side, a sex or an answer that fills the cell of a table, no box of a form:
    "78 ans;D;ROUX", "|F|19680930|".
    """
    if text[start:end] not in _LETTERS:
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start], text[end:].partition("\n")[0]
    before, behind = (_CELL.split(part) for part in line)
    filled = (
        not before[-1].strip() and not behind[0].strip() and min(map(len, (before, behind))) > 1
    )
    return filled and max(len(before[-2].strip()), len(behind[1].strip())) > 1


def _is_abbreviation(doc: Document, at: int, run: str) -> bool:
    """Whether it is an abbreviation in capitals, or part of one with digits, "ROS1", where nobody's
    initials stand.
    """
    whole = run[-1:].isdigit() and fold(run) in _ABBREVIATIONS
    listed = doc.tokens.texts[at].isupper() and doc.tokens.folded[at] in _ABBREVIATIONS
    place = doc.tokens.starts[at], doc.tokens.ends[at]
    return (whole or listed) and not of_people(doc.text, *place)


def _is_compound(doc: Document, at: int) -> bool:
    """Whether a hyphen alone ties it to what is no name: "PICC-line", "CHECK-LIST"."""
    text, tokens = doc.text, doc.tokens
    for hyphen, other in ((at - 1, at - 2), (at + 1, at + 2)):
        if not (0 <= other < len(tokens.texts) and tokens.texts[hyphen] == "-"):
            continue
        first, last = sorted((other, at))
        near = EVIDENCE[tokens.folded[other]]
        acronym = tokens.texts[other].isupper() and len(tokens.texts[other]) >= _ACRONYM
        if " " not in text[tokens.starts[first] : tokens.ends[last]] and (near.word or acronym):
            return not near.first_name and near.surname < _USUAL
    return False


def _leads_loudly(doc: Document, at: int) -> bool:
    """Whether it stands in capitals before a word in capitals: "EN POLOGNE"."""
    after = doc.tokens.texts[at + 1 : at + 2]
    return doc.tokens.texts[at].isupper() and any(w.isupper() and len(w) > 2 for w in after)


def _is_small(text: str) -> bool:
    return len(text) > 1 and text.islower() and bool(voc.TRAITS[fold(text)] & _STOP)
