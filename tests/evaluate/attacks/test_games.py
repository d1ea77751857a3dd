"""The two games: never above their bounds, blind without a budget, sure without protection."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Literal

import numpy as np
import pytest

from dpdeid.evaluate.attacks.games import Knowledge, Played, many_releases, one_release
from dpdeid.evaluate.attacks.patients import Alike, Drawn, made
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.audit import at_least
from dpdeid.privacy.timeline.modes import Metric, Shift, Strict

RECORDS, TRIALS = 8, 150


def played(policy: Drawn, *, dates: int = 3, within: int | None = None) -> list[Played]:
    """Both games of an attacker who knows every date."""
    records = Alike.made_up(RECORDS, dates=dates, towns=0, within=within)
    known = [Knowledge(dates)]
    return [
        *one_release(policy, records, known, TRIALS, made("one")),
        *many_releases(policy, records, known, TRIALS, made("many")),
    ]


def of(mode: Metric | Shift | Strict) -> Drawn:
    return Drawn("test", mode, None)


def metric(rate: str, shift: int = 0, share: str = "0") -> Drawn:
    """The noise of all gaps is that of the first, or a share of them where that is more."""
    return of(
        Metric(
            epsilon_per_day=Fraction(rate),
            cap=9,
            before=(Fraction(share), 1 / Fraction(rate), 0),
            shift_days=shift,
        )
    )


def strict(epsilon: str, mechanism: Literal["window", "prior_window"] = "window") -> Drawn:
    return of(
        Strict(mechanism=mechanism, epsilon=Fraction(epsilon), birth_epsilon=Fraction(1), cap=9)
    )


@pytest.mark.parametrize("mechanism", ["window", "prior_window"])
def test_without_a_budget_it_is_a_blind_guess(
    mechanism: Literal["window", "prior_window"],
) -> None:
    for game in played(strict("1/1000000", mechanism)):
        assert game.found.low <= 1 / RECORDS <= game.found.high
        assert game.bound == pytest.approx(1 / RECORDS, rel=1e-3)


def test_a_shift_by_a_known_offset_is_linked_always() -> None:
    for game in played(of(Shift(days=30, offset=-7))):
        assert game.found.hits == TRIALS
        assert game.bound is None


@pytest.mark.parametrize(
    "policy",
    [
        metric("0.05"),
        metric("0.2"),
        metric("0.05", 365),
        metric("0.3", share="0.5"),
        strict("0.3"),
        strict("1", "prior_window"),
    ],
    ids=["0.05", "0.2", "shift", "share", "strict", "prior"],
)
def test_no_game_refutes_its_bound(policy: Drawn) -> None:
    for game in played(policy, within=5):
        assert game.bound is not None
        assert at_least(game.found.hits, game.found.trials, 1e-5) <= game.bound


def test_the_attack_has_power() -> None:
    """Close to what is proved where little is protected, and above a blind guess elsewhere."""
    for game in played(metric("0.05"), within=None):
        assert game.found.share > 0.9
    first, _ = played(metric("0.3"), within=5)
    assert first.found.low > 1.5 / RECORDS


def test_who_knows_more_finds_no_less() -> None:
    policy = metric("0.02", 365)
    records = Alike.made_up(RECORDS, dates=4, towns=0)
    known = [Knowledge(count) for count in (0, 1, 4)]
    none, one, every = one_release(policy, records, known, TRIALS, made("more"))
    assert none.found.low <= 1 / RECORDS <= none.found.high
    assert none.found.share < one.found.share < every.found.share
    assert none.bound == one.bound == every.bound


def test_the_published_design_shows_the_date_of_the_note() -> None:
    hnfc = replace(Drawn.of(load_policy("hnfc")), places=None)
    records = Alike.made_up(RECORDS, dates=2, towns=0)
    (game,) = one_release(hnfc, records, [Knowledge(1)], TRIALS, made("hnfc"))
    assert game.found.share > 0.8
    assert game.bound is None


def test_towns_that_are_known_tell() -> None:
    policy = Drawn.of(load_policy("dp"))
    records = Alike.made_up(RECORDS, dates=2, towns=1)
    known = [Knowledge(0), Knowledge(0, 1)]
    blind, told = one_release(policy, records, known, TRIALS, made("towns"))
    assert blind.found.high < told.found.low


@pytest.mark.parametrize("within", [None, 7])
def test_records_that_read_alike_do(within: int | None) -> None:
    records = Alike.made_up(40, dates=6, towns=2, within=within)
    assert (records.gaps[:, 0] >= 0).all()
    assert (records.gaps[:, 1] > 0).all()
    assert (np.diff(records.gaps[:, 1:], axis=1) > 0).all()
    assert (records.towns[:, 0] != records.towns[:, 1]).all()
    for at in range(len(records)):
        points = records.points(at)
        days = [point.day for point in points]
        assert days == sorted(days, reverse=True)
        assert len({point.name for point in points}) == 6
    if within is not None:
        assert (np.ptp(records.gaps, axis=0) <= 2 * within).all()
        assert all(len(set(column)) <= 10 for column in records.towns.T.tolist())


def test_close_towns_are_held_by_their_bound() -> None:
    policy = Drawn.of(load_policy("dp"))
    records = Alike.made_up(RECORDS, dates=2, towns=1, within=3)
    for games in (one_release, many_releases):
        (game,) = games(policy, records, [Knowledge(2, 1)], TRIALS, made("close"))
        assert game.bound is not None
        assert game.bound < 0.9
        assert at_least(game.found.hits, TRIALS, 1e-5) <= game.bound
