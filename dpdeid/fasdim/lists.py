"""A site's lists: what its experts decided of words and number patterns, in a folder of files.

    words.tsv     word, verdict, specialty, source
    numbers.tsv   word before, word after ("*": any), verdict, specialty, source
    found.tsv     what `extract` found and nobody has decided: private, real words of notes
    lists.log     who reviewed when, how much, for how long
    policy.yaml   the policy `fasdim` with these lists, for `dpdeid run`

A line stands for itself, so that the files of two sites can be put together line by line; where
lines contradict each other the forbidding one holds. A line of a specialty ("acacia" in
allergology) holds there before the others.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from dpdeid.cohort import durable
from dpdeid.cohort.access_log import user
from dpdeid.errors import PolicyError
from dpdeid.fasdim import starting
from dpdeid.fasdim.numbers import Number, Shape
from dpdeid.fasdim.starting import STARTING, Verdict

ANY: Final = "*"
WORDS, NUMBERS, FOUND, LOG, POLICY = (
    "words.tsv", "numbers.tsv", "found.tsv", "lists.log", "policy.yaml",
)  # fmt: skip
_HEAD: Final = "# dpdeid fasdim 1"
"""First line of a file, with the version of its form; "empty" behind it: no starting list."""
_EMPTY: Final = " empty"

Key = tuple[str, ...]
"""A word, or the words before and after a number."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One decision.

    Args:
        specialty: where it holds, "" for everywhere.
        source: which site or review it comes from.
    """

    key: Key = field(repr=False)
    verdict: Verdict
    specialty: str = ""
    source: str = ""

    def line(self) -> str:
        return "\t".join((*self.key, self.verdict, self.specialty, self.source))


@dataclass(frozen=True, slots=True)
class Lists:
    """Decisions by what they are about and where they hold.

    Args:
        starting: whether the starting list answers for what nobody has decided.
    """

    entries: Mapping[tuple[Key, str], Entry] = field(default_factory=dict, repr=False)
    starting: bool = True
    specialty: str = ""

    @classmethod
    def of(cls, entries: Iterable[Entry], *, starting: bool = True, specialty: str = "") -> Lists:
        """The lists of these decisions; of several on one thing the forbidding one."""
        held: dict[tuple[Key, str], Entry] = {}
        for entry in entries:
            place = (entry.key, entry.specialty)
            if place not in held or _STRICTNESS[entry.verdict] > _STRICTNESS[held[place].verdict]:
                held[place] = entry
        return cls(held, starting, specialty)

    def decided(self, *keys: Key) -> Verdict | None:
        """What an expert decided of the first of these keys that has an entry."""
        if not self.entries:
            return None
        for specialty in dict.fromkeys((self.specialty, "")):
            for key in keys:
                if entry := self.entries.get((key, specialty)):
                    return entry.verdict
        return None

    def word(self, word: str) -> Verdict | None:
        """The verdict on a folded word, None if nobody has decided."""
        verdict = self.decided((word,))
        if verdict is not None or not self.starting:
            return verdict
        verdict = STARTING[word]
        return None if verdict is Verdict.FORBIDDEN and not starting.is_known(word) else verdict

    def number(self, number: Number) -> Verdict | None:
        """The verdict on a number, None if nobody has decided; what is no measure is forbidden. A
        pattern of the word before alone holds where that may be (`starting.by_word_before`).
        """
        if number.shape is Shape.OTHER:
            return Verdict.FORBIDDEN
        before, after = number.before, number.after
        verdict = self.decided((before, after), (ANY, after))
        if verdict is None and starting.by_word_before(number):
            verdict = self.decided((before, ANY))
        if verdict is None and self.starting and starting.vouches(number):
            return Verdict.AUTHORIZED
        return verdict

    def with_decisions(self, entries: Iterable[Entry]) -> Lists:
        """The same with these in the place of older ones."""
        new = {(entry.key, entry.specialty): entry for entry in entries}
        return replace(self, entries={**self.entries, **new})


_STRICTNESS: Final = {Verdict.AUTHORIZED: 0, Verdict.LOWER: 1, Verdict.FORBIDDEN: 2}


def create(folder: Path, *, starting: bool = True) -> None:
    """Makes the folder of empty lists.

    Raises:
        PolicyError: it holds lists, or cannot be written.
    """
    if (folder / WORDS).exists():
        raise PolicyError(f"{folder} holds lists already")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise PolicyError(f"cannot make {folder}: {error.strerror}") from None
    write(folder, Lists(starting=starting))
    text = "detectors: [{fasdim: {lists: .}}]\n"
    durable.replace(folder / POLICY, (_POLICY.format(text).encode(),), PolicyError)


_POLICY: Final = """\
name: fasdim
description: "what the lists of this folder do not vouch for is removed"
unit: note
{}merge: union
strategies: []
default: {{redact: {{form: mask}}}}
"""


def read(folder: Path, specialty: str = "") -> Lists:
    """The lists of a folder.

    Raises:
        PolicyError: there are none, or a line is no decision; names file and line.
    """
    heads = set[str]()
    entries = [*_entries(folder / WORDS, 1, heads), *_entries(folder / NUMBERS, 2, heads)]
    return Lists.of(entries, starting=not any(_EMPTY in h for h in heads), specialty=specialty)


def _entries(path: Path, width: int, heads: set[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines_of(path), 1):
        if line.startswith("#"):
            if number == 1 and not re.fullmatch(f"{_HEAD}(?:{_EMPTY})?", line):
                raise PolicyError(f"{path}: its form is another; this version reads {_HEAD!r}")
            heads.add(line)
            continue
        *key, verdict, specialty, source = [*line.split("\t"), "", "", ""][: width + 3]
        if verdict not in list(Verdict) or not all(key):
            allowed = ", ".join(Verdict)
            raise PolicyError(f"{path}, line {number}: no decision (one of {allowed})")
        yield Entry(tuple(key), Verdict(verdict), specialty, source)


def lines_of(path: Path) -> list[str]:
    """The lines of a list that hold something.

    Raises:
        PolicyError: it cannot be read.
    """
    try:
        return list(filter(None, path.read_text(encoding="utf-8").splitlines()))
    except OSError as error:
        raise PolicyError(f"cannot read the list {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PolicyError(f"cannot read the list {path}: it is not UTF-8") from None


def write(folder: Path, lists: Lists) -> None:
    """Puts lists in the place of those of a folder; only their owner can read them.

    Raises:
        PolicyError: they cannot be written.
    """
    head = _HEAD if lists.starting else _HEAD + _EMPTY
    for name, width in ((WORDS, 1), (NUMBERS, 2)):
        entries = sorted(e for e in lists.entries.values() if len(e.key) == width)
        replace_lines(folder / name, (head, *(entry.line() for entry in entries)))


def replace_lines(path: Path, lines: Iterable[str]) -> None:
    """Puts lines in the place of a file, all or nothing.

    Raises:
        PolicyError: they cannot be written.
    """
    durable.replace(path, (f"{line}\n".encode() for line in lines), PolicyError)


def merged(lists: Lists, others: Iterable[Lists]) -> Lists:
    """The decisions of several lists; the starting list if one of them has it."""
    every = [lists, *others]
    entries = [entry for one in every for entry in one.entries.values()]
    return Lists.of(entries, starting=any(one.starting for one in every))


def record(log: Path, what: str, **figures: float | str) -> None:
    """Adds a line to a log: who did what, when, and figures; no word of a note.

    Raises:
        PolicyError: it cannot be written.
    """
    row = {
        "when": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "who": user(),
        "what": what,
        **figures,
    }
    try:
        with durable.open_end(log, wait=True) as file:
            durable.append(file, [durable.json_line(row)])
    except OSError as error:
        raise PolicyError(f"cannot write {log}: {error.strerror}") from None


def history(folder: Path) -> list[dict[str, Any]]:
    """The lines of the log, oldest first; none if there is none.

    Raises:
        PolicyError: it cannot be read.
    """
    path = folder / LOG
    return [json.loads(line) for line in lines_of(path)] if path.exists() else []
