"""Coherent facts in many forms give no finding; one changed fact gives its kind."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.evaluate.coherence.dated.ages import age_on
from dpdeid.evaluate.coherence.facts import Kind
from dpdeid.evaluate.coherence.judge import judge
from dpdeid.french.calendar import MONTHS, WEEKDAYS
from dpdeid.french.check_digits import nir_key

TOWNS = {
    "Brest": ("29", "29200", "02 98"),
    "Marseille": ("13", "13005", "04 91"),
    "Strasbourg": ("67", "67000", "03 88"),
    "Toulouse": ("31", "31000", "05 61"),
}
FAMILIES = ("Garnier", "Lefebvre", "Rousseau", "Chevalier")
GIVEN = {"F": ("Sophie", "Nathalie", "Isabelle"), "M": ("Philippe", "Sébastien", "Thierry")}


@dataclass(frozen=True)
class Facts:
    """What a note is made of."""

    sex: str
    given: str
    family: str
    town: str
    born: dt.date
    today: dt.date
    stay: int
    weekday: int
    age: int
    zip: str
    area: str
    department: str
    nir_sex: str
    nir_department: str
    title: str
    leave: dt.date


@st.composite
def facts(draw: st.DrawFn) -> Facts:
    sex = draw(st.sampled_from("FM"))
    town = draw(st.sampled_from(sorted(TOWNS)))
    born = draw(st.dates(dt.date(1940, 1, 1), dt.date(1975, 12, 31)))
    today = draw(st.dates(dt.date(2015, 1, 1), dt.date(2024, 12, 31)))
    stay = draw(st.integers(2, 12))
    department, code, area = TOWNS[town]
    return Facts(
        *(sex, draw(st.sampled_from(GIVEN[sex])), draw(st.sampled_from(FAMILIES)), town),
        *(born, today, stay, today.weekday(), age_on(born, today), code, area, department),
        *("2" if sex == "F" else "1", department, "Mme" if sex == "F" else "M."),
        today - dt.timedelta(1),
    )


def numeric(day: dt.date) -> str:
    return f"{day:%d/%m/%Y}"


def worded(day: dt.date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def nir(one: Facts) -> str:
    number = f"{one.nir_sex}{one.born:%y%m}{one.nir_department}019123"
    return f"{number} {nir_key(number)}"


def letter(one: Facts) -> str:
    e = "e" if one.sex == "F" else ""
    entry = one.leave - dt.timedelta(one.stay)
    return (
        f"{one.town}, le {WEEKDAYS[one.weekday]} {worded(one.today)}\n\nCher confrère,\n"
        f"{one.title} {one.given} {one.family}, né{e} le {numeric(one.born)} à {one.town} "
        f"({one.department}), {one.age} ans, NIR {nir(one)}, a été hospitalisé{e} du "
        f"{numeric(entry)} au {numeric(one.leave)}.\n"
        f"Adresse : 12 rue des Lilas, {one.zip} {one.town}, tél. {one.area} 22 33 44\n"
    )


def form(one: Facts) -> str:
    entry = one.leave - dt.timedelta(one.stay)
    return (
        f"Date : {WEEKDAYS[one.weekday]} {numeric(one.today)}\n"
        f"Patient : {one.title} {one.family.upper()} {one.given}\n"
        f"Né{'e' if one.sex == 'F' else ''} le {numeric(one.born)} à {one.town} "
        f"({one.department}) - {one.age} ans\nN° SS : {nir(one)}\n"
        f"12 rue des Lilas\n{one.zip} {one.town.upper()}\nTél : {one.area} 22 33 44\n"
        f"Entrée le {numeric(entry)}\nSortie le {numeric(one.leave)}\n"
    )


FORMS = (letter, form)


def kinds(text: str) -> set[Kind]:
    return {one.kind for one in judge([Document("n", text)])}


@given(facts(), st.sampled_from(FORMS))
def test_coherent_facts_give_no_finding(one: Facts, write: object) -> None:
    assert callable(write)
    assert kinds(write(one)) == set()


def other_town(one: Facts) -> tuple[str, str, str]:
    return TOWNS[next(town for town in TOWNS if town != one.town)]


CHANGES = {
    Kind.WEEKDAY_DATE: lambda one: replace(one, weekday=(one.weekday + 3) % 7),
    Kind.AGE_BIRTH: lambda one: replace(one, age=one.age + 12),
    Kind.ZIP_TOWN: lambda one: replace(one, zip=other_town(one)[1]),
    Kind.PHONE_TOWN: lambda one: replace(one, area=other_town(one)[2]),
    Kind.DEPARTMENT_TOWN: lambda one: replace(one, department=other_town(one)[0]),
    Kind.ID_SEX: lambda one: replace(one, nir_sex="1" if one.nir_sex == "2" else "2"),
    Kind.ID_DEPARTMENT: lambda one: replace(one, nir_department=other_town(one)[0]),
    Kind.TITLE_NAME: lambda one: replace(one, title="M." if one.sex == "F" else "Mme"),
    Kind.EVENT_ORDER: lambda one: replace(one, stay=-one.stay),
}


@pytest.mark.parametrize("kind", CHANGES)
@given(one=facts(), write=st.sampled_from(FORMS))
def test_one_changed_fact_gives_its_kind(kind: Kind, one: Facts, write: object) -> None:
    assert callable(write)
    assert kind in kinds(write(CHANGES[kind](one)))


@given(facts(), st.sampled_from(FORMS))
def test_a_number_of_another_birth(one: Facts, write: object) -> None:
    assert callable(write)
    text = write(one)
    other = write(replace(one, born=one.born.replace(day=1, year=one.born.year - 3)))
    swapped = text.replace(
        nir(one), nir(replace(one, born=one.born.replace(day=1, year=one.born.year - 3)))
    )
    assert other != text
    assert Kind.ID_BIRTH in kinds(swapped)
