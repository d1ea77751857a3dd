"""What a hospital gains by 200 annotated notes of its own: the sequence of docs/local.md.

    python benchmarks/local.py [NOTES.txt …] [--learn 200] [--tested 100] [--seed S] [--epochs N]
        [--json FILE]

Two simulations. "foreign": notes of a made-up hospital with few forms (`made/foreign.py`), whose
staff, wards and sites recur; a learned tagger meets each form again, as in a hospital whose notes
are of a mould. "varied": given notes of many kinds and hospitals, in which nothing recurs.
Learned are --learn notes, a seventh of them kept to stop by; measured are --tested others, before
and after, by the commands of the page and no others. Each addition is also measured alone; the
decision's own trees also on the notes of the other simulation ("elsewhere"): what they forget.

Printed are the notes before, and the difference of each addition with its 95 % interval, in points.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from made import foreign

from dpdeid.document import Span
from dpdeid.policy.policy import policy_text
from dpdeid.synth.dice import Dice
from dpdeid.training.corpus import Note, read_corpus

FIGURES: Final = {
    "direct redacted": ("direct", "redacted"),
    "notes fully": ("direct", "fully_redacted"),
    "indirect redacted": ("quasi", "redacted"),
    "precision": ("micro", "token", "precision"),
    "F1": ("micro", "token", "f1"),
}
"""Figure → where `evaluate detection --json` has it."""


def dpdeid(*words: object) -> None:
    """A command, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "dpdeid", *map(str, words)], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"dpdeid {words[0]} {words[1]}: {done.stderr[-2000:]}")


def write(path: Path, notes: Iterable[Note]) -> Path:
    def row(spans: Sequence[Span]) -> list[dict[str, Any]]:
        return [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]

    with path.open("w", encoding="utf-8") as file:
        for number, (doc, spans) in enumerate(notes):
            told = {"id": f"{path.stem}-{number}", "text": doc.text, "entities": row(spans)}
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
    return path


def foreign_notes(count: int, seed: int, folder: Path) -> list[Note]:
    path = folder / "foreign.txt"
    path.write_text("".join(f"===== note\n{text}" for text in foreign.notes(count, seed)), "utf-8")
    return read_corpus([path])


def compared(test: Path, policy: Path | str, after: Path, before: Path) -> Any:
    """What `evaluate detection` says of a policy's finds, beside those of the shipped one."""
    told = after.with_suffix(".json")
    dpdeid("detect", test, "--policy", policy, "-o", after)
    dpdeid("evaluate", "detection", test, after, "--against", before, "--json", told)
    return json.loads(told.read_text("utf-8"))["comparison"]


def trees(train: Path, args: argparse.Namespace, folder: Path) -> Path:
    """The shipped policy with trees of the site's own."""
    out, policy = folder / "trees.tsv", folder / "trees.yaml"
    dpdeid("train", "decision", "--data", train, "--policy", args.policy, "--out", out)
    own = f"merge: {{decision: {{trees: {out}}}}}"
    policy.write_text(policy_text(args.policy).replace("merge: decision", own), "utf-8")
    return policy


def gain(
    notes: Sequence[Note], elsewhere: Sequence[Note], args: argparse.Namespace, folder: Path
) -> dict[str, Any]:
    """Way → its comparison with the shipped policy, and the shipped policy's own figures; of the
    trees also on notes from elsewhere.
    """
    folder.mkdir()
    learned, kept = notes[: args.learn], notes[args.learn : args.learn + args.tested]
    train = write(folder / "train.jsonl", [n for at, n in enumerate(learned) if at % 7])
    dev = write(folder / "dev.jsonl", learned[::7])
    test = write(folder / "test.jsonl", kept)
    crf, tagger = folder / "ward.crfsuite", folder / "tagger"
    ways: dict[str, tuple[object, ...]] = {"lists": ()}
    dpdeid("train", "crf", "--data", train, "--lines", train, "--vary", train, "--dev", dev,
           "--out", crf)  # fmt: skip
    ways["crf"] = ("--crf", crf)
    if args.epochs:
        dpdeid("train", "transformer", "--base", "shipped", "--data", train, "--dev", dev,
               "--epochs", args.epochs, "--out", tagger)  # fmt: skip
        ways["transformer"] = ("--transformer", tagger)
        ways["all"] = ("--crf", crf, "--transformer", tagger)
    before, told = folder / "before.jsonl", folder / "before.json"
    dpdeid("detect", test, "--policy", args.policy, "-o", before)
    dpdeid("evaluate", "detection", test, before, "--json", told)
    found: dict[str, Any] = {"before": json.loads(told.read_text("utf-8"))}
    own = trees(train, args, folder)
    found["trees"] = compared(test, own, folder / "trees.jsonl", before)
    if elsewhere:
        other = write(folder / "elsewhere.jsonl", elsewhere)
        dpdeid("detect", other, "--policy", args.policy, "-o", folder / "there.jsonl")
        after = folder / "trees-there.jsonl"
        found["elsewhere"] = compared(other, own, after, folder / "there.jsonl")
    for way, models in ways.items():
        site = folder / f"site-{way}"
        least = 10_000 if models and way != "all" else 2  # models alone: no list is long enough
        dpdeid("annotate", "site", train, "-o", site, "--policy", args.policy, "--least", least,
               *models)  # fmt: skip
        found[way] = compared(test, site / "policy.yaml", folder / f"{way}.jsonl", before)
    return found


def at(told: Any, path: Sequence[str]) -> Any:
    for step in path:
        told = told[step]
    return told


def table(found: Mapping[str, Any]) -> Iterator[str]:
    """Before, in per cent; then each addition: points, and the ends of their interval."""
    yield f"{'':12s}" + "".join(f"{name:>24s}" for name in FIGURES)
    for way, told in found.items():
        cells = []
        for path in FIGURES.values():
            value = at(told, path)
            if way == "before":
                cells.append(f"{100 * value:.1f}")
            else:
                low, high = (100 * end for end in value["interval"])
                cells.append(f"{100 * value['difference']:+.1f} [{low:+.1f} {high:+.1f}]")
        yield f"{way:12s}" + "".join(f"{cell:>24s}" for cell in cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("notes", nargs="*", type=Path, help="varied notes, marked or JSON lines")
    parser.add_argument("--learn", type=int, default=200)
    parser.add_argument("--tested", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    if args.tiny:
        args.learn, args.tested, args.epochs, args.policy = 4, 2, 0, "redact"
    count = args.learn + args.tested
    report = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sets = {"foreign": foreign_notes(count, args.seed, folder)}
        if args.notes:
            varied = read_corpus(args.notes)
            sets["varied"] = Dice.of(args.seed, "local").shuffled(varied)
        for name, notes in sets.items():
            elsewhere = [note for other in sets if other != name for note in sets[other]]
            report[name] = gain(notes, elsewhere[args.learn : count], args, folder / name)
            print(f"\n{name}: {args.learn} notes learned, {args.tested} measured")
            print(*table(report[name]), sep="\n")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
