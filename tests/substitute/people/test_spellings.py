from __future__ import annotations

import pytest

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.substitute.people.spellings import is_pet_name
from dpdeid.substitute.people.strategy import People
from tests.substitute.making import surrogates
from tests.substitute.people.test_linking import linked


def keys(*notes: str) -> list[str]:
    """The names of each mention, without the hospital's facts."""
    return [" ".join(name.keys) for name in linked(*notes)]


@pytest.mark.parametrize(
    ("usual", "other"),
    [
        ("Diallo", "dialo"),
        ("Wojciechowski", "Wojciechowsky"),
        ("Razafindrakoto", "RAZAFINDRAKOTTO"),
        ("Nguyen", "NGUY3N"),
        ("Zurbriggen", "ZURBRlGGEN"),
        ("Vandenberghe", "VANDENBERGE"),
        ("Bernardini", "BEMARDlNI"),
        ("Stefanovic", "Stéphanovitch"),
    ],
)
def test_what_sounds_or_looks_alike_is_one_name(usual: str, other: str) -> None:
    note = f"M. «LAST_NAME:{usual}», M. «LAST_NAME:{other}»"
    assert len(set(keys(note))) == 1
    assert keys(note) == keys(note.replace(usual, "X").replace(other, usual).replace("X", other))


def test_a_name_with_a_glued_particle_is_heard_whole() -> None:
    note = "M. «LAST_NAME:Ben Moussa», M. «LAST_NAME:benmousa»"
    assert keys(note) == ["moussa", "moussa"]


@pytest.mark.parametrize(
    ("one", "two"), [("Meyer", "Meier"), ("Schmitt", "Schmit"), ("Marin", "Martin")]
)
def test_two_names_that_the_lists_have_are_two(one: str, two: str) -> None:
    assert len(set(keys(f"M. «LAST_NAME:{one}», M. «LAST_NAME:{two}»"))) == 2


def test_a_slip_needs_the_same_name_beside_it() -> None:
    told = "«FIRST_NAME:Ines» «LAST_NAME:Wagener» ; «FIRST_NAME:Ines» «LAST_NAME:Wagenep»"
    assert set(keys(told)) == {"ines", "wagener"}
    assert len(set(keys("M. «LAST_NAME:Wagener», M. «LAST_NAME:Wagenep»"))) == 2


def test_other_names_beside_speak_for_two() -> None:
    note = "«FIRST_NAME:Ines» «LAST_NAME:Diallo» ; «FIRST_NAME:Karim» «LAST_NAME:Dialo»"
    assert keys(note) == ["ines", "diallo", "karim", "dialo"]


@pytest.mark.parametrize(
    ("name", "pet"),
    [("Emmanuel", "manu"), ("Catherine", "Cathy"), ("Mohamed", "momo"), ("Frédéric", "Fred")],
)
def test_a_pet_name_is_the_first_name_it_stands_for(name: str, pet: str) -> None:
    first, second = surrogates(People(), f"«FIRST_NAME:{name}», «FIRST_NAME:{pet}»")
    assert first.text.lower() == second.text.lower()


def test_a_pet_name_of_two_in_the_record_is_neither() -> None:
    assert keys("«FIRST_NAME:Alexandre», «FIRST_NAME:Alexandra», «FIRST_NAME:Alex»")[2] == "alex"


def test_first_names_of_two_sexes_are_two() -> None:
    note = "«FIRST_NAME:Pascal» «LAST_NAME:Rey», «FIRST_NAME:Pascale» «LAST_NAME:Rey»"
    assert set(keys(note)) == {"pascal", "pascale", "rey"}


def test_pet_names_are_no_usual_beginnings() -> None:
    assert not is_pet_name("jean", "jeanne")
    assert not is_pet_name("paul", "pauline")
    assert is_pet_name("wilhel", "wilhelmine")


def test_an_initial_is_of_who_is_called_by_the_first_name() -> None:
    called, letter, _ = surrogates(
        People(), "Cher «FIRST_NAME:Hervé», vu par le Dr «FIRST_NAME:H.» «LAST_NAME:Quentric»"
    )
    assert letter.text == f"{called.text[0]}."


def test_an_initial_of_a_caregiver_is_not_of_a_relative() -> None:
    note = "sa fille «FIRST_NAME:Rozenn», le Dr «FIRST_NAME:R.» «LAST_NAME:Quentric»"
    drawn = [surrogates(People(), note, unit=f"u{n}")[:2] for n in range(12)]
    assert any(letter.text[0] != daughter.text[0] for daughter, letter in drawn)


@pytest.mark.parametrize(("cher", "sex"), [("Cher", Sex.MALE), ("Chère", Sex.FEMALE)])
def test_a_salutation_tells_the_sex(cher: str, sex: Sex) -> None:
    for unit in map(str, range(8)):
        (one,) = surrogates(People(), f"{cher} «FIRST_NAME:Dominique», merci", unit=unit)
        assert gazetteers.first_names()[fold(one.text)] is sex


ONE = (
    "M. «LAST_NAME:Rousselot», M. «LAST_NAME:Rousselet»",
    "Dr «LAST_NAME:Cazenave», Dr «LAST_NAME:Casenave», Dr «LAST_NAME:CAZENAVF»",
    "«LAST_NAME:MARCHESSEAU» 36,8 ; «LAST_NAME:Marchesseaux» ; «LAST_NAME:MARCHESSFAU»",
    "«LAST_NAME:TRAN» «FIRST_NAME:Thi Mai» ; «LAST_NAME:TRAM» «FIRST_NAME:Thi Mai» : normal",
    "«LAST_NAME:Benchekroun» ; «LAST_NAME:BEN CHEKROUN» ; «LAST_NAME:Bencheckroun»",
    "Mme «LAST_NAME:Thévenin», Mme «LAST_NAME:TH£VENIN»",
    "Dr «LAST_NAME:Larroudet» ; Dr «LAST_NAME:LARROUDFT»",
)
TWO = (
    "Dr «LAST_NAME:Martin», Dr «LAST_NAME:Marin»",
    "Dr «LAST_NAME:Dupont», Dr «LAST_NAME:Dupond»",
    "M. «FIRST_NAME:Paul» «LAST_NAME:Rousselot», Mme «FIRST_NAME:Ines» «LAST_NAME:Rousselet»",
    "M. «LAST_NAME:Hernandez», M. «LAST_NAME:Fernandez»",
    "«LAST_NAME:Rousselot» «FIRST_NAME:A.» ; Dr «LAST_NAME:Rousselet» «FIRST_NAME:B.»",
)


@pytest.mark.parametrize("note", ONE)
def test_a_scan_or_a_spelling_changes_nobody(note: str) -> None:
    assert len({name for name in keys(note) if name != "thi mai"}) == 1


@pytest.mark.parametrize("note", TWO)
def test_close_names_that_something_tells_apart_are_two(note: str) -> None:
    assert len({name for name in keys(note) if name not in ("paul", "ines", "")}) == 2
