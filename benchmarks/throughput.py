"""Notes per CPU-second and peak memory, ours beside a peer's in the same run.

    python benchmarks/throughput.py [--detectors rules] [--notes FILE.jsonl]
        [--peer "PYTHON SCRIPT --stats"] [--json F]

Each round runs every system as a process of its own on the same notes, in turn, so that a machine
whose speed drifts drifts for all; the ratio of a round is printed, and the median over rounds. The
peer is any command that reads the notes on standard input and prints one JSON object with
"notes_per_cpu_s" and "peak_rss_mb" as the last line of its standard error. Loading (lists, models,
a first short note) is not counted; its own time and memory are told apart.
Notes have one {"text"} a line; without a file the shipped fictitious notes are repeated. With
"--detectors rules" the detectors that are trained are left out of the policy.
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
from pathlib import Path

from dpdeid.detect.merge.published import LEARNED
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import load_policy
from dpdeid.testing import notes as shipped

FIGURES = ("notes_per_cpu_s", "chars_per_cpu_s", "peak_rss_mb")
Stats = dict[str, float]


def measure(name: str, detectors: str, whole: bool) -> Stats:
    """Worker: figures for the notes on standard input, detection alone or the whole way."""
    texts = [json.loads(line)["text"] for line in sys.stdin if line.strip()]
    policy = load_policy(name)
    if detectors == "rules":
        policy = policy.found_by(*(d for d in policy.detectors if d.name not in LEARNED))
    loading, before = time.process_time(), peak_mb()
    deidentifier = Deidentifier(policy, key=bytes(32))
    work = deidentifier if whole else deidentifier.detect
    work(Document("warm-up", shipped()[0][0].text))
    started, loaded = time.process_time(), peak_mb()
    for number, text in enumerate(texts):
        work(Document(str(number), text))
    seconds = time.process_time() - started
    characters = sum(map(len, texts))
    return {
        "notes_per_cpu_s": round(len(texts) / seconds, 1),
        "chars_per_cpu_s": round(characters / seconds),
        "peak_rss_mb": round(peak_mb()),
        "load_cpu_s": round(started - loading, 2),
        "load_mb": round(loaded - before),
    }


def peak_mb() -> float:
    """The most memory that this process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if platform.system() == "Darwin" else 1024)


def run(command: list[str], notes: bytes) -> Stats:
    """The figures a system prints as the last line of its standard error."""
    done = subprocess.run(command, input=notes, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stderr.decode()[-2000:]}")
    stats: Stats = json.loads(done.stderr.decode().strip().splitlines()[-1])
    return stats


def read_notes(path: Path | None, tiny: bool) -> bytes:
    if path is not None:
        lines = path.read_bytes().splitlines()[: 20 if tiny else None]
        return b"\n".join(lines)
    texts = [doc.text for doc, _ in shipped()]
    text = "\n".join(texts)[:2000]
    return b"\n".join(json.dumps({"text": text}).encode() for _ in range(10 if tiny else 300))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--peer", help="command of the peer, with its options")
    parser.add_argument("--policy", default="dp")
    parser.add_argument("--detectors", choices=["policy", "rules"], default="policy")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--worker", choices=["detect", "replace"], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        print(
            json.dumps(measure(args.policy, args.detectors, args.worker == "replace")),
            file=sys.stderr,
        )
        return 0
    notes = read_notes(args.notes, args.tiny)
    own = [sys.executable, __file__, "--policy", args.policy, "--detectors", args.detectors]
    own.append("--worker")
    systems = {"detection": [*own, "detect"], "whole way": [*own, "replace"]}
    if args.peer:
        systems["peer"] = shlex.split(args.peer)
    rounds = [
        {name: run(command, notes) for name, command in systems.items()}
        for _ in range(1 if args.tiny else args.rounds)
    ]
    print(f"{'':10s} {'notes/CPU-s':>12s} {'chars/CPU-s':>12s} {'peak MB':>8s}   (medians)")
    for name in systems:
        mid = {key: statistics.median(r[name][key] for r in rounds) for key in FIGURES}
        print(
            f"{name:10s} {mid['notes_per_cpu_s']:12.0f} {mid['chars_per_cpu_s']:12.0f} "
            f"{mid['peak_rss_mb']:8.0f}"
        )
    load, held = (
        statistics.median(r["detection"][key] for r in rounds) for key in ("load_cpu_s", "load_mb")
    )
    print(f"loading of detection: {load:.2f} CPU-s, {held:.0f} MB")
    if args.peer:
        for name in ("detection", "whole way"):
            ratios = sorted(
                r[name]["notes_per_cpu_s"] / r["peer"]["notes_per_cpu_s"] for r in rounds
            )
            print(
                f"{name} ÷ peer: {statistics.median(ratios):.2f} "
                f"({ratios[0]:.2f}–{ratios[-1]:.2f} over {len(ratios)} rounds)"
            )
    else:
        print("no peer was given: figures without a peer of the same run compare nothing")
    if args.json:
        args.json.write_text(
            json.dumps(
                {"policy": args.policy, "detectors": args.detectors, "rounds": rounds}, indent=1
            )
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
