"""What a release makes of told histories: ages of the past, dates without a year, pregnancies, told
distances, bare days, dates in part, stays, exposures. Read from the released text alone.

    python benchmarks/told.py [--notes N] [--policies NAME …] [--families NAME …] [--each]
        [--finds N] [--again] [--tiny] [--json FILE]

Made-up notes (`made/told_histories.txt`, more than ten templates a family, each note a patient of
its own) are released by each policy and read back by `made/read_told.py`, which knows the templates
and reads dates with code of its own. Their dates, ages and clock times are found as an annotator
would find them, and beside them whatever the rules find: what is measured is what becomes of time,
not whether it is found. In every second round of the templates a note has its date from the
hospital as well. For each family and policy, of those pairs or values that could be read in the
released note:

- ages: pairs of ages of one person in the past that are turned round; merged: now equal, and three
  years or more apart, the present age among them; above the present age; off by more than two years
  and a quarter of the true age (two months and a quarter for an age in months or weeks); clash: a
  year told beside an age, less that age, is more than one from the year of the birth.
- yearless: gaps to a date without year, read forward from the date before or the heading, that are
  off by more than seven days and 60 %; turned: out of order, where both are read in one year.
- pregnancies, distances: told distances that the dates which they tie contradict: by more than
  three days (and 15 % for jours, mois, ans), and by any for "le lendemain", "la veille", "24 h";
  inexact: by more than half of their unit, by any whole day of "J3", "24 SA + 3", "5 jours".
- days: bare days that come out with a month or as no day; weekdays that are not those of their
  dates; gaps as above; habits that changed; midnight: clock times over it out of order; night: by
  their dates further apart by more than half a day.
- parts: dates printed in part, and notes without a day of their own: gaps from the middle of one
  date to that of the next that are off by more than what they print and 60 %, out of order, now the
  same year or month; ages off as above.
- stays: those whose nights are not exact, of all and of those of some nights; that leave their band
  of nights (0, 1 or 2, 3, 4, 5 and more); back: readmissions on the other side of 30 days.
- spans: exposures off by more than a quarter, ages at diagnosis by more than two years, both from
  the middle of what is printed.

Unread are notes that the reader cannot follow, redacted the values that are none any more.
--each prints the templates as well, with how they begin; --finds N released notes of each kind of
failure beside their originals; --again takes templates that were written and measured before
anything was mended for them.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from dpdeid.detect.merge.published import Union
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.protocols import Detector

sys.path.insert(0, str(Path(__file__).parent))
from made.histories import History, histories, templates
from made.read_told import MEASURES, faults

POLICIES: Final = ("dp", "aphp", "dp-strict", "hnfc-strict", "hnfc")
KEYS: Final = 5
RULES: Final = "patterns"
TIME: Final = {Label.DATE, Label.BIRTH_DATE, Label.AGE, Label.TIME, Label.DURATION}


@dataclass(frozen=True, slots=True)
class Annotated:
    """A detector that knows where fields stand, and asks rules what of all other words is
    of time.
    """

    name: ClassVar[str] = "annotated"
    notes: Mapping[str, History]
    rules: Detector

    def __call__(self, doc: Document) -> Iterator[Span]:
        note = self.notes[doc.text]
        fields = list(zip(note.template.fields, note.places, strict=True))
        own = [Span(*place, field.label) for field, place in fields if field.label]
        yield from own
        for span in self.rules(doc):
            beside = all(span.end <= one.start or one.end <= span.start for one in own)
            if beside and span.label in TIME:
                yield span


def released(policy: str, notes: Sequence[History]) -> list[str]:
    """The released text of each note; every fifth one has the same key."""
    read = load_policy(policy)
    (rules,) = (one for one in read.detectors if one.name == RULES)
    bare = read.found_by(Annotated({note.text: note for note in notes}, rules), merge=Union())
    engines = [Deidentifier(bare, key=_key(number)) for number in range(KEYS)]
    of = len({note.template.number for note in notes})
    return [engines[at % KEYS](_document(at, note, of)).text for at, note in enumerate(notes)]


def _key(number: int) -> bytes:
    return hashlib.sha256(f"told {number}".encode()).digest()


def _document(at: int, note: History, of: int) -> Document:
    printed = (note.days[field.day] for field in note.template.fields if field.kind == "date")
    day = note.days.get("note") or max(printed)
    dated = dt.date.fromordinal(day) if at // of % 2 else None
    name = f"{note.template.family}-{at}"
    return Document(name, note.text, patient_id=name, note_date=dated)


@dataclass(frozen=True, slots=True)
class Told:
    """How many values were read and how many were wrong, by measure; and failures to be shown."""

    asked: Counter[str]
    wrong: Counter[str]
    finds: Mapping[str, Sequence[tuple[str, str]]]

    def row(self) -> dict[str, Any]:
        return {
            name: {"wrong": self.wrong[name], "of": of, "share": self.wrong[name] / of}
            for name, of in self.asked.items()
        }


def measured(notes: Sequence[History], texts: Sequence[str]) -> Told:
    """What the reader says of released notes beside what is true."""
    asked, wrong = Counter[str](), Counter[str]()
    finds: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for note, text in zip(notes, texts, strict=True):
        for measure, is_wrong in faults(note, text):
            asked[measure] += 1
            wrong[measure] += is_wrong
            if is_wrong and (note.text, text) not in finds[measure]:
                finds[measure].append((note.text, text))
    return Told(asked, wrong, finds)


def _line(name: str, family: str, told: Told) -> str:
    row = told.row()
    return f"  {name:12s}" + "".join(f"{_cell(row.get(one)):>16s}" for one in MEASURES[family])


def _cell(one: Mapping[str, Any] | None) -> str:
    return f"{one['wrong']}/{one['of']} {100 * one['share']:5.1f}" if one else "–"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=int, default=500, help="of each family")
    parser.add_argument("--policies", nargs="+", default=POLICIES)
    parser.add_argument("--families", nargs="+", default=[*templates()], choices=[*templates()])
    parser.add_argument("--again", action="store_true", help="other templates")
    parser.add_argument("--each", action="store_true", help="rows of each template")
    parser.add_argument("--finds", type=int, default=0, help="failing notes of each kind")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    report: dict[str, dict[str, Any]] = defaultdict(dict)
    kept = "told_again" if args.again else "told_histories"
    for family in args.families:
        notes = list(histories(family, 26 if args.tiny else args.notes, name=kept))
        print(f"{family}, {len(notes)} notes: wrong/of, %")
        print(" " * 14 + "".join(f"{name:>16s}" for name in MEASURES[family]))
        for policy in args.policies:
            texts = released(policy, notes)
            told = measured(notes, texts)
            report[family][policy] = told.row()
            print(_line(policy, family, told), flush=True)
            for one in templates(kept)[family] if args.each else ():
                own = slice(one.number, None, len(templates(kept)[family]))
                begins = "".join(part if isinstance(part, str) else "…" for part in one.parts)[:60]
                row = _line(f"  {one.number}", family, measured(notes[own], texts[own]))
                print(row, " ", begins.replace("\n", " / "))
            for name, found in told.finds.items():
                for original, text in found[: args.finds]:
                    print(f"--- {policy}, {name}\n{original}\n>>>\n{text}\n")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
