"""A surrogate fills the field of its mention: blanks tell no length."""

from __future__ import annotations

import pytest

from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.substitute.widths import in_widths
from tests.conftest import KEY
from tests.substitute.making import marked

SURROGATES = ("Roy", "Villeneuve-d'Ascq", "12/11/2015")


def _written(note: str, new: str, strategy: str = "people") -> str:
    from dpdeid.document import Surrogate, rewrite

    record, mentions = marked(note)
    text = record.documents[0].text
    given = [Surrogate(mention, new, strategy) for mention in mentions]
    return rewrite(text, in_widths(text, given))


@pytest.mark.parametrize("new", SURROGATES)
def test_fields_of_fixed_width_tell_no_length(new: str) -> None:
    out = [
        _written(f"Nom : «LAST_NAME:{name}»{' ' * (14 - len(name))}Ville", new)
        for name in ("Ba", "DURAND", "Villemin")
    ]
    assert out == [f"Nom : {new}    Ville"] * 3


@pytest.mark.parametrize("new", SURROGATES)
def test_columns_that_so_many_blanks_part_tell_no_length(new: str) -> None:
    out = [_written(f"Nom : «LAST_NAME:{name}»   Ville", new) for name in ("Ba", "DURAND")]
    assert out == [f"Nom : {new}    Ville"] * 2


def test_blanks_at_the_end_of_a_line_tell_none() -> None:
    assert _written("Nom : «LAST_NAME:Ba»      \nVu", "Durand") == "Nom : Durand    \nVu"


@pytest.mark.parametrize("text", ["M. «LAST_NAME:Ba»  va bien.", "M. «LAST_NAME:Ba» va bien."])
def test_a_slip_between_two_words_is_no_field(text: str) -> None:
    assert _written(text, "Villeneuve") == text.replace("«LAST_NAME:Ba»", "Villeneuve")


def test_two_blanks_in_a_line_of_fields_are_one() -> None:
    out = _written("N° 12     Nom : «LAST_NAME:DURAND»  Ville", "Villeneuve")
    assert out == "N° 12     Nom : Villeneuve    Ville"


@pytest.mark.parametrize(("text", "out"), [("le  «DATE:3/04/2021»", "le 12/11/2015"),
                                           ("le «DATE:13/04/2021»", "le 12/11/2015"),
                                           ("age :  «AGE:3 ans»", "age : 12/11/2015")])  # fmt: skip
def test_a_blank_that_pads_a_day_goes_with_it(text: str, out: str) -> None:
    assert _written(text, "12/11/2015", "dates") == out


@pytest.mark.parametrize("policy", ["dp", "aphp", "dp-strict"])
def test_released_fields_tell_no_length(policy: str) -> None:
    engine = Deidentifier(policy, key=KEY)
    gaps = set()
    for name in ("BA", "DURAND", "DE LA ROCHEFOUCAULD"):
        text = f"Nom : {name:26}Sexe : F\nVue pour une toux."
        known = {Label.LAST_NAME: (name,)}
        released = engine(Document("a", text, known=known)).text
        gaps.add(len(released.partition("Sexe")[0]) - len(released.partition("Sexe")[0].rstrip()))
    assert gaps == {4}
