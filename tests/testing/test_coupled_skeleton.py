"""What two fillings must share to be two records of one skeleton, and what they need not."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable

import pytest

from dpdeid import gazetteers
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.skeleton import Shown
from dpdeid.testing.coupled.comparison import blinded, drawn_twice
from dpdeid.testing.coupled.skeleton import TOLD, Pair, is_sound, skeleton
from dpdeid.testing.coupled.template import (
    AgeSlot,
    AreaSlot,
    DateSlot,
    Fixed,
    Note,
    Phrase,
    RangeSlot,
    Template,
    TownSlot,
    Value,
)

A, B, MONTH = "12/03/2024", "12/03/2024", "mars 2024"

HELD = frozenset(
    {
        Shown.TEXT,
        Shown.SPANS,
        Shown.FORMS,
        Shown.EQUAL,
        Shown.NOTES,
        Shown.KEPT,
        Shown.ROLES,
        Shown.KINDS,
    }
)
"""What all fillings of a template share."""


def test_it_has_every_part_of_the_closed_list_once() -> None:
    assert HELD | TOLD.keys() == set(Shown)
    assert not HELD & TOLD.keys()


def of(*phrases: Phrase, dated: bool = False, **filling: Value) -> Hashable:
    template = Template((Note("note" if dated else None, phrases),))
    return skeleton(template, filling)


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def two(first: str, second: str, forms: tuple[str, str] = (A, B)) -> Hashable:
    slots = DateSlot("a", forms[0]), DateSlot("b", forms[1])
    return of(("vu ", slots[0], ", opéré ", slots[1]), a=day(first), b=day(second))


def test_the_order_of_two_days_is_held() -> None:
    assert two("2024-03-12", "2024-04-01") == two("2010-03-12", "2024-04-01")
    assert two("2024-03-12", "2024-04-01") != two("2024-04-02", "2024-04-01")


@pytest.mark.parametrize("inside", ["2024-03-01", "2024-03-14", "2024-03-16", "2024-03-31"])
def test_a_day_in_a_month_has_no_order_with_it(inside: str) -> None:
    found = two("2024-03-01", inside, (MONTH, B))
    assert found == two("2024-03-01", "2024-03-15", (MONTH, B))
    assert found != two("2024-03-01", "2024-04-01", (MONTH, B))


def test_two_variables_are_never_one_date() -> None:
    assert two("2024-03-12", "2024-03-12") is None


def test_two_variables_are_never_one_town() -> None:
    lyon, brest = (gazetteers.places_named(name)[0] for name in ("lyon", "brest"))
    said = "de ", TownSlot("one", "Saint-Étienne"), " à ", TownSlot("other", "Saint-Étienne")
    assert of(said, one=lyon, other=brest) is not None
    assert of(said, one=lyon, other=lyon) is None


def test_a_note_lies_before_e0() -> None:
    assert of(("vu",), dated=True, note=day("2026-12-31")) is not None
    assert of(("vu",), dated=True, note=day("2027-01-01")) is None


@pytest.mark.parametrize(
    ("form", "meant", "is_read"),
    [
        ("12/03", "2024-03-12", True),
        ("12/03", "2023-03-12", False),
        ("12/03/24", "2029-03-12", True),
        ("12/03/24", "2030-03-12", False),
        ("mardi", "2024-06-11", True),
        ("mardi", "2024-06-20", False),
        ("12", "2024-06-12", False),
    ],
)
def test_what_a_form_lacks_is_that_of_the_note(form: str, meant: str, is_read: bool) -> None:
    slot = ("vu ", DateSlot("a", form))
    found = of(slot, dated=True, note=day("2024-06-10"), a=day(meant))
    assert (found is not None) == is_read


@pytest.mark.parametrize(
    ("first", "last", "is_read"),
    [("2024-03-12", "2024-03-16", True), ("2024-03-12", "2024-04-01", False)],
)
def test_a_bare_day_lies_in_the_month_beside_it(first: str, last: str, is_read: bool) -> None:
    slot = RangeSlot("a", "b", ("12", "12/03/2024"), "-")
    assert (of((slot,), a=day(first), b=day(last)) is not None) == is_read


def test_where_no_year_is_told_a_day_and_month_has_no_order() -> None:
    one = two("2024-03-12", "2024-04-01", ("12/03", "12 mars"))
    assert one == two("2024-03-12", "2024-02-01", ("12/03", "12 mars"))
    assert two("2024-03-12", "2023-03-12", ("12/03", "12 mars")) is None, "one day of the year"


def test_an_age_fits_its_birth() -> None:
    birth = DateSlot("born", A, label=Label.BIRTH_DATE)
    said = ("né le ", birth, " : ", AgeSlot("born", "18 mois"))
    assert of(said, dated=True, note=day("2024-06-10"), born=day("2023-01-10")) is not None
    assert of(said, dated=True, note=day("2024-06-10"), born=day("1983-01-10")) is None
    assert of(said, born=day("2025-09-10")) is None, "on which day is not told"


def test_towns_share_their_list_and_agree_with_departments() -> None:
    lyon, brest, namur = (gazetteers.places_named(n)[0] for n in ("lyon", "brest", "namur"))

    def living(town: Value) -> Hashable:
        return of(("à ", TownSlot("town", "Saint-Étienne")), town=town)

    assert living(lyon) == living(brest)
    assert len({living(lyon), living(namur), living("Trifouillis")}) == 3

    def beside(town: Value) -> Hashable:
        said = TownSlot("town", "Saint-Étienne"), " (", AreaSlot("other"), ")"
        return of(said, town=town, other=lyon)

    assert beside(lyon) != beside(brest)


def test_an_institution_that_stays_agrees_with_a_town_or_not() -> None:
    samu, rennes = Fixed("SAMU 33", Label.ORGANIZATION), Fixed("CHU de Rennes", Label.HOSPITAL)
    towns = [gazetteers.places_named(n)[0] for n in ("lyon", "brest", "bordeaux", "rennes")]
    living = TownSlot("town", "Saint-Étienne"), " (", AreaSlot("town"), ")"
    lyon, brest, *others = [of((samu, ", ", rennes, ", à ", *living), town=town) for town in towns]
    assert lyon == brest
    assert len({lyon, *others}) == 3


@pytest.mark.parametrize(("behind", "is_one"), [(". Bien évoqué.", True), (". Va bien.", False)])
def test_two_notes_are_seen_to_be_written_in_one_form(behind: str, is_one: bool) -> None:
    """Of "Vit &#224; X" it shows, of "Vit au Y" it does not."""
    phrase = ("Vit ", TownSlot("town", "Saint-Étienne", "à"), " (Suisse)", behind)
    template = Template((Note(None, (phrase,), form="entities"),))
    one, other = (
        {"town": place}
        for name in ("marin epagnier", "le noirmont")
        for place in gazetteers.places_named(name)
    )
    assert is_sound(Pair(template, one, other)) == is_one


def test_a_place_of_which_nothing_is_known_is_one_draw_of_all_notes() -> None:
    """It is named by its list alone, so two notes that share it tell nothing of each other."""
    said = ("SAMU 33", "CPAM de la Vendée")
    notes = [Note(f"note{at}", ((Fixed(x, Label.ORGANIZATION),),)) for at, x in enumerate(said)]
    days = {"note0": day("2026-11-22"), "note1": day("2026-06-05")}
    with blinded():
        assert drawn_twice(load_policy("dp-strict"), Template(tuple(notes)), days, 0) == ()


@pytest.mark.parametrize(("at", "is_read"), [(0, False), (1, True)])
def test_a_number_of_an_earlier_note_tells_no_list(at: int, is_read: bool) -> None:
    """Of notes that come one by one places are remembered, numbers are not."""
    said: list[tuple[Phrase, ...]] = [(), (("Né ", TownSlot("town", "Saint-Étienne", "à")),)]
    said[at] = (("Tél ", Fixed("0596 70 01 02", Label.PHONE), ". "), *said[at])
    town = next(p for p in gazetteers.places_named("sainte marie") if p.department == "972")
    days = {"note0": day("2026-04-22"), "note1": day("2026-04-25")}
    notes = (Note("note0", said[0]), Note("note1", said[1]))
    assert (skeleton(Template(notes), {"town": town, **days}) is not None) == is_read
