"""Cases by number: each has dice of its own, ends in processor time, and is told if it fails.

`FUZZ_CASES` says how many cases the slow tests have together, `FUZZ_SEED` which: with the seed and
the number that a failure names, the same case comes again.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Final

from dpdeid.errors import InputError, UsageError
from tests.fuzz.files import SECRETS

CASES: Final = int(os.environ.get("FUZZ_CASES", "100000"))
SEED: Final = os.environ.get("FUZZ_SEED", "0")
QUICK: Final = 400
"""Cases of the quick run, together."""
_LIMIT: Final = 60.0
"""Seconds of processor time after which a case hangs: thousands of times what the slowest takes."""

_log: Final = logging.getLogger(__name__)

Case = Callable[[Random], object]


class HangError(BaseException):
    """A case does not end; nothing that catches exceptions takes it for one of a note."""


def dice(family: str, number: int) -> Random:
    """The dice of one case."""
    return Random(f"{SEED}/{family}/{number}")


def run(family: str, case: Case, count: int) -> None:
    """Runs the cases from 1 to `count`, and logs the longest time of one.

    Raises:
        AssertionError: one failed; names it, with the error as its cause.
    """
    longest, slowest = 0.0, 0
    with _limited() as begin:
        for number in range(1, count + 1):
            start = begin()
            try:
                case(dice(family, number))
            except (Exception, HangError) as error:
                raise AssertionError(f"{family}, case {number} of seed {SEED}") from error
            if (spent := time.process_time() - start) > longest:
                longest, slowest = spent, number
    _log.info("%s: %.0f ms in case %d of seed %s", family, longest * 1000, slowest, SEED)


@contextmanager
def _limited() -> Iterator[Callable[[], float]]:
    """What begins a case and gives the processor time at which; `HangError` in one that hangs."""

    def hang(number: int, frame: FrameType | None) -> None:
        raise HangError(f"more than {_LIMIT:.0f} s of processor time")

    def begin() -> float:
        signal.setitimer(signal.ITIMER_PROF, _LIMIT)
        return time.process_time()

    before = signal.signal(signal.SIGPROF, hang)
    try:
        yield begin
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_clean(message: str) -> bool:
    """Whether a message repeats nothing of a note or its patient."""
    return not any(secret in message.lower() for secret in SECRETS)


@contextmanager
def refused() -> Iterator[list[str]]:
    """A block that may end in an error of ours, whose message is in the list then, and clean.

    Raises:
        AssertionError: the message repeats something.
    """
    said: list[str] = []
    try:
        yield said
    except (UsageError, InputError) as error:
        said.append(str(error))
        assert is_clean(without_names(said[0])), "the message repeats a note"


def without_names(message: str) -> str:
    """A message without the columns that it lists: the first line of a table is no patient's."""
    if "Say which is what" in message:
        return message.partition("; there are ")[0]
    return message.partition(" (")[0] if "more than one column is" in message else message
