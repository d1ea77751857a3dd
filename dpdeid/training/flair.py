"""Trains the flair tagger: the bi-LSTM of CHUV (Loftsson 2022), with or without a CRF.

Adam at a constant rate with early stopping on held-out notes; the best of several seeds is kept.
Notes are shown in other versions too, whose names no vocabulary has: so the network learns to
tell an unknown name by its neighbours. The CRF is trained with the loss of the transformer's head
and written into flair's own: flair's loss has the same value and takes ten times as long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from dpdeid.detect.taggers.card import ModelCard
from dpdeid.detect.taggers.flair import Numbering, Tagger, fold_digits, tagger_of
from dpdeid.detect.taggers.flair_network import (
    build,
    emissions,
    one_thread,
    set_head,
    write_weights,
)
from dpdeid.detect.taggers.sequences import PLAN, UNKNOWN, WEIGHTS, FlairPlan, bio_tags, constraints
from dpdeid.errors import TrainingError
from dpdeid.privacy.rng import Stream
from dpdeid.spans import encode, repair
from dpdeid.training.augment import vary
from dpdeid.training.bases import Origins
from dpdeid.training.calibration import best_run, card_scores
from dpdeid.training.corpus import Note, labels_in
from dpdeid.training.export import write_card_of
from dpdeid.training.fitting import CrfLayer, best_pass, loss_of, step


@dataclass(frozen=True, slots=True)
class Options:
    """How a tagger is trained. The sizes and the dropout are CHUV's; its rate of .001 and its
    batches of 32 take many more passes over a few hundred notes.

    Args:
        layers: of the LSTM.
        crf: whether a CRF learns the steps between tags.
        epochs: most passes over the notes.
        patience: passes without a better held-out score after which it stops.
        rate: learning rate.
        batch: windows in a step.
        embedding, hidden: sizes, see `FlairPlan`.
        dropout: in [0, 1).
        rarest: a word that is seen less often has no embedding of its own.
        vary: whether notes are shown in other versions (see `dpdeid.training.augment`).
        minutes: no pass begins after so much wall clock of one seed.
    """

    layers: int = 1
    crf: bool = False
    epochs: int = 40
    patience: int = 5
    rate: float = 4e-3
    batch: int = 16
    embedding: int = 128
    hidden: int = 64
    dropout: float = 0.5
    rarest: int = 2
    vary: bool = True
    minutes: float = 60.0


@dataclass(frozen=True, slots=True)
class Trained:
    """A network and what it scored on the held-out notes, by figure."""

    network: Any = field(repr=False)
    plan: FlairPlan = field(repr=False)
    scores: Mapping[str, float]
    seed: int


Window = tuple[Tensor, Tensor]
"""ids (T,) and tags (T,), int64."""


def train_flair(
    train: Sequence[Note],
    dev: Sequence[Note],
    *,
    seeds: Sequence[int] = (0,),
    options: Options = Options(),
) -> tuple[Trained, dict[str, tuple[float, float]]]:
    """The best of several taggers, and the mean and standard deviation of their scores.

    Args:
        train, dev: annotated notes; those of `dev` decide when to stop.

    Raises:
        TrainingError: the notes hold no span.
    """
    plan = plan_of(train, options)
    with one_thread():
        return best_run([_one(plan, train, dev, seed, options) for seed in seeds])


def plan_of(notes: Sequence[Note], options: Options) -> FlairPlan:
    """The plan of a network that is to learn some notes.

    Raises:
        TrainingError: they hold no span.
    """
    words = Counter(fold_digits(text) for doc, _ in notes for text in doc.tokens.texts)
    frequent = sorted(w for w, n in words.items() if n >= options.rarest and w.isprintable())
    return FlairPlan(
        tags=bio_tags(labels_in(notes)),
        vocabulary=(*UNKNOWN, *(word for word in frequent if word not in UNKNOWN)),
        layers=options.layers,
        crf=options.crf,
        embedding=options.embedding,
        hidden=options.hidden,
    )


def _one(
    plan: FlairPlan, train: Sequence[Note], dev: Sequence[Note], seed: int, options: Options
) -> Trained:
    """One run. It ends with its best weights."""
    torch.manual_seed(seed)
    network = build(plan, dropout=options.dropout)
    allowed = tuple(map(torch.from_numpy, constraints(plan.tags)))
    crf = CrfLayer(*allowed) if plan.crf else None
    learned = [p for name, p in network.named_parameters() if not name.startswith("crf.")]
    optimizer = torch.optim.Adam([*learned, *(crf.parameters() if crf else ())], lr=options.rate)

    def learn(_epoch: int, draws: Stream) -> Iterator[float]:
        shown = (vary(*note, draws) if options.vary else note for note in train)
        for group in _batches(cut_windows(shown, plan), options.batch, draws):
            yield step(optimizer, _loss(network, crf, group), learned, 5.0)

    def tagger() -> Tagger:
        if crf:
            set_head(network, crf.start.detach() + allowed[0], crf.steps.detach() + allowed[1])
        return tagger_of(plan, network)

    _, scores = best_pass(network, learn, tagger, dev, seed, options)
    return Trained(network, plan, scores, seed)


def cut_windows(notes: Iterable[Note], plan: FlairPlan) -> Iterator[Window]:
    """The windows of some notes, as the detector cuts them; a span begins anew in the next one."""
    numbering = Numbering(plan.vocabulary)
    number = {tag: index for index, tag in enumerate(plan.tags)}
    for doc, spans in notes:
        ids = torch.tensor(numbering.ids(doc.tokens.texts))
        tags = encode(spans, doc.tokens)
        for window in plan.cut(doc):
            inside = slice(window.start, window.end)
            yield ids[inside], torch.tensor([number[tag] for tag in repair(tags[inside])])


def _batches(every: Iterable[Window], size: int, draws: Stream) -> Iterator[list[Window]]:
    """All windows in random order, the longest of each batch first."""
    order = draws.shuffled(list(every))
    for at in range(0, len(order), size):
        yield sorted(order[at : at + size], key=lambda window: -len(window[0]))


def _loss(network: Any, crf: CrfLayer | None, group: Sequence[Window]) -> Tensor:
    """Minus the mean log-likelihood of the tags, per token."""
    lengths = torch.tensor([len(ids) for ids, _ in group])
    ids = torch.nn.utils.rnn.pad_sequence([ids for ids, _ in group], True)
    tags = torch.nn.utils.rnn.pad_sequence([tags for _, tags in group], True)
    real = torch.arange(ids.shape[1]) < lengths[:, None]  # (B, T)
    return loss_of(crf, emissions(network, ids, lengths), tags, real)  # of (B, T, K)


def write_model(
    out: Path,
    trained: Trained,
    *,
    origins: Origins,
    seeds: Sequence[int],
    spread: Mapping[str, tuple[float, float]],
    options: Options,
) -> ModelCard:
    """Writes the model folder and gives its card.

    Args:
        spread: figure → mean and standard deviation over the seeds.

    Raises:
        TrainingError: the folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / PLAN).write_text(trained.plan.to_json(), encoding="utf-8")
        write_weights(out, trained.network)
        return write_card_of(
            out,
            (PLAN, WEIGHTS),
            origins,
            kind="flair",
            labels=trained.plan.labels,
            seeds=tuple(seeds),
            scores=card_scores(trained.scores, spread),
            settings={**asdict(options), "seed kept": trained.seed},
        )
    except OSError as error:
        raise TrainingError(f"cannot write the model {out}: {error.strerror}") from None
