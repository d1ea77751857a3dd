"""What somebody reads after detection: the riskiest words left in place, a random sample of the
others, what readers say of them, and what that effort is worth.

Answers are lines of JSON in a private file that only grows; the last line on a place holds:

    {"when", "who", "note", "start", "end", "word", "risk", "chance", "answer", "minutes",
     "share", "sample", "seed"}
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from dpdeid.cohort import durable
from dpdeid.cohort.access_log import user
from dpdeid.document import Document, Finding, Span
from dpdeid.errors import UsageError
from dpdeid.evaluate.counts import ratio
from dpdeid.evaluate.detection import KEPT
from dpdeid.evaluate.missed import Asked
from dpdeid.fasdim.net import BETWEEN
from dpdeid.fasdim.risk import left_in_place, things
from dpdeid.labels import Label
from dpdeid.privacy.rng import tag
from dpdeid.views.plain import reading_of

_CONTEXT: Final = 30
_WIDE: Final = 200
"""Characters on each side of a word, at once and on demand."""

Detect = Callable[[Document], Finding]


class Answer(StrEnum):
    """What a reader says of a word that was left in place: what it is, or that it identifies."""

    NAME = "name"
    PLACE = "place"
    DATE = "date"
    IDENTIFYING = "identifying"
    HARMLESS = "harmless"
    UNSURE = "unsure"

    @property
    def identifies(self) -> bool:
        """Whether the word is part of an identifier."""
        return self not in (Answer.HARMLESS, Answer.UNSURE)


ANSWERS: Final[Mapping[str, Answer]] = {
    "n": Answer.NAME,
    "p": Answer.PLACE,
    "d": Answer.DATE,
    "i": Answer.IDENTIFYING,
    "h": Answer.HARMLESS,
    " ": Answer.UNSURE,
}
HELP: Final = (
    "n name · p place · d date · i other identifier · h harmless · space unsure · c context · "
    "u undo · q quit"
)
_LABELS: Final = {
    Answer.NAME: Label.LAST_NAME,
    Answer.PLACE: Label.CITY,
    Answer.DATE: Label.DATE,
}

Key = tuple[str, int, int]
"""A note, and start and end in its raw text."""


@dataclass(frozen=True, slots=True)
class Place:
    """A word that was left in place, with offsets of the raw text.

    Args:
        words: how many tokens it is; a row of boxes is one place.
        risk: its chance to be part of a direct identifier.
        chance: by which it came to be asked; 1 but for a random sample.
    """

    note: str
    start: int
    end: int
    words: int
    risk: float
    text: str = field(repr=False)
    """The whole note."""
    chance: float = 1.0

    @property
    def key(self) -> Key:
        """What an answer on it is known by."""
        return self.note, self.start, self.end

    @property
    def word(self) -> str:
        return self.text[self.start : self.end]

    def line(self, characters: int = _CONTEXT) -> str:
        """The word in brackets on one line with what stands beside it."""
        before = self.text[max(0, self.start - characters) : self.start]
        after = self.text[self.end : self.end + characters]
        return f"{before}[{self.word}]{after}".replace("\n", "⏎")

    def context(self) -> str:
        """More of what stands beside it."""
        return self.line(_WIDE)


@dataclass(frozen=True, slots=True)
class Left:
    """A note as detection leaves it.

    Args:
        spans: what detection found, with offsets of the raw text.
        places: what it left, riskiest first.
        words: of the whole note.
        taken: words, numbers and rows in what it found of direct identifiers.
    """

    document: Document
    spans: tuple[Span, ...]
    places: tuple[Place, ...]
    words: int
    taken: int


def left(doc: Document, detect: Detect) -> Left:
    """What detection leaves in place in a note, and what it took."""
    reading = reading_of(doc.text)
    plain = replace(doc, text=reading.text)
    found = detect(plain)
    (words,) = left_in_place([plain], [found])
    starts, ends, tokens = plain.tokens.starts, plain.tokens.ends, plain.tokens.texts
    places = []
    for word in words:
        stretch = reading.to_raw(starts[word.first], ends[word.stop - 1])
        if stretch is not None:  # not what only the reading calls a field
            count = sum(map(str.isalnum, tokens[word.first : word.stop]))
            places.append(Place(doc.id, *stretch, max(1, count), word.risk, doc.text))
    return Left(
        doc,
        reading.raw_spans(found.spans),
        tuple(sorted(places, key=_by_risk)),
        sum(any(map(str.isalnum, text)) for text in tokens),
        things(plain, [span for span in found.spans if span.label.is_direct]),
    )


def _by_risk(place: Place) -> float:
    return -place.risk


@dataclass(frozen=True, slots=True)
class Design:
    """What is asked.

    Args:
        share: of all words, the riskiest.
        sample: how many of the others, drawn at random.
        seed: of the draw; a larger sample of one seed holds the smaller.
    """

    share: float = 0.02
    sample: int = 0
    seed: int = 0

    def choose(self, notes: Iterable[Left]) -> Chosen:
        """The riskiest words of these notes until their share is read, and a sample of the rest."""
        every, most = list[Place](), 0.0
        for note in notes:
            every += note.places
            most += self.share * note.words
        every.sort(key=_by_risk)
        cut = sum(read <= most for read in accumulate(place.words for place in every))
        order = sorted(every[cut:], key=self._draw)[: self.sample]
        chance = ratio(len(order), len(every) - cut)
        drawn = tuple(replace(place, chance=chance) for place in order)
        return Chosen(tuple(every[:cut]), drawn, tuple(every[cut:]))

    def _draw(self, place: Place) -> str:
        """A number of its own for each place, whatever else is asked (Ohlsson 1995)."""
        return tag(f"review {self.seed}".encode(), place.note, str(place.start), str(place.end))


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a design asks: the riskiest, and of the others those that were drawn, in that order."""

    riskiest: tuple[Place, ...]
    drawn: tuple[Place, ...]
    others: tuple[Place, ...]


def record(
    path: Path, answers: Iterable[tuple[Place, Answer | None]], minutes: float, design: Design
) -> None:
    """Adds answers to a file; None takes one back.

    Args:
        minutes: spent on all of them.

    Raises:
        UsageError: it cannot be written.
    """
    common = {"when": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), "who": user()}
    rows = (
        {
            **common, "note": place.note, "start": place.start, "end": place.end,
            "word": place.word, "risk": round(place.risk, 4), "chance": round(place.chance, 6),
            "answer": answer, "minutes": round(minutes, 3), **asdict(design),
        }
        for place, answer in answers
    )  # fmt: skip
    try:
        with durable.open_end(path, wait=True) as file:
            durable.append(file, map(durable.json_line, rows))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that holds, with the word as its line has it and the number of the line."""

    answer: Answer
    word: str = field(repr=False)
    line: int


@dataclass(frozen=True, slots=True)
class Answers:
    """What a file of answers says.

    Args:
        minutes: spent on each place, also where the answer was taken back.
        design: of the last line.
    """

    path: Path
    given: Mapping[Key, Given] = field(default_factory=dict)
    minutes: Mapping[Key, float] = field(default_factory=dict)
    design: Design = Design()

    def check(self, notes: Iterable[Document]) -> None:
        """Nothing, if every word stands where its answer says.

        Raises:
            UsageError: one does not, or its note is not there; has file and line.
        """
        texts = {note.id: note.text for note in notes}
        for (note, start, end), given in self.given.items():
            if note not in texts:
                raise UsageError(f"{self.path}, line {given.line}: on a note that is not there")
            if not 0 <= start < end or texts[note][start:end] != given.word:
                raise UsageError(f"{self.path}, line {given.line}: the note has another text")

    def asked(self, places: Sequence[Place]) -> Asked:
        """What was said of these."""
        said = [g.answer for place in places if (g := self.given.get(place.key))]
        identifying = sum(answer.identifies for answer in said)
        sure = identifying + said.count(Answer.HARMLESS)
        return Asked(len(places), identifying, len(places) - sure)


def answered(path: Path) -> Answers:
    """The answers of a file. None if there is no file.

    Raises:
        UsageError: it cannot be read, or a line is no answer; has its number.
    """
    found: dict[Key, Given] = {}
    minutes: dict[Key, float] = {}
    design = Design()
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {type(error).__name__}") from None
    for number, line in enumerate(lines, 1):
        try:
            row: dict[str, Any] = json.loads(line)
            place = str(row["note"]), int(row["start"]), int(row["end"])
            minutes[place] = minutes.get(place, 0) + float(row["minutes"])
            found.pop(place, None)
            if row["answer"] is not None:
                found[place] = Given(Answer(row["answer"]), str(row["word"]), number)
            design = Design(
                float(row.get("share", design.share)),
                int(row.get("sample", design.sample)),
                int(row.get("seed", design.seed)),
            )
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{path}, line {number}: no answer of a review") from None
    return Answers(path, found, minutes, design)


def corrected(note: Left, answers: Answers) -> tuple[Span, ...]:
    """What detection found in a note, and what readers say identifies."""
    spans = list(note.spans)
    own = list[Span]()
    for place in sorted(note.places, key=lambda place: place.start):
        given = answers.given.get(place.key)
        if given is None or not given.answer.identifies:
            continue
        word = Label.LAST_NAME if place.word.isalpha() else Label.OTHER_ID
        span = Span(place.start, place.end, _LABELS.get(given.answer, word))
        before = own[-1] if own else None
        if before and before.label is span.label and place.text[before.end : span.start] in BETWEEN:
            own[-1] = replace(before, end=span.end)
        else:
            own.append(span)
    return tuple(sorted([*spans, *own]))


@dataclass(frozen=True, slots=True)
class Effort:
    """What reading is worth.

    Args:
        notes, words: how many there are in all.
        steps: (words read, notes fully redacted) after each place, riskiest first; what a reader
            finds is taken for redacted.
    """

    notes: int
    words: int
    steps: Sequence[tuple[int, int]] = field(repr=False)

    def at(self, share: float) -> float:
        """The share of notes fully redacted once a share of all words is read."""
        done = [notes for words, notes in self.steps if words <= share * self.words]
        return ratio(done[-1], self.notes)


def effort(notes: Iterable[tuple[Document, Sequence[Span]]], detect: Detect) -> Effort:
    """The curve over annotated notes: no direct identifier is left in what is fully redacted."""
    every: list[tuple[Place, int, int]] = []
    waiting: list[int] = []
    words = 0
    for number, (doc, gold) in enumerate(notes):
        own = left(doc, detect)
        direct = [s for s in gold if s.label.is_direct]
        counts = [sum(p.start < s.end and s.start < p.end for s in direct) for p in own.places]
        every += [(place, number, n) for place, n in zip(own.places, counts, strict=True)]
        waiting.append(sum(counts) + _hidden_by_kept(direct, own.spans))
        words += own.words
    every.sort(key=lambda one: -one[0].risk)
    read = accumulate((place.words for place, _, _ in every), initial=0)
    done = accumulate(_finished(waiting, every), initial=sum(not count for count in waiting))
    return Effort(len(waiting), words, list(zip(read, done, strict=True)))


def _finished(waiting: list[int], every: Iterable[tuple[Place, int, int]]) -> Iterator[int]:
    """Of each place in turn whether it was the last one of its note to find."""
    for _, number, count in every:
        waiting[number] -= count
        yield count > 0 and not waiting[number]


def _hidden_by_kept(direct: Iterable[Span], spans: Iterable[Span]) -> int:
    """Direct identifiers inside what a policy keeps (a profession, a department): never shown."""
    kept = [s for s in spans if s.label in KEPT]
    return sum(any(k.start <= s.start and s.end <= k.end for k in kept) for s in direct)
