"""Every benchmark runs on the shipped notes and prints figures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
OPTIONS = [("story.py", "--towns", towns) for towns in ("independent", "catchment")]

NEEDS = {"pdf_body.py": "pdfminer"}
"""Benchmarks that need an extra, with the module of it."""
RUNS = [*((file.name,) for file in sorted(BENCHMARKS.glob("*.py"))), *OPTIONS]


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_it_runs_tiny_and_writes_json(run: tuple[str, ...], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    script, *options = run
    if script in NEEDS:
        pytest.importorskip(NEEDS[script])
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / script), *options, "--tiny", "--json", str(report)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 2
    assert json.loads(report.read_text(encoding="utf-8"))
