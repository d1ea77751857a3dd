"""What the answers say of these notes: what is missed, the recall, each with its interval, and both
as reading went on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import accumulate

from dpdeid.evaluate.missed import Asked, Missed, missed
from dpdeid.fasdim.reading.answers import Answer, Answers
from dpdeid.fasdim.reading.places import Chosen, Key, Left

Interval = tuple[float, float, float]
"""What is likely, and the two ends."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What was read, and what follows.

    Args:
        riskiest, drawn: what was asked, the drawn at random from `others` words.
        taken: words, numbers and rows in what detection took as direct identifiers and nobody
            called wrong.
        wrong: spans that somebody did.
        unread: of the words that nobody answered how many identify by their risk.
        minutes: of reading.
    """

    riskiest: Asked
    drawn: Asked
    others: int
    taken: int
    wrong: int
    unread: float
    minutes: float

    @property
    def left(self) -> int:
        """Words left in place."""
        return self.riskiest.words + self.others

    @property
    def missed(self) -> Missed:
        """How many of them identify."""
        return missed(self.riskiest, self.drawn, self.others)

    @property
    def is_measured(self) -> bool:
        """Whether what was found says something of the words that nobody read."""
        return self.drawn.words > self.drawn.open or not self.others

    def recall(self, wrong: float = 0) -> Interval:
        """By words, if a share of what was taken is none."""
        return self.missed.recall(self.taken * (1 - wrong))


def worth(notes: Sequence[Left], chosen: Chosen, known: Answers) -> Worth:
    """What the answers on these notes are worth."""
    said = {note for note, *_ in known.wrong}
    found = {key for note in notes if note.document.id in said for key in note.found}
    wrong = known.wrong & found
    return Worth(
        known.asked(chosen.riskiest),
        known.asked(chosen.drawn),
        len(chosen.others),
        sum(note.taken(wrong) for note in notes),
        len(wrong),
        max(0.0, chosen.risk - _read(chosen, known.given.keys() - wrong)),
        sum(known.minutes.values()),
    )


def _read(chosen: Chosen, given: Set[Key]) -> float:
    """The risks of the others with an answer: few of hundreds of thousands."""
    stray = given - {place.key for part in (chosen.riskiest, chosen.drawn) for place in part}
    others = chosen.others if stray else ()  # answers of another design
    drawn = sum(place.risk for place in chosen.drawn if place.key in given)
    return drawn + sum(place.risk for place in others if place.key in stray)


@dataclass(frozen=True, slots=True)
class Step:
    """What was found among the riskiest words up to a share of all, and in how long."""

    share: float
    words: float
    identifying: int
    minutes: float


def steps(chosen: Chosen, known: Answers, words: int, shares: Iterable[float]) -> Iterator[Step]:
    """What was found as reading went on, riskiest first."""
    read = list(accumulate(place.words for place in chosen.riskiest))
    for share in shares:
        own = chosen.riskiest[: sum(upto <= share * words for upto in read)]
        minutes = sum(known.minutes.get(place.key, 0) for place in own)
        yield Step(share, share * words, known.asked(own).identifying, minutes)


@dataclass(frozen=True, slots=True)
class Point:
    """The recall after so many answers."""

    answers: int
    recall: Interval
    is_measured: bool


def growing(chosen: Chosen, known: Answers, now: Worth, most: int = 24) -> Iterator[Point]:
    """The recall after so many of the answers that hold, in the order they were given.

    Args:
        most: points, but for the first and the last; a power of two of answers lies between two.
    """
    drawn = {place.key for place in chosen.drawn}
    asked = drawn | {place.key for place in chosen.riskiest}
    given = sorted((one.line, key) for key, one in known.given.items() if key in asked)
    between = next(2**n for n in range(len(given) + 1) if len(given) <= most * 2**n)
    of = [Asked(words, 0, words) for words in (now.riskiest.words, now.drawn.words)]
    for count in range(len(given) + 1):
        if count:
            key = given[count - 1][1]
            of[key in drawn] = _with(of[key in drawn], known.given[key].answer)
        if count % between == 0 or count == len(given):
            then = replace(now, riskiest=of[0], drawn=of[1])
            yield Point(count, then.recall(), then.is_measured)


def _with(asked: Asked, answer: Answer) -> Asked:
    sure = answer is not Answer.UNSURE
    return Asked(asked.words, asked.identifying + answer.identifies, asked.open - sure)
