"""What an institution is of, where that is a department or a region: one of the surrogate."""

from __future__ import annotations

import re

import pytest

from dpdeid import gazetteers
from dpdeid.normalize import fold
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.places.institutions import lists_of, read
from dpdeid.substitute.places.strategy import Places
from tests.substitute.making import rewritten

STRATEGIES = (Places(), Addresses())


def written(note: str, unit: str = "u1") -> str:
    (out,) = rewritten(STRATEGIES, note, unit=unit)
    return out


@pytest.mark.parametrize(
    ("note", "form"),
    [
        ("«CITY:Haute-Vienne» / «ORGANIZATION:CPAM Haute-Vienne»", r"(.+) / CPAM \1"),
        ("«CITY:86» / «HOSPITAL:SAMU 86»", r"(\w\w) / SAMU \1"),
        ("«CITY:Creuse» / «ORGANIZATION:MDPH de la Creuse»", r"(.+) / MDPH d\W?[\w' ]*\1"),
        ("«CITY:Bretagne» / «ORGANIZATION:ARS Bretagne»", r"(.+) / ARS \1"),
    ],
)
def test_an_area_that_stands_alone_too_is_one_area_in_both(note: str, form: str) -> None:
    for at in range(6):
        assert re.fullmatch(form, written(note, f"u{at}"))


@pytest.mark.parametrize("head", ["CPAM", "DDASS", "Académie", "SDIS"])
def test_an_institution_of_an_area_is_of_that_of_the_nearest_town(head: str) -> None:
    out = written(f"«CITY:Limoges», 87. «ORGANIZATION:{head} de la Haute-Vienne»")
    town, _, area = re.split(r", 87\. | d(?:e la |u |es |e l'|e )", out)[:3]
    place = gazetteers.places_named(town)[0]
    assert gazetteers.departments()[fold(area)] == place.department


def test_a_large_town_is_meant_and_not_its_department() -> None:
    assert read("CHU de Paris", {"paris"}).of == "town"
    assert read("CH de Vienne", {"vienne"}).of == "town"
    assert read("MDPH de la Vienne", {"vienne"}).of == "department"
    assert read("CHU de Rennes", {"rennes"}).of == "town"


def test_a_canton_with_the_name_of_a_department_is_where_the_record_is() -> None:
    assert lists_of(read("Hôpital du Jura", ())) == {"FR", "CH"}
    cantons = {"Fribourg", "Valais", "Vaud", "Genève", "Neuchâtel", "Jura", "Berne"}
    for at in range(6):
        swiss = written("«CITY:Porrentruy». «HOSPITAL:Hôpital du Jura»", f"u{at}")
        french = written("«CITY:Dole», «ZIP:39100». «HOSPITAL:Hôpital du Jura»", f"u{at}")
        own = re.split(r"Hôpital d\W?(?:u |e |es |e la )?", swiss)[-1]
        assert own in cantons or gazetteers.places_named(own)[0].country == "CH"
        assert not any(french.endswith(canton) for canton in cantons - {"Jura"})


@pytest.mark.parametrize("text", ["la Creuse", "Creuse", "de la Creuse", "l'Allier", "du Var"])
def test_an_area_alone_is_one_with_its_own_article(text: str) -> None:
    out = written(f"«CITY:Limoges» «ORGANIZATION:{text}»", "u3")
    own = out.split(" ", 1)[1]
    assert (own.split()[0] in ("la", "le", "les") or own.startswith("l'")) == (
        text.split()[0] == "la" or text.startswith("l'")
    )
    assert "  " not in out
    assert " de de " not in out


def test_behind_a_mark_a_name_stands_alone() -> None:
    names = {written("Mutuelle : «ORGANIZATION:Solidaris»", f"u{at}") for at in range(30)}
    behind = {written("Mutuelle «ORGANIZATION:Solidaris»", f"u{at}") for at in range(30)}
    assert not any(re.search(r": d(?:u|es|e la|e l')\b", one) for one in names)
    assert any(re.search(r"Mutuelle d(?:u|es|e la|e l')\b", one) for one in behind)
