"""`dpdeid train transformer`: a tagger from any encoder and a corpus of annotated notes.

Fine-tuning with early stopping on held-out notes; the best of several seeds is kept, and the mean
and standard deviation of all are reported. After training the scores are calibrated on the same
held-out notes, and offsets are chosen with which every label reaches a target recall there.
"""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import torch

from dpdeid.detect.rules import rule_spans
from dpdeid.detect.tagger_files import TaggerSpec, bio_tags
from dpdeid.detect.torch_tagger import TaggerModule
from dpdeid.detect.transformer import Tagger, torch_network
from dpdeid.detect.viterbi import constraints
from dpdeid.detect.word_classes import CLASSES
from dpdeid.errors import TrainingError
from dpdeid.evaluate.detection import Scores, score
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.training.augment import vary
from dpdeid.training.bases import fast_tokenizer, read_encoder
from dpdeid.training.batches import Batch, Window, batches, cut_windows
from dpdeid.training.calibration import recall_offsets, temperature
from dpdeid.training.corpus import Note
from dpdeid.training.crf_layer import CrfLayer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_log: Final = logging.getLogger(__name__)
_WARM: Final = 0.05
"""Share of the steps in which the rates rise."""
_FORGOTTEN: Final = 15
"""Percentage of the rules' proposals that a pass leaves out: on new notes they miss more."""
_COUNTED_FROM_PAD: Final = ("camembert", "roberta", "xlm-roberta")
"""Encoders whose first position has the number after the padding piece's."""


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


@dataclass(frozen=True, slots=True)
class Trained:
    """A tagger and what it scored on the held-out notes, by figure."""

    module: TaggerModule = field(repr=False)
    spec: TaggerSpec
    tokenizer: Tokenizer = field(repr=False)
    scores: Mapping[str, float]
    seed: int


def train_transformer(
    base: str,
    train: Sequence[Note],
    dev: Sequence[Note],
    *,
    seeds: Sequence[int] = (0,),
    options: Options | None = None,
) -> tuple[Trained, dict[str, tuple[float, float]]]:
    """The best of several taggers, and the mean and standard deviation of their scores.

    Args:
        base: folder or hub name of an encoder with a fast tokenizer.
        train, dev: annotated notes; those of `dev` decide when to stop.

    Raises:
        TrainingError: the base cannot be used or the notes hold no span.
    """
    options = options or Options()
    torch.set_num_threads(options.threads)
    found = {span.label for _, spans in train for span in spans}
    if not found:
        raise TrainingError("the notes to train on hold no span")
    tags = bio_tags(tuple(label for label in Label if label in found))
    runs = [_one(base, tags, train, dev, seed, options) for seed in seeds]
    best = max(runs, key=lambda run: run.scores["exact F1"])
    spread = {
        figure: (statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0)
        for figure in best.scores
        for values in ([run.scores[figure] for run in runs],)
    }
    return best, spread


def _one(
    base: str,
    tags: tuple[str, ...],
    train: Sequence[Note],
    dev: Sequence[Note],
    seed: int,
    options: Options,
) -> Trained:
    torch.manual_seed(seed)
    tokenizer = fast_tokenizer(base)
    encoder = read_encoder(base)
    spec = _spec(tags, tokenizer, encoder, options)
    module = TaggerModule(encoder, classes=spec.width, tags=len(tags))
    crf = None
    if options.crf:
        crf = CrfLayer(*(torch.from_numpy(array) for array in constraints(tags)))
    spec = _fit(module, crf, spec, tokenizer, train, dev, seed, options)
    raw = replace(spec, recall={})
    spec = replace(spec, temperature=temperature(_tagger(module, raw, tokenizer), dev))
    spec = replace(
        spec, recall=recall_offsets(_tagger(module, spec, tokenizer), dev, target=options.recall)
    )
    scores = figures(_tagger(module, spec, tokenizer), dev)
    return Trained(module, spec, tokenizer, scores, seed)


def _spec(
    tags: tuple[str, ...], tokenizer: Tokenizer, encoder: Any, options: Options
) -> TaggerSpec:
    plain = tokenizer.encode("a", add_special_tokens=False).ids
    around = tokenizer.encode("a", add_special_tokens=True).ids
    at = next(i for i in range(len(around)) if around[i : i + len(plain)] == plain)
    prefix, suffix = tuple(around[:at]), tuple(around[at + len(plain) :])
    positions = getattr(encoder.config, "max_position_embeddings", 512)
    taken = len(prefix) + len(suffix)
    if encoder.config.model_type in _COUNTED_FROM_PAD:
        taken += encoder.config.pad_token_id + 1
    return TaggerSpec(
        tags=tags,
        classes=CLASSES if options.classes else (),
        prefix=prefix,
        suffix=suffix,
        room=min(options.room, positions - taken),
    )


def _tagger(module: TaggerModule, spec: TaggerSpec, tokenizer: Tokenizer) -> Tagger:
    return Tagger(spec, tokenizer, torch_network(module))


def _fit(
    module: TaggerModule,
    crf: CrfLayer | None,
    spec: TaggerSpec,
    tokenizer: Tokenizer,
    train: Sequence[Note],
    dev: Sequence[Note],
    seed: int,
    options: Options,
) -> TaggerSpec:
    """Trains in place; the module ends with its best weights, the result has the CRF's scores."""
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
        scores = figures(_tagger(module, current, tokenizer), dev)
        value = scores["exact F1"]
        _log.info(
            "seed %d, pass %d, %.0f s: loss %.4f, held out: F1 %.4f, direct redacted %.4f",
            *(seed, epoch + 1, time.monotonic() - began, statistics.fmean(losses)),
            *(value, scores["direct redacted"]),
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
        rules = [s for s in rule_spans(note[0]) if draws.randbelow(100) >= _FORGOTTEN]
        yield from cut_windows(note, spec, tokenizer, rules if spec.classes else ())


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


def figures(tagger: Tagger, notes: Sequence[Note]) -> dict[str, float]:
    """The held-out scores that a model card shows; nan where there is nothing to score."""
    total = Scores()
    for doc, gold in notes:
        total += score(doc, gold, tagger.tag(doc))
    exact, token = total.micro(total.exact, Label), total.micro(total.token, Label)
    return {
        "exact F1": exact.f1 if exact.tp else 0.0,
        "token precision": token.precision,
        "token recall": token.recall,
        "direct redacted": total.direct.redacted,
        "direct fully redacted": total.direct.fully_redacted,
    }
