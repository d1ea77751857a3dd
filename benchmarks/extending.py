"""What 30 notes of a site gain when they extend the shipped taggers, and what is forgotten.

    python benchmarks/extending.py [NOTES.txt …] [--old NOTES.jsonl …] [--learn 30] [--tested 70]
        [--seed S] [--sites foreign varied] [--kinds crf transformer]
        [--pull P] [--json FILE]

Sites as in `local.py`: "foreign" is a made-up hospital of few forms, whose staff and wards recur:
the most that can be hoped for. "varied" are the given notes of many hospitals, in which nothing
recurs: the least. --old are notes of other sources; their odd notes are scored: what is lost there
is forgotten.

Each tagger is measured alone, with its detector's defaults, as shipped and extended: by word, per
cent. The seconds are those of one training and of what measures it, on two threads.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from local import foreign_notes

from dpdeid.detect.taggers import crf, transformer
from dpdeid.detect.taggers.card import read_card
from dpdeid.synth.dice import Dice
from dpdeid.training.bases import Origins
from dpdeid.training.corpus import Note, read_corpus
from dpdeid.training.extending.crf import Options, extend_crf
from dpdeid.training.extending.gain import FIGURES, Gain, compared

KINDS: Final = ("crf", "transformer")
SITES: Final = ("foreign", "varied")


def extend(
    kind: str, notes: Sequence[Note], tested: Sequence[Note], out: Path, pull: float
) -> Gain:
    """Extends the shipped tagger of that kind into `out`."""
    if kind == "crf":
        return extend_crf("shipped", notes, out, dev=tested, options=Options(pull=pull))[1]
    from dpdeid.training.extending import transformer as torch_side

    own = torch_side.Options(threads=2)
    return torch_side.extend_transformer(
        "shipped", notes, out, dev=tested, data=Origins(), options=own
    )[1]


def kept(kind: str, model: Path, notes: Sequence[Note]) -> Gain:
    """The written model and the shipped one on notes of another source."""
    labels = read_card(model).labels
    if kind == "crf":
        return compared([(notes, crf.Crf(model=str(model)))], crf.Crf(), labels)
    detector = transformer.Transformer
    return compared([(notes, detector(model=str(model)))], detector(), labels)


def line(name: str, gain: Gain) -> str:
    cells = (
        f"{100 * gain.start[figure]:.1f} → {100 * gain.extended[figure]:.1f}" for figure in FIGURES
    )
    return f"{name:44s}" + "".join(f"{cell:>18s}" for cell in cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("notes", nargs="*", type=Path, help="varied notes, marked or JSON lines")
    parser.add_argument("--old", nargs="*", type=Path, default=[])
    parser.add_argument("--learn", type=int, default=30)
    parser.add_argument("--tested", type=int, default=70)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS)
    parser.add_argument("--sites", nargs="*", choices=SITES, default=SITES)
    parser.add_argument("--pull", type=float, default=Options().pull)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    if args.tiny:
        args.learn, args.tested, args.kinds = 3, 2, ("crf",)
    count = args.learn + args.tested
    others = {path: read_corpus([path])[1::2] for path in args.old}
    report: dict[str, Any] = {}
    print(f"{'':44s}" + "".join(f"{name:>18s}" for name in FIGURES))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sites = {"foreign": foreign_notes(count, args.seed, folder)}
        if args.notes:
            varied = Dice.of(args.seed, "local").shuffled(read_corpus(args.notes))
            sites["varied"] = varied[:count]
        for site in (site for site in args.sites if site in sites):
            notes = sites[site]
            for kind in args.kinds:
                out, began = folder / f"{site}-{kind}", time.monotonic()
                learned, tested = notes[: args.learn], notes[args.learn :]
                gains = {site: extend(kind, learned, tested, out, args.pull)}
                seconds = time.monotonic() - began
                gains |= {
                    f"{p.parent.name}/{p.name}": kept(kind, out, n) for p, n in others.items()
                }
                for name, gain in gains.items():
                    print(line(f"{kind}, of {site}: {name}", gain), flush=True)
                print(f"{seconds:.0f} s")
                told = {name: gain.to_json() for name, gain in gains.items()}
                report[f"{kind}, {site}"] = {"seconds": round(seconds), **told}
    if args.json:
        args.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
