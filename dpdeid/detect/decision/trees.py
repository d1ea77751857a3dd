"""Boosted trees, read from a table and walked by numpy.

A table has a line a node, "head tree feature threshold left right value": a row goes left where its
feature is at most the threshold (or is no number), and the values of the leaves that it reaches are
added to the log odds of its head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
_LEAF: Final = -1


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees of one or more heads.

    Args:
        feature: of each node its column; of a leaf -1.
        threshold: of each node.
        left, right: of each node the nodes below; of a leaf itself.
        value: of each leaf the log odds that it adds.
        roots: the first node of each tree.
        head: of each tree its head.
        base: of each head the log odds without trees.
        depth: how many steps lead to any leaf, at most.
    """

    feature: Array
    threshold: Array
    left: Array
    right: Array
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
        rows = np.arange(len(values))[:, None]
        at = np.broadcast_to(self.roots, (len(values), len(self.roots)))
        for _ in range(self.depth):
            left = values[rows, np.maximum(self.feature[at], 0)] <= self.threshold[at]
            at = np.where(left, self.left[at], self.right[at])
        leaves = self.value[at]
        odds = np.stack([leaves[:, self.head == n].sum(1) for n in range(len(self.base))], 1)
        found: Array = 1 / (1 + np.exp(-(odds + self.base)))
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
        (base,) = ([float(x) for x in line[1:]] for line in lines if line[0] == "base")
        nodes = [line for line in lines if line[0] != "base" and not line[0].startswith("#")]
        if not nodes:
            raise ValueError("damaged table of trees: none")
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
            feature=np.array([column[line[2]] if line[2] else _LEAF for line in nodes]),
            threshold=np.array([float(line[3]) if line[2] else 0 for line in nodes], np.float32),
            left=left,
            right=right,
            value=np.array([0 if line[2] else float(line[6]) for line in nodes], np.float32),
            roots=roots,
            head=head[roots],
            base=np.array(base),
            depth=_depth(left, right, roots),
        )


def _depth(left: Array, right: Array, roots: Array) -> int:
    level, steps = roots, 0
    while (left[level] != level).any():
        level = np.unique(np.concatenate((left[level], right[level])))
        steps += 1
    return steps
