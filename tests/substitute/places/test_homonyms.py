"""A name that stands in several lists is of the one that the words around it tell."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.gazetteers import place_list_name, place_lists
from dpdeid.privacy.memory import Memory
from dpdeid.privacy.places.release import PlanarNearest
from dpdeid.substitute.places.localities import read_localities
from dpdeid.substitute.places.strategy import Places
from dpdeid.testing import other_key
from tests.conftest import KEY
from tests.substitute.making import context, marked, surrogates


def lists(*notes: str) -> list[str]:
    record, mentions = marked(*notes)
    read = read_localities(mentions, record.documents)
    return [place_list_name(one.place) for one in read if one.place is not None]


@pytest.mark.parametrize("town", ["Saint-Denis", "Saint-Pierre", "Saint-Paul", "Le Port"])
@pytest.mark.parametrize(
    "note",
    [
        "vivant à «CITY:{}» (La Réunion)",
        "vivant à «CITY:{}» («CITY:La Réunion»)",
        "vivant à «CITY:{}» (974)",
        "né à «CITY:{}», 97400 par sa mère",
        "né à «CITY:{}» de la Réunion",
        "né à «CITY:{}», à La Réunion",
        "né à «CITY:{}» - REUNION",
        "né à l'île de La Réunion, à «CITY:{}»",
        "La Réunion («CITY:{}»)",
        "«CITY:{}». Tél 0262 41 22 33",
        "«CITY:{}». Tél 02 62 41 22 33",
        "«CITY:{}». Tél «PHONE:0692 41 22 33»",
        "+262 692 41 22 33, «CITY:{}»",
        "Habite «CITY:Le Tampon», née à «CITY:{}».",
        "Habite «ZIP:97430», née à «CITY:{}».",
        "née à «CITY:{}», suivie à «CITY:Cilaos»",
    ],
)
def test_the_words_around_a_town_put_it_on_its_island(note: str, town: str) -> None:
    assert {*lists(note.format(town))} == {"974"}


@pytest.mark.parametrize(
    ("note", "listed"),
    [
        ("«CITY:Beaumont» (Belgique)", "BE"),
        ("«CITY:Beaumont» (B)", "BE"),
        ("en Belgique, à «CITY:Beaumont»", "BE"),
        ("«CITY:Beaumont», tél +32 71 58 81 92", "BE"),
        ("«CITY:Namur», puis «CITY:Beaumont»", "BE"),
        ("«CITY:Saint-Maurice» (Suisse)", "CH"),
        ("«CITY:Saint-Maurice» en Valais", "CH"),
        ("«CITY:Saint-Maurice» (VS)", "CH"),
        ("«CITY:Lausanne», puis «CITY:Saint-Maurice»", "CH"),
        ("«CITY:Sainte-Marie» (Martinique)", "972"),
        ("«CITY:Sainte-Marie», tél 0596 70 01 02", "972"),
        ("«CITY:Saint-Denis» (93)", "FR"),
        ("«CITY:Saint-Denis» dans le 93", "FR"),
        ("«CITY:Saint-Denis», tél 01 48 09 44 44", "FR"),
        ("«CITY:Mons», en France", "FR"),
        ("«CITY:LILLE», puis «CITY:LENS», et «CITY:MONS» BELGIQUE HIER", "BE"),
    ],
)
def test_the_words_around_a_town_tell_its_country(note: str, listed: str) -> None:
    assert lists(note)[-1] == listed


def test_without_a_word_it_is_the_mainland_if_a_large_town_has_the_name_else_the_largest() -> None:
    towns = "Saint-Denis", "Beaumont", "Saint-Pierre", "Berne", "Mons"
    assert [lists(f"né à «CITY:{town}»") for town in towns] == [
        ["FR"],
        ["FR"],
        ["974"],
        ["CH-DE"],
        ["BE"],
    ]


def test_of_places_told_as_often_the_first_decides_and_not_the_name() -> None:
    for town in ("Saint-Denis", "Saint-Pierre"):
        assert lists(f"«CITY:Cilaos», «CITY:Dijon», «CITY:{town}»")[-1] == "974"
        assert lists(f"«CITY:Dijon», «CITY:Cilaos», «CITY:{town}»")[-1] == "FR"


def test_one_name_is_one_town_wherever_its_island_is_told() -> None:
    first, second = lists("né à «CITY:Saint-Denis»", "vit à «CITY:St Denis» (Réunion)")
    assert first == second == "974"


def test_a_department_beside_a_town_is_its_own() -> None:
    record, mentions = marked("né à «CITY:Saint-Denis» («CITY:30»)")
    town, area = read_localities(mentions, record.documents)
    assert town.place is not None
    assert (town.place.department, area.area) == ("30", "30")


def test_what_was_released_under_a_name_stays() -> None:
    memory = Memory()
    given = []
    for note in ("né à «CITY:Saint-Denis» (La Réunion)", "retour à «CITY:Saint-Denis»"):
        record, mentions = marked(note)
        ctx = context()
        ctx.memory.places.update(memory.places)
        given += Places().substitute(mentions, record, ctx)
        memory = ctx.memory
    assert given[0].text == given[1].text


def test_what_was_released_stays_where_a_merged_id_was_given_the_same_town() -> None:
    record, mentions = marked("vit à «CITY:Quimper»")
    ctx, planar = context(), Places(mechanism=PlanarNearest(epsilon_per_km=Fraction(1, 10), cap=5))
    (given,) = planar.substitute(mentions, record, ctx)
    ctx.memory.spent(ctx.memory.copy(), "0" * 32)
    (again,) = planar.substitute(mentions, record, ctx)
    assert again.text == given.text


@pytest.mark.parametrize("town", ["Saint-Denis", "Saint-Pierre"])
def test_beside_an_island_no_release_lies_on_the_mainland(town: str) -> None:
    """30 of 30 keys: before, Saint-Denis was drawn on the mainland, Saint-Pierre on the island."""
    dp = next(one for one in Deidentifier("dp").policy.strategies if one.name == "places")
    for note in ("vivant à «CITY:{}» (La Réunion)", "Habite «CITY:Le Tampon», née à «CITY:{}»."):
        drawn = [
            surrogates(dp, note.format(town), key=bytes([number, 7]) * 16)[-1].value
            for number in range(30)
        ]
        assert {place_list_name(place) for place in drawn} == {"974"}  # type: ignore[arg-type]


def test_through_the_engine_it_is_drawn_on_its_island() -> None:
    """Whatever the detectors make of the brackets."""
    note = Document("n", "Patiente de 54 ans vivant à Saint-Denis (La Réunion), vue ce jour.")
    island = {f"{lead}{p.name}" for p in place_lists()["974"] for lead in ("", "à ")}
    island |= {name.replace("Le ", "au ").replace("Les ", "aux ") for name in island}
    for number in range(10):
        done = Deidentifier("dp", key=other_key(number))(note)
        towns = {one.text for one in done.surrogates if "Saint-Denis" in one.mention.text}
        assert towns
        assert towns <= island, towns


@pytest.mark.parametrize("day", ["18/06/2024", "30 juin 2024", "74"])
def test_the_day_behind_a_town_is_no_department(day: str) -> None:
    """Or the list of a town would follow a date, which is secret."""
    told = Deidentifier("dp", key=KEY)(f"97410 Saint-Pierre\nSaint-Pierre, le {day}")
    code, behind = told.text.split("\n")
    assert behind.startswith(code[6:])


@pytest.mark.parametrize("date", ["01-02-24 10 30", "06-02-24 10 30"])
def test_a_date_is_no_telephone_number(date: str) -> None:
    """Or the list of a town would follow it: a number that begins with 01 is of the mainland."""
    note = f"«DATE:{date}», «CITY:Saint-Pierre», «CITY:Cilaos», «CITY:Dijon»"
    assert place_list_name(surrogates(Places(), note)[0].value) == "974"  # type: ignore[arg-type]


@pytest.mark.parametrize("town", ["Paris", "Lyon"])
def test_the_name_of_a_town_tells_no_more_than_its_list(town: str) -> None:
    """Paris is a department as well, and was told where Lyon was a vote among others."""
    note = f"«CITY:Saint-Denis» («CITY:{town}»), «CITY:Cilaos», «CITY:Le Tampon»"
    assert place_list_name(surrogates(Places(), note)[0].value) == "974"  # type: ignore[arg-type]
