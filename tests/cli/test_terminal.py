"""How the process ends: pipes that close, full disks and signals have their own exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dpdeid
from tests.conftest import KEY, RULES

ROW = b'{"id": "%d", "text": "Mme Durand, vue le 12/03/2021."}\n'
pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and pipes of POSIX")


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_text(RULES, encoding="utf-8")
    return path


def start(*args: object, stdout: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dpdeid", *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "DPDEID_KEY": KEY.hex()},
    )


def running(policy: Path, folder: Path) -> subprocess.Popen[bytes]:
    """A run in the middle of its rows: it holds files beside its output and waits for more rows."""
    process = start("run", "-", "-p", policy, "-o", folder / "released.jsonl")
    assert process.stdin
    process.stdin.write(b"".join(ROW % number for number in range(400)))
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not any(folder.iterdir()):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def test_a_command_looks_for_cycles_of_objects_seldom() -> None:
    told = "import atexit, gc; print(gc.get_threshold()[0], flush=True)"
    told += "; atexit.register(lambda: print(gc.get_threshold()[0]))"
    told += "; from dpdeid.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", told, "--version"], stdout=subprocess.PIPE)
    lines = done.stdout.split()
    assert int(lines[-1]) > 10 * int(lines[0])


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_run_without_a_word_or_a_file(
    number: int, code: int, policy: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    process = running(policy, folder)
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (code, b"")
    assert not [*folder.iterdir()]


def test_a_reader_that_has_enough_ends_a_run_without_a_word(policy: Path) -> None:
    process = start("run", "-", "-p", policy)
    assert process.stdout
    assert process.stdin
    assert process.stderr
    process.stdout.close()
    process.stdin.write(b"".join(ROW % number for number in range(5_000)))
    process.stdin.close()
    assert (process.wait(timeout=60), process.stderr.read()) == (141, b"")
    process.stderr.close()


@pytest.mark.parametrize("args", [("check", "redact"), ("policies",)])
def test_a_reader_that_has_enough_ends_any_command_so(args: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    process = start(*args, stdout=write)
    os.close(write)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("args", [("run", "-", "-p", "redact"), ("check", "redact")])
def test_a_full_disk_is_no_wrong_usage(args: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        process = start(*args, stdout=full.fileno())
        _, told = process.communicate(ROW % 1, timeout=60)
    assert process.returncode == 5
    assert told == b"dpdeid: No space left on device\n"


def test_the_version() -> None:
    process = start("--version")
    told, _ = process.communicate(timeout=60)
    assert told.decode() == f"dpdeid {dpdeid.__version__}\n"
    assert process.returncode == 0
