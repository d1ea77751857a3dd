"""What is remembered of a unit comes back as it was; what another id spent counts, and no more."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm, EpsilonPerStep, NoGuarantee
from dpdeid.privacy.memory import Memory
from dpdeid.privacy.places.release import Placed
from dpdeid.privacy.timeline.points import UNITS, Kind, Led, Past, Point, Released, Told

names = st.text(max_size=12)
losses = st.one_of(
    st.builds(Epsilon, st.fractions(Fraction(1, 100), 10)),
    st.builds(EpsilonPerKm, st.fractions(Fraction(1, 100), 10)),
    st.builds(EpsilonPerStep, st.fractions(Fraction(1, 100), 10)),
    st.builds(NoGuarantee, names.filter(bool)),
)
charges = st.lists(st.builds(Charge, names, names, names, losses), max_size=3).map(tuple)
days = st.integers(1, 3_000_000)
points = st.builds(
    Point,
    names,
    days,
    st.sampled_from(Kind),
    st.integers(0, 50),
    names,
    st.integers(0, 4_000),
    st.booleans(),
    st.none() | st.tuples(days, days),
    st.lists(st.builds(Told, names, st.integers(-99, 99), st.integers(-99, 99))).map(tuple),
    st.sampled_from(["", *UNITS]),
    st.none() | st.builds(Led, names, st.integers(0, 99), st.booleans()),
)
entries = st.tuples(points, st.builds(Released, st.none() | days, charges))
memories = st.builds(
    Memory,
    st.lists(entries, max_size=6, unique_by=lambda one: one[0].key).map(tuple).map(Past),
    st.dictionaries(
        st.tuples(names, names), st.builds(Placed, st.integers(0, 40_000), charges), max_size=4
    ),
    st.dictionaries(st.lists(names, min_size=1, max_size=3).map(tuple), names, max_size=4),
)


@given(memories)
def test_a_memory_comes_back_in_its_order(memory: Memory) -> None:
    again = Memory.from_json(memory.to_json())
    assert again == memory
    assert list(again.places) == list(memory.places)


def test_a_memory_shows_nothing_of_what_it_holds() -> None:
    point = Point("1950-03-12/day", 711_928, Kind.BIRTH, 0)
    memory = Memory(Past(((point, Released(700_000)),)), {("FR", "Brest"): Placed(7)})
    assert repr(memory) == "Memory()"


def test_a_copy_can_be_thrown_away() -> None:
    memory = Memory()
    copy = memory.copy()
    copy.places["FR", "Brest"] = Placed(7)
    copy.given["town", "brest"] = "Gannat"
    copy.past = Past(((Point("a", 1, Kind.NOTE, 0), Released(2)),))
    assert memory == Memory()


@given(memories, memories)
def test_what_another_id_spent_counts_once_and_is_never_used_again(
    memory: Memory, other: Memory
) -> None:
    before = memory.copy()
    memory.spent(other, "mark")
    once = memory.copy()
    memory.spent(other, "mark")
    assert memory == once

    mine = dict(before.past.entries)
    added = [(point, given) for point, given in memory.past.entries if point not in mine]
    assert [given.charges for _, given in added] == [
        given.charges for _, given in other.past.entries if given.charges
    ]
    assert all(given.day is None for _, given in added)
    assert not {point.key for point, _ in added} & {p.key for p, _ in other.past.entries}
    assert len(memory.places) - len(before.places) == sum(
        bool(placed.charges) for placed in other.places.values()
    )
