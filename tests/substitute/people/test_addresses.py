from __future__ import annotations

import pytest

from dpdeid.normalize import fold
from dpdeid.substitute.codes.contacts import Contacts
from dpdeid.substitute.codes.identifiers import Identifiers
from dpdeid.substitute.people.strategy import People
from dpdeid.substitute.places.strategy import Places
from tests.substitute.making import surrogates

NOTE = "Dr «FIRST_NAME:Jean-Luc» «LAST_NAME:Morvan» et Dr «FIRST_NAME:Emmanuel» «LAST_NAME:Le Goff»"


def named(label: str, text: str, unit: str = "u1") -> tuple[list[str], str]:
    """The surrogate names of `NOTE` in small letters, and that of an address or code behind it."""
    *names, last = surrogates(
        [People(), Contacts(), Identifiers()], f"{NOTE} : «{label}:{text}»", unit=unit
    )
    return [name.text.lower() for name in names], last.text


@pytest.mark.parametrize(
    ("local", "form"),
    [
        ("jean-luc.morvan", "{0}.{1}"),
        ("jl.morvan", "{0[0]}{b}.{1}"),
        ("j.morvan", "{0[0]}.{1}"),
        ("jlmorvan", "{0[0]}{b}{1}"),
        ("morvanj", "{1}{0[0]}"),
        ("manu.legoff", "{2}.{3}"),
        ("emmanuel_legoff", "{2}_{3}"),
        ("elegoff", "{2[0]}{3}"),
    ],
)
def test_an_address_names_whom_it_named(local: str, form: str) -> None:
    for unit in "abcd":
        names, drawn = named("EMAIL", f"{local}@chu.fr", unit)
        names = [fold(name).replace(" ", "") for name in names]
        second = names[0].partition("-")[2]
        assert drawn.partition("@")[0] == form.format(*names, b=second[0])


@pytest.mark.parametrize("login", ["jlmorvan", "JMORVAN", "jmorvan2", "adm_jmorvan"])
def test_a_login_names_whom_it_named(login: str) -> None:
    names, drawn = named("OTHER_ID", login)
    assert names[1] in drawn.lower()
    assert drawn.isupper() == login.isupper()
    assert "morvan" not in drawn.lower()


@pytest.mark.parametrize("code", ["KTR-4417", "MORVAN", "204417", "xk"])
def test_a_code_that_names_nobody_is_a_code(code: str) -> None:
    names, drawn = named("OTHER_ID", code)
    assert (names[1] in drawn.lower()) == (code == "MORVAN")
    assert len(drawn) == len(code) or code == "MORVAN"


def test_a_surname_that_is_a_login_keeps_its_initial() -> None:
    first, last, login = surrogates(
        People(), "Dr «FIRST_NAME:Armelle» «LAST_NAME:Morvan» «LAST_NAME:amorvan»"
    )
    assert login.text == (first.text[0] + last.text).lower()


@pytest.mark.parametrize(
    ("local", "form"),
    [
        ("neuro.secretariat", "neuro.secretariat"),
        ("ASTREINTE.ORTHO", "ASTREINTE.ORTHO"),
        ("cabinet.morvan", "cabinet.{1}"),
        ("dr.morvan.pneumo", "dr.{1}.pneumo"),
        ("cab.idel.trevoux", "cab.idel"),
        ("neuroreha", "neuroreha"),
        ("secretariat-zorglub", "secretariat"),
    ],
)
def test_an_address_of_a_desk_stays_one(local: str, form: str) -> None:
    """Public words stay, a person of the record follows, what is unknown or a town goes."""
    names, drawn = named("EMAIL", f"{local}@chu.fr")
    assert drawn.partition("@")[0] == form.format(*names)


@pytest.mark.parametrize(
    "local", ["secretariat.dr-dupont", "cabinet.dupont", "dr.bonnet.pneumo", "dupont.xyzk"]
)
def test_a_name_beside_a_desk_is_drawn(local: str) -> None:
    _, drawn = named("EMAIL", f"{local}@chu.fr")
    assert "dupont" not in drawn
    assert "bonnet" not in drawn
    assert drawn.count(".", 0, drawn.index("@")) == local.count(".")


def test_a_town_in_an_address_is_the_one_released_for_it() -> None:
    town, mail = surrogates(
        [Places(), Contacts()], "à «CITY:Vannes», «EMAIL:accueil.vannes@chu.fr»"
    )
    letters = "".join(filter(str.isalpha, fold(town.text)))
    assert mail.text.partition("@")[0] == f"accueil.{letters}"
    assert "vannes" not in mail.text
