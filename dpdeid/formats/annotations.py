"""Annotated notes of any format, with our labels and checked spans.

The format is told by the content: a folder with .ann files or such a file is brat, XML is i2b2, and
rows of JSON are jsonl, doccano or prodigy by their keys. Nothing is dropped in silence: what cannot
be read is refused with the ids, all at once, and spans that the caller's label file leaves out are
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dpdeid.document import Span
from dpdeid.errors import AnnotationError
from dpdeid.formats.annotation_files import Annotated, read_brat, read_i2b2, read_rows
from dpdeid.formats.encodings import from_utf16
from dpdeid.formats.label_names import SCHEMES, key, scheme_of, shown
from dpdeid.labels import Label

FORMATS: Final = ("jsonl", "brat", "doccano", "prodigy", "i2b2")
_SHOWN: Final = 10
"""Ids that a message lists of each reason."""
_SUFFIXES: Final = {".ann": "brat", ".xml": "i2b2", ".jsonl": "rows"}


@dataclass(frozen=True, slots=True)
class AnnotatedNote:
    """A note with its spans, sorted; equal spans once.

    Args:
        text: None if the file has spans only.
        doc_type: the kind of document, where the file says it.
    """

    id: str
    text: str | None = field(repr=False)
    spans: tuple[Span, ...]
    doc_type: str | None = None


@dataclass(frozen=True, slots=True)
class Annotations:
    """The notes of one source.

    Args:
        format: one of `FORMATS`.
        scheme: whose label names they are, a key of `SCHEMES`.
        left_out: spans that the caller's label file leaves out.
    """

    notes: tuple[AnnotatedNote, ...]
    format: str
    scheme: str
    left_out: int = 0


class Problems:
    """Why notes are refused, with their ids; raised together, so that one run tells them all."""

    def __init__(self, path: object) -> None:
        self.path = path
        self._ids: dict[str, dict[str, None]] = {}

    def add(self, reason: str, *ids: str) -> None:
        """Notes refused for one reason; a note named twice is listed once."""
        self._ids.setdefault(reason, {}).update(dict.fromkeys(ids))

    def refuse(self) -> None:
        """Raises what was added.

        Raises:
            AnnotationError: anything was.
        """
        if self._ids:
            every = self._ids.items()
            lines = (f"  {reason}: {len(ids)} ({listed([*ids])})" for reason, ids in every)
            raise AnnotationError("\n".join((f"{self.path} is refused, nothing is scored", *lines)))


def listed(ids: Sequence[str]) -> str:
    """The first ids, and how many more there are."""
    return ", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else "")


def read_annotations(
    path: Path,
    form: str | None = None,
    *,
    own: Mapping[str, Label | None] | None = None,
    texts: Mapping[str, str] | None = None,
) -> Annotations:
    """The notes of a file or folder.

    Args:
        form: one of `FORMATS`, told by the content if None.
        own: labels by the caller's names (see `crosswalks.read_labels`); they come first.
        texts: texts by id, of which these are other annotations: each note must be one of them,
            with the same text if it brings one, and none may be missing.

    Raises:
        AnnotationError: no such file, or notes are refused; has the reasons with their ids.
    """
    form, found = _read(path, form)
    problems = Problems(path)
    notes = list(_unique(found, texts, problems))
    own = own or {}
    used: Counter[str] = Counter(mark.label for note in notes for mark in note.marks)
    scheme = scheme_of(name for name in used if key(name) not in own)
    known = {name: label for name in used if (label := _label(name, scheme, own, problems, notes))}
    out = []
    for note in notes:
        text = note.text if texts is None else texts[str(note.id)]
        spans: set[Span] = set()
        units = from_utf16(text or "") if form == "doccano" else None
        for mark in note.marks:
            if units is not None:
                mark = mark.from_utf16(units)
            if reason := mark.refused(text or ""):
                problems.add(reason, str(note.id))
            elif label := known.get(mark.label):
                spans.update(Span(start, end, label) for start, end in mark.pieces)
        out.append(AnnotatedNote(str(note.id), text, tuple(sorted(spans)), note.doc_type))
    problems.refuse()
    left_out = sum(count for name, count in used.items() if name not in known)
    return Annotations(tuple(out), form, scheme, left_out)


def _read(path: Path, form: str | None) -> tuple[str, list[Annotated]]:
    if form not in (None, *FORMATS):
        raise AnnotationError(f"no such format: {form}; allowed: {', '.join(FORMATS)}")
    if not path.exists():
        raise AnnotationError(f"no such file or folder: {path}")
    form = form or _format_of(path)
    if form == "brat":
        notes = read_brat(path)
    elif form == "i2b2":
        notes = read_i2b2(path)
    else:
        form, notes = read_rows(path, form if form in FORMATS else None)
    if not notes:
        raise AnnotationError(f"{path}: no notes in it (read as {form})")
    return form, notes


def _format_of(path: Path) -> str:
    if path.is_dir():
        kinds = {p.suffix for p in path.rglob("*")}
        found = [form for suffix, form in _SUFFIXES.items() if suffix in kinds]
        if len(found) > 1:
            raise AnnotationError(f"{path}: files of several formats; choose one with --format")
        return found[0] if found else "rows"
    if path.suffix in (".ann", ".txt"):
        return "brat"
    with path.open("rb") as file:
        head = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n")
    return "i2b2" if head.startswith(b"<") else "rows"


def _unique(
    found: Sequence[Annotated], texts: Mapping[str, str] | None, problems: Problems
) -> Iterator[Annotated]:
    """The notes that can be used; all others become problems."""
    seen: set[str] = set()
    for note in found:
        if note.id is not None and note.id in seen:
            problems.add("the same id twice", note.id)
            continue
        seen.add(note.id or "")
        if note.error or note.id is None:
            problems.add(note.error, note.id or note.where)
        elif texts is None and note.text is None:
            problems.add("no text", note.id)
        elif texts is not None and note.id not in texts:
            problems.add("no gold note has this id", note.id)
        elif texts is not None and note.text not in (None, texts[note.id]):
            problems.add("another text than the gold note's", note.id)
        else:
            yield note
    if missing := [i for i in texts or () if i not in seen]:
        problems.add("gold notes without a prediction", *missing)


def _label(
    name: str,
    scheme: str,
    own: Mapping[str, Label | None],
    problems: Problems,
    notes: Sequence[Annotated],
) -> Label | None:
    """The label behind a name; None if the caller leaves it out or it is unknown, a problem."""
    wanted = key(name)
    if wanted in own:
        return own[wanted]
    label = SCHEMES[scheme].get(wanted)
    if label is None:
        ids = [str(note.id) for note in notes if any(m.label == name for m in note.marks)]
        problems.add(f"unknown label ({shown([name])}; give it a meaning with --labels)", *ids)
    return label
