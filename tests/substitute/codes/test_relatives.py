"""The social security number of a relative, beside the released birth of the patient."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from dpdeid.document import Surrogate
from dpdeid.labels import Label
from dpdeid.substitute.codes.identifiers import Identifiers
from tests.substitute.making import context, marked

BORN = dt.date(2009, 7, 4)
KEPT = frozenset({Label.KINSHIP})


def years(note: str, label: Label = Label.BIRTH_DATE, kept: frozenset[Label] = KEPT) -> list[int]:
    """The years of birth in the surrogates of all numbers, under some keys."""
    record, mentions = marked(note)
    before = [Surrogate(m, "04/07/2009", "dates", (), BORN) for m in mentions if m.label is label]
    found = []
    for at in range(20):
        ctx = context(unit=f"u{at}", before=before)
        ctx = type(ctx)(ctx.streams, ctx.e0, ctx.before, ctx.memory, mentions, kept)
        numbers = [m for m in mentions if m.label is Label.SSN]
        for given in Identifiers().substitute(numbers, record, ctx):
            year = int(re.sub(r"\D", "", given.text)[1:3])
            found.append(year + (1900 if year > 30 else 2000))
    assert len(found) >= 20
    return found


CHILD = "né le «BIRTH_DATE:12/03/2012»"


@pytest.mark.parametrize(
    ("note", "least", "most"),
    [
        (f"{CHILD}. NIR de la mère : «SSN:2 82 05 75 116 123 45»", 1973, 1991),
        (f"{CHILD}. NIR de la «KINSHIP:mère» : «SSN:2 82 05 75 116 123 45»", 1973, 1991),
        (f"{CHILD}. N° SS «SSN:2 82 05 75 116 123 45» (maman)", 1973, 1991),
        (f"{CHILD}. PÈRE : Paul ROY\nN° SS «SSN:1 42 05 75 116 123 45»", 1971, 1989),
        (f"{CHILD}. Grand-mère, «SSN:2 42 05 75 116 123 45»", 1948, 1966),
        (f"{CHILD}. Mère : «SSN:2 82 05 75 116 123 45», «SSN:2 81 05 75 116 123 45»", 1973, 1991),
        (f"{CHILD}. Assuré : sa femme «SSN:2 82 05 75 116 123 45»", 2000, 2018),
    ],
)
def test_it_is_as_much_older_as_such_kin_are(note: str, least: int, most: int) -> None:
    assert all(least <= year <= most for year in years(note))


@pytest.mark.parametrize(
    "note",
    [
        f"{CHILD}. NIR «SSN:1 12 03 75 116 123 45», mère présente",
        f"{CHILD}. Vu avec sa mère. NIR de l'enfant «SSN:1 12 03 75 116 123 45»",
        f"{CHILD}. Mère : NIR «SSN:2 12 03 75 116 123 45»",
    ],
)
def test_a_number_that_fits_a_birth_follows_it(note: str) -> None:
    assert set(years(note)) == {BORN.year}


@pytest.mark.parametrize(
    "note",
    [
        "Femme de «AGE:34 ans», NIR «SSN:2 85 03 75 116 123 45»",
        "Fille de «AGE:3 ans», NIR «SSN:2 85 03 75 116 123 45»",
        "«AGE:34 ans», mère au foyer.\n\n\nNIR «SSN:2 85 03 75 116 123 45»",
    ],
)
def test_a_patient_is_no_relative(note: str) -> None:
    assert set(years(note, Label.AGE)) == {BORN.year}


@pytest.mark.parametrize(
    "note",
    [
        f"{CHILD}\n\nOpéré le «DATE:{{}}» à 01h sans complication. N° de sécurité sociale",
        f"{CHILD}. Mère : vue en consultation à l'hôpital le «DATE:{{}}», revue. NIR",
    ],
)
def test_the_length_of_no_value_decides_whose_number_it_is(note: str) -> None:
    """Sixty characters back may begin within "Opéré", and no father is there."""
    number = " «SSN:2 80 07 64 024 084 59»"
    days = ("9/7", "3/12", "13/12", "13 décembre 2012")
    assert len({tuple(years(note.format(day) + number)) for day in days}) == 1


def test_the_patient_may_be_told_by_an_age_alone() -> None:
    note = "«AGE:12 ans». NIR de la mère «SSN:2 85 03 75 116 123 45»"
    assert all(1973 <= year <= 1991 for year in years(note, Label.AGE))


def test_nothing_of_the_true_difference_shows() -> None:
    for of in (1942, 1982, 1999):
        number = f"2 {of % 100} 05 75 116 123 45"
        assert min(years(f"{CHILD}. Mère : «SSN:{number}»")) >= 1973


def test_words_that_go_tell_nothing() -> None:
    note = f"{CHILD}. NIR de la «KINSHIP:mère» : «SSN:2 82 05 75 116 123 45»"
    assert max(years(note, kept=frozenset())) - min(years(note, kept=frozenset())) > 18
