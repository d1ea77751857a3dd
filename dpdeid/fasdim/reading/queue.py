"""Several readers and one file of answers: who has which word in hand. Whatever somebody says is on
the disk before they get the next word.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dpdeid.cohort.access_log import user
from dpdeid.fasdim.reading.answers import Answer, Answers, record
from dpdeid.fasdim.reading.places import Design, Key, Left, Place
from dpdeid.fasdim.review import IDLE

LEASE: Final = 600.0
"""Seconds for which a word is nobody else's after its reader did something."""


@dataclass(slots=True)
class Hand:
    """What a reader has in hand.

    Args:
        number: of the word; None is nothing.
        last: when they did something.
        spent: seconds since their last answer, without those nobody thinks so long.
    """

    number: int | None
    last: float
    spent: float = 0.0


class Queue:
    """What waits, riskiest first, then what was drawn.

    Args:
        known: answers on these notes; `unused` is how many of them detection overtook.
        now: seconds of a clock that only goes on.
    """

    def __init__(
        self,
        notes: Sequence[Left],
        known: Answers,
        design: Design,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.notes, self.known, self.design = notes, known, design
        self.chosen = design.choose(notes)
        self.places = (*self.chosen.riskiest, *self.chosen.drawn)
        self.unused = len(known.unused(notes))
        self._of = {note.document.id: at for at, note in enumerate(notes)}
        self._found = {key for note in notes for key in note.found}
        self._numbers = {place.key: at for at, place in enumerate(self.places)}
        self._hands: dict[str, Hand] = {}
        self._now = now

    def note(self, place: Place) -> int:
        """Where the note of a place stands among the notes."""
        return self._of[place.note]

    @property
    def waiting(self) -> int:
        """How many have no answer."""
        return sum(place.key not in self.known.given for place in self.places)

    def refresh(self) -> None:
        """Reads what others added to the file."""
        self.known = self.known.now()

    def take(self, reader: str) -> int | None:
        """The word that a reader has in hand, or gets: the first that nobody has. None if none is
        left, or others have all that are.
        """
        hand, others = self._act(reader), self._with_others(reader)
        if hand.number is None:
            every = range(len(self.places))
            hand.number = next((at for at in every if self._is_free(at, others)), None)
        return hand.number

    def answer(self, reader: str, number: int, answer: Answer) -> bool:
        """Writes what a reader says of the word in hand; False if it is not, or not any more."""
        hand = self._act(reader)
        if hand.number != number:
            return False
        self._write(reader, self.places[number], answer)
        hand.number = None
        return True

    def wrong(self, reader: str, number: int, start: int, end: int) -> bool:
        """Writes that what detection took there, in the note in hand, is no identifier, or takes
        that back; False if there is no such span, or the word is not in hand.
        """
        if self._act(reader).number != number:
            return False
        key = self.places[number].note, start, end
        if key not in self._found:
            return False
        self._write(reader, self._taken(key), None if key in self.known.wrong else Answer.WRONG)
        return True

    def undo(self, reader: str) -> bool:
        """Takes back the last answer of a reader that holds, and no other's; what it was on is in
        their hand. False if there is none.
        """
        hand, wrong = self._act(reader), self.known.wrong & self._found
        own = [
            (given.line, key)
            for key, given in self.known.given.items()
            if given.who == who(reader) and (key in self._numbers or key in wrong)
        ]
        if not own:
            return False
        _, key = max(own)
        number = self._numbers.get(key)
        self._write(reader, self._taken(key) if number is None else self.places[number], None)
        hand.number = hand.number if number is None else number
        return True

    def _taken(self, key: Key) -> Place:
        return self.notes[self._of[key[0]]].place(key)

    def _act(self, reader: str) -> Hand:
        """The hand of a reader, who does something now; empty if the word got an answer, or went to
        another while they did nothing.
        """
        self.refresh()
        now = self._now()
        hand = self._hands.setdefault(reader, Hand(None, now))
        hand.spent += min(now - hand.last, IDLE)
        hand.last = now
        if hand.number is not None and not self._is_free(hand.number, self._with_others(reader)):
            hand.number = None
        return hand

    def _with_others(self, reader: str) -> set[int | None]:
        late = self._now() - LEASE
        return {h.number for name, h in self._hands.items() if name != reader and h.last > late}

    def _is_free(self, number: int, others: set[int | None]) -> bool:
        return self.places[number].key not in self.known.given and number not in others

    def _write(self, reader: str, place: Place, answer: Answer | None) -> None:
        hand = self._hands[reader]
        path = self.known.path
        record(path, ((place, answer),), hand.spent / 60, self.design, who(reader))
        hand.spent = 0.0
        self.refresh()


def who(reader: str) -> str:
    """A reader in the answers: a name that nobody checked, and the user of this process."""
    return f"{reader} / {user()}"
