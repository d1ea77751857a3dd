"""Blind mechanisms look at nothing but the randomness; named streams at nothing but positions."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import dpdeid.privacy
from dpdeid.assurance.audit import france
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.places.planar import PlanarLaplace
from dpdeid.privacy.places.weighted import qp_weighted
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline.priors import log_uniform
from dpdeid.testing.coupled.comparison import OF_INTEGERS, OF_PLACES, BlindStreams, blinded

ONE = Fraction(1)
INTEGERS = (
    BoundedLaplace(epsilon=ONE, upper=660),
    ClampedGeometric(epsilon_per_day=Fraction(1, 20), lower=-900, upper=900),
    PriorWindow(epsilon=Fraction(4), table=tuple(log_uniform(600).table)),
    ProportionalNoise(share=Fraction(1, 2), least=Fraction(2), upper=36_500),
    Window(epsilon=Fraction(4), upper=600),
)
LYON, BREST = (45.76, 4.84), (48.39, -4.49)


def drawn(mechanism: Any, *value: float) -> list[int]:
    return [mechanism.randomise(*value, Stream(n.to_bytes(32, "big"))) for n in range(60)]


@pytest.mark.parametrize("mechanism", INTEGERS, ids=lambda one: type(one).__name__)
def test_a_blind_draw_is_the_same_for_any_value_and_a_seeing_one_is_not(mechanism: Any) -> None:
    assert drawn(mechanism, 3) != drawn(mechanism, 500)
    with blinded():
        blind = drawn(mechanism, 3)
        assert blind == drawn(mechanism, 500)
        assert len(set(blind)) > 20, "inputs of many sizes, or little is tested behind a draw"
    assert drawn(mechanism, 3) != drawn(mechanism, 500)


def test_so_is_a_blind_draw_of_a_place() -> None:
    for mechanism in (
        PlanarLaplace(epsilon_per_km=Fraction(1, 10), places=france()),
        qp_weighted(Fraction(1, 10), france()),
    ):
        assert drawn(mechanism, *LYON) != drawn(mechanism, *BREST)
        with blinded():
            assert drawn(mechanism, *LYON) == drawn(mechanism, *BREST)
        assert drawn(mechanism, *LYON) != drawn(mechanism, *BREST)


def drawing() -> Iterator[type]:
    """Every class of the room of privacy that randomises something."""
    for found in pkgutil.walk_packages(dpdeid.privacy.__path__, "dpdeid.privacy."):
        module = importlib.import_module(found.name)
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if cls.__module__ == module.__name__ and "randomise" in vars(cls):
                yield cls


def test_no_mechanism_is_left_seeing() -> None:
    mechanisms = {cls for cls in drawing() if not getattr(cls, "_is_protocol", False)}
    assert mechanisms == {*OF_INTEGERS, *OF_PLACES}


def test_streams_are_named_by_position_and_equal_names_are_one() -> None:
    def first(*names: tuple[str, ...]) -> list[int]:
        streams = BlindStreams(Streams(bytes(32), "unit"))
        return [streams.stream(*name).randbelow(10**9) for name in names]

    a, b, c = ("dates", "2024-03-12"), ("dates", "2025-06-01"), ("places", "Lyon")
    assert first(a, b, c, a) == first(b, a, c, b)
    assert first(a, b, c)[0] != first(a, b, c)[1]
    assert first(c, a)[1] == first(a, c)[0], "each strategy counts for itself"
    assert first(a, a) != first(a, b), "an equality stays what it is"
