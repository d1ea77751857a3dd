"""What the judge of coherence finds of planted contradictions, and what it takes for one.

    python benchmarks/judging.py [--errors]

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--errors", action="store_true")
    shown = parser.parse_args().errors
    for half, files, rests in _SETS:
        notes = [note for file in files for note in read(file) if note.number % 2 in rests]
        found, asked, false = Counter[str](), Counter[str](), Counter[str]()
        for note in notes:
            findings = note.findings
            wrong = [one for one in findings if not note.touched(one)]
            false.update(one.kind.value for one in wrong)
            hit = any(one.kind.value == note.kind and note.touched(one) for one in findings)
            if note.places:
                asked[note.kind] += 1
                found[note.kind] += hit
            if shown and half != "odd notes" and (wrong or (note.places and not hit)):
                print(f"--- {note.kind} {note.number}: found {hit}\n{note.text}")
                for one in wrong:
                    pair = (note.text[slice(*place)] for place in (one.first, one.second))
                    print("   false:", one.kind.value, *map(repr, pair))
        print(
            f"{half}: {found.total()} of {asked.total()} planted found, "
            f"{false.total()} false findings in {len(notes)} notes"
        )
        for kind in asked:
            print(f"  {kind:24s}{found[kind]:3d} of {asked[kind]:2d}   false {false[kind]}")


if __name__ == "__main__":
    main()
