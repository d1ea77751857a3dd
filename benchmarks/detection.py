"""Detection figures on gold notes: per label, redacted, fully redacted, even and odd notes apart.

    python benchmarks/detection.py [GOLD.jsonl …] [--policy NAME] [--json FILE] [--errors LABEL]

GOLD has one note a line: {"id", "text", "patient"?, "note_date"?, "entities": [{start, end,
label}]}. Without a file the shipped fictitious notes are scored (--tiny scores three of them).
Errors are shown for the notes at even positions only; the odd ones are scored, never looked at.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from dpdeid import testing
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.detection import KEPT, Counts, Scores, score
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label

ANCHORS = (
    "Anchors: AP-HP rules alone, their test set: redacted 83.0, fully redacted 31.9; "
    "eds-pseudo rules on outside snippets: 63.6, 15.1."
)
Note = tuple[Document, tuple[Span, ...]]
IDENTIFYING = frozenset(x for x in Label if x.is_direct) | {
    Label.DATE, Label.CITY, Label.ZIP, Label.HOSPITAL, Label.AGE,
}  # fmt: skip
"""The labels that all four published systems look for: precision is compared over them."""
HNFC = {
    "PERson": (Label.LAST_NAME, Label.FIRST_NAME),
    "LOCation": (Label.CITY, Label.STREET, Label.ZIP, Label.COUNTRY),
    "Date": (Label.DATE, Label.BIRTH_DATE),
    "Age": (Label.AGE,),
    "Phone": (Label.PHONE, Label.FAX),
}
"""HNFC's classes as our labels; the first stands for its class."""
_CLASS_OF = {label: labels[0] for labels in HNFC.values() for label in labels}


def read_gold(path: Path) -> list[Note]:
    """The notes of a gold file with their spans."""
    notes = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        spans = tuple(Span(e["start"], e["end"], Label(e["label"])) for e in row.pop("entities"))
        notes.append((document_of(row, number), spans))
    return notes


def in_classes(spans: Iterable[Span]) -> list[Span]:
    """The spans with the first label of their HNFC class."""
    return [replace(s, label=_CLASS_OF.get(s.label, s.label)) for s in spans]


def beside_published(scores: Scores, classes: Scores) -> Iterable[str]:
    """The figures that published systems give, counted by token."""
    all_of = scores.micro(scores.token, IDENTIFYING)
    yield (
        "direct + date, city, zip, hospital, age by token: "
        f"P {percent(all_of.precision)}  R {percent(all_of.recall)}  F1 {percent(all_of.f1)}"
    )
    none = Counts()
    each = (f"{n} {percent(classes.token.get(x[0], none).f1)}" for n, x in HNFC.items())
    yield f"F1 by token in HNFC's classes: {', '.join(each)}"


def percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def table(scores: Scores) -> Iterable[str]:
    """The printed table of one set of notes."""
    yield f"{'label':15s} {'gold':>5s} | exact    P     R    F1 | token    P     R    F1 | redacted"
    for label in sorted(Label, key=lambda label: (not label.is_direct, label.value)):
        exact, token = scores.exact.get(label), scores.token.get(label)
        if exact is None or token is None:
            continue
        figures = " | ".join(
            f"   {percent(c.precision):>6s}{percent(c.recall):>6s}{percent(c.f1):>6s}"
            for c in (exact, token)
        )
        yield (
            f"{label:15s} {exact.tp + exact.fn:5d} | {figures} | "
            f"{percent(scores.leak[label].redacted):>6s}"
        )
    for name, labels, leak in (
        ("direct", [x for x in Label if x.is_direct], scores.direct),
        ("quasi", [x for x in Label if not x.is_direct], scores.quasi),
    ):
        figures = " | ".join(
            f"   {percent(c.precision):>6s}{percent(c.recall):>6s}{percent(c.f1):>6s}"
            for c in (scores.micro(scores.exact, labels), scores.micro(scores.token, labels))
        )
        count = scores.micro(scores.exact, labels)
        yield (
            f"{name + ' (micro)':15s} {count.tp + count.fn:5d} | {figures} | "
            f"{percent(leak.redacted):>6s}  fully redacted notes {percent(leak.fully_redacted)}"
        )


def number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 5)


def counted(c: Counts) -> dict[str, float | int | None]:
    """Counts and their ratios, for JSON."""
    ratios = {"precision": c.precision, "recall": c.recall, "f1": c.f1}
    return {"tp": c.tp, "fp": c.fp, "fn": c.fn, **{k: number(v) for k, v in ratios.items()}}


def as_json(scores: Scores) -> dict[str, object]:
    """The same figures, as numbers; a ratio over nothing is null."""

    groups = {"direct": scores.direct, "quasi": scores.quasi}
    return {
        "labels": {
            label.value: {
                "exact": counted(scores.exact[label]),
                "token": counted(scores.token[label]),
                "redacted": number(scores.leak[label].redacted),
                "fully_redacted": number(scores.leak[label].fully_redacted),
            }
            for label in scores.exact
        },
        **{
            name: {"redacted": number(g.redacted), "fully_redacted": number(g.fully_redacted)}
            for name, g in groups.items()
        },
    }


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
    parser.add_argument("--policy", default="dp", help="whose detectors are scored")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--errors", help="show the errors of one label, or all (even notes)")
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    deidentifier = Deidentifier(args.policy, key=bytes(32))
    sets = {path.parent.name: read_gold(path) for path in args.gold}
    if not sets:
        sets = {"shipped examples": list(testing.notes())[: 3 if args.tiny else None]}
    report: dict[str, object] = {"policy": args.policy}
    for name, notes in sets.items():
        halves, classes = [Scores(), Scores()], [Scores(), Scores()]
        for position, note in enumerate(notes):
            predicted = deidentifier.detect(note[0]).spans
            halves[position % 2] += score(*note, predicted)
            classes[position % 2] += score(note[0], in_classes(note[1]), in_classes(predicted))
            if args.errors and position % 2 == 0:
                print(*errors(note, predicted, args.errors), sep="\n", file=sys.stderr)
        both = [*zip(halves, classes, strict=True)]
        both.append((sum(halves, Scores()), sum(classes, Scores())))
        for part, (scores, grouped) in zip(("even", "odd", "all"), both, strict=True):
            lines = (*table(scores), *beside_published(scores, grouped))
            print(f"\n{name}, {part} notes", *lines, sep="\n")
            report[f"{name}/{part}"] = as_json(scores) | {
                "identifying": counted(scores.micro(scores.token, IDENTIFYING)),
                "hnfc": {n: counted(grouped.token.get(x[0], Counts())) for n, x in HNFC.items()},
            }
    print("\n" + ANCHORS)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
