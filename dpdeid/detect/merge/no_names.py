"""Words that name nobody where they stand: fields, machines and their models, abbreviations, words
cut short, brands, eponyms that nobody bears.

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
from dpdeid.french.letters.abbreviations import of_people
from dpdeid.french.titles import KIN_SEX
from dpdeid.labels import Label
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

DEVICES: Final = voc.LISTS["veto_devices"]
THINGS: Final = DEVICES.union(
    *(voc.LISTS[f"veto_{heading}"] for heading in ("clipped", "things", "eponyms"))
)
"""Devices, words cut short, brands and scales that no other list has, and eponyms and languages:
nobody is called so without a title."""
PAIRS: Final = voc.LISTS["veto_pairs"]
"""Eponyms of several people, with hyphens between their folded names."""
_ARTICLES: Final = frozenset(("le", "la", "les", "l", "un", "une"))
_FILES: Final = voc.LISTS["veto_files"]
"""What a file ends with, behind a dot."""
_SEEN: Final = voc.words("vu vue vus vues")
_BEHIND_SEEN: Final = _ARTICLES | voc.words("avec par ce cet cette au aux")
_BIRTH: Final = r"\d{1,2} ?[/.-] ?\d{1,2} ?[/.-] ?\d{2,4}"
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
_FREQUENT: Final = 3
_OCR: Final = str.maketrans("05", "os")
_DRUGS: Final = (2, 3)
_SHORT: Final = 3
_INITIALS: Final = 3
_UNSURE: Final = 0.6
"""The score below which an abbreviation of two letters is nobody's initials."""
_RUN: Final = 32
_SOLID: Final = re.compile(rf"\S{{0,{_RUN}}}")
"""What stands around a word without white space."""
_NAMED: Final = (
    Label.LAST_NAME, Label.FIRST_NAME, Label.CITY, Label.ORGANIZATION, Label.HOSPITAL,
)  # fmt: skip
_ONE_THING: Final = {(word,) for word in THINGS}
_FORMED: Final = re.compile(r".{4}(?:plastie|[eo](?:c|st|t)omie|ation|[aeiou]lement|euement)s?\Z")
"""An operation, an act or an adverb, however spelt: "septoplastie", "décanulation"."""
_PREFIXED: Final = re.compile(
    r"(?:bi|tri|mono|uni|multi|anti|peri|post|pre|sub|sous|inter|intra|extra|trans|retro|auto|micro|macro|hypo"
    r"|hyper|semi|demi|pseudo|cardio|neuro)-[a-z]{3,20}\Z"
)
"""A word that begins so is of medicine, whoever is called as the rest: "bi-manuel"."""
_OF_BIRTH: Final = re.compile(r"\. ?(?i:nais(?:s\b|\.|sance)|jf\b|mari|usage|usuel|patro)")
"""What stands behind the N of "N.Naiss", a field."""


def is_no_name(doc: Document, at: int, score: float) -> bool:
    """Whether the token is a cell of one letter, or names a drug, a field, a machine or a state, or
    is cut short, or is a part of a misread word or of a unit ("mGy"), or the verb of "Vu la cadre".
    `score` is the tagger's.
    """
    text, word = doc.tokens.texts[at], doc.tokens.folded[at]
    start, end = doc.tokens.starts[at], doc.tokens.ends[at]
    cased = text[: len(text) - (len(text) > _SHORT)].isupper() or (
        text.islower() and len(text) >= _SHORT
    )
    of_initials = len(word) <= _INITIALS and of_people(doc.text, start, end)
    if cased and word in voc.ABBREVIATIONS and not of_initials:
        return len(word) > 2 or score < _UNSURE
    known, run = EVIDENCE[word], solid(doc.text, start, end)
    return (
        is_nobody_here(doc, at)
        or (text.isupper() and len(word) == _SHORT and not of_initials and _is_rare(doc, at))
        or (len(text) == 1 and columns.is_lone_cell(doc.text, start, end))
        or (len(text) == 1 and _OF_BIRTH.match(doc.text, end) is not None)
        or (_is_drug(word) and not known.first_name and not known.surname)
        or SPELT_DRUGS[word]
        or (word in _SEEN and not _BEHIND_SEEN.isdisjoint(doc.tokens.folded[at + 1 : at + 2]))
        or (len(text) < _SHORT and start > 0 and doc.text[start - 1].isalpha())
        or word in THINGS
        or voc.CUT_SHORT[word]
        or (text.islower() and MISSPELT[word])
        or is_model(doc, at)
        or columns.is_field(word, doc.text[end : end + 2])
        or is_written_apart(run)
        or (run.islower() and _PREFIXED.match(fold(run)) is not None)
        or run_is_pair(run)
        or (word in _ARTICLES and doc.tokens.folded[at + 1 : at + 2] in _ONE_THING)
        or (not known.first_name and not known.surname and _FORMED.search(word) is not None)
        or is_misread_word(run)
    )


def _is_rare(doc: Document, at: int) -> bool:
    """Whether hardly anybody is called as the token, no name stands beside it and its line is not
    of capitals.
    """
    tokens, text = doc.tokens, doc.text
    known = EVIDENCE[tokens.folded[at]]
    if known.surname != 1 or known.first_name:
        return False
    start, end = text.rfind("\n", 0, tokens.starts[at]) + 1, text.find("\n", tokens.ends[at])
    beside = (n for n in (at - 1, at + 1) if 0 <= n < len(tokens.texts))
    return not text[start : end if end >= 0 else len(text)].isupper() and not any(
        tokens.texts[n][:1].isupper() or voc.TRAITS[tokens.folded[n]] & voc.CALL for n in beside
    )


_USUAL: Final = 4
_LETTERS: Final = 4
"""Letters of a word that is told by one that is written otherwise."""
_SILENT: Final = "xsetd"
"""Letters at the end of a word that nobody hears, left out or added: "mieu", "malgrés"."""


def _is_misspelt(word: str) -> bool:
    known = EVIDENCE[word]
    if known.known or known.first_name or known.surname > 1 or len(word) < _LETTERS:
        return False
    meant = [word + letter for letter in _SILENT] + [word[:-1]] * (word[-1] in _SILENT)
    return any(map(_is_usual, meant))


def _is_usual(word: str) -> bool:
    known = EVIDENCE[word]
    return known.word and known.frequency >= _USUAL and known.surname < _FREQUENT


MISSPELT: Final = Memo(_is_misspelt)
"""Whether a folded word in no list of words is a usual one but for a silent letter at its end."""


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


def run_is_pair(run: str) -> bool:
    """Whether what stands between white space is the eponym of several people."""
    return fold(run) in PAIRS


def is_written_apart(run: str) -> bool:
    """Whether points or hyphens part a word that has none: "pace-maker", "P.-S.", or hyphens belong
    to a word: "check-list"; `run` is what stands around it without white space.
    """
    if "-" in run and EVIDENCE[fold(run)].word:
        return True
    whole = fold(re.sub(r"[.-]", "", run))
    if whole == fold(run) or not whole.isalpha():
        return False
    known = EVIDENCE[whole]
    listed = known.word or known.medical or whole in THINGS
    return listed and "-" in run and not known.first_name and not known.surname


def is_model(doc: Document, at: int) -> bool:
    """Whether the token stands right behind a device or its maker: "Sysmex XN-1000"."""
    tokens = doc.tokens
    while at > 0 and doc.text[tokens.ends[at - 1] : tokens.starts[at]] in ("", " "):
        at -= 1
        if tokens.folded[at] in DEVICES:
            return True
        if not _is_of_model(tokens.texts[at]):
            return False
    return False


def _is_of_model(text: str) -> bool:
    """Whether a token may stand between a maker and the number of a model."""
    return text == "-" or text.isdigit() or (len(text) < _SHORT and text.isupper())


def is_genus(doc: Document, at: int) -> bool:
    """Whether a Latin epithet stands behind the token: "Genu varum"."""
    return any(word in voc.LATIN for word in doc.tokens.folded[at + 1 : at + 2])


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
    if span.label not in _NAMED[:2]:
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


def is_misread_word(run: str) -> bool:
    """Whether letters read as digits or as one another hide an ordinary word: "0PERAT0IRE"."""
    capital = 2 * sum(map(str.isupper, run)) > len(run)
    letters = run.replace("l", "I") if capital else run
    if letters == run and not any(mark in run for mark in "015"):
        return False
    word = fold(letters).translate(_OCR)
    meant = {word.replace("1", one) for one in "il"}
    return any(len(w) >= _LETTERS and w.isalpha() and w in gazetteers.words() for w in meant)
