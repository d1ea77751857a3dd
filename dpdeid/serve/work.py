"""What worker processes do for a service. Each note is a record of its own, under a key that nobody
keeps: no answer of the service fits another.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from typing import Any, Final, TypeVar

from dpdeid.document import Deidentified, Document, Failure, Task
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError
from dpdeid.fasdim.reading.places import Left, left
from dpdeid.formats.write import span_row
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.running.bounded import HUNG, Hung, bounded, clock
from dpdeid.running.collecting import collect_seldom

T = TypeVar("T")

_SECONDS: Final = 60.0
"""After which a note of a service hangs, beside what its length allows."""
WARM: Final = Document("warm", "Mme Durand, vue le 12/03/2021 à Brest.")


class BusyError(Exception):
    """As many requests wait as may."""


class GoneError(Exception):
    """The worker ended while it worked; another one has its place."""


class Workers:
    """Processes that do what is asked, one thing at a time each.

    Args:
        count: of them.
        waiting: requests that may wait.
    """

    def __init__(self, count: int, waiting: int) -> None:
        self._count, self._most = count, count + waiting
        self._pending = 0
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, get_context("spawn"), _start)

    async def ask(self, does: Callable[..., T], *given: object) -> T:
        """What a function of a module gives, from a worker.

        Raises:
            BusyError: too many wait.
            GoneError: the worker ended.
            UsageError: nothing can be processed: a policy, a model or a list.
        """
        if self._pending >= self._most:
            raise BusyError
        self._pending += 1
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, _timed, does, *given)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = self._started()
            raise GoneError from None
        finally:
            self._pending -= 1

    @property
    def pending(self) -> int:
        """Requests that wait or are worked on."""
        return self._pending

    def end(self) -> None:
        """Ends all workers; what they work on is lost."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _timed(does: Callable[..., T], *given: object) -> T:
    """What a function gives, or an error of the note once it can only be hanging."""
    try:
        with clock(30 * _SECONDS):
            return does(*given)
    except Hung:
        raise InputError(HUNG) from None


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it says when to end
    collect_seldom()


@cache
def policy_of(name: str) -> Policy:
    """A policy, read once."""
    return load_policy(name)


def engine(policy: str) -> Deidentifier:
    """A de-identifier with a key of its own that is thrown away with it."""
    return Deidentifier(policy_of(policy))


def released(docs: Sequence[Document], policy: str) -> list[dict[str, Any]]:
    """Of each note alone what is released and what it cost, or why it is not."""
    return [_released(doc, policy) for doc in docs]


def _released(doc: Document, policy: str) -> dict[str, Any]:
    own = engine(policy)
    task = own.task([doc])
    (result,) = bounded(own, task, _SECONDS)[0] if isinstance(task, Task) else task
    return {"error": result.error} if isinstance(result, Failure) else _told(result)


def _told(result: Deidentified) -> dict[str, Any]:
    ledger = result.ledger
    return {
        "text": result.text,
        "note_date": result.note_date,
        "replaced": len(result.surrogates),
        "losses": [str(loss) for unit in ledger.units for loss in ledger.total(unit)],
    }


def detected(doc: Document, policy: str) -> Mapping[str, Any]:
    """The spans of a note."""
    return {"spans": [span_row(span) for span in engine(policy).detect(doc).spans]}


def left_in(doc: Document, policy: str) -> Left:
    """What detection leaves in place in a note that people read."""
    return left(doc, engine(policy).detect)
