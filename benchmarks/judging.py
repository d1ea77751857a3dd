"""What the judge of coherence finds of planted contradictions, and what it takes for one.

    python benchmarks/judging.py [--errors] [--json REPORT]

`coherence/planted.txt` has ten notes of each kind with one contradiction, its two places marked
`«kind:text»`; `coherence/coherent.txt` has notes without any. Their author had not seen the judge.
So is a second set, of two other authors (`planted_2.txt`, `coherent_2.txt`); all of it was read
after 105 of its 210 were found and 34 findings in its 310 notes were false.
A contradiction is found where a finding of its kind lies on one of its marks; a finding of another
kind may name the same fact. Any finding that lies on no mark is false. --errors shows those of the
second set and of the notes at even positions of the first (from 0); its odd ones are scored only.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpdeid.document import Document
from dpdeid.evaluate.coherence.facts import Finding
from dpdeid.evaluate.coherence.judge import judge

FOLDER: Final = Path(__file__).parent / "coherence"
_HEAD: Final = re.compile(r"(?m)^===== (\w+)\n")
_MARK: Final = re.compile("«[a-z_]+:([^»]*)»")


_FIRST: Final = ("planted.txt", "coherent.txt")
_SETS: Final = (
    ("even notes", _FIRST, (0,)),
    ("odd notes", _FIRST, (1,)),
    ("second set (read)", ("planted_2.txt", "coherent_2.txt"), (0, 1)),
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A note, its kind of contradiction ("coherent" for none) and the marked places."""

    number: int
    kind: str
    text: str
    places: tuple[tuple[int, int], ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return judge([Document(f"n{self.number}", self.text)])

    def touched(self, one: Finding) -> bool:
        return any(a < d and c < b for a, b in self.places for c, d in (one.first, one.second))


def read(name: str) -> Iterator[Planted]:
    """The notes of a file of `coherence`."""
    parts = _HEAD.split((FOLDER / name).read_text(encoding="utf-8"))
    for number, (kind, marked) in enumerate(zip(parts[1::2], parts[2::2], strict=True)):
        text, places, done = "", list[tuple[int, int]](), 0
        for found in _MARK.finditer(marked):
            text += marked[done : found.start()]
            places.append((len(text), len(text) + len(found[1])))
            text += found[1]
            done = found.end()
        yield Planted(number, kind, text + marked[done:].rstrip("\n"), tuple(places))


@dataclass(frozen=True, slots=True)
class Score:
    """What was found of a set, by kind."""

    notes: int
    asked: Counter[str]
    found: Counter[str]
    false: Counter[str]


def score(notes: list[Planted], shown: bool) -> Score:
    """The score of notes; shown: whether those with an error are printed."""
    found, asked, false = Counter[str](), Counter[str](), Counter[str]()
    for note in notes:
        findings = note.findings
        wrong = [one for one in findings if not note.touched(one)]
        false.update(one.kind.value for one in wrong)
        hit = any(one.kind.value == note.kind and note.touched(one) for one in findings)
        if note.places:
            asked[note.kind] += 1
            found[note.kind] += hit
        if shown and (wrong or (note.places and not hit)):
            print(f"--- {note.kind} {note.number}: found {hit}\n{note.text}")
            for one in wrong:
                pair = (note.text[slice(*place)] for place in (one.first, one.second))
                print("   false:", one.kind.value, *map(repr, pair))
    return Score(len(notes), asked, found, false)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--tiny", action="store_true", help="ten notes of each set")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    report: dict[str, dict[str, int]] = {}
    for half, files, rests in _SETS:
        notes = [note for file in files for note in read(file) if note.number % 2 in rests]
        one = score(notes[: 10 if args.tiny else None], args.errors and half != "odd notes")
        print(
            f"{half}: {one.found.total()} of {one.asked.total()} planted found, "
            f"{one.false.total()} false findings in {one.notes} notes"
        )
        for kind, asked in one.asked.items():
            print(f"  {kind:24s}{one.found[kind]:3d} of {asked:2d}   false {one.false[kind]}")
        counts = {"planted": one.asked.total(), "found": one.found.total()}
        report[half] = {**counts, "false": one.false.total(), "notes": one.notes}
    if args.json:
        args.json.write_text(json.dumps(report), encoding="utf-8")


if __name__ == "__main__":
    main()
