"""Words that name nobody where they stand: devices, words cut short, eponyms that nobody bears,
drugs in another spelling, a sex before an age, the specialty behind a doctor.

The lists are those of `words.txt` that begin with "veto": no tagger learned from them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.merge.beside import is_nobody_beside
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules import columns, hl7
from dpdeid.document import Document, Span
from dpdeid.french import titles
from dpdeid.french.titles import KIN_SEX
from dpdeid.labels import NAMES
from dpdeid.lexicon import Memo

DEVICES: Final = voc.LISTS["veto_devices"]
THINGS: Final = DEVICES.union(
    *(voc.LISTS[f"veto_{heading}"] for heading in ("clipped", "things", "eponyms"))
)
"""Devices, words cut short, brands and scales that no other list has, and eponyms and languages:
nobody is called so without a title."""
_FILES: Final = voc.LISTS["veto_files"]
"""What a file ends with, behind a dot."""
_BIRTH: Final = r"(?:\d{1,2} ?[/.-] ?\d{1,2} ?[/.-] ?\d{2,4}|(?:19|20)\d{6}\b)"
_AGED: Final = re.compile(
    r"[ \t]{0,3}[/,;|]?[ \t]{0,3}(?:\d{1,3} ?(?i:ans?|a|mois|m|j)\b"
    rf"|(?i:n[ée]e? le )?{_BIRTH})"
)
_SEXES: Final = frozenset("MFH")
_INFUSED: Final = voc.words("nora remi mida")
"""Drugs cut short that are given names too: a dose tells, or in small letters a word before."""
_DOSE: Final = re.compile(
    r"[ :=↑↓→+-]{0,3}(?:à )?(?:0[.,]\d\d?(?![\d.]| ?(?:[kc]|an))|[\d.,]{1,5} ?(?:mg/|µg|γ|gamma))"
)
_UNDER: Final = voc.words("sous sevrage arret")
_DRUGS: Final = (2, 3)
_RUN: Final = 32
_SOLID: Final = re.compile(rf"\S{{0,{_RUN}}}")
"""What stands around a word without white space."""


def _is_drug(word: str) -> bool:
    return gazetteers.medical().get(word) in _DRUGS


_DRUG_LETTERS: Final = 7
_SPELLINGS: Final = (("y", "i"), ("i", "y"), ("ph", "f"), ("th", "t"), ("t", "th"), ("ll", "l"))


def _is_spelt_drug(word: str) -> bool:
    known = EVIDENCE[word]
    if known.known or known.first_name or known.surname or len(word) < _DRUG_LETTERS:
        return False
    spelt = {word, *(word.replace(*pair) for pair in _SPELLINGS)}
    spelt |= {one.removesuffix("e") for one in spelt} | {one + "e" for one in spelt}
    return any(map(_is_drug, spelt))


SPELT_DRUGS: Final = Memo(_is_spelt_drug)
"""Whether a folded word in no list of words or names is a drug but for a letter that is written
otherwise elsewhere: "valacyclovir", "fluconazol"."""


def is_nobody_here(doc: Document, at: int) -> bool:
    """Whether the token names nobody where it stands: the letter of a sex before an age ("M 39
    ans"), the head of a mail ("To:"), the ending of a file ("_2023.xlsx"), how close kinship is
    ("cousin germain"), a faculty behind a title ("Dr med. Roy"), a drug in its dose ("nora 0,3"),
    a type in a field of a message ("^^^PI"), the specialty of a doctor ("Dr Vu visc"), or what
    stands beside it says so (`beside`).
    """
    text, end = doc.text, doc.tokens.ends[at]
    start = doc.tokens.starts[at]
    before = [word for word in doc.tokens.folded[max(0, at - 2) : at] if word != "."]
    if doc.tokens.folded[at] in voc.FACULTIES and before and voc.TRAITS[before[-1]] & voc.TITLE:
        return True
    if doc.tokens.folded[at] in voc.GERMAN and at and doc.tokens.folded[at - 1] in KIN_SEX:
        return voc.is_german(doc.tokens.texts[at], doc.tokens.folded[at - 1])
    if doc.tokens.texts[at] in _SEXES and _AGED.match(text, end):
        return True
    if doc.tokens.texts[at].lower() in _INFUSED:
        under = doc.tokens.texts[at].islower() and not _UNDER.isdisjoint(before[-1:])
        return under or _DOSE.match(text, end) is not None
    if doc.tokens.folded[at] in columns.MAIL and text.startswith(":", end):
        return not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t>")
    if doc.tokens.folded[at] in _FILES and text[start - 1 : start] == ".":
        return text[max(0, start - 2) : start - 1].isalnum()
    return hl7.is_type(text, start) or is_nobody_beside(doc, at) or is_specialty(doc, at)


def is_specialty(doc: Document, at: int) -> bool:
    """Whether the token is a specialty cut short, without a capital or in capitals, behind a doctor
    and the name: "Dr Vu visc", "DR LE GOFF ORTHO".
    """
    text, folded = doc.tokens.texts[at], doc.tokens.folded
    if folded[at] not in voc.SPECIALTIES or text.istitle():
        return False
    near = folded[max(0, at - _DOCTOR) : at]
    back = next((n for n, word in enumerate(reversed(near), 1) if word in _DOCTORS), 0)
    between = doc.text[doc.tokens.starts[at - back] : doc.tokens.starts[at]] if back > 1 else "\n"
    return "\n" not in between and between[-1] in " /" and any(map(str.isalpha, between[2:]))


def without_specialty(doc: Document, span: Span) -> Span | None:
    """A name without the specialty of its bearer at its end; None if nothing else is in it."""
    if span.label not in NAMES:
        return span
    own = doc.tokens.over(span.start, span.end)
    if not own or not is_specialty(doc, own[-1]):
        return span
    at = own[-1]
    last = doc.tokens.ends[at - 1]
    return replace(span, end=last) if last > span.start else None


_DOCTOR: Final = 6
"""Tokens before a specialty among which the title of its doctor stands."""
_DOCTORS: Final = titles.DEGREES | {"interne", "externe", "medecin", "chirurgien", "anesthesiste"}


def solid(text: str, start: int, end: int) -> str:
    """What stands around a place without white space, marks at its ends left out."""
    before = _SOLID.match(text[max(0, start - _RUN) : start][::-1])
    behind = _SOLID.match(text, end)
    left = before.end() if before else 0
    return text[start - left : behind.end() if behind else end].strip(".,;:!?()[]«»\"'*")
