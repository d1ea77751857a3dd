"""Where a policy protects little, before any note is seen: the weaker it is, the more is said.

A loss L bounds what an output can tell: of two equally likely values somebody names the true one
with a chance of at most e^L / (1 + e^L), of n equally likely records at most e^L / (e^L + n − 1).
The thresholds ask when these bounds stop saying anything that a patient would call protection:

- two days of one week, or two towns within ten kilometres, may be told apart with 95 %;
- the same for neighbouring days, or for towns one kilometre apart;
- all noised values of a patient together, a week or ten kilometres off each, may name the patient
  among ten thousand with a chance of one half.

These are bounds and no attacks: what attackers found is measured, and said where it was.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any, Final

from dpdeid.forecast import list_sizes, place_outlook
from dpdeid.policy import Policy
from dpdeid.privacy.budget import Allowance
from dpdeid.privacy.losses import Amount, Epsilon, EpsilonPerDay, EpsilonPerKm
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.nearest import MIN_PLACES
from dpdeid.privacy.places import PlanarNearest
from dpdeid.privacy.timeline import Metric, Shift
from dpdeid.substitute.dates import Dates
from dpdeid.substitute.places import Places

LARGE_EPSILON: Final = 6
LEAST_PEOPLE: Final = 100_000
MANY_UNCHANGED: Final = 0.5
MOST_FOUND: Final = 0.5
SURE: Final = 0.95
RECORDS: Final = 10_000
NEAR: Final = {EpsilonPerDay: (7, "day"), EpsilonPerKm: (10, "km")}
"""How far apart two values are that nobody should tell apart: days of a week, towns nearby."""
_ODDS: Final = math.log(SURE / (1 - SURE))
_NAMED: Final = math.log(RECORDS - 1)
_READABLE: Final = 20
_LARGEST: Final = 700
"""Beyond it e^L is no float."""
Openness = tuple[Fraction, ...]


def cautions(policy: Policy) -> Iterator[str]:
    """What in a policy protects less than it seems to."""
    for strategy in policy.strategies:
        for guarantee in strategy.guarantees():
            if isinstance(guarantee.loss, Amount) and guarantee.cap != 0:
                yield from _of_one(guarantee.mechanism, guarantee.loss)
    yield from _of_all(policy)
    yield from _of_places(policy)
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
    apart = f"{sure} {unit}{'s' if sure > 1 and unit == 'day' else ''} apart"
    yield (
        f"{mechanism}: {loss} multiplies odds by up to {_power(loss.amount)} for one {unit}: of "
        f"two values {apart} the true one may be told with {100 * SURE:.0f} %"
    )
    if sure == 1:
        what = "neighbouring days" if unit == "day" else "places one km apart"
        yield f"{mechanism}: even {what} may be told apart: hardly any protection"


def _of_all(policy: Policy) -> Iterator[str]:
    """Of all draws of a unit together."""
    allowance = Allowance.of(g for s in policy.strategies for g in s.guarantees())
    for loss in allowance.worst:
        if not isinstance(loss, Amount):
            continue
        distance, unit = NEAR.get(type(loss), (1, ""))
        total = loss.amount * distance
        if total >= _NAMED:
            off = f" ({distance} {unit}{'s' * (unit == 'day')} off in every value)" if unit else ""
            yield (
                f"all draws of a {policy.unit} together: L = {figure(total)}{off} leaves a bound "
                f"of {_percent(_among(total))} on naming it among {RECORDS:,} that read alike"
            )
    for mechanism in allowance.open_ended:
        yield f"{mechanism}: nothing caps its draws, so there is no worst case"


def _of_places(policy: Policy) -> Iterator[str]:
    """Of the towns that come out."""
    place = place_outlook(policy)
    if place is None:
        return
    if place.unchanged > MANY_UNCHANGED:
        yield (
            f"{100 * place.unchanged:.0f} % of cities come out unchanged: use a smaller ε per km "
            "(0.05 to 0.3)"
        )
    for name, size, people in list_sizes():
        if size < MIN_PLACES or people < LEAST_PEOPLE:
            yield (
                f"the list of {name} has {size} places with {people} people: whoever lives there "
                "is among few"
            )


def _found(policy: Policy) -> Iterator[str]:
    """Where patients were found by what somebody knows, under this policy or one with more noise.

    Measured by benchmarks/attacks.py on made-up patients of two towns.
    """
    text = (files("dpdeid") / "measured.json").read_text(encoding="utf-8")
    measured = json.loads(text)["linkage"]
    mode = next((s.timeline for s in policy.strategies if isinstance(s, Dates)), None)
    places = next((s.mechanism for s in policy.strategies if isinstance(s, Places)), None)
    told = f"whoever knows {measured['known']} dates of a patient"
    among = f"of {measured['patients']:,} made-up patients"
    if isinstance(mode, Shift):
        share = 100 * measured["shift_alone"]
        yield f"a shift alone keeps intervals: {told} found {share:.0f} % {among} (docs/attacks.md)"
    if not isinstance(mode, Metric) or not isinstance(places, PlanarNearest):
        return
    own = _openness(mode, places, measured)
    tried = [(row["found"], _measured(row, measured)) for row in measured["with_towns"]]
    found, noise = max((one for one in tried if _no_stronger(own, one[1])), default=(0, own))
    if found > MOST_FOUND:
        yield (
            f"{told} and their towns found {100 * found:.0f} % {among}, by the dates alone "
            f"{100 * measured['found']:.0f} % (lower bounds, docs/attacks.md"
            f"{'' if noise == own else '; measured with more noise than here'})"
        )


def _openness(mode: Metric, places: PlanarNearest, measured: Mapping[str, Any]) -> Openness:
    """What makes a policy weaker, the larger it is; made-up patients have few towns."""
    towns = min(places.cap, measured["towns"])
    own = mode.epsilon_per_day, -mode.shift_days, mode.cap, places.epsilon_per_km, towns
    return tuple(map(Fraction, own))


def _no_stronger(own: Openness, other: Openness) -> bool:
    return all(mine >= theirs for mine, theirs in zip(own, other, strict=True))


def _measured(row: Mapping[str, Any], measured: Mapping[str, Any]) -> Openness:
    """The same of what was measured."""
    dates = measured["epsilon_per_day"], -measured["shift_days"], measured["cap"]
    return tuple(map(Fraction, (*dates, row["epsilon_per_km"], row["cap"])))


def _among(loss: Fraction) -> float:
    """The most with which one of `RECORDS` is named."""
    return 1 / (1 + (RECORDS - 1) * math.exp(-min(float(loss), _LARGEST)))


def _power(loss: Fraction) -> str:
    """e^loss, as a number while that can be read."""
    if loss >= _READABLE:
        return f"e^{figure(loss, 1)}"
    return f"{math.exp(loss):,.{0 if loss >= 3 else 2}f}"


def _percent(chance: float) -> str:
    return "more than 99.9 %" if chance > 0.999 else f"{100 * chance:.0f} %"
