"""All attacks on made-up patients of a policy."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from dpdeid.errors import UsageError
from dpdeid.evaluate.attacks.names import with_markov
from dpdeid.evaluate.attacks.patients import E0, Drawn, patients, released
from dpdeid.evaluate.attacks.simulated import Sizes, attack_policy, linked
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.timeline.modes import Shift

FEW = Sizes(patients=150, targets=30, alike=4, trials=10, releases=3, notes=20, submitters=2)


@pytest.mark.parametrize("name", ["aphp", "dp"])
def test_every_attack_is_in_the_report(name: str) -> None:
    found = attack_policy(load_policy(name), sizes=FEW, known=(1, 3))
    assert found["records"] == 150
    assert [(row["known"], row["towns"]) for row in found["linkage"]] == [
        (1, False), (3, False), (1, True), (3, True),
    ]  # fmt: skip
    assert {row["game"] for row in found["games"]} == {"one_release", "many_releases"}
    assert {row["bound"] is None for row in found["games"]} == {name == "aphp"}
    assert {"uniqueness", "averaging", "frequency", "hidden", "oracle"} <= found.keys()
    assert json.loads(json.dumps(found)) == found


def test_a_missed_name_is_sought_with_markov_too() -> None:
    policy = load_policy("hnfc")
    found = attack_policy(policy, sizes=FEW, known=(1,))["hidden"]
    assert {row["replaced"] for row in found} == {"hnfc", "markov 0.3"}
    changing = with_markov(policy, Fraction(3, 10))
    found = attack_policy(changing, sizes=FEW, known=(1,))["hidden"]
    assert {row["replaced"] for row in found} == {"hnfc"}


def test_it_is_the_same_every_time() -> None:
    policy = load_policy("aphp")
    assert attack_policy(policy, sizes=FEW, known=(2,)) == attack_policy(
        policy, sizes=FEW, known=(2,)
    )


def test_a_policy_without_dates_has_nothing_to_simulate() -> None:
    with pytest.raises(UsageError, match="policy redact replaces no date"):
        Drawn.of(load_policy("redact"))


@pytest.mark.parametrize("setting", ["stays", "life"])
def test_made_up_patients(setting: str) -> None:
    made = patients(200, setting)  # type: ignore[arg-type]
    for one in made:
        assert 3 <= len(one.points) == len({p.day for p in one.points}) <= 9
        assert len(one.events) == len(one.points)
    decades = [p for one in made for p in one.points if p.day < E0 - 3_652]
    assert bool(decades) == (setting == "life")
    assert made == patients(200, setting)  # type: ignore[arg-type]


def test_releases_follow_the_policy() -> None:
    (one,) = patients(1)
    aphp, dp = (Drawn.of(load_policy(name)) for name in ("aphp", "dp"))
    before = [point.day for point in one.points]
    after = released(aphp, one, "x").days
    assert len({a - b for a, b in zip(after, before, strict=True)}) == 1
    assert len({a - b for a, b in zip(released(dp, one, "x").days, before, strict=True)}) > 1
    assert released(dp, one, "x") == released(dp, one, "x") != released(dp, one, "y")


def test_an_attacker_takes_off_what_moves_every_date() -> None:
    """Offsets of two years each, the second from six years on: they hide a record as well."""
    people = patients(400)
    shares = []
    for mode in (Shift(days=731), Shift(days=3_000, least=2_270)):
        drawn = Drawn("shift", mode, None)
        traces = [released(drawn, one, f"{at}") for at, one in enumerate(people)]
        shares.append(linked(drawn, people, traces, 2, 300, towns=False).found.share)
    assert shares[0] == pytest.approx(shares[1], abs=0.1)
