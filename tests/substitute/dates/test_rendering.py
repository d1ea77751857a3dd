"""What is written where a holiday stood reads as French and parses back."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.substitute.dates.rendering import fixed, render, worded
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import PartialDate, parse


def written(text: str, day: dt.date, before: str) -> str:
    found = parse(text)
    assert isinstance(found, PartialDate)
    assert found.holiday is not None
    return render(*worded(day, found.shape, before), keep_padding=True)


@pytest.mark.parametrize(
    ("before", "text", "day", "out"),
    [
        ("chute à ", "Noël", dt.date(2020, 1, 12), "la mi-janvier"),
        ("chute a ", "noel", dt.date(2020, 1, 28), "la fin janvier"),
        ("chute à ", "Noël 2019", dt.date(2020, 1, 2), "la fin décembre 2019"),
        ("à la ", "Toussaint", dt.date(2020, 3, 9), "mi-mars"),
        ("depuis l'", "Ascension", dt.date(2020, 3, 30), "fin mars"),
        ("vacances de ", "Pâques", dt.date(2020, 3, 30), "la fin mars"),
        ("vu le ", "lundi de Pâques 2021", dt.date(2020, 3, 30), "30 mars 2020"),
        ("au ", "Nouvel An", dt.date(2020, 3, 1), "1er mars"),
        ("depuis ", "Noël", dt.date(2020, 3, 30), "le 30 mars"),
        ("le jour de ", "Noël", dt.date(2020, 3, 30), "le 30 mars"),
        ("la veille de ", "Noël 2019", dt.date(2020, 3, 1), "le 1er mars 2020"),
        ("aux ", "Rameaux", dt.date(2020, 3, 30), "environs du 30 mars"),
        ("- ", "Noël 2019", dt.date(2020, 3, 30), "30 mars 2020"),
        ("", "NOËL", dt.date(2020, 2, 1), "1ER FÉVRIER"),
        ("DEPUIS ", "NOËL", dt.date(2020, 2, 3), "LE 3 FÉVRIER"),
        ("A ", "NOEL", dt.date(2020, 2, 3), "LA FIN JANVIER"),
    ],
)
def test_it_fits_behind_the_word_before(before: str, text: str, day: dt.date, out: str) -> None:
    assert written(text, day, before) == out


@given(
    st.sampled_from(["Noël 2019", "Toussaint 2020", "lundi de Pâques 2018"]),
    st.sampled_from(["à ", "la ", "le ", "depuis ", "aux ", ""]),
    st.dates(dt.date(1990, 1, 1), dt.date(2030, 12, 31)),
)
def test_it_parses_back_to_about_the_day(text: str, before: str, day: dt.date) -> None:
    found = parse(written(text, day, before))
    assert isinstance(found, PartialDate)
    again = complete(found, day)
    assert again is not None
    assert abs(again - day).days <= 11


@given(st.dates(dt.date(1990, 1, 1), dt.date(2030, 12, 31)))
def test_which_holiday_it_was_does_not_show(day: dt.date) -> None:
    shapes = []
    for text in ("Noël", "lundi de Pâques", "jour de l'An", "st sylvestre"):
        found = parse(text)
        assert isinstance(found, PartialDate)
        shapes.append(render(*worded(day, fixed(found.shape), "à "), keep_padding=True))
    assert len(set(shapes)) == 1
