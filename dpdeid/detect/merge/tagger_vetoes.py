"""Doubts about what a learned tagger proposes: whether it is dropped, or where it is cut.

A tagger's score is of the label in its place; the lists know the word. An unsure tagger is doubted
on a name, but not on a word in capitals that no list knows, and hardly on a number. A sure one is
doubted where it takes ordinary words in small letters for a name, a place or a date ("Monsieur
déjeune"), a sign for initials, or a measure for a date. Whatever its score, words and numbers that
name nobody where they stand are none, and what leads on to the next find or the next column is cut
off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.merge.form_words import NUMBERS, numbers_nobody
from dpdeid.detect.merge.no_names import is_act, is_misread_word, is_model, is_no_name, solid
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import view_of
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.public_numbers import ALWAYS
from dpdeid.detect.rules import columns, hl7
from dpdeid.detect.rules.timewords import (
    MONTH_WORDS,
    NUMERALS,
    SHORT_WEEKDAY_WORDS,
    UNIT,
    WEEKDAY_WORDS,
)
from dpdeid.document import Document, Span
from dpdeid.french.letters.abbreviations import LISTED
from dpdeid.french.tables import words_by_key
from dpdeid.labels import Label
from dpdeid.normalize import fold

_LEADS_ON: Final = re.compile(
    r"(?i)(?<=\w)(?: ?[-–/,;]| (?:au|aux|à|avec|chez|et|ou|par|pour|puis))+$"
)
_BLANK_LINE: Final = re.compile(r"(?<=\S)\s*?\n[ \t]*\r?\n")
_GOES_ON: Final = re.compile(
    r"(?i)(?<=\w)(?<!\bla)(?<!\bde)\s*,?\s(?:d'avance )?(?:merci|svp|cordialement|cdt)\Z"
    r"|(?<=\w),?\s(?:et|puis)\s(?:une?|son|sa|ses|des)\s"
)
"""What closes a line behind a body, or goes on with something else: "et une fracture"."""
_NEXT_SENTENCE: Final = re.compile(r"(?<=/\d\d)\.\s+[A-Z]\w{0,3}\Z")  # "le 18/12. O2 au masque"
_SHORT_TAIL: Final = re.compile(r"(?<=[a-zà-ÿ]) ([A-Z]{3,8})(?: ?\d{1,2})?\Z")
_VALUE_ABOVE: Final = re.compile(r"[\d.,]+[ \t]*\n(?=[^\W_]*\d)")
"""A number that ends a line of a table, before the room that begins the next."""
_SEX_SIGN: Final = re.compile(r"[♀♂⚥]\s*(?=\w)")
_COLUMN: Final = re.compile(r"(?<=\d)(?:[ \t]{2,}|\t)[^\d]*$")
"""The words of the next column, behind a wide gap."""
_LAST_LINE: Final = re.compile(r"(?<=\S)\s*\n[^\n\d]*\Z")
_MORE: Final = re.compile(r"(?<=\S)[ \t]*(?:\r?\n|\|)[^\n\dA-ZÀ-Þ|]*\Z")
"""The next line or cell, in small letters, behind a street."""
_COLON: Final = re.compile(r"[ \t]{0,24}:")
_AROUND_CLOCK: Final = 8
_BODIES: Final = (Label.ORGANIZATION, Label.HOSPITAL)


def without_tail(span: Span, text: str) -> Span:
    """The span without what stands at its end and is none of it, "du 9 au" before "15 mai", nor
    the sign of a sex before an age, nor the value above a room.
    """
    if span.label is Label.AGE and (sign := _SEX_SIGN.match(text, span.start, span.end)):
        span = replace(span, start=sign.end())
    value = _VALUE_ABOVE.match(text, span.start, span.end) if span.label is Label.ROOM else None
    if value is not None and text[: span.start].rpartition("\n")[2].strip():
        span = replace(span, start=value.end())
    inside = text[span.start : span.end]
    cut = _LEADS_ON.search(inside)
    if span.label in _BODIES:
        cut = _GOES_ON.search(inside) or cut
    short = _SHORT_TAIL.search(inside) if span.label in (*_BODIES, Label.LAST_NAME) else None
    if short and fold(short[1]) in voc.ABBREVIATIONS:
        cut = short  # "Institut Tzanck PIRADS 5", "Delmotte ECMES"
    if cut is None and (head := _LAST_LINE.search(inside)) and _COLON.match(text, span.end):
        named = [EVIDENCE[fold(word)] for word in re.findall(r"[^\W\d_]{3,}", head[0])]
        if named and all(one.word and not one.first_name for one in named):
            cut = head  # of a field on the next line, "CP / Ville :"
    if span.label is Label.DATE:
        cut = _NEXT_SENTENCE.search(inside) or cut
    if span.label is Label.STREET and (more := _MORE.search(inside)):
        words = [EVIDENCE[fold(word)] for word in re.findall(r"[^\W\d_]{3,}", more[0])]
        cut = more if words and all(w.word or w.medical for w in words) else cut
    cut = cut or _BLANK_LINE.search(inside)
    if cut is None and span.label in _NAMES and text[span.end : span.end + 1] in (";", "|", "\t"):
        cut = re.search(r"(?<=\S)\s*\n", inside)  # the first cell of the next row
    if cut is None and span.label is Label.STREET:
        cut = re.search(r"(?<=\S)\s*(?:[|\t]|\n\n)", inside)  # the next cell
    if cut is None and span.label.is_direct and inside[:1].isdigit():
        cut = _COLUMN.search(inside)
    if cut is not None:
        return replace(span, end=span.start + cut.start())
    if span.label in (Label.PHONE, Label.FAX):
        near = ALWAYS.finditer(
            text, max(span.start, span.end - _AROUND_CLOCK), span.end + _AROUND_CLOCK
        )
        reached = [m.start() for m in near if m.start() < span.end <= m.end()]
        if reached and reached[0] > span.start:
            return replace(span, end=reached[0])
    return span


_CODED: Final = NUMBERS | {Label.ROOM}
"""What an abbreviation with digits is taken for, as names are: "LV5FU2", "O2"."""
_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_DIGITS: Final = 4
"""Digits of a number that a column may hold beside others."""
_CODE: Final = 5
_FAINT: Final = 0.2
"""Digits from which a number is rather an identifier than a measure, and the score below which a
shorter one is doubted: a number that stays does more harm than one that goes."""
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
_AROUND: Final = voc.SHORT_ROLES | voc.GREETINGS | frozenset(("prenom", "prenoms"))
_AROUND_IN_CAPITALS: Final = voc.DEGREES | voc.FIELDS | voc.ABBREVIATED_ROLES
"""What stands around names and is none."""
_MARRIED: Final = re.compile(r"(?i:[ée]p(?:se)?)\.? ?(?=[A-ZÀ-Þ])")
_PLACES: Final = (Label.CITY, Label.COUNTRY, Label.HOSPITAL, Label.ORGANIZATION, Label.UNIT)
_SMALL: Final = frozenset(("d", "de", "du", "des", "l", "la", "le", "les", "et", "en", "a"))
_SPELT: Final = (*_NAMES, Label.CITY, Label.HOSPITAL, Label.DATE)
"""What hardly ever is ordinary words in small letters only."""
_TIMES: Final = MONTH_WORDS | WEEKDAY_WORDS | SHORT_WEEKDAY_WORDS | NUMERALS
_PREGNANT: Final = re.compile(r"\d{1,2} ?SA ?(?:\+ ?)?(?:[0-6] ?j?(?: ?/ ?7)?)?\b")
"""Weeks of pregnancy: "38 SA 1/7"."""
_NEAR: Final = 8
_MEASURE: Final = re.compile(
    rf"(?i)(?: ?[-–/] ?\d{{1,3}}|er|e|ème)? ?(?:{UNIT}|degr[ée])"
    r"| ?/ ?(?:[3-7]|[1236]0|28|100)(?![\d/])"
)
"""What stands behind a measure: a unit, or the most that a score can be ("20/30")."""

_VALUE: Final = re.compile(
    r"(?i) en (?:\d|janv|f[ée]v|mars|avr|mai\b|jui[nl]|ao[uû]t|sept|oct|nov|d[ée]c)"
)
"""What stands behind a value of some date: "11 en 02/23"."""
_MINUTES: Final = re.compile(r"\d{1,3} ?['’′](?!\w)")
"""Minutes, and no house: "compression 12' Surgicel"."""
_DOSED: Final = re.compile(r"(?i) \d{1,4}(?:[.,]\d+)? ?(?:mg|µg|mcg|g|ml|ui|mui)\b")
"""What stands behind a drug."""
_UNIT_BEHIND: Final = re.compile(r" ?(?:cc|ml|cl|dl|mg|µg|kg|mm|cm|mmol|kcal|ui)(?![\w-])", re.I)
"""What stands behind a measure, whose number identifies nobody: "1200cc"."""
_DRUG_NEAR: Final = 3
"""Tokens before a number in which the drug stands whose dose it is: "Diffu-K 600"."""
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
    if span.label is Label.DATE and _is_inside(doc.text, span, _PREGNANT):
        return True
    if span.label is Label.DATE and all(texts[at].isdigit() for at in said):
        return any(form.match(doc.text, span.end) for form in (_MEASURE, _VALUE))
    digits = sum(len(texts[at]) for at in said if texts[at].isdigit())
    if digits and span.label in NUMBERS and numbers_nobody(doc.text, span.start):
        return True
    run = doc.text[span.start : span.end]
    if span.label in NUMBERS and " " not in run and is_model(doc, said[0]):
        return True
    coded = span.label in _CODED or (named and any(map(str.isdigit, run)))
    if coded and fold(solid(doc.text, span.start, span.end)) in LISTED:
        return True
    few = span.label in NUMBERS and len(said) == 1 and digits < _CODE
    if few and (_is_dose(doc, said[0]) or _UNIT_BEHIND.match(doc.text, span.end)):
        return True
    if span.label is Label.STREET and _MINUTES.match(run):
        return True
    if span.label is Label.STREET and not digits:
        words = [EVIDENCE[folded[at]] for at in said]
        if len(said) == 1:
            return words[0].word
        led = any(voc.TRAITS[folded[at]] & voc.PARTICLE for at in said)
        small = not led and all(texts[at].islower() for at in said)
        return small and all(w.word for w in words) and any(w.medical for w in words)
    if not named:
        return span.label.is_direct and 0 < digits < _CODE and span.score < _FAINT
    if span.score < _HALF and all(_is_no_name(doc, at) for at in said):
        return True
    if span.score < _HALF and _DOSED.match(doc.text, span.end):
        return True
    written = any(_is_written(doc, at) for at in said)
    return span.score < (weak * _STRANGE if written else weak) and not any(
        _is_loud(doc, at) for at in said
    )


def _is_dose(doc: Document, at: int) -> bool:
    """Whether the number stands right behind a drug, on its line."""
    before = range(max(0, at - _DRUG_NEAR), at)
    drugs = [near for near in before if EVIDENCE[doc.tokens.folded[near]].drug]
    text = doc.text[doc.tokens.ends[drugs[-1]] : doc.tokens.starts[at]] if drugs else "\n"
    return "\n" not in text and not any(map(str.isdigit, text))


def _is_inside(text: str, span: Span, form: re.Pattern[str]) -> bool:
    around = form.finditer(text, max(0, span.start - _NEAR), span.end + _NEAR)
    return any(match.start() <= span.start and span.end <= match.end() for match in around)


def in_code(doc: Document, span: Span) -> bool:
    """Whether a span is part of a number or code, whose other parts stay if it goes: "KER-2214"."""
    run = solid(doc.text, span.start, span.end)
    of_nobody = hl7.is_coded(doc.text, span.start) or hl7.is_type(doc.text, span.start)
    codes = sum(map(str.isdigit, run)) > 1 and not of_nobody
    return codes and not is_misread_word(run)


def is_title_or_header(doc: Document, span: Span) -> bool:
    """Whether a tagger alone takes a title, a header, a profession or a greeting for a name."""
    said = _words(doc, span)
    texts, folded = doc.tokens.texts, doc.tokens.folded
    if span.label in (Label.CITY, Label.ORGANIZATION):
        return all(len(texts[at]) > 1 and voc.TRAITS[folded[at]] & voc.TITLE for at in said)
    if span.label not in _NAMES:
        return False
    if (married := _MARRIED.match(doc.text, span.start)) and span.end <= married.end():
        return True
    return all(
        voc.TRAITS[folded[at]] & voc.TITLE
        or folded[at] in _AROUND
        or (texts[at].islower() and folded[at] in voc.FACULTIES)
        or (texts[at].isupper() and folded[at] in _AROUND_IN_CAPITALS)
        for at in said
    )


def is_counted(doc: Document, span: Span) -> bool:
    """Whether a name is a word that opens a sentence before a count or age: "Garçon de 3 ans"."""
    said = _words(doc, span)
    if span.label not in _NAMES or len(said) != 1 or not _COUNTED.match(doc.text, span.end):
        return False
    word = doc.tokens.folded[said[0]]
    ordinary = EVIDENCE[word].word and not voc.TRAITS[word] & voc.FREQUENT
    return ordinary and _OPENS.search(doc.text[max(0, span.start - _NEAR) : span.start]) is not None


_CLOCK: Final = re.compile(r"(\d{2,3}) ?[hH](?![\w])")
_DAY_HOURS: Final = 24
_OF_ATOM: Final = re.compile(r"\*|\W\d{1,3}[A-GI-Z]\Z")


def is_span_of_hours(doc: Document, span: Span) -> bool:
    """Whether what is taken for a time has more hours than a day, "72h", or is of an allele or a
    nuclide: "B*27:05", "18F".
    """
    hours = _CLOCK.match(doc.text, span.start)
    many = hours is not None and int(hours[1]) > _DAY_HOURS
    of_atom = _OF_ATOM.match(doc.text, max(0, span.start - 1), span.end + 1)
    return span.label is Label.TIME and (many or of_atom is not None)


_IN_COLUMNS: Final = (*_NAMES, *_BODIES, Label.AGE)
_DATED: Final = re.compile(
    r"(?<=\w) (?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|1[0-2])\1(?:20)?\d\d\Z"
)
"""A day at the end of a number."""
_WIDE: Final = re.compile(r"\t[ \t]*|[ \t]{3,}")
_WIDER: Final = re.compile(r"\t[ \t]*|[ \t]{6,}")
"""What parts columns of numbers; groups of digits have less between them."""
LANDS: Final = gazetteers.countries().keys() | set(map(fold, words_by_key("foreign_towns")))


_LAND: Final = re.compile(r"\s(?:en|aux?)\s", re.IGNORECASE)
_BAR: Final = re.compile(r"[ \t]*[|;][ \t]*")
_IN_COLUMN: Final = re.compile(
    r"(?<![\w.,])\d{1,3}[.,]\d{1,2}(?=[ \t]{2})|[ \t]{2}\d{1,3}[.,]\d{1,2}(?![\w.,])"
)
"""A decimal in a column of its own, which is part of no number of somebody's."""
_BOX: Final = 2
"""Characters in a box of a form, at most, but for the year of a date."""


def parted(span: Span, text: str) -> Iterator[Span]:
    """A name, age, body or number in its columns, which a tab or blanks part; no name is without
    letters, no number of few digits or with a decimal, and no body is a word of the next column.
    What bars part, unless these are the boxes of a form. A town and the land it is said to lie in,
    "Katowice EN POLOGNE"; a number and the day behind it, "lot A12 05/04/22".
    """
    start = span.start
    bars = [*_BAR.finditer(text, start, span.end)]
    if bars and not _is_boxed(text[start : span.end]):
        for bar in (*bars, None):
            end = bar.start() if bar else span.end
            counted = str.isdigit if span.label in NUMBERS else str.isalnum
            least = _DIGITS if span.label in NUMBERS else 1 if span.label in _NAMES else _BOX + 1
            if sum(map(counted, text[start:end])) >= least:
                yield from parted(replace(span, start=start, end=end), text)
            start = bar.end() if bar else end
        return
    lies = _LAND.search(text, start, span.end) if span.label is Label.CITY else None
    if lies and fold(text[lies.end() : span.end]) in LANDS:
        yield replace(span, end=lies.start())
        yield replace(span, start=lies.end(), label=Label.COUNTRY)
        return
    if span.label in NUMBERS and (dated := _DATED.search(text, span.start, span.end)):
        yield replace(span, end=dated.start())
        yield replace(span, start=dated.start() + 1, label=Label.DATE)
        return
    wide = _WIDE if span.label in _IN_COLUMNS else _WIDER if span.label in NUMBERS else None
    gaps = wide.finditer(text, span.start, span.end) if wide else ()
    if span.label in NUMBERS and _IN_COLUMN.search(text, start, span.end):
        return
    ends = [(gap.start(), gap.end()) for gap in gaps]
    for end, following in (*ends, (span.end, span.end)):
        if not ends or _is_column(span, text[start:end], first=start == span.start):
            yield replace(span, start=start, end=end)
        start = following


def _is_boxed(text: str) -> bool:
    """Whether bars stand between the boxes of a form: a character or two in each, or a date."""
    boxes = [box.strip() for box in _BAR.split(text)]
    single = all(len(box) <= 1 for box in boxes) or "".join(boxes).replace("/", "").isdigit()
    return single and sum(map(len, boxes)) >= _DIGITS and max(map(len, boxes)) <= 2 * _BOX


def _is_column(span: Span, text: str, *, first: bool) -> bool:
    if span.label in NUMBERS:
        return sum(map(str.isdigit, text)) >= _DIGITS
    words = re.findall(r"[^\W\d_]+", text)
    if not words or first or span.label not in _BODIES:
        return bool(words)
    return not all(
        EVIDENCE[w].word or w in voc.ABBREVIATED_ROLES or voc.TRAITS[w] & (voc.TITLE | voc.ROLE)
        for w in map(fold, words)
    )


def is_noun_of_place(doc: Document, span: Span) -> bool:
    """Whether a body is the noun alone, "au port", "Pharmacie", and names none."""
    words = [doc.tokens.folded[at] for at in _words(doc, span)]
    return (
        span.label is Label.ORGANIZATION
        and len([word for word in words if word not in _SMALL]) == 1
        and all(word in voc.BEFORE_PLACE or word in _SMALL for word in words)
        and not doc.text[span.start : span.end].isupper()
    )


def is_eponym(doc: Document, span: Span) -> bool:
    """Whether a town is what a disease or a sign is called after, "dysplasie de Taylor", or a word
    of medicine that no place is called: "à Pseudomonas".
    """
    words = _words(doc, span) if span.label is Label.CITY else []
    long = [word for word in map(doc.tokens.folded.__getitem__, words) if len(word) > _LEAST]
    placed = any(w in gazetteers.departments() or gazetteers.places_named(w) for w in long)
    acts = bool(long) and not placed and all(map(is_act, long))
    return bool(words) and (acts or view_of(doc).guarded.issuperset(words))


def is_rest(doc: Document, span: Span) -> bool:
    """Whether a place is small words alone, what the rules left: "de la" before "Martinique"; or a
    name the "d'" before a town.
    """
    words = [doc.tokens.folded[at] for at in _words(doc, span)]
    small = bool(words) and _SMALL.issuperset(words)
    return small and (span.label in _PLACES or doc.text[span.end - 1] in "'’")


def _words(doc: Document, span: Span) -> list[int]:
    tokens = doc.tokens
    return [at for at in tokens.over(span.start, span.end) if tokens.texts[at].isalnum()]


def _is_ordinary(doc: Document, at: int) -> bool:
    text, word = doc.tokens.texts[at], EVIDENCE[doc.tokens.folded[at]]
    return len(text) > _LEAST and text.islower() and word.word


def _is_no_name(doc: Document, at: int) -> bool:
    """The token is an eponym, or in small letters and in no list of names."""
    text, word = doc.tokens.texts[at], doc.tokens.folded[at]
    bits = voc.TRAITS[word]
    if bits & voc.EPONYM:
        return True
    return text.islower() and len(text) > _LEAST and not bits & voc.LISTED


def _is_written(doc: Document, at: int) -> bool:
    """The token has a capital and is in no list of words: if no name, a place or a brand."""
    text = doc.tokens.texts[at]
    return len(text) > 1 and text.istitle() and EVIDENCE[doc.tokens.folded[at]].suspicious


def _is_loud(doc: Document, at: int) -> bool:
    """The token is in capitals and no word of medicine: it may be a name in a table."""
    text, word = doc.tokens.texts[at], EVIDENCE[doc.tokens.folded[at]]
    medical = word.medical or word.drug or word.shorthand
    return len(text) >= _LEAST and text.isupper() and not medical
