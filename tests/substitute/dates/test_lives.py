"""Ages of the past, as they are read and as they come out."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from dpdeid.substitute.dates.ages import AgeUnit, elapsed
from dpdeid.substitute.dates.strategy import Dates
from tests.substitute.dates.test_forward import POLICIES
from tests.substitute.making import dates, surrogates, texts

E0 = dt.date(2030, 1, 1)
SEEN = "vue le «DATE:12/05/2021»"


def numbers(of: Dates, note: str, key: int) -> list[int]:
    """The ages that come out, in their order."""
    found = surrogates(of, note, key=key.to_bytes(32, "big"))
    return [int(re.findall(r"\d+", s.text)[0]) for s in found if s.mention.label == "AGE"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "note",
    [
        "Chute à «AGE:12 ans», fracture à «AGE:20 ans», HTA à «AGE:31 ans». {}, «AGE:34 ans».",
        "Ménarche à «AGE:13 ans», ménopause à «AGE:51 ans», PTH à «AGE:60 ans». «AGE:62 ans», {}.",
        "Abus entre «AGE:5» et «AGE:9 ans», foyer dès «AGE:15 ans», {} («AGE:42 ans»).",
        "Née le «BIRTH_DATE:03/02/1960», {}. Fracture («AGE:12 ans»), IDM («AGE:55 ans»).",
    ],
)
def test_they_come_out_in_their_order_below_the_present_one(policy: str, note: str) -> None:
    for key in range(20):
        found = numbers(dates(policy), note.format(SEEN), key)
        if policy != "aphp" and "BIRTH_DATE" not in note and max(found) >= len(found):
            assert len(set(found)) == len(found)
        assert found == sorted(found)


@pytest.mark.parametrize("policy", ["dp", "aphp"])
def test_they_mostly_stay_near(policy: str) -> None:
    far = 0
    note = f"Ménarche à «AGE:13 ans», ménopause à «AGE:51 ans», {SEEN}, «AGE:62 ans»."
    for key in range(20):
        young, old, _ = numbers(dates(policy), note, key)
        far += abs(young - 13) > 13 / 4
        far += abs(old - 51) > 51 / 4
    assert far <= (8 if policy == "dp" else 0), "of 40"


@pytest.mark.parametrize("policy", POLICIES)
def test_the_age_of_a_relative_fits_their_birth_and_the_date_beside_it(policy: str) -> None:
    note = f"{SEEN}. Mère née en «BIRTH_DATE:1942», cancer à «AGE:62 ans», en «DATE:2004»."
    for key in range(20):
        found = texts(dates(policy), note, key=key.to_bytes(32, "big"))
        born, age, year = (int(re.findall(r"\d+", text)[0]) for text in found[1:])
        assert abs(year - born - age) <= 1


@pytest.mark.parametrize("policy", POLICIES)
def test_a_range_in_one_span_is_two_ages(policy: str) -> None:
    note = f"Née le «BIRTH_DATE:03/02/1960», {SEEN}. Tabac de «AGE:18 à 35 ans»."
    for key in range(20):
        *_, told = texts(dates(policy), note, key=key.to_bytes(32, "big"))
        first, last = re.fullmatch(r"(\d+) à (\d+) ans?", told).groups()  # type: ignore[union-attr]
        assert int(first) < int(last)


@pytest.mark.parametrize("told", ["«AGE:18 à 35 ans»", "«AGE:18 ans» à «AGE:35 ans»"])
def test_both_ages_of_a_range_are_of_one_life(told: str) -> None:
    note = f"Née le «BIRTH_DATE:03/02/1960», {SEEN}. Tabac de {told}."
    found = surrogates(dates("dp"), note)
    (birth,) = found[0].charges
    drawn = {charge for one in found for charge in one.charges}
    assert [charge for charge in drawn if charge.mechanism == birth.mechanism] == [birth]


@pytest.mark.parametrize("policy", POLICIES)
def test_in_a_list_that_counts_down_they_do(policy: str) -> None:
    note = f"Née le «BIRTH_DATE:03/02/1956», {SEEN}. Suivie à «AGE:60 ans», «AGE:40 ans»."
    for key in range(20):
        first, second = numbers(dates(policy), note, key)
        assert first > second


@pytest.mark.parametrize("policy", ["dp", "aphp"])
def test_years_behind_months_are_not_more_of_them(policy: str) -> None:
    note = f"Née le «BIRTH_DATE:03/02/1956», {SEEN}. Suivie à «AGE:13 mois», «AGE:2 ans»."
    for key in range(20):
        _, years = numbers(dates(policy), note, key)
        assert years < 6


@pytest.mark.parametrize("policy", ["dp", "dp-strict", "hnfc-strict"])
def test_a_date_is_that_of_the_age_next_to_it(policy: str) -> None:
    note = (
        f"Née le «BIRTH_DATE:03/02/1956», {SEEN}. IDM à «AGE:48 ans», à «AGE:49 ans» en "
        "«DATE:2005»."
    )
    for key in range(20):
        first, second = numbers(dates(policy), note, key)
        assert first < second


def test_the_start_of_a_range_is_no_age_of_today() -> None:
    note = f"{SEEN[0].upper()}{SEEN[1:]}. Tabac de «AGE:18 à 35 ans». Patient de «AGE:60 ans»."
    for key in range(20):
        found = surrogates(dates("dp"), note, key=key.to_bytes(32, "big"))
        assert int(found[-1].text.split()[0]) > int(found[1].text.split()[2])
        assert len({charge.event for one in found for charge in one.charges}) == 4
        drawn = {charge for one in found for charge in one.charges}
        assert sum(charge.mechanism == found[-1].charges[0].mechanism for charge in drawn) == 1


def test_a_neighbour_of_some_age_is_nobodys_past() -> None:
    note = f"Née le «BIRTH_DATE:03/02/1960», {SEEN}. Un voisin de «AGE:20 ans» l'aide."
    *_, age = surrogates(dates("dp"), note)
    assert len(age.charges) == 2, "his birth, and the day of the note"


@pytest.mark.parametrize("policy", POLICIES)
def test_an_age_of_another_note_is_of_no_date_here(policy: str) -> None:
    notes = f"{SEEN}, née le «BIRTH_DATE:03/02/1960», IDM à «AGE:48 ans»", "en «DATE:2008»"
    *_, year = surrogates(dates(policy), *notes)
    assert year.charges


@pytest.mark.parametrize("policy", POLICIES)
def test_a_corrected_age_is_counted_from_the_term(policy: str) -> None:
    note = (
        "Né le «BIRTH_DATE:03/01/2021» à 30 SA + 0. Vu le «DATE:14/05/2021», âge corrigé "
        "«AGE:2 mois»."
    )
    for key in range(20):
        born, seen, age = surrogates(dates(policy), note, key=key.to_bytes(32, "big"))
        months = int(age.text.split()[0])
        lived = (seen.value - born.value).days - 70  # type: ignore[operator]
        assert months <= 1 or abs(lived / 30.4 - months - 0.5) <= 0.6


@pytest.mark.parametrize("policy", POLICIES)
def test_a_birth_on_another_day_of_the_notes_is_that_day(policy: str) -> None:
    note = (
        f"{SEEN}. Travail et accouchement le «DATE:06/05/2021». Enfant : né le "
        "«BIRTH_DATE:06/05/2021», 3 420 g."
    )
    for key in range(10):
        _, delivery, birth = texts(dates(policy), note, key=key.to_bytes(32, "big"))
        assert delivery == birth


@pytest.mark.parametrize("policy", ["dp", "dp-strict", "hnfc-strict"])
@pytest.mark.parametrize(
    "note",
    [
        "Greffe à «AGE:38 ans» en «DATE:2015», «AGE:46 ans» ce jour.",
        "Patiente de «AGE:46 ans». Prothèse en «DATE:2015», à «AGE:38 ans».",
        "Homme de «AGE:46 ans», né le «BIRTH_DATE:03/04/1977», IDM à «AGE:38 ans» en «DATE:2015».",
    ],
)
def test_in_a_note_without_a_day_the_present_age_is_the_last_of_that_life(
    policy: str, note: str
) -> None:
    """Counted from e0, years later, it was somebody else's, and 38 came out beside another year."""
    for key in range(20):
        found = surrogates(dates(policy), note, key=key.to_bytes(32, "big"))
        then, now = sorted(int(s.text.split()[0]) for s in found if s.mention.label == "AGE")
        assert then < now
        if policy == "dp":
            assert now - then < 20
        (year,) = (s.value for s in found if s.mention.label == "DATE")
        (event,) = (s for s in found if s.text.startswith(f"{then} "))
        assert abs(year.year - event.value.year - then) <= 1  # type: ignore[union-attr]


@pytest.mark.parametrize("policy", ["dp", "aphp"])
@pytest.mark.parametrize("day", ["DATE:mardi", "DATE:14", "DATE:12 mars"])
def test_beside_a_day_without_its_year_an_age_stays_near(policy: str, day: str) -> None:
    """It was counted from e0, years behind the day that had been released: 44 came out as 51."""
    note = f"Homme de «AGE:44 ans», levé le «{day}»."
    ages = [age for key in range(20) for age in numbers(dates(policy), note, key)]
    assert sum(abs(age - 44) <= 2 for age in ages) >= 18


def test_the_published_design_counts_ages_from_e0_in_a_note_without_a_day() -> None:
    for key in range(5):
        note = "Homme de «AGE:44 ans», levé le «DATE:mardi»."
        age, _ = surrogates(dates("hnfc"), note, key=key.to_bytes(32, "big"))
        assert isinstance(age.value, dt.date)
        assert int(age.text.split()[0]) == min(elapsed(age.value, E0, AgeUnit.YEARS), 120)
