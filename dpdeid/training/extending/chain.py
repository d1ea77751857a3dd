"""A CRF trained further on a few notes: its weights move as far as these notes are worth it.

Minus the log-likelihood of the notes, plus a pull of each weight to where it began: a Gaussian
prior around the model that ships (Chelba and Acero 2006, "Adaptation of maximum entropy
capitalizer: little data can help a lot"). What the notes say nothing of stays, to the bit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from dpdeid.training.extending.crf_weights import Weights

Array = np.ndarray[Any, np.dtype[Any]]

Chain = tuple[Sequence[Sequence[str]], Sequence[str]]
"""The attributes of each token of a stretch, and their tags."""

_RATE: Final = 0.05
_DECAY: Final = 0.9, 0.999
_SMALL: Final = 1e-8


def with_tags(weights: Weights, tags: Collection[str]) -> Weights:
    """The weights with a column, of 0, for each tag that they lack."""
    new = sorted(set(tags).difference(weights.tags))
    state = np.pad(weights.state, ((0, 0), (0, len(new))))
    steps = np.pad(weights.steps, (0, len(new)))
    return replace(weights, tags=(*weights.tags, *new), state=state, steps=steps)


def moved(start: Weights, chains: Sequence[Chain], *, pull: float, steps: int) -> Weights:
    """The weights after so many steps of Adam over all chains at once (Kingma and Ba 2015).

    New are only features that the chains hold: an attribute with a tag under which it stands.

    Args:
        chains: their tags are among those of `start`.
        pull: half of it times the squared way of a weight is added to the loss, > 0.
    """
    known = {name: at for at, name in enumerate(start.attributes)}
    seen = {name for items, _ in chains for item in items for name in item}
    new = tuple(sorted(seen - known.keys()))
    known |= {name: len(known) + at for at, name in enumerate(new)}
    state = np.vstack([start.state, np.zeros((len(new), len(start.tags)))])
    data = _Data.of(chains, known, start.tags)
    began = state[data.rows], start.steps
    learned = began[0] != 0, began[1] != 0
    learned[0][data.local, data.tags[data.token]] = True
    learned[1][data.pairs] = True
    now = [part.copy() for part in began]
    means = [(np.zeros_like(part), np.zeros_like(part)) for part in now]
    for step in range(1, steps + 1):
        slopes = data.slopes(*now)
        for at, slope in enumerate(slopes):
            slope = np.where(learned[at], slope + pull * (now[at] - began[at]), 0)
            first, second = means[at]
            first += (1 - _DECAY[0]) * (slope - first)
            second += (1 - _DECAY[1]) * (slope**2 - second)
            ahead = first / (1 - _DECAY[0] ** step)
            size = np.sqrt(second / (1 - _DECAY[1] ** step)) + _SMALL
            now[at] -= _RATE * (1 - (step - 1) / steps) * ahead / size
    state[data.rows] = now[0]
    return Weights((*start.attributes, *new), start.tags, state, now[1])


@dataclass(frozen=True, slots=True)
class _Data:
    """Chains as numbers.

    Args:
        rows: the attributes that stand in them.
        local, token: of each mention of an attribute, its place in `rows` and its token.
        tags: of each token.
        begin, lengths: first token of each chain and how many it has.
    """

    rows: Array
    local: Array
    token: Array
    tags: Array
    begin: Array
    lengths: Array

    @property
    def pairs(self) -> tuple[Array, Array]:
        """The tags before and after each step."""
        inside = np.ones(len(self.tags), bool)
        inside[self.begin] = False
        after = np.flatnonzero(inside)
        return self.tags[after - 1], self.tags[after]

    @classmethod
    def of(cls, chains: Sequence[Chain], known: dict[str, int], names: Sequence[str]) -> _Data:
        number = {name: at for at, name in enumerate(names)}
        items = [item for chain, _ in chains for item in chain]
        mentions = np.array([known[name] for item in items for name in item], np.intp)
        rows, local = np.unique(mentions, return_inverse=True)
        lengths = np.array([len(tags) for _, tags in chains], np.intp)
        return cls(
            rows,
            local,
            np.repeat(np.arange(len(items)), [len(item) for item in items]),
            np.array([number[tag] for _, tags in chains for tag in tags], np.intp),
            np.cumsum(lengths) - lengths,
            lengths,
        )

    def slopes(self, state: Array, steps: Array) -> tuple[Array, Array]:
        """Of minus the log-likelihood, by the weights of attributes and of steps."""
        scores = _sums(state, self.local, self.token, len(self.tags))
        chances, pairs = self._expected(scores, steps)
        chances[np.arange(len(self.tags)), self.tags] -= 1
        np.add.at(pairs, self.pairs, -1)
        return _sums(chances, self.token, self.local, len(self.rows)), pairs

    def _expected(self, scores: Array, steps: Array) -> tuple[Array, Array]:
        """The chance of each tag of each token (N, K), and how often each step is expected (K, K):
        forward and backward over all chains at once, each row scaled to a sum of 1.
        """
        own = np.exp(scores - scores.max(1, keepdims=True))
        step = np.exp(steps)
        ahead, behind = np.empty_like(own), np.ones_like(own)
        pairs = np.zeros_like(steps)
        for at in range(int(self.lengths.max())):
            here = self.begin[self.lengths > at] + at
            ahead[here] = own[here] * (ahead[here - 1] @ step if at else 1)
            ahead[here] /= ahead[here].sum(1, keepdims=True)
        for at in reversed(range(1, int(self.lengths.max()))):
            here = self.begin[self.lengths > at] + at
            after = own[here] * behind[here]
            behind[here - 1] = after @ step.T
            joint = (ahead[here - 1] * behind[here - 1]).sum(1, keepdims=True)
            pairs += (ahead[here - 1] / joint).T @ after * step
            behind[here - 1] /= behind[here - 1].sum(1, keepdims=True)
        chances = ahead * behind
        return chances / chances.sum(1, keepdims=True), pairs


def _sums(matrix: Array, of: Array, to: Array, count: int) -> Array:
    """Rows `of` a matrix, added up into so many rows: the first of them into the first of `to` …"""
    columns = [np.bincount(to, column[of], count) for column in np.ascontiguousarray(matrix.T)]
    return np.stack(columns, 1)
