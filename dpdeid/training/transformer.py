"""`dpdeid train transformer`: a tagger from any encoder and a corpus of annotated notes.

Fine-tuning with early stopping on held-out notes. Of several seeds the mean of their weights is
tried besides (a "model soup", Wortsman et al. 2022: they start from one base, so they can be
averaged, and it costs nothing when notes are read); the best is kept, and the mean and standard
deviation of the seeds' scores are reported. After training the scores are calibrated on the same
held-out notes, and offsets are chosen with which every label reaches a target recall there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from dpdeid.detect.tagger_files import TaggerSpec, bio_tags
from dpdeid.detect.torch_tagger import TaggerModule
from dpdeid.detect.viterbi import constraints
from dpdeid.detect.word_classes import CLASSES
from dpdeid.errors import TrainingError
from dpdeid.labels import Label
from dpdeid.training.bases import fast_tokenizer, read_encoder
from dpdeid.training.calibration import recall_offsets, temperature
from dpdeid.training.corpus import Note
from dpdeid.training.crf_layer import CrfLayer
from dpdeid.training.fitting import Options, fit, tagger_of
from dpdeid.training.scoring import best_run, figures, worth

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_COUNTED_FROM_PAD: Final = ("camembert", "roberta", "xlm-roberta")
"""Encoders whose first position has the number after the padding piece's."""


_START: Final = 0
"""The draw of the new layers: the same for all seeds, or their weights could not be averaged. A
seed draws the order of the notes, the versions they are shown in and what is dropped out."""


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


def train_transformer(
    base: str,
    train: Sequence[Note],
    dev: Sequence[Note],
    *,
    seeds: Sequence[int] = (0,),
    options: Options | None = None,
) -> tuple[Trained, dict[str, tuple[float, float]]]:
    """The best of several taggers and their mean; the mean and standard deviation of their scores.

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
    torch.manual_seed(_START)
    tokenizer = fast_tokenizer(base)
    encoder = read_encoder(base)
    spec = _spec(tags, tokenizer, encoder, options)
    module = TaggerModule(encoder, classes=spec.width, tags=len(tags))
    torch.manual_seed(seed)
    crf = None
    if options.crf:
        crf = CrfLayer(*(torch.from_numpy(array) for array in constraints(tags)))
    spec = fit(module, crf, spec, tokenizer, train, dev, seed, options)
    return _calibrated(module, spec, tokenizer, dev, (seed,), options)


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
    return _calibrated(module, spec, first.tokenizer, dev, seeds, options)


def _calibrated(
    module: TaggerModule,
    spec: TaggerSpec,
    tokenizer: Tokenizer,
    dev: Sequence[Note],
    seeds: tuple[int, ...],
    options: Options,
) -> Trained:
    spec = replace(spec, temperature=temperature(tagger_of(module, spec, tokenizer), dev))
    spec = replace(
        spec, recall=recall_offsets(tagger_of(module, spec, tokenizer), dev, target=options.recall)
    )
    scores = figures(tagger_of(module, spec, tokenizer), dev)
    return Trained(module, spec, tokenizer, scores, seeds)


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
