"""What `dpdeid run` needs for many notes: memory over time, what a second worker is worth, other
engines and libraries on the same notes in the same run, and that all of them give the same.

    python benchmarks/scale.py [--notes N] [--hybrid N] [--workers 2] [--json FILE]
        [--parts runs,halves,same,peers,spark] [--recognisers "SCRIPT"] [--rounds R]

Notes are made up (`dpdeid.synth`), three a patient. "Rules" is the policy dp without detectors that
are trained, of --notes notes; "full" is dp, of the first --hybrid of them. Each figure is of a
whole command in a process of its own: notes a second and a CPU-second with loading.

- runs: one process and --workers. Memory is that of all processes of the tree (proportional set
  size, where a page that n share counts as 1/n), every half second; growth is the mean of the last
  tenth of the time over that of the first one after loading, as long as a run of ten notes takes.
- halves: as many processes side by side as there are workers, each on its part of the patients,
  which is the most that workers can be worth; printed is the share of it that they reach.
- same: the released rows of shuffled notes, and of all runs above, have one hash.
- peers: Presidio with n_process 1 and --workers, with what it ships for French or what `build()` of
  a script gives, and edsnlp's dates with as many; both find, and replace nothing.
- spark: --engine spark with local[--workers] beside the pool.

Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import yaml

from dpdeid.detect.merge.published import LEARNED
from dpdeid.policy.policy import policy_file
from dpdeid.synth import corpus
from dpdeid.testing import KEY

OF_PATIENT = 3
EVERY = 0.5
"""Seconds between two looks at memory."""
PARTS = ("runs", "halves", "same", "peers", "spark")


@dataclass(frozen=True, slots=True)
class Work:
    """Notes under a policy."""

    name: str
    policy: str
    notes: Path
    count: int
    characters: int


@dataclass(slots=True)
class Figures:
    """Of one command, or of some side by side: seconds of the wall and of processors, mebibytes of
    all processes at each look, and the hash of what was released.
    """

    work: str
    how: str
    notes: int
    characters: int
    seconds: float
    cpu_s: float
    peak_mb: float = 0.0
    growth: float | None = None
    sha256: str = ""
    memory: list[tuple[float, float]] = field(default_factory=list, repr=False)

    @property
    def rate(self) -> float:
        return self.notes / self.seconds


def tree(root: int) -> list[int]:
    """The process and all below it."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):  # it has ended
            continue
    found = [root]
    for one in found:
        found += [pid for pid, parent in parents.items() if parent == one]
    return found


def cpu_of(pids: Iterable[int]) -> dict[int, float]:
    """CPU-seconds of each process so far, its ended children not counted."""
    ticks, found = os.sysconf("SC_CLK_TCK"), {}
    for pid in pids:
        try:
            told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[pid] = (int(told[11]) + int(told[12])) / ticks
    return found


def held_mb(pids: Iterable[int]) -> float:
    """The memory of processes together."""
    kilobytes = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


def timed(commands: Sequence[Sequence[str]], spark: str = "") -> tuple[float, float, list[Any]]:
    """Commands side by side: seconds, CPU-seconds, and memory at moments.

    Raises:
        SystemExit: one failed; has the end of what it said.
    """
    told = os.environ | {"DPDEID_KEY": KEY.hex(), "OMP_NUM_THREADS": "1"}
    if spark:
        told |= {"PYSPARK_SUBMIT_ARGS": f"--master {spark} pyspark-shell"}
        told |= {"SPARK_LOCAL_IP": "127.0.0.1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began, memory = time.monotonic(), []
    looked: dict[int, float] = {}  # nobody waits for workers of Spark, so that `before` misses them
    with tempfile.TemporaryFile() as said:
        running = [subprocess.Popen(c, env=told, stdout=said, stderr=said) for c in commands]
        look = began
        while any(process.poll() is None for process in running):
            if time.monotonic() >= look:
                look += EVERY
                pids = [pid for process in running for pid in tree(process.pid)]
                looked |= cpu_of(pids)
                held = held_mb(pids)
                memory.append((round(time.monotonic() - began, 2), round(held, 1)))
            time.sleep(0.02)
        seconds = time.monotonic() - began
        if any(process.returncode for process in running):
            said.seek(0)
            raise SystemExit(f"{commands[0]} failed:\n{said.read().decode()[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, max(cpu, sum(looked.values())), memory


def growth(memory: Sequence[tuple[float, float]], loading: float) -> float | None:
    """The mean of the last tenth of the looks over that of the first, None if there are few."""
    held = [mb for seconds, mb in memory if seconds > loading]
    tenth = len(held) // 10
    return statistics.mean(held[-tenth:]) / statistics.mean(held[:tenth]) if tenth else None


def released_hash(paths: Iterable[Path]) -> str:
    """A hash of released rows, whatever their order.

    Raises:
        SystemExit: a row failed.
    """
    files = [p for path in paths for p in (path.glob("part-*") if path.is_dir() else [path])]
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    if wrong := [row["error"] for row in rows if "error" in row]:
        raise SystemExit(f"{len(wrong)} rows failed: {wrong[0]}")
    lines = sorted(json.dumps([row["id"], row["text"]]) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def dpdeid_run(
    work: Work, how: str, folder: Path, sources: Sequence[Path], *options: str, spark: str = ""
) -> Figures:
    """`dpdeid run` of each source, side by side."""
    out = [folder / f"out-{at}.jsonl" for at in range(len(sources))]
    for path in out:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    own = [sys.executable, "-m", "dpdeid", "run", "--policy", work.policy, *options]
    commands = [[*own, str(s), "-o", str(o)] for s, o in zip(sources, out, strict=True)]
    seconds, cpu, memory = timed(commands, spark)
    done = Figures(work.name, how, work.count, work.characters, seconds, cpu)
    done.memory, done.peak_mb = memory, max(mb for _, mb in memory)
    done.sha256 = released_hash(out)
    return done


def peer(work: Work, name: str, processes: int, script: Path | None) -> Figures:
    """Another library on the same notes, in a process of this file."""
    own = [sys.executable, __file__, "--worker", name, "--workers", str(processes)]
    own += ["--source", str(work.notes), *(["--recognisers", str(script)] if script else [])]
    seconds, cpu, memory = timed([own])
    done = Figures(work.name, f"{name} {processes}", work.count, work.characters, seconds, cpu)
    done.memory, done.peak_mb = memory, max(mb for _, mb in memory)
    return done


def texts_of(path: Path) -> list[str]:
    return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]


def presidio(path: Path, processes: int, script: Path | None) -> None:
    """Worker: finds with Presidio."""
    from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NoOpNlpEngine

    if script is not None:
        spec = importlib.util.spec_from_file_location("recognisers", script)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        engine = module.build()
    else:
        nlp = NoOpNlpEngine(models=[{"lang_code": "fr", "model_name": "none"}])
        registry = RecognizerRegistry(supported_languages=["fr"])
        registry.load_predefined_recognizers(languages=["fr"], nlp_engine=nlp)
        engine = AnalyzerEngine(registry=registry, nlp_engine=nlp, supported_languages=["fr"])
    batch = BatchAnalyzerEngine(engine)
    batch.analyze_iterator(texts_of(path), "fr", batch_size=64, n_process=processes)


def edsnlp(path: Path, processes: int, script: Path | None) -> None:
    """Worker: finds dates with edsnlp."""
    import edsnlp as library

    nlp = library.blank("eds")
    for pipe in ("eds.normalizer", "eds.sentences", "eds.dates"):
        nlp.add_pipe(pipe)
    docs = library.data.from_iterable(texts_of(path), converter=nlp.make_doc).map_pipeline(nlp)
    if processes > 1:
        docs = docs.set_processing(num_cpu_workers=processes)
    for _ in docs.map(lambda doc: len(doc.spans["dates"])):
        pass


PEERS = {"presidio": (presidio, "presidio_analyzer"), "edsnlp": (edsnlp, "edsnlp")}


def measured(args: argparse.Namespace, folder: Path) -> list[Figures]:
    """All figures, printed as they come."""
    figures: list[Figures] = []

    def tell(one: Figures) -> None:
        figures.append(one)
        grown = "" if one.growth is None else f"{one.growth:.2f}"
        print(
            f"{one.work:6s} {one.how:22s} {one.notes:7d} {one.seconds:8.1f} {one.rate:8.1f} "
            f"{one.characters / one.seconds:9.0f} {one.notes / one.cpu_s:8.1f} "
            f"{one.peak_mb:8.0f} {grown:>7s} {one.sha256[:8]:8s}",
            flush=True,
        )

    print(
        f"{'work':6s} {'how':22s} {'notes':>7s} {'s':>8s} {'notes/s':>8s} {'chars/s':>9s} "
        f"{'n./CPU-s':>8s} {'peak MB':>8s} {'growth':>7s} sha256"
    )
    workers = ("--workers", str(args.workers))
    for work in works(args, folder):
        first = folder / "first.jsonl"
        first.write_text("".join(work.notes.read_text("utf-8").splitlines(True)[:10]), "utf-8")
        for _ in range(args.rounds):
            if "runs" in args.parts:
                for how, options in (("1 process", ()), (f"{args.workers} workers", workers)):
                    loading = dpdeid_run(work, how, folder, [first], *options).seconds
                    one = dpdeid_run(work, how, folder, [work.notes], *options)
                    one.growth = growth(one.memory, loading)
                    tell(one)
            if "halves" in args.parts:
                cut = shares(work, args.workers, folder)
                tell(dpdeid_run(work, f"{args.workers} side by side", folder, cut))
            if "same" in args.parts:
                lines = work.notes.read_text("utf-8").splitlines(True)
                random.Random(1).shuffle(lines)
                mixed = folder / "mixed.jsonl"
                mixed.write_text("".join(lines), "utf-8")
                tell(dpdeid_run(work, "shuffled, 2 workers", folder, [mixed], "--workers", "2"))
            if "spark" in args.parts:
                master = f"local[{args.workers}]"
                options = ("--engine", "spark")
                how = f"spark {master}"
                tell(dpdeid_run(work, how, folder, [work.notes], *options, spark=master))
            if "peers" in args.parts and work.name == "rules":
                for name, (_, package) in PEERS.items():
                    if importlib.util.find_spec(package) is None:
                        print(f"{work.name:6s} {name}: not installed")
                        continue
                    for processes in (1, args.workers):
                        tell(peer(work, name, processes, args.recognisers))
    return figures


def works(args: argparse.Namespace, folder: Path) -> list[Work]:
    """The notes with rules alone, and the first of them with the whole policy."""
    plain = folder / "rules.yaml"
    shipped = policy_file("dp") or Path(corpus.__file__).parents[1] / "policies" / "dp.yaml"
    policy: dict[str, Any] = yaml.safe_load(shipped.read_text("utf-8"))
    policy["detectors"] = [name for name in policy["detectors"] if name not in LEARNED]
    policy["merge"], policy["name"] = "union", "rules"
    plain.write_text(yaml.safe_dump(policy, allow_unicode=True), "utf-8")
    made = []
    asked = (("rules", str(plain), args.notes), ("full", "dp", args.hybrid))
    for name, policy_name, count in asked:
        path, characters = folder / f"{name}.jsonl", 0
        with path.open("w", encoding="utf-8") as file:
            for number, row in enumerate(corpus.notes(count, 1)):
                characters += len(row["text"])
                row["patient_id"] = f"p{number // OF_PATIENT}"
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if count:
            made.append(Work(name, policy_name, path, count, characters))
    return made


def shares(work: Work, parts: int, folder: Path) -> list[Path]:
    """The notes in so many files, those of a patient in one."""
    lines = work.notes.read_text("utf-8").splitlines(True)
    paths = [folder / f"share-{part}.jsonl" for part in range(parts)]
    for part, path in enumerate(paths):
        own = [line for at, line in enumerate(lines) if at // OF_PATIENT % parts == part]
        path.write_text("".join(own), "utf-8")
    return paths


def ratios(figures: Sequence[Figures], workers: int) -> dict[str, float]:
    """What is compared, medians over rounds of the ratios of a round."""
    told = {}
    pool = f"{workers} workers"
    for work in {one.work: None for one in figures}:
        own = [one for one in figures if one.work == work]
        rates = {how: [one.rate for one in own if one.how == how] for how in {o.how for o in own}}
        for name, over, under in (
            ("pool over one process", pool, "1 process"),
            ("pool over side by side", pool, f"{workers} side by side"),
            ("spark over pool", f"spark local[{workers}]", pool),
            ("pool over presidio", pool, f"presidio {workers}"),
            ("one process over presidio", "1 process", "presidio 1"),
            ("pool over edsnlp", pool, f"edsnlp {workers}"),
            ("one process over edsnlp", "1 process", "edsnlp 1"),
        ):
            if over in rates and under in rates:
                pairs = zip(rates[over], rates[under], strict=True)
                told[f"{work}: {name}"] = round(statistics.median(a / b for a, b in pairs), 3)
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=int, default=3000)
    parser.add_argument("--hybrid", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--parts", default=None, help=f"default: {','.join(PARTS)}")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--recognisers", type=Path, help="a script whose build() gives Presidio's")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--worker", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--source", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        PEERS[args.worker][0](args.source, args.workers, args.recognisers)
        return 0
    if args.tiny:
        args.notes, args.hybrid, args.rounds = 12, 0, 1
    args.parts = (args.parts or ",".join(PARTS[:3] if args.tiny else PARTS)).split(",")
    if other := set(args.parts) - {*PARTS}:
        parser.error(f"no part {sorted(other)[0]}; there are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(args, Path(folder))
    compared = ratios(figures, args.workers)
    for name, ratio in compared.items():
        print(f"{name}: {ratio:.2f}")
    hashes = {(one.work, one.sha256) for one in figures if one.sha256}
    same = len(hashes) == len({work for work, _ in hashes})
    print(f"released rows: {'one hash a policy' if same else 'NOT THE SAME'}")
    if args.json:
        told = {"runs": [asdict(one) for one in figures], "ratios": compared, "same": same}
        args.json.write_text(json.dumps(told, indent=1))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
