"""Trains the transformer tagger: any encoder, a linear layer and at will a CRF on it.

Annotated notes are cut into windows the way the detector will read them. Of several seeds the best
run is kept, or the one whose weights are the mean of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import Tensor

from dpdeid.detect.taggers.inputs import CLASSES, class_rows, cut, rule_spans
from dpdeid.detect.taggers.sequences import bio_tags, constraints, sentence_starts, windows
from dpdeid.detect.taggers.transformer import Tagger, TaggerSpec, torch_network
from dpdeid.detect.taggers.transformer_network import TaggerModule
from dpdeid.document import Span
from dpdeid.privacy.rng import Stream
from dpdeid.spans import encode
from dpdeid.training.augment import doubted, vary
from dpdeid.training.bases import fast_tokenizer, read_encoder
from dpdeid.training.calibration import best_run, figures, recall_offsets, temperature, worth
from dpdeid.training.corpus import Note, labels_in
from dpdeid.training.fitting import CrfLayer, best_pass, loss_of, step

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Window:
    """One window: ids (T,), classes (T, C), and of its N tokens the first piece and the tag."""

    ids: Tensor
    classes: Tensor
    first: Tensor
    tags: Tensor


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded windows: ids and mask (B, T), classes (B, T, C), first, tags and real (B, N)."""

    ids: Tensor
    classes: Tensor
    mask: Tensor
    first: Tensor
    tags: Tensor
    real: Tensor


def cut_windows(
    note: Note, spec: TaggerSpec, tokenizer: Tokenizer, rules: Sequence[Span] = ()
) -> Iterator[Window]:
    """The windows of one note. `rules` is what the tagger is told of the rules' proposals."""
    doc, spans = note
    tokens = doc.tokens
    pieces = cut(doc.text, tokens, tokenizer)
    rows = torch.zeros(len(pieces.ids), 0)
    if spec.classes:
        rows = torch.from_numpy(class_rows(doc, rules, pieces))
    number = {tag: index for index, tag in enumerate(spec.tags)}
    # a label that the tagger does not have is outside to it
    tags = torch.tensor([number.get(tag, 0) for tag in encode(spans, tokens)])
    first, silent = torch.from_numpy(pieces.first), torch.from_numpy(pieces.silent)
    ids = torch.from_numpy(pieces.ids)
    prefix, suffix = torch.tensor(spec.prefix).long(), torch.tensor(spec.suffix).long()
    for window in windows(
        sentence_starts(tokens, doc.text),
        pieces.sizes(),
        words=spec.words,
        room=spec.room,
        overlap=spec.overlap,
    ):
        begin = int(first[window.start]) if window.start else 0
        end = min(int(first[window.end]), begin + spec.room)
        inside = slice(window.start, window.end)
        seen = ~silent[inside] & (first[:-1][inside] < end)
        if seen.any():
            yield Window(
                torch.cat((prefix, ids[begin:end], suffix)),
                torch.nn.functional.pad(rows[begin:end], (0, 0, len(prefix), len(suffix))),
                first[:-1][inside][seen] - begin + len(prefix),
                tags[inside][seen],
            )


def batches(every: Sequence[Window], size: int, draws: Stream, *, pad: int) -> Iterator[Batch]:
    """All windows in random order, about equally long ones together."""
    shuffled = draws.shuffled(every)
    chunk = 16 * size
    groups = []
    for start in range(0, len(shuffled), chunk):
        alike = sorted(shuffled[start : start + chunk], key=lambda w: len(w.ids))
        groups += [alike[at : at + size] for at in range(0, len(alike), size)]
    yield from (collate(group, pad=pad) for group in draws.shuffled(groups))


def collate(group: Sequence[Window], *, pad: int) -> Batch:
    """One batch of some windows."""

    def padded(rows: list[Tensor], value: float) -> Tensor:
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=value)

    return Batch(
        padded([w.ids for w in group], pad),
        padded([w.classes for w in group], 0),
        padded([torch.ones_like(w.ids) for w in group], 0),
        padded([w.first for w in group], 0),
        padded([w.tags for w in group], 0),
        padded([torch.ones_like(w.tags) for w in group], 0).bool(),
    )


_COUNTED_FROM_PAD: Final = ("camembert", "roberta", "xlm-roberta")
"""Encoders whose first position has the number after the padding piece's."""
_WARM: Final = 0.05
"""Share of the steps in which the rates rise."""
_START: Final = 0
"""The draw of the new layers: the same for all seeds, or their weights could not be averaged. A
seed draws the order of the notes, the versions they are shown in and what is dropped out."""


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
    """A tagger and what it scored on the held-out notes, by figure.

    Its weights are the mean of those of its seeds.
    """

    module: TaggerModule = field(repr=False)
    spec: TaggerSpec
    tokenizer: Tokenizer = field(repr=False)
    scores: Mapping[str, float]
    seeds: tuple[int, ...]

    @property
    def tagger(self) -> Tagger:
        """The tagger that runs the network in torch."""
        return Tagger(self.spec, self.tokenizer, torch_network(self.module))


def train_transformer(
    base: str,
    train: Sequence[Note],
    dev: Sequence[Note],
    *,
    seeds: Sequence[int] = (0,),
    options: Options = Options(),
) -> tuple[Trained, dict[str, tuple[float, float]]]:
    """The best of several taggers and their mean; the mean and standard deviation of their scores.

    Args:
        base: folder or hub name of an encoder with a fast tokenizer.
        train, dev: annotated notes; those of `dev` decide when to stop.

    Raises:
        TrainingError: the base cannot be used or the notes hold no span.
    """
    torch.set_num_threads(options.threads)
    tags = bio_tags(labels_in(train))
    runs = [_one(base, tags, train, dev, seed, options) for seed in seeds]
    best, spread = best_run(runs)
    if len(runs) > 1:
        best = max(best, _mean(runs, dev, options), key=lambda run: worth(run.scores))
    return best, spread


def _one(
    base: str,
    tags: tuple[str, ...],
    train: Sequence[Note],
    dev: Sequence[Note],
    seed: int,
    options: Options,
) -> Trained:
    """One run, which ends with its best weights."""
    torch.manual_seed(_START)
    tokenizer = fast_tokenizer(base)
    encoder = read_encoder(base)
    spec = _spec(tags, tokenizer, encoder, options)
    module = TaggerModule(encoder, classes=spec.width, tags=len(tags))
    torch.manual_seed(seed)
    crf = CrfLayer(*map(torch.from_numpy, constraints(tags))) if options.crf else None
    new = [p for n, p in module.named_parameters() if not n.startswith("encoder.")]
    new += list(crf.parameters()) if crf else []
    rates = (options.rate, options.head_rate)
    optimizer = torch.optim.AdamW(
        [{"params": encoder.parameters()}, {"params": new}], lr=options.rate
    )

    def learn(epoch: int, draws: Stream) -> Iterator[float]:
        every = list(shown(train, spec, tokenizer, draws, vary_notes=options.vary))
        count = -(-len(every) // options.batch)
        pad = encoder.config.pad_token_id or 0
        for at, batch in enumerate(batches(every, options.batch, draws, pad=pad)):
            done = (epoch + (at + 1) / count) / options.epochs
            ramp = min(done / _WARM, (1 - done) / (1 - _WARM))
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * ramp
            yield step(
                optimizer,
                batch_loss(module, crf, batch, bf16=options.bf16),
                module.parameters(),
                1.0,
            )

    def tagger() -> Tagger:
        current = spec
        if crf is not None:
            steps = tuple(map(tuple, crf.steps.tolist()))
            current = replace(spec, start=tuple(crf.start.tolist()), steps=steps)
        return Tagger(current, tokenizer, torch_network(module))

    best, _ = best_pass(module, learn, tagger, dev, seed, options)
    return calibrated(
        Trained(module, best.spec, tokenizer, {}, (seed,)), dev, recall=options.recall
    )


def shown(
    train: Sequence[Note],
    spec: TaggerSpec,
    tokenizer: Tokenizer,
    draws: Stream,
    *,
    vary_notes: bool = True,
) -> Iterator[Window]:
    """The windows of one pass: each note in a version of this pass, beside doubtful proposals."""
    for doc, spans in train:
        note = vary(doc, spans, draws) if vary_notes else (doc, tuple(spans))
        rules = doubted(rule_spans(note[0]), draws) if spec.classes else ()
        yield from cut_windows(note, spec, tokenizer, rules)


def batch_loss(
    module: TaggerModule, crf: CrfLayer | None, batch: Batch, *, bf16: bool = False
) -> torch.Tensor:
    """The loss of a network on a batch; see `dpdeid.training.fitting.loss_of`."""
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        scores = module(batch.ids, batch.classes, batch.mask).float()  # (B, T, K)
    tokens = scores.gather(1, batch.first[:, :, None].expand(-1, -1, scores.shape[2]))
    return loss_of(crf, tokens, batch.tags, batch.real)


def _mean(runs: Sequence[Trained], dev: Sequence[Note], options: Options) -> Trained:
    """The tagger whose every weight is the mean of those of several runs from one base."""
    first = runs[0]
    module = deepcopy(first.module)
    states = [run.module.state_dict() for run in runs]
    module.load_state_dict(
        {
            name: torch.stack([state[name] for state in states]).mean(0)
            if tensor.is_floating_point()
            else tensor
            for name, tensor in states[0].items()
        }
    )
    spec = replace(first.spec, temperature=1.0, recall={})
    if spec.steps:
        start = np.mean([run.spec.start for run in runs], axis=0)
        steps = np.mean([run.spec.steps for run in runs], axis=0)
        spec = replace(spec, start=tuple(start.tolist()), steps=tuple(map(tuple, steps.tolist())))
    seeds = tuple(seed for run in runs for seed in run.seeds)
    return calibrated(Trained(module, spec, first.tokenizer, {}, seeds), dev, recall=options.recall)


def calibrated(run: Trained, dev: Sequence[Note], *, recall: float) -> Trained:
    """The run with a temperature, offsets for that recall and scores, all of the held-out notes."""
    spec = replace(run.spec, temperature=temperature(run.tagger, dev))
    run = replace(run, spec=spec)
    offsets = recall_offsets(run.tagger, dev, target=recall)
    run = replace(run, spec=replace(spec, recall=offsets))
    return replace(run, scores=figures(run.tagger, dev))


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
