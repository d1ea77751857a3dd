"""Other versions of an annotated note: other identities, other cases, a few lines, doubtful rules.

A tagger that has seen a few hundred notes knows their names by heart. So in most passes each note
carries new names and towns, drawn from the lists or made up (names outside every list are what is
missed most), the same one wherever the old one stood; some notes come in small letters, in capitals
or without accents, and of some only a few lines are shown. Some are typed, printed or scanned anew
(`dpdeid.synth.noise`), then read the way every note is before a tagger sees it.

The rules were written by people who had read these notes: on new ones they miss more and err more.
A tagger that is told of their proposals as they are learns to repeat them. So it is told of fewer,
of none at times, and of some under a wrong label.

A message, a cell of a table or the lines that a cut of a long note leaves have no header and little
around a word. What stands alone there ("DDN", "Au total,") is outside most of the time, and a
tagger that never saw it alone holds it for a name: so it may be shown lines and part-lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece, join
from dpdeid.synth.noise import noisy, profiles
from dpdeid.training.corpus import Note
from dpdeid.views.plain import reading_of

_REFILLED: Final = 70
_NOISED: Final = 30
_LOWER: Final = 8
_UPPER: Final = 5
_BARE: Final = 8
_MADE_UP: Final = 12
"""Percentages: of notes with new names, typed anew, in each case, and of names no list has."""
_INITIAL: Final = 2
_CUT: Final = 15
_MOST_LINES: Final = 4
"""Percentage of notes of which a few lines are shown, and how many lines at most."""
_UNAIDED: Final = 30
_FORGOTTEN: Final = 15
_MISTAKEN: Final = 6
"""Percentages: of notes without a proposal of the rules; in the others, of proposals that are left
out, and that get the label of a rival."""
_LINE: Final = re.compile(r"[^\s](?:[^\n]*[^\s])?")
_CLAUSE: Final = re.compile(r"[.,;()\-–/]\s+(?=\S)")
"""What a part-line may begin behind; a header stays before what it names."""
_SPACE: Final = re.compile(r"\s+")
_RIVALS: Final = tuple(
    tuple(map(Label, names.split()))
    for names in (
        "LAST_NAME FIRST_NAME CITY",
        "DATE BIRTH_DATE",
        "PATIENT_ID VISIT_ID ORDER_ID OTHER_ID PROVIDER_ID PHONE",
        "CITY HOSPITAL ORGANIZATION UNIT STREET",
        "PHONE FAX",
    )
)


def vary(doc: Document, spans: Sequence[Span], draws: Stream) -> Note:
    """One version of a note, with its spans."""
    if draws.randbelow(100) < _REFILLED:
        doc, spans = refill(doc, spans, draws)
    if draws.randbelow(100) < _CUT:
        doc, spans = some_lines(doc, spans, draws)
    if draws.randbelow(100) < _NOISED:
        return noised(doc, spans, draws)
    style = draws.randbelow(100)
    if style < _LOWER:
        doc = recase(doc, str.lower)
    elif style < _LOWER + _UPPER:
        doc = recase(doc, str.upper)
    elif style < _LOWER + _UPPER + _BARE:
        doc = recase(doc, _bare)
    return doc, tuple(spans)


def noised(doc: Document, spans: Sequence[Span], draws: Stream) -> Note:
    """The note as one of the generator's profiles of noise leaves it, read as detectors read it."""
    dice = Dice(draws.randbelow(1 << 63).to_bytes(8))
    pieces, done = list[Piece](), 0
    for span in sorted(spans):
        pieces.append(Piece(doc.text[done : span.start]))
        pieces.append(Piece(doc.text[span.start : span.end], span.label, span.role))
        done = span.end
    pieces.append(Piece(doc.text[done:]))
    text, entities = join(noisy(pieces, dice.choice([*profiles()]), dice))
    reading = reading_of(text)
    kept = [Span(e.start, e.end, e.label, role=e.role) for e in entities]
    return replace(doc, text=reading.text), reading.plain_spans(kept)


def some_lines(doc: Document, spans: Sequence[Span], draws: Stream) -> Note:
    """One to four lines of a note, with what lies of its spans inside them."""
    ends = [at for at, c in enumerate(doc.text) if c == "\n"]
    first = draws.randbelow(len(ends) + 1)
    last = min(len(ends), first + draws.randbelow(_MOST_LINES))
    start = ends[first - 1] + 1 if first else 0
    return _clipped(doc, spans, start, ends[last] if last < len(ends) else len(doc.text))


def fragments(notes: Sequence[Note], draws: Stream, *, each: int) -> list[Note]:
    """`each` different stretches of lines a note, or as many lines as it has.

    Half are whole lines; the others begin at a line or clause and end behind any word. None cuts a
    span.
    """
    found: list[Note] = []
    for doc, spans in notes:
        lines = draws.shuffled([match.span() for match in _LINE.finditer(doc.text)])[:each]
        for number, (start, end) in enumerate(lines):
            if draws.randbelow(2):
                start, end = _part(doc.text, start, end, spans, draws)
            part = Document(f"{doc.id}/{number}", doc.text, doc.patient_id)
            found.append(_clipped(part, spans, start, end))
    return found


def _part(text: str, start: int, end: int, spans: Sequence[Span], draws: Stream) -> tuple[int, int]:
    clauses = (m.end() for m in _CLAUSE.finditer(text, start, end))
    first = draws.choice([start, *_outside(spans, clauses)])
    stops = (m.start() for m in _SPACE.finditer(text, first, end))
    return first, draws.choice([*_outside(spans, stops), end])


def _outside(spans: Sequence[Span], places: Iterator[int]) -> Iterator[int]:
    return (at for at in places if not any(s.start < at < s.end for s in spans))


def _clipped(doc: Document, spans: Sequence[Span], start: int, end: int) -> Note:
    kept = tuple(
        replace(span, start=max(span.start, start) - start, end=min(span.end, end) - start)
        for span in spans
        if span.start < end and start < span.end
    )
    return replace(doc, text=doc.text[start:end]), kept


def doubted(proposals: Sequence[Span], draws: Stream) -> list[Span]:
    """What a tagger is told of the rules' proposals in one version of a note."""
    if draws.randbelow(100) < _UNAIDED:
        return []
    told = []
    for span in proposals:
        chance = draws.randbelow(100)
        rivals = [label for group in _RIVALS if span.label in group for label in group]
        if chance < _FORGOTTEN:
            continue
        mistaken = rivals and chance < _FORGOTTEN + _MISTAKEN
        told.append(replace(span, label=draws.choice(rivals)) if mistaken else span)
    return told


def recase(doc: Document, change: Callable[[str], str]) -> Document:
    """The note with each character changed, where that gives one character again."""
    return replace(doc, text="".join(new if len(new := change(c)) == 1 else c for c in doc.text))


def _bare(character: str) -> str:
    return unicodedata.normalize("NFD", character)[:1]


def refill(doc: Document, spans: Sequence[Span], draws: Stream) -> Note:
    """The note with new surnames, first names and towns; initials stay. Equal names stay equal."""
    new: dict[tuple[Label, str], str] = {}
    pieces: list[str] = []
    out: list[Span] = []
    done = size = 0
    for span in sorted(spans):
        old = doc.text[span.start : span.end]
        text = old
        if span.label in _BANKS and len(old) > _INITIAL:
            key = span.label, fold(old)
            if key not in new:
                new[key] = draw_name(span.label, draws)
            name = new[key]
            text = name.upper() if old.isupper() else name.lower() if old.islower() else name
        before = doc.text[done : span.start]
        pieces += (before, text)
        size += len(before)
        out.append(replace(span, start=size, end=size + len(text)))
        size += len(text)
        done = span.end
    pieces.append(doc.text[done:])
    return replace(doc, text="".join(pieces)), tuple(out)


def draw_name(label: Label, draws: Stream) -> str:
    """A surname, first name or town: often a frequent one, often a rare one, at times made up."""
    bank = _BANKS[label]()
    if label is not Label.CITY and draws.randbelow(100) < _MADE_UP:
        head, tail = draws.choice(bank), draws.choice(bank)
        return head[: max(2, len(head) // 2)] + fold(tail)[-max(2, len(tail) // 2) :]
    frequent = draws.randbelow(2) and label is not Label.CITY
    return draws.choice(bank[:2_000]) if frequent else draws.choice(bank)


@cache
def _surnames() -> tuple[str, ...]:
    return gazetteers.surname_list() + tuple(name.title() for name in gazetteers.surnames())


@cache
def _first_names() -> tuple[str, ...]:
    both = zip(*(gazetteers.first_name_list(s) for s in (Sex.FEMALE, Sex.MALE)), strict=False)
    return tuple(name for pair in both for name in pair)


@cache
def _towns() -> tuple[str, ...]:
    return tuple(place.name for place in gazetteers.places())


_BANKS: Final[Mapping[Label, Callable[[], tuple[str, ...]]]] = {
    Label.LAST_NAME: _surnames,
    Label.FIRST_NAME: _first_names,
    Label.CITY: _towns,
}
