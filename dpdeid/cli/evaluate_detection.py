"""`dpdeid evaluate detection`: found spans against gold ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dpdeid.cli.evaluate_tables import show
from dpdeid.document import Document
from dpdeid.errors import AnnotationError
from dpdeid.evaluate.as_json import as_json
from dpdeid.evaluate.detection import LABELS
from dpdeid.evaluate.evaluation import GoldNote, Run, evaluate
from dpdeid.formats.annotations import Annotations, read_annotations
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.crosswalks import CLASSES, COARSE, read_labels
from dpdeid.formats.write import write_json


def detection(
    gold: Path,
    predicted: Sequence[Path],
    *,
    against: Sequence[Path] = (),
    form: str | None = None,
    labels: Path | None = None,
    scheme: str | None = None,
    resamples: int = 1_000,
    seed: int = 0,
    output: Path | None = None,
) -> None:
    """Prints the figures of `predicted` against `gold` and writes them to `output`.

    Raises:
        UsageError: a file or option is refused; names the reasons and the notes.
    """
    if scheme not in (None, *CLASSES):
        raise AnnotationError(f"no such scheme: {scheme}; allowed: {', '.join(CLASSES)}")
    keep_apart((gold, *predicted, *against, labels), output)
    own = read_labels(labels) if labels else {}
    truth = read_annotations(gold, form, own=own)
    texts = {note.id: note.text or "" for note in truth.notes}
    found, others = (
        [read_annotations(path, form, own=own, texts=texts) for path in paths]
        for paths in (predicted, against)
    )
    evaluation = evaluate(
        gold_notes(truth),
        [run_of(one, texts) for one in found],
        against=[run_of(one, texts) for one in others],
        classes=CLASSES[scheme] if scheme else LABELS,
        resamples=resamples,
        seed=seed,
    )
    sources = {"gold": [truth], "predicted": found, "against": others}
    show(evaluation, remarks=_remarks(sources, scheme))
    if output is not None:
        report = {
            "scheme": scheme,
            "sources": {name: [_source(x) for x in each] for name, each in sources.items()},
            **as_json(evaluation),
        }
        write_json(output, report)


def gold_notes(truth: Annotations) -> list[GoldNote]:
    """The notes of a file with the spans that should be found."""
    return [GoldNote(Document(n.id, n.text or ""), n.spans, n.doc_type) for n in truth.notes]


def run_of(one: Annotations, texts: Mapping[str, str]) -> Run:
    """The spans of each note, in the order of the gold notes."""
    by_id = {note.id: note.spans for note in one.notes}
    return [by_id[note_id] for note_id in texts]


def _source(one: Annotations) -> dict[str, object]:
    return {
        "format": one.format,
        "label_names": one.scheme,
        "spans": sum(len(note.spans) for note in one.notes),
        "left_out": one.left_out,
    }


def _remarks(sources: dict[str, list[Annotations]], scheme: str | None) -> list[str]:
    """What was read, and what the reader of the figures should know of it."""
    remarks = []
    for name, each in sources.items():
        for one in each:
            facts = _source(one)
            remarks.append(
                f"{name}: {facts['spans']:,} spans ({one.format}, labels of {one.scheme})"
                + (f", {one.left_out:,} left out by --labels" if one.left_out else "")
            )
    used = {one.scheme for each in sources.values() for one in each}
    if scheme is None and used & COARSE and len(used) > 1:
        remarks.append(
            "One side has one label for surnames and first names: --scheme i2b2, hnfc or chuv "
            "counts them as one."
        )
    return remarks
