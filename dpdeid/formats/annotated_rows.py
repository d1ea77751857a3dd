"""Annotated notes in JSON lines: ours and `dpdeid detect`'s, Doccano's and Prodigy's.

| format | where a row has its spans |
|---|---|
| jsonl | "entities": [{"start", "end", "label", "text"?}] |
| doccano | "label" or "labels": [[start, end, label]]; or "entities", start_offset, end_offset |
| prodigy | "spans": [{"start", "end", "label"}]; the id is "id", meta's "id" or the input's hash |

A row without that key is refused: no spans is an empty list. So is a row with an "error" (of
`dpdeid detect`), and one that a Prodigy user did not accept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dpdeid.formats.annotated import Annotated, Mark
from dpdeid.formats.json_lines import file_lines

Row = Mapping[str, Any]


def read_rows(path: Path, form: str | None = None) -> tuple[str, list[Annotated]]:
    """The format of a file or folder of rows, by the first row unless given, and the notes."""
    notes: list[Annotated] = []
    for where, row in _parsed(path):
        if isinstance(row, str):
            kind = row.partition(" (")[0]  # errors are told by kind, each with its rows
            notes.append(Annotated(where, None, error=kind))
            continue
        form = form or form_of(row)
        notes.append(_note(row, where, form))
    return form or "jsonl", notes


def form_of(row: Row) -> str:
    """The format that a row is in, by its keys: jsonl, doccano or prodigy."""
    entities = row.get("entities")
    if "spans" in row and entities is None:
        return "prodigy"
    if isinstance(entities, list):
        first = entities[0] if entities else {}
        return "doccano" if isinstance(first, dict) and "start_offset" in first else "jsonl"
    return "doccano" if "label" in row or "labels" in row else "jsonl"


def _parsed(path: Path) -> Iterator[tuple[str, Row | str]]:
    """Each row with its place, or what is wrong with it."""
    if path.is_dir():
        files = sorted(p for p in path.rglob("*.jsonl*") if p.is_file())
        labels = [f"{inner.relative_to(path).as_posix()}, row" for inner in files]
    else:
        files, labels = [path], ["row"]
    for file, label in zip(files, labels, strict=True):
        for number, row in file_lines(file):
            yield f"{label} {number}", row


def _note(row: Row, where: str, form: str) -> Annotated:
    note_id = _id(row, form)
    if note_id is None:
        return Annotated(where, None, error="no id")
    text = row.get("text", row.get("data") if form == "doccano" else None)
    if text is not None and not isinstance(text, str):
        return Annotated(where, note_id, error="text is not text")
    kind = row.get("doc_type")
    if row.get("error"):
        return Annotated(where, note_id, error="the note was not processed (the row is an error)")
    if form == "prodigy" and row.get("answer", "accept") != "accept":
        return Annotated(where, note_id, error="the annotator did not accept it")
    try:
        marks = tuple(_marks(row, form))
    except (KeyError, TypeError, ValueError):
        return Annotated(where, note_id, error=f"no list of spans as in {form}")
    return Annotated(where, note_id, text, marks, kind if isinstance(kind, str) else None)


def _id(row: Row, form: str) -> str | None:
    value = row.get("id")
    if value is None and form == "prodigy":
        meta = row.get("meta")
        value = meta.get("id") if isinstance(meta, dict) else None
        value = row.get("_input_hash") if value is None else value
    usable = isinstance(value, str | int) and not isinstance(value, bool) and value != ""
    return str(value) if usable else None


def _marks(row: Row, form: str) -> Iterable[Mark]:
    if form == "jsonl":
        for e in row["entities"]:
            yield _mark(e["start"], e["end"], e["label"], e.get("text"))
    elif form == "prodigy":
        for e in row["spans"]:
            yield _mark(e["start"], e["end"], e["label"], None)
    elif isinstance(row.get("entities"), list):
        for e in row["entities"]:
            yield _mark(e["start_offset"], e["end_offset"], e["label"], None)
    else:
        for start, end, label in row["label"] if "label" in row else row["labels"]:
            yield _mark(start, end, label, None)


def _mark(start: object, end: object, label: object, surface: object) -> Mark:
    if type(start) is not int or type(end) is not int or not isinstance(label, str):
        raise TypeError
    return Mark(((start, end),), label, surface if isinstance(surface, str) else None)
