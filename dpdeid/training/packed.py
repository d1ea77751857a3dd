"""Texts as rows of word pieces, and the words in them that a language model has to guess."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import torch

from dpdeid.errors import TrainingError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

UNMASKED: Final = -100
"""The target of a piece that is not to be guessed."""
_ENCODED: Final = 256
"""Documents that are cut at once."""


@dataclass(frozen=True, slots=True)
class Packed:
    """All documents in one row of pieces, cut into sequences.

    Args:
        ids: (N, T) int32.
        words: (N, T) int32, equal where two pieces belong to one word; -1 on special pieces.
        mask, vocabulary: the id of the mask, and how many ids there are.
    """

    ids: torch.Tensor
    words: torch.Tensor
    mask: int
    vocabulary: int

    @classmethod
    def of(cls, documents: Sequence[str], tokenizer: Tokenizer, length: int) -> Packed:
        mask = next(
            (i for m in ("[MASK]", "<mask>", "<special1>") if (i := tokenizer.token_to_id(m))), None
        )
        if mask is None:
            raise TrainingError("the tokenizer has no mask piece: not a masked language model")
        ids: list[torch.Tensor] = []
        words: list[torch.Tensor] = []
        before = 0
        for start in range(0, len(documents), _ENCODED):
            for encoded in tokenizer.encode_batch(documents[start : start + _ENCODED]):
                own = torch.tensor([-1 if w is None else w for w in encoded.word_ids])
                words.append(torch.where(own < 0, own, own + before).int())
                before += int(own.max()) + 1 if len(own) else 0
                ids.append(torch.tensor(encoded.ids, dtype=torch.int32))
        row, groups = torch.cat(ids), torch.cat(words)
        count = len(row) // length
        if not count:
            raise TrainingError(f"too little text: {len(row)} pieces, {length} needed")
        shape = (count, length)
        return cls(
            row[: count * length].view(shape),
            groups[: count * length].view(shape),
            mask,
            tokenizer.get_vocab_size(),
        )

    def batches(
        self, done: int, *, batch: int, masked: float, seed: int
    ) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Endless (ids, targets), both (B, T) int64, from the step after `done` on.

        Args:
            batch: sequences in a step.
            masked: share of the words that are to be guessed.
        """
        size = min(batch, len(self.ids))
        per_round = len(self.ids) // size
        step = done
        while True:
            around, at = divmod(step, per_round)
            shuffle = torch.Generator().manual_seed(seed + 1_000_003 * around)
            order = torch.randperm(len(self.ids), generator=shuffle)
            for place in range(at, per_round):
                rows = order[place * size : (place + 1) * size]
                chance = torch.Generator().manual_seed(seed + 1 + step)
                yield self._masked(rows, masked, chance)
                step += 1

    def _masked(
        self, rows: torch.Tensor, share: float, chance: torch.Generator
    ) -> tuple[torch.Tensor, torch.Tensor]:
        ids, words = self.ids[rows].long(), self.words[rows].long()
        first = words.clamp(min=0).min()
        drawn = torch.rand(int(words.max() - first) + 1, generator=chance) < share
        chosen = drawn[(words - first).clamp(min=0)] & (words >= 0)  # (B, T)
        targets = torch.where(chosen, ids, UNMASKED)
        fate = torch.rand(ids.shape, generator=chance)
        noise = torch.randint(self.vocabulary, ids.shape, generator=chance)
        shown = torch.where(fate < 0.8, self.mask, torch.where(fate < 0.9, noise, ids))
        return torch.where(chosen, shown, ids), targets
