"""National numbers against births, sexes, departments and their own check digits.

France: the NIR (sex, year, month, department, commune, order, key), INSEE. Belgium: the national
number (birth, order: odd for men, key). Switzerland: the AVS number of today tells nothing, that
of before 2008 had the year, the sex and the day within a quarter (OFAS, "Les numéros AVS").
Luxembourg: the matricule begins with the birth date (CTIE).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.cues import cue, table
from dpdeid.evaluate.coherence.facts import At, Clash, Day, Kind, Note, Number
from dpdeid.evaluate.coherence.named.titles import opposite, patient_sex
from dpdeid.evaluate.coherence.reading.flat import another
from dpdeid.evaluate.coherence.reading.places import longest
from dpdeid.french.check_digits import avs, matricule, nir_key, niss
from dpdeid.gazetteers import departments, place_key, world_cities
from dpdeid.labels import Sex

_OTHERS: Final = re.compile(rf"\b(?:{cue('insured_by')})\b")


def _own(note: Note, number: Number) -> bool:
    """Whether a number is not said to be somebody else's."""
    line = note.flat[note.flat.rfind("\n", 0, number.at[0]) + 1 : number.at[0]]
    near = re.split(r" ; |\|", line[-60:])[-1]
    return not (_OTHERS.search(near) or another(note.flat, number.at[0], 45))


def id_check(note: Note) -> Iterator[Clash]:
    """A number whose check digits are wrong."""
    for number in note.numbers:
        if not _right(number):
            start, end = number.at
            yield Kind.ID_CHECK, (start, end - 2), (end - 2, end)


def _right(number: Number) -> bool:
    digits = number.digits
    if number.kind == "nir":
        return len(digits) == 13 or (len(digits) == 15 and nir_key(digits[:13]) == digits[13:])
    if number.kind == "niss":
        return niss(digits)
    if number.kind == "avs":
        return avs(digits)
    if number.kind == "matricule":
        return matricule(digits)
    return len(digits) < 11 or _ahv(digits)


def _ahv(digits: str) -> bool:
    """The last digit of an AVS number of before 2008: weights 5 4 3 2 7 6 5 4 3 2, modulo 11."""
    total = sum(int(d) * w for d, w in zip(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2), strict=False))
    return (11 - total % 11) % 11 in (int(digits[10]), 10)


def id_birth(note: Note) -> Iterator[Clash]:
    """A number that bears another birth than the note states."""
    births = note.births()
    if not births:
        return
    for number in note.numbers:
        if number.kind == "avs" or not _own(note, number):
            continue
        if not any(_bears(number, birth) for birth in births):
            near = min(births, key=lambda day: abs(day.at[0] - number.at[0]))
            yield Kind.ID_BIRTH, near.at, number.at


def _bears(number: Number, birth: Day) -> bool:
    """Whether a number may be of somebody born then."""
    digits, day = number.digits, birth.first
    one = (day.year, day.month) == (birth.last.year, birth.last.month)
    months = {day.month} if one else {*range(1, 13)}
    if number.kind == "nir":
        month = int(digits[3:5])
        return int(digits[1:3]) == day.year % 100 and (month in months or month > 12)
    if number.kind == "niss":
        month = int(digits[2:4]) % 20
        fits = int(digits[:2]) == day.year % 100 and (month in months or month == 0)
        return fits and (not birth.whole or int(digits[4:6]) in (day.day, 0))
    if number.kind == "matricule":
        fits = int(digits[:4]) == day.year and int(digits[4:6]) in months
        return fits and (not birth.whole or int(digits[6:8]) == day.day)
    quarter = (int(digits[5]) - 1) % 4
    in_quarter = day.day + 31 * ((day.month - 1) % 3)
    fits = quarter == (day.month - 1) // 3 and int(digits[6:8]) == in_quarter
    return int(digits[3:5]) == day.year % 100 and (fits or not birth.whole)


def id_sex(note: Note) -> Iterator[Clash]:
    """A number that bears another sex than the title or the agreement."""
    told = patient_sex(note)
    if told is None:
        return
    titled = {p.family for p in note.people if p.title and p.sex is not Sex.UNKNOWN}
    for number in note.numbers:
        if len(titled) > 2 and "\n" in note.flat[told[0][1] : number.at[0]]:
            continue  # a list of patients
        if _own(note, number) and opposite(told[1], _sex(number)):
            yield Kind.ID_SEX, told[0], number.at


def _sex(number: Number) -> Sex | None:
    digits = number.digits
    if number.kind == "nir":
        return Sex.MALE if digits[0] in "137" else Sex.FEMALE
    if number.kind == "niss":
        return Sex.MALE if int(digits[8]) % 2 else Sex.FEMALE
    if number.kind == "ahv":
        return Sex.MALE if digits[5] in "1234" else Sex.FEMALE
    return None


_BORN_AT: Final = re.compile(
    r"\b(?:[Nn]ée?|N[ÉE]E?|[Nn]ee?(?= le \d| en \d| [aà] [A-ZÀ-Ü]))(?:\(e\))?"
    r"(?: le)?[^.;\n]{0,25}?[ ,](?:à|À|A|a)(?: :)? (?P<t>[A-ZÀ-Ü][\w'’ -]{2,40})"
    r"|(?i:lieu de naissance|naissance|ville de naissance|commune de naissance|né\(e\) à|"
    r"née? à|à) ?[:|] ?(?P<u>[A-ZÀ-Üa-z][\w'’ -]{2,40})"
    r"|(?i:originaire|natif|native) (?:de |d['’])(?P<o>[A-ZÀ-Ü][\w'’ -]{2,40})"
)
_SPLIT: Final = {own: {*others} for own, *others in table("departments")}
"""The departments that numbers of before 1968 (Seine, Seine-et-Oise) and 1976 (Corse) may have."""


def id_department(note: Note) -> Iterator[Clash]:
    """A NIR whose department of birth is not that of the stated place of birth."""
    for number in note.numbers:
        if number.kind != "nir" or not _own(note, number):
            continue
        code = number.digits[5:7]
        for match in _BORN_AT.finditer(note.text):
            group = next(g for g in ("t", "u", "o") if match[g])
            wanted, at = _birthplace(note, *match.span(group))
            if not wanted:
                continue
            born = next(iter(note.births()), None)
            if not _may_be(code, number.digits[5:8], wanted, born.first if born else None):
                yield Kind.ID_DEPARTMENT, at, number.at
            break


def _birthplace(note: Note, start: int, end: int) -> tuple[set[str], At]:
    """The departments of a place of birth, "99" for abroad; a code beside the town comes first."""
    text = note.text
    town = longest(text, start, end)
    if town is None:
        words = re.match(r"[\w'’-]+(?: [A-ZÀ-Ü][\w'’-]+)?", text[start:end])
        name = words[0] if words else ""
        if place_key(name) in world_cities():
            return {"99"}, (start, start + len(name))
        return set(), (start, end)
    told = re.match(
        r",? ?\((?P<d>\d[\dAB]\d?)\)|,? ?\((?P<n>[A-ZÀ-Üa-z' -]+)\)",
        text[town.at[1] : town.at[1] + 30],
    )
    if told is not None and told["d"]:
        return {told["d"]}, (town.at[0], town.at[1])
    if told is not None and told["n"] and place_key(told["n"]) in departments():
        return {departments()[place_key(told["n"])]}, town.at
    if told is not None and told["n"]:
        return set(), town.at
    return {p.department if p.country == "FR" else "99" for p in town.places}, town.at


def _may_be(code: str, three: str, wanted: set[str], born: dt.date | None) -> bool:
    fits = set(wanted)
    for one in wanted:
        fits |= _SPLIT.get(one, set())
    if code in ("97", "98"):
        return three in fits or code in fits
    if code == "99" or (
        code in ("91", "92", "93", "94", "95", "96") and (born is None or born.year < 1963)
    ):
        return "99" in fits or code in fits
    if code.isdigit() and int(code) > 95:
        return True
    return code in fits
