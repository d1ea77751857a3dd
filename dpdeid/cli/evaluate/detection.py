"""`dpdeid evaluate detection`: found spans against gold ones, what is covered first, then what was
found, then by label.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Column, Table

from dpdeid.cli.terminal import PIPED, Console, counted, table
from dpdeid.document import Document
from dpdeid.errors import AnnotationError
from dpdeid.evaluate import counts as rounding
from dpdeid.evaluate.bootstrap import LEVEL
from dpdeid.evaluate.counts import high_percent, low_percent
from dpdeid.evaluate.detection import LABELS
from dpdeid.evaluate.evaluation import Evaluation, GoldNote, Run, as_json, evaluate
from dpdeid.evaluate.figures import KINDS, RATIOS
from dpdeid.formats.annotations import Annotations, read_annotations
from dpdeid.formats.label_names import CLASSES, COARSE, read_labels
from dpdeid.formats.write import keep_apart, write_json
from dpdeid.labels import DIRECT

Steps = tuple[str, ...]
Rows = Iterable[Sequence[str]]
_GROUPS: Final = (
    ("direct identifiers: names, numbers …", "direct"),
    ("quasi-identifiers: dates, places …", "quasi"),
    ("all", "all"),
)
_LEAKS: Final = ("redacted", "fully_redacted")
_CONFUSIONS: Final = 10
_FIRST: Final = 24
"""Columns of the screen that the first column of a table keeps."""
_TYPES: Final = 15
_COMPARED: Final[Sequence[tuple[str, Steps]]] = (
    *((f"{group} redacted", (group, "redacted")) for group in ("direct", "quasi", "all")),
    *((f"{group} fully redacted", (group, "fully_redacted")) for group in ("direct", "all")),
    *((f"token {x}", ("micro", "token", x)) for x in RATIOS),
    ("exact f1", ("micro", "exact", "f1")),
    ("macro token f1", ("macro", "token", "f1")),
)


def show(evaluation: Evaluation, remarks: Iterable[str] = ()) -> None:
    """Prints an evaluation. Figures are percentages; intervals stand in brackets."""
    console = Console()
    runs = f" · {evaluation.runs} runs, counted together" if evaluation.runs > 1 else ""
    console.print(f"[bold]{counted(evaluation.notes, 'note')}[/bold]{runs}")
    for remark in remarks:
        console.print(escape(remark))
    for one in _tables(evaluation):
        console.print()
        console.print(one)
    if evaluation.intervals:
        console.print(
            f"\n[brackets]: {100 * LEVEL:.0f} % interval, {evaluation.resamples:,} bootstrap "
            f"samples of the notes, seed {evaluation.seed}, and exact on notes: at 0 and 100 "
            "the other end says what so many notes cannot exclude.",
            markup=False,
        )


def percent(value: float) -> str:
    """One decimal, ">99.9" for not quite all; "–" for a ratio over nothing."""
    return "–" if math.isnan(value) else rounding.percent(value).replace(" ", "")


def _tables(evaluation: Evaluation) -> Iterable[Table]:
    yield _leaks(evaluation)
    yield _found(evaluation)
    yield _strict(evaluation)
    yield _names(evaluation, "labels", "label")
    yield _names(evaluation, "categories", "category")
    if any(path[0] == "types" for path in evaluation.values):
        yield _types(evaluation)
    if evaluation.confusion:
        yield _confusions(evaluation)
    if evaluation.spread:
        yield _spread(evaluation)
    if evaluation.differences:
        yield _differences(evaluation)


def _table(title: str, columns: Sequence[str], rows: Rows, note: str = "") -> Table:
    """A table whose first column gives way where the screen is narrow, if that is enough."""
    lines = [columns, *map(tuple, rows)]
    others = sum(max(map(len, cells)) + 1 for cells in list(zip(*lines, strict=True))[1:])
    fits = others < PIPED - _FIRST
    right = (Column(name, justify="right", no_wrap=fits) for name in columns[1:])
    made = table(
        (columns[0], *right),
        lines[1:],
        title=title,
        caption=note or None,
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    made.title_justify, made.title_style, made.padding = "left", "bold", (0, 0, 0, 1)
    return made


def _with_interval(evaluation: Evaluation, *path: str) -> str:
    value = percent(evaluation.values.get(path, math.nan))
    low, high = evaluation.intervals.get(path, (math.nan, math.nan))
    return value if math.isnan(low) else f"{value} [{low_percent(low)}–{high_percent(high)}]"


def _cells(evaluation: Evaluation, *paths: Steps) -> list[str]:
    return [percent(evaluation.values.get(path, math.nan)) for path in paths]


def _leaks(evaluation: Evaluation) -> Table:
    columns = ("", "words (redacted)", "whole notes (fully)")
    rows = (
        (words, *(escape(_with_interval(evaluation, group, x)) for x in _LEAKS))
        for words, group in _GROUPS
    )
    return _table("What is covered", columns, rows)


def _found(evaluation: Evaluation) -> Table:
    rows = (
        (
            kind,
            *(escape(_with_interval(evaluation, "micro", kind, x)) for x in RATIOS),
            *_cells(evaluation, ("macro", kind, "f1")),
        )
        for kind in KINDS
    )
    note = (
        "exact: same start, end and label; partial: same label, some overlap; "
        "token: same label on the word"
    )
    return _table("What was found", ("", *RATIOS, "macro f1"), rows, note)


def _strict(evaluation: Evaluation) -> Table:
    rows = (
        (
            words,
            *(f"{evaluation.counts.get((path, x), 0):,}" for x in ("tp", "fp", "fn")),
            *_cells(evaluation, *((path, x) for x in RATIOS)),
        )
        for words, path in (("strict: every time", "strict"), ("once a note", "once"))
    )
    columns = ("", "hit", "too much", "missed", *RATIOS)
    return _table("Words, whatever the label (FASDIM)", columns, rows)


def _names(evaluation: Evaluation, way: str, title: str) -> Table:
    names = {path[1] for path in evaluation.values if path[0] == way}
    in_labels = way == "labels" and ("direct", "exact", "f1") in evaluation.values
    direct = {name for name in names if in_labels and name in DIRECT}
    rows = []
    for name in (*sorted(direct), *sorted(names - direct)):
        gold = sum(evaluation.counts.get((way, name, "exact", x), 0) for x in ("tp", "fn"))
        paths: list[Steps] = [(way, name, "fully_redacted")]
        paths += [(way, name, "token", x) for x in RATIOS]
        paths.append((way, name, "exact", "f1"))
        redacted = escape(_with_interval(evaluation, way, name, "redacted"))
        spans = f"{gold // evaluation.runs:,}"
        rows.append((escape(name), spans, redacted, *_cells(evaluation, *paths)))
    columns = ("", "gold", "redacted", "fully", "P", "R", "F1", "exact")
    made = _table(f"By {title} (P, R, F1: of words; exact: F1 of spans)", columns, rows)
    for row in made.rows[: len(direct)][-1:]:
        row.end_section = True
    return made


def _types(evaluation: Evaluation) -> Table:
    notes = {path[1]: n for path, n in evaluation.counts.items() if path[2:] == ("notes",)}
    rows = (
        (
            escape(name),
            f"{notes[name]:,}",
            escape(_with_interval(evaluation, "types", name, "direct", "redacted")),
            *_cells(
                evaluation,
                ("types", name, "direct", "fully_redacted"),
                ("types", name, "micro", "token", "f1"),
            ),
        )
        for name in sorted(notes, key=lambda name: (-notes[name], name))[:_TYPES]
    )
    note = f"and {len(notes) - _TYPES} more types: see --json" if len(notes) > _TYPES else ""
    columns = ("type", "notes", "direct redacted", "fully", "token F1")
    return _table("By type of document", columns, rows, note)


def _confusions(evaluation: Evaluation) -> Table:
    wrong = [(-n, *pair) for pair, n in evaluation.confusion.items() if pair[0] != pair[1]]
    most = sorted(wrong)[:_CONFUSIONS]
    rows = ((escape(gold), escape(predicted), f"{-less:,}") for less, gold, predicted in most)
    return _table("Most frequent errors (O: none)", ("gold", "predicted", "words"), rows)


def _spread(evaluation: Evaluation) -> Table:
    spread = evaluation.spread
    rows = ((words, *map(percent, spread[path])) for words, path in _COMPARED if path in spread)
    return _table("Each run", ("", *(f"run {n}" for n in range(1, evaluation.runs + 1))), rows)


def _differences(evaluation: Evaluation) -> Table:
    tested = any(of.t for of in evaluation.differences.values())
    columns = ("", "difference (points)", "p (notes)", *(["p (runs, t)"] if tested else []))
    rows = []
    for words, path in _COMPARED:
        if (of := evaluation.differences.get(path)) is not None:
            ends = "" if math.isnan(of.low) else f" [{100 * of.low:+.1f} to {100 * of.high:+.1f}]"
            value = "–" if math.isnan(of.value) else f"{100 * of.value:+.1f}"
            tests = (of.p, *([of.t.p if of.t else math.nan] if tested else []))
            shown = ("–" if math.isnan(p) else f"{p:.3f}" for p in tests)
            rows.append((words, escape(value + ends), *shown))
    return _table("PRED less --against, on the same notes", columns, rows)


def detection(
    gold: Path,
    predicted: list[Path],
    against: list[Path] | None = None,
    form: str | None = None,
    labels: Path | None = None,
    scheme: str | None = None,
    resamples: int = 1_000,
    seed: int = 0,
    output: Path | None = None,
) -> None:
    """Prints the figures of what was found against gold, and writes them to `output`.

    Raises:
        UsageError: a file or option is refused; names the reasons and the notes.
    """
    if scheme not in (None, *CLASSES):
        raise AnnotationError(f"no such scheme: {scheme}; allowed: {', '.join(CLASSES)}")
    keep_apart((gold, *predicted, *(against or ()), labels), output)
    own = read_labels(labels) if labels else {}
    truth = read_annotations(gold, form, own=own)
    texts = {note.id: note.text or "" for note in truth.notes}
    found, others = (
        [read_annotations(path, form, own=own, texts=texts) for path in paths]
        for paths in (predicted, against or ())
    )
    evaluation = evaluate(
        gold_notes(truth),
        [run_of(one, texts) for one in found],
        against=[run_of(one, texts) for one in others],
        classes=CLASSES[scheme] if scheme else LABELS,
        resamples=resamples,
        seed=seed,
    )
    sources = {"gold": [truth], "predicted": found, "against": others}
    show(evaluation, remarks=_remarks(sources, scheme))
    if output is not None:
        report = {
            "scheme": scheme,
            "sources": {name: [_source(x) for x in each] for name, each in sources.items()},
            **as_json(evaluation),
        }
        write_json(output, report)


def gold_notes(truth: Annotations) -> list[GoldNote]:
    """The notes of a file with the spans that should be found."""
    return [GoldNote(Document(n.id, n.text or ""), n.spans, n.doc_type) for n in truth.notes]


def run_of(one: Annotations, texts: Mapping[str, str]) -> Run:
    """The spans of each note, in the order of the gold notes."""
    by_id = {note.id: note.spans for note in one.notes}
    return [by_id[note_id] for note_id in texts]


def _source(one: Annotations) -> dict[str, object]:
    return {
        "format": one.format,
        "label_names": one.scheme,
        "spans": sum(len(note.spans) for note in one.notes),
        "left_out": one.left_out,
    }


def _remarks(sources: dict[str, list[Annotations]], scheme: str | None) -> list[str]:
    """What was read, and what the reader of the figures should know of it."""
    remarks = [
        f"{name}: {_source(one)['spans']:,} spans ({one.format}, labels of {one.scheme})"
        + (f", {one.left_out:,} left out by --labels" if one.left_out else "")
        for name, each in sources.items()
        for one in each
    ]
    used = {one.scheme for each in sources.values() for one in each}
    if scheme is None and used & COARSE and len(used) > 1:
        remarks.append(
            "One side has one label for surnames and first names: --scheme i2b2, hnfc or chuv "
            "counts them as one."
        )
    return remarks
