"""What is written in the forms of German, Dutch, Italian and English, in a paragraph of theirs: dates,
births, ages, clock times, streets, postal codes with their towns, hospitals; "Bahnhofstr. 12, 8200
Schaffhausen", "Kerkstraat 14 bus 3", "via Nassa 12", "12 Baker Street".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from dpdeid.detect.languages.tables import words_of
from dpdeid.document import Span
from dpdeid.french.abroad import MONTH_OF, WEEKDAYS, source_of
from dpdeid.labels import Label

_CAP: Final = r"[A-ZÀ-ÖØ-Þ][\w'’-]*"
_NO: Final = r"\d{1,4}(?: ?[a-zA-Z](?![\w]))?(?:[/-]\d{1,3})?"
_SOURCE_SCORE: Final = 1.0

_STREET: Final = {
    "de": (
        rf"(?i:(?<![\w])(?:(?:alte|neue|obere|untere|innere|äussere|lange|kleine|grosse) )?[\w-]*(?:str\.|strasse|straße|gasse|gässli|gaessli|weg|platz|allee|"
        rf"rain|halde|quai|ring|ufer|promenade|steig|damm|matte|graben)) ?{_NO}",
        rf"(?:(?:Im|Am|An der|Auf der|In der|Zum|Zur) )?{_CAP} {_NO}(?=,? (?:[A-Z]{{1,2}}-)?\d{{4,5}} [A-Z])",
    ),
    "nl": (
        rf"(?:{_CAP}[ -])?(?i:(?<!\w)(?:(?:de|het|van|ter|ten|den|der|op|sint|st\.?|oude|nieuwe) ){{0,3}}"
        rf"[\w'’-]*(?:straat|str\.|laan|steenweg|stwg\.?|plein|dreef|lei|kaai|baan|singel|gracht|dijk|"
        rf"markt|weg|pad|wal|hof|berg|veld|vest|vesten|kade)) {_NO}(?:,? ?(?:bus|bte\.?|b\.) ?\w{{1,4}})?",
        rf"{_CAP}(?: {_CAP})? {_NO}(?:,? ?bus ?\w{{1,4}})?(?=,? \d{{4}}(?: [A-Z]{{2}})? [A-Z])",
    ),
    "it": (
        r"(?i:\b(?:via|viale|piazza|piazzale|piazzetta|corso|vicolo|contrada|strada|salita|lungolago|largo|"
        r"riva|vico|stradone|fondamenta|calle)) (?:(?:alla|al|ai|alle|allo|della|delle|dello|di|del|dei|degli|"
        rf"san|santa|don|monsignor|[A-Z]\.|{_CAP}|(?:d|dell|all)['’]{_CAP})[ ,]{{1,2}}){{1,5}}?{_NO}",
        rf"(?i:\b(?:via|viale|piazza|corso|vicolo)) (?:(?:alla|al|ai|della|di|del|dei|san|santa) ){{0,2}}{_CAP}",
    ),
    "en": (
        r"(?i:(?:(?:flat|apt\.?|unit|suite|no\.?) ?\w{1,5},? )?\d{1,5}[a-z]?(?:/\d{1,3})? "
        r"(?:[\w'’.-]+ ){1,4}?(?:street|st|road|rd|lane|ln|avenue|ave|drive|close|crescent|cres|court|"
        r"way|terrace|place|gardens|square|row|mews|grove|boulevard|blvd|parade|walk|green|quay|highway))"
        r"(?![\w])(?: (?:North|South|East|West|N|S|E|W)\b)?\.?",
    ),
}
_ZIP: Final = (
    r"(?P<zip>(?:(?:CH|DE|AT|BE|LU|IT|NL|[DABLI])[ -]{1,3})?\d{4,5}(?: ?[A-Z]{2}(?= [A-Z]))?)"
    rf" (?P<town>(?:(?:St|Sankt|Sint|San|Bad|La|De|Den|Ober|Unter|Kleine?|Grosse?)[. -] ?)?{_CAP}"
    rf"(?: (?:am|im|an der|bei|aan de|sul|sur|in|di) {_CAP})?(?: [A-Z]{{2}}(?![\w]))?)"
)
_BEFORE_ZIP: Final = r"(?:(?<=[,(\n;:] )|(?<=[,(\n;:])|(?<=\d )|(?<= in )|(?<= te )|(?<= a ))"
_UK: Final = r"(?P<zip>\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b)"
_US: Final = r"(?<=[A-Z]{2} )(?P<zip>\d{5}(?:-\d{4})?)(?!\d)"

_HOSPITAL: Final = {
    "de": (
        rf"(?:{_CAP}er )?[A-ZÄÖÜ][\wäöü-]*(?:spital|spitals|klinikum|krankenhaus|klinik|zentrum)"
        rf"(?: (?:der|am|in|im|zu) )?(?: ?{_CAP}(?:-{_CAP})?)",
        rf"(?:{_CAP}er )?(?:Spital|Klinik|Klinikum|Krankenhaus|Universitätsklinik|Reha|Altersheim|"
        rf"Pflegeheim|Pflegezentrum|Hirslanden) (?:(?:am|zum|zur|der|im|St\.) )?{_CAP}(?: {_CAP})?",
        r"[A-ZÄÖÜ][\wäöü]{2,}(?:spital|krankenhaus|klinikum)",
    ),
    "nl": (
        rf"(?:UZ|AZ|ZNA|ZOL|UMC|OLV|CHU|WZC|ZH) {_CAP}(?: {_CAP})?",
        rf"(?:{_CAP} )?(?:[A-Z][\w-]*(?:ziekenhuis|kliniek|hospitaal)|Ziekenhuis|Kliniek)(?: {_CAP})?",
        rf"(?:ziekenhuis|kliniek|woonzorgcentrum|rusthuis) (?:(?:van|te|de|het) ){{0,2}}{_CAP}(?: {_CAP})?",
    ),
    "it": (
        r"(?i:\b(?:ospedale|clinica|policlinico|casa di cura|casa anziani|cardiocentro|istituto|ente ospedaliero|"
        r"residenza|centro medico|fondazione|azienda ospedaliera))(?: (?:di |del |della |dell['’]|dei |delle |d['’])?"
        rf"(?:{_CAP}|civico|regionale|cantonale|universitario|maggiore|oncologico)){{1,5}}",
    ),
    "en": (
        rf"(?:{_CAP}\.? (?:of |and |the |& )?){{1,4}}(?:Hospital|Infirmary|Hospice|Medical "
        rf"Cent(?:er|re)|Health Cent(?:er|re)|Clinic|Surgery)(?: (?:of|for|at) {_CAP}(?: {_CAP})?)?",
        rf"\bSt\.? {_CAP}s\b",
        r"(?:Royal |General |University )?(?:Hospital|Infirmary|Clinic) (?:of|for) (?:the )?"
        rf"{_CAP}(?: {_CAP})?",
    ),
}
_BORN: Final = {
    "de": r"(?:geb(?:oren)?\.?(?: am)?|geburtsdatum:?|\*)",
    "nl": r"(?:geb(?:oren)?\.?(?: op)?|geboortedatum:?|°)",
    "it": r"(?:nat[ao](?: a [\w' ]{2,30}?)?(?: il| l['’])?|n\. il|data di nascita:?|d\.d\.n\.:?)",
    "en": r"(?:born(?: on| in [\w ]{2,20}? on)?|d\.?o\.?b\.?:?|date of birth:?|birth date:?)",
}
_CLOCK: Final = {
    "de": r"(?P<clock>\d{1,2}(?:[.:]\d{2})?)(?= ?Uhr)",
    "nl": r"(?P<clock>\d{1,2}(?:[.:]\d{2})?)(?= ?(?:uur|u\b))",
    "it": r"(?<=ore )(?P<clock>\d{1,2}(?:[.:]\d{2})?)",
    "en": r"(?P<clock>\d{1,2}(?:[.:]\d{2})?)(?= ?[ap]\.?m\b)|(?<=\bat )(?P<clock2>[012]\d[0-5]\d|\d{1,2}:\d{2})(?!\w)",
}
_AGE: Final = {
    "de": r"\d{1,3}(?: Jahre?n?| J\.(?= ?,|\)| )|[- ]?jährige?[rnsm]?)",
    "nl": r"\d{1,3}(?:[ -]?jaar|[- ]?jarige?| maanden)",
    "it": r"\d{1,3} (?:anni|mesi)|\banni \d{1,3}(?![\d.,])",
    "en": r"(?:aged? )?\d{1,3}(?:[ -]years?(?:[ -]olds?)?| ?y/?o\b| ?yrs?(?: old)?| months? old)|\baged? \d{1,3}\b",
}
_SPAN_OF_TIME: Final = {
    "de": r"(?:seit|vor|in|während|nach|über|ca\.|für|alle|je|innert) (?:\w+ )?",
    "nl": r"(?:sinds|na|over|gedurende|voor|al|elke|tijdens|binnen|nog|om de) (?:\w+ )?",
    "it": r"(?:da|per|tra|fra|dopo|in|ogni|circa|entro|nei|negli|ultimi) (?:\w+ )?",
    "en": r"(?:for|in|after|over|every|within|since|last|past|about|next) (?:\w+ )?",
}
_AGO: Final = re.compile(r"(?i) (?:ago|later|geleden|fa|lang|später|zuvor|earlier|of|smoking|history)\b")
_LEADING: Final = {
    "de": "im|seit|vom|bis|ab|Anfang|Mitte|Ende|seit dem",
    "nl": "in|sinds|van|tot|vanaf|begin|eind|half|medio|sedert",
    "it": "in|a|ad|di|da|dal|nel|dell['’]|entro|fino a|fine|inizio",
    "en": "in|since|until|till|of|from|by|last|next|early|late|mid|this",
}
_UNTIL: Final = {"de": "bis|und|/|-|–", "nl": "tot(?: en met)?|en|t/m|-|–", "it": "al|e|-|–", "en": "to|and|until|-|–"}
_UNITS: Final = r"(?! ?(?:mg|µg|mcg|g|kg|ml|l|cm|mm|%|mmol|ng|IE|IU|UI|kcal|U|ui|E|m)\b|[.,]\d|\d|[/-]\d)"


@dataclass(frozen=True, slots=True)
class _Forms:
    """The expressions of a language, each with what its groups or its match are."""

    each: tuple[tuple[re.Pattern[str], dict[str, Label]], ...]
    born: re.Pattern[str]
    lasts: re.Pattern[str]


def _spelt(word: str) -> str:
    return re.escape(word).replace("a", "[aä]").replace("i", "[iì]")


@cache
def _forms(language: str) -> _Forms:
    every = sorted(map(_spelt, MONTH_OF[language]), key=len, reverse=True)
    long = [one for one in every if len(one.replace("[aä]", "a").replace("[iì]", "i")) > _SHORT]
    short = [one for one in every if one not in long]
    full = "(?:" + "|".join(long) + ")"
    month = rf"(?:{full}\b|(?:{'|'.join(short)})\b\.?)"
    weekday = "(?:" + "|".join(_spelt(word.lower()) for word in WEEKDAYS[language]) + ")"
    day = r"(?<![\d.,/])(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|[°º])?"
    dot = r"\.?[\s-]{0,2}(?:of |di )?"
    year = r"(?:[,\s]{1,3}(?:of |del |de )?(?:(?:19|20)\d\d)(?![\d])|[ -]['’]?\d\d(?![\d:.,/%]|\s?\w))?"
    named = rf"(?:{weekday},?\s(?:(?:den|dem|the|il|de)\s)?)?"
    dates = [
        rf"(?i:(?P<DATE>{day}\.?)(?=\s?(?:{_UNTIL[language]})\s?{day}{dot}{month}))",
        rf"(?i:(?P<DATE>{named}{day}{dot}{month}{year}))",
        rf"(?i:(?P<DATE>{weekday},?\s(?:the\s)?{day})(?![\w.:,/]\d|\w))",
        rf"(?i:(?P<DATE>{month}(?:[,\s]{{1,2}}|\s(?:del|of|de)\s)(?:19|20)\d\d)(?!\d))",
        rf"(?i:\b(?:{_LEADING[language]})\s(?P<DATE>{full}(?![\w])))",
        rf"(?i:\b(?P<DATE>{weekday}(?![\w])))",
        r"(?P<DATE>(?<![\d./])(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:(?:19|20)?\d\d(?!\d))?)(?! ?\d)",
        rf"(?P<DATE>(?<![\w.,/:-])(?:19[3-9]\d|20[0-4]\d)(?![\w])){_UNITS}",
    ]
    if language == "en":
        dates.insert(1, rf"(?i:(?P<DATE>{named}{month}\s{day}(?:,?\s(?:19|20)\d\d)?)(?![\d:]))")
    label = Label.DATE
    each: list[tuple[re.Pattern[str], dict[str, Label]]] = [
        (re.compile(form), {"DATE": label}) for form in dates
    ]
    each += [(re.compile(form), {"": Label.STREET}) for form in _STREET[language]]
    towns = {"zip": Label.ZIP, "town": Label.CITY}
    each.append((re.compile(_BEFORE_ZIP + _ZIP), towns))
    if language == "en":
        each += [(re.compile(form), {"zip": Label.ZIP}) for form in (_UK, _US)]
    each += [(re.compile(form), {"": Label.HOSPITAL}) for form in _HOSPITAL[language]]
    clocks = {"clock": Label.TIME, "clock2": Label.TIME}
    each.append((re.compile(_CLOCK[language]), clocks))
    each.append((re.compile(rf"(?i)(?<![\d.,/])(?:{_AGE[language]})"), {"": Label.AGE}))
    born = re.compile(rf"(?i)(?<!\w){_BORN[language]}[ :,]{{0,3}}\Z")
    return _Forms(tuple(each), born, re.compile(rf"(?i)\b{_SPAN_OF_TIME[language]}\Z"))


def _is_broken(street: str) -> bool:
    """Whether a street of English has words that no street has: "2 hours after road"."""
    return any(word in _NO_STREET for word in street.lower().split())


_NO_STREET: Final = words_of("en", "function") - {"the", "of", "st"}
_SHORT: Final = 4
"""Letters up to which a month may be an abbreviation, which needs a number beside it."""
_BEFORE: Final = 44


def forms_in(text: str, start: int, end: int, language: str) -> Iterator[Span]:
    """What stands in the forms of a language between two offsets; may overlap."""
    forms = _forms(language)
    for number, (form, labels) in enumerate(forms.each):
        for found in form.finditer(text, start, end):
            for group, label in labels.items():
                first, last = found.span(group or 0) if group in ("", *form.groupindex) else (0, 0)
                if first >= last:
                    continue
                before = text[max(start, first - _BEFORE) : first]
                if label is Label.DATE and forms.born.search(before):
                    label = Label.BIRTH_DATE
                lasts = label is Label.AGE and forms.lasts.search(before)
                if label is Label.STREET and language == "en" and _is_broken(found[0]):
                    continue
                if lasts or (label is Label.AGE and _AGO.match(text, last, end)):
                    continue
                yield Span(first, last, label, _SOURCE_SCORE - number / 1000, source_of(language))
