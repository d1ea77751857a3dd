"""Every policy with a statement releases two records of one skeleton alike, but for its draws.

`make test` looks at 100 templates a policy, `make test-all` at 2,000 (DPDEID_TEMPLATES: another
number); `python -m dpdeid.testing.coupled` at as many as asked for.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Final

import pytest

from dpdeid.labels import Label
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.testing.coupled import Fuzzed, fuzz, stated_policies
from dpdeid.testing.coupled.__main__ import main
from dpdeid.testing.coupled.comparison import blinded, compared, is_stated
from dpdeid.testing.coupled.generate import pairs
from dpdeid.testing.coupled.skeleton import is_sound

MANY: Final = int(os.environ.get("DPDEID_TEMPLATES", "2000"))
STATED: Final = ("dp", "dp-strict", "hnfc-strict")
MOST_DISCARDED: Final = 0.05


@cache
def policies() -> dict[str, Policy]:
    """Every policy with a statement."""
    return {policy.name: policy for policy in stated_policies()}


def is_clean(result: Fuzzed) -> bool:
    return not result.violations and result.discarded <= MOST_DISCARDED * result.templates


def test_the_policies_are_those_that_state_a_loss() -> None:
    assert set(policies()) == set(STATED)
    assert not any(is_stated(load_policy(name)) for name in ("aphp", "hnfc", "chuv", "redact"))


@pytest.mark.parametrize("name", STATED)
def test_nothing_goes_around_the_mechanisms(name: str) -> None:
    result = fuzz(policies()[name], 100, most=1)
    assert is_clean(result), "\n".join(map(str, result.violations))


@pytest.mark.slow
@pytest.mark.parametrize("name", STATED)
def test_nothing_goes_around_the_mechanisms_in_many_templates(name: str) -> None:
    result = fuzz(policies()[name], MANY, seed=1, most=3)
    assert is_clean(result), "\n".join([str(result), *map(str, result.violations)])


def test_pairs_differ_and_are_of_one_skeleton() -> None:
    made = [pair for at in range(200) if (pair := pairs(3, at))]
    assert len(made) > 190
    assert all(is_sound(pair) for pair in made)
    texts = [[pair.template.fill(x) for x in (pair.one, pair.other)] for pair in made]
    assert sum(one != other for one, other in texts) > 160


def test_a_release_that_sees_its_input_differs() -> None:
    """Or nothing would be drawn, and nothing shown by releases that are equal."""
    policy = load_policy("dp-strict")
    found = [pair for at in range(20) if (pair := pairs(0, at))]
    seeing = sum(compared(policy, pair) is not None for pair in found)
    with blinded():
        blind = sum(compared(policy, pair) is not None for pair in found)
    assert seeing > len(found) / 2
    assert blind == 0


def test_some_records_have_a_birth_that_the_hospital_knows() -> None:
    made = [pair.template for at in range(60) if (pair := pairs(4, at))]
    known = [template for template in made if any(note.known for note in template.notes)]
    assert 2 < len(known) < 20
    told = {slot.label for template in known for _, slot in template.slots if slot.var == "patient"}
    assert (
        {Label.BIRTH_DATE, Label.AGE, Label.SSN}
        <= told
        <= {
            Label.BIRTH_DATE,
            Label.AGE,
            Label.SSN,
            Label.PROVIDER_ID,
        }
    )  # of whose numbers FINESS tells a town alone


def test_a_seed_makes_the_same_templates_again() -> None:
    assert pairs(5, 7) == pairs(5, 7) != pairs(6, 7)


def test_the_command_says_what_it_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--policy", "dp", "--templates", "5", "--seed", "3"]) == 0
    assert capsys.readouterr().out == "dp: 5 templates, 0 discarded, 0 that differ\n"
