"""Surnames that end otherwise for women and men of one family."""

from __future__ import annotations

import pytest

from dpdeid.substitute.people.gendered import family, of_woman
from dpdeid.substitute.people.strategy import People
from tests.substitute.making import rewritten

FAMILIES = [
    ("Wojciechowska", "Wojciechowski"),
    ("Nowicka", "Nowicki"),
    ("Zawadzka", "Zawadzki"),
    ("Ivanova", "Ivanov"),
    ("Medvedeva", "Medvedev"),
    ("Rimskaïa", "Rimski"),
    ("Papadopoulou", "Papadopoulos"),
    ("Kazlauskienė", "Kazlauskas"),
    ("Stankevičiūtė", "Stankevičius"),
    ("Pouchkina", "Pouchkin"),
]
APART = [
    ("Marina", "Marin"),
    ("Martina", "Martin"),
    ("Molina", "Molin"),
    ("Nova", "Nov"),
    ("Lelou", "Lelos"),
    ("Rosa", "Ros"),
    ("Costa", "Costi"),
]


@pytest.mark.parametrize(("woman", "man"), FAMILIES)
def test_kin_stay_kin(woman: str, man: str) -> None:
    note = f"Mme «LAST_NAME:{woman}», fille de M. «LAST_NAME:{man}»"
    for at in range(6):
        (out,) = rewritten(People(), note, unit=f"u{at}")
        hers, his = out.removeprefix("Mme ").split(", fille de M. ")
        assert family(hers.lower()) == family(his.lower())
        assert hers in (his, of_woman(his))


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_families_stay_two(one: str, other: str) -> None:
    note = f"Mme «LAST_NAME:{one}», fille de M. «LAST_NAME:{other}»"
    (out,) = rewritten(People(), note)
    hers, his = out.removeprefix("Mme ").split(", fille de M. ")
    assert hers != his


def test_a_note_with_the_woman_alone_names_her_as_one_with_both_does() -> None:
    alone, both = (
        rewritten(People(), note)[0].split()[1]
        for note in (
            "Mme «LAST_NAME:Kowalska» sort",
            "Mme «LAST_NAME:Kowalska» sort avec M. «LAST_NAME:Kowalski»",
        )
    )
    assert alone == both


def test_a_surrogate_with_two_forms_takes_that_of_the_mention() -> None:
    assert [of_woman(one) for one in ("Nowicki", "Zawadzki", "Petrov", "Lucas", "Morel")] == [
        "Nowicka",
        "Zawadzka",
        "Petrova",
        "Lucas",
        "Morel",
    ]
