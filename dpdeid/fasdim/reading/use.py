"""What answers are good for: annotated notes, and decisions in a folder of lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from dpdeid.cohort.access_log import path_of
from dpdeid.detect.decision.decision import BETWEEN
from dpdeid.document import Span
from dpdeid.errors import UsageError
from dpdeid.fasdim import extract, lists
from dpdeid.fasdim.extract import Learned
from dpdeid.fasdim.reading.answers import Answer, Answers
from dpdeid.fasdim.reading.places import Chosen, Left
from dpdeid.formats.write import json_line
from dpdeid.labels import Label

_LABELS: Final = {
    Answer.NAME: Label.LAST_NAME,
    Answer.PLACE: Label.CITY,
    Answer.DATE: Label.DATE,
}


def some(known: Answers) -> Answers:
    """These answers.

    Raises:
        UsageError: there are none.
    """
    if not known.given:
        raise UsageError(f"{known.path}: there are no answers in it")
    return known


def corrected(note: Left, answers: Answers) -> tuple[Span, ...]:
    """What detection found in a note but for what is wrong, and what readers say identifies."""
    wrong = answers.wrong
    spans = [span for span, key in zip(note.spans, note.found, strict=True) if key not in wrong]
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


def complete(notes: Sequence[Left], chosen: Chosen, known: Answers) -> tuple[list[Left], int]:
    """The notes of which nothing among the riskiest is open; and how many others have an open
    word.
    """
    sure = {key for key, given in known.given.items() if given.answer is not Answer.UNSURE}
    waiting = {place.key for place in chosen.riskiest} | known.given.keys()
    unclear = {note for note, *_ in waiting - sure}
    return [note for note in notes if note.document.id not in unclear], len(unclear)


def annotated(notes: Sequence[Left], chosen: Chosen, known: Answers, by: str = "") -> list[str]:
    """Lines of the complete notes with what is known of them; it is in the log who had them.

    Args:
        by: a reader, if it is not the user of this process.

    Raises:
        PolicyError: the log cannot be written; then nobody may have them.
    """
    done, left_out = complete(notes, chosen, known)
    lines = []
    for note in done:
        spans = corrected(note, known)
        entities = [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]
        doc = note.document
        lines.append(json_line({"id": doc.id, "text": doc.text, "entities": entities}))
    reader = {"reader": by} if by else {}
    lists.record(path_of(known.path), "export", notes=len(done), left_out=left_out, **reader)
    return lines


def learn(directory: Path, known: Answers, specialty: str = "", name: str = "") -> Learned:
    """Takes answers on words as decisions of a folder of lists.

    Raises:
        UsageError: the lists are refused, or there are no answers.
    """
    own = lists.read(directory, specialty)
    said = [g for g in some(known).given.values() if g.answer is not Answer.UNSURE]
    new = extract.learn(((g.word, g.answer.identifies) for g in said), own, name)
    decided = lists.Lists.of(new.entries, starting=own.starting)
    lists.write(directory, lists.merged(own, [decided]))
    figures = {"decided": len(new.entries), "minutes": round(sum(known.minutes.values()), 2)}
    lists.record(directory / lists.LOG, "learn", **figures, name=name)
    return new
