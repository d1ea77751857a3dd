"""The places of a record: one draw a place, a cap, and two charges that say what it cost."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.privacy.ledger import Ledger
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.release import Exponential, PlanarNearest, QPWeighted, Spot
from dpdeid.privacy.rng import Streams
from tests.privacy.helpers import STREAMS
from tests.privacy.making import FRANCE

MODE = PlanarNearest(epsilon_per_km=Fraction("0.1"), cap=3)


def spot(number: int) -> Spot:
    return Spot(f"place {number}", 43 + number % 7, number % 5, FRANCE)


@given(st.lists(st.integers(0, 9), max_size=12))
def test_equal_places_are_one_draw_and_the_cap_holds(numbers: list[int]) -> None:
    placed = MODE.release([spot(n) for n in numbers], streams=STREAMS)
    assert placed == MODE.release([spot(n) for n in numbers], streams=STREAMS)
    drawn = list(dict.fromkeys(numbers))[: MODE.cap]
    for number, place in zip(numbers, placed, strict=True):
        assert len(place.charges) == (2 if number in drawn else 0)
        assert place == placed[numbers.index(number)]
    ledger = Ledger.of(charge for place in placed for charge in place.charges)
    assert len(ledger.charges) == 2 * len(drawn)
    if drawn:
        losses = ledger.total(STREAMS.unit)
        assert EpsilonPerKm(len(drawn) * Fraction("0.1")) in losses
        assert sum(isinstance(loss, Epsilon) for loss in losses) == 1


def test_a_later_place_changes_nothing_before_it() -> None:
    spots = [spot(1), spot(2)]
    assert MODE.release([*spots, spot(3)], streams=STREAMS)[:2] == MODE.release(
        spots, streams=STREAMS
    )


def test_units_parameters_and_names_draw_independently() -> None:
    other_unit = Streams(STREAMS.key, "other")
    wide = PlanarNearest(epsilon_per_km=Fraction("0.01"), cap=40)
    many = [Spot(f"n{k}", 46.0, 2.0, FRANCE) for k in range(30)]
    indices = [place.index for place in wide.release(many, streams=STREAMS)]
    assert len(set(indices)) > 15
    assert indices != [place.index for place in wide.release(many, streams=other_unit)]


def test_draws_say_what_release_charges() -> None:
    placed = MODE.release([spot(1)], streams=STREAMS)[0]
    said = {(draw.mechanism, draw.loss) for draw in MODE.draws()}
    assert said == {(charge.mechanism, charge.loss) for charge in placed.charges}
    assert len({charge.event for charge in placed.charges}) == 1
    assert all(draw.cap == MODE.cap for draw in MODE.draws())


def test_nothing_shows_where_a_place_is() -> None:
    shown = repr(Spot("Bermont", 47.57, 6.85, FRANCE)) + repr(MODE.draw(spot(1), STREAMS))
    assert "Bermont" not in shown
    assert "47.57" not in shown
    assert "6.85" not in shown


@pytest.mark.parametrize(("options", "name"), [({"cap": 0}, "cap"), ({"epsilon_per_km": 0}, "eps")])
def test_bad_options_are_refused(options: dict[str, int], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        PlanarNearest(**{"epsilon_per_km": Fraction(1), "cap": 3, **options})  # type: ignore[arg-type]


LUXEMBOURG = PlaceList(
    "LU", tuple((place.latitude, place.longitude) for place in gazetteers.place_lists()["LU"])
)
MODES = [
    kind(epsilon_per_km=Fraction("0.1"), cap=2) for kind in (PlanarNearest, QPWeighted, Exponential)
]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_mechanism_releases_and_charges_what_it_says(
    mode: PlanarNearest | QPWeighted | Exponential,
) -> None:
    spots = [Spot(f"n{k % 3}", *LUXEMBOURG.positions[k % 3], LUXEMBOURG) for k in range(5)]
    placed = mode.release(spots, streams=STREAMS)
    assert [bool(place.charges) for place in placed] == [True, True, False, True, True]
    assert placed[0] == placed[3] != placed[1]
    said = {(draw.mechanism, draw.loss) for draw in mode.draws()}
    assert said == {(charge.mechanism, charge.loss) for charge in placed[0].charges}
    assert EpsilonPerKm(Fraction("0.1")) in {loss for _, loss in said}
    assert len(said) == (2 if isinstance(mode, PlanarNearest) else 1)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_place_may_come_out_as_itself(mode: PlanarNearest | QPWeighted | Exponential) -> None:
    """Hole 1: no mechanism with a guarantee excludes the original."""
    home = Spot("n", *LUXEMBOURG.positions[0], LUXEMBOURG)
    units = [Streams(STREAMS.key, f"unit {number}") for number in range(400)]
    indices = [mode.draw(home, unit).index for unit in units]
    assert 0 in indices
    assert len(set(indices)) > 20


def test_a_rate_without_tables_is_refused_with_those_that_have_them() -> None:
    with pytest.raises(ValueError, match=r"tables are shipped for: 0\.05, 0\.1"):
        QPWeighted(epsilon_per_km=Fraction("0.07"))
