"""Trains the CRF tagger: L-BFGS over the features of `dpdeid.detect.taggers.features`.

All that is drawn is which proposals of the rules are left out, and from one fixed stream: the same
notes in the same order give the same model. L1 drops most features, which keeps the file small.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from dpdeid.detect.taggers.card import ModelCard, Source, write_card
from dpdeid.detect.taggers.crf import Crf, Tagger, crfsuite, windows
from dpdeid.detect.taggers.features import Extractor, Features
from dpdeid.detect.taggers.inputs import inputs, rule_spans
from dpdeid.errors import TrainingError
from dpdeid.evaluate.detection import Scores, score
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.spans import OUTSIDE, disjoint, encode
from dpdeid.training.calibration import calibrate
from dpdeid.training.corpus import Note, parted, patient_of

CLOSED: Final = frozenset(
    map(Label, ["DURATION", "KINSHIP", "MARITAL_STATUS", "NATIONALITY", "EMAIL", "URL", "IP"])
)
"""Labels that are not learned: closed lists and fixed forms, which the rules find. The time of
training and tagging grows with the square of the number of tags."""

TOUCHING: Final = frozenset(
    (
        *(Label.LAST_NAME, Label.FIRST_NAME, Label.STREET, Label.CITY, Label.HOSPITAL),
        *(Label.ORGANIZATION, Label.DATE, Label.BIRTH_DATE, Label.PHONE),
    )
)
"""Labels with a tag of its own for the first token. Spans of the others never touch one of their
label, so one tag is enough."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a CRF is trained.

    Args:
        c1, c2: weights of the L1 and L2 penalties, >= 0.
        rarest: a feature that is seen less often is left out.
        iterations: most steps of L-BFGS.
        forgotten: percentage of the rules' proposals that training leaves out: on new notes they
            miss more.
    """

    c1: float = 0.2
    c2: float = 0.02
    rarest: int = 2
    iterations: int = 100
    forgotten: int = 15


def train_crf(
    notes: Sequence[Note],
    out: Path,
    *,
    options: Options = Options(),
    held: Sequence[Note] = (),
    recall: float = 0.99,
    dev: Sequence[Note] = (),
    data: Sequence[Source] = (),
    seeds: Sequence[int] = (),
    identified: bool = True,
) -> ModelCard:
    """Trains a model into the file `out`, writes its card beside it, and gives the card.

    Args:
        notes: with disjoint spans.
        held: notes that share nothing with `notes`, to calibrate the model on.
        recall: target of the chances for `recall_first`, in (0, 1).
        dev: scored with the finished model, for the card.
        data, seeds, identified: for the card; training itself draws nothing.

    Raises:
        TrainingError: there is no span to learn from, or the file cannot be written.
        ModelError: python-crfsuite is not installed.
    """
    tagger, model = fit(notes, options, name=out.name)
    if held:
        tagger = tagger.with_calibration(calibrate(tagger, held, target=recall))
    card = replace(
        tagger.card,
        data=tuple(data),
        seeds=tuple(seeds),
        trained_on_identified=identified,
        scores=evaluate(tagger, dev) if dev else {},
        inputs=inputs(tagger.card.kind),
    )
    write_model(out, model, card)
    return card


def write_model(out: Path, model: bytes, card: ModelCard) -> None:
    """Writes a model file with its card beside it.

    Raises:
        TrainingError: the file cannot be written.
        ModelError: the card cannot.
    """
    try:
        out.write_bytes(model)
    except OSError as error:
        raise TrainingError(f"cannot write the model {out}: {error.strerror}") from None
    write_card(out, card)


def fit(notes: Sequence[Note], options: Options, *, name: str) -> tuple[Tagger, bytes]:
    """A trained tagger and the bytes of its file, to be called `name`.

    Raises:
        TrainingError: there is no span to learn from.
        ModelError: python-crfsuite is not installed.
    """
    seen = {span.label for _, spans in notes for span in spans} - CLOSED
    labels = tuple(label for label in Label if label in seen)
    if not labels:
        raise TrainingError("there is no span to learn from: the notes have no entities")
    trainer = crfsuite().Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": options.c1,
            "c2": options.c2,
            "feature.minfreq": options.rarest,
            "max_iterations": options.iterations,
        }
    )
    for items, tags in chains(notes, options.forgotten):
        trainer.append(items, tags)
    with tempfile.TemporaryDirectory() as folder:  # CRFsuite writes to a name
        path = Path(folder) / "model"
        trainer.train(str(path))
        model = path.read_bytes()
    card = ModelCard(
        name=name.partition(".")[0],
        kind="crf",
        labels=labels,
        data=(),
        trained_on_identified=True,
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        settings=asdict(options),
        files={name: sha256(model).hexdigest()},
    )
    return Tagger(model, card, name), model


def chains(notes: Sequence[Note], forgotten: int) -> Iterator[tuple[list[Features], list[str]]]:
    """The features and the tags of the tokens of each stretch that is one sequence.

    Args:
        forgotten: see `Options`.
    """
    extract, draws = Extractor(), Stream(b"forgotten")
    for doc, spans in notes:
        proposals = disjoint(rule_spans(doc))
        items = extract(doc, [s for s in proposals if draws.randbelow(100) >= forgotten])
        tags = _fewer(encode((s for s in spans if s.label not in CLOSED), doc.tokens))
        for start, stop in windows(doc.tokens, doc.text):
            yield items[start:stop], tags[start:stop]


def _fewer(tags: Sequence[str]) -> list[str]:
    return [tag if tag == OUTSIDE or tag[2:] in TOUCHING else f"I-{tag[2:]}" for tag in tags]


def evaluate(tagger: Tagger, notes: Sequence[Note]) -> dict[str, float]:
    """What the tagger alone scores of direct and quasi-identifiers; no ratio over nothing."""
    outside = float(Crf().outside)
    total = Scores()
    for doc, gold in notes:
        total += score(doc, gold, tagger.spans(doc, outside))
    figures = {}
    for name, leak, direct in (("direct", total.direct, True), ("quasi", total.quasi, False)):
        tokens = total.micro(total.token, [x for x in Label if x.is_direct is direct])
        figures[f"{name}/redacted"] = leak.redacted
        figures[f"{name}/fully redacted"] = leak.fully_redacted
        figures[f"{name}/token precision"] = tokens.precision
        figures[f"{name}/token recall"] = tokens.recall
    return {name: round(value, 4) for name, value in figures.items() if value == value}


def cross_validate(
    notes: Sequence[Note], count: int, options: Options
) -> Iterator[dict[str, float]]:
    """The figures of each of `count` parts of the notes, under a model of the other parts.

    Raises:
        TrainingError: see `folds`.
    """
    for rest, held in folds(notes, count):
        yield evaluate(fit(rest, options, name="fold")[0], held)


def folds(notes: Sequence[Note], count: int) -> Iterator[tuple[list[Note], list[Note]]]:
    """(rest, held out) for each of `count` parts of the notes; those of a patient stay together.

    Raises:
        TrainingError: fewer than two parts, or fewer patients than parts.
    """
    patients = sorted({patient_of(doc) for doc, _ in notes})
    if not 2 <= count <= len(patients):
        raise TrainingError(f"notes of {len(patients)} patients cannot be parted in {count}")
    order = Stream(b"folds").shuffled(patients)
    yield from (parted(notes, order[part::count]) for part in range(count))
