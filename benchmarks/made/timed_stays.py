"""Fictitious stays whose codes are known to depend on time, to measure the time-aware coder.

Each is a short report with a birth or an age, a stay and one dated condition; the days between them
are drawn on both sides of the limits of the rule. What a coder should find is computed from the
drawn days, never read from the text.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dpdeid.document import Document
from dpdeid.evaluate.coding.codes import Terminology
from dpdeid.evaluate.coding.timed import AGES, NIGHTS, RULES, Rule, band, code_at
from dpdeid.labels import Role, Sex
from dpdeid.synth import people
from dpdeid.synth.dates import FULL, written, years_between
from dpdeid.synth.dice import Dice

_SHORT: Final = (0, 1, 2, 3, 4, 5, 7, 10, 14)
_FIRST: Final = dt.date(2016, 1, 1)
_DAYS: Final = 3_200
_WORDS: Final = {
    "infarction": ("Infarctus du myocarde", "Syndrome coronarien aigu", "IDM"),
    "stroke": ("AVC ischémique", "Infarctus cérébral"),
    "jaundice": ("Ictère",),
    "distress": ("Détresse respiratoire",),
    "convulsions": ("Convulsions",),
    "hypoglycaemia": ("Hypoglycémie",),
    "newborn_sepsis": ("Sepsis", "Infection bactérienne"),
    "thrombosis": ("Thrombose veineuse profonde", "Phlébite"),
    "embolism": ("Embolie pulmonaire",),
    "endometritis": ("Endométrite",),
    "mastitis": ("Mastite",),
    "cardiomyopathy": ("Cardiomyopathie",),
}


@dataclass(frozen=True, slots=True)
class Planted:
    """A report, what its rule counts from ("event", "birth", "delivery") and its codes."""

    document: Document
    since: str
    codes: frozenset[tuple[Terminology, str]]


def planted_stays(count: int, seed: int = 0) -> Iterator[Planted]:
    """`count` reports, the rules in turn; equal seeds give equal reports."""
    for number in range(count):
        yield _stay(RULES[number % len(RULES)], number, Dice.of(seed, "stay", str(number)))


def _stay(rule: Rule, number: int, dice: Dice) -> Planted:
    entry = _FIRST + dt.timedelta(days=dice.randbelow(_DAYS))
    leaving = entry + dt.timedelta(days=dice.choice(_SHORT))
    gap = dt.timedelta(days=_gap(rule, dice))
    sex = Sex.FEMALE if rule.since == "delivery" or dice.chance(50) else Sex.MALE
    event = entry - gap if rule.since == "event" else entry
    if rule.since == "birth":
        born = entry - gap
        who = people.person(dice, Role.PATIENT, sex, born)
    else:
        ages = (20, 42) if rule.since == "delivery" else (45, 92)
        who = people.patient(dice, "FR", entry, ages, sex)
        born = who.born
    other = {"event": entry, "birth": born, "delivery": entry - gap}[rule.since]
    e = "e" if sex is Sex.FEMALE else ""
    form = dice.choice(FULL)

    def day(value: dt.date) -> str:
        return written(value, form, dice)

    years = years_between(born, entry)
    age = "" if rule.since == "birth" else f", {years} ans"
    title = "Mme" if e else "M."
    head = "L'enfant" if rule.since == "birth" else title
    lines = [
        "Compte rendu d'hospitalisation",
        f"{head} {who.first} {who.last.upper()}, né{e} le {day(born)}{age}.",
        f"Hospitalisé{e} du {day(entry)} au {day(leaving)}.",
    ]
    if rule.since == "delivery":
        lines.append(f"Accouchement le {day(entry - gap)}, sans incident.")
    lines.append(f"{dice.choice(_WORDS[rule.name])} le {day(event)}, prise en charge habituelle.")
    codes = {
        (Terminology.AGE, band(years, AGES)),
        (Terminology.STAY, band((leaving - entry).days, NIGHTS)),
    }
    if value := code_at(rule, event, other):
        codes.add((Terminology.ICD10, value))
    doc = Document(f"stay-{number}", "\n".join(lines), patient_id=f"stay-{number}")
    return Planted(doc, rule.since, frozenset(codes))


def _gap(rule: Rule, dice: Dice) -> int:
    """Days since the event, birth or delivery: half of them within the rule, half beyond."""
    if dice.chance(50):
        return dice.randbelow(rule.within + 1)
    most = 10 * rule.within if rule.since == "event" else 360
    return dice.between(rule.within + 1, most)
