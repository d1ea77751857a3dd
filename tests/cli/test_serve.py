"""`dpdeid serve` as it is started in a terminal."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx
import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from dpdeid.serve.settings import VARIABLE

TOKEN = "x" * 32


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def started(
    *options: str, token: str | None = None, before: Sequence[str] = ()
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command under way, and where it answers."""
    port = free_port()
    environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
    environment |= {VARIABLE: token} if token else {}
    own = subprocess.Popen(
        [sys.executable, "-m", "dpdeid", *before, "serve", "--port", str(port), *options],
        stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and own.poll() is None:
            try:
                httpx.get(f"{url}/health")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield own, url
    finally:
        own.kill()
        own.wait()


def test_it_prints_where_to_look_and_ends_when_told() -> None:
    with started() as (own, url):
        own.send_signal(signal.SIGINT)
        _, told = own.communicate(timeout=60)
    assert own.returncode == 130
    token = re.search(rf"open {url}/login#(\S+)", told)
    assert token
    assert f"Authorization: Bearer {token[1]}" in told
    assert '"route": "/health"' in told


def test_a_given_token_is_not_printed() -> None:
    with started(token=TOKEN) as (own, url):
        answer = httpx.post(
            f"{url}/deidentify",
            json={"text": "Mme Durand", "policy": "redact"},
            headers={"Authorization": f"Bearer {TOKEN}"},
            timeout=60,
        )
        own.send_signal(signal.SIGTERM)
        _, told = own.communicate(timeout=60)
    assert answer.json()["text"] == "Mme [LAST_NAME]"
    assert f"open {url}/login\n" in told
    assert TOKEN not in told
    assert "Durand" not in told


def test_quiet_says_nothing_of_requests() -> None:
    with started(token=TOKEN, before=["--quiet"]) as (own, url):
        assert httpx.get(f"{url}/health", timeout=60).status_code == 200
        own.send_signal(signal.SIGTERM)
        _, told = own.communicate(timeout=60)
    assert (told, own.returncode) == ("", 143)


def test_quiet_would_hide_a_token_that_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    result = CliRunner().invoke(app, ["--quiet", "serve"])
    assert f"set {VARIABLE}" in str(result.exception)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--host", "0.0.0.0"], "is seen by others"),
        (["--review", "notes.jsonl"], "go together"),
        (["--answers", "answers.jsonl"], "go together"),
    ],
)
def test_what_cannot_be_served_is_told(
    monkeypatch: pytest.MonkeyPatch, options: list[str], told: str
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    result = CliRunner().invoke(app, ["serve", *options])
    assert isinstance(result.exception, UsageError)
    assert told in str(result.exception)


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        port = one.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "dpdeid", "serve", "--port", str(port)],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert f"dpdeid: port {port} of 127.0.0.1 cannot be used" in done.stderr
