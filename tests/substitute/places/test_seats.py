"""The seat of an institution that a policy keeps stays; where somebody lives or goes does not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.labels import Label
from dpdeid.privacy.places.release import PlanarNearest
from dpdeid.substitute.places.institutions import seat_of
from dpdeid.substitute.places.strategy import Places
from tests.substitute.making import surrogates

HOSPITAL = frozenset({Label.HOSPITAL})
PLACES = Places(keep_seats=True)


def stays(note: str, kept: frozenset[Label] = HOSPITAL) -> list[bool]:
    """Of each town and postal code of a note whether it stays in each of six units."""
    units = [surrogates(PLACES, note, unit=str(n), kept=kept) for n in range(6)]
    return [{s.text for s in same} == {same[0].mention.text} for same in zip(*units, strict=True)]


@pytest.mark.parametrize(
    "note",
    [
        "«HOSPITAL:CHU de Toulouse» – «HOSPITAL:Hôpital Rangueil»\nUnité «UNIT:médicale»\n"
        "«STREET:16 avenue des Hirondelles», «ZIP:31059» «CITY:TOULOUSE» Cedex 9",
        "«HOSPITAL:CHRU DE BREST»\n«STREET:212 rue des Goélands» – «ZIP:29609» «CITY:BREST» CEDEX",
        "«HOSPITAL:CHU Gabriel-Montpied», «CITY:Clermont-Ferrand»",
        "«HOSPITAL:CH de Haute-Corrèze» («CITY:Ussel»)",
        "«HOSPITAL:CHU Purpan» à «CITY:Toulouse»",
        "«HOSPITAL:CHU Félix-Guyon», «CITY:Saint-Denis», «CITY:La Réunion»",
        "«HOSPITAL:Hôpital de Sion»\n«CITY:Sion», le «DATE:22.02.19»",
        "«HOSPITAL:CHU Purpan», «CITY:Toulouse»\n\nM. X\n\n«CITY:Toulouse», le «DATE:22.02.19»",
        "«HOSPITAL:Hôpital Nord Franche-Comté», «CITY:Trévenans»\n"
        "«STREET:100 route de Moval», «ZIP:90400» «CITY:Trévenans»",
    ],
)
def test_the_town_and_code_of_a_kept_institution_stay(note: str) -> None:
    assert all(stays(note))


@pytest.mark.parametrize(
    "note",
    [
        "«HOSPITAL:CHU de Toulouse». Habite «CITY:Toulouse»",
        "«HOSPITAL:CHU de Toulouse»\n\nMme «LAST_NAME:Roux»\n«ZIP:31000» «CITY:Toulouse»",
        "«HOSPITAL:CHU Purpan» puis retour à «CITY:Toulouse»",
        "Vu au «HOSPITAL:CHU», «CITY:Lille»",
        "«HOSPITAL:CHU de Rennes», «CITY:Vannes»",
        "Né à «CITY:Brest» («ZIP:29200»)",
    ],
)
def test_where_somebody_lives_or_goes_is_no_seat(note: str) -> None:
    assert not any(stays(note))


def test_the_town_of_an_institution_that_is_replaced_is_drawn() -> None:
    assert not any(stays("«HOSPITAL:CHU de Toulouse», «ZIP:31059» «CITY:TOULOUSE»", frozenset()))


def test_a_seat_costs_what_a_kept_value_costs_and_gives_no_town_its_name() -> None:
    """A patient's town of the same name is drawn as if no seat were told."""
    seat, home = surrogates(
        PLACES, "«HOSPITAL:CHU Purpan», «CITY:Lille»\n\nMme X, habite «CITY:Lille»", kept=HOSPITAL
    )
    (alone,) = surrogates(PLACES, "habite «CITY:Lille»", kept=HOSPITAL)
    assert [cost.mechanism for cost in seat.charges] == ["keep"]
    assert home.text == alone.text != "Lille"


def test_seats_are_kept_under_no_mechanism_with_a_guarantee() -> None:
    drawn = PlanarNearest(epsilon_per_km=Fraction(1, 20), cap=1)
    with pytest.raises(ValueError, match="keep_seats"):
        Places(mechanism=drawn, keep_seats=True)


@pytest.mark.parametrize(
    ("name", "town"),
    [
        ("CHU de Toulouse – Hôpital Rangueil", "Toulouse"),
        ("CENTRE HOSPITALIER D'AURILLAC", "Aurillac"),
        ("CHU Dijon Bourgogne", "Dijon"),
        ("CH du Mans", "Le Mans"),
        ("Centre de dialyse de Capbreton", "Capbreton"),
        ("CHU de Martinique", "Fort-de-France"),
        ("SAMU 33", "Bordeaux"),
        ("CHU Gabriel-Montpied", None),
        ("CH Saint-Jean", None),
        ("clinique des Trois Rivières", None),
        ("Hôpital Nord Franche-Comté", None),
        ("hôpital de jour", None),
    ],
)
def test_the_name_of_an_institution_may_tell_its_town(name: str, town: str | None) -> None:
    found = seat_of(name)
    assert (None if found is None else found.name) == town
