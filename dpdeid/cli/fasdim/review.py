"""`dpdeid fasdim review`: an expert decides on words and numbers, at the keyboard or in a table."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

import typer

from dpdeid.cli.fasdim.lists import documents
from dpdeid.cli.terminal import Console, counted, tell, worded
from dpdeid.errors import UsageError
from dpdeid.fasdim import extract as words
from dpdeid.fasdim import lists as site
from dpdeid.fasdim.extract import Found
from dpdeid.fasdim.lists import Key, Lists
from dpdeid.fasdim.review import HELP_NUMBERS, HELP_WORDS, IDLE, Review, press
from dpdeid.formats.write import keep_apart, open_private

_CONTEXTS: Final = 5


def review(
    directory: Path,
    notes: str | None = None,
    specialty: str = "",
    name: str = "",
    to_csv: Path | None = None,
    from_csv: Path | None = None,
) -> None:
    """Asks for a decision on what `extract` found, or writes or reads it as a table.

    Raises:
        UsageError: the lists, the notes or a table are refused, or there is no terminal.
    """
    own = site.read(directory)
    if from_csv is not None:
        with _table(from_csv) as file:
            entries = words.read_table(file, specialty, name)
        site.write(directory, own.with_decisions(entries))
        site.record(directory / site.LOG, "table", decided=len(entries))
        tell(f"{counted(len(entries), 'decision')} taken")
        return
    waiting = tuple(one for one in _waiting(directory) if own.decided(one.key) is None)
    docs = () if notes is None else documents(notes)
    shown = words.contexts(docs, own, (one.key for one in waiting), _CONTEXTS)
    if to_csv is not None:
        keep_apart((directory / site.FOUND,), to_csv)
        with open_private(to_csv) as file:
            words.write_table(file, ((one, "".join(shown[one.key][:1])) for one in waiting))
        site.record(directory / site.LOG, "table written", waiting=len(waiting))
        return
    if not at_terminal():
        raise UsageError("a review needs a terminal; without one: --to-csv FILE, then --from-csv")
    _ask(directory, own, Review(waiting), shown, specialty, name)


def at_terminal() -> bool:
    return sys.stdin.isatty()


def _waiting(directory: Path) -> tuple[Found, ...]:
    path = directory / site.FOUND
    if not path.exists():
        raise UsageError(f"{path} is not there: run dpdeid fasdim extract first")
    return words.parse(site.lines_of(path))


@contextmanager
def _table(path: Path) -> Iterator[TextIO]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield file
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {type(error).__name__}") from None


def _ask(
    directory: Path,
    own: Lists,
    start: Review,
    contexts: Mapping[Key, Sequence[str]],
    specialty: str,
    name: str,
) -> None:
    """Every decision is on the disk before the next is asked."""
    state, minutes = start, 0.0
    try:
        for state, minutes in asking(start, _shown, lambda one: contexts[one.key]):  # noqa: B007
            site.write(directory, own.with_decisions(state.entries(specialty, name)))
    finally:
        decided = len(list(state.entries()))
        site.record(directory / site.LOG, "review", decided=decided, minutes=minutes, name=name)
        tell(f"{counted(decided, 'decision')} in {minutes:.1f} minutes")


def asking(
    state: Review, shown: Callable[[Review, Any], str], contexts: Callable[[Any], Iterable[str]]
) -> Iterator[tuple[Review, float]]:
    """Shows one thing after the other until nothing is left or the expert ends: the review after
    each key, and the minutes spent so far.
    """
    console, spent, last = Console(), 0.0, time.monotonic()
    while (asked := state.asked) is not None:
        console.print(shown(state, asked), markup=False)
        if state.shows_context:
            for line in contexts(asked):
                console.print(f"    {line}", markup=False, no_wrap=True)
        state = press(state, typer.getchar())
        now = time.monotonic()
        spent, last = spent + min(now - last, IDLE), now
        yield state, round(spent / 60, 2)


def _shown(state: Review, asked: Found) -> str:
    place = f"{len(state.decisions) + 1}/{len(state.waiting)}"
    shown = asked.key[0] if len(asked.key) == 1 else f"{asked.key[0]} # {asked.key[1]}"
    often = f"{asked.count:,} times in {counted(asked.notes, 'note')}"
    keys = HELP_WORDS if len(asked.key) == 1 else HELP_NUMBERS
    return f"{place}  {shown}  ({worded(often)})\n  {worded(keys)}"
