"""Every benchmark runs on the shipped notes and prints figures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize("script", sorted(BENCHMARKS.glob("*.py")), ids=lambda p: p.stem)
def test_it_runs_tiny_and_writes_json(script: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, str(script), "--tiny", "--json", str(report)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 2
    assert json.loads(report.read_text(encoding="utf-8"))
