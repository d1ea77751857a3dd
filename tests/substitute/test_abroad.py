"""Dates of four languages: read, and written again in the same one."""

from __future__ import annotations

import datetime as dt

import pytest

from dpdeid.engine import Deidentifier
from dpdeid.french.calendar import ABROAD, MONTHS_ABROAD, WEEKDAYS_ABROAD
from dpdeid.spans import language_of, source_of
from dpdeid.substitute import abroad
from dpdeid.substitute.dates.ages import parse_age, render_age
from dpdeid.substitute.dates.rendering import render
from tests.conftest import KEY

DAY = dt.date(2014, 12, 1)


@pytest.mark.parametrize(
    ("language", "text", "fields", "written"),
    [
        ("de", "3. April 2021", (3, 4, 2021), "1. Dezember 2014"),
        ("de", "03. maerz", (3, 3, None), "01. dezember"),
        ("de", "Montag, 3. April", (3, 4, None), "Montag, 1. Dezember"),
        ("de", "Februar 2023", (None, 2, 2023), "Dezember 2014"),
        ("de", "10.", (10, None, None), "1."),
        ("nl", "12 maart", (12, 3, None), "1 december"),
        ("nl", "woensdag 4 mei 2022", (4, 5, 2022), "maandag 1 december 2014"),
        ("it", "4 maggio 1950", (4, 5, 1950), "1 dicembre 2014"),
        ("it", "1° settembre", (1, 9, None), "1 dicembre"),
        ("en", "3rd April", (3, 4, None), "1st December"),
        ("en", "April 3, 2021", (3, 4, 2021), "December 1, 2014"),
        ("en", "22ND MAY 2019", (22, 5, 2019), "1st DECEMBER 2014"),
    ],
)
def test_a_date_is_written_again_in_its_language(
    language: str, text: str, fields: tuple[int | None, ...], written: str
) -> None:
    date = abroad.read(text, source_of(language))
    assert date is not None
    assert (date.day, date.month, date.year) == fields
    assert render(DAY, date.shape, keep_padding=True) == written


@pytest.mark.parametrize(
    "text", ["31. Februar", "12 maggio", "3 mars 2021", "99", "April 2299", ""]
)
def test_what_is_no_date_of_the_language_is_none(text: str) -> None:
    assert abroad.read(text, source_of("de")) is None


def test_in_french_nothing_is_read() -> None:
    assert abroad.read("3. April 2021", "patterns/date.full") is None
    assert language_of("languages/unread") == ""


@pytest.mark.parametrize("language", ABROAD)
def test_every_month_and_weekday_is_read(language: str) -> None:
    for number, month in enumerate(MONTHS_ABROAD[language], 1):
        date = abroad.read(f"5 {month} 2020", source_of(language))
        assert date is not None
        assert date.month == number
    for number, weekday in enumerate(WEEKDAYS_ABROAD[language]):
        date = abroad.read(weekday, source_of(language))
        assert date is not None
        assert date.weekday == number


def test_abbreviations_do_not_show_the_month() -> None:
    date = abroad.read("3 Sept 2020", source_of("en"))
    assert date is not None
    assert render(DAY, date.shape, keep_padding=True) == "1 Dec 2014"
    assert render(DAY, date.shape, keep_padding=False) == "1 December 2014"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("71 Jahre", "64 Jahre"),
        ("87-jährig", "64-jährig"),
        ("79 jaar", "64 jaar"),
        ("anni 44", "anni 64"),
        ("45-year-old", "64-year-old"),
        ("aged 12", "aged 64"),
    ],
)
def test_an_age_keeps_its_words(text: str, written: str) -> None:
    age = parse_age(text)
    assert age is not None
    assert render_age(dt.date(1950, 1, 1), DAY, age) == written


def test_a_note_is_released_in_its_languages() -> None:
    line = "Die Patientin wurde am 5. März 2021 mit Fieber auf der Station gesehen."
    text = f"Vue le 3 mars 2021.\n{line}\nRAS."
    released = Deidentifier("dp", key=KEY)(text).text
    french, german, _ = released.splitlines()
    assert any(month in german for month in MONTHS_ABROAD["de"])
    assert german.endswith("mit Fieber auf der Station gesehen.")
    assert french.startswith("Vue le ")
