"""The coefficients of `dpdeid.fasdim.risk`, from notes that neither tagger learned.

    risk.py rows HELD_OUT.jsonl … --crf MODEL --versions N --out ROWS.npz
    risk.py fit ROWS.npz … --out dpdeid/fasdim/risk.tsv

`rows` detects with the policy dp in each note as it is and in N - 1 other versions of it: other
identities (`dpdeid.training.augment`), the noise of typing, scanning and printing
(`dpdeid.synth.noise`), and boxes of forms ("1 2 / 0 3 / 1 9 5 8", "D U P O N T"); what it leaves in
place is a row, true if it is part of a direct identifier, and so is each word that it takes on weak
evidence, true if it is part of any. MODEL is a CRF that was trained as the
shipped one but without HELD_OUT, since that has learned most of these notes. `fit` is a logistic
regression in which no feature that may only raise the chance has a weight below 0; whole notes are
left out, a fifth at a time, for the table of calibration that it prints. Every draw is seeded. What
is part of an indirect identifier alone is left out: to take it is no error, nor is it asked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.optimize import minimize

from dpdeid.detect.taggers import crf, transformer
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.fasdim.risk import FEATURES, RISING, SORTS, features, risk, sorts
from dpdeid.labels import Label
from dpdeid.normalize import clean
from dpdeid.policy.policy import load_policy
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece
from dpdeid.synth.noise import noisy, profiles
from dpdeid.testing import KEY
from dpdeid.training.augment import vary
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
BUCKETS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0)
PENALTY: Final = 20.0
FOLDS: Final = 5


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


def rows(paths: Sequence[Path], model: Path, versions: int, out: Path) -> None:
    policy = load_policy("dp")
    honest = crf.Crf(model=str(model))
    engine = Deidentifier(
        replace(
            policy,
            net=None,
            detectors=tuple(honest if d.name == "crf" else d for d in policy.detectors),
        ),
        key=KEY,
    )
    taggers = (transformer.loaded(transformer.SHIPPED).direct, crf.loaded(str(model)).direct)
    found: dict[str, list[Any]] = {"x": [], "y": [], "quasi": [], "note": [], "word": []}
    notes = read_corpus(paths)
    for number, (doc, spans) in enumerate(notes):
        for seed in range(versions):
            own, gold = version(replace(doc, known={}), spans, seed)
            view = clean(own.text)
            if view.starts is not None:
                continue
            own = replace(own, text=view.text)
            finding = engine.detect(own)
            ((places, values),) = features([own], [finding], taggers)
            if places:
                found["x"].append(values)
                found["y"] += truths(own, gold, places, direct=True)
                found["quasi"] += truths(own, gold, places, direct=False)
                found["note"] += [number] * len(places)
                found["word"] += [own.tokens.texts[at] for at in places]
    x = np.concatenate(found.pop("x")).astype(np.float32)
    arrays: dict[str, Any] = {name: np.array(value) for name, value in found.items()}
    np.savez_compressed(out, x=x, **arrays)
    print(f"{len(notes)} notes, {len(x):,} words left in place, {sum(found['y'])} direct")


def truths(
    doc: Document, gold: Sequence[Span], places: Sequence[int], *, direct: bool
) -> Iterator[bool]:
    inside = {
        at
        for span in gold
        if span.label.is_direct is direct
        for at in doc.tokens.over(span.start, span.end)
    }
    return (at in inside for at in places)


def fitted(x: Array, y: Array) -> tuple[Array, float]:
    """Weights and intercept of a logistic regression with a ridge and weights that may not fall."""
    spread = x.std(0)
    spread[spread < 1e-6] = np.inf  # what never changes has no weight
    z = x / spread

    def loss(w: Array) -> tuple[float, Array]:
        odds = z @ w[:-1] + w[-1]
        cost = np.logaddexp(0, odds).sum() - odds[y].sum() + PENALTY * (w[:-1] ** 2).sum()
        error = 1 / (1 + np.exp(-odds)) - y
        slope = z.T @ error + 2 * PENALTY * w[:-1]
        return float(cost), np.append(slope, error.sum())

    bounds = [(0, None) if name in RISING else (None, None) for name in FEATURES]
    start = np.zeros(len(FEATURES) + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)],
                     options={"maxiter": 2_000, "maxfun": 5_000})  # fmt: skip
    return found.x[:-1] / spread, float(found.x[-1])


Fit = tuple[Array, Array]


def fitted_sorts(x: Array, y: Array) -> Fit:
    """Weights (5, n) and intercepts (5,), see `dpdeid.fasdim.risk.coefficients`."""
    its = sorts(x)
    parts = [fitted(x[its == sort], y[its == sort]) for sort in range(len(SORTS))]
    weights, intercepts = zip(*parts, strict=True)
    return np.array(weights), np.array(intercepts)


def calibration(risk: Array, y: Array) -> Iterator[str]:
    """How often words of each stretch of risk are direct identifiers."""
    yield f"{'risk up to':>10s}{'words':>9s}{'mean risk':>11s}{'direct':>8s}"
    low = 0.0
    for high in BUCKETS:
        own = (risk >= low) & (risk < high)
        if own.any():
            yield f"{high:10g}{own.sum():9,d}{risk[own].mean():11.4f}{y[own].mean():8.4f}"
        low = high


def read_rows(paths: Sequence[Path]) -> tuple[Array, Array, Array]:
    """Features, truths and the numbers of the notes."""
    parts = [np.load(path) for path in paths]
    notes = np.concatenate([part["note"] + 1_000 * number for number, part in enumerate(parts)])
    x, y, quasi = (np.concatenate([part[name] for part in parts]) for name in ("x", "y", "quasi"))
    taken = x[:, FEATURES.index("taken")] > 0
    y |= quasi & taken
    own = y | ~quasi
    return x[own].astype(np.float64), y[own], notes[own]


def fit(paths: Sequence[Path], out: Path) -> None:
    x, y, note = read_rows(paths)
    left_out = np.zeros(len(y))
    for fold in range(FOLDS):
        own = note % FOLDS == fold
        left_out[own] = risk(x[own], fitted_sorts(x[~own], y[~own]))
    print(f"{len(y):,} words, {y.sum()} of identifiers; left out a fifth at a time:")
    taken = x[:, FEATURES.index("taken")] > 0
    print(*calibration(left_out[~taken], y[~taken]), "taken:", sep="\n")
    print(*calibration(left_out[taken], y[taken]), sep="\n")
    weights, intercepts = fitted_sorts(x, y)
    head = (
        "# Coefficients of dpdeid.fasdim.risk: a logistic regression, weights of plain features.",
        "# Made by benchmarks/recipes/risk.py from notes that neither tagger learned: every eighth",
        "# of the hand-written notes and lines beside that recipe (licence of the code) and the",
        "# held-out part of the annotated notes (written for this project; PARHAF, CC BY 4.0).",
        f"# {(~taken).sum():,} words left in place, {y[~taken].sum():,} of them direct identifiers",
        f"# and {taken.sum():,} taken on weak evidence, {y[taken].sum():,} of them identifiers.",
    )
    table = (*zip(FEATURES, weights.T.tolist(), strict=True), ("intercept", intercepts.tolist()))
    lines = ["\t".join(("# feature", *SORTS))]
    lines += ["\t".join((name, *(f"{value:.4f}" for value in row))) for name, row in table]
    out.write_text("\n".join((*head, *lines)) + "\n", encoding="utf-8")
    print(*lines, sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("rows", "fit"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--crf", type=Path)
    parser.add_argument("--versions", type=int, default=4)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.what == "rows":
        rows(given.files, given.crf, given.versions, given.out)
    else:
        fit(given.files, given.out)


if __name__ == "__main__":
    main()
