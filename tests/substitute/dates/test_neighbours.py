"""A day that prints no month is read in the month that was meant, before and after."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest

from dpdeid.labels import Label
from dpdeid.privacy.timeline.modes import Shift
from dpdeid.substitute.dates.reading import read_dates
from dpdeid.substitute.dates.strategy import Dates
from tests.substitute.dates.test_strategy import ALL, METRIC, PAPER, SHIFT, in_text
from tests.substitute.making import marked, rewritten

E0 = dt.date(2030, 1, 1)


def shifted(note: str, days: int) -> str:
    return rewritten(Dates(labels=ALL, timeline=Shift(days=365, offset=days)), note)[0]


@pytest.mark.parametrize(
    ("note", "days", "expected"),
    [
        # a month is printed where the next day of the list has another
        ("«DATE:10», «DATE:12» et «DATE:14 mars»", -1, "9, 11 et 13 mars"),
        ("«DATE:10», «DATE:12» et «DATE:14 mars»", -12, "26, 28 février et 2 mars"),
        (
            "«DATE:10», «DATE:12» et «DATE:14 mars 2020»",
            -71,
            "30 décembre 2019, 1er et 3 janvier 2020",
        ),
        # where the list has no month, in the form of the date that leads it, or in words
        ("le «DATE:12/04», puis le «DATE:26»", -1, "le 11/04, puis le 25"),
        ("le «DATE:12/04», puis le «DATE:26»", -26, "le 17/03, puis le 31"),
        ("le «DATE:12/04», puis le «DATE:26»", -24, "le 19/03, puis le 2"),
        (
            "en «DATE:mars 2021», les «DATE:10», «DATE:12» et «DATE:14»",
            -20,
            "en février 2021, les 18, 20 et 22",
        ),
        (
            "en «DATE:mars 2021», les «DATE:10», «DATE:12» et «DATE:14»",
            -12,
            "en mars 2021, les 26, 28 février et 2",
        ),
        # beside a weekday the next day of its number is meant
        ("«DATE:lundi 10» vu, «DATE:mercredi 12» revu", -11, "jeudi 29 vu, samedi 1er revu"),
        ("les «DATE:10», «DATE:12» et «DATE:14»", -13, "les 28, 30 décembre et 1er janvier"),
        ("les «DATE:10», «DATE:12» et «DATE:14»", -11, "les 30 décembre, 1er et 3 janvier"),
    ],
)
def test_a_month_is_printed_where_it_changes(note: str, days: int, expected: str) -> None:
    assert shifted(note, days) == expected


def test_a_list_shares_its_month_whatever_weekdays_are_printed() -> None:
    """3 May 2021 was a Monday, and so was 6 September 2021: the wrong weekdays lead nowhere."""
    assert shifted("«DATE:jeudi 3», «DATE:mardi 4» et «DATE:lundi 6 mai 2021»", -1) == (
        "dimanche 2, lundi 3 et mercredi 5 mai 2021"
    )


@pytest.mark.parametrize(
    "note",
    [
        "né le «BIRTH_DATE:04/05/1950», vu le «DATE:12 mars»",
        "vu le «DATE:12 mars», né le «BIRTH_DATE:04/05/1950»",
        "vu le «DATE:12», né le «BIRTH_DATE:04/05/1950»",
    ],
)
def test_a_date_has_the_year_of_its_note_and_not_of_a_birth_beside_it(note: str) -> None:
    record, mentions = marked(note, note_date=dt.date(2021, 3, 20))
    days = {read.mention.label: read.days[0] for read in read_dates(mentions, record, E0)[0]}
    assert days == {Label.DATE: dt.date(2021, 3, 12), Label.BIRTH_DATE: dt.date(1950, 5, 4)}


def test_a_birth_without_its_year_has_that_of_the_date_beside_it() -> None:
    record, mentions = marked("née le «BIRTH_DATE:12 mars», vue le «DATE:14/03/2019»")
    born, seen = read_dates(mentions, record, E0)[0]
    assert (born.days[0], seen.days[0]) == (dt.date(2019, 3, 12), dt.date(2019, 3, 14))


@pytest.mark.parametrize(
    ("note", "year"),
    [
        ("DDR «DATE:12/04/2020»\nNouveau-né Léa née le «BIRTH_DATE:19/01/21»", 2021),
        ("DDR «DATE:12/04/2020»\nLéa, «BIRTH_DATE:19/01/21», 3940 g, Apgar 10", 2021),
        ("DDR «DATE:12/04/2020»\nNouveau-né «BIRTH_DATE:19/01/21», mère 32 ans", 2021),
        ("DDR «DATE:12/04/2020»\nnouveau-né vu\nLéa, «BIRTH_DATE:19/01/21»", 1921),
        ("Le «DATE:12/04/2020» M. Roy, né le «BIRTH_DATE:19/01/21», 100 ans", 1921),
        (
            "Le «DATE:12/04/2020» Mme Roy, «BIRTH_DATE:19/01/21», 99 ans, aïeule d'un nouveau-né",
            1921,
        ),
    ],
)
def test_who_was_just_born_is_born_after_the_first_date_of_the_note(note: str, year: int) -> None:
    record, mentions = marked(note)
    assert read_dates(mentions, record, E0)[0][1].days == (dt.date(year, 1, 19),)


@pytest.mark.parametrize(
    ("note", "year"),
    [
        ("Le «DATE:17 avril 2025»\nChers amis, datation le «DATE:13/08».", 2024),
        ("Consultation du «DATE:17/04/2025»\nOpéré le «DATE:28/07», va bien.", 2024),
        ("Lettre du «DATE:17/04/2025»\nPoids 69 kg en «DATE:septembre».", 2024),
        ("Le «DATE:17 avril 2025»\nRDV de médecine interne le «DATE:13/08».", 2025),
        ("Le «DATE:17 avril 2025»\nJe le reverrai en «DATE:septembre».", 2025),
        ("Le «DATE:17 avril 2025»\nVu ce matin, scanner le «DATE:05/05».", 2025),
        ("Entrée le «DATE:17/04/2025», opéré le «DATE:28/07».", 2025),
        ("Le «DATE:10 janvier 2025»\n" + 9 * "Cher ami, " + "il est sorti le «DATE:21».", 2024),
        ("Le «DATE:10 janvier 2025»\nIl sera opéré le «DATE:21».", 2025),
    ],
)
def test_a_note_that_says_when_it_was_written_tells_of_days_before(note: str, year: int) -> None:
    """But where words tell of what is to come; what begins with another day may go on for long."""
    record, mentions = marked(note)
    assert read_dates(mentions, record, E0)[0][1].days[0].year == year


def days_of(note: str) -> list[dt.date]:
    record, mentions = marked(note)
    return [read.days[-1] for read in read_dates(mentions, record, E0)[0]]


def test_a_bare_day_that_is_told_from_the_note_is_near_it() -> None:
    note = (
        "Lettre du «DATE:18/03/2023»\nOpérée le «DATE:2 janvier», vue il y a 4 jours, le «DATE:14»."
    )
    assert days_of(note)[2] == dt.date(2023, 3, 14)


def test_a_day_within_the_stay_that_was_told_is_of_its_year() -> None:
    note = (
        "Le «DATE:18/01/2020», ascite. Hospitalisée du «DATE:18» au «DATE:29 janvier». Prednisone "
        "dès le «DATE:20/01». Vue le «DATE:04/11/2024»."
    )
    assert days_of(note)[3] == dt.date(2020, 1, 20)


def test_a_bare_day_is_of_the_days_that_are_being_told() -> None:
    told = 20 * "suites simples, "
    seen = "Consultation du «DATE:14/03/2023»\n"
    note = f"{seen}Bloc le «DATE:20 décembre», {told} retiré le «DATE:21»."
    assert days_of(note)[1:] == [dt.date(2022, 12, 20), dt.date(2022, 12, 21)]
    note = f"{seen}PTG le «DATE:05/11/2019». Alors {told}.\nRevue le «DATE:7»."
    assert days_of(note)[2] == dt.date(2023, 3, 7)


def test_days_without_any_month_are_read_in_one_month() -> None:
    """The note is of 10 June 2021: the 25th nearest to it lies in May, the 2nd in June."""
    strategy = Dates(labels=ALL, timeline=Shift(days=365, offset=-1))
    listed = in_text(strategy, "vu les «DATE:2», «DATE:12» et «DATE:27»")
    assert listed == ["1er", "11", "26"]
    assert in_text(strategy, "du «DATE:2» au «DATE:27»") == ["1er", "26"]


@pytest.mark.parametrize(
    ("note", "days", "expected"),
    [
        ("«DATE:02», «DATE:09» et «DATE:16/03/2021»", -1, "01, 08 et 15/03/2021"),
        ("«DATE:11», «DATE:12» et «DATE:16/03/2021»", -8, "03, 04 et 08/03/2021"),
        ("«DATE:2», «DATE:9» et «DATE:16/3/2021»", 1, "3, 10 et 17/3/2021"),
    ],
)
def test_days_of_a_list_are_padded_as_its_month_is(note: str, days: int, expected: str) -> None:
    assert shifted(note, days) == expected


def test_under_noise_they_are_all_padded_beside_digits() -> None:
    for key in range(20):
        listed = in_text(METRIC, "«DATE:2», «DATE:9» et «DATE:16/3/2021»", key=bytes([key]) * 32)
        assert all(len(text.partition("/")[0]) == 2 for text in listed)


def test_under_noise_no_day_is_taken_for_one_of_a_later_month() -> None:
    """A day without a month is followed by a later one, which says the month of both."""
    for key in range(40):
        listed = in_text(METRIC, "«DATE:3», «DATE:5» et «DATE:7 mars 2021»", key=bytes([key]) * 32)
        bare = [(a, b) for a, b in pairwise(listed) if a.removesuffix("er").isdigit()]
        assert all(
            int(a.removesuffix("er")) < int(b.split()[0].removesuffix("er")) for a, b in bare
        )


AGES = (
    "nourrisson de «AGE:16»-«AGE:18 mois»",
    "entre «AGE:2» et «AGE:3 ans»",
    "patiente de «AGE:45» à «AGE:50 ans»",
    "marche à «AGE:12» ou «AGE:13 mois»",
    "vaccins à «AGE:2», «AGE:4» et «AGE:11 mois»",
    "accouchements à «AGE:24», «AGE:27» et «AGE:31 ans»",
)


@pytest.mark.parametrize("note", AGES)
@pytest.mark.parametrize("strategy", [SHIFT, METRIC, PAPER])
def test_the_first_age_of_a_range_is_the_smaller(strategy: Dates, note: str) -> None:
    for key in range(20):
        numbers = [int(age.split()[0]) for age in in_text(strategy, note, key=bytes([key]) * 32)]
        assert numbers == sorted(set(numbers))


def test_a_number_takes_the_unit_of_the_age_that_ends_its_list() -> None:
    """Read as years, 6 and 7 would be people of their own; ages of one birth stay different."""
    note = "né le «BIRTH_DATE:08/11/2020», vu à «AGE:6», «AGE:7» et «AGE:8 mois»"
    strategy = Dates(labels=ALL, timeline=Shift(days=365, offset=-1))
    first, *more = in_text(strategy, note)[1:]
    assert more == [f"{int(first) + 1}", f"{int(first) + 2} mois"]


def test_two_children_are_no_range() -> None:
    listed = {
        tuple(in_text(METRIC, "fils de «AGE:3» et «AGE:5 ans»", key=bytes([key]) * 32))
        for key in range(256)
    }
    assert any(int(first) >= int(last.split()[0]) for first, last in listed)


@pytest.mark.parametrize("unit", ["mois", "semaines"])
def test_nobody_is_of_no_months(unit: str) -> None:
    for key in range(20):
        (age,) = in_text(METRIC, f"bébé de «AGE:3 {unit}»", key=bytes([key]) * 32)
        assert int(age.split()[0]) > 0
