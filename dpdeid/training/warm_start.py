"""First values for a model trained from nothing: what can be counted need not be learned.

A small language model on one processor spends its first hour learning how frequent each piece is
and which pieces stand beside which. Both are counts: the output bias starts at the log frequency,
and the embeddings at the leading singular vectors of the positive pointwise mutual information with
the neighbours (Levy and Goldberg 2014). Positions start as waves (Vaswani et al. 2017): a step to
the neighbour is then the same turn everywhere, and need not be learned for each place.
"""

from __future__ import annotations

import math
from typing import Final

import torch
from torch import Tensor

_OFFSETS: Final = (-2, -1, 1, 2)
_CONTEXTS: Final = 1000
"""Most frequent pieces that count as neighbours, at each offset apart."""
_SPREAD: Final = 0.04
"""Standard deviation of the embeddings: about that of the usual random ones."""
_MOST: Final = 12_000_000
"""Pieces that are counted; more change little."""


def log_frequencies(ids: Tensor, vocabulary: int) -> Tensor:
    """Log share of each piece (V,), never seen ones counted once; `ids` of any shape."""
    counts = torch.bincount(ids.flatten().long(), minlength=vocabulary).float() + 1
    return (counts / counts.sum()).log()


def neighbour_vectors(ids: Tensor, vocabulary: int, hidden: int) -> Tensor:
    """An embedding of each piece (V, H): pieces with like neighbours are alike.

    Args:
        ids: any shape; read as one row.
        hidden: at most the vocabulary.
    """
    row = ids.flatten()[:_MOST].long()
    contexts = min(_CONTEXTS, vocabulary)
    column = torch.full((vocabulary,), -1)
    frequent = torch.bincount(row, minlength=vocabulary).topk(contexts).indices
    column[frequent] = torch.arange(contexts)
    blocks = []
    for offset in _OFFSETS:
        words, beside = (
            (row[-offset:], row[:offset]) if offset < 0 else (row[:-offset], row[offset:])
        )
        known = column[beside] >= 0
        cells = words[known] * contexts + column[beside][known]
        counts = torch.bincount(cells, minlength=vocabulary * contexts).float()
        blocks.append(_information(counts.view(vocabulary, contexts)))
    table = torch.cat(blocks, 1)  # (V, 4 * contexts)
    left, sizes, _ = torch.svd_lowrank(table, q=min(hidden, *table.shape), niter=3)
    vectors = torch.zeros(vocabulary, hidden)
    vectors[:, : left.shape[1]] = left * sizes.sqrt()
    return vectors * (_SPREAD / vectors.std().clamp(min=1e-6))


def _information(counts: Tensor) -> Tensor:
    """Positive pointwise mutual information of rows and columns, in nats."""
    expected = counts.sum(1, keepdim=True) * counts.sum(0, keepdim=True) / counts.sum()
    return torch.where(counts > 0, (counts / expected.clamp(min=1e-9)).log(), 0.0).clamp(min=0)


def waves(positions: int, hidden: int) -> Tensor:
    """Position embeddings (P, H): sines and cosines of geometrically spaced wavelengths."""
    place = torch.arange(positions)[:, None]
    turn = torch.exp(torch.arange(0, hidden, 2) * (-math.log(10_000) / hidden))
    angles = place * turn  # (P, ceil(H / 2))
    both = torch.stack((angles.sin(), angles.cos()), 2).flatten(1)[:, :hidden]
    return both * (_SPREAD * math.sqrt(2))
