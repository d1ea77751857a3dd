"""The recall that `dpdeid review --report` gives, by a reader who knows the gold spans: how often
its interval covers the truth over many draws, and where it lies in the median.

    python benchmarks/reading.py [GOLD …] [--policy dp] [--half odd|even|all] [--share 0.02]
        [--samples 300 1000] [--seeds 200] [--json FILE]

GOLD is as in detection.py. Counts only: no text is shown.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

from detection import Note, percent, read_gold

from dpdeid import testing
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.missed import missed
from dpdeid.fasdim.reading.answers import Answer, Answers, Given
from dpdeid.fasdim.reading.places import Design, Key, Left, left
from dpdeid.testing import KEY


def missing(own: Left, note: Note) -> set[Key]:
    """The words left in place that are part of a direct identifier."""
    direct = [span for span in note[1] if span.label.is_direct]
    return {p.key for p in own.places if any(p.start < s.end and s.start < p.end for s in direct)}


def drawn(notes: Sequence[Left], truth: set[Key], share: float, sample: int, seeds: int) -> Any:
    """Of all seeds the share that covers, and the medians of recall and its interval."""
    taken, covered, recalls = sum(note.taken() for note in notes), [], []
    for seed in range(seeds):
        chosen = Design(share, sample, seed).choose(notes)
        said = {
            place.key: Given(Answer.NAME if place.key in truth else Answer.HARMLESS, "", 1)
            for place in (*chosen.riskiest, *chosen.drawn)
        }
        asked = [Answers(Path(), said).asked(part) for part in (chosen.riskiest, chosen.drawn)]
        found = missed(asked[0], asked[1], len(chosen.others))
        covered.append(found.low <= len(truth) <= found.high)
        recalls.append(found.recall(taken))
    likely, low, high = map(median, zip(*recalls, strict=True))
    return {"covered": fmean(covered), "recall": likely, "low": low, "high": high}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    parser.add_argument("--share", type=float, default=0.02)
    parser.add_argument("--samples", nargs="*", type=int, default=[300, 1000])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    part = {"odd": slice(1, None, 2), "even": slice(0, None, 2), "all": slice(None)}[args.half]
    gold = [note for path in args.gold for note in read_gold(path)[part]]
    gold = gold or list(testing.notes())[: 3 if args.tiny else None]
    engine = Deidentifier(args.policy, key=KEY)
    notes = [left(doc, engine.detect) for doc, _ in gold]
    truth = {key for own, note in zip(notes, gold, strict=True) for key in missing(own, note)}
    taken = sum(note.taken() for note in notes)
    words = sum(note.words for note in notes)
    recall = taken / (taken + len(truth))
    print(
        f"{len(notes)} notes, {words:,} words, {sum(len(n.places) for n in notes):,} left in place"
    )
    print(f"{taken:,} taken, {len(truth):,} missed: recall {percent(recall)}")
    report: dict[str, Any] = {"taken": taken, "missed": len(truth), "words": words, "samples": {}}
    for sample in args.samples:
        row = drawn(notes, truth, args.share, sample, 5 if args.tiny else args.seeds)
        interval = f"{percent(row['recall'])} [{percent(row['low'])}–{percent(row['high'])}]"
        print(f"{sample:,} drawn: {interval}, covers {percent(row['covered'])} of the draws")
        report["samples"][sample] = row
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
