"""Whether a missed name stands out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from dpdeid.evaluate.attacks.names import Replace, by_policy, hidden, with_markov
from dpdeid.evaluate.attacks.patients import made
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.rng import Stream

RECALL = Fraction(9, 10)


def consistent(mentions: Sequence[str], stream: Stream) -> Sequence[str]:
    return ["A"] * len(mentions)


def changing(chance: Fraction) -> Replace:
    """As `markov` is defined: a repeated mention gets a new surrogate with this chance."""

    def replaced(mentions: Sequence[str], stream: Stream) -> Sequence[str]:
        coins = [stream.randbelow(chance.denominator) < chance.numerator for _ in mentions[1:]]
        return [f"surrogate {sum(coins[:at])}" for at in range(len(mentions))]

    return replaced


def told(replace: Replace, mentions: int, trials: int = 300) -> tuple[float, float]:
    found = hidden("x", replace, made("hidden"), mentions=mentions, recall=RECALL, trials=trials)
    assert found.named.trials == trials
    return found.named.share, found.blind


def test_beside_one_surrogate_it_does() -> None:
    share, blind = told(consistent, 6)
    assert blind == 0.5
    assert share > 0.95


def test_of_two_mentions_one_is_as_likely_as_the_other() -> None:
    share, blind = told(consistent, 2)
    assert abs(share - blind) < 0.1


def test_changing_surrogates_hide_it() -> None:
    share, blind = told(changing(Fraction(9, 10)), 6)
    assert blind < 0.3
    assert share < told(consistent, 6)[0] / 2


def test_originals_left_as_they_are_cannot_be_told() -> None:
    def kept(mentions: Sequence[str], stream: Stream) -> Sequence[str]:
        return mentions

    assert told(kept, 4) == (1, 1)


def test_policies_replace_a_name_by_one() -> None:
    policy = load_policy("aphp")
    assert told(by_policy(policy), 5) == told(by_policy(with_markov(policy, Fraction(0))), 5)
    assert told(by_policy(policy), 5)[0] > 0.95


@pytest.mark.parametrize("chance", [Fraction(1, 10), Fraction(3, 10), Fraction(9, 10)])
def test_the_option_hides_a_name_as_its_definition_says(chance: Fraction) -> None:
    """Two games of 1,000 notes each: their rates differ by at most 0.022 standard, five times."""
    ours = told(by_policy(with_markov(load_policy("aphp"), chance)), 5, trials=1_000)
    defined = told(changing(chance), 5, trials=1_000)
    assert ours == pytest.approx(defined, abs=0.11)


def test_the_more_they_change_the_better() -> None:
    policy = load_policy("aphp")
    shares = [told(by_policy(with_markov(policy, Fraction(p, 10))), 6)[0] for p in (0, 1, 4, 8)]
    assert shares == sorted(shares, reverse=True)


def test_a_policy_that_draws_no_names_has_no_such_option() -> None:
    assert with_markov(load_policy("redact"), Fraction(1, 2)) == load_policy("redact")
