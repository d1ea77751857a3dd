"""Outlines of countries: drawn from the shipped places, and holding them."""

from __future__ import annotations

import gzip
import importlib
import math
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

LISTS = Path(__file__).parent.parent / "gazetteers"
FARTHEST = 15.0
"""Kilometres that a town may lie outside of its country."""


@pytest.fixture(scope="module")
def step() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(LISTS))
        return importlib.import_module("steps.outlines")


@pytest.fixture(scope="module")
def rows() -> list[str]:
    return gzip.decompress((LISTS / "places.tsv.gz").read_bytes()).decode().splitlines()


def test_the_shipped_outlines_are_those_of_the_shipped_places(
    step: ModuleType, rows: list[str]
) -> None:
    wanted = "".join(f"{line}\n" for line in step.outlines(rows))
    assert (LISTS / "outlines.tsv").read_text(encoding="utf-8") == wanted


def test_every_town_lies_in_its_country(step: ModuleType, rows: list[str]) -> None:
    rings: dict[str, list[list[tuple[float, float]]]] = defaultdict(list)
    for line in (LISTS / "outlines.tsv").read_text(encoding="utf-8").splitlines():
        country, points = line.split("\t")
        pairs = [tuple(map(float, point.split(","))) for point in points.split(" ")]
        assert 4 <= len(pairs) <= 200
        rings[country].append([plane(*pair) for pair in pairs])
    assert set(rings) == {"FR", "CH", "BE", "LU"}
    asked = 0
    for row in rows[::7]:
        _, name, country, _, department, _, _, _, north, east, _ = row.split("\t")
        if country != "FR" or len(department) != 3:
            town = plane(float(north), float(east))
            near = any(
                step.inside(town, ring) or step.away(town, ring) <= FARTHEST
                for ring in rings[country]
            )
            assert near, name
            asked += 1
    assert asked > 4_000


def plane(north: float, east: float) -> tuple[float, float]:
    return east * 111.2 * math.cos(math.radians(47)), north * 111.2


def test_a_town_far_from_the_others_has_an_island(step: ModuleType) -> None:
    land = [(5.0 * i, 5.0 * j) for i in range(8) for j in range(8)]
    around, island = step.rings(sorted([*land, (90.0, 20.0)]), 18.0, 1.0)
    assert step.area(around) == pytest.approx(35 * 35, rel=0.1)
    assert step.inside((90.0, 20.0), island)
    assert not step.inside((90.0, 20.0), around)


def test_land_without_towns_is_no_hole(step: ModuleType) -> None:
    lake = {(x, y) for x in range(30, 70, 5) for y in range(30, 70, 5)}
    land = [(float(x), float(y)) for x in range(0, 100, 5) for y in range(0, 100, 5)]
    (around,) = step.rings([one for one in land if one not in lake], 10.0, 1.0)
    assert step.inside((50.0, 50.0), around)


@given(st.integers(0, 10_000), st.integers(8, 120), st.floats(0.5, 20))
def test_a_thinned_ring_stays_near(step: ModuleType, seed: int, size: int, most: float) -> None:
    turns = [2 * math.pi * at / size for at in range(size)]
    ring = [
        (
            (50 + (seed * at * 7919) % 17) * math.cos(turn),
            (50 + (seed * at * 104729) % 13) * math.sin(turn),
        )
        for at, turn in enumerate(turns)
    ]
    thinned = step.thin(ring, most)
    assert set(thinned) <= set(ring)
    assert all(step.away(point, thinned) <= most + 1e-9 for point in ring)
