"""A surrogate fills the field of its mention: blanks tell no length."""

from __future__ import annotations

import pytest

from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.substitute.widths import in_widths
from tests.substitute.making import marked

SURROGATES = ("Roy", "Villeneuve-d'Ascq", "12/11/2015")


def _written(note: str, new: str, strategy: str = "people") -> str:
    from dpdeid.document import Surrogate, rewrite

    record, mentions = marked(note)
    text = record.documents[0].text
    given = [Surrogate(mention, new, strategy) for mention in mentions]
    return rewrite(text, in_widths(text, given))


@pytest.mark.parametrize("new", SURROGATES)
def test_fields_of_a_form_keep_their_width(new: str) -> None:
    out = [
        _written(f"Nom : «LAST_NAME:{name}»{' ' * (14 - len(name))}Ville", new)
        for name in ("Ba", "DURAND", "Villemin")
    ]
    assert len({*out}) == 1
    assert out[0].index("Ville", 20) == 20
    assert out[0][19] == " "


def test_a_field_at_the_end_of_a_line_keeps_its_width() -> None:
    assert _written("Nom : «LAST_NAME:Ba»      \nVu", "Durand") == "Nom : Durand  \nVu"


@pytest.mark.parametrize("text", ["M. «LAST_NAME:Ba»  va bien.", "M. «LAST_NAME:Ba» va bien."])
def test_a_slip_between_two_words_is_no_field(text: str) -> None:
    assert _written(text, "Villeneuve") == text.replace("«LAST_NAME:Ba»", "Villeneuve")


def test_two_blanks_in_a_line_of_fields_are_one() -> None:
    out = _written("N° 12     Nom : «LAST_NAME:DURAND»  Ville", "Villeneuve")
    assert out == "N° 12     Nom : Villene Ville"


def test_what_is_redacted_is_not_cut() -> None:
    assert _written("«LAST_NAME:Ba»    x", "[LAST_NAME]", "redact") == "[LAST_NAME] x"


@pytest.mark.parametrize(("text", "out"), [("le  «DATE:3/04/2021»", "le 12/11/2015"),
                                           ("le «DATE:13/04/2021»", "le 12/11/2015"),
                                           ("age :  «AGE:3 ans»", "age : 12/11/2015")])  # fmt: skip
def test_a_blank_that_pads_a_day_goes_with_it(text: str, out: str) -> None:
    assert _written(text, "12/11/2015", "dates") == out


@pytest.mark.parametrize("policy", ["dp", "aphp", "dp-strict"])
def test_released_fields_tell_no_length(policy: str) -> None:
    engine = Deidentifier(policy, key=bytes(32))
    ends = set()
    for name in ("BA", "DURAND", "DE LA ROCHEFOUCAULD"):
        text = f"Nom : {name:26}Sexe : F\nVue pour une toux."
        known = {Label.LAST_NAME: (name,)}
        ends.add(engine(Document("a", text, known=known)).text.index("Sexe"))
    assert ends == {32}
