"""Looks at the numbers of a date: what a calendar has, and what goes up."""

from __future__ import annotations

import re

from dpdeid.detect.rules.fragments import pattern
from dpdeid.detect.rules.timewords import ANNOUNCED, glued, left, real_day, right


def real_date(match: re.Match[str]) -> bool:
    """The calendar has the day: its third and fourth groups are month and day."""
    return real_day(int(match[4]), int(match[3]))


def real_spaced_date(match: re.Match[str]) -> bool:
    """The calendar has the day: its second and third groups are day and month."""
    return real_day(int(match[2]), int(match[3]))


def real_day_and_month(match: re.Match[str]) -> bool:
    """The calendar has the day: its second and fourth groups are day and month."""
    return real_day(int(match[2]), int(match[4]))


def _numbers(match: re.Match[str]) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", match[0])]


def rising_days(match: re.Match[str]) -> bool:
    """The first number is a day before the second: "17-21/08/2015"."""
    first, last, *_ = _numbers(match)
    return 0 < first < last


def real_range(match: re.Match[str]) -> bool:
    """The first number is a day before the second, which the month that follows has."""
    first, last, month = _numbers(match)
    return 0 < first < last and real_day(last, month)


def rising_list(match: re.Match[str]) -> bool:
    """These are days of one month, as far as they tell: "10, 12 et 14"."""
    numbers = _numbers(match)
    return numbers == sorted(set(numbers)) and re.search(r"[,eo]", match[0]) is not None


def compact_birth(match: re.Match[str]) -> bool:
    """Six or eight digits begin or end with a day and month."""
    digits = match["BIRTH_DATE"]
    return real_day(int(digits[:2]), int(digits[2:4])) or real_day(
        int(digits[6:8] or 0), int(digits[4:6])
    )


def full_date(match: re.Match[str]) -> bool:
    """A day, month and year; a long year leaves no doubt, so a wrong day or month is covered."""
    day, separator, month, again, year = match.group(2, 3, 4, 5, 6)
    if separator != again or glued(match, separator + ",."):
        return False
    d, m, y = int(day), int(month), int(year)
    if len(year) == 4:
        return 1850 <= y <= 2100 and (len(match[1]) <= 10 or real_day(d, m))
    before, behind = left(match), right(match)
    scored = re.search(r"\b(?:apgar|asa|glasgow|score|cot[ée]s?)\b[^\n\d]{0,12}\Z", before)
    if scored and not ANNOUNCED.search(before):
        return False
    if separator == "/":
        if re.match(r" ?(?:mm|cm|fr|ch|g)\b", behind):
            return False
        return d * m > 0 and ((d <= 31 and m <= 12) or (d <= 12 and m <= 31 and len(year) == 2))
    if not real_day(d, m) or len(year) != 2 or " " in match[1]:
        return False
    heading = separator == "." and len(day) == len(month) == 1 and before[-1:] in ("", "\n")
    return not heading and pattern("/| ?<<MEASURE>>").match(behind) is None
