"""Changed medicine of `dpdeid evaluate utility`: reads the gold spans, prints the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from dpdeid.cli.ending import Console
from dpdeid.cli.progress import progress
from dpdeid.document import Document
from dpdeid.evaluate.medicine.changes import NoteChanges, compare_note
from dpdeid.evaluate.medicine.figures import SUMS, figures
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.write import json_line, open_private

Pairs = Sequence[tuple[Document, Document]]


def changed_medicine(
    pairs: Pairs, gold: Path, spans: Path | None = None, finds: Path | None = None
) -> dict[str, Any]:
    """The figures of notes before and after.

    Args:
        gold: the originals with the spans that had to change.
        spans: what the run replaced, as `dpdeid run --spans` wrote it.
        finds: where each changed word goes, before and after (private).

    Raises:
        UsageError: a file is refused, or a word outside `spans` has changed.
    """
    texts = {one.id: one.text for one, _ in pairs}
    due = {note.id: note.spans for note in read_annotations(gold, texts=texts).notes}
    replaced = {}
    if spans is not None:
        replaced = {note.id: note.spans for note in read_annotations(spans, texts=texts).notes}
    compared = [
        compare_note(one, other.text, due[one.id], replaced.get(one.id))
        for one, other in progress(pairs, "compared")
    ]
    if finds is not None:
        _write(finds, pairs, compared)
    return figures(compared)


def _write(path: Path, pairs: Pairs, compared: Sequence[NoteChanges]) -> None:
    with open_private(path) as file:
        for (one, _), note in zip(pairs, compared, strict=True):
            for change in note.changed:
                row = {
                    "id": one.id,
                    "start": change.start,
                    "end": change.end,
                    "kind": change.kind.value,
                    "how": change.how.value,
                    "taken_for": change.taken_for,
                    "before": one.text[change.start : change.end],
                    "after": change.after,
                }
                file.write(json_line(row))


def show_changed(found: Mapping[str, Any], console: Console) -> None:
    """Prints the kinds that changed, and the two sums."""
    columns = ("kind", "words", "places", "notes", "silent", "per 10,000", "95 %")
    table = Table(*columns, title="changed outside gold")
    for name, row in found["kinds"].items():
        if row["words"]:
            table.add_row(name, *_cells(row))
    table.add_section()
    for name in SUMS:
        table.add_row(name, *_cells(found[name]))
    console.print(table)
    console.print(
        f"of {found['words']:,} words; silent: another word or value stands there",
        highlight=False,
    )


def _cells(row: Mapping[str, Any]) -> list[str]:
    counts = [str(row[key]) for key in ("words", "places", "notes", "silent")]
    rate, ends = row["per_10k"], row["interval"]
    shown = "–" if ends is None else f"{ends[0]:.1f}–{ends[1]:.1f}"
    return [*counts, "–" if rate is None else f"{rate:.1f}", shown]
