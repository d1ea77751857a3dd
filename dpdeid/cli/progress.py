"""How far a command is: a line that moves on a terminal, one summary line at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

Show = Callable[[str], None]


class Meter:
    """Counts what was read and what is done, and shows both. Not frozen: it counts.

    Args:
        show: gets the words to show.
        verb: what is done to a note: "de-identified".
    """

    def __init__(self, show: Show, verb: str) -> None:
        self._show, self._verb = show, verb
        self._start = time.monotonic()
        self.read = self.done = 0

    def reading(self, items: Iterable[T]) -> Iterator[T]:
        """The same items, counted as they are read."""
        for item in items:
            self.read += 1
            self._tell()
            yield item

    def finish(self, notes: int = 1) -> None:
        """Counts notes that are done."""
        self.done += notes
        self._tell()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def _tell(self) -> None:
        self._show(f"{self.read:,} notes read, {self.done:,} {self._verb}")


@contextmanager
def metering(verb: str) -> Iterator[Meter]:
    """A meter, on standard error if that is a terminal; else it counts without showing."""
    if not sys.stderr.isatty():
        yield Meter(lambda words: None, verb)
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield Meter(lambda words: bar.update(task, description=words), verb)


def progress(items: Iterable[T], verb: str) -> Iterator[T]:
    """The same items, each done when the next one is asked for; counted as `metering` does."""
    with metering(verb) as meter:
        for item in meter.reading(items):
            yield item
            meter.finish()
