"""Annotated notes to train on: rows {"id", "text", "entities": [{start, end, label}]}, or text
with «LABEL:text» marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from dpdeid.document import Document, Span
from dpdeid.errors import InputError, TrainingError
from dpdeid.formats.json_lines import file_lines
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.spans import disjoint
from dpdeid.testing import marked

_HEAD: Final = re.compile(r"(?m)^=====.*\n?")
_OPEN: Final = re.compile(r"«[A-Z_]+:")

Note = tuple[Document, tuple[Span, ...]]


def read_corpus(paths: Sequence[Path]) -> list[Note]:
    """The notes of files with their spans, disjoint: the larger of two stays whole.

    Args:
        paths: .txt files hold marked notes, each behind a line that begins with "=====", or one a
            line (see `dpdeid.testing.marked`); all others are JSON lines, .gz or not.

    Raises:
        TrainingError: a file is missing or a row is not such a note; names the file and the row.
    """
    notes: list[Note] = []
    for path in paths:
        if not path.is_file():
            raise TrainingError(f"no such file: {path}")
        if path.suffix == ".txt":
            notes += _marked(path)
        else:
            notes += [_note(row, path, number) for number, row in file_lines(path)]
    if not notes:
        raise TrainingError("there is no note to train on")
    return notes


def _note(row: dict[str, Any] | str, path: Path, number: int) -> Note:
    where = f"{path}, row {number}"
    if isinstance(row, str):
        raise TrainingError(f"{where}: {row}")
    try:
        spans = [_span(e["start"], e["end"], e["label"]) for e in row["entities"]]
        doc = document_of(row, number)
    except InputError as error:
        raise TrainingError(f"{path}, {error}") from None
    except (ValueError, KeyError, TypeError):
        raise TrainingError(
            f"{where}: not a note with entities (start, end and a label of dpdeid.labels)"
        ) from None
    if any(span.end > len(doc.text) for span in spans):
        raise TrainingError(f"{where}: an entity lies outside the text")
    return doc, disjoint(spans)


def _span(start: object, end: object, label: str) -> Span:
    if type(start) is not int or type(end) is not int:
        raise TypeError
    return Span(start, end, Label(label))


def _marked(path: Path) -> list[Note]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TrainingError(f"{path}: damaged file ({type(error).__name__})") from None
    parts = _HEAD.split(text)[1:] if _HEAD.search(text) else text.splitlines()
    notes = []
    for number, part in enumerate(parts, 1):
        if not part.strip():
            continue
        where = f"{path}, note {number}"
        try:
            plain, spans = marked(part.strip("\n"))
        except ValueError:
            raise TrainingError(f"{where}: a mark has no label of dpdeid.labels") from None
        if _OPEN.search(plain):
            raise TrainingError(f"{where}: a mark is not closed")
        notes.append((Document(f"{path.name}-{number}", plain), spans))
    return notes


def split(notes: Sequence[Note], *, share: float, seed: int) -> tuple[list[Note], list[Note]]:
    """The notes in two parts, drawn by `seed`: the rest, and about `share` of them (at least one).

    Notes of one patient stay together, so that no name stands on both sides.

    Args:
        share: in (0, 1).

    Raises:
        TrainingError: there are fewer than two patients.
    """
    patients = sorted({_patient(doc) for doc, _ in notes})
    held = max(1, round(share * len(patients)))
    if held >= len(patients):
        raise TrainingError("too few notes to hold some out: give --dev")
    chosen = set(Stream(f"split {seed}".encode()).shuffled(patients)[:held])
    rest = [note for note in notes if _patient(note[0]) not in chosen]
    return rest, [note for note in notes if _patient(note[0]) in chosen]


def _patient(doc: Document) -> str:
    if doc.patient_id is not None:
        return f"patient {doc.patient_id}"
    known = "|".join(
        "|".join(doc.known.get(label, ())) for label in (Label.LAST_NAME, Label.FIRST_NAME)
    )
    return f"named {known}" if known.strip("|") else f"note {doc.id}"
