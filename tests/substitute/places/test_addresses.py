from __future__ import annotations

import pickle
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.document import Surrogate
from dpdeid.gazetteers import Place, places_named
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.places.release import PlanarNearest
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.places.earlier import Seat
from dpdeid.substitute.places.naming import alone, names_of
from dpdeid.substitute.places.strategy import Keyed, Places
from dpdeid.substitute.places.written import linked
from dpdeid.substitute.pseudonyms import shares_run
from tests.substitute.making import context, marked, surrogates, texts


def one(label: str, text: str, **options: str) -> str:
    (drawn,) = texts(Addresses(), f"«{label}:{text}»", **options)
    return drawn


@pytest.mark.parametrize("unit", ["cardiologie", "URGENCES", "Pneumologie", "pneumologie"])
def test_a_unit_becomes_another_one_in_its_case(unit: str) -> None:
    strategy = Addresses((Label.UNIT,))
    for key in range(20):
        (drawn,) = texts(strategy, f"«UNIT:{unit}»", unit=str(key))
        assert fold(drawn) != fold(unit)
        assert drawn.isupper() == unit.isupper()


@pytest.mark.parametrize(
    ("street", "expected"),
    [
        ("12 rue Baudot", r"\d\d rue \D+"),
        ("7 BIS ALLEE DES TOURTERELLES", r"\d BIS ALLEE \D+"),
        ("5, impasse du Bief", r"\d, impasse \D+"),
        ("Rue Vaudrée 9", r"Rue \D+ \d"),
        ("118 avenue de Lodève, rés. Le Mas", r"\d{3} avenue [^,]+, rés\. .+"),
        ("Av. Léopold-Robert 84, bât. D", r"Av\. [^,]+ \d\d, bât\. [^D]"),
        ("BP 114", r"BP \d{3}"),
        ("lot. Bellevue n°7", r"lot\. \D+ n°\d"),
        ("rue Al Mouahidine n° 6", r"rue \D+ n° \d"),
        ("Les Ormeaux", r"(Les? |La |L')[A-ZÉ].+"),
        ("3 hent kerlann", r"\d rue \D+"),
        ("12 BIS KERLANN", r"\d\d BIS RUE \D+"),
        ("Bahnhofstrasse 12", r"Rue \D+ \d\d"),
        ("4, lieu-dit Kerlann", r"\d, lieu-dit \D+"),
        ("7 rue du 8 mai 1945", r"\d rue \D+"),
        ("14 RUE DU 11 NOVEMBRE", r"\d\d RUE \D+"),
        ("3 place du 1er-Mai", r"\d place \D+"),
        ("B.P. 77", r"B\.P\. \d\d"),
        ("1er étage gauche, 4 rue Haute", r"[2-9]e étage gauche, \d rue \D+"),
        ("4 rue Haute, 2e étage", r"\d rue [^,]+, (1er|[3-9]e) étage"),
        ("3ème étage, 4 rue Haute", r"(1er|[24-9]ème) étage, \d rue \D+"),
    ],
)
def test_a_street_keeps_its_kind_and_shape(street: str, expected: str) -> None:
    for unit in map(str, range(10)):
        drawn = re.sub(r"(?i)8-mai-1945|11-novembre", "mai", one("STREET", street, unit=unit))
        assert re.fullmatch(expected, drawn), drawn


def test_an_abbreviated_street_is_the_same_street() -> None:
    a, b = texts(Addresses(), "«STREET:12 avenue Baudot», «STREET:12, av. Baudot»")
    assert a.split("avenue ")[1] == b.split("av. ")[1]
    assert a[:2] == b[:2]


WORDS = st.text("abcdefghilmnoprstuvz", min_size=4, max_size=10)


@given(WORDS, WORDS, st.sampled_from(["rue", "bd", "chemin des"]))
@settings(deadline=None, max_examples=80)
def test_nothing_of_a_street_name_is_left(a: str, b: str, kind: str) -> None:
    drawn = fold(one("STREET", f"3 {kind} {a}-{b}"))
    kept = drawn.partition(kind)[2]
    assert not shares_run(kept, a)
    assert not shares_run(kept, b)


@pytest.mark.parametrize(
    ("label", "name", "head"),
    [
        ("HOSPITAL", "clinique des Ormeaux", "clinique "),
        ("HOSPITAL", "EHPAD La Prairie", "EHPAD "),
        ("HOSPITAL", "CENTRE HOSPITALIER RÉGIONAL ALPHONSE", "CENTRE HOSPITALIER RÉGIONAL "),
        ("ORGANIZATION", "lycée Bellevue", "lycée "),
        ("ORGANIZATION", "Banque Dupuy", "Banque "),
    ],
)
def test_what_it_is_stays(label: str, name: str, head: str) -> None:
    drawn = one(label, name)
    assert drawn.startswith(head)
    assert len(drawn) > len(head)
    own, other = (fold(text[len(head) :]).removeprefix("des ") for text in (name, drawn))
    assert not shares_run(other, own)
    assert drawn.isupper() == name.isupper()


def test_a_hospital_follows_the_surrogate_of_its_town() -> None:
    given = surrogates(
        [Places(mechanism=Keyed()), Addresses()],
        "«CITY:Brest», «CITY:Lyon» : «HOSPITAL:CHU de Brest», «HOSPITAL:CH de Lyon»",
    )
    brest, lyon, chu, ch = (s.text for s in given)
    for hospital, town in ((chu, brest), (ch, lyon)):
        assert hospital.endswith(town)


@pytest.mark.parametrize("other", ["EHPAD d'Avignon", "CH de Tulle", "mairie d'Aizenay"])
@pytest.mark.parametrize("unit", range(8))
def test_an_institution_of_another_town_is_near_and_not_in_the_released_one(
    other: str, unit: int
) -> None:
    note = f"vit à «CITY:Brest» : «HOSPITAL:{other}» («CITY:Ussel»), puis «HOSPITAL:{other}»"
    town, first, beside, again = texts([Places(), Addresses()], note, unit=str(unit))
    name = re.split(r" d(?:e |')", first, maxsplit=1)[1].removeprefix("la ")
    assert first == again
    assert places_named(name)
    assert name not in (town, beside)


@pytest.mark.parametrize(
    ("town", "short"), [("Aix-en-Provence", "CH d'Aix"), ("Boulogne-sur-Mer", "CH de Boulogne")]
)
def test_a_town_may_be_named_for_short(town: str, short: str) -> None:
    out, hospital = texts([Places(), Addresses()], f"«CITY:{town}», «HOSPITAL:{short}»")
    assert hospital == linked("CH", " de ", out, "de X")


@pytest.mark.parametrize("name", ["CH de Cornouaille", "centre hospitalier du Forez"])
def test_a_hospital_of_what_no_list_knows_is_not_called_after_the_town(name: str) -> None:
    for unit in map(str, range(8)):
        town, hospital = texts(
            [Places(), Addresses()], f"«CITY:Brest», «HOSPITAL:{name}»", unit=unit
        )
        assert hospital.startswith(name.rpartition(" d")[0])
        assert town not in hospital


@pytest.mark.parametrize("body", ["CPAM", "CAF", "MDPH", "CPAM de la Somme", "SAMU 80", "ARS"])
@pytest.mark.parametrize("abroad", ["Bruxelles", "Lausanne", "Zurich", "Esch-sur-Alzette"])
def test_what_only_france_has_is_in_france(body: str, abroad: str) -> None:
    for note in (
        f"père à «CITY:{abroad}», droits à la «ORGANIZATION:{body}»",
        f"vit à «CITY:Amiens», père à «CITY:{abroad}», droits à la «ORGANIZATION:{body}»",
    ):
        *_, last = surrogates([Places(), Addresses()], note)
        assert isinstance(last.value, Seat)
        assert last.value.place.country == "FR"


def test_a_hospital_of_a_french_town_is_in_france() -> None:
    for unit in map(str, range(8)):
        note = "père à «CITY:Bruxelles», suivie au «HOSPITAL:CHU Amiens-Picardie»"
        hospital = surrogates([Places(), Addresses()], note, unit=unit)[1]
        assert isinstance(hospital.value, Seat)
        assert hospital.value.place.country == "FR"


@pytest.mark.parametrize(
    ("town", "out"),
    [("Le Mans", "CH du Mans"), ("Les Ulis", "CH des Ulis"), ("Lens", "CH de Lens")],
)
def test_the_article_of_a_town_is_contracted(town: str, out: str) -> None:
    assert linked("CH", " d'", town, "d'Arles") == out


def test_a_hospital_may_keep_its_town_where_the_draw_of_the_town_did() -> None:
    places = Places(mechanism=PlanarNearest(epsilon_per_km=Fraction(20), cap=5))
    for unit in map(str, range(20)):
        town, hospital = texts(
            [places, Addresses()], "«CITY:Brest» : «HOSPITAL:CHU de Brest»", unit=unit
        )
        assert hospital in (f"CHU de {town}", f"CHU d'{town}")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("CPAM de la Vendée", "CPAM du Calvados"),
        ("MDPH 85", "MDPH 14"),
        ("SAMU 85", "SAMU 14"),
        ("SOS Médecins 85", "SOS Médecins 14"),
        ("CAF", "CAF du Calvados"),
        ("ARS Occitanie", "ARS Normandie"),
        ("ARS d'Occitanie", "ARS de Normandie"),
        ("parquet de Trifouillis", "parquet de Vire Normandie"),
    ],
)
def test_a_body_is_of_the_area_of_the_surrogate_town(body: str, expected: str) -> None:
    (vire,) = places_named("Vire Normandie")
    record, mentions = marked(f"«CITY:Dijon», «ORGANIZATION:{body}»")
    before = [Surrogate(mentions[0], "…", "test", value=vire)]
    given = replace(context(before=before), mentions=mentions)
    (drawn,) = Addresses().substitute(mentions[1:], record, given)
    assert drawn.text == expected


def test_a_kind_alone_is_that_of_a_town() -> None:
    (drawn,) = texts(Addresses(), "«HOSPITAL:Centre hospitalier»")
    assert re.match(r"Centre hospitalier d(e |u |es |')", drawn)


@pytest.mark.parametrize("label", ["STREET", "HOSPITAL", "ORGANIZATION"])
def test_draws_depend_on_key_unit_and_name(label: str) -> None:
    drawn = [one(label, "12 rue Baudot", unit=str(n)) for n in range(20)]
    assert len(set(drawn)) > 4
    assert drawn[0] == one(label, "12 rue Baudot", unit="0")


@given(st.text(max_size=30), st.sampled_from(["STREET", "HOSPITAL", "ORGANIZATION"]))
@settings(deadline=None, max_examples=150)
def test_any_text_gives_another_one_or_none(text: str, label: str) -> None:
    text = text.replace("»", "") or "x"
    for surrogate in surrogates(Addresses(), f"«{label}:{text}»"):
        assert fold(surrogate.text) != fold(text)


def test_contract() -> None:
    assert pickle.loads(pickle.dumps(Addresses())) == Addresses()
    with pytest.raises(TypeError):
        Addresses(nonsense=1)  # type: ignore[call-arg]


def test_a_hospital_in_capitals_stays_in_capitals() -> None:
    note = "NEE A «CITY:BREST», VUE AU «HOSPITAL:CHU DE BREST» PUIS AU «HOSPITAL:CH D'ANGERS»"
    for unit in map(str, range(8)):
        assert all(text.isupper() for text in texts([Places(), Addresses()], note, unit=unit))


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("Hôpital Henri-Mondor", "Mondor"),
        ("Hôpital de la Pitié-Salpêtrière", "la Pitié"),
        ("Clinique Saint-Paul", "clinique Saint-Paul"),
    ],
)
def test_one_institution_is_one_by_all_of_its_names(first: str, again: str) -> None:
    for unit in map(str, range(20)):
        whole, part = texts(Addresses(), f"«HOSPITAL:{first}», puis «HOSPITAL:{again}»", unit=unit)
        words = {word for word in re.findall(r"[^\W_]+", fold(part)) if len(word) > 3}
        assert words <= set(re.findall(r"[^\W_]+", fold(whole)))


def test_a_kind_alone_is_the_one_that_is_named() -> None:
    for unit in map(str, range(20)):
        note = "Vu au «HOSPITAL:CHU Jean-Minjoz», retour au «HOSPITAL:CHU»"
        named, alone = texts(Addresses(), note, unit=unit)
        assert alone == named


@pytest.mark.parametrize(
    ("town", "hospital"),
    [
        ("Rennes", "CHU de Rennes"),
        ("Vitré", "CH de Vitré"),
        ("Saint-Denis", "CHU de La Réunion"),
        ("Namur", "CH de Namur"),
    ],
)
def test_there_is_no_university_hospital_where_none_can_be(town: str, hospital: str) -> None:
    department = {"Saint-Denis": "974"}.get(town)
    named = (place for place in places_named(town) if department in (None, place.department))
    record, mentions = marked("«CITY:Lens» «HOSPITAL:CHU de Lens»")
    before = [Surrogate(mentions[0], "…", "test", value=next(named))]
    given = replace(context(before=before), mentions=mentions)
    (drawn,) = Addresses().substitute(mentions[1:], record, given)
    assert drawn.text == hospital


def every(sort: str) -> set[str]:
    """All names of a sort."""
    return {name for names in names_of(sort) for name in names}


def test_a_hospital_is_called_after_a_person_no_oftener_than_otherwise() -> None:
    drawn = [one("HOSPITAL", f"Clinique Zz{n}qx", unit=str(n)) for n in range(200)]
    people = re.compile(r"Clinique (?!Saint|Notre|B)[A-ZÉ]\w+-[A-ZÉ]\w+")
    assert 20 < sum(bool(people.fullmatch(name)) for name in drawn) < 80


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Scolarisé à «ORGANIZATION:Louis Pergaud»", every("school")),
        ("Mutuelle : «ORGANIZATION:Vertuo»", every("insurer")),
        ("«ORGANIZATION:labo Ozanne»", {f"labo {name}" for name in every("laboratory")}),
        ("«ORGANIZATION:PHARMACIE LE PAPE»", None),
        ("chauffeur chez «ORGANIZATION:Kervadec»", every("company")),
    ],
)
def test_a_name_is_of_the_sort_that_words_tell(note: str, expected: set[str] | None) -> None:
    for unit in map(str, range(10)):
        (drawn,) = texts(Addresses(), note, unit=unit)
        if expected is None:
            assert re.fullmatch(r"PHARMACIE [A-Z' -]+", fold(drawn).upper())
        else:
            assert drawn in expected or drawn in set(map(alone, expected))


def test_hundreds_of_companies_have_hundreds_of_names() -> None:
    drawn = [one("ORGANIZATION", f"Zz{n}qx", unit=str(n)) for n in range(100)]
    assert len(set(drawn)) > 80


@pytest.mark.parametrize(
    ("town", "text", "area"),
    [
        ("Pointe-Noire", "CHU de la Guadeloupe", "971"),
        ("Saint-Paul", "CHU DE LA RÉUNION", "974"),
        ("Le Lamentin", "CPAM de la Martinique", "972"),
        ("Saint-Paul", "MDPH 974", "974"),
        ("Sartène", "ARS de Corse", "2"),
    ],
)
@pytest.mark.parametrize("mechanism", [PlanarNearest(epsilon_per_km=Fraction(1, 20)), Keyed()])
def test_what_is_called_after_the_only_area_of_a_list_never_comes_out_as_itself(
    town: str, text: str, area: str, mechanism: PlanarNearest | Keyed
) -> None:
    note = f"Vit à «CITY:{town}», suivi au «HOSPITAL:{text}»"
    for n in range(15):
        home, house = surrogates([Places(mechanism=mechanism), Addresses()], note, unit=str(n))
        assert fold(house.text) != fold(text)
        place = home.value
        assert isinstance(place, Place)
        assert place.department.startswith(area)
        assert fold(house.text).endswith(fold(place.name).rpartition(" ")[2])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("rue de l'Alzette, rez-de-ch.", r"rue .+, rez-de-ch\."),
        ("4 rue de la Paix, RDC gauche", r"\d rue .+, RDC gauche"),
        ("rez-de-chaussée, 12 rue Haute", r"rez-de-chaussée, \d\d rue .+"),
        ("Rue Neuve l44", r"Rue .+ \d{3}"),
        ("2I9, bd Voltaire", r"\d{3}, bd .+"),
    ],
)
def test_floors_stay_and_misread_numbers_are_numbers(text: str, form: str) -> None:
    for unit in map(str, range(6)):
        out = one("STREET", text, unit=unit)
        assert re.fullmatch(form, out)
        assert not re.search(r"Alzette|Paix|Haute|Neuve|Voltaire", out)
