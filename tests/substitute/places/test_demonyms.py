"""What the people of a town are called follows the town: "ce Brestois" is a Brestois no more."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpdeid.engine import Deidentifier
from dpdeid.french.demonyms import Number, by_town, inflected, known
from dpdeid.gazetteers import places_named
from dpdeid.normalize import fold
from dpdeid.substitute.places.strategy import Places
from dpdeid.testing import other_key
from tests.substitute.making import surrogates, texts

KEYED = Places()
TOWNS = st.sampled_from(sorted(by_town()))


@given(TOWNS, st.booleans(), st.booleans())
def test_people_and_their_town_move_together(town: str, feminine: bool, plural: bool) -> None:
    people = inflected(by_town()[town], Number(feminine, plural)).capitalize()
    assume(not places_named(people))  # Messines is a town
    first, second = surrogates(KEYED, f"À «CITY:{town}», les «CITY:{people}» du coin.")
    assert second.value == first.value
    assert fold(people) not in fold(second.text)


@given(TOWNS, st.booleans())
def test_people_stay_women_or_men(town: str, feminine: bool) -> None:
    word = inflected(by_town()[town], Number(feminine, False))
    article = "une" if feminine else "un"
    (text,) = texts(KEYED, f"C'est {article} «CITY:{word.capitalize()}».")
    other = known().get(fold(text))
    if other is None:
        assert re.match("native d" if feminine else "natif d", text)
    else:
        either = inflected(text, Number(True, False)) == text
        assert either or other[1].feminine == feminine


@pytest.mark.parametrize(
    ("note", "form"),
    [
        ("l'équipe «CITY:brestoise» le suit", r"(?:d['’e]|du |des |[a-zéè]+se\b|[a-zéè]+ne\b)"),
        ("PATIENTE «CITY:LILLOISE»", r"[^a-z]+"),
        ("des «CITY:Rennais»", r"(?:natifs d|[A-ZÉ][\w-]+s\b)"),
        ("la «CITY:banlieue lyonnaise»", r"banlieue .+"),
    ],
)
def test_the_form_stays(note: str, form: str) -> None:
    (text,) = texts(KEYED, note)
    assert re.match(form, text), text


NOTES = {
    "Ce Brestois de 62 ans consulte.": "restois",
    "L'équipe nantaise et le CHU rennais.": "nantais rennais",
    "Une Lyonnaise de 40 ans consulte.": "yonnais",
    "Un homme de 40 ans, issu d'une famille stéphanoise.": "stéphanois",
    "Hospitalisé en clinique bordelaise, région toulousaine.": "bordelais toulousain",
    "Il se dit malouin et vit à Saint-Malo.": "malouin",
    "PATIENT LILLOIS DE 70 ANS": "LILLOIS",
}


@pytest.mark.parametrize("policy", ["dp", "redact"])
@pytest.mark.parametrize("note", NOTES)
def test_people_are_found(note: str, policy: str) -> None:
    told = [Deidentifier(policy, key=other_key(n))(note).text for n in range(6)]
    for stem in NOTES[note].split():
        assert sum(stem in text for text in told) <= (2 if policy == "dp" else 0), told


@pytest.mark.parametrize(
    "note", ["Salade niçoise à midi.", "Un café liégeois.", "Classification de Child-Pugh."]
)
def test_what_is_only_called_after_a_town_stays(note: str) -> None:
    assert Deidentifier("redact")(note).text == note


@pytest.mark.parametrize("name", ["Mme Parisien", "Dr Lyonnais", "M. Bordelais"])
def test_a_name_is_a_name(name: str) -> None:
    (span,) = Deidentifier("redact").detect(f"Vu par {name} ce jour.").spans
    assert span.label.value == "LAST_NAME"


@pytest.mark.parametrize("seed", range(8))
def test_the_word_before_agrees(seed: int) -> None:
    text = Deidentifier("dp", key=other_key(seed))("L'Angevin vu ce jour va bien.").text
    found = re.match(r"(L['’]|Le )(\S+)", text)
    assert found
    assert (found[1] != "Le ") == (fold(found[2])[0] in "aeiou")


def test_a_town_is_none_of_the_people_of_another() -> None:
    """Messines is a town of Belgium; women of Metz are called so, too."""
    (place,) = surrogates(KEYED, "Vit près de «CITY:messines» avec son fils.")
    assert place.value.country == "BE"
    assert "de " not in place.text


@pytest.mark.parametrize(
    "town",
    [
        "LA CROIX AVRANCHIN",
        "SAINT MARTIN AUX CHARTRAINS",
        "Valence d'Agenais",
        "Mons en Laonnois",
        "Campagne lès Boulonnais",
        "HAUTEGUEULE LYONNAISE",
    ],
)
def test_a_town_that_ends_as_people_are_called_leaves_no_word(town: str) -> None:
    """Its other words would stay: "LA CROIX DE DOURDAN"."""
    kept = {word for word in re.split(r"[ '’-]", fold(town)) if len(word) > 5}
    for number in range(12):
        (text,) = texts(Places(), f"Né à «CITY:{town}».", key=bytes([number]) * 32)
        assert not kept & {*re.split(r"[ '’-]", fold(text))}, text
