"""What a worker tells of a note: pieces, dates, towns, codes; and policies at another ε."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import pytest

from dpdeid import gazetteers
from dpdeid.document import Document
from dpdeid.policy.policy import load_policy, names
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm, EpsilonPerStep
from dpdeid.serve import trying
from dpdeid.serve.pages.playground import outlines, prices
from dpdeid.serve.scaled import FACTORS, OWN, is_noised, measured, scaled
from dpdeid.serve.trying import pasted, shipped
from dpdeid.testing import notes

NOISED = ("dp", "dp-strict", "hnfc", "hnfc-strict")


@pytest.mark.parametrize("policy", names())
def test_what_is_kept_of_a_shipped_note_is_what_is_found_in_it(policy: str) -> None:
    """But for where a span begins: what agrees with a surrogate ("d'" for "de ") widens it."""
    for at, (doc, _) in enumerate(notes()):
        kept, anew = shipped(at, policy), pasted(doc, policy)
        for name in ("end", "label", "proposed", "rule", "strategy"):
            assert [s[name] for s in kept.spans] == [s[name] for s in anew.spans]
        assert kept.before == doc.text


@pytest.mark.parametrize("policy", names())
def test_pieces_and_surrogates_are_the_texts(policy: str) -> None:
    for at in range(len(notes())):
        told = pickle.loads(pickle.dumps(shipped(at, policy)))
        for name, text in (("original", told.before), ("surrogate", told.after)):
            parts = (
                plain + (told.spans[n][name] if n is not None else "") for plain, n in told.pieces()
            )
            assert "".join(parts) == text


def test_dates_of_a_note_and_what_they_became() -> None:
    text = "Vu le 12/03/2021 puis le 15 mars 2021 et encore le 12/03/2021. Née le 4 mai 1990."
    told = pasted(Document("one", text, note_date="2021-04-01"), "aphp")
    shown = {(str(day.true), day.given - day.true) for day in told.days}
    assert {true for true, _ in shown} == {"2021-04-01", "2021-03-12", "2021-03-15", "1990-05-04"}
    moved = {by for true, by in shown if true.startswith("2021")}
    assert len(moved) == 1  # a shift keeps every interval


def test_towns_of_a_note_and_how_far_they_went() -> None:
    text = "Mme Durand habite à Aurillac. Suivie à Dunkerque puis à Aurillac."
    told = pasted(Document("one", text), "dp")
    assert {move.true.name for move in told.moves} == {"Aurillac", "Dunkerque"}
    for move in told.moves:
        north = abs(move.true.latitude - move.given.latitude) * 111.2
        assert north <= move.km + 1
        assert (move.km < 1) == (move.true.name == move.given.name)


@pytest.mark.parametrize("policy", ["dp", "fasdim", "redact"])
def test_codes_before_and_after(policy: str) -> None:
    text = "Dr Martin. HTA, grippe. Code CIM-10 : I50.1 ce jour. Kardegic 75 mg."
    told = pasted(Document("one", text), policy)
    assert {value for _, value, _ in told.codes} == {"I10", "J10", "I501", "B01AC06"}
    for (_, _, words), (before, after) in told.codes.items():
        assert before
        assert after == (words in told.after)


def test_nothing_of_a_pasted_note_is_kept() -> None:
    before = trying._found.cache_info().currsize
    pasted(Document("one", "Mme Tanguy, vue le 3 mai 2011 à Vannes."), "dp")
    assert trying._found.cache_info().currsize == before


@pytest.mark.parametrize("policy", NOISED)
def test_more_epsilon_is_less_noise(policy: str) -> None:
    rows = [measured()[policy, by] for by in FACTORS]
    assert rows[0].km >= rows[OWN].km >= rows[-1].km
    assert rows[0].days >= rows[-1].days
    assert rows[0].towns.share <= rows[-1].towns.share


@pytest.mark.parametrize("policy", [name for name in NOISED if name != "dp-strict"])
def test_a_note_drawn_anew_has_less_noise_at_the_other_end_of_the_slider(policy: str) -> None:
    """Towns of `dp-strict` have two tables, one twice as narrow: too few draws here tell them."""
    ends = [
        [move.km for _ in range(12) for move in shipped(0, policy, step).moves]
        for step in (0, len(FACTORS) - 1)
    ]
    assert math.fsum(ends[0]) / len(ends[0]) > math.fsum(ends[1]) / len(ends[1])


def test_what_is_charged_is_scaled() -> None:
    own, twice = (shipped(0, "dp", step).losses for step in (OWN, OWN + 1))
    assert EpsilonPerKm(Fraction("0.05")) in own
    assert EpsilonPerKm(Fraction("0.1")) in twice
    steps = [[one for one in losses if isinstance(one, EpsilonPerStep)] for losses in (own, twice)]
    assert steps[0] == steps[1] != []  # a step of a finer table
    strict = [one for one in shipped(0, "dp-strict", OWN + 1).losses if isinstance(one, Epsilon)]
    assert strict == [Epsilon(Fraction(24))]


def test_only_what_has_an_epsilon_has_a_slider() -> None:
    assert {name for name in names() if is_noised(load_policy(name))} == set(NOISED)
    assert {name for name, _ in measured()} == {*NOISED, "aphp"}
    assert {(name, by) for name in NOISED for by in FACTORS} <= set(measured())


def test_prices_are_in_the_unit_of_their_mechanism() -> None:
    told = {what: (price, unit) for what, price, unit in prices(load_policy("dp"))}
    assert told["first date"] == (Fraction("0.05"), "per day")
    assert told["a town"] == (Fraction("0.05"), "per km")
    for by in FACTORS:
        told_at = prices(scaled(load_policy("dp-strict"), by))
        strict = {what: price for what, price, _ in told_at}
        assert strict["the birth"] == 4 * by
        assert strict["a town"] in (
            Fraction("0.05"),
            Fraction("0.1"),
        )  # tables are shipped for both
    assert {unit for *_, unit in prices(load_policy("hnfc"))} == {"not guaranteed", "per km"}
    assert not list(prices(load_policy("redact")))


def test_outlines_hold_the_largest_towns() -> None:
    for place in gazetteers.places()[:300]:
        if len(place.department) == 3 and place.country == "FR":
            continue
        crossed = [sum(_crosses(ring, place.latitude, place.longitude)) % 2 for ring in outlines()]
        near = min(
            math.hypot(lat - place.latitude, 0.68 * (lon - place.longitude))
            for ring in outlines()
            for lat, lon in ring
        )
        assert any(crossed) or near < 0.3, place.name


def _crosses(ring: tuple[tuple[float, float], ...], north: float, east: float) -> list[bool]:
    pairs = zip(ring, (*ring[1:], ring[0]), strict=True)
    return [
        (y > north) != (v > north) and east < x + (north - y) / (v - y) * (u - x)
        for (y, x), (v, u) in pairs
    ]
