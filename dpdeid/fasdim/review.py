"""A review as a value: what waits, what was decided, and what a key does to it.

Nothing is drawn and no key is read here, so that a whole review can be tried without a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from dpdeid.fasdim.extract import Found
from dpdeid.fasdim.lists import ANY, Entry, Key
from dpdeid.fasdim.starting import Verdict

Decision = tuple[Key, Verdict] | None
"""What was decided, and of what; None of what was left open."""

IDLE: Final = 60.0
"""Seconds after which nobody is taken to think about a word any more."""
HELP_WORDS: Final = (
    "a authorize · l in small letters only · f forbid · space leave open · c context · u undo · "
    "q quit"
)
HELP_NUMBERS: Final = (
    "a protect this pattern · < by the word before · > by the word after · f forbid · space leave "
    "open · c context · u undo · q quit"
)


@dataclass(frozen=True, slots=True)
class Review:
    """A review under way.

    Args:
        waiting: what is asked, in its order: words and patterns by default.
        meanings: what each key decides of one of these.
        decisions: for each that was asked, in the same order.
        shows_context: whether the context of the one in question is shown.
        ended: whether the expert has had enough.
    """

    waiting: tuple[Any, ...] = field(repr=False)
    decisions: tuple[Any, ...] = field(default=(), repr=False)
    shows_context: bool = False
    ended: bool = False
    meanings: Callable[[Any], Mapping[str, Any]] = lambda found: _meanings(found)

    @property
    def asked(self) -> Any:
        """What is in question, None if nothing is left or the expert has had enough."""
        at = len(self.decisions)
        return None if self.ended or at == len(self.waiting) else self.waiting[at]

    def entries(self, specialty: str = "", source: str = "") -> Iterator[Entry]:
        """The decisions as lines of the lists."""
        for decision in self.decisions:
            if decision is not None:
                key, verdict = decision
                yield Entry(key, verdict, specialty, source)


def press(review: Review, key: str) -> Review:
    """The review after a key; a key that means nothing there changes nothing."""
    asked = review.asked
    if key == "u":
        return replace(review, decisions=review.decisions[:-1], shows_context=False)
    if asked is None:
        return review
    if key == "q":
        return replace(review, ended=True)
    if key == "c":
        return replace(review, shows_context=not review.shows_context)
    meanings = review.meanings(asked)
    if key not in meanings:
        return review
    decisions = (*review.decisions, meanings[key])
    return replace(review, decisions=decisions, shows_context=False)


def _meanings(found: Found) -> dict[str, Decision]:
    key = found.key
    common: dict[str, Decision] = {
        " ": None,
        "a": (key, Verdict.AUTHORIZED),
        "f": (key, Verdict.FORBIDDEN),
    }
    if len(key) == 1:
        return {**common, "l": (key, Verdict.LOWER)}
    before, after = key
    if before != ANY:
        common["<"] = ((before, ANY), Verdict.AUTHORIZED)
    if after != ANY:
        common[">"] = ((ANY, after), Verdict.AUTHORIZED)
    return common
