"""Trains a masked language model: a small one from nothing, or a known one on local notes.

All texts are one row of word pieces, cut into sequences in which the model has to guess some words.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch

from dpdeid.errors import TrainingError
from dpdeid.training.bases import fast_tokenizer, read_language_model
from dpdeid.training.fitting import step
from dpdeid.training.small_model import Small, untrained, warm

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
        whole = len(row) // length * length
        if not whole:
            raise TrainingError(f"too little text: {len(row)} pieces, {length} needed")
        row, groups = (each[:whole].view(-1, length) for each in (row, groups))
        return cls(row, groups, mask, tokenizer.get_vocab_size())

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
        for at in count(done):
            around, place = divmod(at, per_round)
            shuffle = torch.Generator().manual_seed(seed + 1_000_003 * around)
            order = torch.randperm(len(self.ids), generator=shuffle)
            chance = torch.Generator().manual_seed(seed + 1 + at)
            yield self._masked(order[place * size : (place + 1) * size], masked, chance)

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


STATE: Final = "optimizer.safetensors"
PROGRESS: Final = "progress.json"
LOG: Final = "mlm_log.jsonl"
_LOG_STEPS: Final = 25


@dataclass(frozen=True, slots=True)
class Plan:
    """How a language model is trained.

    Args:
        minutes: wall clock of the training itself, over all its resumptions.
        rate: the highest learning rate, reached after `warm` of the time.
        length, batch: pieces in a sequence, sequences in a step.
        masked: share of the words that are to be guessed.
        bf16: 16-bit matrix products; faster only where the processor has them.
        save_minutes: between two checkpoints.
    """

    minutes: float = 95.0
    rate: float = 1e-3
    warm: float = 0.06
    length: int = 256
    batch: int = 8
    masked: float = 0.2
    seed: int = 0
    threads: int = 1
    bf16: bool = False
    save_minutes: float = 10.0

    def rate_at(self, seconds: float) -> float:
        """The learning rate after so much time: up in a line, then down to zero in a line."""
        done = min(1.0, seconds / (60 * self.minutes))
        return self.rate * min(done / self.warm, (1 - done) / (1 - self.warm))


@dataclass(slots=True)
class Progress:
    """Where a run stands. Not frozen: it moves on with every step."""

    seconds: float = 0.0
    steps: int = 0
    tokens: int = 0
    loss: float = float("nan")


def pretrain(
    texts: Iterable[str],
    *,
    out: Path,
    base: str | None = None,
    small: Small | None = None,
    plan: Plan = Plan(),
    resume: bool = False,
) -> Progress:
    """Trains a language model into `out` (config.json, model.safetensors, tokenizer.json).

    Args:
        texts: whole documents.
        base: a folder or hub name to continue; None trains a `small` model from nothing.
        resume: go on from the checkpoint in `out`.

    Raises:
        TrainingError: too little text, or nothing to resume.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    documents = list(texts)
    if resume and not (out / PROGRESS).is_file():
        raise TrainingError(f"{out}: nothing to resume; there is no {PROGRESS}")
    source = str(out) if resume else base
    if source is None:
        tokenizer, model = untrained(documents, small or Small())
    else:
        tokenizer = fast_tokenizer(source)
        model = read_language_model(source)
    data = Packed.of(documents, tokenizer, plan.length)
    if source is None:
        warm(model, data.ids)
    optimizer = torch.optim.AdamW(_groups(model), lr=plan.rate, betas=(0.9, 0.98))
    progress = _restore(out, optimizer) if resume else Progress()
    out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    (out / "plan.json").write_text(json.dumps(asdict(plan), indent=1), encoding="utf-8")
    _train(model, data, optimizer, plan, progress, out)
    return progress


def _groups(model: Any) -> list[dict[str, Any]]:
    """Weight decay on matrices only."""
    every = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in every if p.dim() > 1], "weight_decay": 0.01},
        {"params": [p for p in every if p.dim() <= 1], "weight_decay": 0.0},
    ]


def _loss(model: Any, ids: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The mean loss of the masked pieces; the output layer sees no others, if it stands apart."""
    head = getattr(model, "cls", None) or getattr(model, "lm_head", None)
    if head is None:
        whole: torch.Tensor = model(input_ids=ids, labels=targets).loss
        return whole
    hidden = model.base_model(input_ids=ids).last_hidden_state  # (B, T, H)
    wanted = targets != UNMASKED
    scores = head(hidden[wanted]).float()  # (masked, V)
    return torch.nn.functional.cross_entropy(scores, targets[wanted])


def _train(
    model: Any, data: Packed, optimizer: Any, plan: Plan, progress: Progress, out: Path
) -> None:
    model.train()
    began = time.monotonic() - progress.seconds
    saved, losses = progress.seconds, []
    for ids, targets in data.batches(
        progress.steps, batch=plan.batch, masked=plan.masked, seed=plan.seed
    ):
        progress.seconds = time.monotonic() - began
        if progress.seconds >= 60 * plan.minutes:
            break
        for group in optimizer.param_groups:
            group["lr"] = plan.rate_at(progress.seconds)
        with torch.autocast("cpu", torch.bfloat16, enabled=plan.bf16):
            loss = _loss(model, ids, targets)
        losses.append(step(optimizer, loss, model.parameters(), 1.0))
        progress.steps += 1
        progress.tokens += ids.numel()
        if len(losses) == _LOG_STEPS:
            progress.loss = sum(losses) / len(losses)
            losses.clear()
            _log(out, progress, plan)
        if progress.seconds - saved >= 60 * plan.save_minutes:
            saved = progress.seconds
            save(out, model, optimizer, progress)
    save(out, model, optimizer, progress)


def _log(out: Path, progress: Progress, plan: Plan) -> None:
    row = {**asdict(progress), "rate": plan.rate_at(progress.seconds)}
    with (out / LOG).open("a", encoding="utf-8") as log:
        log.write(json.dumps({k: round(v, 6) for k, v in row.items()}) + "\n")


def save(out: Path, model: Any, optimizer: Any, progress: Progress) -> None:
    """A checkpoint in `out`; a file is there whole or not at all."""
    from safetensors.torch import save_file

    new = out / ".new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    model.save_pretrained(new)
    moments = {
        f"{index}.{name}": tensor.contiguous()
        for index, held in optimizer.state_dict()["state"].items()
        for name, tensor in held.items()
    }
    save_file(moments, str(new / STATE))
    (new / PROGRESS).write_text(json.dumps(asdict(progress)), encoding="utf-8")
    for path in sorted(new.iterdir(), key=lambda p: p.name == PROGRESS):
        path.replace(out / path.name)
    new.rmdir()


def _restore(out: Path, optimizer: Any) -> Progress:
    from safetensors.torch import load_file

    state: dict[int, dict[str, Any]] = {}
    for name, tensor in load_file(str(out / STATE)).items():
        index, _, kind = name.partition(".")
        state.setdefault(int(index), {})[kind] = tensor
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    return Progress(**json.loads((out / PROGRESS).read_text(encoding="utf-8")))
