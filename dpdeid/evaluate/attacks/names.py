"""Names under attack: by how often they come, and by whether a missed one stands out.

`frequency`: the attacker knows how many patients bear each name and matches names and surrogates by
rank. Where a name has one surrogate for everybody, the most frequent surrogate is the most frequent
name; where each patient has a surrogate of their own, this fails.

`hidden`: a note names somebody several times and the detector misses some (hiding in plain sight,
Carrell et al. 2013). Where every mention of a name gets the same surrogate, the name that comes
once beside one that comes often is likely the true one. If surrogates change from mention to
mention (`markov`, an option of the strategy `people`), a missed name is one more of many. The
attacker has played the game alone beforehand, and names the one whose count was most often that of
a true name. Only notes are attacked in which some mentions, and not all, were missed.

`oracle`: somebody may submit notes for a patient, without the key. Equal values have equal
surrogates, so they submit a note for every day of a range and look which give the surrogate that
was released. No policy stops this but `randomness: system`; what does is that nobody else may
submit notes (docs/privacy.md).
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from statistics import mean
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.detect.merge.published import Union
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.attacks.rates import Finding, Rate
from dpdeid.policy.policy import Policy
from dpdeid.privacy.rng import KEY_BYTES, Stream
from dpdeid.substitute.people.strategy import People
from dpdeid.testing import KEY, marked


@dataclass(frozen=True, slots=True)
class Planted:
    """Finds in a text the spans that are given for it, and nothing in any other."""

    name: ClassVar[str] = "planted"

    spans: Mapping[str, Iterable[Span]] = field(repr=False)

    def __call__(self, doc: Document) -> Iterable[Span]:
        return self.spans.get(doc.text, ())


def planted(policy: Policy, spans: Mapping[str, Iterable[Span]]) -> Policy:
    """The policy with perfect detection on these texts."""
    return replace(policy.found_by(Planted(spans), merge=Union()), propagators=())


_NOTED: Final = dt.date(2024, 6, 14)


@dataclass(frozen=True, slots=True)
class Oracle(Finding):
    """How far submitting notes narrowed a day down.

    Args:
        submitted: notes that were submitted for one patient, one for each day of the range.
        held: how often the true day was among those that fit.
        left: on average how many days fit.
        named: how often the true day was named, one of those that fit at random.
    """

    submitted: int
    held: Rate
    left: float
    named: Rate


def oracle(policy: Policy, stream: Stream, *, days: int = 60, patients: int = 50) -> Oracle:
    """Attacks one date of each patient, known to lie within so many days before a note."""
    tried = [_NOTED - dt.timedelta(back) for back in range(1, days + 1)]
    notes = {day: marked(f"Opéré le «DATE:{day:%d/%m/%Y}».") for day in tried}
    engine = Deidentifier(planted(policy, dict(notes.values())), key=KEY)
    held, named, left = [], [], []
    for patient in range(patients):
        secret = stream.choice(tried)
        shown = {
            day: engine(Document("x", text, patient_id=f"{patient}", note_date=_NOTED)).text
            for day, (text, _) in notes.items()
        }
        released = engine(Document("x", notes[secret][0], f"{patient}", _NOTED)).text
        fitting = [day for day, text in shown.items() if text == released]
        held.append(secret in fitting)
        named.append(bool(fitting) and stream.choice(fitting) == secret)
        left.append(len(fitting))
    return Oracle(days, Rate.of(held), mean(left), Rate.of(named))


@dataclass(frozen=True, slots=True)
class Naming:
    """A name of a record and what replaced it, both folded."""

    record: str = field(repr=False)
    original: str = field(repr=False)
    surrogate: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Frequency(Finding):
    """How many names their frequency gives away.

    Args:
        names: different originals.
        surrogates: different surrogates.
        matched: surrogates whose name the ranks give; one trial a surrogate.
        blind: how many of these a random match gives on average, as a share.
        shared: pairs of records with a common name whose surrogates are equal too; each name is
            looked at in the first record that has it and every other.
    """

    names: int
    surrogates: int
    matched: Rate
    blind: float
    shared: Rate


def frequency(namings: Iterable[Naming]) -> Frequency:
    """The attack on all names of a release."""
    distinct = {(n.record, n.original, n.surrogate) for n in namings}
    originals = Counter(name for name, _ in {(o, r) for r, o, _ in distinct})
    surrogates = Counter(name for name, _ in {(s, r) for r, _, s in distinct})
    true: dict[str, set[str]] = defaultdict(set)
    for _, original, surrogate in distinct:
        true[surrogate].add(original)
    guesses = zip(_ranked(surrogates), _ranked(originals), strict=False)
    right = sum(original in true[surrogate] for surrogate, original in guesses)
    blind = sum(len(names) / len(originals) for names in true.values())
    return Frequency(
        len(originals),
        len(surrogates),
        Rate(right, len(surrogates)),
        blind / len(surrogates) if surrogates else 0.0,
        _shared(distinct),
    )


def _ranked(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))


def _shared(distinct: Iterable[tuple[str, str, str]]) -> Rate:
    borne: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record, original, surrogate in sorted(distinct):
        borne[original][record].add(surrogate)
    outcomes = []
    for records in borne.values():
        first, *others = records.values()
        outcomes += [not first.isdisjoint(other) for other in others]
    return Rate.of(outcomes)


Replace = Callable[[Sequence[str], Stream], Sequence[str]]
"""The surrogates of the mentions of a note, one for each, in their order."""

MENTIONS: Final = (2, 3, 5, 8)
RECALLS: Final = (Fraction(8, 10), Fraction(95, 100))
_BORNE: Final = 5_000
"""True names are drawn from so many frequent ones."""


def by_policy(policy: Policy) -> Replace:
    """What a policy gives, each note apart, under a key of its own."""

    def surrogates(mentions: Sequence[str], stream: Stream) -> Sequence[str]:
        text, spans = marked(" ".join(f"Revu M. «LAST_NAME:{name}» ce jour." for name in mentions))
        key = stream.randbelow(1 << 256).to_bytes(KEY_BYTES, "big")
        result = Deidentifier(planted(policy, {text: spans}), key=key)(text)
        return [surrogate.text for surrogate in result.surrogates]

    return surrogates


def with_markov(policy: Policy, markov: Fraction) -> Policy:
    """The policy with this option of `people`; as it is where it has no such strategy."""
    changed = (
        replace(one, markov=markov) if isinstance(one, People) else one for one in policy.strategies
    )
    return replace(policy, strategies=tuple(changed))


@dataclass(frozen=True, slots=True)
class Hidden(Finding):
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
