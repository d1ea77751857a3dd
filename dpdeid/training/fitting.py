"""What the loops of all networks share: the loss, a step, and passes until held-out notes get no
better.

transformers' own Trainer would not be shorter: each pass shows the notes in other versions, whole
notes are scored, a clock ends it, and it needs accelerate besides.
"""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol, TypeVar

import torch
from torch import Tensor, nn

from dpdeid.errors import TrainingError
from dpdeid.privacy.rng import Stream
from dpdeid.training.calibration import Tagging, figures, worth
from dpdeid.training.corpus import Note

AnyTagger = TypeVar("AnyTagger", bound=Tagging)

_log: Final = logging.getLogger(__name__)


class Limits(Protocol):
    """When a training ends.

    Args:
        epochs, patience: most passes, and those without a better score after which it stops.
        minutes: no pass begins after so much wall clock.
    """

    @property
    def epochs(self) -> int: ...
    @property
    def patience(self) -> int: ...
    @property
    def minutes(self) -> float: ...


class CrfLayer(nn.Module):
    """Scores of steps between tags, learned beside those of the tags: a linear-chain CRF (Lafferty
    et al. 2001), as AP-HP puts on its encoder.

    Args:
        start: (K,) log scores of what BIO allows first; see `dpdeid.detect.taggers.sequences`.
        steps: (K, K) the same for steps, from row to column.
    """

    def __init__(self, start: Tensor, steps: Tensor) -> None:
        super().__init__()
        self._allowed = start, steps
        self.start = nn.Parameter(torch.zeros_like(start))
        self.steps = nn.Parameter(torch.zeros_like(steps))

    def forward(self, scores: Tensor, tags: Tensor, real: Tensor) -> Tensor:
        """Minus the mean log-likelihood of the tags, per token; see `loss_of`."""
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


def loss_of(crf: CrfLayer | None, scores: Tensor, tags: Tensor, real: Tensor) -> Tensor:
    """Minus the mean log-likelihood of the tags, per token: of each by itself without a CRF.

    Args:
        scores: (B, N, K).
        tags: (B, N) int64, any value where not `real`.
        real: (B, N) bool; real tokens come first, and each row has one.
    """
    if crf is None:
        return nn.functional.cross_entropy(scores[real], tags[real])
    likelihood: Tensor = crf(scores, tags, real)
    return likelihood


def step(optimizer: Any, loss: Tensor, learned: Iterable[nn.Parameter], longest: float) -> float:
    """Takes one step with the gradient cut to a length, and gives the loss before it."""
    loss.backward()
    nn.utils.clip_grad_norm_(learned, longest)
    optimizer.step()
    optimizer.zero_grad()
    return float(loss.detach())


def best_pass(
    network: nn.Module,
    learn: Callable[[int, Stream], Iterable[float]],
    tagger: Callable[[], AnyTagger],
    dev: Iterable[Note],
    seed: int,
    limits: Limits,
) -> tuple[AnyTagger, dict[str, float]]:
    """Trains until held-out notes get no better. The network ends with its best weights; given are
    the tagger as it stood then, and what it scored.

    Args:
        learn: takes one pass by its number and draws, and gives the loss of each step.
        tagger: the tagger as it stands.

    Raises:
        TrainingError: there is no pass.
    """
    held, began, since = tuple(dev), time.monotonic(), 0
    best: tuple[AnyTagger, dict[str, float]] | None = None
    kept: dict[str, Tensor] = {}
    for epoch in range(limits.epochs):
        network.train()
        losses = list(learn(epoch, Stream(f"epoch {seed} {epoch}".encode())))
        now = tagger()
        scores = figures(now, held)
        _log.info(
            "seed %d, pass %d, %.0f s: loss %.4f, held out: F1 %.4f, direct redacted %.4f",
            *(seed, epoch + 1, time.monotonic() - began, statistics.fmean(losses)),
            *(scores["exact F1"], scores["direct redacted"]),
        )
        since += 1
        if best is None or worth(scores) > worth(best[1]):
            best, since = (now, scores), 0
            kept = {name: tensor.clone() for name, tensor in network.state_dict().items()}
        if since >= limits.patience or time.monotonic() - began >= 60 * limits.minutes:
            break
    if best is None:
        raise TrainingError("there must be at least one pass over the notes")
    network.load_state_dict(kept)
    return best
