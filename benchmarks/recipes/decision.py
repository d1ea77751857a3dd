"""The trees of `dpdeid.detect.decision`, from notes that neither tagger learned.

    decision.py rows HELD_OUT.jsonl … [--even FRESH.txt …] --crf MODEL --versions N --out ROWS.npz
    decision.py fit ROWS.npz … --out dpdeid/detect/decision/trees.tsv
    decision.py kinds ROWS.npz NOTES.txt …

`rows` writes what `dpdeid.training.extending.words` reads of each note with the policy dp, as it is
and in N - 1 other versions. MODEL is a CRF that was trained as the shipped one but without
HELD_OUT, or "shipped" for notes that it did not learn; --even takes the notes at even positions
alone. `fit` grows two heads of trees with scikit-learn; whole notes are left out, a fifth at a
time, for the table of calibration that it prints. `kinds` fits without all notes of one kind
(boxes, scans, chats, Swiss ones) and prints what direct words of them it finds as they stand,
beside trees that learned four fifths of them; ROWS are those of NOTES. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from dpdeid import gazetteers
from dpdeid.detect.decision.evidence import FEATURES, by_crf, by_transformer
from dpdeid.detect.decision.trees import Trees
from dpdeid.detect.merge.published import Union
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.taggers import crf, transformer
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import load_policy
from dpdeid.synth.dice import Dice
from dpdeid.testing import KEY
from dpdeid.training.corpus import Note, read_corpus
from dpdeid.training.extending.words import rows

Array = np.ndarray[Any, np.dtype[np.float64]]
FOLDS: Final = 5
BUCKETS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0)


def write_rows(
    notes: Iterable[tuple[int, Note]], model: str, versions: int, parts: int, out: Path
) -> None:
    """The rows of numbered notes: each in versions, and as so many stretches of its lines."""
    policy = load_policy("dp")
    honest = crf.Crf(model=model)
    detectors = tuple(honest if d.name == "crf" else d for d in policy.detectors)
    engine = Deidentifier(replace(policy, detectors=detectors, merge=Union()), key=KEY)
    taggers = by_transformer(transformer.SHIPPED), by_crf(model)
    found = [
        (number, version, *part)
        for number, note in notes
        for version, part in enumerate(rows(note, engine, taggers, versions=versions, parts=parts))
    ]
    x, some, direct = (np.concatenate([one[at] for one in found]) for at in (2, 3, 4))
    sizes = [len(one[2]) for one in found]
    note, version = (np.repeat([one[at] for one in found], sizes) for at in (0, 1))
    np.savez_compressed(out, x=x, any=some, direct=direct, note=note, version=version)
    print(f"{len(x):,} words, {some.sum():,} of identifiers")


def numbered(paths: Sequence[Path], *, even: bool) -> Iterator[tuple[int, Note]]:
    for file, path in enumerate(paths):
        for number, note in enumerate(read_corpus([path])):
            if not (even and number % 2):
                yield 1_000 * file + number, note


FORMS: Final = (
    "{A}.", "{a}", "{A}", "{A} {b}", "{A}, {b}", "{A} : {b}", "avis {A} ce jour",
    "ATCD : {a}, {b}, {c}", "poursuite de {a}. {B}, repas mixé", "- {A} 500 mg 1x/j",
    "Traitement : {A} {B}", "motif;{A};{b}",
    "{a} ++, {b} nég", "Contexte : {a} sur {b}", "{U}", "{U} {V}", "surveiller {a} et {b}",
)  # fmt: skip
"""Short texts of nothing but medicine."""


SHORT: Final = 3


def is_called(word: str) -> bool:
    known = EVIDENCE[word]
    return known.first_name or known.surname > 1


def terms(count: int) -> Iterator[tuple[int, Note]]:
    """Short texts of words of medicine and, one in three, of any others that few are called."""
    medical, others = (
        [w for w in sorted(listed) if w.isalpha() and len(w) > SHORT and not is_called(w)]
        for listed in (gazetteers.medical(), gazetteers.words())
    )
    for number in range(count):
        dice = Dice.of(number, "terms")
        a, b, c = (dice.choice(dice.choice((medical, medical, others))) for _ in range(3))
        text = dice.choice(FORMS).format(
            a=a, b=b, c=c, A=a.capitalize(), B=b.capitalize(), U=a.upper(), V=b.upper()
        )
        yield number, (Document(f"terms/{number}", text), ())


def fit(paths: Sequence[Path], folds: int, out: Path) -> None:
    parts = [np.load(path) for path in paths]
    x, some, direct = (np.concatenate([p[name] for p in parts]) for name in ("x", "any", "direct"))
    note = np.concatenate([part["note"] + 100_000 * at for at, part in enumerate(parts)])
    left_out = np.zeros((len(x), 2))
    for fold in range(folds):
        own = note % folds == fold
        for head, y in enumerate((some, direct)):
            left_out[own, head] = grown(x[~own], y[~own]).predict_proba(x[own])[:, 1]
    for head, y in enumerate((some, direct) if folds else ()):
        print(HEADS[head], *calibration(left_out[:, head], y), sep="\n")
    write(x, (some, direct), out)


def write(x: Array, truths: Sequence[Array], out: Path) -> None:
    models = [grown(x, y) for y in truths]
    lines = ["\t".join(("base", *(f"{float(m._baseline_prediction[0, 0]):.6g}" for m in models)))]
    for head, model in enumerate(models):
        for tree, (one,) in enumerate(model._predictors):
            for node in one.nodes:
                if node["is_leaf"]:
                    lines.append(f"{head}\t{tree}\t\t\t\t\t{node['value']:.5g}")
                else:
                    name = FEATURES[node["feature_idx"]]
                    cut = np.float32(node["num_threshold"])
                    lines.append(
                        f"{head}\t{tree}\t{name}\t{cut:.9g}\t{node['left']}\t{node['right']}\t"
                    )
    out.write_text("\n".join((*HEAD, *lines)) + "\n", encoding="utf-8")
    table = Trees.of_text(out.read_text(encoding="utf-8"), FEATURES)
    read = table.chances(x[:2000])
    grew = np.stack([m.predict_proba(x[:2000])[:, 1] for m in models], 1)
    off = abs(read - grew).max()
    print(f"{len(lines):,} nodes, {out.stat().st_size:,} bytes; read back, off by {off:.2g}")


HEADS: Final = ("any identifier", "direct identifier")
HEAD: Final = (
    "# Trees of dpdeid.detect.decision: of any identifier (head 0) and of direct ones (head 1).",
    "# Made by benchmarks/recipes/decision.py from notes that neither tagger learned.",
)
TREES: Final = 160
LEAVES: Final = 20
SHARE: Final = 0.2
"""Of the columns, drawn anew at each split: of one folded third of notes a fifth fewer words go."""


def grown(x: Array, y: Array) -> HistGradientBoostingClassifier:
    model = HistGradientBoostingClassifier(
        max_iter=TREES, learning_rate=0.1, max_leaf_nodes=LEAVES, max_depth=7, min_samples_leaf=25,
        max_features=SHARE, l2_regularization=5.0, random_state=0, early_stopping=False,
    )  # fmt: skip
    return model.fit(x, y)


def calibration(risk: Array, y: Array) -> Iterator[str]:
    """How often words of each stretch of chances are identifiers."""
    yield f"{'chance up to':>12s}{'words':>9s}{'mean':>8s}{'true':>8s}"
    low = 0.0
    for high in BUCKETS:
        own = (risk >= low) & (risk < high)
        if own.any():
            yield f"{high:12g}{own.sum():9,d}{risk[own].mean():8.4f}{y[own].mean():8.4f}"
        low = high


KINDS: Final = {
    "boxes": re.compile(r"(?:[|_] ?[A-Z\d] ?){6}|(?:\b[A-Z\d] ){6}"),
    "scans": re.compile(r"(?i)\A.*(?:scan|ocr|num[ée]ris|fax|carbone|photocop|travers|papier)"),
    "chats": re.compile(r"(?i)\A.*(?:chat|sms|\bfil\b|messag|whatsapp|discussion|conversation)"),
    "Swiss": re.compile(r"(?i)\A.*(?:suisse|valais|gen[èe]ve|vaud|jura|fribourg)|CH-\d{4}|\b756\."),
}
"""What tells the kind of a note, from its head on."""
FROM: Final = 0.085
"""The chance of the point `balanced`."""


def kinds(rows_file: Path, paths: Sequence[Path]) -> None:
    given = np.load(rows_file)
    x, y, note, plain = given["x"], given["direct"], given["note"], given["version"] == 0
    text = {
        1_000 * file + number: one
        for file, path in enumerate(paths)
        for number, one in enumerate(path.read_text("utf-8").split("===== ")[1:])
    }
    print(f"{'kind':8s}{'notes':>7s}{'words':>7s}{'found with':>12s}{'right':>7s}"
          f"{'without':>9s}{'right':>7s}")  # fmt: skip
    for name, form in KINDS.items():
        own = [number for number, one in text.items() if form.search(one)]
        of_kind = np.isin(note, own)
        told = of_kind & plain
        chance = np.zeros((2, len(x)))
        for fold in range(FOLDS):
            held = np.isin(note, own[fold::FOLDS])
            chance[0, held] = grown(x[~held], y[~held]).predict_proba(x[held])[:, 1]
        chance[1, told] = grown(x[~of_kind], y[~of_kind]).predict_proba(x[told])[:, 1]
        row = f"{name:8s}{len(own):7d}{y[told].sum():7d}"
        for side in chance:
            taken = told & (side >= FROM)
            row += f"{100 * (taken & y).sum() / y[told].sum():11.1f} "
            row += f"{100 * (taken & y).sum() / taken.sum():7.1f}"
        print(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("rows", "terms", "fit", "kinds"))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--even", action="store_true")
    parser.add_argument("--crf", default=crf.SHIPPED)
    parser.add_argument("--versions", type=int, default=4)
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("--count", type=int, default=12_000)
    parser.add_argument("--folds", type=int, default=FOLDS)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.what != "kinds" and given.out is None:
        parser.error("give --out")
    if given.what == "fit":
        fit(given.files, given.folds, given.out)
    elif given.what == "kinds":
        kinds(given.files[0], given.files[1:])
    elif given.what == "terms":
        write_rows(terms(given.count), given.crf, 1, 0, given.out)
    else:
        notes = numbered(given.files, even=given.even)
        write_rows(notes, given.crf, given.versions, given.parts, given.out)


if __name__ == "__main__":
    main()
