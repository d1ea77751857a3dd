"""Identifiers told by their form and control digits alone: RPPS, IBAN, the bar code of a device."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns import checks
from dpdeid.detect.patterns.codes import first
from dpdeid.detect.patterns.table import Number, Row, Word, words

_CAREGIVER: Final = re.compile(r"(?i)\b(?:dre?|docteure?|pr|professeure?|m[ée]decin|sage-femme)\b")


def after_caregiver(match: re.Match[str]) -> bool:
    """Whether a caregiver stands before the match on its line."""
    start = match.start()
    line = match.string[max(0, start - 60) : start].rpartition("\n")[2]
    return _CAREGIVER.search(line) is not None


def _by_caregiver(match: re.Match[str]) -> bool:
    """Whether the number has its control digit and stands behind a caregiver on its line."""
    return checks.luhn(match["PROVIDER_ID"]) and after_caregiver(match)


def _account(match: re.Match[str]) -> bool:
    return checks.iban(checks.compact(match[first(match)]))


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "id.rpps.form",
        Number(r"10{10}"),
        r"(?P<PROVIDER_ID>1\d{10})(?![^\W_]|[.,]\d)",
        "Dr Paul Ménadier - «PROVIDER_ID:10007788994»",
        check=_by_caregiver,
        score=0.9,
        never=("Dr Paul Ménadier - 10007788995", "Paul Ménadier - 10007788994"),
    ),
    Row(
        "id.device",
        "(01)",
        r"(?P<OTHER_ID>\(01\)\d{14}(?:\(\d{2,3}\)[\w\-./]{1,20}){0,5})",
        "UDI «OTHER_ID:(01)08717648200274(17)260131»",
        score=0.97,
    ),
    Row(
        "id.iban",
        Word(words("fr ch be lu de es it pt mc nl gb"), "00"),
        r"(?P<OTHER_ID>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![^\W_])",
        "IBAN «OTHER_ID:FR76 3000 6000 0112 3456 7890 189»",
        score=0.97,
        check=_account,
        never=("FR12 3456 7890 1234 5678",),
    ),
)
