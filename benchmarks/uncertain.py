"""What `dpdeid annotate export --most-uncertain` finds: of the direct identifiers that detection
missed, by token, the share in the lines that are worth most, beside that in as many at random.

    python benchmarks/uncertain.py [GOLD …] [--policy dp] [--half odd|even|all] [--json FILE]

GOLD is as in detection.py. Counts only: no text is shown.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from detection import Note, percent, read_gold

from dpdeid import testing
from dpdeid.annotate.chunks import units_of
from dpdeid.annotate.uncertain import expected, most
from dpdeid.annotate.units import Unit
from dpdeid.engine import Deidentifier

SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)


def missed(note: Note, units: Iterable[Unit], engine: Deidentifier) -> dict[str, int]:
    """Of each unit the tokens of direct identifiers in it that no span touches."""
    doc, gold = note
    found = engine.detect(doc).spans
    left = [
        start
        for (start, end), text in zip(doc.tokens, doc.tokens.texts, strict=True)
        if any(map(str.isalnum, text))
        and any(s.label.is_direct and s.start < end and start < s.end for s in gold)
        and not any(s.start < end and start < s.end for s in found)
    ]
    return {u.id: sum(u.start <= at < u.start + len(u.text) for at in left) for u in units}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--half", choices=["odd", "even", "all"], default="all")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    notes = [note for path in args.gold for note in read_gold(path)] or testing.notes()
    notes = {"odd": notes[1::2], "even": notes[::2], "all": notes}[args.half]
    engine = Deidentifier(args.policy)
    units: list[Unit] = []
    documents, holds = {}, dict[str, int]()
    for number, (doc, gold) in enumerate(notes):  # two files may have one id
        own = replace(doc, id=f"{number} {doc.id}", known={})
        documents[own.id] = own
        lines = list(units_of(own))
        units += lines
        holds |= missed((own, gold), lines, engine)
    worth = expected(units, documents, engine.detect)
    total = sum(holds.values())
    print(f"{len(notes)} notes, {len(units)} lines, {total} tokens missed")
    print("| lines | missed tokens in them |\n|---|---|")
    shares = {}
    for share in SHARES:
        chosen = most(units, worth, share)
        shares[str(share)] = sum(holds[unit.id] for unit in chosen) / max(total, 1)
        print(f"| {100 * share:g} % | {percent(shares[str(share)])} |")
    told = {"notes": len(notes), "lines": len(units), "missed": total, "shares": shares}
    if args.json:
        args.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
