"""Does a missed name stand out? A note names somebody several times and the detector misses some.

Where every mention of a name gets the same surrogate, the name that comes once beside one that
comes often is likely the true one. If surrogates change from mention to mention (`markov`, an
option of the strategy `people`), a missed name is one more of many. Carrell et al. 2013 (hiding in
plain sight).

The game is over a surrogate function, so that any way to replace a name can be measured. The
attacker sees the names of the note, has played the game alone beforehand, and names the one whose
count was most often that of a true name; of several, one at random. Only notes are attacked in
which some mentions, and not all, were missed.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from dpdeid import gazetteers
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.attacks.planted import planted
from dpdeid.evaluate.attacks.rates import Rate
from dpdeid.policy import Policy
from dpdeid.privacy.rng import KEY_BYTES, Stream
from dpdeid.substitute.people import People
from dpdeid.testing import marked

Replace = Callable[[Sequence[str], Stream], Sequence[str]]
"""The surrogates of the mentions of a note, one for each, in their order."""

MENTIONS: Final = (2, 3, 5, 8)
RECALLS: Final = (Fraction(8, 10), Fraction(95, 100))
_BORNE: Final = 5_000
"""True names are drawn from so many frequent ones."""


def by_policy(policy: Policy) -> Replace:
    """What a policy gives, each note apart, under a key of its own."""

    def replace(mentions: Sequence[str], stream: Stream) -> Sequence[str]:
        text, spans = marked(" ".join(f"Revu M. «LAST_NAME:{name}» ce jour." for name in mentions))
        key = stream.randbelow(1 << 256).to_bytes(KEY_BYTES, "big")
        result = Deidentifier(planted(policy, {text: spans}), key=key)(text)
        return [surrogate.text for surrogate in result.surrogates]

    return replace


def with_markov(policy: Policy, markov: Fraction) -> Policy:
    """The policy with this option of `people`; as it is where it has no such strategy."""
    changed = (
        dataclasses.replace(one, markov=markov) if isinstance(one, People) else one
        for one in policy.strategies
    )
    return dataclasses.replace(policy, strategies=tuple(changed))


@dataclass(frozen=True, slots=True)
class Hidden:
    """How often the attacker named the true name.

    Args:
        replaced: how names were replaced.
        mentions: of the name in a note.
        recall: of the detector, each mention on its own.
        blind: the mean chance of naming it among the different names at random.
    """

    replaced: str
    mentions: int
    recall: float
    named: Rate
    blind: float

    def to_json(self) -> dict[str, Any]:
        return {
            "replaced": self.replaced,
            "mentions": self.mentions,
            "recall": self.recall,
            "named": self.named.to_json(),
            "blind": self.blind,
        }


def hidden(
    replaced: str,
    replace: Replace,
    stream: Stream,
    *,
    mentions: int,
    recall: Fraction,
    trials: int = 1_000,
) -> Hidden:
    """Plays the game on so many notes, after as many to learn from.

    Args:
        replaced: what to call `replace`.
        recall: > 0, < 1, so that there are such notes.
    """
    play = partial(_note, replace, stream, mentions, recall)
    every: Counter[int] = Counter()
    true: Counter[int] = Counter()
    for original, seen in (play() for _ in range(trials)):
        every.update(seen.values())
        true[seen[original]] += 1
    outcomes, blind = [], 0.0
    for original, seen in (play() for _ in range(trials)):
        likely = {name: true[count] / max(every[count], 1) for name, count in seen.items()}
        most = max(likely.values())
        guess = stream.choice(sorted(name for name, chance in likely.items() if chance == most))
        outcomes.append(guess == original)
        blind += 1 / len(seen)
    return Hidden(replaced, mentions, float(recall), Rate.of(outcomes), blind / trials)


def _note(
    replace: Replace, stream: Stream, mentions: int, recall: Fraction
) -> tuple[str, Counter[str]]:
    """The true name of a note, and how often each name stands in what is released."""
    missed = [False]
    while not any(missed) or all(missed):
        below = (stream.randbelow(recall.denominator) for _ in range(mentions))
        missed = [drawn >= recall.numerator for drawn in below]
    original = stream.choice(gazetteers.surname_list()[:_BORNE])
    surrogates = replace([original] * (mentions - sum(missed)), stream)
    return original, Counter((*surrogates, *[original] * sum(missed)))
