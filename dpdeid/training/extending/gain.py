"""What extending a model brought: it and its start on notes that neither has learned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from dpdeid.detect.taggers.card import ModelCard
from dpdeid.document import Document, Span
from dpdeid.errors import TrainingError
from dpdeid.evaluate.detection import Scores, score
from dpdeid.labels import Label
from dpdeid.training.corpus import Note, patient_of, without_copies
from dpdeid.training.crf import CLOSED, folds

Find = Callable[[Document], Iterable[Span]]
AnyModel = TypeVar("AnyModel")

FIGURES: Final = ("recall", "precision", "F1", "direct redacted")
"""Of words with the right label, but the last: of the words of direct identifiers, under any."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Both models on the same notes.

    Args:
        notes: how many were measured.
        better, worse: on how many of them the extended model errs on fewer words, or on more.
        start, extended: figure → share; one that is of nothing is left out.
    """

    notes: int
    better: int
    worse: int
    start: Mapping[str, float]
    extended: Mapping[str, float]

    @property
    def pays(self) -> bool:
        """Whether it finds no less, has the higher F1, and is better on more notes than worse."""
        return (
            self.extended.get("recall", 0.0) >= self.start.get("recall", 0.0)
            and self.extended.get("F1", 0.0) > self.start.get("F1", 0.0)
            and self.better > self.worse
        )

    @property
    def verdict(self) -> str:
        """In a sentence."""
        counted = f"fewer wrong words on {self.better} of {self.notes} notes, more on {self.worse}"
        if self.pays:
            return f"The extended model is better here: {counted}."
        return f"The extended model is not better here ({counted}): keep the one it started from."

    def to_json(self) -> dict[str, Any]:
        """All of it, for a file."""
        return {
            "notes": self.notes,
            "notes_better": self.better,
            "notes_worse": self.worse,
            "start": dict(self.start),
            "extended": dict(self.extended),
            "pays": self.pays,
        }

    def on_card(self) -> dict[str, float]:
        """Both as scores of a model card."""
        sides = (("start", self.start), ("extended", self.extended))
        return {
            f"the site's notes, {side}/{name}": value
            for side, figures in sides
            for name, value in figures.items()
        }


def learned(
    learn: Callable[[Sequence[Note]], AnyModel],
    find: Callable[[AnyModel], Find],
    start: AnyModel,
    notes: Sequence[Note],
    dev: Sequence[Note],
    *,
    parts: int,
    labels: Collection[Label],
) -> tuple[AnyModel, Gain]:
    """A model of all notes but copies of `dev`, and what it gains there; without `dev`, what models
    of the others gain on each of so many parts of the notes.

    Args:
        learn, find: a model of some notes, and what finds spans with one.
        parts: at most; fewer where there are fewer patients.
        labels: those that count.

    Raises:
        TrainingError: there is neither a second patient nor a note in `dev`.
    """
    model = learn(without_copies(notes, dev))
    if dev:
        return model, compared([(dev, find(model))], find(start), labels)
    patients = len({patient_of(doc) for doc, _ in notes})
    if patients < 2:
        raise TrainingError("notes of one patient cannot measure a gain: give --dev")
    sides = [(held, find(learn(rest))) for rest, held in folds(notes, min(parts, patients))]
    return model, compared(sides, find(start), labels)


def compared(
    sides: Iterable[tuple[Sequence[Note], Find]], start: Find, labels: Collection[Label]
) -> Gain:
    """The start and what was made of it, each on the notes of its side, by some labels."""
    totals, better, worse, count = (Scores(), Scores()), 0, 0, 0
    for notes, extended in sides:
        for doc, gold in notes:
            told = [s for s in gold if s.label in labels]
            before, after = (score(doc, told, tuple(find(doc))) for find in (start, extended))
            totals = totals[0] + before, totals[1] + after
            fewer = _errors(before, labels) - _errors(after, labels)
            better, worse, count = better + (fewer > 0), worse + (fewer < 0), count + 1
    return Gain(count, better, worse, *(_figures(each, labels) for each in totals))


def _errors(scores: Scores, labels: Collection[Label]) -> int:
    counts = scores.micro(scores.token, labels)
    return counts.fp + counts.fn


def _figures(scores: Scores, labels: Collection[Label]) -> dict[str, float]:
    counts = scores.micro(scores.token, labels)
    values = counts.recall, counts.precision, counts.f1, scores.direct.redacted
    return {n: round(v, 5) for n, v in zip(FIGURES, values, strict=True) if v == v}


def within(notes: Sequence[Note], labels: Collection[Label], model: str) -> list[Note]:
    """The notes without the spans that the rules find alone, where a model does not know them.

    Raises:
        TrainingError: notes have another label that the model does not know; names it.
    """
    unknown = {span.label for _, spans in notes for span in spans} - set(labels)
    if other := sorted(unknown - CLOSED):
        raise TrainingError(
            f"the model {model} does not know {', '.join(other)}: a model is not extended to new "
            "labels; train one from nothing, or leave these spans out"
        )
    return [(doc, tuple(s for s in spans if s.label in labels)) for doc, spans in notes]


def lineage(card: ModelCard) -> dict[str, str]:
    """What a model was extended from, for its own card: name, day, and the digest of each file."""
    digests = {f"extends/{name}": digest for name, digest in card.files.items()}
    return {"extends": f"{card.name}, {card.date}", **digests}
