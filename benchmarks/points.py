"""The points of the decision on gold notes: what a policy redacts and changes wrongly at each, what
it costs, and what reading the riskiest words is worth.

    python benchmarks/points.py [GOLD …] [--policy dp] [--points balanced cautious keep-medicine]
        [--half odd|even|all] [--published CASES.jsonl[.gz]] [--every N] [--curve] [--json FILE]

GOLD is as in detection.py. For each file and all of them together: direct and indirect identifiers
redacted, notes fully redacted, precision by token label by label, words outside gold that are
changed and those of medicine in 10,000 (`dpdeid.evaluate.medicine`). Of --published, case reports
that name no patient, every N-th: words changed, words in spans of direct identifiers in 1,000, and
those of them that are initials behind a title ("Mme A.M"), which identify and are right. --curve
gives the share of notes fully redacted once a share of all words is read that the first point
leaves, riskiest first. The seconds of the first point alone are whole: what taggers said of a note
is remembered. Counts only: no text is shown.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from detection import Note, percent, read_gold

from dpdeid import testing
from dpdeid.detect.decision.decision import POINTS, Decision
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.evaluation import GoldNote, evaluate
from dpdeid.evaluate.medicine.changes import NoteChanges, compare_note
from dpdeid.evaluate.medicine.figures import figures
from dpdeid.fasdim.reading.effort import effort
from dpdeid.policy.policy import load_policy
from dpdeid.testing import KEY

SHARES: Final = (0, 0.005, 0.01, 0.02, 0.05, 0.1)
_WORD: Final = re.compile(r"\w+")
_INITIALS: Final = re.compile(r"[A-Z]\.?(?:[ .-]{0,2}[A-Z]\.?){0,2}")
_TITLED: Final = re.compile(
    r"(?i:\b(?:mr?|mme|melle|mlle|madame|monsieur|mademoiselle)\b)\.?\s?"
    r"(?:[A-Z]\.?[ .-]{0,2}){0,2}\Z"
)
_BEFORE: Final = 40


def engine_of(policy: str, point: str) -> Deidentifier:
    return Deidentifier(replace(load_policy(policy), merge=Decision(point=point)), key=KEY)


def measured(notes: Sequence[Note], engine: Deidentifier) -> dict[str, Any]:
    start = time.process_time()
    runs = [engine.detect(doc).spans for doc, _ in notes]
    seconds = time.process_time() - start
    found = evaluate([GoldNote(doc, spans) for doc, spans in notes], [runs], resamples=0)
    changes = figures(changed(notes, engine), resamples=0)
    return {
        "notes": len(notes),
        "direct": found.values["direct", "redacted"],
        "quasi": found.values["quasi", "redacted"],
        "fully": found.values["direct", "fully_redacted"],
        "precision": found.values["micro", "token", "precision"],
        "wrong": changes["all"]["per_10k"],
        "medicine": changes["medicine"]["per_10k"],
        "seconds": seconds,
    }


def changed(notes: Sequence[Note], engine: Deidentifier) -> list[NoteChanges]:
    results = ((doc, gold, engine(doc)) for doc, gold in notes)
    return [compare_note(doc, result.text, gold, result.spans) for doc, gold, result in results]


def line(name: str, point: str, row: dict[str, Any]) -> str:
    shares = "".join(
        f"{percent(row[key]):>8s}" for key in ("direct", "quasi", "fully", "precision")
    )
    rates = "".join(f"{row[key]:9.1f}" for key in ("wrong", "medicine"))
    return f"{name:14s}{point:>14s}{row['notes']:6d}{shares}{rates}{row['seconds']:9.1f}"


def published(path: Path, every: int) -> list[Note]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        rows = map(json.loads, list(file)[::every])
        return [(Document(row["id"], row["text"]), ()) for row in rows]


def direct_words(cases: Sequence[Note], engine: Deidentifier) -> dict[str, float]:
    """Words in spans of direct identifiers in 1,000, and those that are initials behind a title."""
    words = taken = initials = 0
    for doc, _ in cases:
        words += len(_WORD.findall(doc.text))
        for span in engine.detect(doc).spans:
            if span.label.is_direct:
                inside = doc.text[span.start : span.end]
                count = len(_WORD.findall(inside))
                before = doc.text[max(0, span.start - _BEFORE) : span.start]
                taken += count
                initials += count * bool(_INITIALS.fullmatch(inside) and _TITLED.search(before))
    return {"direct": 1_000 * taken / words, "initials": 1_000 * initials / words}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="dp")
    points = ["balanced", "cautious", "keep-medicine"]
    parser.add_argument("--points", nargs="+", choices=sorted(POINTS), default=points)
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    parser.add_argument("--published", type=Path)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    part = {"odd": slice(1, None, 2), "even": slice(0, None, 2), "all": slice(None)}[args.half]
    sets = {path.stem: read_gold(path)[part] for path in args.gold}
    if not sets:
        sets = {"shipped": list(testing.notes())[: 3 if args.tiny else None]}
    if len(sets) > 1:
        sets["all"] = [note for notes in sets.values() for note in notes]
    report: dict[str, Any] = {"policy": args.policy, "half": args.half, "sets": {}}
    print(f"{'set':14s}{'point':>14s}{'notes':>6s}{'direct':>8s}{'quasi':>8s}{'fully':>8s}{'P':>8s}"
          f"{'wrong':>9s}{'medicine':>9s}{'seconds':>9s}")  # fmt: skip
    engines = {point: engine_of(args.policy, point) for point in args.points}
    for name, notes in sets.items():
        rows = {point: measured(notes, engine) for point, engine in engines.items()}
        print(*(line(name, point, row) for point, row in rows.items()), sep="\n", flush=True)
        report["sets"][name] = rows
        if args.curve:
            curve = effort(notes, next(iter(engines.values())).detect)
            told = {str(share): curve.at(share) for share in SHARES}
            print(f"{'':14s}read:", *(f"{s} {percent(v)}" for s, v in told.items()), sep="  ")
            report["sets"][name]["curve"] = told
    if args.published:
        cases = published(args.published, args.every)
        report["published"] = {}
        for point, engine in engines.items():
            row = figures(changed(cases, engine), resamples=0)
            told = {key: row[key]["per_10k"] for key in ("all", "medicine")}
            told |= direct_words(cases, engine)
            report["published"][point] = told
            print(f"published cases, {len(cases)}, {row['words']:,} words, {point}: {told}",
                  flush=True)  # fmt: skip
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
