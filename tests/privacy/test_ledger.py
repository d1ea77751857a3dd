"""The ledger: a union of charges that no retry and no order can change."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import (
    Epsilon,
    EpsilonPerDay,
    EpsilonPerKm,
    EpsilonPerStep,
    Loss,
    NoGuarantee,
)

amounts = st.fractions(min_value=Fraction(1, 100), max_value=10, max_denominator=100)
losses: st.SearchStrategy[Loss] = st.one_of(
    st.builds(Epsilon, amounts, st.fractions(0, Fraction(1, 20), max_denominator=100)),
    amounts.map(EpsilonPerDay),
    amounts.map(EpsilonPerStep),
    amounts.map(EpsilonPerKm),
    st.sampled_from(["shift", "pseudonym"]).map(NoGuarantee),
)
charges = st.builds(
    Charge,
    unit=st.sampled_from(["u1", "u2"]),
    event=st.sampled_from(["e1", "e2", "e3"]),
    mechanism=st.just("m"),
    loss=losses,
)
ledgers = st.lists(charges, max_size=8).map(Ledger.of)


@given(ledgers, ledgers, ledgers)
def test_adding_is_a_union(a: Ledger, b: Ledger, c: Ledger) -> None:
    assert a + a == a
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + Ledger() == a


@given(ledgers)
def test_totals_add_up_by_unit_and_by_kind(ledger: Ledger) -> None:
    for unit in ledger.units:
        total = ledger.total(unit)
        own = [charge.loss for charge in ledger.charges if charge.unit == unit]
        for kind in (Epsilon, EpsilonPerDay, EpsilonPerStep, EpsilonPerKm):
            spent = sum((loss.amount for loss in own if type(loss) is kind), Fraction(0))
            told = [loss.amount for loss in total if type(loss) is kind]
            assert told == ([spent] if spent else [])
            assert sum(loss.delta for loss in total if type(loss) is kind) == sum(
                loss.delta for loss in own if type(loss) is kind
            )
        reasons = {loss.reason for loss in own if isinstance(loss, NoGuarantee)}
        assert {loss.reason for loss in total if isinstance(loss, NoGuarantee)} == reasons


def test_a_repeated_draw_counts_once_and_a_fresh_one_again() -> None:
    once = Charge("u", "e", "m", Epsilon(Fraction(1)))
    again = Charge("u", "e", "m", Epsilon(Fraction(1)))
    fresh = Charge("u", "other", "m", Epsilon(Fraction(1)))
    assert Ledger.of([once, again]).total("u") == (Epsilon(Fraction(1)),)
    assert Ledger.of([once, fresh]).total("u") == (Epsilon(Fraction(2)),)
    assert Ledger.of([once]).total("somebody else") == ()


@given(ledgers)
def test_json_brings_the_same_ledger_back(ledger: Ledger) -> None:
    assert Ledger.from_json(ledger.to_json()) == ledger
    parts = [ledger.of_unit(unit) for unit in ledger.units]
    assert sum(parts, start=Ledger()) == ledger
    assert sum(len(part.charges) for part in parts) == len(ledger.charges)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"charges": [{}]}', '{"charges": 3}'])
def test_what_is_not_a_ledger_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        Ledger.from_json(text)


@given(st.lists(charges, max_size=8))
def test_json_is_exact_and_independent_of_the_order(rows: list[Charge]) -> None:
    written = Ledger.of(rows).to_json()
    assert written == Ledger.of(reversed(rows)).to_json()
    read = json.loads(written)["charges"]
    assert len(read) == len(set(rows))
    for charge in rows:
        loss = charge.loss
        expected = {"reason": loss.reason} if isinstance(loss, NoGuarantee) else {}
        assert any(
            row["unit"] == charge.unit
            and row["event"] == charge.event
            and row["loss"]["kind"] == type(loss).__name__
            and expected.items() <= row["loss"].items()
            and (expected or Fraction(row["loss"]["amount"]) == loss.amount)  # type: ignore[union-attr]
            for row in read
        )
