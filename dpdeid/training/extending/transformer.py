"""A transformer tagger that goes on from the one that ships, or from another, with a site's notes.

A few passes at a small rate. Among the notes of the site, in a new version each pass, stand
fictitious ones: without them the network would forget what those notes do not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import torch

from dpdeid.detect.taggers.card import ModelCard, Source, checked_card
from dpdeid.detect.taggers.transformer import find_folder, read_spec, read_tokenizer
from dpdeid.privacy.rng import Stream
from dpdeid.training.bases import Origins
from dpdeid.training.corpus import Note
from dpdeid.training.export import write_model
from dpdeid.training.extending.gain import Gain, learned, lineage, within
from dpdeid.training.extending.onnx_weights import read_module
from dpdeid.training.extending.replay import fictitious
from dpdeid.training.fitting import step
from dpdeid.training.transformer import Trained, batch_loss, batches, shown

_WARM: Final = 0.05
"""Share of the steps in which the rate rises."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a tagger is extended.

    Args:
        epochs: passes over the notes.
        rate: highest learning rate, of all weights.
        replayed: fictitious notes that are shown among them, the same in each pass.
        batch: windows in a step.
        vary: whether notes are shown in other versions (see `dpdeid.training.augment`).
    """

    epochs: int = 6
    rate: float = 2e-4
    replayed: int = 30
    batch: int = 8
    vary: bool = True
    threads: int = 1
    bf16: bool = False


def extend_transformer(
    model: str,
    notes: Sequence[Note],
    out: Path,
    *,
    dev: Sequence[Note] = (),
    parts: int = 3,
    data: Origins,
    options: Options = Options(),
    keep_torch: bool = False,
) -> tuple[ModelCard, Gain]:
    """Extends a model into the folder `out`, and gives its card and what was gained.

    Args:
        model: as a policy names it.
        dev: measures; without it, models of the rest do on each of so many `parts` of the notes.
        data: what the notes are, beside what the card of the model says.

    Raises:
        ModelError: the model is missing or damaged.
        TrainingError: its weights cannot be read back, notes have a label that it does not know, or
            nothing can be measured.
    """
    torch.set_num_threads(options.threads)
    folder = find_folder(model)
    card, spec = checked_card(folder), read_spec(folder)
    start = Trained(read_module(folder, spec), spec, read_tokenizer(folder), {}, (0,))
    told = within(notes, spec.labels, model)
    trained, gain = learned(
        lambda some: extended(start, some, options),
        lambda run: run.tagger.tag,
        start,
        told,
        dev,
        parts=parts,
        labels=spec.labels,
    )
    made = Source("dpdeid synth, seed 0", "made by dpdeid synth", options.replayed)
    written = write_model(
        out,
        trained,
        told,
        origins=Origins(card.data, card.trained_on_identified)
        + data
        + Origins((made,) if options.replayed else ()),
        seeds=(0,),
        spread={},
        settings={**asdict(options), **lineage(card)},
        gained=gain.on_card(),
        keep_torch=keep_torch,
    )
    return written, gain


def extended(start: Trained, notes: Sequence[Note], options: Options) -> Trained:
    """The tagger after some passes over notes; the one it starts from stays as it is."""
    module = deepcopy(start.module).train()
    spec, tokenizer = start.spec, start.tokenizer
    torch.manual_seed(0)
    optimizer = torch.optim.AdamW(module.parameters(), lr=options.rate, weight_decay=0.0)
    pad = module.encoder.config.pad_token_id or 0
    old = list(fictitious(options.replayed, 0, spec.labels)) if options.replayed else []
    again = list(shown(old, spec, tokenizer, Stream(b"extend, again"), vary_notes=False))
    for epoch in range(options.epochs):
        draws = Stream(f"extend {epoch}".encode())
        every = [*shown(notes, spec, tokenizer, draws, vary_notes=options.vary), *again]
        count = -(-len(every) // options.batch)
        for at, batch in enumerate(batches(every, options.batch, draws, pad=pad)):
            done = (epoch + (at + 1) / count) / options.epochs
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(done / _WARM, (1 - done) / (1 - _WARM))
            loss = batch_loss(module, None, batch, bf16=options.bf16)
            step(optimizer, loss, module.parameters(), 1.0)
    return Trained(module.eval(), spec, tokenizer, {}, start.seeds)
