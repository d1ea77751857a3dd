"""Lines in the order of their keys, and items in groups, in memory that does not grow with their
number.

An external merge sort (Knuth, The Art of Computer Programming 3, 5.4): full chunks are sorted and
laid into a temporary file, and merged when they are read. The file has no name where the system can
do so, mode 0600, and is encrypted (AES-256 in counter mode) under a key that only this process has:
nothing of it is left, whatever ends the process. So the ledger file of a run is written without
holding one charge more than a chunk.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, TextIO, TypeVar

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from dpdeid.formats.write import json_text
from dpdeid.privacy.leakage import Table, of_charges, table_in
from dpdeid.privacy.ledger import Charge, totals

T = TypeVar("T")

_CHUNK: Final = 32 << 20
_BLOCK: Final = 64 << 10
_HELD: Final = 150
"""Bytes that a line costs in memory beside its own and its key's."""
_HEAD: Final = struct.Struct(">II")

_key: Final = itemgetter(0)


class ExternalSort:
    """Takes lines with their keys, gives the lines sorted by key; equal keys keep their order.

    Args:
        folder: where the temporary file lies; None takes the system's place for such files.
        chunk: bytes that are held in memory before they are laid into it.
    """

    def __init__(self, folder: Path | None = None, *, chunk: int | None = None) -> None:
        self._folder, self._chunk = folder, chunk or _CHUNK
        self._held: list[tuple[bytes, bytes]] = []
        self._size = 0
        self._file: IO[bytes] | None = None
        self._key = os.urandom(32)
        self._runs: list[tuple[int, int]] = []

    def close(self) -> None:
        """Removes the temporary file."""
        self._held = []
        if self._file is not None:
            with suppress(OSError):  # what was not written yet is not needed any more
                self._file.close()

    def add(self, key: bytes, line: bytes) -> None:
        """Takes one line.

        Raises:
            OSError: the temporary file cannot be written.
        """
        self._held.append((key, line))
        self._size += len(key) + len(line) + _HELD
        if self._size >= self._chunk:
            self._lay_down()

    def __iter__(self) -> Iterator[bytes]:
        """The lines; may be asked for several times, and again after more were added."""
        self._held.sort(key=_key)
        runs = [self._read(*run) for run in self._runs]
        yield from (line for _, line in merge(*runs, self._held, key=_key))

    def _lay_down(self) -> None:
        if self._file is None:
            self._file = TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed on exit
        self._held.sort(key=_key)
        start = self._file.seek(0, 2)
        veil = self._veil(start)
        for key, line in self._held:
            self._file.write(veil.update(_HEAD.pack(len(key), len(line)) + key + line))
        self._runs.append((start, self._file.tell()))
        self._held, self._size = [], 0

    def _veil(self, start: int) -> CipherContext:
        """What makes bytes of the file out of plain ones, and back, from a place on."""
        size = AES.block_size // 8
        veil = Cipher(AES(self._key), CTR((start // size).to_bytes(size, "big"))).encryptor()
        veil.update(bytes(start % size))
        return veil

    def _read(self, start: int, stop: int) -> Iterator[tuple[bytes, bytes]]:
        """The lines of one run, with their keys, read in blocks."""
        block, at, veil = b"", 0, self._veil(start)
        while start < stop or at < len(block):
            if len(block) - at >= _HEAD.size:
                keyed, long = _HEAD.unpack_from(block, at)
                middle = at + _HEAD.size + keyed
                if len(block) >= middle + long:
                    yield block[middle - keyed : middle], block[middle : middle + long]
                    at = middle + long
                    continue
            assert self._file is not None
            self._file.seek(start)
            more = self._file.read(min(max(_BLOCK, len(block) - at), stop - start))
            start += len(more)
            block, at = block[at:] + veil.update(more), 0


def grouped(
    items: Iterable[T], group: Callable[[T], str | None], folder: Path | None
) -> Iterator[list[T]]:
    """The items in groups: those of one name are together and in their order; groups are in that of
    their names, and an item without one stands alone, before them.

    Args:
        group: the name of the group of an item, None if it has none.
        folder: where they wait; None takes the system's place for such files.
    """
    with closing(ExternalSort(folder)) as waiting:
        for number, item in enumerate(items):
            name = group(item)
            key = b"\1" + _bytes(name) if name is not None else b"\0" + number.to_bytes(8, "big")
            waiting.add(key, pickle.dumps((key, item)))
        keyed = map(pickle.loads, waiting)  # what this process wrote, under a key of its own
        for _, members in groupby(keyed, itemgetter(0)):
            yield [item for _, item in members]


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


_ORDER: Final = ("unit", "mechanism", "event", "loss")
"""As `Ledger.rows` sorts."""


class ChargeFile:
    """Charges of many records, for a ledger file that `Ledger.from_json` reads.

    The union of all of them: a charge that comes again is written once.

    Args:
        folder: where they wait, see `ExternalSort`.
    """

    def __init__(self, folder: Path | None) -> None:
        self._sort = ExternalSort(folder)
        self.close = self._sort.close

    def add(self, charges: Iterable[Charge]) -> None:
        """Takes the charges of one record."""
        for charge in charges:
            row = charge.to_json()
            key = json.dumps([row[name] for name in _ORDER])
            self._sort.add(key.encode(), json.dumps(row, ensure_ascii=False).encode())

    def write(self, file: TextIO, head: Mapping[str, Any]) -> None:
        """Writes what a run says of itself, then the totals of each unit and every charge.

        With the losses of a unit stand its bits, where the head has those of its mechanisms.
        """
        bits = table_in(head)
        file.write(json_text(head).removesuffix("\n}\n"))
        file.write(',\n "totals": {')
        by_unit = groupby(self._rows(), key=lambda row: row["unit"])
        _written(file, (f"{json.dumps(unit)}: {_totals(rows, bits)}" for unit, rows in by_unit))
        file.write('},\n "charges": [')
        _written(file, map(_text, self._rows()))
        file.write("]\n}\n")

    def _rows(self) -> Iterator[dict[str, Any]]:
        before = None
        for line in self._sort:
            if line != before:
                yield json.loads(line)
            before = line


def _written(file: TextIO, entries: Iterable[str]) -> None:
    comma = ""
    for entry in entries:
        file.write(f"{comma}\n  {entry}")
        comma = ","
    if comma:
        file.write("\n ")


def _totals(rows: Iterable[Mapping[str, Any]], bits: Table) -> str:
    charges = [Charge.from_json(row) for row in rows]
    told: list[dict[str, Any]] = [one.to_json() for one in totals(one.loss for one in charges)]
    if (leaked := of_charges(charges, bits)) is not None:
        told.append({"kind": "MaximalLeakage", "bits": leaked})
    return _text(told)


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
