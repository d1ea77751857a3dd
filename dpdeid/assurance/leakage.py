"""How many bits a release tells at most, of one draw and of a whole record, in sentences.

Printed only where the weights of a mechanism prove it, and never for what another package states.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from dpdeid.policy.policy import Policy
from dpdeid.privacy.leakage import NAMED, RECORDS, Leakage
from dpdeid.protocols import Bounding

MEANING: Final = (
    "Leakage in bits, a bound: whoever sees the release guesses any secret about the noised values "
    "right at most 2^bits times as often as before, whatever they knew; the bits of several draws "
    f"add up. {NAMED:.1f} bits name one of {RECORDS:,} patients: a bound says nothing where it is "
    "above the bits that there are to guess. What the skeleton shows is not counted."
)


@lru_cache(maxsize=16)
def leakages(policy: Policy) -> tuple[Leakage, ...]:
    """What the strategies of a policy that have a proof tell; shares by counts have none."""
    own = (s for s in policy.strategies if isinstance(s, Bounding) and not policy.origin(s))
    found = () if policy.by_counts else tuple(s.leakage() for s in own)
    return tuple(leakage for leakage in found if leakage is not None)


def leakage_lines(policy: Policy) -> Iterator[str]:
    """The sentences of `check`; none where nothing is proved."""
    found = leakages(policy)
    if found:
        yield MEANING
    for leakage in found:
        draws = ", ".join(f"{what} {above(amount)}" for what, amount in leakage.draws.items())
        note = f" ({leakage.note})" if leakage.note else ""
        yield f"one draw of {leakage.of}, at most{note}: {draws}"
    for leakage in found:
        if leakage.record < NAMED:
            yield _record(leakage.of, leakage.record)
        else:
            yield (
                f"{leakage.of} of a whole record: {leakage.naming} of them may add up to a name, "
                "and beyond that their sum says nothing more; each still bounds what is told of "
                "one value"
            )
    record = sum(leakage.record for leakage in found)
    if len(found) > 1 and record < NAMED:
        yield _record("all of this together", record)
    elif len(found) > 1 and all(leakage.record < NAMED for leakage in found):
        yield (
            f"all of this together: at most {above(record)} bits a record, which may add up to a "
            "name, so that the sum says nothing more"
        )


def _record(of: str, record: float) -> str:
    chance = 100 * 2 ** (record - NAMED)
    return (
        f"{of} of a whole record: at most {above(record)} bits; whoever knows nothing else names "
        f"the right one of {RECORDS:,} by them with at most {above(chance)} %"
    )


def tenths(amount: float) -> float:
    """A figure rounded up to a tenth."""
    return math.ceil(10 * amount) / 10


def above(amount: float) -> str:
    """The same as text."""
    return f"{tenths(amount):.1f}"
