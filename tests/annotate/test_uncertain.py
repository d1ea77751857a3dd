"""The riskiest units: every word counts where it stands, and the share is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.annotate.chunks import drawn, units_of
from dpdeid.annotate.uncertain import expected, most
from dpdeid.annotate.units import Unit
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.fasdim.reading.places import left

NOTE = Document(
    "n", "Compte rendu\r\n\r\n  Vu par Gwenvael Kerzoncuf 🙂, satisfait.\nTension 12/8, pouls 60."
)


@pytest.fixture(scope="module")
def engine() -> Deidentifier:
    return Deidentifier("redact")


def test_risks_are_those_of_the_review_and_none_is_lost(engine: Deidentifier) -> None:
    units = list(units_of(NOTE))
    worth = expected(units, {"n": NOTE}, engine.detect)
    places = left(NOTE, engine.detect).places
    assert places
    assert sum(worth.values()) == pytest.approx(sum(place.risk for place in places))
    for unit in units:
        own = [p.risk for p in places if unit.start <= p.start < unit.start + len(unit.text)]
        assert worth[unit.id] == pytest.approx(sum(own))


def test_a_unit_without_a_word_is_worth_nothing(engine: Deidentifier) -> None:
    note = Document("m", "----\nVu par Gwenvael")
    worth = expected(units_of(note), {"m": note}, engine.detect)
    assert worth["m#0"] == 0.0
    assert worth.keys() == {"m#0", "m#1"}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.floats(0, 1), st.integers(0, 9))
def test_the_share_is_worth_most_and_keeps_its_order(
    worths: list[int], share: float, seed: int
) -> None:
    units = drawn((Unit(f"n#{at}", "n", "", 0, "x") for at in range(len(worths))), seed)
    worth = {f"n#{at}": float(value) for at, value in enumerate(worths)}
    chosen = most(units, worth, share)
    assert len(chosen) == max(1, round(share * len(units)))
    rest = [unit for unit in units if unit not in chosen]
    assert chosen == [unit for unit in units if unit in chosen]
    if rest:
        assert min(worth[u.id] for u in chosen) >= max(worth[u.id] for u in rest)
