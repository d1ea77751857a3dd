"""The trees of `dpdeid.detect.decision`, from notes that neither tagger learned.

    decision.py rows HELD_OUT.jsonl … [--even FRESH.txt …] --crf MODEL --versions N --out ROWS.npz
    decision.py fit ROWS.npz … --out dpdeid/detect/decision/trees.tsv

`rows` finds with the policy dp in each note as it is and in N - 1 other versions of it: other
identities (`dpdeid.training.augment`), the noise of typing, scanning and printing
(`dpdeid.synth.noise`), and boxes of forms ("1 2 / 0 3 / 1 9 5 8", "D U P O N T"). Each word that
any voice says something of is a row: whether it is part of any identifier and of a direct one.
MODEL is a CRF that was trained as the shipped one but without HELD_OUT, or "shipped" for notes that
it did not learn; --even takes the notes at even positions alone. In a part of the versions a voice
is silent: the taggers' spans, or rules. `fit` grows two heads of trees with scikit-learn; whole
notes are left out, a fifth at a time, for the table of calibration that it prints. Seeds are fixed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from dpdeid import gazetteers
from dpdeid.detect.decision.evidence import FEATURES, by_crf, by_transformer, by_voice, evidence
from dpdeid.detect.decision.trees import Trees
from dpdeid.detect.merge.published import Union
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.taggers import crf, transformer
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.normalize import clean
from dpdeid.policy.policy import load_policy
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece
from dpdeid.synth.noise import noisy, profiles
from dpdeid.testing import KEY
from dpdeid.training.augment import fragments, vary
from dpdeid.training.corpus import Note, read_corpus

Array = np.ndarray[Any, np.dtype[np.float64]]
NOISY: Final = 50
BOXED: Final = 15
SCALES: Final = 15
"""Percentages: of versions with noise, with boxes, with rows of single characters that are none."""
BOXABLE: Final = frozenset(
    (
        *(Label.LAST_NAME, Label.FIRST_NAME, Label.BIRTH_DATE, Label.DATE, Label.PHONE, Label.FAX),
        *(Label.SSN, Label.PATIENT_ID, Label.VISIT_ID, Label.ORDER_ID, Label.PROVIDER_ID),
        *(Label.OTHER_ID, Label.ZIP),
    )
)
LINES: Final = (
    "EVA : 0 1 2 3 4 5 6 7 8 9 10", "T 2 N 0 M 0", "G 2 P 1", "G 3 P 2 A 1", "C 5 / C 6",
    "1 - 0 - 1",
    "Glasgow : Y 4 V 5 M 6", "O N S", "A B C D E", "Braden 2 3 2 3 3 2", "Norton : 4 3 3 4 2",
    "Groupe A B O", "1 / 2 / 3 / 4", "Apgar 9 / 10 / 10", "GIR 1 2 3 4 5 6", "ADL : 1 1 0 1 1 0",
    "matin 1 midi 0 soir 1", "I II III IV", "X | X | | X | X", "0 0 0 1 0 0", "X X X X",
    "N N N N N", "| 1 | 0 | 0 | 1 |",
    "O O N N O", "OD 8 / 10 P 2 OG 10 / 10 P 2", "R A S", "H T A",
)  # fmt: skip
"""Scales and scores whose single characters name nobody."""
FOLDS: Final = 5
BUCKETS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0)


def version(doc: Document, spans: Sequence[Span], seed: int) -> Note:
    """The note as it is (seed 0), or another version of it."""
    if not seed:
        return doc, tuple(spans)
    dice = Dice.of(seed, "risk", doc.id)
    doc, spans = vary(doc, spans, dice)
    pieces = pieces_of(doc.text, spans)
    if dice.chance(NOISY):
        kinds = list(profiles())
        pieces = noisy(pieces, kinds[dice.randbelow(len(kinds))], dice)
    if dice.chance(BOXED):
        between = dice.choice((" ", " ", "|", " | "))
        pieces = [boxed(piece, between) if dice.chance(60) else piece for piece in pieces]
    if dice.chance(SCALES):
        pieces.append(Piece(f"\n{dice.choice(LINES)}\n{dice.choice(LINES)}"))
    text, found = "", []
    for piece in pieces:
        if piece.label and piece.text:
            found.append(Span(len(text), len(text) + len(piece.text), Label(piece.label)))
        text += piece.text
    return Document(doc.id, text), tuple(found)


def pieces_of(text: str, spans: Sequence[Span]) -> list[Piece]:
    pieces, done = [], 0
    for span in sorted(spans):
        pieces += [Piece(text[done : span.start]), Piece(text[span.start : span.end], span.label)]
        done = span.end
    return [*pieces, Piece(text[done:])]


def boxed(piece: Piece, between: str) -> Piece:
    """A number or name with each character in a box of its own."""
    if piece.label not in BOXABLE or not 3 < len(piece.text) < 20 or "\n" in piece.text:
        return piece
    return piece._replace(text=between.join(piece.text.upper().replace(" ", "")))


SILENT: Final = 15
"""Percentage of versions in which a voice is silent."""
VOICES: Final = ("patterns", "lookup", "lookup_places", "transformer", "crf", "propagate")


def rows(
    notes: Iterable[tuple[int, Note]], model: str, versions: int, parts: int, out: Path
) -> None:
    """The rows of numbered notes: each in versions, and as so many stretches of its lines."""
    policy = load_policy("dp")
    honest = crf.Crf(model=model)
    detectors = tuple(honest if d.name == "crf" else d for d in policy.detectors)
    engine = Deidentifier(replace(policy, detectors=detectors, merge=Union()), key=KEY)
    taggers = by_transformer(transformer.SHIPPED), by_crf(model)
    found: dict[str, list[Any]] = {"x": [], "any": [], "direct": [], "note": []}
    for number, (doc, spans) in notes:
        plain = replace(doc, known={})
        own = [version(plain, spans, seed) for seed in range(versions)]
        own += fragments([(plain, tuple(spans))], Dice.of(0, "parts", doc.id), each=parts)
        for seed, (text, gold) in enumerate(own):
            view = clean(text.text)
            if view.starts is not None:
                continue
            one = replace(text, text=view.text)
            proposals = by_voice(engine.detect(one).proposals)
            dice = Dice.of(seed, "silent", one.id)
            if seed and dice.chance(SILENT):
                proposals.pop(dice.choice(VOICES), None)
            told = evidence(one, proposals, taggers)
            found["x"].append(told.values)
            for name in ("any", "direct"):
                inside = tokens_of(one, gold, direct=name == "direct")
                found[name] += (at in inside for at in told.places)
            found["note"] += [number] * len(told.places)
    x = np.concatenate(found.pop("x")).astype(np.float32)
    arrays: dict[str, Any] = {name: np.array(value) for name, value in found.items()}
    np.savez_compressed(out, x=x, **arrays)
    print(f"{len(x):,} words, {arrays['any'].sum():,} of identifiers")


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


def tokens_of(doc: Document, gold: Sequence[Span], *, direct: bool) -> set[int]:
    return {
        at
        for span in gold
        if span.label.is_direct or not direct
        for at in doc.tokens.over(span.start, span.end)
    }


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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("rows", "terms", "fit"))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--even", action="store_true")
    parser.add_argument("--crf", default=crf.SHIPPED)
    parser.add_argument("--versions", type=int, default=4)
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("--count", type=int, default=12_000)
    parser.add_argument("--folds", type=int, default=FOLDS)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.what == "fit":
        fit(given.files, given.folds, given.out)
    elif given.what == "terms":
        rows(terms(given.count), given.crf, 1, 0, given.out)
    else:
        notes = numbered(given.files, even=given.even)
        rows(notes, given.crf, given.versions, given.parts, given.out)


if __name__ == "__main__":
    main()
