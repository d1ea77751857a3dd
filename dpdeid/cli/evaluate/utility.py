"""`dpdeid evaluate utility`: what of the codes of notes a de-identification kept, and which words
changed that had not to.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpdeid.cli.terminal import Console, counted, progress, table
from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.classifier import transfer
from dpdeid.evaluate.coding.coders import EdsCoder, LightCoder
from dpdeid.evaluate.coding.codes import Coder, Terminology
from dpdeid.evaluate.coding.planted import on_planted
from dpdeid.evaluate.coding.terms import label_file
from dpdeid.evaluate.coding.timed import TimedCoder
from dpdeid.evaluate.counts import Counts
from dpdeid.evaluate.medicine.changes import NoteChanges, compare_note
from dpdeid.evaluate.medicine.figures import SUMS, figures
from dpdeid.evaluate.utility import Comparison, compare, paired
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.sources import read_whole, source_files
from dpdeid.formats.write import json_line, keep_apart, open_private, write_json

Pairs = Sequence[tuple[Document, Document]]


def utility(
    before: str,
    after: str,
    coder: str = "full",
    icd10: Path | None = None,
    atc: Path | None = None,
    ccam: Path | None = None,
    classifier: bool = False,
    gold: Path | None = None,
    spans: Path | None = None,
    finds: Path | None = None,
    output: Path | None = None,
) -> None:
    """Prints which codes of the notes before stand there after, and with gold spans which words
    changed that had not to; writes the figures to `output`.

    Raises:
        UsageError: the ids differ, a row cannot be read, edsnlp or a file is missing, or a word
            outside `spans` has changed.
    """
    given = {Terminology.ICD10: icd10, Terminology.ATC: atc, Terminology.CCAM: ccam}
    files = {kind: path for kind, path in given.items() if path is not None}
    if before == after == "-":
        raise UsageError("only one of BEFORE and AFTER can be standard input")
    sources = (*source_files(before), *source_files(after))
    if gold is None and (spans or finds):
        raise UsageError("--spans and --finds go with --gold")
    keep_apart((*sources, *files.values(), gold, spans), output, finds)
    old, new = _documents(before, "BEFORE"), _documents(after, "AFTER")
    pairs = list(paired(old, new))
    code = _coder(coder, files)
    timed = TimedCoder()
    planted = {section: _figures(counts) for section, counts in on_planted(code).items()}
    report: dict[str, Any] = {"coder": {"name": code.name, "planted": planted}}
    total = by_time = Comparison()
    truth = []
    for one, other in progress(pairs, "coded"):
        codes = tuple(code(one))
        truth.append(frozenset(f"{c.terminology}:{c.value}" for c in codes))
        total += compare(codes, code(other))
        by_time += compare(timed(one), timed(other))
    report |= total.as_json()
    for kind in files:
        report["kept"].setdefault(kind.value, None)
    report["timed"] = by_time.as_json()
    if classifier:
        sides = ([one.text for one, _ in pairs], [other.text for _, other in pairs])
        learnt = transfer([one.id for one, _ in pairs], *sides, truth)
        report["classifier"] = {way: _figures(c) for way, c in learnt.items()}
    if gold is not None:
        report["changed"] = _changed(pairs, gold, spans, finds)
    _show(report)
    if output is not None:
        write_json(output, report)


def _documents(source: str, name: str) -> list[Document]:
    return [row.document for row in read_whole(source, name) if row.document]


def _coder(name: str, files: Mapping[Terminology, Path]) -> Coder:
    if name not in ("full", "labels", "light"):
        raise UsageError(f"no coder {name!r}; there are full, labels, light")
    labels = {kind: label_file(path, kind) for kind, path in files.items()}
    return LightCoder(labels) if name == "light" else EdsCoder(labels, full=name == "full")


def _figures(counts: Counts) -> dict[str, float | int | None]:
    ratios = {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
    plain = {key: None if math.isnan(value) else value for key, value in ratios.items()}
    return {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, **plain}


def _show(report: Mapping[str, Any]) -> None:
    console = Console(soft_wrap=False)
    own = report["coder"]["planted"]["all"]
    console.print(
        f"{counted(report['notes'], 'note')}, {report['notes_without_codes']} without a code; "
        f"coder {report['coder']['name']}, which finds {_percent(own['recall'])} % of planted "
        f"codes with a precision of {_percent(own['precision'])} %"
    )
    kept = [*_kept(report, report["codes"])]
    kept += _kept(report["timed"], ("icd10", "age", "stay", "all"), "by dates and ages: ")
    console.print(table(("codes", "before", "after", "kept %"), kept))
    console.print(
        f"precision {_percent(report['precision'])}, recall {_percent(report['recall'])}, "
        f"F1 {_percent(report['f1'])}"
    )
    _show_jaccard(console, report["jaccard"])
    for way, counts in report.get("classifier", {}).items():
        console.print(f"classifier, {way}: F1 {_percent(counts['f1'])}")
    if "changed" in report:
        _show_changed(report["changed"], console)


def _kept(
    report: Mapping[str, Any], names: Iterable[str], lead: str = ""
) -> Iterator[tuple[str, ...]]:
    for name in names:
        counts = report["codes"].get(name, {"before": 0, "after": 0})
        share = _percent(report["kept"].get(name))
        yield lead + name, str(counts["before"]), str(counts["after"]), share


def _show_jaccard(console: Console, jaccard: Mapping[str, Any]) -> None:
    bins: Sequence[Mapping[str, Any]] = jaccard["histogram"]
    equal = counted(jaccard["equal_notes"], "note")
    console.print(f"Jaccard = 1 in {equal} ({_percent(jaccard['equal'])} %)")
    rows = (
        (str(one["from"]), str(one["notes"]), *map(_percent, (one["share"], one["cumulative"])))
        for one in reversed(bins)
    )
    console.print(table(("Jaccard from", "notes", "%", "from here on %"), rows))


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _changed(pairs: Pairs, gold: Path, spans: Path | None, finds: Path | None) -> dict[str, Any]:
    """The words that changed outside the gold spans, as counts; each of them goes to `finds`."""
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
        _write_changed(finds, pairs, compared)
    return figures(compared)


def _write_changed(path: Path, pairs: Pairs, compared: Sequence[NoteChanges]) -> None:
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


def _show_changed(found: Mapping[str, Any], console: Console) -> None:
    columns = ("kind", "words", "places", "notes", "silent", "per 10,000", "95 %")
    kinds = ((name, *_changed_cells(row)) for name, row in found["kinds"].items() if row["words"])
    changed = table(columns, kinds, title="changed outside gold")
    changed.add_section()
    for name in SUMS:
        changed.add_row(name, *_changed_cells(found[name]))
    console.print(changed)
    console.print(f"of {found['words']:,} words; silent: another word or value stands there")


def _changed_cells(row: Mapping[str, Any]) -> list[str]:
    counts = [str(row[key]) for key in ("words", "places", "notes", "silent")]
    rate, ends = row["per_10k"], row["interval"]
    shown = "–" if ends is None else f"{ends[0]:.1f}–{ends[1]:.1f}"
    return [*counts, "–" if rate is None else f"{rate:.1f}", shown]
