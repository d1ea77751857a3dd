"""`dpdeid evaluate coherence`: how many contradictions notes show by themselves, by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Column

from dpdeid.cli.terminal import EXIT_CHECK_FAILED, EXIT_OK, Console, counted, progress, table
from dpdeid.document import Document, Span
from dpdeid.errors import UsageError
from dpdeid.evaluate.coherence.facts import Finding
from dpdeid.evaluate.coherence.judge import Row, judge, rows
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.sources import read_whole, source_files
from dpdeid.formats.write import keep_apart, write_json


def coherence(
    released: str,
    spans: Path | None = None,
    original: str | None = None,
    most: float | None = None,
    show: bool = False,
    output: Path | None = None,
) -> int:
    """Prints the contradictions of released notes, and how many more they have than the originals;
    writes them to `output`, as places without text.

    Returns:
        0, or 1 if there are more than `most` in 10 notes (with originals: added ones).

    Raises:
        UsageError: a row cannot be read.
        AnnotationError: spans are of no note, or of an original.
    """
    if released == original == "-":
        raise UsageError("only one of RELEASED and --original can be standard input")
    sources = (*source_files(released), *(source_files(original) if original else ()))
    keep_apart((*sources, spans), output)
    new = _documents(released, "RELEASED")
    old = None if original is None else _documents(original, "--original")
    found = judge(progress(new, "judged"), None if spans is None else _spans(spans, new))
    before = None if old is None else judge(progress(old, "judged"))
    summed = rows(found, before)
    _show(summed, len(new), len(old or new))
    _list(found, {note.id: note.text for note in new} if show else {})
    if output is not None:
        write_json(output, _report(summed, found, len(new), None if old is None else len(old)))
    return _gate(summed[-1], len(new), len(old or new), most)


def _documents(source: str, name: str) -> list[Document]:
    return [row.document for row in read_whole(source, name) if row.document]


def _spans(path: Path, notes: Iterable[Document]) -> Mapping[str, Sequence[Span]]:
    """The spans of a file by note."""
    texts = {note.id: note.text for note in notes}
    return {note.id: note.spans for note in read_annotations(path, texts=texts).notes}


def _rate(number: float, notes: int) -> float:
    return 10 * number / notes


def _added(row: Row, notes: int, originals: int) -> float | None:
    """How many more in 10 notes."""
    return (
        None
        if row.originals is None
        else _rate(row.released, notes) - _rate(row.originals, originals)
    )


def _show(summed: Sequence[Row], notes: int, originals: int) -> None:
    right = [Column(name, justify="right") for name in ("released", "originals", "added")]
    shown = (
        (
            *(row.kind, f"{_rate(row.released, notes):.2f}"),
            *("–" if row.originals is None else f"{_rate(row.originals, originals):.2f}",),
            *("–" if (more := _added(row, notes, originals)) is None else f"{more:+.2f}",),
        )
        for row in summed
        if row.released or row.originals or row.kind == "all"
    )
    title = f"contradictions in 10 notes, of {counted(notes, 'note')}"
    Console().print(table(["kind", *right], shown, title=title))


def _list(found: Sequence[Finding], texts: Mapping[str, str]) -> None:
    """One line a finding: places, and with `texts` what stands there."""
    for one in found:
        other = one.other_note or one.note
        line = f"{one.note}\t{one.kind.value}\t{_place(one.first)}\t{_place(one.second)}"
        if one.other_note:
            line += f"\tof {one.other_note}"
        if texts:
            line += f"\t{_at(texts[one.note], one.first)!r} – {_at(texts[other], one.second)!r}"
        print(line)


def _place(at: tuple[int, int]) -> str:
    """Offsets; the day of the note stands in its row and not in its text."""
    return "row" if at == (0, 0) else f"{at[0]}-{at[1]}"


def _at(text: str, at: tuple[int, int]) -> str:
    return text[slice(*at)]


def _report(
    summed: Sequence[Row], found: Sequence[Finding], notes: int, originals: int | None
) -> dict[str, Any]:
    kinds = {
        row.kind: {
            "released": row.released,
            "originals": row.originals,
            "released_per_10": _rate(row.released, notes),
            "added_per_10": None if originals is None else _added(row, notes, originals),
        }
        for row in summed
    }
    listed = [
        {
            "id": one.note,
            "kind": one.kind.value,
            "first": list(one.first),
            "second": list(one.second),
            "other_id": one.other_note or None,
        }
        for one in found
    ]
    return {"notes": notes, "original_notes": originals, "kinds": kinds, "findings": listed}


def _gate(every: Row, notes: int, originals: int, most: float | None) -> int:
    more = _added(every, notes, originals)
    seen = _rate(every.released, notes) if more is None else more
    if most is None or seen <= most:
        return EXIT_OK
    print(f"{seen:.2f} in 10 notes, more than {most:g}")
    return EXIT_CHECK_FAILED
