"""A template with two fillings: two records, of one skeleton if the pair is sound."""

from __future__ import annotations

from dataclasses import dataclass

from dpdeid.testing.coupled.skeleton import skeleton
from dpdeid.testing.coupled.template import Filling, Template


@dataclass(frozen=True, slots=True)
class Pair:
    """A template and two fillings of one skeleton.

    Args:
        number: of the template, for messages.
        seed: of the key under which both are released.
    """

    template: Template
    one: Filling
    other: Filling
    number: int = 0
    seed: int = 0


def is_sound(pair: Pair, *, ordered: bool) -> bool:
    """Whether its fillings have one skeleton."""
    one = skeleton(pair.template, pair.one, ordered=ordered)
    return one is not None and one == skeleton(pair.template, pair.other, ordered=ordered)
