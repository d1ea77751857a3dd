"""Simulated annotators: how right gold by vote is, and what weights add.

    python benchmarks/agreement.py [NOTES.txt …] [--synth N] [--units N] [--seeds N] [--json FILE]

Annotators are dice over lines of annotated notes: one of quality q leaves each mark as it is with
chance q; else they miss it, move an end by up to six characters, or take another category, alike
often, and in every tenth line, with chance 1 - q, they mark a word that is none. Everything is
**simulated**: errors of people are not independent, and theirs of one kind come together. With
--synth the notes are so many made-up ones, without any the shipped ones.

- gold: F1 of the majority's marks with five of .90, and of majority and weighted votes for three
  teams of unequal quality, over seeds.
- contest: fifteen annotators of .84 to .98, each line by one to eight of them: mean gamma, with and
  without empty lines, mean quality index, and what is undecided.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from dpdeid import testing
from dpdeid.annotate.agreement.reference import references, votes_of, weights_of
from dpdeid.annotate.agreement.report import report
from dpdeid.annotate.units import Answer, Marked, Unit
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.synth import corpus
from dpdeid.synth.dice import Dice
from dpdeid.training.corpus import Note, read_corpus

FIVE: Final = dict.fromkeys("abcde", 0.9)
TEAMS: Final[Mapping[str, Mapping[str, float]]] = {
    "one weak of five": {**FIVE, "e": 0.60},
    "two weak of five": {**FIVE, "d": 0.65, "e": 0.60},
    "two good of five": {"a": 0.98, "b": 0.96, "c": 0.70, "d": 0.70, "e": 0.70},
}
CONTEST: Final = {f"p{at:02d}": 0.84 + 0.01 * at for at in range(15)}
_FAR = 6


def made_up(count: int) -> Iterator[Note]:
    """Notes of `dpdeid synth` with their spans."""
    for row in corpus.notes(count, seed=0):
        spans = tuple(Span(e["start"], e["end"], Label(e["label"])) for e in row["entities"])
        yield Document(row["id"], row["text"]), spans


def lines(notes: Iterable[Note]) -> list[tuple[Unit, tuple[Marked, ...]]]:
    """The lines of notes with the marks that lie in one line."""
    found = []
    for number, (doc, spans) in enumerate(notes):
        at = 0
        for row, text in enumerate(doc.text.splitlines(keepends=True)):
            line, start = text.rstrip(), at
            at += len(text)
            marks = tuple(
                Marked(s.start - start, s.end - start, s.label.value)
                for s in sorted(spans)
                if start <= s.start and s.end <= start + len(line)
            )
            if line.strip():
                found.append((Unit(f"{number}#{row}", str(number), "", start, line), marks))
    return found


def erred(mark: Marked, text: str, categories: Sequence[str], dice: Dice) -> Marked | None:
    """A mark gone wrong."""
    way = dice.randbelow(3)
    if way == 0:
        return None
    if way == 1:
        end = min(len(text), mark.end + dice.between(1, _FAR))
        shorter = Marked(mark.start, max(mark.start + 1, mark.end - dice.between(1, _FAR)), mark[2])
        return Marked(mark.start, end, mark.category) if end > mark.end else shorter
    return mark._replace(category=dice.choice([c for c in categories if c != mark.category]))


def marked(
    unit: Unit, gold: Sequence[Marked], quality: float, categories: Sequence[str], dice: Dice
) -> tuple[Marked, ...]:
    """What somebody of that quality marks in a line."""
    found = set()
    for mark in gold:
        right = dice.chance(round(100 * quality))
        kept = mark if right else erred(mark, unit.text, categories, dice)
        found |= {kept} if kept else set()
    words = unit.text.split()
    if words and dice.chance(round(10 * (1 - quality) * 10)) and dice.chance(10):
        word = dice.choice(words)
        start = unit.text.index(word)
        found.add(Marked(start, start + len(word), dice.choice(categories)))
    return tuple(sorted(found))


Lines = Sequence[tuple[Unit, tuple[Marked, ...]]]
Who = Callable[[Dice], Mapping[str, float]]


def annotated(units: Lines, who: Who, seed: int) -> list[Answer]:
    """What the annotators that `who` draws for each line mark in it."""
    categories = sorted({mark.category for _, gold in units for mark in gold})
    answers = []
    for unit, gold in units:
        dice = Dice.of(seed, "annotators", unit.id)
        for name, quality in who(dice).items():
            answers.append(Answer(unit, name, marked=marked(unit, gold, quality, categories, dice)))
    return answers


def f1(found: Mapping[str, Sequence[Marked]], units: Lines) -> float:
    """Of exact marks with their categories."""
    right = sum(len({*found.get(unit.id, ())} & {*gold}) for unit, gold in units)
    said = sum(len(marks) for marks in found.values())
    return 2 * right / (said + sum(len(gold) for _, gold in units))


def voted_f1(units: Lines, team: Mapping[str, float], seed: int) -> tuple[float, float]:
    """Majority and weighted votes of a team on the same answers."""
    voted = votes_of(annotated(units, lambda _: team, seed), samples=0)
    plain = {one.unit.id: one.gold for one in references(voted)}
    weighed = {one.unit.id: one.gold for one in references(voted, weights_of(voted))}
    return f1(plain, units), f1(weighed, units)


def contest(units: Lines, seed: int) -> dict[str, Any]:
    """Fifteen annotators, one to eight a line."""

    def some(dice: Dice) -> Mapping[str, float]:
        return {name: CONTEST[name] for name in dice.shuffled([*CONTEST])[: dice.between(1, 8)]}

    answers = annotated(units, some, seed)
    found = report(answers, votes_of(answers, samples=10, seed=seed))
    return {
        "gamma": found.gamma,
        "gamma with empty": found.gamma_with_empty,
        "index": found.index,
        "undecided": found.undecided / max(1, found.decided + found.undecided),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("notes", nargs="*", type=Path)
    parser.add_argument("--synth", type=int, default=0, metavar="N", help="made-up notes")
    parser.add_argument("--units", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    if args.tiny:
        args.units, args.seeds = 12, 2
    notes = read_corpus(args.notes) if args.notes else []
    notes = [*notes, *made_up(args.synth)] or list(testing.notes())
    units = Dice.of(0, "lines").shuffled(lines(notes))[: args.units]
    print(f"{len(units)} lines, {sum(len(gold) for _, gold in units)} marks; simulated")
    told: dict[str, Any] = {"gold": {}}
    for name, team in {"five of .90": FIVE, **TEAMS}.items():
        pairs = [voted_f1(units, team, seed) for seed in range(args.seeds)]
        told["gold"][name] = {
            "majority": fmean(one for one, _ in pairs),
            "weighted": fmean(other for _, other in pairs),
            "lowest": min(one for one, _ in pairs),
        }
        print(name, *(f"{way} {100 * value:.2f}" for way, value in told["gold"][name].items()))
    told["contest"] = contest(units, 0)
    print("contest", *(f"{k} {v:.3f}" for k, v in told["contest"].items() if v is not None))
    if args.json:
        args.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
