"""A de-identifier whose mechanisms do not see their input and whose draws are named by position.

What is blinded, and nothing else:

- `randomise` of every mechanism: it draws from its own distribution as ever, but at an input that
  the position of the draw decides, not at the true one;
- the names of random streams: the n-th name that a strategy asks for is "n", and an equal name has
  the same number, so equalities stay what they are and no value names a draw.

All else runs as shipped: reading of dates and towns, which dates are equal, what anchors a note,
sides, caps and budgets, the choice of a mechanism and of its domain, what is over a cap, order,
decoding, clamps, ranges, rendering, articles, the ledger. So whatever two releases still differ in
went around the mechanisms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from dpdeid.cohort import Cohort
from dpdeid.privacy.exponential import Exponential
from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.laplace import BoundedLaplace
from dpdeid.privacy.place_tables import WeighedPlaces
from dpdeid.privacy.planar import PlanarLaplace
from dpdeid.privacy.prior_window import PriorWindow
from dpdeid.privacy.response import KRandomisedResponse
from dpdeid.privacy.rng import Source, Stream, Streams
from dpdeid.privacy.window import Window

OF_INTEGERS: Final = (
    BoundedLaplace,
    ClampedGeometric,
    Exponential,
    KRandomisedResponse,
    PriorWindow,
    Window,
)
OF_PLACES: Final = (PlanarLaplace, WeighedPlaces)


@contextmanager
def blinded() -> Iterator[None]:
    """Within it every mechanism of this process is blind; not for several threads."""
    seeing = {cls: cls.randomise for cls in (*OF_INTEGERS, *OF_PLACES)}
    try:
        for kind in OF_INTEGERS:
            _set(kind, _blind_integer(seeing[kind]))
        for place in OF_PLACES:
            _set(place, _blind_place(seeing[place]))
        yield
    finally:
        for cls, randomise in seeing.items():
            _set(cls, randomise)


def _set(cls: type, randomise: Callable[..., int]) -> None:
    type.__setattr__(cls, "randomise", randomise)


def _blind_integer(randomise: Callable[..., int]) -> Callable[[Any, int, Source], int]:
    def blind(mechanism: Any, value: int, source: Source) -> int:
        return randomise(mechanism, _somewhere(mechanism, source), source)

    return blind


def _blind_place(randomise: Callable[..., int]) -> Callable[[Any, float, float, Source], int]:
    def blind(mechanism: Any, latitude: float, longitude: float, source: Source) -> int:
        positions = mechanism.places.positions
        return randomise(mechanism, *positions[source.randbelow(len(positions))], source)

    return blind


def _somewhere(mechanism: Any, source: Source) -> int:
    """An input of the domain: of a prior, where there is one, else of any order of magnitude."""
    if isinstance(mechanism, PriorWindow):
        return mechanism.table[source.randbelow(len(mechanism.table))]
    domain: range = mechanism.domain
    away = source.randbelow(1 << source.randbelow(len(domain).bit_length()))
    near = 0 if 0 in domain else domain[0]
    return near + (away if source.randbelow(2) or near - away not in domain else -away)


class BlindStreams(Streams):
    """Streams that are named by the order in which they are first asked for, purpose by purpose."""

    def __init__(self, streams: Streams) -> None:
        super().__init__(streams.key, streams.unit, streams.scope)
        object.__setattr__(self, "_numbers", {})

    def named(self, *name: str) -> tuple[Stream, str]:
        return super().named(*self._position(name))

    def event(self, *name: str) -> str:
        return super().event(*self._position(name))

    def _position(self, name: tuple[str, ...]) -> tuple[str, str]:
        numbers: dict[str, dict[tuple[str, ...], int]] = getattr(self, "_numbers")  # noqa: B009
        known = numbers.setdefault(name[0], {})
        return name[0], str(known.setdefault(name, len(known)))


class BlindCohort(Cohort):
    """A cohort whose units have blind streams."""

    def streams(self, kind: str, id: str) -> Streams:  # noqa: A002 - as in the class above it
        return BlindStreams(Cohort.streams(self, kind, id))
