"""Several releases tell more only under new keys."""

from __future__ import annotations

from dpdeid.evaluate.attacks.games import averaging
from dpdeid.evaluate.attacks.patients import Alike, Drawn
from dpdeid.policy.policy import load_policy

RECORDS = Alike.made_up(15, dates=3, towns=1)
DP = Drawn.of(load_policy("dp"))


def test_new_keys_average_out() -> None:
    one, many = averaging(DP, RECORDS, (1, 40))
    assert many.gap_error < one.gap_error / 3
    assert many.day_error < one.day_error / 2
    assert many.km_error is not None
    assert one.km_error is not None
    assert many.km_error < one.km_error / 3


def test_under_one_key_nothing_is_gained() -> None:
    one, many = averaging(DP, RECORDS, (1, 20), same_key=True)
    assert one.to_json() | {"releases": 20} == many.to_json()


def test_a_shift_keeps_its_gaps_and_its_towns_say_nothing() -> None:
    one, many = averaging(Drawn.of(load_policy("aphp")), RECORDS, (1, 20))
    assert one.gap_error == many.gap_error == 0
    assert many.exact_towns == 0
    assert many.day_error < one.day_error


def test_without_towns_there_is_no_error_of_one() -> None:
    (one,) = averaging(DP, Alike.made_up(5, dates=2, towns=0), (1,))
    assert one.km_error is one.exact_towns is None
