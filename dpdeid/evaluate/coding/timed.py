"""The time-aware coder: codes that depend on dates and ages, which surrogates do move.

HNFC's coders lost most codes through dates, not through words. The rules are those of ICD-10 and of
French hospital payment:

- myocardial infarction: I21 to 28 days after the event, then I25.2 (ICD-10, I21 and I25.2);
- cerebral infarction: I63, from one year after the event on I69.3 (ICD-10, note under I69);
- conditions of the newborn: chapter XVI to 27 days of life, then the general code;
- conditions of the puerperium: chapter XV to 42 days after delivery, then the general code;
- age bands and nights of the stay, at the limits of the French diagnosis-related groups
  (2, 18, 70, 80 years; 3, 4, 5 nights for the levels of severity).

What carries no date, birth or delivery is not coded here.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dpdeid.document import Document
from dpdeid.evaluate.coding.contract import Code, Terminology
from dpdeid.evaluate.coding.dated import Chronology, chronology
from dpdeid.substitute.ages import AgeUnit, elapsed

AGES: Final = (2, 18, 70, 80)
NIGHTS: Final = (1, 3, 4, 5)
_LONGEST: Final = 365
"""Days after a birth or a delivery up to which the general code is given for it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition whose code depends on the days since something.

    Args:
        since: "event" (its own date), "birth" or "delivery".
        within: the last day of the first code.
    """

    name: str
    words: str
    since: str
    within: int
    early: str
    late: str


RULES: Final = (
    Rule(
        "infarction",
        r"(?:infarctus(?: aigu)? du myocarde|IDM|STEMI|NSTEMI|SCA ST[+-]|syndrome coronarien aigu)",
        "event", 28, "I21", "I252",
    ),
    Rule(
        "stroke",
        r"(?:AVC(?: ischémique)?|infarctus cérébral|accident vasculaire cérébral(?: ischémique)?)",
        "event", 364, "I63", "I693",
    ),
    Rule("jaundice", r"(?:ictère)", "birth", 27, "P599", "R17"),
    Rule("distress", r"(?:détresse respiratoire)", "birth", 27, "P229", "J960"),
    Rule("convulsions", r"(?:convulsions?)", "birth", 27, "P90", "R568"),
    Rule("hypoglycaemia", r"(?:hypoglycémie)", "birth", 27, "P704", "E162"),
    Rule("newborn_sepsis", r"(?:sepsis|infection bactérienne)", "birth", 27, "P369", "A419"),
    Rule("thrombosis", r"(?:thrombose veineuse profonde|phlébite)", "delivery", 42, "O871", "I802"),
    Rule("embolism", r"(?:embolie pulmonaire)", "delivery", 42, "O882", "I269"),
    Rule("endometritis", r"(?:endométrite)", "delivery", 42, "O85", "N719"),
    Rule("mastitis", r"(?:mastite|abcès du sein)", "delivery", 42, "O912", "N61"),
    Rule("cardiomyopathy", r"(?:cardiomyopathie)", "delivery", 42, "O903", "I429"),
)  # fmt: skip
_COMPILED: Final = tuple((rule, re.compile(rf"(?i)\b{rule.words}(?!\w)")) for rule in RULES)
_DELIVERY: Final = re.compile(r"(?i)\b(?:accouch\w{1,6}|césarienne|délivrance)\b")


class TimedCoder:
    """Codes what depends on time; the same words with other dates get other codes."""

    name = "timed"

    def __call__(self, doc: Document) -> tuple[Code, ...]:
        """The codes of a note, sorted."""
        told = chronology(doc)
        return tuple(sorted((*_conditions(doc.text, told), *_groups(told))))


def _conditions(text: str, told: Chronology) -> Iterator[Code]:
    delivery = _delivery(text, told)
    for rule, words in _COMPILED:
        for match in words.finditer(text):
            own = told.of(text, match.start(), match.end())
            value = code_at(
                rule,
                own or told.reference,
                {
                    "event": told.reference if own is not None else None,
                    "birth": told.birth,
                    "delivery": delivery,
                }[rule.since],
            )
            if value:
                yield Code(match.start(), match.end(), value, Terminology.ICD10)


def code_at(rule: Rule, day: dt.date | None, other: dt.date | None) -> str:
    """The code of a condition, "" where the rule says nothing.

    Args:
        day: of the condition.
        other: the first day of the stay for an event, else the birth or the delivery.
    """
    if day is None or other is None:
        return ""
    if rule.since == "event":
        return rule.early if (other - day).days <= rule.within else rule.late
    days = (day - other).days
    if not 0 <= days <= _LONGEST:
        return ""
    return rule.early if days <= rule.within else rule.late


def _delivery(text: str, told: Chronology) -> dt.date | None:
    days = (told.of(text, match.start(), match.end()) for match in _DELIVERY.finditer(text))
    return next((day for day in days if day is not None), None)


def _groups(told: Chronology) -> Iterator[Code]:
    years: int | None = None
    if told.age is not None:
        years = told.age.amount if told.age.unit is AgeUnit.YEARS else 0
    elif told.birth is not None and told.reference is not None:
        years = elapsed(told.birth, told.reference, AgeUnit.YEARS)
    if years is not None:
        yield Code(0, 1, band(years, AGES), Terminology.AGE)
    if told.stay is not None:
        nights = (told.stay[1] - told.stay[0]).days
        yield Code(0, 1, band(nights, NIGHTS), Terminology.STAY)


def band(value: int, limits: tuple[int, ...]) -> str:
    """The band of a value between limits.

    >>> band(17, AGES), band(80, AGES), band(3, NIGHTS), band(0, NIGHTS)
    ('2-17', '80+', '3', '0')
    """
    low = max((limit for limit in limits if limit <= value), default=0)
    above = [limit for limit in limits if limit > value]
    if not above:
        return f"{low}+"
    return str(low) if above[0] - 1 == low else f"{low}-{above[0] - 1}"
