"""Words outside gold spans that a policy changes, by kind of medicine, messy and tidy notes apart.

    python benchmarks/changed_medicine.py [GOLD …] [--policies dp aphp rules] [--finds]
        [--json FILE]

GOLD is as in detection.py; without one the shipped fictitious notes are released. Each note is
released on its own; `rules` is `dp` with the detectors that are not trained. Changes are told by
the replaced spans; beside them stands how many the two texts alone give. A note is messy if its set
is (`notes_3.txt`), tidy if its set is (`notes_4.txt`, `gold_dev_real`), and told by its type of
document otherwise: transmissions, messages, dictations, scans, exports, forms are messy.
--finds shows every find in the notes at even positions; the odd ones are counted, never looked at.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from detection import Note, policy_of, read_gold

from dpdeid import testing
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.medicine.changes import NoteChanges, compare_note
from dpdeid.evaluate.medicine.figures import SUMS, figures
from dpdeid.testing import KEY

STYLES: Final = {"notes_3.txt": "messy", "notes_4.txt": "tidy", "gold_dev_real": "tidy"}
"""Files and folders whose notes are all of one style."""
MESSY: Final = re.compile(
    r"transmission|messag|mail|courriel|sms|dict|ocr|scan|pdf|sommaire|biologie|labo|urgence|garde"
    r"|fiche|r[ée]gulation|smur|\bnote|_note|note_|t[ée]l[ée]|relev[ée]|listing|formulaire|staff"
    r"|ordonnance|appel|anesth|had\b|hl7|csv",
    re.IGNORECASE,
)
"""In the type of a document: hurried, dictated, scanned or exported."""
_HEAD: Final = re.compile(r"(?m)^=====\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Source:
    """Gold notes of one file.

    Args:
        styles: "messy" or "tidy", by note.
    """

    name: str
    notes: Sequence[Note]
    styles: Sequence[str]


def source(path: Path) -> Source:
    """The notes of a file, with their styles."""
    names = (path.name, path.resolve().parent.name)
    fixed = next((STYLES[name] for name in names if name in STYLES), None)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".txt":
        types = _HEAD.findall(text)
    else:
        types = [json.loads(line).get("doc_type") or "" for line in text.splitlines()]
    styles = [fixed or ("messy" if MESSY.search(kind) else "tidy") for kind in types]
    return Source(names[0] if path.suffix == ".txt" else names[1], read_gold(path), styles)


@dataclass(frozen=True, slots=True)
class Released:
    """What one policy changed: by the replaced spans, and how many words by the texts alone."""

    exact: Sequence[NoteChanges]
    by_texts: int


def released(engine: Deidentifier, notes: Sequence[Note]) -> Released:
    exact, by_texts = [], 0
    for doc, gold in notes:
        result = engine(doc)
        exact.append(compare_note(doc, result.text, gold, result.spans))
        by_texts += len(compare_note(doc, result.text, gold).changed)
    return Released(exact, by_texts)


def table(by_style: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Words and rates by kind, a group of columns for each style."""
    heads = (f"{s} ({f['notes']} notes, {f['words']:,} words)" for s, f in by_style.items())
    yield " " * 14 + "".join(f"{head:>44s}" for head in heads)
    yield f"{'kind':14s}" + "".join(
        f"{'words':>9s}{'silent':>8s}{'/10,000':>9s}{'95 %':>13s}{'notes':>5s}" for _ in by_style
    )
    kinds = next(iter(by_style.values()))["kinds"]
    for name in (*kinds, *SUMS):
        rows = [f[name] if name in SUMS else f["kinds"][name] for f in by_style.values()]
        if name in SUMS or any(row["words"] for row in rows):
            yield f"{name:14s}" + "".join(map(_cells, rows))


def _cells(row: dict[str, Any]) -> str:
    ends = row["interval"]
    shown = "–" if ends is None else f"{ends[0]:.1f}–{ends[1]:.1f}"
    rate = "–" if row["per_10k"] is None else f"{row['per_10k']:.1f}"
    return f"{row['words']:9d}{row['silent']:8d}{rate:>9s}{shown:>13s}{row['notes']:5d}"


def finds(one: Source, changes: Sequence[NoteChanges]) -> Iterator[str]:
    """Every find in the notes at even positions."""
    for at in range(0, len(one.notes), 2):
        text = one.notes[at][0].text
        for change in changes[at].changed:
            left, right = text[max(0, change.start - 30) : change.start], text[change.end :][:20]
            word = text[change.start : change.end]
            line = f"{left}⟦{word}⟧{right} → {change.after[:40]}".replace("\n", "⏎")
            yield f"  {one.name} {at} {change.kind} {change.how} {change.taken_for}: {line}"


def of_style(parts: Iterable[tuple[Source, Released]], style: str) -> list[NoteChanges]:
    return [
        change
        for one, done in parts
        for change, its in zip(done.exact, one.styles, strict=True)
        if its == style
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--policies", nargs="*", default=["dp", "aphp", "rules"])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--finds", action="store_true", help="show them, of even notes")
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    sources = [source(path) for path in args.gold]
    if not sources:
        notes = list(testing.notes())[: 3 if args.tiny else None]
        sources = [Source("shipped examples", notes, ["tidy"] * len(notes))]
    report: dict[str, Any] = {}
    for name in ["rules"] if args.tiny else args.policies:
        engine = Deidentifier(policy_of(name), key=KEY)
        parts = [(one, released(engine, one.notes)) for one in sources]
        styles = {style: of_style(parts, style) for style in ("messy", "tidy")}
        by_style = {style: figures(changes) for style, changes in styles.items() if changes}
        by_set = {one.name: figures(done.exact) for one, done in parts}
        counted = sum(len(change.changed) for _, done in parts for change in done.exact)
        print(f"\npolicy {name}", *table(by_style), sep="\n")
        for title, found in by_set.items():
            print(f"  {title}: medicine {_cells(found['medicine'])}")
        print(f"changed words, marks and articles: {counted} by the replaced spans, "
              f"{sum(done.by_texts for _, done in parts)} by the texts alone")  # fmt: skip
        report[name] = {"styles": by_style, "sets": by_set}
        if args.finds:
            for one, done in parts:
                print(*finds(one, done.exact), sep="\n", file=sys.stderr)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
