from __future__ import annotations

import pickle
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.french.areas import Use
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm, NoGuarantee
from dpdeid.privacy.places.release import Placed, PlanarNearest, Spot
from dpdeid.substitute.places.rendering import introduced
from dpdeid.substitute.places.strategy import Keyed, Places
from tests.substitute.making import surrogates, texts

PLANAR = Places(mechanism=PlanarNearest(epsilon_per_km=Fraction(1, 10), cap=5))
KEYED = Places(mechanism=Keyed())
BOTH = pytest.mark.parametrize("strategy", [PLANAR, KEYED], ids=["planar", "keyed"])


def place(surrogate: object) -> Place:
    value = surrogate.value  # type: ignore[attr-defined]
    assert isinstance(value, Place)
    return value


@BOTH
def test_a_town_is_one_in_any_spelling(strategy: Places) -> None:
    given = surrogates(
        strategy,
        "«CITY:Saint-Étienne», «CITY:ST ETIENNE»",
        "«CITY:saint-etienne», «CITY:St-Étienne»",
    )
    assert len({place(s) for s in given}) == 1
    assert given[1].text.isupper()
    assert given[2].text.islower()


@BOTH
def test_town_and_postal_code_of_an_address_come_from_one_draw(strategy: Places) -> None:
    code, town = surrogates(strategy, "12 rue X, «ZIP:29200» «CITY:Brest»")
    assert place(code) == place(town)
    assert code.text in place(town).zips
    assert code.charges == town.charges


@BOTH
def test_the_postal_code_tells_between_towns_of_one_name(strategy: Places) -> None:
    _, overseas, again = surrogates(strategy, "«ZIP:97400» «CITY:Saint-Denis», «CITY:Saint-Denis»")
    assert len(place(overseas).department) == 3
    assert place(again) == place(overseas)
    assert len(place(surrogates(strategy, "«CITY:Saint-Denis»")[0]).department) == 2


@BOTH
def test_a_postal_code_that_belongs_elsewhere_is_its_own_draw(strategy: Places) -> None:
    code, town = surrogates(strategy, "«ZIP:13001» «CITY:Brest»")
    assert place(code) != place(town)
    assert not set(code.charges) & set(town.charges)


@BOTH
def test_a_lone_postal_code_is_replaced(strategy: Places) -> None:
    drawn = {texts(strategy, "«ZIP:29200»", unit=str(n))[0] for n in range(20)}
    assert len(drawn) > 3
    assert all(len(code) == 5 and code.isdigit() for code in drawn)


@pytest.mark.parametrize(
    ("old", "form"),
    [
        ("29 200", r"\d\d \d{3}"),
        ("29\u00a0200", "\\d\\d\u00a0\\d{3}"),
        ("F-29200", r"F-\d{5}"),
        ("292OO", r"\d{5}"),
        ("29200 ", r"\d{5} "),
        ("(29)", r"\(\d\w\)"),
        ("H2X 1Y4", r"[GHJ]\d[A-Z] \d[A-Z]\d"),
    ],
)
def test_a_postal_code_keeps_its_form(old: str, form: str) -> None:

    (new,) = texts(KEYED, f"«ZIP:{old}»")
    assert re.fullmatch(form, new)


@BOTH
def test_a_department_follows_the_town_of_the_record_in_it(strategy: Places) -> None:
    town, department, code = surrogates(strategy, "«CITY:Brest» («CITY:Finistère», «CITY:29»)")
    shown = gazetteers.area_names()["department", place(town).department]
    assert (department.text, code.text) == (shown, place(town).department)


@BOTH
def test_hyphens_are_those_of_the_surrogate(strategy: Places) -> None:
    """A space where the original has one would tell that it is no town of one word."""
    for number in range(40):
        key = bytes([number]) * 32
        for one in surrogates(strategy, "«CITY:SAINT ETIENNE», «CITY:FIRMINY»", key=key):
            assert one.text == place(one).name.upper()


@BOTH
def test_a_department_follows_the_town_right_before_it(strategy: Places) -> None:
    note = "«CITY:Dijon», puis «CITY:Beaune» («CITY:21»), puis «CITY:Dijon», «CITY:Côte-d'Or»"
    for number in range(8):
        given = surrogates(strategy, note, key=bytes([number]) * 32)
        dijon, beaune, code, _, name = given
        assert code.text == place(beaune).department
        assert place(name) == place(dijon)


def test_codes_of_regions_and_departments_are_not_mixed() -> None:
    """75 is Paris, and the region of Bordeaux."""
    for number in range(8):
        town, code = surrogates(KEYED, "«CITY:Bordeaux», «CITY:75»", key=bytes([number]) * 32)
        assert place(code) != place(town)


@pytest.mark.parametrize("name", ["Var", "Ain", "Lot", "Cher"])
def test_a_department_of_few_letters_is_no_code(name: str) -> None:
    (department,) = surrogates(KEYED, f"«CITY:{name}»")
    assert department.text in gazetteers.area_names().values()


@pytest.mark.parametrize(
    ("area", "shape"),
    [
        ("l'Ain", "{the}{name}"),
        ("LA CREUSE", "{THE}{NAME}"),
        ("région parisienne", "{name}"),
        ("le département de l'Aube", "{the}{name}"),
        ("Grand Est", "{name}"),
        ("haute-garonne", "{lower}"),
    ],
)
def test_an_area_is_written_as_its_mention_is(area: str, shape: str) -> None:
    for number in range(8):
        (given,) = surrogates(KEYED, f"«CITY:{area}»", key=bytes([number]) * 32)
        its = place(given)
        kind = "region" if "parisienne" in area or "Grand" in area else "department"
        name = gazetteers.area_names()[kind, its.department if kind != "region" else its.region]
        the = introduced(name, Use.THE) or ""
        parts = {"the": the, "THE": the.upper(), "name": name, "NAME": name.upper()}
        assert given.text == shape.format(lower=name.lower(), **parts)


def test_a_canton_that_no_list_of_areas_has_is_named_all_the_same() -> None:
    @dataclass(frozen=True)
    class InJura(Keyed):
        def release(self, spots: Sequence[Spot], **_: object) -> tuple[Placed, ...]:
            cantons = [p.department for p in gazetteers.place_lists()["CH"]]
            return tuple(Placed(cantons.index("JU"), ()) for _ in spots)

    (canton,) = surrogates(Places(mechanism=InJura()), "«CITY:Valais»")
    assert canton.text == "Jura"


@pytest.mark.parametrize("written", ["Renens VD", "Renens (VD)", "RENENS/VD"])
def test_a_town_is_the_same_with_its_canton(written: str) -> None:
    first, second = surrogates(KEYED, f"«CITY:Renens» puis «CITY:{written}»")
    assert place(first) == place(second)


def test_a_town_that_is_listed_with_its_canton_lies_there() -> None:
    """A Lully lies in France, too."""
    (given,) = surrogates(KEYED, "«CITY:Lully VD»")
    assert place(given).country == "CH"


def test_neighbours_stay_in_their_country() -> None:
    given = surrogates(KEYED, "«ZIP:CH-1950» «CITY:Sion», «CITY:Namur», «CITY:Esch-sur-Alzette»")
    assert [place(s).country for s in given] == ["CH", "CH", "BE", "LU"]
    assert given[0].text.startswith("CH-")
    assert len(given[0].text) == 7


def test_an_unknown_town_gets_one_of_the_record_s_list_at_no_cost() -> None:
    known, unknown = surrogates(PLANAR, "«CITY:Lausanne», «CITY:Trifouillis-les-Oies»")
    assert place(unknown).country == "CH"
    assert unknown.charges == ()
    assert known.charges != ()


def test_over_the_cap_nothing_is_spent() -> None:
    towns = ["Brest", "Lille", "Lyon", "Nice", "Pau", "Tours", "Nantes"]
    given = surrogates(PLANAR, " ".join(f"«CITY:{town}»" for town in towns))
    assert [bool(s.charges) for s in given] == [True] * 5 + [False] * 2


def test_what_a_place_costs() -> None:
    town, code, other = surrogates(PLANAR, "«CITY:Brest» «ZIP:29200», «CITY:Lille»")
    assert {type(charge.loss) for charge in town.charges} == {EpsilonPerKm, Epsilon}
    assert len({c for s in (town, code, other) for c in s.charges}) == 4
    assert {type(g.loss) for g in PLANAR.guarantees()} == {EpsilonPerKm, Epsilon}
    assert {type(g.loss) for g in KEYED.guarantees()} == {NoGuarantee}


def test_a_mechanism_with_a_guarantee_may_return_the_original() -> None:
    strong = Places(mechanism=PlanarNearest(epsilon_per_km=Fraction(20), cap=5))
    drawn = [texts(strong, "«CITY:Brest»", unit=str(n))[0] for n in range(20)]
    assert "Brest" in drawn


TOWNS = st.sampled_from([p.name for p in gazetteers.place_lists()["FR"][:500]])


@given(TOWNS, st.integers(0, 10**6))
@settings(deadline=None, max_examples=60)
def test_keyed_never_returns_the_original(town: str, unit: int) -> None:
    (drawn,) = surrogates(KEYED, f"«CITY:{town}»", unit=str(unit))
    assert fold(drawn.text) != fold(town)


@BOTH
def test_draws_depend_on_key_unit_and_place_only(strategy: Places) -> None:
    there = texts(strategy, "«CITY:Brest»")
    assert texts(strategy, "Née à «CITY:BREST» («ZIP:29200»)")[0] == there[0].upper()
    others = {texts(strategy, "«CITY:Brest»", key=bytes([n]) * 32)[0] for n in range(12)}
    others |= {texts(strategy, "«CITY:Brest»", unit=f"v{n}")[0] for n in range(12)}
    assert len(others) > 8


@BOTH
def test_case_follows_the_mention(strategy: Places) -> None:
    for unit in map(str, range(10)):
        (drawn,) = texts(strategy, "«CITY:joue les tours»", unit=unit)
        assert drawn.islower()


@given(st.text(max_size=25), st.sampled_from(["CITY", "ZIP"]))
@settings(deadline=None, max_examples=100)
def test_any_text_gives_a_place(text: str, label: str) -> None:
    (one,) = surrogates(PLANAR, f"«{label}:{text.replace('»', '') or 'x'}»")
    assert place(one)
    assert one.text


def test_contract() -> None:
    for strategy in (PLANAR, KEYED):
        assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert Places().labels == (Label.CITY, Label.ZIP)
    with pytest.raises(TypeError):
        Places(nonsense=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("town", "areas"),
    [
        ("Bastia", {"2A", "2B"}),
        ("Lausanne", {"GE", "VD", "NE", "JU", "FR", "VS", "BE"}),
        ("Liège", {"WAL", "BRU"}),
        ("Gand", {"VLG"}),
    ],
)
def test_an_island_or_a_language_is_not_left(town: str, areas: set[str]) -> None:
    for unit in map(str, range(30)):
        for mode in (KEYED, PLANAR):
            (given,) = surrogates(mode, f"«CITY:{town}»", unit=unit)
            assert place(given).department in areas
