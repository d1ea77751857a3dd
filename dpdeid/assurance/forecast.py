"""What a policy will be worth to whoever reads a release, and where it protects little: told before
any note is seen.

Expected errors beside those without a budget, sizes of the lists that surrogates come from, and
what costs utility for nothing: each strategy tells its own (`dpdeid.protocols.Forecasting`).
Warnings are ours: the weaker a policy is, the more is said.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from importlib.resources import files
from operator import add
from typing import Any, Final, NamedTuple

from dpdeid.policy.policy import Policy
from dpdeid.privacy.leakage import RECORDS
from dpdeid.privacy.ledger import Allowance, Forecast
from dpdeid.privacy.losses import Amount, Epsilon, EpsilonPerDay, EpsilonPerKm, EpsilonPerStep
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.mechanisms.proportional import STEPS
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Metric, Shift, Timeline
from dpdeid.privacy.timeline.proved import CURVES, ENDING
from dpdeid.protocols import Forecasting, Guarantee, Leaking


@lru_cache(maxsize=16)
def forecast(policy: Policy) -> Forecast:
    """The forecasts of all strategies of a policy, in their order; the same on every machine."""
    told = (s.forecast(policy.unit) for s in policy.strategies if isinstance(s, Forecasting))
    return reduce(add, told, Forecast())


def timeline_of(policy: Policy) -> Timeline | None:
    """How a policy releases days; None where it has no strategy with a timeline."""
    modes = (getattr(strategy, "timeline", None) for strategy in policy.strategies)
    return next((mode for mode in modes if isinstance(mode, Timeline)), None)


LARGE_EPSILON: Final = 6
SURE: Final = 0.95
NEAR: Final = {EpsilonPerDay: (7, "day"), EpsilonPerStep: (STEPS, "step"), EpsilonPerKm: (10, "km")}
"""How far apart two values are that nobody should tell apart: days of a week, gaps that differ by
the noise at them, towns nearby."""
_WEEKS, _DAYS = (7, 14), (1, 2)
"""Gaps that nobody should tell apart."""
_ODDS: Final = math.log(SURE / (1 - SURE))
_NAMED: Final = math.log(RECORDS - 1)
_READABLE: Final = 20
NEARLY_ALL: Final = 0.999
"""A bound above it is told as that."""
_LARGEST: Final = 700
"""Beyond it e^L is no float."""


def cautions(policy: Policy) -> Iterator[str]:
    """What in a policy protects less than it seems to."""
    for strategy in policy.strategies:
        for guarantee in strategy.guarantees():
            if isinstance(guarantee.loss, Amount) and guarantee.cap != 0:
                yield from _of_one(guarantee.mechanism, guarantee.loss)
    if isinstance(mode := timeline_of(policy), Metric):
        yield from _of_gaps(mode)
    yield from _of_all(policy)
    for strategy in policy.strategies:
        if isinstance(strategy, Leaking):
            yield from strategy.leaks()
    yield from _found(policy)


def _of_one(mechanism: str, loss: Amount) -> Iterator[str]:
    """Of one draw."""
    if isinstance(loss, Epsilon) and loss.amount >= LARGE_EPSILON:
        yield (
            f"{mechanism}: {loss} on one value is hardly any protection: on a short domain the "
            "true value comes out nearly always, on any domain one alternative is excluded with "
            f"odds of up to {_power(loss.amount)}"
        )
    if (near := NEAR.get(type(loss))) is None:
        return
    distance, unit = near
    sure = math.ceil(_ODDS / loss.amount)
    if sure > distance:
        return
    apart = f"{sure} {unit}{'s' if sure > 1 and unit != 'km' else ''} apart"
    yield (
        f"{mechanism}: {loss} multiplies odds by up to {_power(loss.amount)} for one {unit}: of "
        f"two values {apart} the true one may be told with {100 * SURE:.0f} %"
    )
    if sure == 1:
        what = "neighbouring days" if unit == "day" else "places one km apart"
        yield f"{mechanism}: even {what} may be told apart: hardly any protection"


def _of_gaps(mode: Metric) -> Iterator[str]:
    """Of the noise on intervals."""
    for role in (Role.FIRST, *ENDING, *CURVES):
        noise = mode.noise(role)
        if noise.loss(*_WEEKS) >= _ODDS:
            yield (
                f"{noise}: of two intervals of {_WEEKS[0]} and {_WEEKS[1]} days the true one may "
                f"be told with {100 * SURE:.0f} %"
            )
        if noise.loss(*_DAYS) >= _ODDS:
            yield f"{noise}: even neighbouring days may be told apart: hardly any protection"


def _of_all(policy: Policy) -> Iterator[str]:
    """Of all draws of a unit together."""
    for one in namings(policy):
        told = "more than 99.9 %" if one.share > NEARLY_ALL else f"{100 * one.share:.0f} %"
        distance, unit = one.off
        off = f" ({distance} {unit}{'s' * (unit != 'km')} off in every value)" if unit else ""
        yield (
            f"all draws of a {policy.unit} together: L = {figure(one.total)}{off} leaves a bound "
            f"of {told} on naming it among {RECORDS:,} that read alike"
        )
    for mechanism in Allowance.of(_guarantees(policy)).open_ended:
        yield f"{mechanism}: nothing caps its draws, so there is no worst case"


class Naming(NamedTuple):
    """How little holds a record back, once all that it may lose is lost.

    Args:
        total: L of all its draws.
        off: how far off every value is, and the unit of that; (1, "") if that does not count.
        share: the bound on naming it among `RECORDS` that read alike.
    """

    total: Fraction
    off: tuple[int, str]
    share: float


def namings(policy: Policy) -> Iterator[Naming]:
    """Of each kind of loss that may name a record, if all draws of a unit are taken together."""
    for loss in Allowance.of(_guarantees(policy)).worst:
        if isinstance(loss, Amount):
            off = NEAR.get(type(loss), (1, ""))
            total = loss.amount * off[0]
            if total >= _NAMED:
                likely = math.exp(-min(float(total), _LARGEST))
                yield Naming(total, off, 1 / (1 + (RECORDS - 1) * likely))


def _guarantees(policy: Policy) -> Iterator[Guarantee]:
    return (guarantee for strategy in policy.strategies for guarantee in strategy.guarantees())


def _found(policy: Policy) -> Iterator[str]:
    """What is found under a policy that only shifts, as a sentence."""
    if (measured := found_by_intervals(policy)) is not None:
        yield (
            f"a shift alone keeps intervals: whoever knows {measured['known']} dates of a patient "
            f"found {100 * measured['shift_alone']:.0f} % of {measured['patients']:,} made-up "
            "patients (docs/attacks.md)"
        )


def found_by_intervals(policy: Policy) -> Mapping[str, Any] | None:
    """Where patients were found by what somebody knows, under a shift alone; None for another
    policy: benchmarks/attacks.py, made-up patients.
    """
    if not isinstance(timeline_of(policy), Shift):
        return None
    text = (files("dpdeid") / "measured.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)["linkage"]
    return found


def _power(loss: Fraction) -> str:
    """e^loss, as a number while that can be read."""
    if loss >= _READABLE:
        return f"e^{figure(loss, 1)}"
    return f"{math.exp(loss):,.{0 if loss >= 3 else 2}f}"
