"""What the starting list authorises, before any expert has decided."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.name_tokens import View
from dpdeid.document import Document
from dpdeid.fasdim.numbers import numbers
from dpdeid.fasdim.starting import STARTING, Verdict, vouches, withheld
from dpdeid.french import calendar


@pytest.mark.parametrize("word", ["infarctus", "furosemide", "hta", "avec", "parkinson", "oedeme"])
def test_words_of_medicine_and_of_french_are_authorised(word: str) -> None:
    assert STARTING[word] is Verdict.AUTHORIZED


@pytest.mark.parametrize("word", ["petit", "rose", "blanc", "lamballe"])
def test_a_word_that_is_also_a_name_never_stays_with_a_capital(word: str) -> None:
    assert STARTING[word] is not Verdict.AUTHORIZED


@pytest.mark.parametrize(
    "word", ["kervadec", "rue", "hopital", "cardiologie", "janvier", "lundi", "suisse", "epouse"]
)
def test_names_places_and_times_are_forbidden(word: str) -> None:
    assert STARTING[word] is Verdict.FORBIDDEN


def test_no_month_or_weekday_is_authorised() -> None:
    long = {word for word in (*calendar.MONTH_OF, *calendar.WEEKDAY_OF) if len(word) > 3}
    assert long <= withheld()


@pytest.mark.parametrize(
    "text",
    [
        "furosémide 40 mg",
        "TA 12/8",
        "FC à 80",
        "dans 3 mois",
        "diabète de type 2",
        "trisomie 21",
        "2) repos",
        "1-0-1",
    ],
)
def test_measures_are_protected(text: str) -> None:
    assert any(vouches(number) for number in numbers(View(Document("n", text))))


@pytest.mark.parametrize(
    "text",
    [
        "le 24 janvier",
        "76 ans",
        "opéré en 2019",
        "appendicectomie 1998",
        "chambre 12",
        "17 rue",
        "44093 Nantes",
        "dossier 204417",
        "à 8h12",
    ],
)
def test_dates_ages_and_places_are_not(text: str) -> None:
    found = list(numbers(View(Document("n", text))))
    assert found
    assert not vouches(found[0])
