"""Boosted trees, read from a table and walked by numpy.

A table has a line a node, "head tree feature threshold left right value": a row goes left where its
feature is at most the threshold (or is no number), and the values of the leaves that it reaches are
added to the log odds of its head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees of one or more heads.

    Args:
        feature: of each node its column; of a leaf 0.
        threshold: of each node; of a leaf infinite.
        below: of each node the two below, left and right; of a leaf itself. (2 nodes)
        value: of each leaf the log odds that it adds.
        roots: the first node of each tree.
        head: of each tree 1 for its head, (trees, heads).
        base: of each head the log odds without trees.
        depth: how many steps lead to any leaf, at most.
    """

    feature: Array
    threshold: Array
    below: Array
    value: Array
    roots: Array
    head: Array
    base: Array
    depth: int

    def chances(self, values: Array) -> Array:
        """The chance of each row by each head, (n, heads).

        Args:
            values: a row each, (n, features) float32.
        """
        flat, row = values.ravel(), np.arange(len(values))[:, None] * values.shape[1]
        at = np.broadcast_to(self.roots, (len(values), len(self.roots)))
        for _ in range(self.depth):
            right = flat.take(row + self.feature.take(at)) > self.threshold.take(at)
            at = self.below.take(2 * at + right)
        odds = self.value.take(at) @ self.head + self.base
        found: Array = 1 / (1 + np.exp(-odds))
        return found

    @classmethod
    def of_text(cls, text: str, features: Sequence[str]) -> Self:
        """The trees of a table, which names their columns.

        Raises:
            ValueError: the table is damaged, or has a column that is not among the features.
        """
        try:
            return cls._of_lines([line.split("\t") for line in text.splitlines()], features)
        except (IndexError, KeyError) as error:
            raise ValueError(f"damaged table of trees: {error!r}") from None

    @classmethod
    def _of_lines(cls, lines: Sequence[Sequence[str]], features: Sequence[str]) -> Self:
        bases = [[float(x) for x in line[1:]] for line in lines if line[0] == "base"]
        nodes = [line for line in lines if line[0] != "base" and not line[0].startswith("#")]
        if not nodes or len(bases) != 1:
            raise ValueError("damaged table of trees: none")
        (base,) = bases
        column = {name: at for at, name in enumerate(features)}
        head, tree = (np.array([int(line[n]) for line in nodes]) for n in (0, 1))
        leaf = np.array([line[2] == "" for line in nodes])
        own = np.arange(len(nodes))
        roots = np.flatnonzero(np.r_[True, (np.diff(tree) != 0) | (np.diff(head) != 0)])
        tree_of = np.searchsorted(roots, own, "right") - 1
        below = [np.array([int(line[n] or 0) for line in nodes]) for n in (4, 5)]
        left, right = (np.where(leaf, own, roots[tree_of] + nodes_below) for nodes_below in below)
        ends = np.r_[roots[1:], len(nodes)][tree_of]
        if not all((leaf | ((own < at) & (at < ends))).all() for at in (left, right)):
            raise ValueError("damaged table of trees: a node that leads nowhere or back")
        if not ((head >= 0) & (head < len(base))).all():
            raise ValueError("damaged table of trees: a head without base")
        return cls(
            feature=np.array([column[line[2]] if line[2] else 0 for line in nodes]),
            threshold=np.array([float(line[3] or "inf") for line in nodes], np.float32),
            below=np.stack((left, right), 1).ravel(),
            value=np.array([0 if line[2] else float(line[6]) for line in nodes], np.float32),
            roots=roots,
            head=np.eye(len(base), dtype=np.float32)[head[roots]],
            base=np.array(base),
            depth=_depth(left, right, roots),
        )


def _depth(left: Array, right: Array, roots: Array) -> int:
    level, steps = roots, 0
    while (left[level] != level).any():
        level = np.unique(np.concatenate((left[level], right[level])))
        steps += 1
    return steps
