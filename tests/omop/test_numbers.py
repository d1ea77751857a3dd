"""Released ids: permutations under a key."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.omop.numbers import Numbers, rank
from tests.conftest import KEY, OTHER_KEY

EXACT = 2**52
WIDE = 2**63
SMALL = st.integers(0, EXACT - 1)
ANY = st.one_of(SMALL, st.integers(-WIDE, WIDE - 1), st.sampled_from((-WIDE, -1, EXACT, WIDE - 1)))


@given(st.sets(ANY, min_size=2))
def test_no_two_ids_come_out_as_one(numbers: set[int]) -> None:
    assert len({*map(Numbers(KEY), numbers)}) == len(numbers)


@pytest.mark.parametrize("start", [0, EXACT - 20_000, EXACT, -WIDE, -20_000, WIDE - 20_000])
def test_a_stretch_of_ids_has_as_many_numbers(start: int) -> None:
    """Without one that stays, and none near the other."""
    out = [Numbers(KEY)(start + n) for n in range(20_000)]
    assert len({*out}) == 20_000
    assert not {*out} & {*range(start, start + 20_000)}
    assert sum(one < other for one, other in pairwise(out)) < 11_000


@given(ANY)
def test_small_ids_stay_small_and_others_stay_others(number: int) -> None:
    out = Numbers(KEY)(number)
    assert (0 <= out < EXACT) == (0 <= number < EXACT)
    assert -WIDE <= out < WIDE
    assert Numbers(KEY)(number) == out


@given(st.lists(ANY, min_size=3, max_size=3, unique=True))
def test_another_key_is_another_permutation(numbers: list[int]) -> None:
    assert [*map(Numbers(KEY), numbers)] != [*map(Numbers(OTHER_KEY), numbers)]


def test_an_id_of_more_than_64_bits_is_refused() -> None:
    for number in (WIDE, -WIDE - 1):
        with pytest.raises(ValueError, match="64 bits"):
            Numbers(KEY)(number)


@given(ANY, ANY)
def test_ranks_sort_as_numbers_do(one: int, other: int) -> None:
    assert (rank(one) < rank(other)) == (one < other)


def test_every_number_of_a_half_is_met() -> None:
    """A round that lost bits would leave numbers out: the halves of 2,000 are spread evenly."""
    out = [Numbers(KEY)(n) for n in range(2_000)]
    for shift in range(52):
        assert 850 < sum(one >> shift & 1 for one in out) < 1150
