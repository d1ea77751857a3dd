"""How a learned tagger is chosen: seeds, language models, learning curve, document types,
calibration; rules by row.

    python benchmarks/taggers.py [NOTES …] [--tagger crf|transformer] [--epochs E] [--json FILE]
        [--tables seeds,models,curve,types,rules] [--seeds 5] [--synth N] [--models NAME …]

NOTES are files as `dpdeid train` takes them; without any, notes of the generator are used. A seed
draws which fifth of the patients is held out, and the generator's notes that are learned besides
(--synth). Half of the held-out notes calibrate the tagger (a transformer also stops by them); the
other half is measured. "With rules" is united with what the rules find in the text.

The table of language models trains the same network from several starts with the same notes, seeds
and passes: "nothing" (random weights, the tokenizer of the shipped base), "shipped", or the folder
of any base; beside them "crf" and "flair" (which takes twice the passes).
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpdeid.detect.merge.published import Union
from dpdeid.detect.taggers.inputs import rule_spans
from dpdeid.document import Document, Span
from dpdeid.evaluate.detection import UNSCORED, Scores, score
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.spans import disjoint, encode
from dpdeid.synth import corpus as synth
from dpdeid.training.corpus import Note, read_corpus, split

Find = Callable[[Document], Sequence[Span]]
Train = Callable[[Sequence[Note], Sequence[Note], int], tuple[Find, Find]]
"""Notes to learn, notes to calibrate on, seed → the tagger as it is, and with recall first."""
Figures = dict[str, float]

HELD, LEAST_OF_TYPE, LEAST_OF_ROW, SURE = 0.2, 5, 5, 0.98
ALL = "all"


def crf(iterations: int, target: float) -> Train:
    """Trains CRFs."""
    from dpdeid.detect.taggers.crf import Crf
    from dpdeid.training.calibration import calibrate
    from dpdeid.training.crf import Options, fit

    outside = float(Crf().outside)

    def train(notes: Sequence[Note], dev: Sequence[Note], seed: int) -> tuple[Find, Find]:
        tagger, _ = fit(notes, Options(iterations=iterations), name=f"seed-{seed}")
        tagger = tagger.with_calibration(calibrate(tagger, dev, target=target))
        return (
            lambda doc: tagger.spans(doc, outside),
            lambda doc: tagger.spans(doc, outside, recall_first=True),
        )

    return train


def transformer(epochs: int, bf16: bool, target: float, base: str = "shipped") -> Train:
    """Trains transformers from a base, with so many passes over the notes each."""
    from dpdeid.training.bases import find_base
    from dpdeid.training.transformer import Options, train_transformer

    def train(notes: Sequence[Note], dev: Sequence[Note], seed: int) -> tuple[Find, Find]:
        options = Options(epochs=epochs, bf16=bf16, recall=target)
        best, _ = train_transformer(find_base(base), notes, dev, seeds=(seed,), options=options)
        tagger = best.tagger
        return tagger.tag, lambda doc: tagger.tag(doc, recall_first=True)

    return train


def flair(epochs: int) -> Train:
    """Trains CHUV's bi-LSTMs; they have no offsets for recall."""
    from dpdeid.detect.taggers.flair import tagger_of
    from dpdeid.training.flair import Options, train_flair

    def train(notes: Sequence[Note], dev: Sequence[Note], seed: int) -> tuple[Find, Find]:
        best, _ = train_flair(notes, dev, seeds=(seed,), options=Options(epochs=epochs))
        tagger = tagger_of(best.plan, best.network)
        return tagger.tag, tagger.tag

    return train


def untaught(folder: Path) -> str:
    """A base with the shape and the tokenizer of the shipped one, and random weights."""
    import torch
    from transformers import AutoConfig, AutoModel

    from dpdeid.training.bases import find_base

    shipped = Path(find_base("shipped"))
    torch.manual_seed(0)
    models: Any = AutoModel
    models.from_config(AutoConfig.from_pretrained(shipped)).float().save_pretrained(folder)
    shutil.copy(shipped / "tokenizer.json", folder)
    return str(folder)


def by_model(
    args: argparse.Namespace, notes: Sequence[Note], names: Sequence[str]
) -> Iterator[tuple[str, list[Figures]]]:
    """What the network starts from, and the figures of each seed."""
    with tempfile.TemporaryDirectory() as random:
        for name in names:
            if name == "crf":
                train = crf(args.iterations, args.recall)
            elif name == "flair":
                train = flair(2 * args.epochs)
            else:
                base = untaught(Path(random)) if name == "nothing" else name
                train = transformer(args.epochs, args.bf16, args.recall, base)
            runs = over_seeds(train, notes, args.synth, args.seeds, args.learn)
            yield Path(name).name, list(runs)


def measured(find: Find, recall_first: Find, notes: Sequence[Note]) -> Figures:
    """What a tagger scores, alone and with the rules; all between 0 and 1."""
    union = Union()
    ways: dict[str, Find] = {
        "alone": find,
        "with rules": lambda doc: union(doc, {"rules": rule_spans(doc), "learned": find(doc)}),
        "recall first": lambda doc: union(
            doc, {"rules": rule_spans(doc), "learned": recall_first(doc)}
        ),
    }
    figures: Figures = {}
    for name, way in ways.items():
        total = sum((score(doc, gold, way(doc)) for doc, gold in notes), Scores())
        tokens = total.micro(total.token, Label)
        figures |= {
            f"{name}: redacted": total.direct.redacted,
            f"{name}: fully redacted": total.direct.fully_redacted,
            f"{name}: token precision": tokens.precision,
            f"{name}: token recall": tokens.recall,
            f"{name}: token F1": tokens.f1,
        }
    figures["calibration error"] = calibration_error(find, notes)
    return figures


def calibration_error(find: Find, notes: Sequence[Note]) -> float:
    """Mean distance between the score of a span and how often its tokens have its label, over ten
    bins of scores (Guo et al. 2017), by tokens.
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for doc, gold in notes:
        truth = encode(gold, doc.tokens)
        spans = find(doc)
        for span in spans:
            for tag, own in zip(truth, encode([span], doc.tokens), strict=True):
                if own != "O":
                    pair = span.score, tag[2:] == span.label
                    bins.setdefault(min(9, int(10 * span.score)), []).append(pair)
    count = sum(map(len, bins.values()))
    gaps = (
        len(found)
        * abs(statistics.fmean(s for s, _ in found) - statistics.fmean(t for _, t in found))
        for found in bins.values()
    )
    return sum(gaps) / count if count else 0.0


def parts(notes: Sequence[Note], more: int, seed: int) -> tuple[list[Note], list[Note], list[Note]]:
    """The notes to learn with so many of the generator's, to calibrate on, and to measure."""
    rest, held = split(notes, share=HELD, seed=seed)
    return rest + made(more, 1_000 + seed), held[::2], held[1::2]


def made(count: int, seed: int) -> list[Note]:
    """Notes of the generator."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "synth.jsonl"
        path.write_text("\n".join(map(json.dumps, synth.notes(count, seed))), encoding="utf-8")
        return read_corpus([path]) if count else []


def over_seeds(
    train: Train, notes: Sequence[Note], more: int, seeds: int, most: int | None = None
) -> Iterator[Figures]:
    """The figures of each seed, of a tagger that learned so many notes at most."""
    for seed in range(seeds):
        rest, dev, test = parts(notes, more, seed)
        learned = Stream(b"curve").shuffled(rest)[:most] if most else rest
        yield measured(*train(learned, dev, seed), test)


def curve(
    train: Train, notes: Sequence[Note], more: int, sizes: Sequence[int]
) -> dict[str, Figures]:
    """Notes learned → figures, on one held-out part. A smaller part is in every larger one."""
    rest, dev, test = parts(notes, 0, 0)
    order = Stream(b"curve").shuffled(rest)
    extra = made(more, 1_000)
    return {
        str(min(size, len(order))): measured(*train(order[:size] + extra, dev, 0), test)
        for size in sizes
    }


def by_type(
    train: Train, notes: Sequence[Note], types: Mapping[str, str], more: int, most: int
) -> dict[str, Figures]:
    """Type of document → its held-out half, measured with and without the other half learned."""
    counts = Counter(types[doc.id] for doc, _ in notes)
    found = {}
    for kind, count in counts.most_common(most):
        if count < LEAST_OF_TYPE:
            break
        own = [note for note in notes if types[note[0].id] == kind]
        others, dev = split([n for n in notes if types[n[0].id] != kind], share=0.1, seed=0)
        others += made(more, 1_000)
        for name, learned in (("without", others), ("with", others + own[::2])):
            found[f"{kind} ({count}), {name}"] = measured(*train(learned, dev, 0), own[1::2])
    return found


def by_row(notes: Sequence[Note]) -> dict[str, tuple[int, int]]:
    """Row of a rule, as the source of its spans, and label → spans that stand where all rules are
    united, and those of them all of whose tokens have that label in gold.
    """
    rows: dict[str, tuple[int, int]] = {}
    for doc, gold in notes:
        truth = encode(gold, doc.tokens)
        for span in disjoint(rule_spans(doc)):
            if span.label in UNSCORED:
                continue
            own = zip(encode([span], doc.tokens), truth, doc.tokens.texts, strict=True)
            right = all(
                tag[2:] == span.label
                for mine, tag, text in own
                if mine != "O" and any(map(str.isalnum, text))
            )
            key = f"{span.source} {span.label}"
            count, good = rows.get(key, (0, 0))
            rows[key] = count + 1, good + right
    return rows


def types_of(path: Path) -> list[str]:
    """The type of each note of a file, broadly: the first word of what it calls itself."""
    if path.suffix == ".txt":
        heads = re.findall(r"(?m)^===== ?(.*)", path.read_text(encoding="utf-8"))
    else:
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        heads = [row.get("doc_type") or "" for row in rows]
    return [re.split(r"[\s_,-]", head.lower())[0] or "none" for head in heads]


def table(title: str, rows: Mapping[str, Figures]) -> None:
    print(f"\n{title}")
    names = list(next(iter(rows.values())))
    width = max(map(len, names))
    print(" " * width, *(f"{row[:24]:>24s}" for row in rows))
    for name in names:
        print(f"{name:{width}s}", *(f"{percent(row[name]):>24s}" for row in rows.values()))


def percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def spread(runs: Sequence[Figures]) -> dict[str, Figures]:
    columns = {name: [run[name] for run in runs] for name in runs[0]}
    return {
        "mean": {name: statistics.fmean(values) for name, values in columns.items()},
        "sd": {
            name: _deviation(values) if len(values) > 1 else 0.0 for name, values in columns.items()
        },
    }


def _deviation(values: Sequence[float]) -> float:
    return math.nan if any(map(math.isnan, values)) else statistics.stdev(values)


def low_rows(rows: Mapping[str, tuple[int, int]]) -> Iterable[str]:
    """The printed rows that would not be kept, the one with most wrong spans first."""
    yield f"\nrules below {SURE:.0%}, with at least {LEAST_OF_ROW} spans, of {len(rows)} rows"
    yield f"{'row':58s} {'found':>6s} {'wrong':>6s} {'right %':>8s}"
    for key, (count, good) in sorted(rows.items(), key=lambda row: row[1][1] - row[1][0]):
        if count >= LEAST_OF_ROW and good < SURE * count:
            yield f"{key:58s} {count:6d} {count - good:6d} {100 * good / count:8.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notes", nargs="*", type=Path)
    parser.add_argument("--tagger", choices=["crf", "transformer"], default="crf")
    parser.add_argument("--epochs", type=int, default=8, help="most passes of each transformer")
    parser.add_argument("--bf16", action="store_true", help="as `dpdeid train transformer` has it")
    parser.add_argument("--iterations", type=int, default=50, help="of each CRF")
    parser.add_argument("--tables", default="seeds,curve,types,rules")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--models", nargs="*", default=["nothing", "shipped", "crf", "flair"])
    parser.add_argument("--learn", type=int, help="most notes learned in that table")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 30, 100, 300])
    parser.add_argument("--types", type=int, default=5, help="most types, each trained twice")
    parser.add_argument("--synth", type=int, default=0, help="notes of the generator learned too")
    parser.add_argument("--recall", type=float, default=0.99, help="target of recall first")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    if args.tiny:
        args.iterations, args.seeds, args.sizes, args.types, args.epochs = 5, 2, [4], 1, 1
    notes, types = read(args.notes, 16 if args.tiny else 300)
    train = (
        crf(args.iterations, args.recall)
        if args.tagger == "crf"
        else transformer(args.epochs, args.bf16, args.recall)
    )
    asked = args.tables.split(",")
    report: dict[str, object] = {"tagger": args.tagger, "notes": len(notes)}
    print(f"{args.tagger}, {len(notes)} notes, per cent")
    if "seeds" in asked:
        runs = list(over_seeds(train, notes, args.synth, args.seeds))
        report["seeds"] = runs
        table(f"{args.seeds} seeds", spread(runs))
    if "models" in asked:
        models = dict(by_model(args, notes, args.models))
        report["models"] = models
        for name, runs in models.items():
            table(f"{name}, {args.seeds} seeds", spread(runs))
    if "curve" in asked:
        found = curve(train, notes, args.synth, [*args.sizes, len(notes)])
        report["curve"] = found
        table("notes learned", found)
    if "types" in asked and (found := by_type(train, notes, types, args.synth, args.types)):
        report["types"] = found
        table("half of the notes of a type, with and without the other half learned", found)
    if "rules" in asked:
        rows = by_row(notes)
        report["rules"] = rows
        print(*low_rows(rows), sep="\n")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


def read(paths: Sequence[Path], count: int) -> tuple[list[Note], dict[str, str]]:
    """The notes, each under an id of its own, and the type of each id."""
    notes, types = list[Note](), list[str]()
    if not paths:
        notes, types = made(count, 0), [row["doc_type"] for row in synth.notes(count, 0)]
    for path in paths:
        notes += read_corpus([path])
        types += types_of(path)
        types += ["line"] * (len(notes) - len(types))
    named = [(replace(doc, id=f"{at}"), spans) for at, (doc, spans) in enumerate(notes)]
    return named, {doc.id: kind for (doc, _), kind in zip(named, types, strict=True)}


if __name__ == "__main__":
    sys.exit(main())
