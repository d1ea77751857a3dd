"""Where a text tells the value of a measure, of any length and with or without a unit, and the dose
of a drug: "Plaquettes 98000 (150000 - 400000)", "D-dimères : 12500 puis 4200", "INNOHEP 14000".

A value stands behind the label of a measure (`french/measures`) or a drug, or before a unit. What
has the form of a date, a telephone number or an age is none, nor is a number that begins with zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document
from dpdeid.french.calendar import MONTH_OF
from dpdeid.french.measures import (
    ANY_LENGTH,
    COUNTS,
    DECIMALS,
    DOSED,
    EPONYMS,
    FAR,
    RATIOS,
    SAID,
    SCALES,
    WEIGHED,
)
from dpdeid.french.numerals import WORDS
from dpdeid.french.titles import TITLES
from dpdeid.lexicon import Memo
from dpdeid.tokens import Tokens

_COUNTED: Final = (
    r"(?!(?:[.,]?\d|-\d|er\b|(?!E\d)[A-Za-z]{1,3}-?\d|[ .]\d\d(?:[ .-]\d\d){2}"
    r"|[ .]?[/-] ?\d{1,2}[/-]\d|[ \t]?:[ \t]?\d"
    r"|[ \t]?[hH](?:\d|\b)|[ \t](?:ans?|mois|jours?|semaines?|sem|heures?|SA)\b"
    r"|[ \t](?:janv|f[ée]vr|mars|avril|mai|juin|juil|ao[ûu]t|sept|oct|nov|d[ée]c)))"
)
"""What stands behind no value: more of a date, of a telephone number or of a time."""
_NO_YEAR: Final = r"(?!(?:19|20)\d\d(?![\d.,]))"
_ANY: Final = rf"(?!0\d)(?:\d{{1,3}}(?:[ .]\d{{3}}){{1,2}}|\d{{1,10}}(?:[.,]\d{{1,3}})?){_COUNTED}"
_SHORT: Final = rf"(?!0\d){_NO_YEAR}\d{{1,4}}(?:[.,]\d{{1,3}})?{_COUNTED}(?! ?/ ?\d)"
_UNIT: Final = (
    r"(?:[ \t]?(?:[°%]C?|(?:10 ?(?:\^|E|\*\*) ?\d|[gG]iga|[tT][ée]ra|copies|log|mm[3³]"
    r"|[kmµunpdc]?(?:g|l|mol|UI|ui|U|u|eq|osm)|[ée]l[ée]m(?:ents?)?|cellules?)?"
    r"(?: ?/ ?(?:mm ?[3³]|[mdµu]?[lL]|min|mn|h|kg|24 ?h|j))?)"
    r"(?![^\W_]))?"
)
_LINK: Final = (
    r"(?:[ \t]{0,4}(?:[:=<>~≈≥≤\"→(\[|*_…]|->|\.{2,9}+|[-–](?=[ \t])"
    r"|\b(?i:à|a|de|est|sont|[ée]tait|c'est|il|elle|ce|jour|matin"
    r"|stables?|bas(?:se)?s?|haute?s?|[ée]lev[ée]e?s?|totale?s?|libre|us|hs|sup(?:[ée]rieure?s?)?"
    r"|inf(?:[ée]rieure?s?)?|environ|remont[ée]e?s?|mont[ée]e?s?|baiss[ée]e?s?|chut[ée]e?s?"
    r"|pass[ée]e?s?|encore|toujours|seulement|nuit|24 ?h|max|min|initiale?s?|plasmatiques?"
    r"|capillaires?|[TI]|I{1,2}a?|du (?:jour|matin|soir)|ce soir|hier|moy(?:enne)?|d[ée]but|fin"
    r"|avant|apr[èe]s|repos|effort|r[ée]siduelle?s?|corrig[ée]e?s?|[JHMT]\+?\d{1,2}|urinaires?"
    r"|sanguine?s?|s[ée]riques?|art[ée]rielle?s?|veineu(?:x|se)s?|hebdo|calcul[ée]e?s?|estim[ée]e?s?"
    r"|mesur[ée]e?s?|actuelle?s?|entr[ée]e|sortie|horaire|[DG]|dte?|gche?|droite?|gauche"
    r"|cordon|flash|invasive|contr[ôo]le|autour|vers|entre|jusqu'à|trouv[ée]e?s?|cot[ée]e?"
    r"|[ée]valu[ée]e?|not[ée]e?|score|total|taux|dos[ée]e?s?|rendue?s?|toujours|cible"
    r")(?![^\W_]))){0,4}[ \t]{0,12}(?:(?<![^ \t:=(])[-–+−±] ?)?"
)
"""What stands between a label and its value: " : ", " est à ", "  "."""
_NEXT: Final = (
    r"[ \t]?(?:(?:[>→]|->)(?=\d)|(?:[>→]|->|(?<=[ \t])[-–/](?=[ \t])"
    r"|(?:,[ \t])?\b(?i:puis|à|et|contre|vs|soit|contr[ôo]l[ée]e?s?|ensuite"
    r"|(?:re)?mont[ée]e?s?|(?:re)?descen\w{1,6})\b)(?:[ \t](?:[àa]|de))?[ \t])"
)
"""What leads from a value to the next one of the same measure: ", contrôle "."""
_AGAIN: Final = re.compile(
    r"[^\n;|]{0,24}?\b(?:contr[ôo]l\w{0,4}|puis|recontr[ôo]l\w{0,4}|ensuite)[ \t:]{1,3}(?:[àa] )?"
    rf"({_NO_YEAR}[1-9]\d{{2,7}}){_COUNTED}(?![/-])"
)
"""The next value of a measure behind a day: " le 02/12, contrôle 131500"."""
_BOUND: Final = r"(?:\d{1,3}(?:[ .]\d{3}){1,2}|\d{1,8}(?:[.,]\d{1,3})?)"
_SOME: Final = r"[ \t]{0,12}"
_LIMITS: Final = (
    rf"(?:{_SOME}[(\[]{_SOME}(?:V?N|[Nn]ormales?|[Rr][ée]f)?[ \t:=]{{0,4}}(?:[<>≤≥]{_SOME})?"
    rf"{_BOUND}(?:{_SOME}(?:[-–à]|<){_SOME}{_BOUND})?[^\W\d_]{{0,5}}{_SOME}[)\]]"
    rf"|(?:[ \t]{{2,24}}|\t)(?!0\d){_BOUND}{_SOME}[-–]{_SOME}(?!0\d){_BOUND}(?![\d/.,-]))?"
)
"""The range behind a value: " (150000 - 400000)"."""


def _values(value: str, more: str = "") -> re.Pattern[str]:
    one = value + more + _UNIT
    return re.compile(_LINK + one + _LIMITS + f"(?:{_NEXT}{one}{_LIMITS}){{0,5}}")


_TIMES: Final = r"(?:[ \t]?[x×*][ \t]?\d{1,2}(?![\d/]))?"
_DOSE: Final = (
    rf"(?!0\d)(?:(?=2000(?![\d.,]))|{_NO_YEAR})"
    r"(?:\d{1,3}(?: \d{3}){1,2}|\d{1,5}(?:[.,]\d{1,2})?|\d{1,3}0{5,6})"
)
_DAY: Final = (
    r"(?:(?:0?[1-9]|[12]\d|3[01])[/.](?:0[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])/[0-3]\d)(?!\d)"
    r"|\d{1,2} ?(?:→|->|au?\b) ?\d"
)
"""A day, a month or a span of days behind a drug: "12.03", "Prevenar 11/24", "Augmentin 16→23"."""
_MOST_POINTS: Final = r"(?: ?/ ?(?:1[3-9]|[2-9]\d|1\d\d)(?![\d/]))?"
"""The most a score can be, but no month: "/30"."""
_REGIMEN: Final = (
    r"\d{1,3}(?:[.,]5)?(?:-\d{1,3}(?:[.,]5)?){1,2}-\d(?![\d/-])|\d(?:/\d){2,3}(?![\d/])"
    r"|\d{1,2} ?[x×*] ?(?!0)\d{1,5}"
)
"""Doses of a day, or how often how much: "6-8-6", "4x2000"."""
_RATIO: Final = (
    r"(?!0\d)\d{1,3}(?:[.,]\d)?(?:[ \t]?[/-][ \t]?\d{1,3}(?:[.,]\d)?)?"
    rf"(?![/-]){_COUNTED}"
)
_FORMS: Final = {
    "count": _values(_ANY),
    "any": _values(rf"{_NO_YEAR}{_ANY}"),
    "ratio": re.compile(rf"{_LINK}{_RATIO}(?:{_NEXT}{_RATIO}){{0,5}}"),
    "far": _values(rf"{_NO_YEAR}(?!0)(?:\d{{1,3}}(?:[ .]\d{{3}}){{1,2}}|\d{{3,8}}){_COUNTED}"),
    "scale": _values(
        rf"(?!0\d){_NO_YEAR}\d{{1,4}}(?:[.,]\d{{1,3}})?{_MOST_POINTS}{_COUNTED}(?! ?/ ?\d)"
    ),
    "decimal": _values(rf"(?!0\d)\d{{1,3}}(?:,\d{{1,2}}|\.\d{{1,2}}){_COUNTED}"),
    "weighed": _values(
        rf"(?!0\d)(?:\d{{1,3}},\d{{1,2}}|(?:3[2-9]|[4-9]\d|1\d\d)\.\d{{1,2}}){_COUNTED}"
    ),
    "said": _values(_SHORT, rf"(?:[ \t]{{1,4}}{_SHORT}){{0,6}}(?![ .]\d)"),
    "drug": re.compile(
        r"(?i)(?:[ \t]{1,3}(?:lp|xr|cp|inj|iv|sc|po|per os|ivse|ivd|im|pse|forte|faible|retard|mix"
        r"(?: ?[2-7][05])?|bolus|continu|gel|gtt?e?s?|gouttes|depuis|à|a)\b)?(?:[ \t]{0,4}[:=(])?"
        rf"[ \t]{{0,12}}(?<![^\W_])(?!{_DAY})(?:{_REGIMEN}|{_DOSE})"
        r"(?:[ \t]?/[ \t]?\d{1,4}(?:[.,]\d)?){0,2}"
        rf"{_TIMES}{_COUNTED}(?![/-]\d)"
    ),
}
"""What stands behind a label or a drug."""
_BIG_UNIT: Final = re.compile(
    r"(?<![\w.,/-])(?<!\d )(?!0\d)(?:\d{1,3}(?: \d{3}){1,2}|\d{1,10})(?:[.,]\d{1,3})?"
    r"(?:[ \t]?(?:mg|mcg|µg|ug|kg|g|ml|cl|fL|pg|mm|cm|mmol|µmol|umol|kcal|cal|mmHg|kPa|MG|KG"
    r"|(?i:[km]?ui|gr(?:ammes?)?|litres?|copies|log|unit[ée]s?|gouttes?|bpm|g[ée]lules?|ampoules?"
    r"|comprim[ée]s?|cgr|bouff[ée]es?))|(?:ML|CM|MM|UG|G|[ \t]?%))(?![^\W_])"
)
"""A number with its unit: "4120 GRAMMES"; capitals that may be initials touch it: "4MG"."""
_WITHIN: Final = frozenset("@._\\")
"""Before a word of an address or the name of a file."""
_NUMBERED: Final = frozenset(
    ("dossier", "ipp", "nip", "n", "no", "num", "numero", "lot", "ref", "vol")
)
"""Words before a short label that is part of a number: "dossier GB 4471882"."""
_LINKS: Final = frozenset(
    (":", "=", "'", "a", "est", "de", "c", "il", "elle", "etait", "la", "les", "virgule")
)
_NUMBER_WORDS: Final = WORDS - {"un", "une", "premier"}
_MOST: Final = 12
_USUAL: Final = 5
"""Frequency (whole part of the Zipf value) from which a word is hardly meant as a drug."""
_LEAST: Final = 4
_CLEAR: Final = 3
"""Letters from which a label is one though letters or digits touch it."""
_FAMOUS: Final = 3
"""How usual a surname must be for the name of a drug to be one, in the levels of the lists."""


_WORDS_OF: Final = (
    ("count", COUNTS),
    ("any", ANY_LENGTH),
    ("far", FAR),
    ("ratio", RATIOS),
    ("scale", SCALES | EPONYMS),
    ("drug", DOSED),
    ("said", SAID),
    ("decimal", DECIMALS),
    ("weighed", WEIGHED),
)


def _kind(word: str) -> str:
    """Which of `_FORMS` may stand behind a folded word, "" if none."""
    for kind, words in _WORDS_OF:
        if word in words:
            return kind
    known = EVIDENCE[word] if len(word) >= _LEAST and word.isalpha() else None
    if known is None or not known.drug or known.first_name or known.surname >= _FAMOUS:
        return ""
    return "drug" if known.frequency < _USUAL else ""


_IN_WORDS: Final = frozenset(("count", "any", "ratio", "scale", "said"))
"""Those whose values may be told in words."""
_KIND: Final = Memo(_kind)


def is_label(word: str) -> bool:
    """Whether a value or a dose stands behind a folded word."""
    return bool(_KIND[word])


def values(doc: Document) -> Iterator[tuple[int, int]]:
    """The stretches of a note that are values, each with its label, or with the unit behind it."""
    tokens, text = doc.tokens, doc.text
    for first, word in enumerate(tokens.folded):
        kind, at = _called(tokens, first)
        if not kind:
            continue
        before = tokens.folded[first - 1] if first else ""
        if len(word) < _CLEAR and (
            _is_in_code(text, tokens.starts[first], tokens.ends[at]) or before in _NUMBERED
        ):
            continue
        if word in EPONYMS and (before in TITLES or tokens.texts[first - 1][:1].isupper()):
            continue
        if tokens.starts[first] and text[tokens.starts[first] - 1] in _WITHIN:
            continue
        found = _FORMS[kind].match(text, tokens.ends[at])
        if found and text[found.end() : found.end() + 1] not in ("@", "_"):
            yield tokens.starts[first], found.end()
            if kind in ("count", "any") and (again := _AGAIN.match(text, found.end())):
                yield again.span(1)
        elif kind in _IN_WORDS and (stop := _in_words(tokens, at + 1)):
            yield tokens.starts[first], tokens.ends[stop - 1]
    for found in _BIG_UNIT.finditer(text):
        yield found.span()


def _called(tokens: Tokens, at: int) -> tuple[str, int]:
    """Which of `_FORMS` may stand behind the label that begins at a token, "" if none does, and the
    last token of that label: "beta-hcg", "V20".
    """
    word = tokens.folded[at]
    more = tokens.folded[at + 1 : at + 3]
    if more and tokens.starts[at + 1] == tokens.ends[at]:
        if more[0].isdigit() and (kind := _KIND[word + more[0]]):
            return kind, at + 1
        if more[0] == "-" and len(more) > 1 and (kind := _KIND["-".join((word, more[1]))]):
            return kind, at + 2
    return _KIND[word], at


def _is_in_code(text: str, start: int, end: int) -> bool:
    """Whether letters stand before a short label, or a long number touches it: "lot CK8840"."""
    return text[max(0, start - 1) : start].isalnum() or text[end : end + _LEAST].isdigit()


def _in_words(tokens: Tokens, at: int) -> int:
    """The end of a number in words behind a label, "est à onze virgule trois"; 0 if none."""
    folded, size = tokens.folded, len(tokens)
    last = min(at + _LEAST, size)
    while at < last and folded[at] in _LINKS:
        at += 1
    stop = at
    while stop < min(at + _MOST, size) and (
        folded[stop] in _NUMBER_WORDS or (stop > at and folded[stop] in (",", "-", "virgule", "et"))
    ):
        stop += 1
    while stop > at and folded[stop - 1] not in _NUMBER_WORDS:
        stop -= 1
    if stop == at or (stop < size and folded[stop] in MONTH_OF):
        return 0
    return 0 if folded[at : at + 1] == ("zero",) and folded[at + 1] in _NUMBER_WORDS else stop
