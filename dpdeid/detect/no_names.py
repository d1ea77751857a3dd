"""Words that a tagger alone takes for names, though nobody bears them there.

Kept apart from the lists that the taggers were trained with: what is added here changes no feature
of theirs.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.evidence import EVIDENCE
from dpdeid.detect.patterns import columns
from dpdeid.document import Document
from dpdeid.labels import Label
from dpdeid.normalize import fold

ABBREVIATIONS: Final = voc.words(
    "dcd mtd bup tso dp dmp ins ipp nip nda iep ddn nir bts cap bep dut cdd cdi rsa aah apa gir ald"
    " cmu ame css caf msa cpam mdph ash ibode iade vsav vsl crra codis ccas dass pcea rciu mfiu"
    " dnr crop cro crh hdm"
)
"""Of states, papers, diplomas, allowances and rescue, in capitals."""
DEVICES: Final = voc.words(
    "fibroscan fibrotest magnetom somatom acuson biograph symbia artis signa optima discovery"
    " revolution voluson logiq ingenia achieva epiq affiniti azurion brilliance aquilion aplio"
    " vantage koelis urostation cyberknife tomotherapy truebeam davinci hologic pleurx picco"
    " bladderscan hemocue dexcom freestyle omnipod medtronic"
)
"""Machines and their makers."""
_MAIL: Final = voc.words("to from cc bcc cci subject sent re fwd tr objet")
_FREQUENT: Final = 3
_LEAST: Final = 4
"""Letters of a word that is told behind what a scanner misread."""
_OCR: Final = str.maketrans("05", "os")
_HALF: Final = 0.6
"""The score below which an abbreviation of two letters is nobody's initials."""
NUMBERS: Final = frozenset(label for label in Label if label.endswith("_ID")) | {Label.PHONE}
_COUNTED: Final = re.compile(
    r"(?i)\b(?:u[fmah]|km|kilom[ée]trage|compteur|gh[ms]|ccam|cim(?:-?10)?|ngap|igs|cma)"
    r"(?: d[ée]part| arriv[ée]e)?(?: n°)?[ :=]{0,3}\Z"
)
_WORDS: Final = 24
_RUN: Final = 32
_SOLID: Final = re.compile(rf"\S{{0,{_RUN}}}")
"""What stands around a word without white space."""


def is_no_name(doc: Document, at: int, score: float) -> bool:
    """Whether the token is a cell of one letter, or names a field, a machine or a state, or is a
    part of a misread word. `score` is the tagger's.
    """
    text, word = doc.tokens.texts[at], doc.tokens.folded[at]
    start, end = doc.tokens.starts[at], doc.tokens.ends[at]
    if text.isupper() and word in ABBREVIATIONS:
        return len(word) > 2 or score < _HALF
    return (
        (len(text) == 1 and columns.is_lone_cell(doc.text, start, end))
        or word in DEVICES
        or is_field(word, doc.text[end : end + 2])
        or is_misread_word(solid(doc.text, start, end))
    )


def numbers_nobody(text: str, start: int) -> bool:
    """Whether the number that begins there is of a unit, a distance or a class of diseases."""
    return _COUNTED.search(text, max(0, start - _WORDS), start) is not None


def solid(text: str, start: int, end: int) -> str:
    """What stands around a place without white space, marks at its ends left out."""
    before = _SOLID.match(text[max(0, start - _RUN) : start][::-1])
    behind = _SOLID.match(text, end)
    left = before.end() if before else 0
    return text[start - left : behind.end() if behind else end].strip(".,;:!?()[]«»\"'*")


def is_field(word: str, behind: str) -> bool:
    """Whether a folded word names the field whose value follows: "Débranché : 17 h".

    Args:
        behind: what stands behind it; two characters are enough.
    """
    if not behind[:2].lstrip(" ").startswith(":"):
        return False
    known = EVIDENCE[word]
    return word in _MAIL or (known.word and not known.first_name and known.surname < _FREQUENT)


def is_misread_word(run: str) -> bool:
    """Whether letters read as digits or as one another hide an ordinary word: "0PERAT0IRE"."""
    capital = 2 * sum(map(str.isupper, run)) > len(run)
    letters = run.replace("l", "I") if capital else run
    if letters == run and not any(mark in run for mark in "015"):
        return False
    word = fold(letters).translate(_OCR)
    meant = {word.replace("1", one) for one in "il"}
    return any(len(w) >= _LEAST and w.isalpha() and w in gazetteers.words() for w in meant)
