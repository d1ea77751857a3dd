"""Dates, times and ages in every form."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.french.numerals import spell
from dpdeid.synth import dates
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import lines

DAY = dt.date(2021, 3, 2)


@pytest.mark.parametrize(
    ("form", "pattern"),
    [
        ("dmy", "0?2/0?3/2021"), ("dm", "0?2/0?3"), ("y", "2021"), ("dmyy", "0?2[-/.]0?3[-/.]21"),
        ("d_m_y", "2 mars 2021"), ("m_y", "mars 2021"), ("my", "03/2021"), ("iso", "2021-03-02"),
        ("weekday_d_m_y", "mardi 2 mars 2021"), ("roman", "2.III.2021"), ("d8", "02032021"),
        ("words", "deux mars deux mille vingt et un"), ("stuck", "2mar|2mars21"), ("day", "2"),
    ],
)  # fmt: skip
def test_forms(form: str, pattern: str) -> None:
    for seed in range(30):
        assert re.fullmatch(pattern, dates.written(DAY, form, Dice.of(seed, form)))


def test_every_form_can_be_written() -> None:
    forms = lines("date.forms")
    assert len(forms) > 20
    for form in forms:
        assert dates.written(DAY, form, Dice.of(1, form))
    with pytest.raises(KeyError):
        dates.written(DAY, "moon", Dice.of(1, "moon"))


@given(st.dates(dt.date(1920, 1, 1), dt.date(2020, 1, 1)), st.integers(800, 36_000))
def test_an_age_is_the_completed_years(born: dt.date, days: int) -> None:
    day = born + dt.timedelta(days=days)
    years = dates.years_between(born, day)
    text = dates.age(born, day, Dice.of(days, "age"))
    shown = re.match(r"\d+", text)
    assert (shown and int(shown[0]) == years) or text.startswith(spell(years))


def test_the_age_of_a_child_is_in_days_or_months() -> None:
    assert dates.age(DAY, DAY + dt.timedelta(days=5), Dice.of(1, "a")).startswith(("5", "J5"))
    assert "mois" in dates.age(DAY, DAY + dt.timedelta(days=300), Dice.of(1, "a"))


@given(st.integers(0, 10_000))
def test_times_are_times(seed: int) -> None:
    text = dates.clock(Dice.of(seed, "time"))
    found = re.match(r"(\d{1,2})(?:\D|$)", text)
    assert found is None or int(found[1]) < 24
