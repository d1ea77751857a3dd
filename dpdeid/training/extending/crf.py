"""A CRF that goes on from the one that ships, or from another, with the notes of a site."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from dpdeid.detect.taggers.card import ModelCard, Source
from dpdeid.detect.taggers.crf import Calibration, Crf, Tagger, loaded
from dpdeid.detect.taggers.inputs import inputs
from dpdeid.training.bases import Origins
from dpdeid.training.corpus import Note
from dpdeid.training.crf import chains, write_model
from dpdeid.training.extending.chain import moved, with_tags
from dpdeid.training.extending.crf_weights import read_weights, write_weights
from dpdeid.training.extending.gain import Find, Gain, learned, lineage, within
from dpdeid.training.extending.replay import fictitious


@dataclass(frozen=True, slots=True)
class Options:
    """How a CRF is extended.

    Args:
        pull: of each weight to where it began, > 0: the more, the less is learned and forgotten.
        steps: of Adam, over all notes at once.
        replayed: fictitious notes that are learned among those of the site.
        forgotten: see `dpdeid.training.crf.Options`.
    """

    pull: float = 30.0
    steps: int = 30
    replayed: int = 60
    forgotten: int = 15


def extend_crf(
    model: str,
    notes: Sequence[Note],
    out: Path,
    *,
    dev: Sequence[Note] = (),
    parts: int = 3,
    data: Sequence[Source] = (),
    identified: bool = True,
    options: Options = Options(),
) -> tuple[ModelCard, Gain]:
    """Extends a model into the file `out`, and gives its card and what was gained.

    Args:
        model: as a policy names it.
        dev: measures; without it, models of the rest do on each of so many `parts` of the notes.
        data, identified: for the card, beside what that of the model says.

    Raises:
        ModelError: the model is missing or damaged.
        TrainingError: notes have a label that the model does not know, nothing can be measured, or
            the file cannot be written.
    """
    start = loaded(model)
    labels, weights = start.card.labels, read_weights(start.data)
    told = within(notes, labels, model)
    old = list(fictitious(options.replayed, seed=0, labels=labels)) if options.replayed else []

    def learn(some: Sequence[Note]) -> Tagger:
        shown = list(chains([*some, *old], options.forgotten))
        tags = {tag for _, row in shown for tag in row}
        after = moved(with_tags(weights, tags), shown, pull=options.pull, steps=options.steps)
        data = write_weights(after)
        return Tagger(data, _card(start.card, out, data, options), out.name)

    tagger, gain = learned(learn, _finder, start, told, dev, parts=parts, labels=labels)
    made = Source("dpdeid synth, seed 0", "made by dpdeid synth", len(old))
    origins = Origins(start.card.data, start.card.trained_on_identified)
    origins += Origins((*data, *([made] if old else [])), identified)
    card = replace(
        tagger.card,
        data=origins.data,
        trained_on_identified=origins.trained_on_identified,
        scores=gain.on_card(),
        inputs=inputs("crf"),
    )
    write_model(out, tagger.data, card)
    return card, gain


def _finder(tagger: Tagger) -> Find:
    return partial(tagger.spans, outside=float(Crf().outside))


def _card(start: ModelCard, out: Path, model: bytes, options: Options) -> ModelCard:
    """A card with the calibration of the start, whose name and digest it has."""
    return replace(
        start,
        name=out.name.partition(".")[0],
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        seeds=(),
        settings={
            **asdict(options),
            **lineage(start),
            **Calibration.of_settings(start.settings).settings(),
        },
        files={out.name: sha256(model).hexdigest()},
    )
