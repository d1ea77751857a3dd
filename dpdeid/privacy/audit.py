"""Whether mechanisms keep the loss they state: exact ratios, certificates, samples, black boxes.

Four checks, each able to fail. `exact` compares the integers of a pmf; `certificate` those of a
place mechanism with true kilometres; `sampler` compares draws with the pmf, and must reject a pmf
that is 30 % off; `lower_bound` knows nothing of a mechanism and finds, from draws alone, an ε that
it exceeds but for a stated probability of failure. The first two prove, the others look.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from typing import Any, Final, Protocol

from dpdeid.privacy.exact import SCALE, exp_below, log_above
from dpdeid.privacy.losses import Amount, Epsilon, EpsilonPerDay, EpsilonPerKm, EpsilonPerStep, Loss
from dpdeid.privacy.mechanisms.contract import Mechanism
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.places.planar import PlanarLaplace
from dpdeid.privacy.rng import Source

SMALL: Final = 128
"""Domains up to this size are compared over all pairs of values."""
DRAWS: Final = 20_000
FAILURE: Final = 0.01
SIGMAS: Final = 5

_LEAST: Final = 25
_POOLS: Final = 24
_BINS: Final = 48
_RATES: Final = {"epsilon", "epsilon_per_day"}
_OFF: Final = (Fraction(7, 10), Fraction(13, 10))
_MAJOR_KM: Final = 6378.137
_SQUARED: Final = 0.0066943799901413


@dataclass(frozen=True, slots=True)
class Check:
    """One finding.

    Args:
        check: which kind of check.
        what: of which mechanism or case.
        stated: the loss that was stated, in the unit of `found`; None if nothing was.
        found: the loss that was found; infinite where an output is possible for one value only.
        passed: whether what was found is within what was stated.
        over: what was compared.
    """

    check: str
    what: str
    stated: float | None
    found: float
    passed: bool
    over: str = ""


def exact(mechanism: Mechanism, stated: Loss) -> Check:
    """The largest log-ratio of two weights of the pmf, over all pairs of values of a small domain,
    else over values near both ends, the middle and the quarters.

    The bound over all pairs of a large domain is `privacy_loss`, which is compared as well.
    """
    domain = mechanism.domain
    whole = len(domain) <= SMALL
    values = list(domain) if whole else sorted(_telling(domain))
    by_distance = isinstance(stated, EpsilonPerDay | EpsilonPerStep)
    near = [(one, other) for one, other in pairwise(values) if other == one + 1]
    groups: Sequence[Sequence[int]] = near if by_distance else [values]
    worst = [_worst([mechanism.pmf(value) for value in group]) for group in groups]
    apart = [_apart(mechanism, group) for group in groups]
    over = f"{'all' if whole else len(values)} values" + (", a day apart" if by_distance else "")
    found = max(map(_log_ratio, worst, apart))
    own = mechanism.privacy_loss()
    kept = (
        isinstance(stated, Epsilon | EpsilonPerDay | EpsilonPerStep)
        and type(own) is type(stated)
        and own.within(stated)
        and all(
            high * SCALE <= low * (exp_below(stated.amount * steps) if steps else SCALE)
            for (high, low), steps in zip(worst, apart, strict=True)
        )
    )
    return Check("exact", str(mechanism), _plain(stated), found, kept, over)


def _apart(mechanism: Mechanism, group: Sequence[int]) -> int:
    """By how many steps of its table two neighbours differ; a day or a pair is one."""
    if isinstance(mechanism, ProportionalNoise) and len(group) == 2:
        return mechanism.index(group[1]) - mechanism.index(group[0])
    return 1


def _log_ratio(pair: tuple[int, int], steps: int) -> float:
    """The log of a quotient, by step."""
    high, low = pair
    if high == low:
        return 0.0
    return float(log_above(high, low)) / steps if low and steps else math.inf


def _telling(domain: range) -> set[int]:
    """Values whose pmfs differ most from one another, and their neighbours."""
    first, last, size = domain[0], domain[-1], len(domain)
    quarters = {domain[size * at // 4] for at in (1, 2, 3)} | {domain[size // 100]}
    near = {first, first + 1, last - 1, last}
    return near | quarters | {value + 1 for value in quarters if value < last}


def _worst(rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The largest and the least probability of one output, over a common denominator, at the
    output where they are furthest apart; the least is 0 where supports differ.
    """
    totals = [sum(row) for row in rows]
    common = math.lcm(*set(totals))
    factors = [common // total for total in totals]
    best = (1, 1)
    for column in zip(*rows, strict=True):
        if factors[0] == factors[-1] == 1:
            high, low = max(column), min(column)
        else:
            scaled = [weight * by for weight, by in zip(column, factors, strict=True)]
            high, low = max(scaled), min(scaled)
        if high and high * best[1] > best[0] * low:
            best = (high, low)
    return best


def _plain(loss: Loss) -> float | None:
    return float(loss.amount) if isinstance(loss, Amount) else None


class OnPlaces(Protocol):
    """A place mechanism with one weight for each output."""

    def pmf(self, latitude: float, longitude: float) -> dict[int, int]: ...


def certificate(
    mechanism: OnPlaces | PlanarLaplace,
    positions: Sequence[tuple[float, float]],
    per_km: EpsilonPerKm,
    fixed: Epsilon | None = None,
) -> Check:
    """The largest log-ratio of two weights, over all pairs of positions and outputs, as a share of
    what is stated for them: ε × true kilometres, and what a place costs whatever the distance.

    The straight line through the earth is used for the kilometres: it is a little less.
    """
    weights = _cells(mechanism) if isinstance(mechanism, PlanarLaplace) else mechanism.pmf
    rows = {position: weights(*position) for position in positions}
    share = 0.0
    for one, other in combinations(positions, 2):
        ratio = _furthest(rows[one], rows[other])
        most = float(per_km.amount) * chord_km(one, other) + (float(fixed.amount) if fixed else 0)
        share = max(share, ratio / most)
    over = f"{len(positions)} places, all pairs; share of the stated loss"
    return Check("certificate", str(mechanism), 1.0, share, share <= 1, over)


def _furthest(one: dict[Any, int], other: dict[Any, int]) -> float:
    """The largest log-ratio either way, of probabilities over the outputs of both."""
    if one.keys() != other.keys():
        return math.inf
    first, second = sum(one.values()), sum(other.values())
    found = 0.0
    for output, weight in one.items():
        above, below = weight * second, other[output] * first
        if not above or not below:
            return 0.0 if above == below else math.inf
        found = max(found, abs(math.log(above) - math.log(below)))
    return found


def _cells(mechanism: PlanarLaplace) -> Callable[[float, float], dict[Any, int]]:
    """The weights of a coarse grid of lattice points, the rest being one more output."""
    reach = mechanism.reach
    steps = range(-reach, reach + 1, max(reach // 12, 1))

    def weights(latitude: float, longitude: float) -> dict[Any, int]:
        cell = mechanism.cell(latitude, longitude)
        points = [(i, j) for i in steps for j in steps]
        found: dict[Any, int] = {point: mechanism.pmf(cell, point)[0] for point in points}
        total = mechanism.pmf(cell, cell)[1]
        return {**found, "elsewhere": total - sum(found.values())}

    return weights


def chord_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The straight line between two positions on WGS 84, in km: at most their geodesic."""
    return math.dist(_earth(*one), _earth(*other))


def _earth(latitude: float, longitude: float) -> tuple[float, float, float]:
    phi, lam = math.radians(latitude), math.radians(longitude)
    normal = _MAJOR_KM / math.sqrt(1 - _SQUARED * math.sin(phi) ** 2)
    flat = normal * math.cos(phi)
    return flat * math.cos(lam), flat * math.sin(lam), normal * (1 - _SQUARED) * math.sin(phi)


def sampler(mechanism: Mechanism, value: int, source: Source, draws: int = DRAWS) -> Check:
    """How far draws lie from the pmf, in standard deviations of chi-square; at most five.

    Fails too where it has no power: the same draws must not fit the mechanism at 0.7 and 1.3 ε.
    """
    counts = Counter(mechanism.randomise(value, source) for _ in range(draws))
    names = {"share", "least"} if isinstance(mechanism, ProportionalNoise) else _RATES
    own = {name: getattr(mechanism, name) for name in names if hasattr(mechanism, name)}
    found = misfit(counts, mechanism.domain, mechanism.pmf(value))
    power = min(
        misfit(counts, mechanism.domain, off.pmf(value))
        for by in _OFF
        for off in [replace(mechanism, **{name: rate * by for name, rate in own.items()})]  # type: ignore[type-var]
    )
    over = f"{draws} draws; off by 30 %: {power:.0f}"
    passed = found <= SIGMAS < power
    return Check("sampler", str(mechanism), float(SIGMAS), found, passed, over)


def misfit(counts: Counter[int], domain: Sequence[int], weights: Sequence[int]) -> float:
    """Standard deviations by which chi-square exceeds its mean; outputs are pooled in order, up
    to 24 pools that expect at least 25 each. Infinite for an output that the pmf does not have.
    """
    draws, total = sum(counts.values()), sum(weights)
    if any(not weight and counts[at] for at, weight in zip(domain, weights, strict=True)):
        return math.inf
    pools: list[tuple[int, float]] = []
    seen, mass = 0, 0
    for at, weight in zip(domain, weights, strict=True):
        seen, mass = seen + counts[at], mass + weight
        if mass * draws >= max(_LEAST, draws / _POOLS) * total:
            pools.append((seen, mass * draws / total))
            seen, mass = 0, 0
    if pools:
        pools[-1] = (pools[-1][0] + seen, pools[-1][1] + mass * draws / total)
    freedom = max(len(pools) - 1, 1)
    statistic = sum((got - mean) ** 2 / mean for got, mean in pools)
    return (statistic - freedom) / math.sqrt(2 * freedom)


def lower_bound(
    one: Sequence[Hashable],
    other: Sequence[Hashable],
    *,
    failure: float = FAILURE,
    delta: float = 0.0,
) -> float:
    """An ε that is exceeded by whatever gave these outputs for two inputs, ≥ 0.

    True but for a probability of `failure`. An event is chosen on the even draws (either way, by
    likelihood ratio) and tested on the odd ones, by Clopper–Pearson bounds of its two
    probabilities. Numbers are taken in ranges, other outputs as they are.
    """
    bins = _binning([*one[::2], *other[::2]])
    events = [
        (_event(bins, first[::2], second[::2]), first[1::2], second[1::2])
        for first, second in ((one, other), (other, one))
    ]
    best = 0.0
    for event, inside, outside in events:
        often = sum(bins(output) in event for output in inside)
        rarely = sum(bins(output) in event for output in outside)
        least = at_least(often, len(inside), failure / 4) - delta
        most = 1 - at_least(len(outside) - rarely, len(outside), failure / 4)
        if least > 0:
            best = max(best, math.log(least / most))
    return best


def _binning(outputs: Sequence[Hashable]) -> Callable[[Hashable], Hashable]:
    """Ranges of numbers with about as many outputs each; the frequent ones of other outputs."""
    numbers = sorted(o for o in outputs if isinstance(o, int))
    if len(numbers) * 2 > len(outputs):
        cuts = sorted({numbers[len(numbers) * at // _BINS] for at in range(1, _BINS)})
        return lambda o: bisect_right(cuts, o) if isinstance(o, int) else str(o)
    common = {output for output, _ in Counter(outputs).most_common(_BINS)}
    return lambda o: o if o in common else "rare"


def _event(
    bins: Callable[[Hashable], Hashable], one: Iterable[Hashable], other: Iterable[Hashable]
) -> set[Hashable]:
    """The bins that tell the first input from the second best, counting their uncertainty."""
    first, second = Counter(map(bins, one)), Counter(map(bins, other))
    order = sorted(first, key=lambda b: ((second[b] + 0.5) / (first[b] + 0.5), str(b)))
    often = accumulate(first[b] for b in order)
    rarely = accumulate(second[b] for b in order)
    score = [
        math.log(max(n - 2 * math.sqrt(n), 1e-9)) - math.log(m + 2 * math.sqrt(m) + 4)
        for n, m in zip(often, rarely, strict=True)
    ]
    return set(order[: 1 + score.index(max(score))])


def at_least(hits: int, trials: int, failure: float) -> float:
    """Clopper–Pearson: what a probability is at least, but for `failure`, after so many hits."""
    if not hits:
        return 0.0
    low, high = 0.0, hits / trials
    for _ in range(50):
        middle = (low + high) / 2
        if _tail(hits, trials, middle) <= failure:
            low = middle
        else:
            high = middle
    return low


def _tail(hits: int, trials: int, chance: float) -> float:
    """P(at least `hits` of `trials`), for `hits` above the mean: terms fall from the first on."""
    if chance <= 0:
        return 0.0
    term = math.exp(
        math.lgamma(trials + 1)
        - math.lgamma(hits + 1)
        - math.lgamma(trials - hits + 1)
        + hits * math.log(chance)
        + (trials - hits) * math.log1p(-chance)
    )
    total, odds = 0.0, chance / (1 - chance)
    for at in range(hits, trials + 1):
        total += term
        if term < 1e-18:
            break
        term *= (trials - at) / (at + 1) * odds
    return total
