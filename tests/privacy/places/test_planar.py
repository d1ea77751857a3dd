"""Planar noise on a lattice: the certificate, in cells and in true kilometres."""

from __future__ import annotations

import math
import random
from collections import Counter
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from geopy.distance import geodesic  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.places import planar
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.planar import FLOOR, RADIUS, PlanarLaplace, weight
from dpdeid.privacy.rng import WIDE
from tests.privacy.helpers import STREAMS, chi_square_fits
from tests.privacy.making import FRANCE, grid

offsets = st.tuples(st.integers(-300, 300), st.integers(-300, 300))
SMALL = PlaceList("small", grid(5, 5))


def squared(offset: tuple[int, int]) -> int:
    return offset[0] ** 2 + offset[1] ** 2


@given(offsets, offsets)
def test_weights_of_two_offsets_differ_by_at_most_a_tenth_a_cell(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    apart = math.isqrt(squared((one[0] - other[0], one[1] - other[1])) * 10**40)
    low, high = sorted((weight(squared(one)), weight(squared(other))))
    assert low == high or high * SCALE <= low * exp_below(Fraction(apart, 10**21))


def test_steps_along_a_row_are_nearly_a_tenth() -> None:
    """The certificate is tight: a slower fall would waste accuracy."""
    ratio = Fraction(weight(10**2), weight(11**2))
    assert ratio * SCALE > exp_below(Fraction(99_999, 1_000_000))


@given(offsets)
def test_weights_follow_their_formula(offset: tuple[int, int]) -> None:
    context = Context(prec=40)
    length = context.sqrt(Decimal(squared(offset)))
    exponent = context.multiply(RADIUS - length, Decimal("0.0999999999"))
    expected = max(int(context.exp(exponent) * FLOOR), FLOOR)
    assert math.isclose(weight(squared(offset)), expected, rel_tol=1e-15)


def test_the_table_holds_every_offset_above_the_floor_once() -> None:
    table = planar.offsets()
    across = range(-RADIUS, RADIUS + 1)
    lengths = Counter(i * i + j * j for i in across for j in across)
    excess = sum((weight(length) - FLOOR) * times for length, times in lengths.items())
    assert table.total == excess


def test_each_offset_owns_as_many_ranks_as_it_weighs() -> None:
    table = planar.offsets()
    assert table.at(0) == table.at(table.centre - 1) == (0, 0)
    chance = random.Random(2)
    for place in [
        0,
        len(table.sums) - 1,
        *(chance.randrange(1, len(table.sums)) for _ in range(99)),
    ]:
        first = table.sums[place - 1] if place else 0
        last = table.sums[place] - 1
        starts = [table.centre + turn * table.sums[-1] for turn in range(4)]
        for start in starts:
            offset = table.at(start + first)
            assert offset == table.at(start + last)
            assert weight(squared(offset)) - FLOOR == table.sums[place] - first
        turns = {table.at(start + first) for start in starts}
        i, j = next(iter(turns))
        assert turns == {(i, j), (-j, i), (-i, -j), (j, -i)}


@pytest.mark.parametrize("epsilon", ["0.05", "0.1", "0.3"])
def test_the_certificate_holds_in_true_kilometres(epsilon: str) -> None:
    """A tenth a cell bounds the loss; the cells of two places are not further apart than said."""
    mechanism = PlanarLaplace(epsilon_per_km=Fraction(epsilon), places=FRANCE)
    rate, rounding = float(epsilon), float(mechanism.rounding_loss().amount)
    chance = random.Random(13)
    tightest = 0.0
    for _ in range(400):
        one = (chance.uniform(42, 51), chance.uniform(-4, 8))
        step = 10 ** chance.uniform(-4, 0.5)
        other = (one[0] + step * chance.uniform(-1, 1), one[1] + step * chance.uniform(-1, 1))
        cells = math.dist(mechanism.cell(*one), mechanism.cell(*other))
        bound = rate * geodesic(one, other).km + rounding
        assert cells / 10 <= bound
        tightest = max(tightest, cells / 10 / bound)
    assert tightest > 0.95
    assert rounding < 0.1415


def test_rounding_costs_what_is_said_for_places_close_together() -> None:
    """Without the rounding term the bound would be false: 30 m can be a whole cell."""
    mechanism = PlanarLaplace(epsilon_per_km=Fraction("0.1"), places=FRANCE)
    walk = [(47.0, 2.0 + step * 0.0004) for step in range(60)]
    before, after = next(
        pair for pair in pairwise(walk) if mechanism.cell(*pair[0]) != mechanism.cell(*pair[1])
    )
    kilometres = geodesic(before, after).km
    one_cell, rounding = 0.1, float(mechanism.rounding_loss().amount)
    assert kilometres < 0.04
    assert 0.1 * kilometres < one_cell <= 0.1 * kilometres + rounding


@pytest.mark.parametrize("epsilon", ["0.02", "0.1", "2"])
def test_every_input_has_the_same_lattice_points_and_total(epsilon: str) -> None:
    mechanism = PlanarLaplace(epsilon_per_km=Fraction(epsilon), places=SMALL)
    far = [mechanism.cell(*position) for position in ((0.0, 3.0), (45.2, 3.2), (60.0, 80.0))]
    for cell in far:
        assert max(map(abs, cell)) + RADIUS <= mechanism.reach
    assert len({mechanism.pmf(cell, (0, 0))[1] for cell in far}) == 1
    corner = (mechanism.reach, -mechanism.reach)
    assert min(mechanism.pmf(cell, corner)[0] for cell in far) == FLOOR
    assert mechanism.pmf((0, 0), (mechanism.reach + 1, 0))[0] == 0


def test_the_weights_of_the_square_add_up_to_the_total() -> None:
    mechanism = PlanarLaplace(epsilon_per_km=Fraction("0.02"), places=SMALL)
    cell, across = (2, -3), range(-mechanism.reach, mechanism.reach + 1)
    lengths = Counter((i - cell[0]) ** 2 + (j - cell[1]) ** 2 for i in across for j in across)
    total = sum(weight(length) * times for length, times in lengths.items())
    assert total == mechanism.pmf(cell, (0, 0))[1]


def _rings(fall: float) -> dict[int, Fraction]:
    """The probability of each ring of ten cells, for weights that fall by `fall` a cell."""
    rings: dict[int, float] = {}
    for i in range(-RADIUS, RADIUS + 1):
        for j in range(-RADIUS, RADIUS + 1):
            length = math.hypot(i, j)
            ring = min(int(length) // 10, 12)
            rings[ring] = rings.get(ring, 0.0) + math.exp(-fall * length)
    total = sum(rings.values())
    return {ring: Fraction(mass / total) for ring, mass in rings.items()}


def test_the_sampler_draws_its_weights_and_the_test_has_power() -> None:
    mechanism = PlanarLaplace(epsilon_per_km=Fraction("0.1"), places=FRANCE)
    stream = STREAMS.stream("planar")
    noise = [mechanism.noisy((5, -7), stream) for _ in range(6_000)]
    moved = [(i - 5, j + 7) for i, j in noise]
    rings = Counter(min(int(math.hypot(*offset)) // 10, 12) for offset in moved)
    assert chi_square_fits(rings, _rings(0.1))
    assert not chi_square_fits(rings, _rings(0.07))
    assert not chi_square_fits(rings, _rings(0.13))
    sectors = Counter(
        int(math.atan2(j, i) // (math.pi / 4)) for i, j in moved if i * i != j * j and i * j
    )
    assert chi_square_fits(sectors, {sector: Fraction(1, 8) for sector in range(-4, 4)})


def test_the_floor_is_drawn_over_the_whole_square() -> None:
    """The lowest and the highest word that is accepted reach both kinds of draw."""

    class Fixed:
        def __init__(self, word: int) -> None:
            self.word = word

        def randbelow(self, n: int) -> int:
            assert self.word < n
            return self.word

    mechanism = PlanarLaplace(epsilon_per_km=Fraction("0.1"), places=FRANCE)
    assert mechanism.noisy((3, 4), Fixed(0)) == (-mechanism.reach, -mechanism.reach)
    highest = WIDE // mechanism.total * mechanism.total - 1
    i, j = mechanism.noisy((3, 4), Fixed(highest))
    assert RADIUS - 1.5 <= math.hypot(i - 3, j - 4) < RADIUS


def test_only_an_index_comes_out_and_the_mean_move_is_as_expected() -> None:
    mechanism = PlanarLaplace(epsilon_per_km=Fraction("0.01"), places=FRANCE)
    home = FRANCE.positions[7]
    drawn = [mechanism.randomise(*home, STREAMS.stream("city", str(n))) for n in range(1_500)]
    assert all(isinstance(index, int) for index in drawn)
    wide = PlanarLaplace(epsilon_per_km=Fraction("0.1"), places=FRANCE)
    moves = [
        math.dist(wide.noisy((0, 0), STREAMS.stream("m", str(n))), (0, 0)) for n in range(4_000)
    ]
    kilometres = sum(moves) / len(moves) * float(wide.cell_mm) / 1e6
    assert kilometres == pytest.approx(20, rel=0.05)
    assert len(set(drawn)) > 100


@pytest.mark.parametrize("epsilon", [0, -1, "nan", "inf", 0.1, "1e-9", 5000])
def test_a_bad_epsilon_is_refused(epsilon: object) -> None:
    with pytest.raises(ValueError, match="epsilon_per_km"):
        PlanarLaplace(epsilon_per_km=epsilon, places=SMALL)  # type: ignore[arg-type]
