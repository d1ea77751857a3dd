"""Every benchmark runs on the shipped notes and prints figures."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
OPTIONS = [("story.py", "--towns", towns) for towns in ("independent", "catchment")]

NEEDS = {
    "pdf_body.py": ("pdfminer",),
    "envelopes.py": ("pdfminer",),
    "agreement.py": ("pygamma_agreement",),
    "scans.py": ("pdfminer", "pypdfium2"),
}
"""Benchmarks that need an extra, with modules of it."""
COMMANDS = {"scans.py": "tesseract"}
"""Benchmarks that run a command."""
RUNS = [*((file.name,) for file in sorted(BENCHMARKS.glob("*.py"))), *OPTIONS]


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_it_runs_tiny_and_writes_json(run: tuple[str, ...], tmp_path: Path) -> None:
    assert reported(run, tmp_path)


def test_language_models_are_compared(tmp_path: Path) -> None:
    for extra in ("torch", "transformers", "flair"):
        pytest.importorskip(extra)
    models = ("nothing", "shipped", "crf", "flair")
    run = ("taggers.py", "--tables", "models", "--learn", "6", "--models", *models)
    runs = reported(run, tmp_path)["models"]
    assert set(runs) == {*models}
    assert all(len(seeds) == 2 for seeds in runs.values())
    assert runs["nothing"] != runs["shipped"]


def reported(run: tuple[str, ...], tmp_path: Path) -> dict[str, Any]:
    """What a benchmark writes as JSON of its tiny notes."""
    report = tmp_path / "report.json"
    script, *options = run
    for module in NEEDS.get(script, ()):
        pytest.importorskip(module)
    if script in COMMANDS and not shutil.which(COMMANDS[script]):
        pytest.skip(f"needs {COMMANDS[script]}")
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / script), *options, "--tiny", "--json", str(report)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 2
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found
