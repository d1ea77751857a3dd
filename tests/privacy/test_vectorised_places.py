"""Arrays of places are the places one after the other, and leave the source where those do."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from benchmarks.vectorised.days import SystemSource
from benchmarks.vectorised.places import randomise_places
from dpdeid import gazetteers
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.planar import PlanarLaplace
from dpdeid.privacy.places.weighted import WeighedPlaces, exponential, qp_weighted
from tests.privacy.helpers import STREAMS
from tests.privacy.making import FRANCE, grid

TWICE = PlaceList("twice", (*grid(5, 5), *grid(6, 5)))
Mechanism = PlanarLaplace | WeighedPlaces


def _shipped() -> WeighedPlaces:
    listed = gazetteers.place_lists()["LU"]
    places = PlaceList("LU", tuple((place.latitude, place.longitude) for place in listed))
    return qp_weighted(Fraction("0.1"), places)


MECHANISMS: list[Mechanism] = [
    *(
        PlanarLaplace(epsilon_per_km=Fraction(epsilon), places=places)
        for epsilon in ("1e-6", "0.05", "3", "1000")
        for places in (FRANCE, TWICE)
    ),
    exponential(Fraction("0.1"), FRANCE),
    exponential(Fraction("0.02"), TWICE),
    _shipped(),
]


def named(mechanism: Mechanism) -> str:
    return f"{mechanism}-{mechanism.places.name}"


def positions(mechanism: Mechanism, count: int) -> list[tuple[float, float]]:
    """Listed places, some often, places between them, and some far outside."""
    chance = random.Random(3)
    listed = list(mechanism.places.positions)
    between = [(a + 0.03, b - 0.04) for a, b in listed]
    outside = [(-30.0, 179.0), (48.0, -11.0), (60.0, 25.0)]
    return [chance.choice([*listed[:5] * 20, *listed, *between, *outside]) for _ in range(count)]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=named)
@pytest.mark.parametrize("count", [0, 1, 600])
def test_the_same_indices_from_the_same_stream(mechanism: Mechanism, count: int) -> None:
    here = positions(mechanism, count)
    one, other = STREAMS.stream("twin"), STREAMS.stream("twin")
    assert one.randbelow(7) == other.randbelow(7)  # not at the border of a word
    singly = [mechanism.randomise(*position, one) for position in here]
    assert randomise_places(mechanism, here, other).tolist() == singly
    assert one.randbelow(1 << 99) == other.randbelow(1 << 99)


class Scripted:
    """Words of 64 bits in a fixed order, some of which no total accepts."""

    def __init__(self, words: list[int]) -> None:
        self.left = words[::-1]

    def words(self, count: int) -> bytes:
        return b"".join(self.left.pop().to_bytes(8, "big") for _ in range(count))

    def randbelow(self, n: int) -> int:
        assert n == 1 << 128
        return int.from_bytes(self.words(2), "big")


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=named)
def test_refused_words_and_the_borders_between_ranks(mechanism: Mechanism) -> None:
    """Words at, below and above every kind of border give what single draws give."""
    chance = random.Random(4)
    top = (1 << 64) - 1
    script = [chance.choice([0, 1, top, chance.getrandbits(64)]) for _ in range(4_000)]
    here = positions(mechanism, 300)
    one, other = Scripted(script), Scripted(script)
    singly = [mechanism.randomise(*position, one) for position in here]
    assert randomise_places(mechanism, here, other).tolist() == singly
    assert len(one.left) == len(other.left)


def test_the_system_source_gives_places_of_the_list() -> None:
    drawn = randomise_places(MECHANISMS[2], list(FRANCE.positions[:50]), SystemSource())
    assert np.all((drawn >= 0) & (drawn < len(FRANCE.positions)))


def test_what_is_no_position_is_refused() -> None:
    for mechanism in MECHANISMS:
        with pytest.raises(ValueError, match="itude must lie between"):
            randomise_places(mechanism, [(95.0, 2.0)], SystemSource())
