"""Whether a missed name stands out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpdeid.evaluate.attacks.hidden import Replace, by_policy, changing, consistent, hidden
from dpdeid.evaluate.attacks.patients import made
from dpdeid.policy import load_policy
from dpdeid.privacy.rng import Stream

RECALL = Fraction(9, 10)


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


def test_the_more_they_change_the_better() -> None:
    shares = [told(changing(Fraction(p, 10)), 6)[0] for p in (1, 4, 8)]
    assert shares == sorted(shares, reverse=True)


def test_never_changing_is_consistent() -> None:
    assert told(changing(Fraction(0)), 5) == told(consistent, 5)


def test_originals_left_as_they_are_cannot_be_told() -> None:
    def kept(mentions: Sequence[str], stream: Stream) -> Sequence[str]:
        return mentions

    assert told(kept, 4) == (1, 1)


def test_policies_replace_a_name_by_one() -> None:
    share, _ = told(by_policy(load_policy("aphp")), 5, trials=40)
    assert share > 0.8
