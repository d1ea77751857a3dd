"""Records done by this process, or by several at once: the same results, in the same order.

Workers get the policy and the key when they start, and tasks through bounded queues: whoever reads
the results slowly holds them back. Account, vault and files stay with the process that began.
"""

from __future__ import annotations

import datetime as dt
import errno
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final, TypeVar

from dpdeid.cli.terminal import Listening, listen, listening
from dpdeid.cohort.journal import Results
from dpdeid.document import Document, Task
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import Policy
from dpdeid.privacy.memory import Memory
from dpdeid.running.bounded import bounded
from dpdeid.running.collecting import collect_seldom

T = TypeVar("T")
_Attempted = tuple[Results, Memory | None]

_TOGETHER: Final = 16
"""Records that go to a worker at once, at most."""
_CHARACTERS: Final = 100_000
"""The same for characters, but for those of one record."""
_AHEAD: Final = 3
"""Batches for each worker that are under way."""
_KILLED: Final = (
    "a worker was killed, perhaps for want of memory: nothing is released. Run again with fewer "
    "--workers; what was done under --resume is kept"
)


def unknown(docs: Sequence[Document]) -> None:
    """Of a run that nothing was done of before."""


def done(
    groups: Iterable[Sequence[T]],
    note: Callable[[T], Document],
    engine: Deidentifier,
    workers: int = 1,
    known: Callable[[Sequence[Document]], Results | None] = unknown,
) -> Iterator[tuple[Sequence[T], Results]]:
    """Records with their results, in their order.

    Args:
        groups: what carries the notes of a record; none comes twice of a unit.
        note: the note that one carries.
        workers: processes; 1 is this one.
        known: the results of a record that was done before, None if it was not.

    Raises:
        UsageError: nothing can be processed: a model or a list is missing or damaged.
        ChildProcessError: a worker was killed.
    """
    if workers == 1:
        for group in groups:
            docs = [*map(note, group)]
            yield group, known(docs) or _alone(engine, docs)
        return
    cohort = engine.cohort
    given = (engine.policy, cohort.key, cohort.e0, cohort.ledger_key, listening())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, given)
    try:
        waiting = deque[tuple[list[_Prepared[T]], Future[list[_Attempted]]]]()
        for batch in _batches(groups, note, engine, known):
            tasks = [task for _, task in batch if isinstance(task, Task)]
            waiting.append((batch, pool.submit(_attempt, tasks)))
            if len(waiting) == workers * _AHEAD:
                yield from _finished(*waiting.popleft(), engine)
        while waiting:
            yield from _finished(*waiting.popleft(), engine)
    except BrokenProcessPool:
        raise ChildProcessError(errno.ECHILD, _KILLED) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _alone(engine: Deidentifier, docs: Sequence[Document]) -> Results:
    """The results of one record by this process."""
    task = engine.task(docs)
    if not isinstance(task, Task):
        return task
    results, memory = bounded(engine, task)
    engine.keep(task, memory)
    return results


_Prepared = tuple[Sequence[T], Task | Results]


def _batches(
    groups: Iterable[Sequence[T]],
    note: Callable[[T], Document],
    engine: Deidentifier,
    known: Callable[[Sequence[Document]], Results | None],
) -> Iterator[list[_Prepared[T]]]:
    batch: list[_Prepared[T]] = []
    size = 0
    for group in groups:
        docs = [*map(note, group)]
        own = sum(len(doc.text) for doc in docs)
        if batch and (len(batch) == _TOGETHER or size + own > _CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append((group, known(docs) or engine.task(docs)))
        size += own
    if batch:
        yield batch


def _finished(
    batch: Sequence[_Prepared[T]], future: Future[list[_Attempted]], engine: Deidentifier
) -> Iterator[tuple[Sequence[T], Results]]:
    attempted = iter(future.result())
    for group, task in batch:
        if not isinstance(task, Task):
            yield group, task
            continue
        results, memory = next(attempted)
        engine.keep(task, memory)
        yield group, results


_own: Deidentifier
"""That of a worker."""


def _start(
    policy: Policy, key: bytes, e0: dt.date, ledger_key: bytes | None, how: Listening
) -> None:
    global _own
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it says when to end
    collect_seldom()
    listen(how)
    _own = Deidentifier(policy, key=key, e0=e0, ledger_key=ledger_key)


def _attempt(tasks: Sequence[Task]) -> list[_Attempted]:
    return [bounded(_own, task) for task in tasks]
