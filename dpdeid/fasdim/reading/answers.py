"""What readers say of words in notes, in a file.

Answers are lines of JSON in a private file that only grows; the last line on a place holds:

    {"when", "who", "note", "start", "end", "word", "risk", "chance", "answer", "minutes",
     "share", "sample", "seed"}
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from dpdeid.cohort import durable
from dpdeid.cohort.access_log import user
from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.missed import Asked
from dpdeid.fasdim.reading.places import Design, Key, Left, Place


class Answer(StrEnum):
    """What a reader says of a word that was left in place: what it is, or that it identifies; and
    of what detection took, that it is wrong.
    """

    NAME = "name"
    PLACE = "place"
    DATE = "date"
    IDENTIFYING = "identifying"
    HARMLESS = "harmless"
    UNSURE = "unsure"
    WRONG = "wrong"

    @property
    def identifies(self) -> bool:
        """Whether the word is part of an identifier."""
        return self not in (Answer.HARMLESS, Answer.UNSURE, Answer.WRONG)


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


def record(
    path: Path,
    answers: Iterable[tuple[Place, Answer | None]],
    minutes: float,
    design: Design,
    who: str = "",
) -> None:
    """Adds answers to a file; None takes one back.

    Args:
        minutes: spent on all of them.
        who: gave them; "" is the user of this process.

    Raises:
        UsageError: it cannot be written.
    """
    common = {"when": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), "who": who or user()}
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
    """An answer that holds, with the word as its line has it, the number of the line and who."""

    answer: Answer
    word: str = field(repr=False)
    line: int
    who: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a file of answers says.

    Args:
        minutes: spent on each place, also where the answer was taken back.
        design: of the last line.
        lines, bytes: how much of the file this is.
    """

    path: Path
    given: Mapping[Key, Given] = field(default_factory=dict)
    minutes: Mapping[Key, float] = field(default_factory=dict)
    design: Design = field(default_factory=Design)
    lines: int = 0
    bytes: int = 0

    @property
    def wrong(self) -> frozenset[Key]:
        """What detection took and is no identifier."""
        return frozenset(key for key, g in self.given.items() if g.answer is Answer.WRONG)

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
        sure = len(said) - said.count(Answer.UNSURE)
        return Asked(len(places), sum(a.identifies for a in said), len(places) - sure)

    def unused(self, notes: Iterable[Left]) -> Set[Key]:
        """Answers on which detection thinks otherwise by now: it takes a word that was asked, or
        finds another span where it was wrong.
        """
        used, wrong = set[Key](), self.wrong
        for note in notes:
            used.update(place.key for place in note.places)
            used.update(wrong.intersection(note.found))
        return self.given.keys() - used

    def now(self) -> Answers:
        """With what was added to the file since.

        Raises:
            UsageError: it cannot be read, or a line is no answer; has its number.
        """
        try:
            size = self.path.stat().st_size if self.path.exists() else 0
            if size == self.bytes:
                return self
            if size < self.bytes:  # another file has its name
                return answered(self.path)
            with self.path.open("rb") as file:
                file.seek(self.bytes)
                added = file.read()
            whole = added[: added.rfind(b"\n") + 1]  # what was interrupted is nothing
            return self._with(whole.decode().split("\n")[:-1], self.bytes + len(whole))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read {self.path}: {type(error).__name__}") from None

    def _with(self, lines: Sequence[str], size: int) -> Answers:
        found, minutes, design = dict(self.given), dict(self.minutes), self.design
        for number, line in enumerate(lines, self.lines + 1):
            try:
                row: dict[str, Any] = json.loads(line)
                place = str(row["note"]), int(row["start"]), int(row["end"])
                minutes[place] = minutes.get(place, 0) + float(row["minutes"])
                found.pop(place, None)
                if row["answer"] is not None:
                    answer, who = Answer(row["answer"]), str(row.get("who", ""))
                    found[place] = Given(answer, str(row["word"]), number, who)
                design = Design(
                    float(row.get("share", design.share)),
                    int(row.get("sample", design.sample)),
                    int(row.get("seed", design.seed)),
                )
            except (ValueError, KeyError, TypeError):
                raise UsageError(f"{self.path}, line {number}: no answer of a review") from None
        return Answers(self.path, found, minutes, design, self.lines + len(lines), size)


def answered(path: Path) -> Answers:
    """The answers of a file. None if there is no file.

    Raises:
        UsageError: it cannot be read, or a line is no answer; has its number.
    """
    return Answers(path).now()
