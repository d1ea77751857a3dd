"""A second reader of planted stays, who shares nothing with the package: dateparser reads the days.

The reports have one form, so that what each date is follows from the words of its line; codes are
those that the rules give for the days that are read.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

import dateparser

from dpdeid.evaluate.coding.codes import Terminology
from dpdeid.evaluate.coding.timed import AGES, NIGHTS, Rule, band, code_at

_BIRTH: Final = re.compile(r", née? le (.+?)(?:, (\d+) ans)?\.$", re.M)
_STAY: Final = re.compile(r"^Hospitalisée? du (.+) au (.+)\.$", re.M)
_DELIVERY: Final = re.compile(r"^Accouchement le (.+), sans incident\.$", re.M)
_CONDITION: Final = re.compile(r" le ([^,\n]+), prise en charge habituelle\.$", re.M)


def codes_read(text: str, rule: Rule) -> frozenset[tuple[Terminology, str]]:
    """The codes of a planted stay, or of its release, whose condition is of that rule."""
    birth, stay = _BIRTH.search(text), _STAY.search(text)
    delivery, condition = _DELIVERY.search(text), _CONDITION.search(text)
    born = birth and _day(birth[1])
    entry, leaving = (stay and _day(stay[1])), (stay and _day(stay[2]))
    found = set()
    if born and entry:
        whole = entry.year - born.year - ((entry.month, entry.day) < (born.month, born.day))
        told = int(birth[2]) if birth and birth[2] else whole
        found.add((Terminology.AGE, band(max(told, 0), AGES)))
    if entry and leaving:
        found.add((Terminology.STAY, band(max((leaving - entry).days, 0), NIGHTS)))
    other = {"event": entry, "birth": born, "delivery": delivery and _day(delivery[1])}[rule.since]
    if value := code_at(rule, condition and _day(condition[1]), other):
        found.add((Terminology.ICD10, value))
    return frozenset(found)


def _day(text: str) -> dt.date | None:
    read = dateparser.parse(text, languages=["fr"], settings={"DATE_ORDER": "DMY"})
    return read.date() if read else None
