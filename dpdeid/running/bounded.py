"""How a process works on records: with a clock that only ends what would never end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final, NoReturn

from dpdeid.cohort.journal import Results
from dpdeid.document import Failure, Task
from dpdeid.engine import Deidentifier
from dpdeid.privacy.memory import Memory

LEAST_SECONDS: Final = 900.0
_SECONDS_A_CHARACTER: Final = 0.001
"""After which a record hangs: about twenty times what the slowest policy needs."""
HUNG: Final = "took longer than any note does and was given up"
"""The error of notes that a clock ended: another run may release them."""


class Hung(BaseException):
    """A record takes longer than any does. Nothing that catches errors of a note catches it."""


def bounded(
    engine: Deidentifier, task: Task, least: float | None = None
) -> tuple[Results, Memory | None]:
    """What `engine.attempt` gives, or the failure of each note once a clock has run out that only
    ends what would never end.

    Args:
        least: seconds that even the shortest record may take; None is `LEAST_SECONDS`.
    """
    size = sum(len(doc.text) for doc in task.documents)
    try:
        with clock((least or LEAST_SECONDS) + size * _SECONDS_A_CHARACTER):
            return engine.attempt(task)
    except Hung:
        return [Failure(doc.id, HUNG) for doc in task.documents], None


@contextmanager
def clock(seconds: float) -> Iterator[None]:
    """Raises `Hung` in the block after so many seconds, where the system and the thread can."""
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> NoReturn:
        raise Hung

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
