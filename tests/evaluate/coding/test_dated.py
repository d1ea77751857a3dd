"""What a note says of time."""

from __future__ import annotations

import datetime as dt

import pytest

from dpdeid.document import Document
from dpdeid.evaluate.coding.timed import Chronology, chronology


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def told(text: str, note_date: dt.date | None = None) -> Chronology:
    return chronology(Document("n", text, note_date=note_date))


@pytest.mark.parametrize(
    "text",
    [
        "Hospitalisée du 03/02/2021 au 07/02/2021.",
        "Hospitalisé du 3 au 7 février 2021 en cardiologie.",
        "Date d'entrée : 03/02/2021\nDate de sortie : 07/02/2021",
        "Admise le 03/02/2021 pour chute. Sortie le 07/02/2021.",
        "Séjour du 03.02.2021 au 07.02.2021",
    ],
)
def test_the_stay(text: str) -> None:
    assert told(text).stay == (day("2021-02-03"), day("2021-02-07"))
    assert told(text).reference == day("2021-02-03")


@pytest.mark.parametrize(
    "text",
    [
        "Vue le 03/02/2021.",
        "Hospitalisée le 03/02/2021.",
        "Admis le 03/02/2021, sortie le 01/02/2021.",
    ],
)
def test_no_stay(text: str) -> None:
    assert told(text).stay is None


def test_birth_age_and_reference() -> None:
    found = told("M. X, né le 12/03/1950, 71 ans, vu le 05/05/2021.")
    assert found.birth == day("1950-03-12")
    assert found.age is not None
    assert found.age.amount == 71
    assert found.reference == day("2021-05-05")
    assert told("Pas de date.").reference is None
    assert told("Pas de date.", day("2020-01-01")).reference == day("2020-01-01")


def test_a_stay_from_the_day_of_birth() -> None:
    found = told("Né le 24/11/2020.\nHospitalisé du 24/11/2020 au 28/11/2020.")
    assert found.birth == day("2020-11-24")
    assert found.stay == (day("2020-11-24"), day("2020-11-28"))


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("IDM le 03/02/2021", "2021-02-03"),
        ("Le 03/02/2021, IDM", "2021-02-03"),
        ("Vu le 01/01/2020. IDM en février 2021", "2021-02-15"),
        ("Vu le 01/01/2020. IDM ancien", None),
        ("Vu le 01/01/2020\nIDM ancien", None),
    ],
)
def test_the_date_of_a_condition(text: str, own: str | None) -> None:
    start = text.index("IDM")
    found = told(text).of(text, start, start + 3)
    assert (found is None) == (own is None)
    if own is not None and found is not None:
        assert (found.year, found.month) == (day(own).year, day(own).month)
