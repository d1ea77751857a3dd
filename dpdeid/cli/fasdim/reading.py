"""`dpdeid review`: somebody reads words that detection leaves in place, and what that is worth."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from dpdeid.cli.fasdim.review import asking, at_terminal
from dpdeid.cli.terminal import Console, counted, exit_code, progress, table, tell, worded
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.evaluate.counts import high_percent, low_percent, percent
from dpdeid.evaluate.missed import Asked
from dpdeid.fasdim.reading import use
from dpdeid.fasdim.reading.answers import ANSWERS, HELP, Answer, Answers, answered, record
from dpdeid.fasdim.reading.effort import effort
from dpdeid.fasdim.reading.places import Chosen, Design, Left, Place, left
from dpdeid.fasdim.reading.worth import Interval, steps, worth
from dpdeid.fasdim.review import Review
from dpdeid.fasdim.starting import Verdict
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.write import keep_apart, open_private, write_json

SHARES: Final = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
_WRONG: Final = 0.1
"""The share of what was taken that the report takes for wrong once."""


def review(
    source: str,
    answers: Path | None = None,
    policy: str = "dp",
    share: float | None = None,
    sample: int | None = None,
    seed: int | None = None,
    report: bool = False,
    export: Path | None = None,
    curve: bool = False,
    output: Path | None = None,
) -> int:
    """Asks of words left in place whether they identify; or says what the answers are worth, writes
    the notes with them, or prints the effort curve and writes it to `output`.

    Raises:
        UsageError: the source, the policy or the answers are refused, there is no terminal, or
            figures other than of the effort are asked for.
    """
    if output is not None and not curve:
        raise UsageError("--json goes with --effort")
    engine = Deidentifier(policy)
    if curve:
        _tell_effort(Path(source), engine, output)
        return 0
    asks = not report and export is None
    if answers is None or (asks and not at_terminal()):
        raise UsageError("a review needs a terminal, and a file for the --answers")
    keep_apart(source_files(source), answers, export)
    known = answered(answers) if asks else use.some(answered(answers))
    notes = list(_notes(source, engine))
    known.check(note.document for note in notes)
    design = known.design.but(share, sample, seed)
    chosen = design.choose(notes)
    if gone := known.unused(notes):
        tell(f"{counted(len(gone), 'answer')} on what detection takes by now: not used")
    if report:
        _report(notes, chosen, known, design)
    if export is not None:
        return _export(export, notes, chosen, known)
    if asks:
        _ask(design, chosen, known)
    return 0


def _notes(source: str, engine: Deidentifier) -> Iterator[Left]:
    for row in progress(read(source, sys.stdin.buffer), "read"):
        if row.document is None:
            tell(f"{row.error}: not read")
        else:
            yield left(row.document, engine.detect)


def learn(directory: Path, answers: Path, specialty: str = "", name: str = "") -> None:
    """Takes answers on words as decisions of a folder of lists.

    Raises:
        UsageError: the lists or the answers are refused.
    """
    new = use.learn(directory, answered(answers), specialty, name)
    forbidden = sum(entry.verdict is Verdict.FORBIDDEN for entry in new.entries)
    tell(
        f"{counted(len(new.entries) - forbidden, 'word')} authorised, {forbidden:,} forbidden; "
        f"{new.both:,} answered both ways and {counted(new.others, 'number')} stay open"
    )


def _tell_effort(path: Path, engine: Deidentifier, output: Path | None) -> None:
    keep_apart((path,), output)
    found = effort(progress(_annotated(path), "read"), engine.detect)
    steps = [(share, round(share * found.words), found.at(share)) for share in SHARES]
    rows = ((f"{100 * share:g} %", f"{words:,}", percent(done)) for share, words, done in steps)
    Console().print(table(("of all words read", "words", "notes fully redacted, %"), rows))
    tell(f"{counted(found.notes, 'note')}, {counted(found.words, 'word')}")
    if output is not None:
        names = ("share", "words", "fully_redacted")
        told = [dict(zip(names, step, strict=True)) for step in steps]
        write_json(output, {"notes": found.notes, "words": found.words, "steps": told})


def _annotated(path: Path) -> Iterator[tuple[Document, Sequence[Span]]]:
    """Annotated notes, with what the hospital knows of the patient where a row says it."""
    annotated, known = read_annotations(path), dict[str, Document]()
    if annotated.format == "jsonl":
        rows = read(str(path), sys.stdin.buffer)
        known = {row.document.id: row.document for row in rows if row.document is not None}
    for note in annotated.notes:
        yield known.get(note.id, Document(note.id, note.text or "")), note.spans


def _report(notes: Sequence[Left], chosen: Chosen, known: Answers, design: Design) -> None:
    """What was read, what is missed and the recall, each with whether it is measured; and what was
    found as reading went on.
    """
    own = worth(notes, chosen, known)
    found = own.missed
    rows = [
        ("words left in place", f"{own.left:,}", "measured"),
        (f"the riskiest ({100 * design.share:g} %)", _said(own.riskiest), "measured"),
        (f"drawn of {own.others:,} others", _said(own.drawn), "measured"),
        ("taken as direct identifiers", f"{own.taken:,}", "assumed right"),
        ("spans taken that are none", f"{own.wrong:,}", "said by readers"),
    ]
    if own.is_measured:
        rows += [
            ("missed", f"{found.likely:,.1f} [{found.low:,}–{found.high:,}]", "95 % interval"),
            ("recall by words, %", _interval(own.recall()), "95 % interval"),
            ("… if 1 in 10 taken is none", _interval(own.recall(_WRONG)), "95 % interval"),
        ]
    else:
        rows += [
            ("missed", f"{found.low:,} found", "no interval: --sample N"),
            ("recall by words, %", f"at most {high_percent(own.recall()[2])}", "a bound"),
        ]
    rows += [
        ("unread that identify, by risk", f"{own.unread:,.1f}", "hoped"),
        ("minutes of reading", f"{own.minutes:,.1f}", "measured"),
    ]
    console = Console()
    console.print(table(("", "these notes", "how"), rows))
    words = sum(note.words for note in notes)
    shares = [share for share in SHARES if 0 < share < design.share] + [design.share]
    read = (
        (f"{100 * s.share:g} %", f"{s.words:,.0f}", f"{s.identifying:,}", f"{s.minutes:,.1f}")
        for s in steps(chosen, known, words, shares)
    )
    console.print(table(("of all words read", "words", "identify", "minutes"), read))


def _said(asked: Asked) -> str:
    return f"{asked.words:,}: {asked.identifying:,} identify, {asked.open:,} open"


def _interval(of: Interval) -> str:
    likely, low, high = of
    return f"{percent(likely)} [{low_percent(low)}–{high_percent(high)}]"


def _export(path: Path, notes: Sequence[Left], chosen: Chosen, known: Answers) -> int:
    """Writes the notes of which nothing among the riskiest is open, with what is known of them."""
    with open_private(path) as file:
        lines = use.annotated(notes, chosen, known)
        file.writelines(lines)
    left_out = use.complete(notes, chosen, known)[1]
    tell(f"{counted(len(lines), 'note')} written; {left_out:,} with an open word left out")
    return exit_code(len(lines), 0)


def _ask(design: Design, chosen: Chosen, known: Answers) -> None:
    """Every answer is on the disk before the next word is asked."""
    every = (*chosen.riskiest, *chosen.drawn)
    own = tuple(place for place in every if place.key not in known.given)
    tell(
        f"{counted(len(chosen.riskiest), 'word')} among the riskiest, {len(chosen.drawn):,} drawn "
        f"of {len(chosen.others):,} others; {len(every) - len(own):,} answered already"
    )
    done: tuple[Answer, ...] = ()
    spent = before = 0.0
    start = Review(own, meanings=lambda _: ANSWERS)
    try:
        for state, spent in asking(start, _shown, lambda place: (place.context(),)):
            given = len(state.decisions)
            if given != len(done):
                answer = state.decisions[-1] if given > len(done) else None
                place = own[max(given, len(done)) - 1]
                record(known.path, ((place, answer),), spent - before, design)
                done, before = state.decisions, spent
    finally:
        tell(f"{counted(len(done), 'answer')} in {spent:.1f} minutes")


def _shown(state: Review, asked: Place) -> str:
    place = f"{len(state.decisions) + 1}/{len(state.waiting)}"
    risk = f"risk {asked.risk:.3f}" if asked.chance == 1 else "drawn"
    return f"{place}  {asked.line()}  ({worded(risk)})\n  {worded(HELP)}"
