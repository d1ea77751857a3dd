"""Notes per CPU-second beside peers, as ratios of the same run.

    python benchmarks/throughput.py [--notes FILE.jsonl …] [--peer "NAME=PYTHON SCRIPT --stats" …]
        [--rounds 5] [--json FILE]
    python benchmarks/throughput.py --parts [--notes FILE.jsonl …] [--json FILE]

Ours are the rules and lists of `dp` alone, all that `dp` finds with (detection), and the whole way,
replacing as well. Each round runs every system as a process of its own on the same notes, in turn,
so that a machine whose speed drifts drifts for all; the ratios of a round are taken, and of them
the median, the lowest and the highest. A peer is any command that reads the notes on standard input
and prints one JSON object with "notes_per_cpu_s" and "peak_rss_mb" as the last line of its standard
error. Loading (lists, models, a first short note) is not counted. Notes have one {"text"} a line;
without a file the shipped fictitious notes are read. --parts says instead what each stage of ours
costs, in each file, and a character of short and of long notes (`made/stages.py`).
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from made import stages

from dpdeid.detect.merge.published import LEARNED
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import load_policy
from dpdeid.testing import KEY
from dpdeid.testing import notes as shipped

OWN: Final = ("rules", "detection", "whole way")
TINY: Final = 5
Stats = Mapping[str, float]


def measure(system: str) -> Stats:
    """Worker: figures of one of ours for the notes on standard input."""
    texts = [json.loads(line)["text"] for line in sys.stdin if line.strip()]
    policy = load_policy("dp")
    if system == "rules":
        policy = policy.found_by(*(d for d in policy.detectors if d.name not in LEARNED))
    deidentifier = Deidentifier(policy, key=KEY)
    work = deidentifier if system == "whole way" else deidentifier.detect
    work(Document("warm-up", shipped()[0][0].text))
    started = time.process_time()
    for number, text in enumerate(texts):
        work(Document(str(number), text))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "notes_per_cpu_s": len(texts) / (time.process_time() - started),
        "peak_rss_mb": peak / (1024 * 1024 if platform.system() == "Darwin" else 1024),
    }


def run(command: Sequence[str], notes: str) -> Stats:
    """The figures a system prints as the last line of its standard error."""
    done = subprocess.run(command, input=notes, capture_output=True, check=False, text=True)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    stats: Stats = json.loads(done.stderr.strip().splitlines()[-1])
    return stats


def ratios(rounds: Sequence[Mapping[str, Stats]], own: str, peer: str) -> dict[str, float]:
    """How many times as many notes a CPU-second one of ours does as a peer: median and spread."""
    each = [r[own]["notes_per_cpu_s"] / r[peer]["notes_per_cpu_s"] for r in rounds]
    return {"median": statistics.median(each), "low": min(each), "high": max(each)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=Path, nargs="+", default=[])
    parser.add_argument("--peer", action="append", default=[], help="NAME=COMMAND of a peer")
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--worker", choices=OWN, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        print(json.dumps(measure(args.worker)), file=sys.stderr)
        return 0
    files = {path.stem: [json.loads(x)["text"] for x in path.open("rb")] for path in args.notes}
    texts = [text for held in files.values() for text in held] or [n.text for n, _ in shipped()]
    if args.parts:
        told = stages.told(files or {"shipped": texts[: TINY if args.tiny else None]}, args.tiny)
        if args.json:
            args.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
        return 0
    notes = "\n".join(json.dumps({"text": text}) for text in texts[: TINY if args.tiny else None])
    systems = {name: [sys.executable, __file__, "--worker", name] for name in OWN}
    peers = dict(peer.split("=", 1) for peer in args.peer)
    systems |= {name: shlex.split(command) for name, command in peers.items()}
    rounds = [
        {name: run(command, notes) for name, command in systems.items()}
        for _ in range(1 if args.tiny else args.rounds)
    ]
    medians = {
        name: {key: statistics.median(r[name][key] for r in rounds) for key in rounds[0]["rules"]}
        for name in systems
    }
    report: dict[str, Any] = {
        "notes": len(notes.splitlines()),
        "rounds": len(rounds),
        "medians": medians,
        "ratios": {peer: {own: ratios(rounds, own, peer) for own in OWN} for peer in peers},
    }
    for name, one in medians.items():
        print(f"{name:24s} {one['notes_per_cpu_s']:8.1f} notes/CPU-s {one['peak_rss_mb']:6.0f} MB")
    for peer, each in report["ratios"].items():
        for name, r in each.items():
            print(f"{name} ÷ {peer}: {r['median']:.2f} ({r['low']:.2f}–{r['high']:.2f})")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
