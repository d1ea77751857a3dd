"""The loss of a linear-chain CRF head (Lafferty et al. 2001), as AP-HP puts on its encoder."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class CrfLayer(nn.Module):
    """Scores of steps between tags, learned beside those of the tags.

    Args:
        start: (K,) log scores of what BIO allows first; see `dpdeid.detect.viterbi`.
        steps: (K, K) the same for steps, from row to column.
    """

    def __init__(self, start: Tensor, steps: Tensor) -> None:
        super().__init__()
        self._allowed = start, steps
        self.start = nn.Parameter(torch.zeros_like(start))
        self.steps = nn.Parameter(torch.zeros_like(steps))

    def forward(self, scores: Tensor, tags: Tensor, real: Tensor) -> Tensor:
        """Minus the mean log-likelihood of the tags, per token.

        Args:
            scores: (B, N, K).
            tags: (B, N) int64, any value where not `real`.
            real: (B, N) bool; real tokens come first, and each row has one.
        """
        start, steps = self.start + self._allowed[0], self.steps + self._allowed[1]
        tags = tags.clamp(min=0)
        own = scores.gather(2, tags[:, :, None])[:, :, 0]  # (B, N)
        path = (own * real).sum(1) + start[tags[:, 0]]
        path = path + (steps[tags[:, :-1], tags[:, 1:]] * real[:, 1:]).sum(1)
        total = start + scores[:, 0]  # (B, K)
        for at in range(1, scores.shape[1]):
            further = torch.logsumexp(total[:, :, None] + steps, 1) + scores[:, at]
            total = torch.where(real[:, at, None], further, total)
        return (torch.logsumexp(total, 1) - path).sum() / real.sum()
