"""A language model of our own before it has learned: its shape, and first values of its weights.

What can be counted need not be learned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import torch
from torch import Tensor

from dpdeid.training.bases import train_pieces

if TYPE_CHECKING:
    from tokenizers import Tokenizer


_OFFSETS: Final = (-2, -1, 1, 2)
_CONTEXTS: Final = 1000
"""Most frequent pieces that count as neighbours, at each offset apart."""
_SPREAD: Final = 0.04
"""Standard deviation of the embeddings: about that of the usual random ones."""
_MOST: Final = 12_000_000
"""Pieces that are counted; more change little."""


@dataclass(frozen=True, slots=True)
class Small:
    """The shape of a model trained from nothing: BERT, 5 million parameters beside the pieces."""

    pieces: int = 12_000
    layers: int = 4
    hidden: int = 256
    heads: int = 4
    inner: int = 1024
    positions: int = 512


def untrained(documents: Sequence[str], small: Small) -> tuple[Tokenizer, Any]:
    """Pieces of the documents, and a masked language model over them with random weights."""
    from transformers import BertConfig, BertForMaskedLM

    tokenizer = train_pieces(documents, size=small.pieces)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=small.hidden,
        num_hidden_layers=small.layers,
        num_attention_heads=small.heads,
        intermediate_size=small.inner,
        max_position_embeddings=small.positions,
        initializer_range=0.04,  # the usual 0.02 is for three times the width
        hidden_dropout_prob=0.0,  # less than two passes over the text: nothing to overfit
        attention_probs_dropout_prob=0.0,
        pad_token_id=tokenizer.token_to_id("[PAD]"),
    )
    return tokenizer, BertForMaskedLM(config)


def warm(model: Any, ids: Tensor) -> None:
    """Sets the embeddings, the output's bias and the positions by the pieces of the texts."""
    with torch.no_grad():
        embeddings = model.get_input_embeddings().weight
        embeddings.copy_(neighbour_vectors(ids, *embeddings.shape))
        model.cls.predictions.bias.copy_(log_frequencies(ids, len(embeddings)))
        positions = model.base_model.embeddings.position_embeddings.weight
        positions.copy_(waves(*positions.shape))


def log_frequencies(ids: Tensor, vocabulary: int) -> Tensor:
    """Log share of each piece (V,), never seen ones counted once; `ids` of any shape."""
    counts = torch.bincount(ids.flatten().long(), minlength=vocabulary).float() + 1
    return (counts / counts.sum()).log()


def neighbour_vectors(ids: Tensor, vocabulary: int, hidden: int) -> Tensor:
    """An embedding of each piece (V, H), where `ids` are: pieces with like neighbours are alike.

    Args:
        ids: any shape; read as one row.
        hidden: at most the vocabulary.
    """
    row = ids.flatten()[:_MOST].long()
    contexts = min(_CONTEXTS, vocabulary)
    column = torch.full((vocabulary,), -1, device=row.device)
    frequent = torch.bincount(row, minlength=vocabulary).topk(contexts).indices
    column[frequent] = torch.arange(contexts, device=row.device)
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
    vectors = torch.zeros(vocabulary, hidden, device=row.device)
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
