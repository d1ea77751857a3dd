"""What is written in the forms of German, Dutch, Italian and English, in a paragraph of theirs:
dates, births, ages, clock times, streets, postal codes with their towns, hospitals; "Bahnhofstr.
12, 8200 Schaffhausen", "Kerkstraat 14 bus 3", "via Nassa 12", "12 Baker Street". The expressions
are in forms.yaml, the words of dates in `dpdeid.french.calendar`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from dpdeid.detect.languages.tables import CAPITAL, forms, words_of
from dpdeid.document import Span
from dpdeid.french.calendar import MONTH_OF_ABROAD, WEEKDAYS_ABROAD
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.spans import source_of

_ZIP: Final = (
    r"(?P<zip>(?:(?:CH|DE|AT|BE|LU|IT|NL|[DABLI])[ -]{1,3})?\d{4,5}(?: ?[A-Z]{2}(?= [A-Z]))?)"
    r" (?P<town>(?:(?:St|Sankt|Sint|San|Bad|La|De|Den|Ober|Unter|Kleine?|Grosse?)[. -] ?)?"
    rf"{CAPITAL}(?: (?:am|im|an der|bei|aan de|sul|sur|in|di) {CAPITAL})?(?: [A-Z]{{2}}(?![\w]))?)"
)
_BEFORE_ZIP: Final = r"(?:(?<=[,(\n;:] )|(?<=[,(\n;:])|(?<=\d )|(?<= in )|(?<= te )|(?<= a ))"
_UK: Final = r"(?P<zip>\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b)"
_US: Final = r"(?<=[A-Z]{2} )(?P<zip>\d{5}(?:-\d{4})?)(?!\d)"
_AGO: Final = re.compile(
    r"(?i) (?:ago|later|geleden|fa|lang|später|zuvor|earlier|of|smoking|history)\b"
)
_UNITS: Final = (
    r"(?! ?(?:mg|µg|mcg|g|kg|ml|l|cm|mm|%|mmol|ng|IE|IU|UI|kcal|U|ui|E|m)\b|[.,]\d|\d|[/-]\d)"
)
_YEAR: Final = (
    r"(?:[,\s]{1,3}(?:of |del |de )?(?:(?:19|20)\d\d)(?![\d])"
    r"|[ -]['’]?\d\d(?![\d:.,/%]|\s?\w))?"
)
_IN_NUMBERS: Final = (
    r"(?P<DATE>(?<![\d./])(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\."
    r"(?:(?:19|20)?\d\d(?!\d))?)(?! ?\d)"
)


@dataclass(frozen=True, slots=True)
class _Forms:
    """The expressions of a language, each with what its groups or its match are."""

    each: tuple[tuple[re.Pattern[str], dict[str, Label]], ...]
    born: re.Pattern[str]
    lasts: re.Pattern[str]


def _any_of(words: Iterable[str]) -> str:
    """An expression of any of some words, the longest first, with their accents or without."""
    longest = sorted(map(re.escape, words), key=len, reverse=True)
    return f"(?:{'|'.join(longest)})".replace("a", "[aä]").replace("i", "[iì]")


@cache
def _forms(language: str) -> _Forms:
    told = forms()[language]
    months = MONTH_OF_ABROAD[language]
    full = _any_of(word for word in months if len(word) > _SHORT)
    month = rf"(?:{full}\b|{_any_of(word for word in months if len(word) <= _SHORT)}\b\.?)"
    weekday = _any_of(map(fold, WEEKDAYS_ABROAD[language]))
    day = r"(?<![\d.,/])(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|[°º])?"
    dot = r"\.?[\s-]{0,2}(?:of |di )?"
    named = rf"(?:{weekday},?\s(?:(?:den|dem|the|il|de)\s)?)?"
    dates = [
        rf"(?i:(?P<DATE>{day}\.?)(?=\s?(?:{told['until']})\s?{day}{dot}{month}))",
        rf"(?i:(?P<DATE>{named}{day}{dot}{month}{_YEAR}))",
        rf"(?i:(?P<DATE>{weekday},?\s(?:the\s)?{day})(?![\w.:,/]\d|\w))",
        rf"(?i:(?P<DATE>{month}(?:[,\s]{{1,2}}|\s(?:del|of|de)\s)(?:19|20)\d\d)(?!\d))",
        rf"(?i:\b(?:{told['leading']})\s(?P<DATE>{full}(?![\w])))",
        rf"(?i:\b(?P<DATE>{weekday}(?![\w])))",
        _IN_NUMBERS,
        rf"(?P<DATE>(?<![\w.,/:-])(?:19[3-9]\d|20[0-4]\d)(?![\w])){_UNITS}",
    ]
    if language == "en":
        dates.insert(1, rf"(?i:(?P<DATE>{named}{month}\s{day}(?:,?\s(?:19|20)\d\d)?)(?![\d:]))")
    label = Label.DATE
    each: list[tuple[re.Pattern[str], dict[str, Label]]] = [
        (re.compile(form), {"DATE": label}) for form in dates
    ]
    each += [(re.compile(form), {"": Label.STREET}) for form in told["streets"]]
    towns = {"zip": Label.ZIP, "town": Label.CITY}
    each.append((re.compile(_BEFORE_ZIP + _ZIP), towns))
    if language == "en":
        each += [(re.compile(form), {"zip": Label.ZIP}) for form in (_UK, _US)]
    each += [(re.compile(form), {"": Label.HOSPITAL}) for form in told["hospitals"]]
    clocks = {"clock": Label.TIME, "clock2": Label.TIME}
    each.append((re.compile(told["clock"]), clocks))
    each.append((re.compile(rf"(?i)(?<![\d.,/])(?:{told['age']})"), {"": Label.AGE}))
    born = re.compile(rf"(?i)(?<!\w){told['born']}[ :,]{{0,3}}\Z")
    return _Forms(tuple(each), born, re.compile(rf"(?i)\b{told['lasts']}\Z"))


def _is_broken(street: str) -> bool:
    """Whether a street of English has words that no street has: "2 hours after road"."""
    return any(word in _NO_STREET for word in street.lower().split())


_NO_STREET: Final = words_of("en", "function") - {"the", "of", "st"}
_SHORT: Final = 4
"""Letters up to which a month may be an abbreviation, which needs a number beside it."""
_BEFORE: Final = 44
_RANKS: Final = 1000


def forms_in(text: str, start: int, end: int, language: str) -> Iterator[Span]:
    """What stands in the forms of a language between two offsets; may overlap."""
    own = _forms(language)
    for number, (form, labels) in enumerate(own.each):
        for found in form.finditer(text, start, end):
            for group, label in labels.items():
                first, last = found.span(group or 0) if group in ("", *form.groupindex) else (0, 0)
                if first >= last:
                    continue
                before = text[max(start, first - _BEFORE) : first]
                if label is Label.DATE and own.born.search(before):
                    label = Label.BIRTH_DATE
                lasts = label is Label.AGE and own.lasts.search(before)
                if label is Label.STREET and language == "en" and _is_broken(found[0]):
                    continue
                if lasts or (label is Label.AGE and _AGO.match(text, last, end)):
                    continue
                yield Span(first, last, label, 1 - number / _RANKS, source_of(language))
