"""The training loop of a tagger: passes over varied notes until held-out notes get no better."""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import torch

from dpdeid.detect.rules import rule_spans
from dpdeid.detect.tagger_files import TaggerSpec
from dpdeid.detect.torch_tagger import TaggerModule
from dpdeid.detect.transformer import Tagger, torch_network
from dpdeid.privacy.rng import Stream
from dpdeid.training.augment import doubted, vary
from dpdeid.training.batches import Batch, Window, batches, cut_windows
from dpdeid.training.corpus import Note
from dpdeid.training.crf_layer import CrfLayer
from dpdeid.training.scoring import figures, worth

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_log: Final = logging.getLogger(__name__)
_WARM: Final = 0.05
"""Share of the steps in which the rates rise."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a tagger is trained.

    Args:
        epochs: most passes over the notes.
        patience: passes without a better held-out score after which it stops.
        rate: highest learning rate of the encoder; new layers learn `head_rate`.
        batch: windows in a step.
        room: most pieces in a window; less if the encoder has fewer positions.
        classes: whether word classes are inputs.
        crf: whether a CRF head learns the steps between tags.
        vary: whether notes are shown in other versions (see `dpdeid.training.augment`).
        minutes: no pass begins after so much wall clock of one seed.
        recall: target of the offsets for `recall_first`, in (0, 1).
    """

    epochs: int = 20
    patience: int = 4
    rate: float = 3e-4
    head_rate: float = 1e-3
    batch: int = 8
    room: int = 254
    classes: bool = True
    crf: bool = False
    vary: bool = True
    minutes: float = 60.0
    recall: float = 0.99
    threads: int = 1
    bf16: bool = False


def tagger_of(module: TaggerModule, spec: TaggerSpec, tokenizer: Tokenizer) -> Tagger:
    """The tagger that runs a network in torch."""
    return Tagger(spec, tokenizer, torch_network(module))


def fit(
    module: TaggerModule,
    crf: CrfLayer | None,
    spec: TaggerSpec,
    tokenizer: Tokenizer,
    train: Sequence[Note],
    dev: Sequence[Note],
    seed: int,
    options: Options,
) -> TaggerSpec:
    """Trains in place; the module ends with its best weights, the result has the CRF's scores.

    Args:
        crf: the head whose loss is minimised instead of the tags' own, None for none.
        spec: how windows are cut and tags are numbered.
        train, dev: the notes to learn, and those that decide when to stop.
    """
    new = [p for n, p in module.named_parameters() if not n.startswith("encoder.")]
    new += list(crf.parameters()) if crf else []
    rates = (options.rate, options.head_rate)
    optimizer = torch.optim.AdamW(
        [{"params": module.encoder.parameters()}, {"params": new}], lr=options.rate
    )
    best, since, kept, kept_spec = -1.0, 0, {}, spec
    began = time.monotonic()
    for epoch in range(options.epochs):
        draws = Stream(f"epoch {seed} {epoch}".encode())
        module.train()
        every = list(_windows(train, spec, tokenizer, draws, options))
        count = -(-len(every) // options.batch)
        losses = []
        for at, batch in enumerate(batches(every, options.batch, draws, pad=_pad(module))):
            done = (epoch + (at + 1) / count) / options.epochs
            ramp = min(done / _WARM, (1 - done) / (1 - _WARM))
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * ramp
            loss = _loss(module, crf, batch, options)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            losses.append(float(loss.detach()))
        current = spec if crf is None else replace(spec, **_steps(crf))
        scores = figures(tagger_of(module, current, tokenizer), dev)
        value = worth(scores)
        _log.info(
            "seed %d, pass %d, %.0f s: loss %.4f, held out: F1 %.4f, direct redacted %.4f",
            *(seed, epoch + 1, time.monotonic() - began, statistics.fmean(losses)),
            *(scores["exact F1"], scores["direct redacted"]),
        )
        if value > best:
            best, since, kept_spec = value, 0, current
            kept = {name: tensor.clone() for name, tensor in module.state_dict().items()}
        else:
            since += 1
        if since >= options.patience or time.monotonic() - began >= 60 * options.minutes:
            break
    module.load_state_dict(kept)
    return kept_spec


def _pad(module: TaggerModule) -> int:
    return module.encoder.config.pad_token_id or 0


def _windows(
    train: Sequence[Note],
    spec: TaggerSpec,
    tokenizer: Tokenizer,
    draws: Stream,
    options: Options,
) -> Iterator[Window]:
    for doc, spans in train:
        note = vary(doc, spans, draws) if options.vary else (doc, tuple(spans))
        rules = doubted(rule_spans(note[0]), draws) if spec.classes else ()
        yield from cut_windows(note, spec, tokenizer, rules)


def _loss(
    module: TaggerModule, crf: CrfLayer | None, batch: Batch, options: Options
) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16, enabled=options.bf16):
        scores = module(batch.ids, batch.classes, batch.mask).float()  # (B, T, K)
    tokens = scores.gather(1, batch.first[:, :, None].expand(-1, -1, scores.shape[2]))
    if crf is not None:
        likelihood: torch.Tensor = crf(tokens, batch.tags, batch.real)
        return likelihood
    return torch.nn.functional.cross_entropy(tokens[batch.real], batch.tags[batch.real])


def _steps(crf: CrfLayer) -> dict[str, Any]:
    return {
        "start": tuple(crf.start.tolist()),
        "steps": tuple(map(tuple, crf.steps.tolist())),
    }
