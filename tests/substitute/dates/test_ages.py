"""Ages: read as births, written from surrogate births in their own unit and form."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.substitute.dates.ages import LARGEST, AgeUnit, elapsed, parse_age, render_age

REFERENCE = dt.date(2021, 6, 10)
FORMS = (
    "63 ans",
    "74ans",
    "38A",
    "38 a.",
    "1 an",
    "18 mois",
    "4 semaines",
    "15 jours",
    "9 ans et demi",
    "5 ans 1/2",
    "3 mois et demi",
    "2 semaines et demie",
    "2 ans et 3 mois",
    "9 ANS ET 9 MOIS",
    "18&nbsp;mois",
    "63\u00a0ans",
    "99",
    "treize mois",
    "quarante-quatre ans",
    "quatre-vingts ans",
    "2 mois et 12 jours",
)


@pytest.mark.parametrize("text", FORMS)
def test_an_age_is_written_back_from_its_imputed_birth(text: str) -> None:
    age = parse_age(text)
    assert age is not None
    birth = age.birth(REFERENCE)
    assert birth is not None
    assert age.fits(birth, REFERENCE)
    assert render_age(birth, REFERENCE, age) == text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("text", "years", "out"),
    [
        ("1 an", 3, "3 ans"),
        ("2 ans", 1, "1 an"),
        ("1 AN", 5, "5 ANS"),
        ("74ans", 80, "80ans"),
        ("38A", 41, "41A"),
        ("soixante ans", 21, "vingt et un ans"),
        ("9 ans et demi", 10, "10 ans"),
        ("2 ans et 3 mois", 4, "4 ans"),
    ],
)
def test_number_and_plural_follow_the_surrogate(text: str, years: int, out: str) -> None:
    age = parse_age(text)
    assert age is not None
    assert render_age(REFERENCE.replace(year=REFERENCE.year - years), REFERENCE, age) == out


@pytest.mark.parametrize(
    ("text", "days", "out"),
    [
        ("2 ans et 3 mois", 280, "9 mois"),
        ("2 ans et 3 mois", 1, "0 an"),
        ("63 ans 1/2", 365 * 5 + 200, "5 ans 1/2"),
        ("5 ans ½", 365 * 5 + 100, "5 ans"),
        ("3 mois et demi", 80, "2 mois et demi"),
        ("3 mois et demi", 65, "2 mois"),
        ("2 semaines et demie", 25, "3 semaines et demie"),
        ("2 semaines et demie", 22, "3 semaines"),
    ],
)
def test_what_comes_on_top_is_counted_in_its_own_unit(text: str, days: int, out: str) -> None:
    age = parse_age(text)
    assert age is not None
    assert render_age(REFERENCE - dt.timedelta(days), REFERENCE, age) == out


@pytest.mark.parametrize(
    "text",
    ["", "ans", "150 ans", "999", "J3", "depuis 15 ans", "63 kg", "douzaine", "x ans", "9" * 5000],
)
def test_what_is_no_age_is_none(text: str) -> None:
    assert parse_age(text) is None


@given(
    st.sampled_from(FORMS),
    st.dates(dt.date(1800, 1, 1), dt.date(2050, 1, 1)),
    st.dates(dt.date(1990, 1, 1), dt.date(2026, 1, 1)),
)
def test_a_rendered_age_is_human_and_reads_back(
    text: str, birth: dt.date, reference: dt.date
) -> None:
    age = parse_age(text)
    assert age is not None
    again = parse_age(render_age(birth, reference, age))
    whole = elapsed(birth, reference, age.unit)
    assert again is not None or whole == 0
    if again is not None and (whole or age.more_unit is None):
        assert again.unit is age.unit
        assert again.amount == min(whole, LARGEST[age.unit])


@given(st.text(max_size=70))
def test_no_text_breaks_the_parser(text: str) -> None:
    parse_age(text)


@given(
    st.integers(1, 120),
    st.sampled_from(["", " ", "\u00a0"]),
    st.sampled_from(["ans", "A", "a.", "mois", "semaines", "jours", "ans 1/2", "mois et demi"]),
)
def test_every_age_has_a_birth(amount: int, space: str, unit: str) -> None:
    age = parse_age(f"{amount}{space}{unit}")
    assert age is not None
    birth = age.birth(REFERENCE)
    assert birth is not None
    assert elapsed(birth, REFERENCE, age.unit) == amount


def test_completed_years_count_from_the_birthday() -> None:
    birth = dt.date(2000, 2, 29)
    assert elapsed(birth, dt.date(2021, 2, 28), AgeUnit.YEARS) == 20
    assert elapsed(birth, dt.date(2021, 3, 1), AgeUnit.YEARS) == 21
    assert elapsed(REFERENCE, birth, AgeUnit.YEARS) == 0


def test_no_value_shows_in_a_repr() -> None:
    assert "63" not in repr(parse_age("63 ans"))


BORN = dt.date(2015, 3, 12)


@pytest.mark.parametrize(
    ("text", "on", "out"),
    [
        ("6 jours", dt.date(2015, 8, 20), "5 mois"),
        ("6 JOURS", dt.date(2019, 8, 20), "4 ANS"),
        ("6j", dt.date(2015, 8, 20), "5m"),
        ("18 mois", dt.date(2020, 8, 20), "5 ans"),
        ("deux mois et 3 jours", dt.date(2020, 8, 20), "cinq ans"),
        ("12 semaines", dt.date(2017, 8, 20), "29 mois"),
        ("12 semaines", dt.date(2016, 8, 20), "75 semaines"),
    ],
)
def test_beside_its_birth_date_an_age_grows_out_of_its_unit(
    text: str, on: dt.date, out: str
) -> None:
    written = parse_age(text)
    assert written is not None
    assert render_age(BORN, on, written, exact=True) == out


def test_alone_an_age_stays_in_the_domain_of_its_unit() -> None:
    written = parse_age("6 jours")
    assert written is not None
    assert render_age(BORN, dt.date(2019, 8, 20), written) == "90 jours"


@pytest.mark.parametrize(("text", "plain"), [("5l ans", "51 ans"), ("1O mois", "10 mois")])
def test_a_misread_age_is_read(text: str, plain: str) -> None:
    assert parse_age(text) == parse_age(plain) is not None


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("79 a ♂", "41 a ♂"),
        ("♀79a", "♀41a"),
        ("79 a ♀.", "41 a ♀."),
        ("~79 ans", "~41 ans"),
        ("≈ 79", "≈ 41"),
        ("(79 ans)", "(41 ans)"),
        ("79 a.", "41 a."),
        ("79 ans,", "41 ans,"),
        ("5 ans ½ )", "41 ans )"),
    ],
)
def test_signs_around_an_age_stay(text: str, out: str) -> None:
    age = parse_age(text)
    assert age is not None
    assert render_age(REFERENCE.replace(year=REFERENCE.year - 41), REFERENCE, age) == out


@pytest.mark.parametrize("text", ["79 ans - 12", "79 a F", "♂", "H 79", "79 ♂ 12", "..79 kg"])
def test_more_than_signs_around_an_age_is_not_read(text: str) -> None:
    assert parse_age(text) is None


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("VINGT HUIT ANS", "TROIS ANS"),
        ("vingt-huit ans", "trois ans"),
        ("VINGT MOIS", "TRENTE-SIX MOIS"),
    ],
)
def test_a_number_in_words_is_as_large_as_its_unit(text: str, out: str) -> None:
    age = parse_age(text)
    assert age is not None
    assert render_age(REFERENCE.replace(year=REFERENCE.year - 3), REFERENCE, age) == out
