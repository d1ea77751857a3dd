"""How well each true value explains a noisy one: for decoding, after the draw.

Floats, because nothing here is a draw: what is computed from outputs and public constants costs no
privacy, however it is rounded. It must be the same on every machine, though, or one date would be
released in two ways; so only + − × ÷ are used, which IEEE 754 fixes to the last bit, and no exp.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul
from typing import Final

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.laplace import BoundedLaplace
from dpdeid.privacy.prior_window import PriorWindow
from dpdeid.privacy.window import Window

_FALLS: Final = 4
"""Within so many times the mean noise the likelihood of a falling noise is looked at closely."""

Decodable = PriorWindow | Window | BoundedLaplace | ClampedGeometric


def likelihood(mechanism: Decodable, output: int, values: Sequence[int]) -> list[float]:
    """P(output | value) for each of these values of the domain, ascending, up to one factor."""
    if isinstance(mechanism, PriorWindow | Window):
        table = _table(mechanism)
        first, last = bisect_left(table, output), bisect_right(table, output)
        size, more = mechanism.size, mechanism.weights.inside / mechanism.weights.outside - 1.0
        low, high = neighbourhood(mechanism, output)  # further away no window holds the output
        low, high = bisect_left(values, low), bisect_right(values, high)
        starts = map(mechanism.start, values[low:high])
        shared = [max(min(last, start + size) - max(first, start), 0) for start in starts]
        least = float(last - first)
        near = [least + more * entries for entries in shared]
        return [least] * low + near + [least] * (len(values) - high)
    if isinstance(mechanism, BoundedLaplace):
        upper = mechanism.upper
        powers, sums = _falling(mechanism.epsilon / upper, upper)
        return [powers[abs(v - output)] / (sums[v] + sums[upper - v] - 1.0) for v in values]
    powers, _ = _falling(mechanism.epsilon_per_day, mechanism.upper - mechanism.lower)
    return [powers[abs(value - output)] for value in values]


def neighbourhood(mechanism: Decodable, output: int) -> tuple[int, int]:
    """The first and the last value that explain an output well."""
    domain = mechanism.domain
    if isinstance(mechanism, PriorWindow | Window):
        table, size = _table(mechanism), mechanism.size
        first, last = bisect_left(table, output), bisect_right(table, output) - 1
        low = 0 if first < size else first - size + 1 + size // 2
        high = len(table) - 1 if last >= len(table) - size else last + size // 2
        return table[low], table[high]
    rate = (
        mechanism.epsilon / mechanism.upper
        if isinstance(mechanism, BoundedLaplace)
        else mechanism.epsilon_per_day
    )
    reach = int(_FALLS / rate) + 1
    return max(output - reach, domain[0]), min(output + reach, domain[-1])


def _table(mechanism: PriorWindow | Window) -> Sequence[int]:
    return mechanism.table if isinstance(mechanism, PriorWindow) else mechanism.domain


@lru_cache(maxsize=32)
def _falling(rate: Fraction, width: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """exp(−rate · d) for d = 0 … width, and the sums of these as far as each."""
    step = SCALE / exp_below(rate)
    powers = tuple(accumulate(repeat(step, width), mul, initial=1.0))
    return powers, tuple(accumulate(powers))
