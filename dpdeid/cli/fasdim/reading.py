"""`dpdeid review`: somebody reads words that detection leaves in place, and what that is worth."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

from dpdeid.cli.fasdim.review import asking, at_terminal
from dpdeid.cli.terminal import Console, counted, exit_code, progress, table, tell
from dpdeid.cohort.access_log import path_of
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.evaluate.counts import high_percent, low_percent, percent
from dpdeid.evaluate.missed import Asked, missed
from dpdeid.fasdim import extract
from dpdeid.fasdim import lists as site
from dpdeid.fasdim.reading import (
    ANSWERS,
    HELP,
    Answer,
    Answers,
    Chosen,
    Design,
    Left,
    Place,
    answered,
    corrected,
    effort,
    left,
    record,
)  # fmt: skip
from dpdeid.fasdim.review import Review
from dpdeid.fasdim.starting import Verdict
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.write import json_line, keep_apart, open_private

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
) -> int:
    """Asks of words left in place whether they identify; or says what the answers are worth, writes
    the notes with them, or prints the effort curve.

    Raises:
        UsageError: the source, the policy or the answers are refused, or there is no terminal.
    """
    engine = Deidentifier(policy)
    if curve:
        _print_effort(Path(source), engine)
        return 0
    asks = not report and export is None
    if answers is None or (asks and not at_terminal()):
        raise UsageError("a review needs a terminal, and a file for the --answers")
    keep_apart(source_files(source), answers, export)
    known = answered(answers) if asks else _answered(answers)
    notes = list(_notes(source, engine))
    known.check(note.document for note in notes)
    design = Design(
        known.design.share if share is None else share,
        known.design.sample if sample is None else sample,
        known.design.seed if seed is None else seed,
    )
    chosen = design.choose(notes)
    if gone := known.given.keys() - {place.key for note in notes for place in note.places}:
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


def _answered(path: Path) -> Answers:
    """Answers of which there must be some."""
    known = answered(path)
    if not known.given:
        raise UsageError(f"{path}: there are no answers in it")
    return known


def learn(directory: Path, answers: Path, specialty: str = "", name: str = "") -> None:
    """Takes answers on words as decisions of a folder of lists.

    Raises:
        UsageError: the lists or the answers are refused.
    """
    own, known = site.read(directory, specialty), _answered(answers)
    said = [g for g in known.given.values() if g.answer is not Answer.UNSURE]
    new = extract.learn(((g.word, g.answer.identifies) for g in said), own, name)
    decided = site.Lists.of(new.entries, starting=own.starting)
    site.write(directory, site.merged(own, [decided]))
    figures = {"decided": len(new.entries), "minutes": round(sum(known.minutes.values()), 2)}
    site.record(directory / site.LOG, "learn", **figures, name=name)
    forbidden = sum(entry.verdict is Verdict.FORBIDDEN for entry in new.entries)
    tell(
        f"{counted(len(new.entries) - forbidden, 'word')} authorised, {forbidden:,} forbidden; "
        f"{new.both:,} answered both ways and {counted(new.others, 'number')} stay open"
    )


def _print_effort(path: Path, engine: Deidentifier) -> None:
    notes = (
        (Document(note.id, note.text or ""), note.spans) for note in read_annotations(path).notes
    )
    found = effort(progress(notes, "read"), engine.detect)
    rows = (
        (f"{100 * share:g} %", f"{share * found.words:,.0f}", percent(found.at(share)))
        for share in SHARES
    )
    Console().print(table(("of all words read", "words", "notes fully redacted, %"), rows))
    tell(f"{counted(found.notes, 'note')}, {counted(found.words, 'word')}")


def _report(notes: Sequence[Left], chosen: Chosen, known: Answers, design: Design) -> None:
    """What was read, what is missed and the recall, each with whether it is measured; and what was
    found as reading went on.
    """
    riskiest, drawn = known.asked(chosen.riskiest), known.asked(chosen.drawn)
    others, taken = len(chosen.others), sum(note.taken for note in notes)
    found = missed(riskiest, drawn, others)
    unread = sum(place.risk for place in chosen.others if place.key not in known.given)
    rows = [
        ("words left in place", f"{len(chosen.riskiest) + others:,}", "measured"),
        (f"the riskiest ({100 * design.share:g} %)", _said(riskiest), "measured"),
        (f"drawn of {others:,} others", _said(drawn), "measured"),
        ("taken as direct identifiers", f"{taken:,}", "assumed right"),
    ]
    if drawn.words > drawn.open or not others:
        likely, low, high = found.recall(taken)
        recall = f"{percent(likely)} [{low_percent(low)}–{high_percent(high)}]"
        likely, low, high = found.recall(taken * (1 - _WRONG))
        wrong = f"{percent(likely)} [{low_percent(low)}–{high_percent(high)}]"
        rows += [
            ("missed", f"{found.likely:,.1f} [{found.low:,}–{found.high:,}]", "95 % interval"),
            ("recall by words, %", recall, "95 % interval"),
            ("… if 1 in 10 taken is none", wrong, "95 % interval"),
        ]
    else:
        rows += [
            ("missed", f"{found.low:,} found", "no interval: --sample N"),
            ("recall by words, %", f"at most {high_percent(found.recall(taken)[2])}", "a bound"),
        ]
    rows += [
        ("unread that identify, by risk", f"{unread:,.1f}", "hoped"),
        ("minutes of reading", f"{sum(known.minutes.values()):,.1f}", "measured"),
    ]
    console = Console()
    console.print(table(("", "these notes", "how"), rows))
    words = sum(note.words for note in notes)
    shares = [share for share in SHARES if 0 < share < design.share] + [design.share]
    console.print(
        table(
            ("of all words read", "words", "identify", "minutes"),
            _steps(chosen.riskiest, known, [(share, share * words) for share in shares]),
        )
    )


def _said(asked: Asked) -> str:
    return f"{asked.words:,}: {asked.identifying:,} identify, {asked.open:,} open"


def _steps(
    riskiest: Sequence[Place], known: Answers, shares: Iterable[tuple[float, float]]
) -> Iterator[tuple[str, ...]]:
    """What was found in the riskiest words, and in how long, by the share that was read."""
    read = list(accumulate(place.words for place in riskiest))
    for share, most in shares:
        own = riskiest[: sum(words <= most for words in read)]
        minutes = sum(known.minutes.get(place.key, 0) for place in own)
        asked = known.asked(own)
        yield f"{100 * share:g} %", f"{most:,.0f}", f"{asked.identifying:,}", f"{minutes:,.1f}"


def _export(path: Path, notes: Sequence[Left], chosen: Chosen, known: Answers) -> int:
    """Writes the notes of which nothing among the riskiest is open, with what is known of them."""
    sure = {key for key, given in known.given.items() if given.answer is not Answer.UNSURE}
    waiting = {place.key for place in chosen.riskiest} | known.given.keys()
    unclear = {note for note, *_ in waiting - sure}
    done = [note for note in notes if note.document.id not in unclear]
    with open_private(path) as file:
        for note in done:
            spans = corrected(note, known)
            entities = [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]
            doc = note.document
            file.write(json_line({"id": doc.id, "text": doc.text, "entities": entities}))
        site.record(path_of(known.path), "export", notes=len(done), left_out=len(unclear))
    tell(f"{counted(len(done), 'note')} written; {len(unclear):,} with an open word left out")
    return exit_code(len(done), 0)


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
    return f"{place}  {asked.line()}  ({risk})\n  {HELP}"
