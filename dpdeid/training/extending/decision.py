"""Trees of the decision that go on from those that ship, with the notes of a site.

Each tree learns what the trees before it leave unexplained, of few words and with a small step, so
that a few notes move little. Needs scikit-learn. No word of a note is among the trees: they hold
columns, thresholds and log odds.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from dpdeid.detect.decision.decision import Decision, table
from dpdeid.detect.decision.decision import trees as read_trees
from dpdeid.detect.decision.evidence import FEATURES, group
from dpdeid.detect.merge.published import Union
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import TrainingError
from dpdeid.formats.write import open_private
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.training.corpus import Note
from dpdeid.training.extending.gain import Find, Gain, learned
from dpdeid.training.extending.words import Rows, rows

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Options:
    """How the trees are extended.

    Args:
        trees: added for each of the two heads.
        leaves: of a tree, at most.
        least: words in a leaf.
        rate: the share of a step that is taken.
        pull: of a leaf to nothing, in words: the more, the less is learned and forgotten.
        versions, parts: how a note is read; see `dpdeid.training.extending.words`.
    """

    trees: int = 30
    leaves: int = 8
    least: int = 20
    rate: float = 0.2
    pull: float = 20.0
    versions: int = 3
    parts: int = 5


def extend_decision(
    policy: Policy,
    notes: Sequence[Note],
    out: Path,
    *,
    dev: Sequence[Note] = (),
    parts: int = 3,
    options: Options = Options(),
) -> Gain:
    """Extends the trees of a policy into the file `out`, and gives what that gained.

    Args:
        policy: with the detectors and the decision that the site uses. Its taggers must not have
            learned the notes.
        dev: measures; without it, trees of the rest do on each of so many `parts` of the notes.

    Raises:
        TrainingError: the policy merges otherwise, there is nothing to learn or to measure from,
            or scikit-learn is not installed.
        UsageError: the file cannot be written.
        ModelError: a tagger or the trees are missing or damaged.
    """
    start = policy.merge
    if not isinstance(start, Decision):
        raise TrainingError(f"the policy {policy.name} does not merge by decision")
    labels = {span.label for _, spans in notes for span in spans}
    if not labels:
        raise TrainingError("there is no span to learn from: the notes have no entities")
    engine = Deidentifier(replace(policy, merge=Union()))
    read = partial(rows, engine=engine, versions=options.versions, parts=options.parts)
    known = {id(note): list(read(note)) for note in notes}  # each fold asks
    with tempfile.TemporaryDirectory() as folder:

        def learn(some: Sequence[Note]) -> Decision:
            shown = [part for note in some for part in known[id(note)]]
            text = _extended(start.trees, shown, labels, options)
            path = Path(folder) / f"{sha256(text.encode()).hexdigest()}.tsv"
            path.write_text(text, encoding="utf-8")
            return replace(start, trees=str(path))

        def find(merge: Decision) -> Find:
            own = Deidentifier(replace(policy, merge=merge))
            return lambda doc: _spans(own, doc)

        made, gain = learned(learn, find, start, notes, dev, parts=parts, labels=labels)
        with open_private(out) as file:
            file.write(table(made.trees))
    return gain


def _spans(engine: Deidentifier, doc: Document) -> Sequence[Span]:
    return engine.detect(replace(doc, known={})).spans


def _extended(name: str, shown: Sequence[Rows], labels: Collection[Label], options: Options) -> str:
    """The table of some trees, with more that these words taught.

    A word that is voted to be of a group of which the site marks nothing is not learned from.
    """
    marked = [0, *map(group, labels)]
    parts = [np.concatenate(part) for part in zip(*shown, strict=True)]
    own = np.isin(parts[0][:, FEATURES.index("voted")], marked) if parts else np.zeros(0, bool)
    if not own.any():
        raise TrainingError("there is nothing to learn from: no voice says anything of the notes")
    values, some, direct = (part[own] for part in parts)
    chances = read_trees(name).chances(values)
    before = table(name).rstrip("\n").split("\n")
    count = 1 + max(int(line.split("\t")[1]) for line in before if line[:1].isdigit())
    today = dt.datetime.now(dt.UTC).date().isoformat()
    lines = [f"# Extended on {today} with {len(values)} words."]
    for head, truth in enumerate((some, direct)):
        odds = np.log(chances[:, head] / (1 - chances[:, head]))
        for number, nodes in enumerate(_grown(values, truth, odds, options)):
            lines += (f"{head}\t{count + number}\t{node}" for node in nodes)
    told = [line for line in before if line.startswith("#")] + lines[:1]
    base = [line for line in before if line.startswith("base")]
    nodes = [line for line in (*before, *lines) if line[:1].isdigit()]
    nodes.sort(key=lambda line: line.split("\t")[0])  # one head after the other; sorting is stable
    return "\n".join((*told, *base, *nodes)) + "\n"


def _grown(values: Array, truth: Array, odds: Array, options: Options) -> Iterator[list[str]]:
    """The nodes of trees that move the log odds of words towards the truth, one tree at a time."""
    try:
        from sklearn.tree import DecisionTreeRegressor
    except ImportError:
        raise TrainingError("training trees needs pip install scikit-learn") from None
    for number in range(options.trees):
        chance = 1 / (1 + np.exp(-odds))
        grown = DecisionTreeRegressor(
            max_leaf_nodes=options.leaves,
            min_samples_leaf=options.least,
            max_features=0.2,
            random_state=number,
        ).fit(values, truth - chance)
        leaf, tree = grown.apply(values), grown.tree_
        missed, weight = (
            np.bincount(leaf, each, tree.node_count)
            for each in (truth - chance, chance * (1 - chance))
        )
        step = options.rate * missed / (weight + options.pull)
        odds = odds + step[leaf]
        yield [
            f"\t\t\t\t{step[at]:.5g}"
            if tree.children_left[at] < 0
            else f"{FEATURES[tree.feature[at]]}\t{np.float32(tree.threshold[at]):.9g}"
            f"\t{tree.children_left[at]}\t{tree.children_right[at]}\t"
            for at in range(tree.node_count)
        ]
