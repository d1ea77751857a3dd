"""Safe harbor: years, ages up to 89, three digits of a postal code, areas the size of a state."""

from __future__ import annotations

import datetime as dt

import pytest

from dpdeid.labels import Label
from dpdeid.substitute.without_draws import Generalise
from tests.substitute.making import rewritten, texts

ALL = (Label.DATE, Label.BIRTH_DATE, Label.AGE, Label.ZIP, Label.CITY)
COARSE = Generalise(labels=ALL)
NOTED = {"note_date": dt.date(2021, 6, 10)}


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("12/03/2019", "2019"),
        ("12/03", "2021"),
        ("mars 2019", "2019"),
        ("lundi", "2021"),
        ("Noël", "2020"),
        ("30/12/2019-02/01/2020", "2019-2020"),
        ("12-16/01/2021", "2021"),
        ("années 80", "années 80"),
    ],
)
def test_a_date_becomes_its_year(text: str, out: str) -> None:
    assert texts(COARSE, f"le «DATE:{text}»", **NOTED) == [out]


def test_ages_over_89_are_not_told_by_any_field() -> None:
    note = "née le «BIRTH_DATE:01/02/1930», «AGE:91 ans», mariée en «DATE:1930», «AGE:cent ans»"
    assert texts(COARSE, note, **NOTED) == ["90 ans ou plus", "90 ans ou plus"]


def test_ages_up_to_89_and_birth_years_stay() -> None:
    note = "né le «BIRTH_DATE:01/02/1932», «AGE:89 ans», fils «AGE:18 mois»"
    assert texts(COARSE, note, **NOTED) == ["1932", "89 ans", "18 mois"]


def test_postal_codes_keep_three_digits_where_many_live() -> None:
    assert texts(COARSE, "«ZIP:35510», «ZIP:F-75 011», «ZIP:00123», «ZIP:1015»") == [
        "355",
        "750",
        "000",
        "000",
    ]


def test_towns_become_areas() -> None:
    out = rewritten(COARSE, "à «CITY:Rennes», «CITY:LAUSANNE», «CITY:Ille-et-Vilaine», «CITY:VD»")
    assert out == ["à Bretagne, Vaud, Bretagne, Vaud"]


def test_small_areas_and_unknown_places_have_no_surrogate() -> None:
    assert texts(COARSE, "«CITY:Appenzell», «CITY:Trifouillis-les-Brumes»") == []


def test_what_cannot_be_read_has_no_surrogate() -> None:
    assert texts(COARSE, "«DATE:30 février», «DATE:le bon jour», «AGE:vieux»", **NOTED) == []


def test_nothing_is_drawn() -> None:
    assert COARSE.guarantees() == ()
    note = "le «DATE:12/03/2019»"
    assert texts(COARSE, note, **NOTED) == texts(COARSE, note, key=b"j" * 32, **NOTED)


def test_other_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="labels"):
        Generalise(labels=(Label.PHONE,))
