"""Words that speak against a tagger that alone takes them for a direct identifier.

A tagger's score is of the label in its place; the lists know the word. An unsure tagger is doubted
on a name, but not on a word in capitals that no list knows, and hardly on a number. A sure one is
doubted where it takes ordinary words in small letters for a name, a place or a date ("Monsieur
déjeune"), a sign for initials, or a measure for a date.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.ends import ALWAYS
from dpdeid.detect.evidence import EVIDENCE
from dpdeid.detect.no_names import NUMBERS, is_misread_word, is_no_name, numbers_nobody, solid
from dpdeid.detect.patterns import columns, hl7
from dpdeid.detect.patterns.timewords import (
    MONTH_WORDS,
    NUMERALS,
    SHORT_WEEKDAY_WORDS,
    UNIT,
    WEEKDAY_WORDS,
)
from dpdeid.document import Document, Span
from dpdeid.labels import Label

_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_CODE: Final = 5
_FAINT: Final = 0.2
"""Digits from which a number is rather an identifier than a measure, and the score below which a
shorter one is doubted: a number that stays does more harm than one that goes."""
_FORMS: Final = (
    *("tele", "auto", "micro", "macro", "hyper", "hypo", "neuro", "cardio", "pneumo", "gastro"),
    *("post", "anti", "contre", "multi", "mono", "poly", "intra", "inter", "extra", "photo"),
    *("electro", "thermo", "radio", "chimio", "immuno", "hemo", "psycho", "cyber", "video"),
)
"""What words of medicine are put together with."""
_LEAST: Final = 3
"""Letters from which a word in capitals may be a name in a table, or one in small letters a word
cut short."""
_HALF: Final = 0.6
"""The score below which a word is doubted that is an eponym, or in small letters and in no list of
names; an ordinary word in small letters is doubted below it only if it is a first name ("rose")."""
_STRANGE: Final = 0.75
"""Share of the score asked for that does for a strange word with a capital."""
_SIGNS: Final = voc.words("k p g d od og odg vd vg rx sc iv im po")
"""Signs of sides, ways and findings, which look like initials: "K ovaire", "50e p."."""
_DOTTED: Final = re.compile(r"\b(?:[A-Z]\.){3,5}")
"""An abbreviation with points, which looks like initials: "O.R.L."."""
_BELIEVED: Final = 0.8
"""The score below which an abbreviation of medicine in capitals is doubted as a name."""
_AROUND: Final = voc.SHORT_ROLES | voc.GREETINGS | frozenset(("prenom", "prenoms"))
_AROUND_IN_CAPITALS: Final = voc.DEGREES | voc.FIELDS
"""What stands around names and is none."""
_PLACES: Final = (Label.CITY, Label.COUNTRY, Label.HOSPITAL, Label.ORGANIZATION, Label.UNIT)
_SMALL: Final = frozenset(("d", "de", "du", "des", "l", "la", "le", "les", "et", "en", "a"))
_SPELT: Final = (*_NAMES, Label.CITY, Label.HOSPITAL, Label.DATE)
"""What hardly ever is ordinary words in small letters only."""
_TIMES: Final = MONTH_WORDS | WEEKDAY_WORDS | SHORT_WEEKDAY_WORDS | NUMERALS
_PREGNANT: Final = re.compile(r"\d{1,2} ?SA ?(?:\+ ?)?(?:[0-6] ?j?(?: ?/ ?7)?)?\b")
"""Weeks of pregnancy: "38 SA 1/7"."""
_NEAR: Final = 8
_MEASURE: Final = re.compile(
    rf"(?i)(?: ?[-–/] ?\d{{1,3}}|er|e|ème)? ?(?:{UNIT}|degr[ée])| ?/ ?(?:30|60|100)(?![\d/])"
)
"""What stands behind a measure: a unit, or the most that a score can be ("20/30")."""

_VALUE: Final = re.compile(
    r"(?i) en (?:\d|janv|f[ée]v|mars|avr|mai\b|jui[nl]|ao[uû]t|sept|oct|nov|d[ée]c)"
)
"""What stands behind a value of some date: "11 en 02/23"."""
_TOLD: Final = 32
"""Characters before a drug that tell it."""
_TREATED: Final = re.compile(
    r"(?i)\b(?:sous |(?:cures?|cycles?|perfusions?|injections?|chimioth[ée]rapies?) (?:de |d'|par )"
    r"|traitements? (?:par |de )|protocole )\Z"
)
_DOSED: Final = re.compile(r"(?i) \d{1,4}(?:[.,]\d+)? ?(?:mg|µg|mcg|g|ml|ui|mui)\b")
"""What stands before and behind a drug."""
_CUT: Final = re.compile(r"(?<=\w{4})\. [a-zà-ÿ]")
"""What stands behind a word cut short: "Hospit. en cardiologie"."""
_VOWEL: Final = re.compile(r"[AEIOUYÀ-ÜŒÆaeiouyà-üœæ]")
_SPELT_OUT: Final = 4
"""Letters from which a word in capitals without a vowel is an abbreviation: "FDRCV"."""
_COUNTED: Final = re.compile(r" (?:[âa]g[ée]e?s? )?(?:de |d'|d'environ |: ?)\d")
_OPENS: Final = re.compile(r"(?:\A|[\n.;:!?•*-])[ \t]*\Z")


def doubtful(doc: Document, span: Span, *, weak: float) -> bool:
    """Whether what one tagger alone proposes is rather none.

    Args:
        weak: the score below which it may be doubted, in [0, 1]; with 0 nothing is.
    """
    said = _words(doc, span)
    if not weak or not said or span.label is Label.BIRTH_DATE:
        return False
    if hl7.is_coded(doc.text, span.start) or columns.is_head(doc.text, span.start):
        return True
    texts, folded = doc.tokens.texts, doc.tokens.folded
    named = span.label in _NAMES
    if span.label in _SPELT and all(_is_ordinary(doc, at) for at in said):
        place = span.label is Label.CITY and any(gazetteers.places_named(folded[at]) for at in said)
        given = span.score >= _HALF and any(voc.TRAITS[folded[at]] & voc.FIRST for at in said)
        return not (place or (named and given) or any(folded[at] in _TIMES for at in said))
    if named and all(_is_ordinary(doc, at) or folded[at] in _SIGNS for at in said):
        return True
    if named and all(is_no_name(doc, at, span.score) for at in said):
        return True
    if span.label in (Label.DATE, Label.PHONE) and _is_inside(doc.text, span, ALWAYS):
        return True
    if span.label is Label.DATE and _is_inside(doc.text, span, _PREGNANT):
        return True
    if span.label is Label.DATE and all(texts[at].isdigit() for at in said):
        return any(form.match(doc.text, span.end) for form in (_MEASURE, _VALUE))
    digits = sum(len(texts[at]) for at in said if texts[at].isdigit())
    if digits and span.label in NUMBERS and numbers_nobody(doc.text, span.start):
        return True
    if span.label is Label.STREET and len(said) == 1:
        return EVIDENCE[folded[said[0]]].word
    if not named:
        numeric = span.label.is_direct and 0 < digits < _CODE
        return numeric and span.score < _FAINT
    if span.score < _HALF and all(_is_no_name(doc, at) for at in said):
        return True
    if span.score < _HALF and (_is_drug(doc.text, span) or _CUT.match(doc.text, span.end)):
        return True
    if span.score < _BELIEVED and all(_is_unspeakable(texts[at]) for at in said):
        return True
    if folded[said[-1] + 1 : said[-1] + 2] and folded[said[-1] + 1] in voc.LATIN:
        return True
    if span.score < _BELIEVED and all(_is_abbreviation(doc, at) for at in said):
        return True
    written = any(_is_written(doc, at) for at in said)
    return span.score < (weak * _STRANGE if written else weak) and not any(
        _is_loud(doc, at) for at in said
    )


def _is_inside(text: str, span: Span, form: re.Pattern[str]) -> bool:
    """Whether the span lies in a match of the form."""
    around = form.finditer(text, max(0, span.start - _NEAR), span.end + _NEAR)
    return any(match.start() <= span.start and span.end <= match.end() for match in around)


def in_code(doc: Document, span: Span) -> bool:
    """Whether a span is part of a number or code, whose other parts stay if it goes: "KER-2214"."""
    run = solid(doc.text, span.start, span.end)
    codes = sum(map(str.isdigit, run)) > 1 and not hl7.is_coded(doc.text, span.start)
    return codes and not is_misread_word(run)


def is_calling(doc: Document, span: Span) -> bool:
    """Whether what a tagger alone takes for a name stands around names: a title, what is short for
    a profession or a degree, the head of a field, a greeting.
    """
    said = _words(doc, span)
    texts, folded = doc.tokens.texts, doc.tokens.folded
    if span.label in (Label.CITY, Label.ORGANIZATION):
        return all(len(texts[at]) > 1 and voc.TRAITS[folded[at]] & voc.TITLE for at in said)
    if span.label not in _NAMES:
        return False
    if _is_inside(doc.text, span, _DOTTED) and _is_dotted_shorthand(doc.text, span):
        return True
    return all(
        voc.TRAITS[folded[at]] & voc.TITLE
        or folded[at] in _AROUND
        or (texts[at].islower() and folded[at] in voc.FACULTIES)
        or (texts[at].isupper() and folded[at] in _AROUND_IN_CAPITALS)
        for at in said
    )


def is_counted(doc: Document, span: Span) -> bool:
    """Whether a name is an ordinary word that opens a sentence and says what is counted or how old
    it is: "Garçon de 3 ans".
    """
    said = _words(doc, span)
    if span.label not in _NAMES or len(said) != 1 or not _COUNTED.match(doc.text, span.end):
        return False
    word = doc.tokens.folded[said[0]]
    ordinary = EVIDENCE[word].word and not voc.TRAITS[word] & voc.FREQUENT
    return ordinary and _OPENS.search(doc.text[max(0, span.start - _NEAR) : span.start]) is not None


def _is_drug(text: str, span: Span) -> bool:
    """Whether the words around a name are those around a drug."""
    before = text[max(0, span.start - _TOLD) : span.start]
    return _TREATED.search(before) is not None or _DOSED.match(text, span.end) is not None


def _is_unspeakable(text: str) -> bool:
    """The word is in capitals and has no vowel."""
    return len(text) >= _SPELT_OUT and text.isupper() and _VOWEL.search(text) is None


def _is_dotted_shorthand(text: str, span: Span) -> bool:
    """The letters with points around the span make an abbreviation of medicine."""
    around = _DOTTED.finditer(text, max(0, span.start - _NEAR), span.end + _NEAR)
    return any(EVIDENCE[m[0].replace(".", "").lower()].shorthand for m in around)


def is_rest(doc: Document, span: Span) -> bool:
    """Whether a place or institution is small words alone: what is left where the rules took the
    name out of what a tagger saw, "de la" before "Martinique".
    """
    words = [doc.tokens.folded[at] for at in _words(doc, span)]
    return span.label in _PLACES and bool(words) and _SMALL.issuperset(words)


def _words(doc: Document, span: Span) -> list[int]:
    """The tokens of a span that hold letters or digits."""
    tokens = doc.tokens
    first = bisect_right(tokens.ends, span.start)
    inside = range(first, bisect_left(tokens.starts, span.end, first))
    return [at for at in inside if tokens.texts[at].isalnum()]


def _is_ordinary(doc: Document, at: int) -> bool:
    """The token is a word of the dictionary, in small letters."""
    text, word = doc.tokens.texts[at], EVIDENCE[doc.tokens.folded[at]]
    return len(text) > _LEAST and text.islower() and word.word


def _is_no_name(doc: Document, at: int) -> bool:
    """The token is an eponym, or in small letters or put together, and in no list of names."""
    text, word = doc.tokens.texts[at], doc.tokens.folded[at]
    bits = voc.TRAITS[word]
    if bits & voc.EPONYM:
        return True
    small = text.islower() or _is_combined(word)
    return small and len(text) > _LEAST and not bits & voc.LISTED


def _is_combined(word: str) -> bool:
    """A word of the dictionary behind a form such as "télé": "Télésuivi"."""
    forms = (form for form in _FORMS if word.startswith(form))
    return any(len(word) > len(f) + _LEAST and word[len(f) :] in gazetteers.words() for f in forms)


def _is_abbreviation(doc: Document, at: int) -> bool:
    """The token is an abbreviation of medicine in capitals, and nobody's name."""
    text, word = doc.tokens.texts[at], EVIDENCE[doc.tokens.folded[at]]
    return len(text) >= _LEAST and text.isupper() and word.shorthand and not word.surname


def _is_written(doc: Document, at: int) -> bool:
    """The token has a capital and is in no list of words: if no name, a place or a brand."""
    text = doc.tokens.texts[at]
    return len(text) > 1 and text.istitle() and EVIDENCE[doc.tokens.folded[at]].suspicious


def _is_loud(doc: Document, at: int) -> bool:
    """The token is in capitals and no word of medicine: it may be a name in a table."""
    text, word = doc.tokens.texts[at], EVIDENCE[doc.tokens.folded[at]]
    medical = word.medical or word.drug or word.shorthand
    return len(text) >= _LEAST and text.isupper() and not medical
