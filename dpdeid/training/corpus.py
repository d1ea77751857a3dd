"""Annotated notes to train on: rows {"id", "text", "entities": [{start, end, label}]}, or text
with «LABEL:text» marks; and which of them are held out.

Raw texts of any mix of files: whole documents for a language model, and prose in which nobody is
named for a tagger, which must learn to leave it alone.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

from dpdeid.detect.taggers.inputs import rule_spans
from dpdeid.document import Document, Span
from dpdeid.errors import InputError, TrainingError
from dpdeid.formats.json_lines import DAMAGED, rows
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.spans import disjoint
from dpdeid.testing import marked

_HEAD: Final = re.compile(r"(?m)^=====.*\n?")
_OPEN: Final = re.compile(r"«[A-Z_]+:")
_WORD: Final = re.compile(r"\w+")
_RUN: Final = 25

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
            notes += [_note(row, path, number) for number, row in rows(path, TrainingError)]
    if not notes:
        raise TrainingError("there is no note to train on")
    return notes


def _note(row: dict[str, Any], path: Path, number: int) -> Note:
    where = f"{path}, row {number}"
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
    patients = sorted({patient_of(doc) for doc, _ in notes})
    held = max(1, round(share * len(patients)))
    if held >= len(patients):
        raise TrainingError("too few notes to hold some out: give --dev")
    return parted(notes, Stream(f"split {seed}".encode()).shuffled(patients)[:held])


def parted(notes: Sequence[Note], held: Iterable[str]) -> tuple[list[Note], list[Note]]:
    """The notes of all other patients, and those of some."""
    chosen = set(held)
    sides: tuple[list[Note], list[Note]] = ([], [])
    for note in notes:
        sides[patient_of(note[0]) in chosen].append(note)
    return sides


def labels_in(notes: Sequence[Note]) -> tuple[Label, ...]:
    """The labels that notes have spans of, in their usual order.

    Raises:
        TrainingError: the notes hold no span.
    """
    found = {span.label for _, spans in notes for span in spans}
    if not found:
        raise TrainingError("the notes to train on hold no span")
    return tuple(label for label in Label if label in found)


def patient_of(doc: Document) -> str:
    """Whose note it is: by its patient, else by the known name, else its own."""
    if doc.patient_id is not None:
        return f"patient {doc.patient_id}"
    known = "|".join(
        "|".join(doc.known.get(label, ())) for label in (Label.LAST_NAME, Label.FIRST_NAME)
    )
    return f"named {known}" if known.strip("|") else f"note {doc.id}"


def without_copies(notes: Sequence[Note], held_out: Sequence[Note]) -> list[Note]:
    """The notes that share no run of 25 words with a held-out note, whatever its case or accents:
    reports of one author share sentences, and figures on copies mean nothing. A salutation is
    shorter; a note of fewer words is kept.
    """
    known = {run for doc, _ in held_out for run in _runs(doc.text)}
    return [note for note in notes if known.isdisjoint(_runs(note[0].text))]


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(fold(text))
    return zip(*(words[at:] for at in range(_RUN)), strict=False)


_PARAGRAPHS: Final = 3000
"""Characters of consecutive lines of a text file that make one document."""
_PARAGRAPH: Final = re.compile(r"\S(?:.|\n(?!\s*\n))*")


def read_texts(paths: Sequence[Path]) -> Iterator[str]:
    """The documents of .jsonl files (the "text" of each row) and .txt files, .gz or not.

    A text file has one paragraph a line; lines are put together to documents of about 3,000
    characters. A file named twice is read twice: that is how a corpus is given more weight.

    Raises:
        TrainingError: a file is missing, damaged or of another kind; names the file and the row.
    """
    for path in paths:
        name = path.name.removesuffix(".gz")
        if not path.is_file():
            raise TrainingError(f"no such file: {path}")
        if not name.endswith((".txt", ".jsonl")):
            raise TrainingError(f"{path}: texts are .txt or .jsonl files, .gz or not")
        yield from _rows(path) if name.endswith(".jsonl") else _joined(path)


def open_text(path: Path) -> IO[str]:
    """A UTF-8 text file without its byte order mark, unpacked if its name ends in .gz."""
    if path.name.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _rows(path: Path) -> Iterator[str]:
    for number, row in rows(path, TrainingError):
        if not isinstance(text := row.get("text"), str):
            raise TrainingError(f"{path}, row {number}: there is no text, or it is not text")
        yield text


def _joined(path: Path) -> Iterator[str]:
    held: list[str] = []
    size = 0
    try:
        with open_text(path) as lines:
            for line in lines:
                if paragraph := line.strip():
                    held.append(paragraph)
                    size += len(paragraph)
                if size >= _PARAGRAPHS:
                    yield "\n".join(held)
                    held, size = [], 0
    except (*DAMAGED, UnicodeDecodeError) as error:
        raise TrainingError(f"{path}: damaged file ({type(error).__name__})") from None
    if held:
        yield "\n".join(held)


def plain_notes(path: Path) -> list[Note]:
    """One note for each text of a .jsonl or .txt file, of the paragraphs in which the rules find no
    direct identifier. What else they find there (dates, ages, units) is learned as they have it. So
    texts with names may be given: but a name that no rule finds is then learned as none.

    Raises:
        TrainingError: the file cannot be read (see `read_texts`) or has no such paragraph.
    """
    notes = []
    for number, text in enumerate(read_texts([path]), 1):
        doc = Document(f"{path.name}-{number}", text)
        direct = [span for span in rule_spans(doc) if span.label.is_direct]
        paragraphs = (
            found[0].rstrip()
            for found in _PARAGRAPH.finditer(text)
            if not any(s.start < found.end() and found.start() < s.end for s in direct)
        )
        if text := "\n\n".join(paragraphs):
            doc = Document(doc.id, text)
            notes.append((doc, disjoint(s for s in rule_spans(doc) if not s.label.is_direct)))
    if not notes:
        raise TrainingError(f"{path}: the rules find a direct identifier in every paragraph")
    return notes
