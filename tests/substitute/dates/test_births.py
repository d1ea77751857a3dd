"""Ages beside birth dates: what is printed of one person agrees, under every policy."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from statistics import median

import pytest

from dpdeid.labels import Label
from dpdeid.substitute.dates.ages import elapsed, parse_age
from tests.substitute.making import dates, surrogates, texts

POLICIES = ("aphp", "dp", "dp-strict", "hnfc", "hnfc-strict")
SEEN = "vue le «DATE:18/05/2021»"


def holds(born: object, then: object, text: str) -> bool:
    """Whether the printed age is that of somebody born then, on that day."""
    age = parse_age(text)
    assert age is not None
    assert isinstance(born, dt.date)
    assert isinstance(then, dt.date)
    return elapsed(born, then, age.unit) == age.amount


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "who",
    [
        "née le «BIRTH_DATE:12/03/1958», «AGE:63 ans»",
        "née le «BIRTH_DATE:12/03/2020», «AGE:14 mois»",
        "née le «BIRTH_DATE:12/04/2021», «AGE:5 semaines»",
        "née le «BIRTH_DATE:12/05/2021», «AGE:6 jours»",
        "née le «BIRTH_DATE:12/03/2019», «AGE:2 ans et 2 mois»",
    ],
)
def test_an_age_is_that_of_the_printed_birth_on_the_printed_date(policy: str, who: str) -> None:
    for key in range(20):
        born, age, seen = surrogates(dates(policy), f"{who}, {SEEN}", key=key.to_bytes(32, "big"))
        assert holds(born.value, seen.value, age.text)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "told",
    [
        "infarctus en «DATE:2010», à «AGE:52 ans»",
        "infarctus en «DATE:2010» («AGE:52 ans»)",
        "infarctus en «DATE:2010» à l'âge de «AGE:52 ans»",
        "infarctus à «AGE:52 ans», en «DATE:2010»",
    ],
)
def test_an_age_beside_a_date_of_the_past_is_that_of_this_date(policy: str, told: str) -> None:
    note = f"née le «BIRTH_DATE:12/03/1958». {SEEN}. {told}."
    for key in range(20):
        given = surrogates(dates(policy), note, key=key.to_bytes(32, "big"))
        (age,) = (s for s in given if s.mention.label is Label.AGE)
        (year,) = (s for s in given if s.mention.text == "2010")
        assert holds(given[0].value, year.value, age.text)
        assert set(age.charges) >= {*given[0].charges, *year.charges}
        assert bool(year.charges) is (policy in ("aphp", "hnfc")), "the age tells it"


def test_an_age_of_another_sentence_than_a_date_is_of_another_day() -> None:
    note = f"née le «BIRTH_DATE:12/03/1958». {SEEN}. en «DATE:2010». Infarctus à «AGE:52 ans»"
    *_, year, age = surrogates(dates("dp"), note)
    assert not set(year.charges) <= set(age.charges)


def test_without_its_birth_date_an_age_says_no_more_than_its_unit() -> None:
    for key in range(20):
        age, _ = texts(dates("dp"), f"«AGE:6 jours», {SEEN}", key=key.to_bytes(32, "big"))
        assert age.endswith(("jours", "jour"))


PAST_ONLY = pytest.mark.parametrize(
    "note",
    [
        "opérée en «DATE:1987» («AGE:18 ans»), vue le «DATE:18/05/2021»",
        "le «DATE:8 mai 1945» elle avait «AGE:6 ans»",
        "en «DATE:2010», à «AGE:52 ans», puis rien",
    ],
)


@PAST_ONLY
def test_an_age_that_only_a_past_date_tells_moves_no_date_to_today(note: str) -> None:
    """Counted back from the note, the birth came out after the date, which was moved behind it."""
    for key in range(20):
        date, age, *_ = surrogates(dates("aphp"), note, key=key.to_bytes(32, "big"))
        told = int(date.mention.text.split()[-1])
        assert isinstance(date.value, dt.date)
        assert abs(date.value.year - told) <= 4
        assert int(age.text.split()[0]) > 0


@PAST_ONLY
def test_nor_does_it_under_a_secret_shift_of_ten_years(note: str) -> None:
    """The first date moves by the shift, and a year beside it in proportion to their distance."""
    moved = []
    for key in range(20):
        date, age, *seen = surrogates(dates("dp"), note, key=key.to_bytes(32, "big"))
        told = int(date.mention.text.split()[-1])
        assert isinstance(date.value, dt.date)
        assert int(age.text.split()[0]) > 0
        if seen:
            assert isinstance(seen[0].value, dt.date)
            assert date.value < seen[0].value
            moved.append((seen[0].value.year - date.value.year) - (2021 - told))
        else:
            assert told - 11 <= date.value.year <= told + 1
            moved.append(date.value.year - told)
    assert abs(median(moved)) <= 10


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("day", ["01/07/1958", "12/03/1958", "juillet 1958", "mars 1958"])
def test_a_year_of_birth_is_that_of_any_day_in_it(policy: str, day: str) -> None:
    """A year stands for its 1 July: whoever is born then must not be one person, others two."""
    said = "née en «BIRTH_DATE:1958», le «BIRTH_DATE:{}», " + SEEN
    one, other, _ = surrogates(dates(policy), said.format(day))
    assert one.charges == other.charges
    assert one.value == other.value


def test_another_year_of_birth_is_another_person() -> None:
    one, other = surrogates(dates("dp"), "«BIRTH_DATE:12/03/1958», «BIRTH_DATE:1961»")
    assert one.charges != other.charges


class TestDeliveries:
    """In the notes of a mother a birth is her child's, and a day of these notes."""

    NOTE = (
        "Patiente de «AGE:29 ans», opérée en «DATE:2018», DDR «DATE:03/02/2023», "
        "admise le «DATE:04/11/2023». {}aissance le «BIRTH_DATE:4 novembre 2023»."
    )

    @pytest.mark.parametrize("policy", ["dp", "aphp"])
    def test_a_child_is_born_about_when_its_mother_is_there(self, policy: str) -> None:
        away = []
        for key in range(20):
            given = surrogates(dates(policy), self.NOTE.format("N"), key=key.to_bytes(32, "big"))
            age, *_, admitted, born = (one.value for one in given)
            assert isinstance(admitted, dt.date)
            assert isinstance(born, dt.date)
            assert isinstance(age, dt.date)
            assert 15 < elapsed(age, admitted, parse_age("29 ans").unit) < 50  # type: ignore[union-attr]
            away.append(abs((admitted - born).days))
        assert median(away) <= (2 if policy == "dp" else 400)

    def test_a_date_of_birth_is_the_patients_whatever_ages_stand_there(self) -> None:
        """As of a brother who died at 29."""
        note = self.NOTE.format("Date de n").replace("4 novembre 2023", "12/05/1944")
        for key in range(5):
            given = surrogates(dates("dp"), note, key=key.to_bytes(32, "big"))
            *_, born = (one.value for one in given)
            assert isinstance(born, dt.date)
            assert born.year < 1990


@pytest.mark.parametrize("policy", POLICIES)
def test_an_age_in_a_row_of_a_list_is_that_of_the_birth_in_it(policy: str) -> None:
    """Of everybody in it, the patient being the first."""
    first = "ROY;«BIRTH_DATE:12/03/1958»;lit 4;«AGE:63 ans»"
    second = "DAM;«BIRTH_DATE:07/07/2009»;lit 5;«AGE:11 ans»"
    seen, *drawn = surrogates(dates(policy), f"{SEEN}\n{first}\n{second}")
    assert len(drawn) == 4
    for born, age in (drawn[:2], drawn[2:]):
        assert holds(born.value, seen.value, age.text)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "who", ["Nouveau-né : Oihan, né le", "Bébé né à terme le", "nouveau-née le"]
)
@pytest.mark.parametrize("born", ["07/08/2022", "7 août", "07/08"])
def test_a_newborn_is_born_in_the_stay_of_the_mother(policy: str, who: str, born: str) -> None:
    note = (
        f"Patiente de «AGE:31 ans» admise le «DATE:06/08/2022». {who} «BIRTH_DATE:{born}». "
        "Sortie le «DATE:11/08/2022»."
    )
    given = {s.mention.text: s.value for s in surrogates(dates(policy), note)}
    admitted, left = (given[f"{day}/08/2022"] for day in ("06", "11"))
    assert admitted <= given[born] <= left


@pytest.mark.parametrize(("policy", "most"), [("aphp", 1), ("dp", 31), ("dp-strict", 366)])
@pytest.mark.parametrize(
    "note",
    [
        "NN garçon né le «BIRTH_DATE:18/09/2023» à 02h14. Consentement signé le «DATE:19/9». "
        "VitK ok.\nGuthrie fait le «DATE:20/09».",
        "Bébé : fille, née le «BIRTH_DATE:18.09.2023»\nMère «AGE:24 ans»\nEntrée «DATE:19.09», "
        "transfert «DATE:20.09»",
        "née le «BIRTH_DATE:18 septembre 2023», Apgar 8-9. Ictère le «DATE:19 septembre», "
        "vue le «DATE:20 septembre».",
    ],
)
def test_days_without_a_year_follow_the_birth_of_a_newborn(
    policy: str, most: int, note: str
) -> None:
    """Where no other date of the note tells its year."""
    for key in range(20):
        given = surrogates(dates(policy), note, key=key.to_bytes(32, "big"))
        days = [s.value for s in given if s.mention.label is not Label.AGE]
        for before, after in pairwise(days):
            assert isinstance(before, dt.date)
            assert isinstance(after, dt.date)
            assert 0 <= (after - before).days <= most, days


def test_a_day_of_the_notes_is_none_though_an_age_fits_it() -> None:
    """The patient's own birth is told by another date; an age of today may fit the day too."""
    note = (
        "Née le «BIRTH_DATE:16/03/2017», vue le «DATE:04/11/2024», fils de «AGE:4 ans». Entrée le "
        "«DATE:18/01/2020». Poids : «BIRTH_DATE:18/01/2020» 14,9."
    )
    for key in range(20):
        given = surrogates(dates("dp"), note, key=key.to_bytes(32, "big"))
        entry, weighed = (s.value for s in given if s.mention.text == "18/01/2020")
        assert entry == weighed


def test_ages_in_years_and_months_go_on_beyond_three_years() -> None:
    """They had been held below 36 months, and the dates beside them too."""
    note = (
        "Née le «BIRTH_DATE:16/03/2017», «AGE:7 ans», vue le «DATE:04/11/2024». "
        "R3 le «DATE:17/05/2021». R4 le «DATE:23/01/2023» («AGE:5 ans 10 mois»), CP à «AGE:5 ans "
        "et demi»."
    )
    told = []
    for key in range(20):
        given = surrogates(dates("dp"), note, key=key.to_bytes(32, "big"))
        third, fourth = (s.value for s in given[3:5])
        assert isinstance(third, dt.date)
        assert isinstance(fourth, dt.date)
        assert (fourth - third).days > 31
        told += [parse_age(s.text) for s in given if s.mention.text.startswith("5 ans")]
    assert median(age.amount for age in told if age is not None) >= 5


@pytest.mark.parametrize("policy", POLICIES)
def test_the_birth_of_an_adult_leads_no_day(policy: str) -> None:
    """Such days lie behind the present, here that of the cohort."""
    note = "M. Roy, né le «BIRTH_DATE:18/09/1953», retraité. Vu le «DATE:20/09»."
    born, seen = (s.value for s in surrogates(dates(policy), note))
    assert isinstance(born, dt.date)
    assert isinstance(seen, dt.date)
    assert seen.year > born.year + 50


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "kin",
    [
        "Père décédé à",
        "tante opérée du sein à l'âge de",
        "AVC de l'oncle à",
        "Le père est décédé le «DATE:03/02/2018» à",
        "Sa mère est décédée le «DATE:3.2.2018» à",
        "Père a eu 2 infarctus à",
    ],
)
def test_an_age_behind_a_word_for_kin_is_not_of_the_patient(policy: str, kin: str) -> None:
    note = f"Vu le «DATE:06/08/2022», «AGE:41 ans». {kin} «AGE:83 ans»."
    ages = [s.text for s in surrogates(dates(policy), note) if s.mention.label is Label.AGE]
    assert int(ages[1].split()[0]) > 60


NEONATAL = (
    "Enfant né le «BIRTH_DATE:27 février 2022». Mère : «AGE:29 ans». Rhophylac le "
    "«DATE:10/01/2022». Transfert in utero le «DATE:24/02/2022». Sortie le «DATE:10/03/2022»."
)


@pytest.mark.parametrize("policy", ["aphp", "dp", "dp-strict", "hnfc-strict"])
@pytest.mark.parametrize(
    "later", ["", "«AGE:9 mois», né le «BIRTH_DATE:27/02/2022»", "«AGE:2 ans»"]
)
def test_dates_of_a_pregnancy_stay_before_the_birth(policy: str, later: str) -> None:
    seen = "08/12/2024" if "ans" in later else "08/12/2022"
    notes = [NEONATAL, f"Vu le «DATE:{seen}» : {later}."] if later else [NEONATAL]
    for unit in range(30):
        given = surrogates(dates(policy), *notes, unit=f"u{unit}")
        told = (s for s in given if s.mention.document == 0 and s.mention.label is not Label.AGE)
        born, *before, left = (s.value for s in told)
        assert [*before, born, left] == sorted({*before, born, left}), unit
