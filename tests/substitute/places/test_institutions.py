"""What kept words say of a town, and that its surrogate is such a town."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from dpdeid import gazetteers
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.places.release import PlanarNearest
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.places.institutions import kind_of, kinds_of_towns, of_town
from dpdeid.substitute.places.strategy import Keyed, Places
from tests.substitute.making import marked, surrogates

ONE = Places(mechanism=PlanarNearest(epsilon_per_km=Fraction(1, 10), cap=1))
FIVE = Places(mechanism=PlanarNearest(epsilon_per_km=Fraction(1, 10), cap=5))
MODES = pytest.mark.parametrize("places", [ONE, FIVE, Places(mechanism=Keyed())])


def kinds(*notes: str) -> dict[str, str]:
    """The kind that marked notes ask of each town, by its text."""
    record, mentions = marked(*notes)
    towns = {m: m.text for m in mentions if m.label in (Label.CITY, Label.ZIP)}
    return kinds_of_towns(towns, mentions, record.documents)


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        ("suivi au CHU de «CITY:Vitré»", "university"),
        ("suivi au C.H.R.U. de «CITY:Vitré»", "university"),
        ("centre hospitalier universitaire de «CITY:Vitré»", "university"),
        ("faculté de médecine de «CITY:Vitré»", "university"),
        ("préfecture de «CITY:Vitré»", "prefecture"),
        ("tribunal judiciaire de «CITY:Vitré»", "prefecture"),
        ("SAMU de «CITY:Vitré»", "prefecture"),
        ("sous-préfecture de «CITY:Vitré»", "subprefecture"),
        ("Centre Hospitalier Intercommunal de «CITY:Vitré»", "hospital"),
        ("aux urgences d'«CITY:Arles»", "hospital"),
        ("hôpital privé de «CITY:Vitré»", "clinic"),
        ("«HOSPITAL:clinique des Ormes» à «CITY:Vitré»", "clinic"),
        ("«HOSPITAL:CHU Bretonneau», «CITY:Vitré»", "university"),
        ("«HOSPITAL:CHU de Vitré». Habite «CITY:VITRE»", "university"),
        ("«HOSPITAL:CH du Mans». Habite «CITY:Le Mans»", "hospital"),
        ("«HOSPITAL:CHU Lille-Nord». Habite «CITY:Lille»", "university"),
        ("«ORGANIZATION:préfecture d'Arles». Habite «CITY:Arles»", "prefecture"),
        ("habite «CITY:Vitré»", None),
        ("«HOSPITAL:CHU de Rennes». Habite «CITY:Vitré»", None),
        ("vu au CHU puis rentré à «CITY:Vitré»", None),
        ("Réside à «CITY:Rosnay-l'Hôpital» («CITY:10»)", None),
        ("«HOSPITAL:EHPAD Les Lilas», «CITY:Vitré»", None),
    ],
)
def test_kept_words_ask_for_a_kind(note: str, kind: str | None) -> None:
    assert set(kinds(note).values()) == ({kind} if kind else set())


def test_the_most_demanding_kind_wins_in_any_order() -> None:
    said = [f"{word} «CITY:Vitré»" for word in ("clinique de", "CHU de", "habite", "hôpital de")]
    for order in permutations(said):
        assert kinds(*order) == {"Vitré": "university"}
        assert kinds(", ".join(order)) == {"Vitré": "university"}


def test_each_word_of_the_table_asks_for_its_kind() -> None:
    assert kind_of("suivi au CHU") == "university"
    assert kind_of("suivi au cabinet") is None
    assert kind_of("") is None


@pytest.mark.parametrize("name", ["Mans", "le Mans", "Le Mans"])
def test_a_town_is_found_by_its_name_with_or_without_its_article(name: str) -> None:
    assert of_town(f"CHU {name}", {"le mans", "lens"}) or name == "Mans"
    assert of_town("CHU du Mans", {"mans"}) == (("CHU", " du ", "Mans"), "mans")
    assert of_town("Hôpital Laënnec du Mans", {"mans"}) is None


@MODES
def test_the_surrogate_is_a_town_of_that_kind(places: Places) -> None:
    codes = [place.code for place in gazetteers.place_lists()["FR"]]
    for word, kind in (("CHU", "university"), ("clinique", "clinic"), ("préfecture", "prefecture")):
        allowed = {codes[at] for at in gazetteers.places_of_kind("FR", kind)}
        for unit in map(str, range(8)):
            note = f"Habite «CITY:Vitré», {word} de «CITY:Fougères», {word} de «CITY:Trifouillis»"
            _, *asked = surrogates(places, note, unit=unit)
            assert {s.value.code for s in asked if isinstance(s.value, Place)} <= allowed


@pytest.mark.parametrize("places", [ONE, FIVE])
def test_two_towns_of_one_kind_may_differ(places: Places) -> None:
    note = "CHU de «CITY:Rennes», CHU de «CITY:Nantes»"
    drawn = [{s.text for s in surrogates(places, note, unit=str(unit))} for unit in range(40)]
    assert sum(len(towns) == 2 for towns in drawn) > 10


def test_where_too_few_have_it_any_town_will_do() -> None:
    drawn = {surrogates(ONE, "CHU de «CITY:Cayenne»", unit=str(n))[0].text for n in range(60)}
    assert len(drawn) > 3


def test_a_hospital_of_no_town_of_the_record_is_in_the_nearest_that_has_one() -> None:
    """The village of the patient gets no university hospital, and none of its kind moves it."""
    listed = gazetteers.place_lists()["FR"]
    cities = {listed[at].name for at in gazetteers.places_of_kind("FR", "university")}
    for unit in map(str, range(20)):
        note = "Habite «CITY:Vitré». Suivi au «HOSPITAL:CHU de Rennes», au «HOSPITAL:CHU»."
        home, *suivi = (s.text for s in surrogates([ONE, Addresses()], note, unit=unit))
        assert home == surrogates(ONE, "Habite «CITY:Vitré».", unit=unit)[0].text
        assert suivi[0] == suivi[1]
        assert suivi[0].removeprefix("CHU de ").removeprefix("CHU d'") in cities


@pytest.mark.parametrize(
    "name",
    ["Saint-Étienne", "Le Mans", "Les Ulis", "La Rochelle", "L'Haÿ-les-Roses", "Trifouillis"],
)
def test_a_hospital_follows_its_town_whatever_its_article(name: str) -> None:
    """Whether it follows would else tell how the name of the town begins."""
    link = {"Le ": "du ", "Les": "des "}.get(name[:3], "de ")
    own = name.split(" ", 1)[1] if link != "de " else name
    note = f"Habite «CITY:{name}», suivi au «HOSPITAL:CH {link}{own}»"
    for unit in map(str, range(6)):
        town, hospital = surrogates([ONE, Addresses()], note, unit=unit)
        assert hospital.text.endswith(town.text.removeprefix("Le ").removeprefix("Les "))


def test_the_name_of_a_town_is_no_head() -> None:
    note = "Habite «CITY:Saulgé-l'Hôpital», «ORGANIZATION:mairie de Saulgé-l'Hôpital»"
    for unit in map(str, range(6)):
        town, office = surrogates([ONE, Addresses()], note, unit=unit)
        assert office.text.endswith(town.text.removeprefix("Le ").removeprefix("Les "))
        assert "Saulgé" not in office.text or "Saulgé" in town.text


@pytest.mark.parametrize("name", ["dp", "dp-strict"])
def test_a_town_with_a_university_hospital_seldom_stays(name: str) -> None:
    """The nearest of 29 to a town 20 or 38 km off is the true one, so a further one pulls it."""
    (places,) = [s for s in load_policy(name).strategies if isinstance(s, Places)]
    listed = gazetteers.place_lists()["FR"]
    cities = [listed[at].name for at in sorted(gazetteers.places_of_kind("FR", "university"))]
    released = [
        (city, surrogates(places, f"CHU de «CITY:{city}»", unit=str(unit))[0].text)
        for city in cities
        for unit in range(20)
    ]
    assert sum(old == new for old, new in released) / len(released) < 0.4
