"""What the decision learns from: each word that any voice says something of, and the truth.

A note is read as it is and in other versions: other identities (`dpdeid.training.augment`),
the noise of typing, scanning and printing (`dpdeid.synth.noise`), boxes of forms ("1 2 /
0 3 / 1 9 5 8", "D U P O N T"), and as stretches of its lines. In a part of them a voice is silent,
the spans of a tagger or of rules: on new notes they miss more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from dpdeid.detect.decision.evidence import Chances, by_voice, evidence
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece
from dpdeid.synth.noise import noisy, profiles
from dpdeid.training.augment import fragments, vary
from dpdeid.training.corpus import Note
from dpdeid.views.plain import reading_of

Array = np.ndarray[Any, np.dtype[Any]]
_NOISY: Final = 50
_BOXED: Final = 15
_SCALES: Final = 15
"""Percentages: of versions with noise, with boxes, with rows of single characters that are none."""
_BOXABLE: Final = frozenset(
    (
        *(Label.LAST_NAME, Label.FIRST_NAME, Label.BIRTH_DATE, Label.DATE, Label.PHONE, Label.FAX),
        *(Label.SSN, Label.PATIENT_ID, Label.VISIT_ID, Label.ORDER_ID, Label.PROVIDER_ID),
        *(Label.OTHER_ID, Label.ZIP),
    )
)
_LINES: Final = (
    "EVA : 0 1 2 3 4 5 6 7 8 9 10", "T 2 N 0 M 0", "G 2 P 1", "G 3 P 2 A 1", "C 5 / C 6",
    "1 - 0 - 1",
    "Glasgow : Y 4 V 5 M 6", "O N S", "A B C D E", "Braden 2 3 2 3 3 2", "Norton : 4 3 3 4 2",
    "Groupe A B O", "1 / 2 / 3 / 4", "Apgar 9 / 10 / 10", "GIR 1 2 3 4 5 6", "ADL : 1 1 0 1 1 0",
    "matin 1 midi 0 soir 1", "I II III IV", "X | X | | X | X", "0 0 0 1 0 0", "X X X X",
    "N N N N N", "| 1 | 0 | 0 | 1 |",
    "O O N N O", "OD 8 / 10 P 2 OG 10 / 10 P 2", "R A S", "H T A",
)  # fmt: skip
"""Scales and scores whose single characters name nobody."""
_SILENT: Final = 15
"""Percentage of versions in which a voice is silent."""
_VOICES: Final = ("patterns", "lookup", "lookup_places", "transformer", "crf", "propagate")


class Rows(NamedTuple):
    """The words of a version of a note.

    Args:
        values: a row a word, see `dpdeid.detect.decision.evidence`, (n, F).
        some, direct: whether it is part of any identifier and of a direct one, (n,).
    """

    values: Array
    some: Array
    direct: Array


def rows(
    note: Note,
    engine: Deidentifier,
    taggers: tuple[Chances, Chances] | None = None,
    *,
    versions: int,
    parts: int,
) -> Iterator[Rows]:
    """The rows of each version of a note and of so many stretches of it.

    Args:
        engine: finds with a policy that merges nothing (`Union`).
        taggers: others than the shipped ones: those that did not learn the note.

    Raises:
        ModelError: a tagger is missing or damaged.
    """
    doc, spans = replace(note[0], known={}), tuple(note[1])
    every = [version(doc, spans, seed) for seed in range(versions)]
    every += fragments([(doc, spans)], Dice.of(0, "parts", doc.id), each=parts)
    for seed, (text, gold) in enumerate(every):
        reading = reading_of(text.text)
        one, gold = replace(text, text=reading.text), reading.plain_spans(gold)
        proposals = by_voice(engine.detect(one).proposals)
        dice = Dice.of(seed, "silent", one.id)
        if seed and dice.chance(_SILENT):
            proposals.pop(dice.choice(_VOICES), None)
        told = evidence(one, proposals, taggers)
        truths = (_tokens(one, gold, direct=direct) for direct in (False, True))
        some, only = (np.isin(told.places, [*own]) for own in truths)
        yield Rows(told.values, some, only)


def _tokens(doc: Document, gold: Sequence[Span], *, direct: bool) -> set[int]:
    return {
        at
        for span in gold
        if span.label.is_direct or not direct
        for at in doc.tokens.over(span.start, span.end)
    }


def version(doc: Document, spans: Sequence[Span], seed: int) -> Note:
    """The note as it is (seed 0), or another version of it."""
    if not seed:
        return doc, tuple(spans)
    dice = Dice.of(seed, "risk", doc.id)
    doc, spans = vary(doc, spans, dice)
    pieces = _pieces(doc.text, spans)
    if dice.chance(_NOISY):
        kinds = list(profiles())
        pieces = noisy(pieces, kinds[dice.randbelow(len(kinds))], dice)
    if dice.chance(_BOXED):
        between = dice.choice((" ", " ", "|", " | "))
        pieces = [_boxed(piece, between) if dice.chance(60) else piece for piece in pieces]
    if dice.chance(_SCALES):
        pieces.append(Piece(f"\n{dice.choice(_LINES)}\n{dice.choice(_LINES)}"))
    text, found = "", []
    for piece in pieces:
        if piece.label and piece.text:
            found.append(Span(len(text), len(text) + len(piece.text), Label(piece.label)))
        text += piece.text
    return Document(doc.id, text), tuple(found)


def _pieces(text: str, spans: Sequence[Span]) -> list[Piece]:
    pieces, done = [], 0
    for span in sorted(spans):
        pieces += [Piece(text[done : span.start]), Piece(text[span.start : span.end], span.label)]
        done = span.end
    return [*pieces, Piece(text[done:])]


def _boxed(piece: Piece, between: str) -> Piece:
    """A number or name with each character in a box of its own."""
    if piece.label not in _BOXABLE or not 3 < len(piece.text) < 20 or "\n" in piece.text:
        return piece
    return piece._replace(text=between.join(piece.text.upper().replace(" ", "")))
