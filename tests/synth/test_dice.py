"""The draws of a note: named, repeatable, with the weights that are asked for."""

from __future__ import annotations

from scipy.stats import binomtest

from dpdeid.synth.dice import Dice, sums


def test_equal_names_give_equal_draws() -> None:
    first, second, other = (Dice.of(seed, "a", "b") for seed in (1, 1, 2))
    drawn = [dice.digits(40) for dice in (first, second, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert Dice.of(1, "ab").digits(40) != Dice.of(1, "a", "b").digits(40)


def test_weights_and_chances() -> None:
    dice = Dice.of(1, "weights")
    drawn = [dice.weighted("abc", sums([1, 0, 3])) for _ in range(4000)]
    assert drawn.count("b") == 0
    assert binomtest(drawn.count("a"), 4000, 0.25).pvalue > 1e-6
    assert binomtest(sum(dice.chance(15) for _ in range(4000)), 4000, 0.15).pvalue > 1e-6


def test_ranks_are_in_range_and_the_first_ones_most_often() -> None:
    dice = Dice.of(1, "rank")
    drawn = [dice.by_rank(1000) for _ in range(4000)]
    assert min(drawn) == 0
    assert max(drawn) < 1000
    assert sum(rank < 100 for rank in drawn) > 1500
    assert dice.by_rank(1) == 0


def test_digits_letters_and_ranges() -> None:
    dice = Dice.of(1, "digits")
    assert len(dice.digits(9)) == 9
    assert dice.letters(5).isupper()
    assert {dice.between(3, 5) for _ in range(60)} == {3, 4, 5}
