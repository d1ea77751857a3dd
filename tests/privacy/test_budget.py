"""Budgets: a worst case before a note is seen, and nothing released beyond it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.ledger import Allowance, Charge, Draw, Ledger, by_counts, by_weights, uniform
from dpdeid.privacy.losses import (
    Amount,
    Epsilon,
    EpsilonPerDay,
    EpsilonPerKm,
    EpsilonPerStep,
    Loss,
    NoGuarantee,
)
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.modes import Metric, Strict
from dpdeid.privacy.timeline.points import Past
from tests.privacy.making import E0, timelines

HALF = Fraction(1, 2)
STATED = (
    Draw("dates", "a", Epsilon(HALF), 3),
    Draw("dates", "b", Epsilon(HALF), 0),
    Draw("places", "c", EpsilonPerKm(HALF, Fraction(1, 100)), 2),
    Draw("gaps", "e", EpsilonPerStep(HALF), 2),
    Draw("names", "d", NoGuarantee("keyed"), None),
)


def paid(event: str, mechanism: str = "a", loss: Loss | None = None) -> Charge:
    return Charge("u", event, mechanism, loss or Epsilon(HALF))


def test_the_worst_case_is_the_sum_of_the_caps_by_kind() -> None:
    allowance = Allowance.of(STATED)
    assert allowance.worst == (
        Epsilon(Fraction(3, 2)),
        EpsilonPerKm(Fraction(1), Fraction(1, 50)),
        EpsilonPerStep(Fraction(1)),
    )
    assert allowance.open_ended == ()


def test_a_loss_without_a_cap_has_no_worst_case_and_is_named() -> None:
    allowance = Allowance.of([Draw("dates", "a", EpsilonPerDay(HALF), None)])
    assert (allowance.worst, allowance.open_ended) == ((), ("a",))
    assert allowance.admits(paid(str(event), loss=EpsilonPerDay(HALF)) for event in range(1000))


class TestCheckThenCommit:
    allowance = Allowance.of(STATED)

    def test_up_to_the_cap_and_not_beyond(self) -> None:
        three = [paid("1"), paid("2", "b"), paid("3")]
        assert self.allowance.admits(three)
        assert not self.allowance.admits([*three, paid("4", "b")])

    def test_what_was_spent_before_counts_and_a_repeated_draw_does_not(self) -> None:
        before = [paid("1"), paid("2"), paid("3")]
        assert self.allowance.admits(before, before)
        assert self.allowance.admits([], before)
        assert not self.allowance.admits([paid("4")], before)

    def test_what_another_strategy_spent_does_not_count(self) -> None:
        other = [paid(str(event), "elsewhere", Epsilon(9)) for event in range(9)]
        assert self.allowance.admits([paid("1")], other)

    @pytest.mark.parametrize(
        "charge",
        [
            paid("1", "unknown"),
            paid("1", "a", EpsilonPerDay(Fraction(1, 1000))),
            paid("1", "c", EpsilonPerKm(HALF, Fraction(1, 10))),
            paid("1", "e", EpsilonPerStep(Fraction(2))),
            paid("1", "e", EpsilonPerDay(HALF)),
        ],
    )
    def test_what_was_not_stated_is_refused(self, charge: Charge) -> None:
        assert not self.allowance.admits([charge])

    def test_one_event_with_two_losses_is_refused(self) -> None:
        assert self.allowance.admits([paid("1"), paid("1")])
        assert not self.allowance.admits([paid("1"), paid("1", loss=Epsilon(Fraction(1, 4)))])

    def test_no_guarantee_has_no_budget(self) -> None:
        assert self.allowance.admits(paid(str(n), "d", NoGuarantee("keyed")) for n in range(99))


strict = st.builds(
    Strict,
    mechanism=st.sampled_from(["window", "bounded_laplace", "clamped_geometric"]),
    epsilon=st.just(Fraction(8, 5)),
    birth_epsilon=st.just(Fraction(4)),
    cap=st.integers(1, 4),
    over_cap=st.sampled_from(["redact", "prior"]),
    horizon=st.just(3_650),
)
metric = st.builds(
    Metric,
    epsilon_per_day=st.just(Fraction(1, 20)),
    cap=st.integers(1, 4),
    birth_cap=st.integers(1, 2),
    over_cap=st.sampled_from(["redact", "prior"]),
)


@given(st.one_of(strict, metric), timelines(), timelines())
def test_no_timeline_ever_exceeds_what_it_stated(
    mode: Strict | Metric, first: list, second: list
) -> None:
    """Not in one batch, and not over two batches when the second knows the first."""
    allowance, streams = Allowance.of(mode.draws()), Streams(bytes(32), "u")
    released = mode.release(first, e0=E0, streams=streams)
    ledger = Ledger.of(c for r in released for c in r.charges)
    assert allowance.admits(ledger.charges)
    past = Past().after(first, released)
    later = mode.release(second, e0=E0, streams=streams, past=past)
    more = [c for r in later for c in r.charges]
    assert allowance.admits(more, ledger.charges)
    again = Ledger.of(c for r in mode.release(first, e0=E0, streams=streams) for c in r.charges)
    assert again == ledger
    for total in (ledger + Ledger.of(more)).total("u"):
        assert isinstance(total, Amount)
        assert any(total.within(most) for most in allowance.worst if isinstance(most, Amount))


weights = st.dictionaries(st.sampled_from("abcde"), st.fractions(Fraction(1, 100), 100), min_size=1)


@given(st.fractions(Fraction(1, 100), 100), weights)
def test_splits_sum_to_the_total_exactly(total: Fraction, parts: dict[str, Fraction]) -> None:
    split = by_weights(total, parts)
    assert sum(split.values()) == total
    assert all(share > 0 for share in split.values())
    assert set(uniform(total, list(parts)).values()) == {total / len(parts)}


def test_the_published_split_is_a_quarter_and_three_quarters() -> None:
    assert by_weights(Fraction(8), {"places": Fraction(1), "dates": Fraction(3)}) == {
        "places": 2,
        "dates": 6,
    }


def test_counts_leave_out_what_does_not_occur() -> None:
    assert by_counts({"dates": 3, "places": 1, "x": 0}) == {
        "dates": Fraction(3, 4),
        "places": Fraction(1, 4),
    }


@pytest.mark.parametrize("parts", [{}, {"a": 0}, {"a": -1, "b": 2}, {"a": 0.5}])
def test_a_bad_weight_is_refused(parts: dict) -> None:
    with pytest.raises(ValueError, match=r"split|weight"):
        by_weights(Fraction(1), parts)
