"""How people are written: which pieces, with which labels and roles."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from dpdeid.labels import Label, Role, Sex
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import rules
from dpdeid.synth.names import typo
from dpdeid.synth.people import Person, named

FORMS = sorted(name[4:] for name in rules() if name.startswith("who."))
WHO = Person("Jean-Luc", "Morandel", Sex.MALE, dt.date(1960, 1, 1), Role.STAFF)
HER = Person("Anaïs", "Viguet", Sex.FEMALE, dt.date(1990, 1, 1), Role.RELATIVE, kin="épouse")


def written(form: str, who: Person = WHO, seed: int = 0) -> list[tuple[str, Label | None]]:
    return [(p.text, p.label) for p in named(who, form, Dice.of(seed, form))]


@pytest.mark.parametrize("form", FORMS)
def test_names_are_labelled_with_the_role_of_their_bearer(form: str) -> None:
    for seed in range(20):
        for piece in named(HER, form, Dice.of(seed, form)):
            is_name = piece.label in (Label.FIRST_NAME, Label.LAST_NAME)
            assert piece.role is (Role.RELATIVE if is_name else Role.UNKNOWN)
            assert piece.label in (None, Label.FIRST_NAME, Label.LAST_NAME, Label.KINSHIP)


def test_forms() -> None:
    first, last = Label.FIRST_NAME, Label.LAST_NAME
    assert written("FULL") == [("MORANDEL", last), (" ", None), ("Jean-Luc", first)]
    assert written("initials") == [("J.-L.", first)]
    assert written("firstl") == [("Jean-Luc", first), (" ", None), ("M.", first)]
    assert written("low") == [("jean-luc", first)]
    assert written("his", HER) == [("son", None)]
    assert written("the", HER) == [("l'", None)]
    assert written("kin", HER) == [("épouse", Label.KINSHIP)]
    assert written("e", HER) == [("e", None)]


def test_a_name_tells_its_bearer_and_which_of_their_names_it_is() -> None:
    her = replace(HER, key="p", maiden="Candol")
    for form in ("full", "typo", "letters", "signed"):
        pieces = [p for p in named(her, form, Dice.of(1, form)) if p.label]
        assert {piece.who for piece in pieces} == {"p"}
    (maiden,) = named(her, "maiden", Dice.of(1, "maiden"))
    (nick,) = named(her, "nick", Dice.of(1, "nick"))
    assert maiden.who == "p/candol"
    assert nick.who == f"p/{nick.text.lower()}"


def test_both_orders_and_cases_are_met() -> None:
    found = {tuple(text for text, _ in written("full", seed=n)) for n in range(200)}
    assert ("Jean-Luc", " ", "Morandel") in found
    assert ("MORANDEL", " ", "Jean-Luc") in found


def test_a_misspelt_name_is_near_and_other() -> None:
    for seed in range(200):
        name = typo("Morandel", Dice.of(seed, "typo"))
        assert abs(len(name) - len("Morandel")) <= 1
        assert name[0] == "M"
    assert {typo("Morandel", Dice.of(seed, "typo")) for seed in range(200)} - {"Morandel"}
    assert typo("Li", Dice.of(1, "typo")) == "Lii"
