"""Who is found among all, with and without protection."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.attacks.linkage import ANY, Attacker, Search, attackers, linkage, named
from dpdeid.evaluate.attacks.patients import made, patients
from dpdeid.evaluate.attacks.traces import Event, Trace, known_of

PARIS, LYON, BREST = (48.86, 2.35), (45.76, 4.84), (48.39, -4.49)


def moved(trace: Trace, by: int) -> Trace:
    return Trace(tuple(day + by for day in trace.days), trace.towns)


def traces(count: int) -> list[Trace]:
    return [Trace(tuple(sorted(e.day for e in one.events))) for one in patients(count)]


def test_an_unchanged_release_is_linked_always() -> None:
    released = traces(100)
    found = linkage(
        released, list(enumerate(released)), 9, made("same"), tried=[Attacker(0, per_km=0)]
    )
    assert (found.found.hits, found.found.trials) == (100, 100)
    assert found.to_json()["bound"] is None


def test_a_common_move_is_undone() -> None:
    known = [trace for trace in traces(100) if len(trace.days) >= 6]
    released = [moved(trace, 97 * (at % 7) - 300) for at, trace in enumerate(known)]
    targets = list(enumerate(known))
    blind = linkage(released, targets, 9, made("no"), tried=[Attacker(0, per_km=0)])
    told = linkage(released, targets, 9, made("yes"), tried=[Attacker(365, per_km=0)])
    assert blind.found.high < 0.9
    assert told.found.hits == len(known)


def test_releases_that_say_nothing_leave_a_blind_guess() -> None:
    released = [Trace((730_000,))] * 50
    targets = [(at % 50, Trace((729_000 + 13 * at,))) for at in range(300)]
    found = linkage(released, targets, 1, made("blind"), tried=[Attacker(ANY, per_km=0)])
    assert found.found.low <= 1 / 50 <= found.found.high


@given(
    st.lists(st.integers(-90, 90), min_size=3, max_size=5, unique=True),
    st.lists(st.integers(-90, 90), min_size=1, max_size=3, unique=True),
    st.booleans(),
    st.sampled_from([0, 30, ANY]),
    st.sampled_from([0, 20]),
)
def test_the_cost_is_the_least_over_all_moves_and_matchings(
    days: list[int], known: list[int], robust: bool, move: int, slack: int
) -> None:
    attacker = Attacker(move, 0.05, 0.0, robust, slack)
    search = Search([Trace(tuple(days)), Trace((5_000,))])
    cost = search.costs(Trace(tuple(known)), attacker)[0]
    most = min(move + slack, 190)
    every = [
        sum(
            attacker.cost(
                np.array(
                    [0.05 * abs(day - by - a) for day, a in zip(own, sorted(known), strict=True)]
                )
            )
        )
        + attacker.cost(np.array(0.05 * max(abs(by) - move, 0)))
        for by in range(-most, most + 1)
        for own in combinations(sorted(days), len(known))
    ]
    assert cost == pytest.approx(min(every))


def test_a_town_tells_by_its_distance() -> None:
    search = Search([Trace((), (PARIS,)), Trace((), (LYON, BREST)), Trace(())])
    costs = search.costs(Trace((), (LYON,)), Attacker(0, per_km=0.1))
    assert costs[1] == 0
    assert costs[0] == pytest.approx(0.1 * 392, rel=0.02)
    assert costs[2] > costs[0]


def test_by_one_town_only_the_one_that_fits_best_counts() -> None:
    search = Search([Trace((), (LYON,)), Trace((), (PARIS, LYON)), Trace((), (BREST,))])
    known = Trace((), (LYON, PARIS))
    by_all = search.costs(known, Attacker(0, per_km=0.1))
    by_one = search.costs(known, Attacker(0, per_km=0.1, one_town=True))
    assert by_one[:2].tolist() == [0, 0]
    assert by_all[0] == pytest.approx(0.1 * 392, rel=0.02)
    assert 0 < by_one[2] < by_all[2]


def test_equal_costs_are_told_apart_by_chance() -> None:
    seen = {named(np.array([1.0, 0.0, 0.0]), made(f"tie {at}")) for at in range(20)}
    assert seen == {1, 2}


def test_the_attacker_is_chosen_on_targets_that_are_not_counted() -> None:
    known = traces(90)
    released = [moved(trace, 200) for trace in known]
    tried = attackers(per_km=0)
    found = linkage(released, list(enumerate(known)), 9, made("chosen"), tried=tried)
    assert found.found.trials == 60
    assert found.found.share > 0.9
    assert "common move" in found.attacker


def test_what_is_known_of_events() -> None:
    events = [Event(3, LYON), Event(1, PARIS), Event(2, LYON), Event(9)]
    every, two = known_of(events, 9, made("all")), known_of(events, 2, made("two"))
    assert every.days == (1, 2, 3, 9)
    assert set(every.towns) == {LYON, PARIS}
    assert len(every.towns) == len(two.days) == 2


def test_a_date_that_is_missing_counts_like_the_longest_distance() -> None:
    attacker = Attacker(0, per_day=1.0, per_km=0.0)
    costs = Search([Trace((100,)), Trace(())]).costs(Trace((100, 101)), attacker)
    assert costs.tolist() == [10_000, 20_000]
