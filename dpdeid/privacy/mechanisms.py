"""Mechanisms on whole days with exact integer probabilities, under one contract.

Each draws one uniform integer of at most 64 bits and looks it up: no float, no retry that looks at
an output, and what is possible from one value is possible from every other. Values outside the
domain are clamped into it. The stated ε is proved: `privacy_loss` is computed from the integers
that are drawn from.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from dpdeid.privacy.exponential import Exponential
from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.laplace import BoundedLaplace
from dpdeid.privacy.losses import Loss
from dpdeid.privacy.prior_window import PriorWindow
from dpdeid.privacy.response import KRandomisedResponse
from dpdeid.privacy.rng import Source
from dpdeid.privacy.window import Window

__all__ = [
    "BoundedLaplace",
    "ClampedGeometric",
    "Exponential",
    "KRandomisedResponse",
    "Mechanism",
    "PriorWindow",
    "Window",
]


@runtime_checkable
class Mechanism(Protocol):
    """Randomises an integer of a finite domain."""

    @property
    def domain(self) -> range:
        """The values it takes and gives."""

    def randomise(self, value: int, source: Source) -> int:
        """A value of the domain, drawn with the weights of `pmf(value)`."""

    def pmf(self, value: int) -> tuple[int, ...]:
        """Integer weights, one for each value of the domain; they need not sum to one."""

    def privacy_loss(self) -> Loss:
        """A bound on the log-ratio of two pmfs, computed from their weights."""
