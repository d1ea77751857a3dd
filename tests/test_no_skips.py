"""Where nothing may be skipped, every way to skip a test is a failure that gives its reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WAYS = {
    "mark": "@pytest.mark.skipif(True, reason='no mark')\ndef test_one(): pass",
    "call": "def test_one(): pytest.skip('no call')",
    "import": "def test_one(): pytest.importorskip('absent', reason='no import')",
    "module": "pytest.importorskip('absent', reason='no module')\ndef test_one(): pass",
    "fixture": "@pytest.fixture\ndef tool(): pytest.skip('no fixture')\ndef test_one(tool): pass",
    "expected": "@pytest.mark.xfail\ndef test_one(): assert False",
}
RUNS = "def test_one(): assert True"


def outcome(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """What pytest says of the tests in a folder, under the project's settings."""
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "--rootdir", str(folder), *options, str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One file of tests for each way to skip one, and one whose test runs."""
    for name, code in {**WAYS, "runs": RUNS}.items():
        (tmp_path / f"test_{name}.py").write_text(f"import pytest\n{code}\n", encoding="utf-8")
    return tmp_path


def test_skips_are_no_failure_elsewhere(folder: Path) -> None:
    plain = outcome(folder)
    assert plain.returncode == 0, plain.stdout
    assert "1 passed, 5 skipped, 1 xfailed" in plain.stdout


@pytest.mark.parametrize("processes", ["0", "2"])
def test_every_skip_is_a_failure_that_gives_its_reason(folder: Path, processes: str) -> None:
    strict = outcome(folder, "-p", "tests.no_skips", "--continue-on-collection-errors",
                     "-n", processes)  # fmt: skip
    assert strict.returncode == 1, strict.stdout
    assert "3 failed, 1 passed, 3 errors" in strict.stdout  # a skip before the body is an error
    for way in WAYS.keys() - {"expected"}:
        assert f"nothing may be skipped here: Skipped: no {way}" in strict.stdout


def test_where_only_a_whole_file_is_skipped_the_run_fails(tmp_path: Path) -> None:
    path = tmp_path / "test_module.py"
    path.write_text(f"import pytest\n{WAYS['module']}\n", encoding="utf-8")
    assert outcome(tmp_path).returncode == 5  # no test was left to run
    assert outcome(tmp_path, "-p", "tests.no_skips").returncode == 2


def test_a_test_of_no_cases_is_an_error(tmp_path: Path) -> None:
    code = "import pytest\n@pytest.mark.parametrize('one', [])\ndef test_one(one): pass\n"
    (tmp_path / "test_it.py").write_text(code, encoding="utf-8")
    assert outcome(tmp_path).returncode == 2
