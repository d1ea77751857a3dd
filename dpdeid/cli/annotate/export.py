"""`dpdeid annotate export`: units of notes into a folder that an annotation tool opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from dpdeid.annotate.chunks import drawn, per_type_of, units_of
from dpdeid.annotate.exchange import Design, tool_called, write
from dpdeid.annotate.preannotation import altered, check_kinds
from dpdeid.annotate.schemes import Scheme, scheme_called, suggestion
from dpdeid.annotate.uncertain import expected, most
from dpdeid.annotate.units import Unit
from dpdeid.cli.terminal import counted, progress, tell
from dpdeid.document import Document, Failure, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.sources import read_whole, source_files
from dpdeid.formats.write import keep_apart
from dpdeid.privacy.rng import Streams


class Note(NamedTuple):
    """A note of the source.

    Args:
        spans: as it is annotated, none if it is not.
    """

    document: Document
    doc_type: str
    spans: tuple[Span, ...]


def export(
    source: str,
    output: Path,
    form: str,
    scheme: str = "dpdeid",
    gold: bool = False,
    policy: str | None = None,
    retention: float = 1.0,
    perturbation: float = 0.0,
    perturb: list[str] | None = None,
    whole: bool = False,
    most_uncertain: float | None = None,
    per_type: int | None = None,
    seed: int | None = None,
) -> None:
    """Writes the folder and says what is in it.

    Raises:
        UsageError: the notes, a name or the folder is refused.
    """
    tool_called(form)
    chosen, kinds = scheme_called(scheme), check_kinds(perturb or ())
    if gold and policy is not None:
        raise UsageError("--gold and --policy both suggest: choose one")
    keep_apart((Path(source),) if gold else source_files(source), output, folder=True)
    notes = {note.document.id: note for note in _notes(source, gold)}
    lines = (unit for doc, kind, _ in notes.values() for unit in units_of(doc, kind, whole=whole))
    number = fresh_seed() if seed is None else seed
    units = drawn(lines, number)
    if not units:
        raise UsageError(f"{source}: no line that is not blank")
    if most_uncertain is not None:
        units = _riskiest(units, notes, policy or "dp", most_uncertain)
    units = per_type_of(units, per_type)
    who = "gold" if gold else policy or ""
    design = Design(form, scheme, number, who, retention, perturbation, kinds)
    if policy is not None:
        notes |= _found({unit.document: notes[unit.document] for unit in units}, policy)
    if who:
        units = [_suggested(unit, notes[unit.document], chosen, design) for unit in units]
    write(output, units, design)
    _tell(units, output, form)


def fresh_seed() -> int:
    """A seed that nobody can guess."""
    return Streams.fresh("annotate").stream("seed").randbelow(1 << 53)


def _notes(source: str, gold: bool) -> Iterator[Note]:
    if gold:
        for note in read_annotations(Path(source)).notes:
            yield Note(Document(note.id, note.text or ""), note.doc_type or "", note.spans)
        return
    for row in read_whole(source, "the notes"):
        kind = row.extra.get("doc_type")
        assert row.document is not None
        yield Note(row.document, kind if isinstance(kind, str) else "", ())


def _found(notes: Mapping[str, Note], policy: str) -> dict[str, Note]:
    """The notes with what a policy finds in them.

    Raises:
        UsageError: the policy is refused, or a note cannot be processed; has its id.
    """
    engine = Deidentifier(policy)
    found = {}
    for name, note in progress(notes.items(), "read"):
        try:
            found[name] = note._replace(spans=engine.detect(note.document).spans)
        except UsageError:
            raise
        except Exception as error:
            raise UsageError(f"note {name}: {Failure.of(name, error).error}") from None
    return found


def _riskiest(
    units: list[Unit], notes: Mapping[str, Note], policy: str, share: float
) -> list[Unit]:
    documents = {name: note.document for name, note in notes.items()}
    worth = expected(progress(units, "read"), documents, Deidentifier(policy).detect)
    chosen = most(units, worth, share)
    total, own = sum(worth.values()), sum(worth[unit.id] for unit in chosen)
    tell(
        f"{counted(len(chosen), 'unit')} of {len(units):,} hold {own:.1f} of the {total:.1f} words "
        "that detection is expected to have missed"
    )
    return chosen


def _suggested(unit: Unit, note: Note, scheme: Scheme, design: Design) -> Unit:
    marks = suggestion(unit, note.spans, note.document.text, scheme)
    return altered(replace(unit, suggested=tuple(marks)), scheme, design)


def _tell(units: list[Unit], output: Path, form: str) -> None:
    by_type = Counter(unit.doc_type or "of no type" for unit in units)
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(by_type.items()))
    notes = len({unit.document for unit in units})
    tell(f"{counted(len(units), 'unit')} of {counted(notes, 'note')} ({kinds})")
    if units[0].suggested is not None:
        marks = sum(len(unit.suggested or ()) for unit in units)
        tell(f"{counted(marks, 'mark')} suggested")
    tell(f"give annotators {output / form} alone: the manifest says whose lines they are")
