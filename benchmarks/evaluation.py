"""How long it takes to evaluate a detection: reading, scoring, 1,000 bootstrap samples.

    python benchmarks/evaluation.py [--notes 10000] [--json F]

Gold notes are made by `dpdeid synth` (not counted); the predictions are the gold spans of which one
in ten is lost, one in ten has another label and one in ten ends a word later. One process, one
core (set OPENBLAS_NUM_THREADS=1). Where seqeval is installed its exact scores of the same tags are
timed in the same run, as the yardstick.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dpdeid.document import Document, Span
from dpdeid.evaluate.evaluation import GoldNote, evaluate
from dpdeid.formats.annotations import read_annotations
from dpdeid.labels import Label
from dpdeid.spans import disjoint, encode
from dpdeid.synth import corpus


def written(folder: Path, notes: int) -> tuple[Path, Path]:
    """A gold file and a file of predictions with errors."""
    rng = random.Random(0)
    gold, predicted = folder / "gold.jsonl", folder / "predicted.jsonl"
    with gold.open("w") as golds, predicted.open("w") as found:
        for row in corpus.notes(notes, seed=0):
            golds.write(json.dumps(row) + "\n")
            spans = [dict(e) for e in row["entities"] if rng.random() > 0.1]
            for span in spans:
                if rng.random() < 0.1:
                    span["label"] = rng.choice(list(Label)).value
                if rng.random() < 0.1:
                    span["end"] = min(span["end"] + 5, len(row["text"]))
            found.write(json.dumps({"id": row["id"], "entities": spans}) + "\n")
    return gold, predicted


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and CPU-seconds."""
    started = time.process_time()
    found = work()
    return found, time.process_time() - started


def tags(notes: list[GoldNote], run: list[tuple[Span, ...]]) -> Iterator[list[str]]:
    for note, spans in zip(notes, run, strict=True):
        yield list(encode(disjoint(spans), note.doc.tokens))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    count = 20 if args.tiny else args.notes
    with tempfile.TemporaryDirectory() as folder:
        gold, predicted = written(Path(folder), count)
        truth, reading = timed(lambda: read_annotations(gold))
        texts = {note.id: note.text or "" for note in truth.notes}
        found, more = timed(lambda: read_annotations(predicted, texts=texts))
    notes = [GoldNote(Document(n.id, n.text or ""), n.spans, n.doc_type) for n in truth.notes]
    run = [note.spans for note in found.notes]
    _, scoring = timed(lambda: evaluate(notes, [run], resamples=0))  # cuts the tokens, once
    evaluation, again = timed(lambda: evaluate(notes, [run]))
    _, bare = timed(lambda: evaluate(notes, [run], resamples=0))
    whole = scoring + again - bare
    report: dict[str, float] = {
        "notes": count,
        "characters": sum(map(len, texts.values())),
        "reading_cpu_s": round(reading + more, 2),
        "scoring_cpu_s": round(scoring, 2),
        "with_bootstrap_cpu_s": round(whole, 2),
        "whole_cpu_s": round(reading + more + whole, 2),
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    try:
        from seqeval.metrics.sequence_labeling import precision_recall_fscore_support
    except ImportError:
        print("seqeval is not installed: no yardstick")
    else:
        both = [list(tags(notes, each)) for each in ([n.spans for n in notes], run)]
        _, peer = timed(
            lambda: precision_recall_fscore_support(*both, average="micro", zero_division=0)
        )
        report |= {"seqeval_cpu_s": round(peer, 2), "scoring_by_seqeval": round(scoring / peer, 2)}
    print(*(f"{name:22s} {value:>12,}" for name, value in report.items()), sep="\n")
    low, high = evaluation.intervals["all", "redacted"]
    print(f"redacted {evaluation.values['all', 'redacted']:.4f} [{low:.4f}–{high:.4f}]")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
