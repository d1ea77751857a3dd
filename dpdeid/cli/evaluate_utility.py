"""`dpdeid evaluate utility`: what of the codes of notes a de-identification kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from dpdeid.cli.counted import counted
from dpdeid.cli.ending import Console
from dpdeid.cli.evaluate_changed import changed_medicine, show_changed
from dpdeid.cli.progress import progress
from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.classifier import transfer
from dpdeid.evaluate.coding.contract import Coder, Terminology
from dpdeid.evaluate.coding.eds import EdsCoder
from dpdeid.evaluate.coding.light import LightCoder
from dpdeid.evaluate.coding.planted import on_planted
from dpdeid.evaluate.coding.terms import label_file
from dpdeid.evaluate.coding.timed import TimedCoder
from dpdeid.evaluate.counts import Counts
from dpdeid.evaluate.utility import Comparison, compare, paired
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.rows import source_files
from dpdeid.formats.whole import read_whole
from dpdeid.formats.write import write_json


def utility(
    before: str,
    after: str,
    *,
    coder: str = "full",
    files: Mapping[Terminology, Path],
    classifier: bool = False,
    gold: Path | None = None,
    spans: Path | None = None,
    finds: Path | None = None,
    output: Path | None = None,
) -> None:
    """Prints which codes of the notes before stand there after, and with gold spans which words
    changed that had not to; writes the figures to `output`.

    Args:
        coder: "full" or "labels" (edsnlp), or "light".
        files: label files by terminology.
        gold, spans, finds: see `evaluate_changed.changed_medicine`.

    Raises:
        UsageError: the ids differ, a row cannot be read, or edsnlp or a file is missing.
    """
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
    report: dict[str, Any] = {"coder": {"name": code.name, "planted": _planted(code)}}
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
        report["changed"] = changed_medicine(pairs, gold, spans, finds)
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


def _planted(coder: Coder) -> dict[str, Any]:
    found = on_planted(coder)
    return {section: _figures(counts) for section, counts in found.items()}


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
        f"codes with a precision of {_percent(own['precision'])} %",
        highlight=False,
    )
    table = Table("codes", "before", "after", "kept %")
    for name, counts in report["codes"].items():
        kept = _percent(report["kept"][name])
        table.add_row(name, str(counts["before"]), str(counts["after"]), kept)
    for name in ("icd10", "age", "stay", "all"):
        counts = report["timed"]["codes"].get(name, {"before": 0, "after": 0})
        kept = _percent(report["timed"]["kept"].get(name))
        row = f"by dates and ages: {name}"
        table.add_row(row, str(counts["before"]), str(counts["after"]), kept)
    console.print(table)
    console.print(
        f"precision {_percent(report['precision'])}, recall {_percent(report['recall'])}, "
        f"F1 {_percent(report['f1'])}",
        highlight=False,
    )
    _show_jaccard(console, report["jaccard"])
    for way, counts in report.get("classifier", {}).items():
        console.print(f"classifier, {way}: F1 {_percent(counts['f1'])}", highlight=False)
    if "changed" in report:
        show_changed(report["changed"], console)


def _show_jaccard(console: Console, jaccard: Mapping[str, Any]) -> None:
    bins: Sequence[Mapping[str, Any]] = jaccard["histogram"]
    equal = counted(jaccard["equal_notes"], "note")
    console.print(f"Jaccard = 1 in {equal} ({_percent(jaccard['equal'])} %)", highlight=False)
    table = Table("Jaccard from", "notes", "%", "from here on %")
    for each in reversed(bins):
        row = (str(each["from"]), str(each["notes"]))
        table.add_row(*row, _percent(each["share"]), _percent(each["cumulative"]))
    console.print(table)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
