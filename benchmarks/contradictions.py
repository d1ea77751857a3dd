"""Contradictions that a release adds: what the judge of coherence finds after less before.

    python benchmarks/contradictions.py [GOLD …] [--policies dp aphp] [--half odd|even|all]
        [--show] [--json FILE]

GOLD is as in detection.py: marked notes, or JSON lines; without it the shipped notes. Each file is
released whole under each policy, as `dpdeid run` would, and judged (`dpdeid evaluate coherence`)
before and after: a finding is two places of a note that cannot both be true, and people write some
too. For each file and policy: findings in the originals, in the release, and what the release adds
in ten notes, by kind.
--show prints the places of what is found in released notes at even positions of a file (from 0);
notes at odd ones are counted, never shown.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from detection import Note, read_gold

from dpdeid import testing
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.coherence.facts import Finding
from dpdeid.evaluate.coherence.judge import Row, judge, rows
from dpdeid.testing import KEY

HALVES: Final = {"odd": slice(1, None, 2), "even": slice(0, None, 2), "all": slice(None)}


def released(docs: Sequence[Document], policy: str) -> list[Document]:
    """Every note as the policy releases it alone."""
    engine = Deidentifier(policy, key=KEY)
    return [Document(doc.id, engine(doc).text) for doc in docs]


def added(row: Row, notes: int) -> float:
    """What the release adds of a kind, in ten notes."""
    return 10 * (row.added or 0) / notes


def shown(docs: Sequence[Document], found: Sequence[Finding]) -> None:
    texts = {doc.id: doc.text for doc in docs}
    for one in found:
        text = texts[one.note]
        places = (repr(text[start:end]) for start, end in (one.first, one.second))
        print("   ", one.note, one.kind.value, *places)


def measured(notes: Sequence[Note], policy: str, show: bool) -> dict[str, Any]:
    originals = [doc for doc, _ in notes]
    release = released(originals, policy)
    before, after = judge(originals), judge(release)
    if show:
        shown(release, after)
    counted = rows(after, before)
    told = [row for row in counted if row.released or row.originals or row is counted[-1]]
    return {row.kind: [row.originals, row.released, added(row, len(notes))] for row in told}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policies", nargs="+", default=["dp", "aphp"])
    parser.add_argument("--half", choices=[*HALVES], default="all")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    if args.show and args.half != "even":
        parser.error("--show is for --half even")
    report: dict[str, Any] = {}
    sets = {path.stem: read_gold(path) for path in args.gold}
    if not sets:
        sets = {"shipped": list(testing.notes())[: 3 if args.tiny else None]}
    for name, read in sets.items():
        notes = read[HALVES[args.half]]
        for policy in args.policies:
            found = measured(notes, policy, args.show)
            report[f"{name} {policy}"] = {"notes": len(notes), "kinds": found}
            print(f"{name}, {policy}, {len(notes)} notes: originals, released, added in ten")
            for kind, (old, new, more) in found.items():
                print(f"  {kind:24s}{old:5d}{new:5d}{more:8.2f}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
