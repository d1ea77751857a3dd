"""Workers: what they are asked they do, what ends one ends nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import pytest

from dpdeid.errors import InputError
from dpdeid.serve import work
from dpdeid.serve.work import BusyError, GoneError, Workers

T = TypeVar("T")


@pytest.fixture
def workers() -> Iterator[Workers]:
    own = Workers(1, 2)
    yield own
    own.end()


def run(does: Callable[[], Awaitable[T]]) -> T:
    async def doing() -> T:
        return await does()

    return asyncio.run(doing())


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_has_a_successor(workers: Workers) -> None:
    with pytest.raises(GoneError):
        run(lambda: workers.ask(die))
    assert run(lambda: workers.ask(abs, -3)) == 3
    assert workers.pending == 0


def test_no_more_wait_than_may(workers: Workers) -> None:
    async def asking() -> list[object]:
        every = (workers.ask(time.sleep, 0.2) for _ in range(5))
        return await asyncio.gather(*every, return_exceptions=True)

    done = asyncio.run(asking())
    assert [type(one) for one in done] == [type(None)] * 3 + [BusyError] * 2


def test_what_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_SECONDS", 0.01)
    with pytest.raises(InputError, match="longer than any note"):
        work._timed(time.sleep, 30)
