"""k-ary randomised response: for values without a distance between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from dpdeid.privacy.domains import checked_epsilon
from dpdeid.privacy.exact import text
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.rng import Source
from dpdeid.privacy.two_weights import TwoWeights, two_weights

MAX_OPTIONS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KRandomisedResponse:
    """The value itself with weight e^ε, any of 0..options − 1 otherwise with weight 1; ε-LDP.

    Unit: one choice among `options`, given by index. Optimal for choices without a distance when ε
    is large. Kairouz et al. 2014.

    Args:
        epsilon: > 0, exact.
        options: how many choices there are, 2 to 1,000,000.

    `weights` are the two weights.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon: Fraction
    options: int
    weights: TwoWeights = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = checked_epsilon(self.epsilon, "epsilon")
        if type(self.options) is not int or not 2 <= self.options <= MAX_OPTIONS:
            raise ValueError(f"options must be a whole number between 2 and {MAX_OPTIONS}")
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "weights", two_weights(epsilon, self.options, 1))

    def __str__(self) -> str:
        return f"randomised-response(epsilon={text(self.epsilon)}, options={self.options})"

    @property
    def domain(self) -> range:
        return range(self.options)

    def randomise(self, value: int, source: Source) -> int:
        """An option; unlike the mechanisms on days it has no nearest value to clamp to.

        Raises:
            ValueError: not one of the options.
        """
        self._check(value)
        return self.weights.draw(value, source)

    def pmf(self, value: int) -> tuple[int, ...]:
        self._check(value)
        weights = [self.weights.outside] * self.options
        weights[value] = self.weights.inside
        return tuple(weights)

    def _check(self, value: int) -> None:
        if value not in self.domain:
            raise ValueError("the value is not one of the options")

    def privacy_loss(self) -> Epsilon:
        """ln of the two weights; every total is the same."""
        return self.weights.loss()
