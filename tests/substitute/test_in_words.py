from __future__ import annotations

import datetime as dt
import pickle

import pytest

from dpdeid.document import Mention, Span, Surrogate, rewrite
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.substitute.fit import fit
from dpdeid.substitute.in_words import Words
from tests.conftest import KEY
from tests.substitute.making import context, marked, surrogates, texts

DAY = dt.date(2021, 3, 5)


def beside(note: str, label: Label, day: dt.date) -> str:
    """What stands for the one mention of a note behind a date that was released."""
    record, (mention,) = marked(note)
    date = Mention(0, Span(0, 1, label), "x")
    before = [Surrogate(date, "x", "dates", (), day)]
    (given,) = Words().substitute([mention], record, context(before=before))
    return given.text


@pytest.mark.parametrize("label", Label)
@pytest.mark.parametrize("text", ["12 Xyz", "??", "XYZZY-12", "qj"])
def test_nothing_of_the_value_stays_and_no_bracket_comes(label: Label, text: str) -> None:
    (out,) = texts(Words(), f"a «{label}:{text}»")
    assert out
    assert "[" not in out
    assert text not in out


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("4512/2", "05/03"),
        ("4512/2/2O19", "05/03/2021"),
        ("4512.2.19", "05.03.2021"),
        ("23 f", "5"),
        ("2 rnaxs 2O19", "5 mars 2021"),
        ("2 RNAXS", "5 MARS"),
        ("l'", "ce jour"),
    ],
)
def test_a_date_is_a_released_day_of_its_note_in_its_form(text: str, form: str) -> None:
    assert beside(f"x «DATE:{text}»", Label.DATE, DAY) == form


def test_an_age_and_a_birth_follow_the_released_birth() -> None:
    born = dt.date(1950, 6, 30)
    assert beside("x «BIRTH_DATE:1x/y/1950»", Label.AGE, born) == "30/06/1950"
    assert beside("x «AGE:7 mois/maman»", Label.BIRTH_DATE, born).endswith(" ans")


def test_only_that_values_are_equal_shows() -> None:
    one = texts(Words(), "«LAST_NAME:Durand» «LAST_NAME:Rey» «LAST_NAME:DURAND»")
    other = texts(Words(), "«LAST_NAME:Petit» «LAST_NAME:Kerven» «LAST_NAME:PETIT»")
    assert one == other
    assert one[2] == one[0].upper() != one[1].upper()


def test_it_costs_nothing() -> None:
    assert not any(given.charges for given in surrogates(Words(), "«CITY:Brest» «DATE:12»"))
    assert Words().guarantees() == ()


@pytest.mark.parametrize(
    ("before", "label", "after"),
    [
        ("à la ", "HOSPITAL", "à l'établissement"),
        ("au ", "HOSPITAL", "à l'établissement"),
        ("du ", "ORGANIZATION", "de l'organisme"),
        ("les ", "ORGANIZATION", "l'organisme"),
        ("en ", "UNIT", "au service"),
        ("au ", "UNIT", "au service"),
        ("venu d'", "UNIT", "venu du service"),
    ],
)
def test_the_word_before_goes_with_it(before: str, label: str, after: str) -> None:
    note = f"{before}«{label}:??» hier"
    record, _ = marked(note)
    text = record.documents[0].text
    assert rewrite(text, fit(text, surrogates(Words(), note))[0]) == f"{after} hier"


@pytest.mark.parametrize("name", ["dp", "dp-strict", "aphp"])
def test_policies_of_surrogates_end_in_words(name: str) -> None:
    assert load_policy(name).default == Words()


def test_the_engine_asks_it_for_what_nothing_could_read() -> None:
    out = Deidentifier("aphp", key=KEY)("Né le 31/02/1950, vu le 12/03/2021 par le Dr Durand.")
    assert "[" not in out.text


def test_contract() -> None:
    assert pickle.loads(pickle.dumps(Words())) == Words()
    with pytest.raises(TypeError):
        Words(nonsense=1)  # type: ignore[call-arg]


def test_the_word_before_a_date_tells_no_vowel() -> None:
    """What stood there is not what stands there now."""
    shown = set()
    for note in ("au mois d'«DATE:avrix 2024»", "au mois de «DATE:marx 2024»"):
        text = marked(note)[0].documents[0].text
        shown.add(rewrite(text, fit(text, surrogates(Words(), note))[0]))
    assert len(shown) == 1
