"""Every policy with a statement releases two records of one skeleton alike, but for its draws.

`make test` looks at 100 templates a policy, `make test-all` at 2,000 (DPDEID_TEMPLATES: another
number); `python -m dpdeid.testing.coupled` at as many as asked for.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from typing import Final

import pytest

from dpdeid.policy.policy import Policy, load_policy
from dpdeid.testing.coupled import Fuzzed, fuzz, stated_policies
from dpdeid.testing.coupled.__main__ import main
from dpdeid.testing.coupled.comparison import blinded, compared, is_stated, keeps_order
from dpdeid.testing.coupled.generate import pairs
from dpdeid.testing.coupled.skeleton import is_sound

MANY: Final = int(os.environ.get("DPDEID_TEMPLATES", "2000"))
STATED: Final = ("dp", "dp-strict", "hnfc-strict")
MOST_DISCARDED: Final = 0.05


def without_order(name: str) -> Policy:
    """A built-in policy with `ordered: false`."""
    policy = load_policy(name)
    at = next(i for i, strategy in enumerate(policy.strategies) if strategy.name == "dates")
    dates = policy.strategies[at]
    options = {"ordered": False, **({"decode": False} if hasattr(dates.timeline, "decode") else {})}  # type: ignore[attr-defined]
    dates = replace(dates, timeline=replace(dates.timeline, **options))  # type: ignore[attr-defined, type-var]
    strategies = (*policy.strategies[:at], dates, *policy.strategies[at + 1 :])
    return replace(policy, strategies=strategies)


@cache
def policies() -> dict[str, Policy]:
    """Every policy with a statement, with and without the order of dates."""
    unordered = {f"{name} without order": without_order(name) for name in STATED}
    return {policy.name: policy for policy in stated_policies()} | unordered


EVERY: Final = (*STATED, *(f"{name} without order" for name in STATED))


def is_clean(result: Fuzzed) -> bool:
    return not result.violations and result.discarded <= MOST_DISCARDED * result.templates


def test_the_policies_are_those_that_state_a_loss() -> None:
    assert set(policies()) == set(EVERY)
    assert not any(is_stated(load_policy(name)) for name in ("aphp", "hnfc", "chuv", "redact"))
    assert [keeps_order(policies()[name]) for name in EVERY] == [True] * 3 + [False] * 3


@pytest.mark.parametrize("name", STATED)
def test_nothing_goes_around_the_mechanisms(name: str) -> None:
    result = fuzz(policies()[name], 100, most=1)
    assert is_clean(result), "\n".join(map(str, result.violations))


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_nothing_goes_around_the_mechanisms_in_many_templates(name: str) -> None:
    result = fuzz(policies()[name], MANY, seed=1, most=3)
    assert is_clean(result), "\n".join([str(result), *map(str, result.violations)])


def test_pairs_differ_and_are_of_one_skeleton() -> None:
    for ordered in (True, False):
        made = [pair for at in range(200) if (pair := pairs(3, at, ordered=ordered))]
        assert len(made) > 190
        assert all(is_sound(pair, ordered=ordered) for pair in made)
        texts = [[pair.template.fill(x) for x in (pair.one, pair.other)] for pair in made]
        assert sum(one != other for one, other in texts) > 160


def test_a_release_that_sees_its_input_differs() -> None:
    """Or nothing would be drawn, and nothing shown by releases that are equal."""
    policy = load_policy("dp-strict")
    found = [pair for at in range(20) if (pair := pairs(0, at, ordered=True))]
    seeing = sum(compared(policy, pair) is not None for pair in found)
    with blinded():
        blind = sum(compared(policy, pair) is not None for pair in found)
    assert seeing > len(found) / 2
    assert blind == 0


def test_a_seed_makes_the_same_templates_again() -> None:
    assert pairs(5, 7, ordered=True) == pairs(5, 7, ordered=True) != pairs(6, 7, ordered=True)


def test_the_command_says_what_it_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--policy", "dp", "--templates", "5", "--seed", "2"]) == 0
    assert capsys.readouterr().out == "dp: 5 templates, 0 discarded, 0 that differ\n"
