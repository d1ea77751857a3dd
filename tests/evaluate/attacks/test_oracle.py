"""Who may submit notes finds dates without the key."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdeid.evaluate.attacks.names import oracle
from dpdeid.evaluate.attacks.patients import made
from dpdeid.policy.policy import load_policy


@pytest.mark.parametrize("name", ["aphp", "dp"])
def test_the_true_day_is_always_among_those_that_fit(name: str) -> None:
    found = oracle(load_policy(name), made("oracle"), days=30, patients=6)
    assert found.held.share == 1
    assert found.left < 6
    assert found.named.hits >= 2


def test_fresh_randomness_stops_it() -> None:
    policy = replace(load_policy("dp"), randomness="system")
    found = oracle(policy, made("oracle"), days=30, patients=6)
    assert found.held.share < 1
    assert found.left < 2


def test_a_redacted_date_leaves_every_day() -> None:
    found = oracle(load_policy("redact"), made("oracle"), days=30, patients=3)
    assert found.left == 30
