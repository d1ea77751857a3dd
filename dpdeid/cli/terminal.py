"""What commands share at a terminal: exit codes, counts, how far they are, how they end.

A closed pipe and Ctrl-C end without a word, each with its own exit code. Left alone, typer ends
both a closed pipe and a failed check with 1.
"""

from __future__ import annotations

import datetime as dt
import logging
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn, TypeVar

import typer
from rich.console import Console as RichConsole
from rich.table import Column, Table
from rich.text import Text
from typer.core import TyperGroup

from dpdeid.errors import UsageError

EXIT_OK: Final = 0
EXIT_CHECK_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_SOME_FAILED: Final = 3
EXIT_NONE: Final = 4
"""No row was processed."""
EXIT_IO: Final = 5
"""Reading or writing failed on the way: a full disk, a lost drive."""
EXIT_INTERRUPTED: Final = 130
"""Ctrl-C; 128 and the number of the signal, as shells count."""
EXIT_BROKEN_PIPE: Final = 141
"""Whoever read the output closed it, as `head` does: what came out is not all there was."""
EXIT_TERMINATED: Final = 143
"""The signal TERM."""

PIPED: Final = 80
"""Columns of what goes into a pipe or file."""

_told: Final = logging.getLogger("dpdeid")
_STAMP: Final = "%Y-%m-%dT%H:%M:%S%z"
_DAY: Final = re.compile(rb"\d{4}-\d\d-\d\dT")

T = TypeVar("T")


class Commands(TyperGroup):
    """The group of all commands: what one returns is the exit code, once all is written."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                code = super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            drop_stdout()
            code = EXIT_BROKEN_PIPE
        except KeyboardInterrupt:
            code = EXIT_INTERRUPTED
        if code:
            raise typer.Exit(code)


class Console(RichConsole):
    """A console that leaves figures uncoloured and a closed pipe to the command, not to rich. What
    goes into a pipe or file is 80 columns wide, whatever the terminal beside it, unless COLUMNS
    says otherwise.
    """

    def __init__(self, **options: Any) -> None:
        if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
            options = {"width": PIPED} | options
        super().__init__(highlight=False, **options)

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def table(
    columns: Iterable[str | Column], rows: Iterable[Iterable[str | Text]], **options: Any
) -> Table:
    """A table of these rows, to be printed. What is too wide for its column goes on below."""
    made = Table(*columns, **options)
    for row in rows:
        made.add_row(*row)
    for column in made.columns:
        column.overflow = "fold"
    return made


def drop_stdout() -> None:
    """Lets what is still to be written go nowhere, or the interpreter fails on it once more."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # not a file, or closed: nothing is written any more
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def end_on_term() -> None:
    """Lets the signal TERM end the process as an exit does: half-written files are removed."""
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(EXIT_TERMINATED)


def exit_code(done: int, failed: int) -> int:
    """The code of a command that works on rows; where there was none to work on it says so."""
    if not done:
        tell("no row was processed", error=True)
        return EXIT_NONE
    return EXIT_SOME_FAILED if failed else EXIT_OK


@dataclass(frozen=True, slots=True)
class Listening:
    """Who hears what is told.

    Args:
        quiet: standard error has errors alone.
        log: a file to which all of it is added, with times; never text of a note, for none is told.
    """

    quiet: bool = False
    log: Path | None = None


def listen(how: Listening) -> None:
    """From now on what this process tells, and what the package logs, is heard so.

    Raises:
        UsageError: the log cannot be written, or is a file of another kind.
    """
    global _listening
    heard: list[logging.Handler] = [_OnStderr(logging.ERROR if how.quiet else logging.INFO)]
    if how.log is not None:
        heard.append(_log_at(how.log))
    for handler in [*_told.handlers]:
        _told.removeHandler(handler)
        handler.close()
    for handler in heard:
        _told.addHandler(handler)
    _told.setLevel(logging.INFO)
    _listening = how


def listening() -> Listening:
    """Who hears what is told, for processes that this one starts."""
    return _listening


def speak(translate: Callable[[str], str]) -> None:
    """From now on people are told things as this function words them. A log keeps the words of the
    program: what looks for them there is no reader of one language.
    """
    global _translate
    _translate = translate


def worded(words: str) -> str:
    """What somebody is told, in the language that this process speaks."""
    return _translate(words)


class _OnStderr(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print(f"dpdeid: {worded(record.getMessage())}", file=sys.stderr)


def _log_at(path: Path) -> logging.Handler:
    """A log that only its owner can read; lines are added whole, also by several processes."""
    if path.is_dir():
        raise UsageError(f"--log {path}: it is a folder")
    try:
        path.touch(mode=0o600)
        if path.is_file():  # and no device
            with path.open("rb") as file:
                if (start := file.read(11)) and not _DAY.match(start):
                    raise UsageError(f"--log {path}: what is no log of dpdeid is not added to")
            path.chmod(0o600)
    except OSError as error:
        raise UsageError(f"cannot write the log {path}: {error.strerror}") from None
    handler = logging.FileHandler(path, "a", "utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", _STAMP))
    return handler


def tell(words: str, *, error: bool = False) -> None:
    """Says something on standard error, as the command, and to the log.

    Args:
        error: it is why the command did not do what it was asked; said under --quiet too.
    """
    _told.log(logging.ERROR if error else logging.INFO, "%s", words)


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural where there is not one of it.

    >>> counted(1, "note"), counted(0, "row"), counted(1234, "charge")
    ('1 note', '0 rows', '1,234 charges')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Meter:
    """Counts what was read and what is done, and shows both.

    Args:
        show: gets the words to show.
        verb: what is done to a note: "de-identified".
    """

    def __init__(self, show: Callable[[str], None], verb: str) -> None:
        self._show, self._verb = show, verb
        self._start = time.monotonic()
        self._first: tuple[float, int] | None = None
        self._all_read = False
        self.read = self.done = 0

    def reading(self, items: Iterable[T]) -> Iterator[T]:
        """The same items, counted as they are read."""
        for item in items:
            self.read += 1
            self._tell()
            yield item
        self._all_read = True

    def finish(self, notes: int = 1) -> None:
        """Counts notes that are done."""
        self.done += notes
        self._first = self._first or (time.monotonic(), self.done)
        self._tell()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def _tell(self) -> None:
        words = f"{self.read:,} notes read, {self.done:,} {self._verb}"
        since, before = self._first or (0.0, 0)
        if self.done > before:
            speed = (self.done - before) / max(time.monotonic() - since, 1e-3)
            words += f", {speed:,.0f} a second"
            if self._all_read and self.done < self.read:
                left = dt.timedelta(seconds=round((self.read - self.done) / speed))
                words += f", {left} left"
        self._show(words)


@contextmanager
def metering(verb: str) -> Iterator[Meter]:
    """A meter, on standard error if that is a terminal; else it counts without showing, and so it
    does under --quiet.
    """
    if _listening.quiet or not sys.stderr.isatty():
        yield Meter(lambda words: None, verb)
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=RichConsole(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield Meter(lambda words: bar.update(task, description=worded(words)), verb)


def progress(items: Iterable[T], verb: str) -> Iterator[T]:
    """The same items, each done when the next one is asked for; counted as `metering` does."""
    with metering(verb) as meter:
        for item in meter.reading(items):
            yield item
            meter.finish()


_translate: Callable[[str], str] = str
_listening: Listening
listen(Listening())
