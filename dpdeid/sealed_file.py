"""Sealed mappings as files: a run adds to one, going back reads from it, forgetting takes from it.

A head that tells keys apart, then one line an entry (`dpdeid.sealed`). A line is on the disk before
the row that it leads back from is released. Entries are independent: a damaged one costs no other.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from dpdeid import durable
from dpdeid.errors import InputError, SealError, SealKeyError
from dpdeid.sealed import VERSION, Entry, Seal


@dataclass(frozen=True, slots=True)
class Sealer:
    """A sealed mapping while a run adds to it."""

    seal: Seal
    _file: BinaryIO = field(repr=False)
    _known: set[bytes] = field(repr=False)

    def add(self, notes: Iterable[Entry]) -> None:
        """Seals entries. They are on the disk when it returns."""
        new = {_name(line): line for line in map(self.seal.close, notes)}
        lines = [line for name, line in new.items() if name not in self._known]
        if lines:
            durable.append(self._file, lines)
            self._known.update(new)


@contextmanager
def sealing(path: Path, seal: Seal) -> Iterator[Sealer]:
    """A sealed mapping to add to, until the block ends; nobody else has it. Made if it is new.

    Raises:
        SealError: another run has it, it is none, it has another key, or it cannot be written.
    """
    if path.exists():  # looked at before it is opened to write, which cuts off a torn line
        with _opened(path) as file:
            head = file.readline()
        if not seal.head().startswith(head):
            _check_head(path, head, seal)
    with _held(path) as file:
        file.seek(0)
        known = {_name(line) for line in file}
        if not known:
            durable.append(file, [seal.head()])
        file.seek(0, 2)
        yield Sealer(seal, file, known)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed mapping to read from, indexed once.

    Args:
        damaged: numbers of the lines that are no entries.
    """

    path: Path
    seal: Seal
    damaged: tuple[int, ...]
    _file: BinaryIO = field(repr=False)
    _at: Mapping[str, Sequence[int]] = field(repr=False)

    def find(self, released_id: str, text: str | None = None) -> Entry:
        """The entry of a released note, the latest one if it was sealed several times.

        Args:
            text: as it was released; None takes whatever was.

        Raises:
            InputError: there is none, it was altered, or this is not the text that was released.
        """
        row = self.seal.row(released_id)
        found = [self._read(row, at) for at in self._at.get(row, ())]
        entries = [entry for entry in found if entry is not None]
        if not found:
            lines = f"; lines {_listed(self.damaged)} are damaged" if self.damaged else ""
            raise InputError(f"no entry in {self.path} (never sealed, or forgotten{lines})")
        if not entries:
            raise InputError(f"its entry in {self.path} was altered or damaged")
        fitting = [entry for entry in entries if text is None or entry.fits(text)]
        if not fitting:
            raise InputError("the text is not the one that was released")
        return fitting[-1]

    def _read(self, row: str, at: int) -> Entry | None:
        self._file.seek(at)
        parsed = _parsed(self._file.readline())
        return parsed and self.seal.open(row, parsed[1])


@contextmanager
def reading(path: Path, seal: Seal) -> Iterator[Sealed]:
    """A sealed mapping to read from, until the block ends.

    Raises:
        SealError: there is none, or it has another key; names both by their fingerprints.
    """
    at: dict[str, list[int]] = defaultdict(list)
    damaged = []
    with _opened(path) as file:
        _check_head(path, head := file.readline(), seal)
        offset = len(head)
        for number, line in enumerate(file, 2):
            if parsed := _parsed(line):
                at[parsed[0]].append(offset)
            else:
                damaged.append(number)
            offset += len(line)
        yield Sealed(path, seal, tuple(damaged), file, at)


def entries(path: Path, seal: Seal) -> Iterator[tuple[bytes, Entry]]:
    """Every line of a sealed mapping with its entry.

    Raises:
        SealError: there is none, it has another key, or a line is damaged; names it.
    """
    with _opened(path) as file:
        _check_head(path, file.readline(), seal)
        for number, line in enumerate(file, 2):
            parsed = _parsed(line)
            entry = parsed and seal.open(*parsed)
            if not entry:
                raise SealError(
                    f"{path}, line {number} is altered or cut off, so whose it is cannot be told: "
                    "nothing was removed (take out this line, then try again)"
                )
            yield line, entry


def remove(path: Path, lines: Set[bytes]) -> None:
    """Takes lines out of a sealed mapping.

    Raises:
        SealError: another run has it, or it cannot be written.
    """
    try:
        with _held(path) as file:
            file.seek(0)
            durable.replace(path, (line for line in file if line not in lines))
    except OSError as error:
        raise SealError(f"cannot write {path}: {error.strerror}") from None


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise SealError(f"cannot read the sealed mapping {path}: {error.strerror}") from None


def _held(path: Path) -> BinaryIO:
    try:
        return durable.open_end(path)
    except BlockingIOError:
        raise SealError(f"another run is using {path}") from None
    except OSError as error:
        raise SealError(f"cannot write {path}: {error.strerror}") from None


def _check_head(path: Path, line: bytes, seal: Seal) -> None:
    try:
        head = json.loads(line)
        version, key = head["sealed"], head["key"]
    except (KeyError, TypeError, ValueError):
        raise SealError(f"{path} is not a sealed mapping (run --seal writes one)") from None
    if version != VERSION:
        raise SealError(f"{path} has version {version}, this is {VERSION}")
    if key != seal.fingerprint:
        raise SealKeyError(
            f"wrong key: {path} was sealed under {key}, not under {seal.fingerprint} (fingerprints)"
        )


def _name(line: bytes) -> bytes:
    return blake2b(line, digest_size=16).digest()


def _parsed(line: bytes) -> tuple[str, str] | None:
    """Row and data of a line, None if it is damaged."""
    try:
        parsed = json.loads(line)
        row, data = parsed["row"], parsed["data"]
    except (KeyError, TypeError, ValueError):
        return None
    return (row, data) if isinstance(row, str) and isinstance(data, str) else None


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:5])) + (" …" if len(numbers) > 5 else "")
