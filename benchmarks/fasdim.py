"""FASDIM by itself, beside the tables of its paper (Chazard et al. 2014).

    python benchmarks/fasdim.py [GOLD.jsonl …] [--extract NOTES.jsonl[.gz]] [--half odd|even|all]
        [--coder full|labels|light] [--icd10 FILE] [--atc FILE] [--ccam FILE] [--misses]
        [--json FILE]

Rows: the starting list alone; with the decisions that a scripted reviewer took on what `extract`
gives of the notes of --extract, authorising a word or pattern if and only if the starting list
does; these decisions alone; and the method as published. No word of GOLD gets into a list.

Counts are strict, by token: a repeated error counts each time. They are given for the categories
of the paper's Table II (names, places below a state, dates, ages, contacts, numbers, facilities and
employers), for these with departments and clock times, and for every label of this package. The
paper's figures are of real letters of one hospital, ours of other notes: no row says who is better.
Codes are compared by note before and after. The workload is what an expert would have to read.

Misses are shown for the notes at even positions only; the odd ones are scored, never looked at.
Without files the shipped fictitious notes are scored and made-up notes extracted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from detection import Note, percent, read_gold
from utility import rows_of

from dpdeid import testing
from dpdeid.detect.names import vocabulary as voc
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.coding.coders import EdsCoder, LightCoder
from dpdeid.evaluate.coding.codes import Coder, Terminology
from dpdeid.evaluate.coding.terms import label_file
from dpdeid.evaluate.counts import Counts
from dpdeid.evaluate.detection import UNSCORED, score
from dpdeid.evaluate.utility import Comparison, compare
from dpdeid.fasdim import starting
from dpdeid.fasdim.detector import spans
from dpdeid.fasdim.extract import Found, extract
from dpdeid.fasdim.lists import ANY, Entry, Lists
from dpdeid.fasdim.numbers import Number, Shape
from dpdeid.fasdim.starting import LISTS, STARTING, Verdict
from dpdeid.labels import Label
from dpdeid.normalize import clean
from dpdeid.policy.policy import load_policy
from dpdeid.synth.corpus import notes as synth_notes
from dpdeid.testing import KEY

PAPER: Final = {
    "recall": 98.1,
    "precision": 79.6,
    "f1": 87.9,
    "missed a note": 0.36,
    "precision without auxiliaries": 89.2,
    "codes kept": 99.02,
}
_NO_HIPAA: Final = frozenset(
    {Label.PROFESSION, Label.NATIONALITY, Label.MARITAL_STATUS, Label.KINSHIP, Label.COUNTRY}
)
WIDER: Final = frozenset(Label) - UNSCORED - _NO_HIPAA
TABLE_II: Final = WIDER - {Label.UNIT, Label.TIME}
SCOPES: Final = {
    "Table II": TABLE_II,
    "and departments, times": WIDER,
    "every label": frozenset(Label) - UNSCORED,
}
AUXILIARIES: Final = voc.words(
    "a ai as avait avaient avions ont ayant eu est es sont etait etaient etant ete sera seront fut "
    "aura auront soit suis"
)
STEPS: Final = (20, 50, 100, 200, 400, 620, 1000, 2000, 5000, 10_000, 20_000)


@dataclass(frozen=True, slots=True)
class Listed:
    """A detector with lists that no folder holds."""

    name: ClassVar[str] = "fasdim"

    lists: Lists
    published: bool = False

    def __call__(self, doc: Document) -> list[Span]:
        return spans(doc, self.lists, published=self.published)


def cleaned(docs: Iterable[Document]) -> list[Document]:
    return [replace(doc, text=clean(doc.text).text) for doc in docs]


def reviewed(waiting: Iterable[Found]) -> Lists:
    """The lists of a reviewer who authorises what the starting list does, from nothing."""
    entries = [entry for found in waiting for entry in _decision(found)]
    return Lists.of(entries, starting=False)


def _decision(found: Found) -> Iterator[Entry]:
    if len(found.key) == 1:
        yield Entry(found.key, STARTING[found.key[0]])
        return
    before, after = found.key
    number = Number(0, 1, before, after, 1, Shape.TINY)
    if starting.vouches(number):
        key = found.key
        if after in LISTS["units"]:
            key = (ANY, after)
        elif before in LISTS["measured"] and after not in LISTS["spans_of_time"]:
            key = (before, ANY)
        yield Entry(key, Verdict.AUTHORIZED)
    else:
        times = after in starting.withheld() or after in LISTS["spans_of_time"]
        yield Entry((ANY, after) if times else found.key, Verdict.FORBIDDEN)


def measured(notes: Sequence[Note], detector: Listed, code: Coder) -> dict[str, Any]:
    """The figures of one row."""
    engine = Deidentifier(replace(load_policy("fasdim"), detectors=(detector,)), key=KEY)
    counts = dict.fromkeys(SCOPES, Counts())
    kept, missed, wrong = Comparison(), Counter[str](), Counter[str]()
    for doc, gold in notes:
        result = engine(doc)
        for scope, labels in SCOPES.items():
            due = [span for span in gold if span.label in labels]
            one = score(doc, due, result.spans)
            counts[scope] += one.strict
            if scope == "Table II":
                missed.update({str(label): leak.leaked for label, leak in one.leak.items()})
        wrong.update(_auxiliaries(doc, gold, result.spans))
        kept += compare(code(doc), code(Document(doc.id, result.text)))
    own = counts["Table II"]
    without = Counts(own.tp, own.fp - wrong["auxiliary"], own.fn)
    return {
        "strict": {scope: _ratios(c) for scope, c in counts.items()},
        "missed a note": own.fn / len(notes),
        "precision without auxiliaries": without.precision,
        "missed by label": {label: n for label, n in missed.most_common() if n},
        "codes kept": kept.kept(),
        "codes": kept.all.tp + kept.all.fn,
        "codes lost": kept.all.fn,
    }


def _ratios(counts: Counts) -> dict[str, float]:
    return {
        **{name: getattr(counts, name) for name in ("tp", "fp", "fn")},
        **{name: getattr(counts, name) for name in ("recall", "precision", "f1")},
    }


def _auxiliaries(doc: Document, gold: Sequence[Span], found: Sequence[Span]) -> Iterator[str]:
    tokens = doc.tokens
    due = {at for span in gold for at in tokens.over(span.start, span.end)}
    for at in {at for span in found for at in tokens.over(span.start, span.end)} - due:
        if tokens.folded[at] in AUXILIARIES:
            yield "auxiliary"


def misses(notes: Sequence[Note], detector: Listed) -> Iterator[str]:
    """One line for each token of Table II that is left."""
    engine = Deidentifier(replace(load_policy("fasdim"), detectors=(detector,)), key=KEY)
    for doc, gold in notes:
        hidden = {i for span in engine(doc).spans for i in range(span.start, span.end)}
        for span in gold:
            for at in doc.tokens.over(span.start, span.end) if span.label in TABLE_II else ():
                start, end = doc.tokens.starts[at], doc.tokens.ends[at]
                if start not in hidden and doc.text[start].isalnum():
                    shown = f"{doc.text[max(0, start - 30) : start]}[{doc.text[start:end]}]"
                    yield f"{span.label:12s} {shown}{doc.text[end : end + 20]}".replace("\n", "⏎")


def workload(docs: Sequence[Document]) -> list[dict[str, Any]]:
    """At each step: what was found in so many notes, what of it the starting list does not have,
    how much of the next 100 notes the decisions cover, and what these bring.
    """
    rows = []
    seen: set[tuple[str, ...]] = set()
    nothing, have = Lists(starting=False), Lists()
    done = 0
    for step in (step for step in (*STEPS, len(docs)) if step <= len(docs)):
        if step == done:
            continue
        first = extract(docs[done:step], nothing)
        seen.update(found.key for found in first.waiting)
        done = step
        ahead = extract(docs[step : step + 100], nothing)
        known = sum(found.count for found in ahead.waiting if found.key in seen)
        new = sum(found.key not in seen for found in ahead.waiting)
        waiting = extract(docs[:step], have)
        rows.append(
            {
                "notes": step,
                "words and patterns": len(seen),
                "not in the starting list": len(waiting.waiting),
                "tokens the starting list decides": 1
                - sum(found.count for found in waiting.waiting) / max(1, waiting.tokens),
                "tokens of the next 100 decided": known / ahead.tokens if ahead.tokens else None,
                "new in the next 100": new if ahead.tokens else None,
            }
        )
    return rows


def coder_of(args: argparse.Namespace) -> Coder:
    given = {Terminology.ICD10: args.icd10, Terminology.ATC: args.atc, Terminology.CCAM: args.ccam}
    labels = {kind: label_file(path, kind) for kind, path in given.items() if path is not None}
    return (
        LightCoder(labels) if args.coder == "light" else EdsCoder(labels, full=args.coder == "full")
    )


def shown(name: str, row: dict[str, Any]) -> Iterator[str]:
    yield f"\n{name}"
    for scope, one in row["strict"].items():
        own = "  ".join(f"{key} {percent(one[key])}" for key in ("recall", "precision", "f1"))
        yield f"  {scope:24s} {own}"
    yield f"  missed a note {row['missed a note']:.2f}, by label {row['missed by label']}"
    yield f"  precision without auxiliaries {percent(row['precision without auxiliaries'])}"
    kept = ", ".join(f"{kind} {percent(value)}" for kind, value in row["codes kept"].items())
    yield f"  codes kept: {kept} ({row['codes lost']} of {row['codes']} lost)"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--extract", type=Path, help="notes of which the lists are made")
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    parser.add_argument("--coder", choices=["full", "labels", "light"], default="light")
    for kind in ("icd10", "atc", "ccam"):
        parser.add_argument(f"--{kind}", type=Path)
    parser.add_argument("--misses", action="store_true", help="show what is left (even notes)")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    notes = [note for path in args.gold for note in read_gold(path)]
    notes = notes or list(testing.notes())[: 3 if args.tiny else None]
    chosen = {"odd": notes[1::2], "even": notes[::2], "all": notes}[args.half]
    rows = rows_of(args.extract) if args.extract else synth_notes(30 if args.tiny else 300, 1)
    docs = cleaned(Document(str(row["id"]), row["text"]) for row in rows)
    lists = reviewed(extract(docs, Lists(starting=False)).waiting)
    code = coder_of(args)
    systems = {
        "starting list alone": Listed(Lists()),
        "starting list, scripted review": Listed(replace(lists, starting=True)),
        "from nothing, scripted review": Listed(lists),
        "as published, starting list": Listed(Lists(), published=True),
        "as published, from nothing, scripted review": Listed(lists, published=True),
    }
    print(f"{len(chosen)} notes ({args.half}), lists from {len(docs)} notes; the paper: {PAPER}")
    report: dict[str, Any] = {"notes": len(chosen), "extracted": len(docs), "paper": PAPER}
    for name, detector in systems.items():
        report[name] = measured(chosen, detector, code)
        print(*shown(name, report[name]), sep="\n")
    if args.misses:
        print(*misses(notes[::2], systems["starting list alone"]), sep="\n", file=sys.stderr)
    report["workload"] = workload(docs)
    print("\nWorkload")
    for row in report["workload"]:
        print("  ", ", ".join(f"{key}: {_number(value)}" for key, value in row.items()))
    if args.json:
        args.json.write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


def _number(value: float | None) -> str:
    return (
        "–"
        if value is None
        else percent(value) + " %"
        if isinstance(value, float)
        else f"{value:,}"
    )


if __name__ == "__main__":
    sys.exit(main())
