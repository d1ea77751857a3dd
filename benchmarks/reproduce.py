"""Makes the figures of README and docs again, and says which of them are others now.

    python benchmarks/reproduce.py [--data DIR] [--peer PYTHON] [--only RUN …] [--keep]
        [--json FILE] [--tiny]

`figures/runs.toml` has the runs, each a benchmark with its arguments and seeds;
`figures/figures.tsv` says where each number stands and which run gives it; `figures/measured.json`
has what was measured last, with command, date, seconds and machine: a test compares the pages with
it. Runs whose notes are not shipped (--data is the folder that has them), or beside a peer that is
not installed (--peer is a Python that has it), are left out and named.
--keep writes what was measured into `measured.json` and the pages; the words around the numbers are
then for a person to read.
Exit code 1 if a figure is another one than its page says.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import dpdeid

sys.path.insert(0, str(Path(__file__).parent))
from figures import MEASURED, ROOT, Figure, Run, figures, measured, runs


def made(run: Run, data: Path | None, peer: str, *, tiny: bool) -> Any:
    """What a run writes as JSON."""
    arguments = [part.format(data=data, peer=peer) for part in (() if tiny else run.arguments)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        script = str(ROOT / "benchmarks" / run.script)
        command = [sys.executable, script, *arguments, "--json", str(report), *["--tiny"] * tiny]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if not report.exists():
            raise SystemExit(f"{run.name}: {run.script} gave no figures\n{done.stderr[-2000:]}")
        return json.loads(report.read_text(encoding="utf-8"))


def told(run: Run, report: Any, own: Sequence[Figure], seconds: float) -> dict[str, Any]:
    """What is kept of a run."""
    return {
        "command": " ".join(["python", f"benchmarks/{run.script}", *run.arguments]),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "seconds": round(seconds),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, dpdeid {dpdeid.__version__}",
        "values": {
            key: value
            for figure in own
            for key, value in zip(figure.keys, figure.values(report), strict=True)
        },
    }


def compared(own: Sequence[Figure], now: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Page, words, what the page says ("–" if nothing in such words) and what was measured."""
    for figure in own:
        page = (ROOT / figure.page).read_text(encoding="utf-8")
        said = dict.fromkeys(" | ".join(match.groups()) for match in figure.found(page))
        written = " | ".join(figure.written(now[figure.run]["values"]))
        yield figure.page, figure.words, " ≠ ".join(said) or "–", written


def kept(own: Sequence[Figure], now: Mapping[str, Any]) -> None:
    """Writes what was measured into `measured.json` and the pages."""
    known = {**(measured() if MEASURED.exists() else {}), **now}
    text = json.dumps(
        {name: known[name] for name in runs() if name in known}, indent=1, ensure_ascii=False
    )
    MEASURED.write_text(text + "\n", encoding="utf-8")
    for figure in own:
        file = ROOT / figure.page
        page = file.read_text(encoding="utf-8")
        file.write_text(
            figure.rewritten(page, figure.written(now[figure.run]["values"])), encoding="utf-8"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="where notes are that are not shipped")
    parser.add_argument("--peer", default="", help="a Python that has Presidio and spaCy's French")
    parser.add_argument("--only", nargs="+", choices=[*runs()], help="these runs")
    parser.add_argument("--keep", action="store_true", help="write what was measured")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tiny", action="store_true", help="the first run, of few notes")
    options = parser.parse_args()
    data = options.data.resolve() if options.data else None
    now: dict[str, Any] = {}
    every = figures()
    for run in [runs()[name] for name in options.only or [*runs()][: 1 if options.tiny else None]]:
        absent = [name for name in run.data if data is None or not (data / name).exists()]
        if not options.peer and any("{peer}" in part for part in run.arguments):
            absent.append("--peer")
        if absent and not options.tiny:
            print(f"{run.name}: left out, without {', '.join(absent)}", file=sys.stderr)
            continue
        start = time.monotonic()
        report = made(run, data, options.peer, tiny=options.tiny)
        own = [] if options.tiny else [figure for figure in every if figure.run == run.name]
        now[run.name] = told(run, report, own, time.monotonic() - start)
        print(f"{run.name}: {now[run.name]['seconds']} s", flush=True)
    own = [figure for figure in every if figure.run in now and not options.tiny]
    rows = list(compared(own, now))
    table = Table("page", "words", "says", "now")
    for page, words, said, written in rows:
        table.add_row(page, words, said, written + " ≠" * (written != said))
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps(now, indent=1, ensure_ascii=False), encoding="utf-8")
    if options.keep:
        kept(own, now)
    return int(any(written != said for *_, said, written in rows))


if __name__ == "__main__":
    sys.exit(main())
