"""Detection figures on gold notes: per label, redacted, fully redacted, even and odd notes apart.

    python benchmarks/detection.py [GOLD …] [--policy NAME] [--json FILE] [--errors LABEL]

GOLD has one note a line: {"id", "text", "patient"?, "note_date"?, "entities": [{start, end,
label}]}; a .txt file has notes with marks, as `dpdeid train` reads them. Files of one folder are
one set. Without a file the shipped fictitious notes are scored (--tiny scores three of them).
Errors are shown for the notes at even positions only; the odd ones are scored, never looked at.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from dpdeid import testing
from dpdeid.detect.merge.published import LEARNED, Union
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.detection import LABELS
from dpdeid.evaluate.evaluation import Evaluation, GoldNote, Run, as_json, evaluate
from dpdeid.evaluate.figures import RATIOS
from dpdeid.formats.rows import document_of
from dpdeid.labels import HNFC, KEPT, Label
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.testing import KEY
from dpdeid.training.corpus import read_corpus

ANCHORS = (
    "Anchors: AP-HP rules alone, their test set: redacted 83.0, fully redacted 31.9; "
    "eds-pseudo rules on outside snippets: 63.6, 15.1."
)
Note = tuple[Document, tuple[Span, ...]]
IDENTIFYING = {
    label: label.value
    for label in Label
    if label.is_direct or label in (Label.DATE, Label.CITY, Label.ZIP, Label.HOSPITAL, Label.AGE)
}
"""The labels that all four published systems look for: precision is compared over them."""
KINDS = ("exact", "token")


def read_gold(path: Path) -> list[Note]:
    """The notes of a gold file with their spans."""
    if path.suffix == ".txt":
        return list(read_corpus([path]))
    notes = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        spans = tuple(Span(e["start"], e["end"], Label(e["label"])) for e in row.pop("entities"))
        notes.append((document_of(row, number), spans))
    return notes


def gold_sets(paths: Iterable[Path]) -> dict[str, list[Note]]:
    """Folder → the notes of its gold files."""
    sets: dict[str, list[Note]] = {}
    for path in paths:
        sets.setdefault(path.resolve().parent.name, []).extend(read_gold(path))
    return sets


def rules_alone(policy: Policy) -> Policy:
    """The policy with the detectors that are not trained."""
    rules = (d for d in policy.detectors if d.name not in LEARNED)
    return policy.found_by(*rules, merge=Union())


def policy_of(name: str) -> Policy:
    """A policy; "rules" is `dp` with the detectors that are not trained."""
    return rules_alone(load_policy("dp")) if name == "rules" else load_policy(name)


def percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def ratios(evaluation: Evaluation, *path: str) -> str:
    """Precision, recall and F1 by exact span and by token."""
    return " | ".join(
        "   " + "".join(f"{percent(evaluation.values[*path, k, r]):>6s}" for r in RATIOS)
        for k in KINDS
    )


def table(evaluation: Evaluation) -> Iterable[str]:
    """The printed table of one set of notes."""
    yield f"{'label':15s} {'gold':>5s} | exact    P     R    F1 | token    P     R    F1 | redacted"
    names = {path[1] for path in evaluation.values if path[0] == "labels"}
    rows = [("labels", name) for name in sorted(names, key=lambda x: (not Label(x).is_direct, x))]
    for path in (*rows, ("direct",), ("quasi",)):
        gold = sum(evaluation.counts[*path, "exact", c] for c in ("tp", "fn"))
        line = f"{path[-1]:15s} {gold:5d} | {ratios(evaluation, *path)} | "
        line += f"{percent(evaluation.values[*path, 'redacted']):>6s}"
        whole = percent(evaluation.values[*path, "fully_redacted"])
        yield line if path[0] == "labels" else f"{line}  fully redacted notes {whole}"


def beside_published(identifying: Evaluation, classes: Evaluation) -> Iterable[str]:
    """The figures that published systems give, counted by token."""
    p, r, f1 = (percent(identifying.values["micro", "token", ratio]) for ratio in RATIOS)
    yield f"direct + date, city, zip, hospital, age by token: P {p}  R {r}  F1 {f1}"
    names = sorted({path[1] for path in classes.values if path[0] == "labels"})
    each = (f"{n} {percent(classes.values['labels', n, 'token', 'f1'])}" for n in names)
    yield f"F1 by token in HNFC's classes: {', '.join(each)}"


def errors(note: Note, predicted: Sequence[Span], wanted: str) -> Iterable[str]:
    """One line for each missed, leaked or invented span of a label."""
    doc, gold = note
    said = {(s.start, s.end, s.label): s for s in predicted}
    truth = {(s.start, s.end, s.label): s for s in gold}
    for key, span in sorted({**said, **truth}.items()):
        if (key in said) == (key in truth) or wanted not in ("all", span.label):
            continue
        hiding = [p for p in predicted if p.label not in KEPT or p.label == span.label]
        hidden = all(
            any(p.start <= i < p.end for p in hiding)
            for i in range(span.start, span.end)
            if doc.text[i].isalnum()
        )
        kind = "EXTRA" if key in said else ("bound" if hidden else "LEAK ")
        left = doc.text[max(0, span.start - 30) : span.start].replace("\n", "⏎")
        right = doc.text[span.end : span.end + 25].replace("\n", "⏎")
        middle = doc.text[span.start : span.end].replace("\n", "⏎")
        yield f"  {kind} {span.label:12s} {left}[{middle}]{right}   {span.source}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="dp", help="whose detectors are scored, or rules")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--errors", help="show the errors of one label, or all (even notes)")
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    deidentifier = Deidentifier(policy_of(args.policy), key=KEY)
    sets = gold_sets(args.gold)
    if not sets:
        sets = {"shipped examples": list(testing.notes())[: 3 if args.tiny else None]}
    report: dict[str, object] = {"policy": args.policy}
    for name, notes in sets.items():
        gold = [GoldNote(doc, spans) for doc, spans in notes]
        run: Run = [deidentifier.detect(doc).spans for doc, _ in notes]
        if args.errors:
            for note, predicted in zip(notes[::2], run[::2], strict=True):
                print(*errors(note, predicted, args.errors), sep="\n", file=sys.stderr)
        for part, of in (
            ("even", slice(0, None, 2)),
            ("odd", slice(1, None, 2)),
            ("all", slice(None)),
        ):
            chosen = gold[of], [run[of]]
            found, identifying, hnfc = (
                evaluate(*chosen, resamples=0, classes=classes)
                for classes in (LABELS, IDENTIFYING, HNFC)
            )
            lines = (*table(found), *beside_published(identifying, hnfc))
            print(f"\n{name}, {part} notes", *lines, sep="\n")
            report[f"{name}/{part}"] = as_json(found) | {
                "identifying": as_json(identifying)["micro"],
                "hnfc": as_json(hnfc)["labels"],
            }
    print("\n" + ANCHORS)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
