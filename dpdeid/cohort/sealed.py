"""Sealed mappings: files of what leads released texts back to the originals, under their own key.

A run adds entries to one, going back reads from it, forgetting takes from it. An entry holds what
was replaced, not the note: it opens only the very text that was released. It is encrypted with
AES-SIV (RFC 5297), which needs no randomness: the same note sealed again is the same line. An entry
that is altered, cut or moved to another note opens no more. Without the key a line tells how much
was replaced, to 256 bytes, and nothing else.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from dpdeid.cohort import durable
from dpdeid.cohort.cohort import fingerprint
from dpdeid.document import Deidentified, Document
from dpdeid.errors import InputError, SealError, SealKeyError
from dpdeid.privacy.rng import derive, tag

VERSION: Final = 1
_PAD: Final = 256


@dataclass(frozen=True, slots=True)
class Entry:
    """What leads one released note back.

    Args:
        released_id: of the released row.
        id, patient_id, note_date: of the original row; the date in ISO form.
        digest: of the released text.
        pieces: from left to right: code points kept, code points of the surrogate, the original.
    """

    released_id: str = field(repr=False)
    digest: str
    id: str = field(repr=False)
    pieces: tuple[tuple[int, int, str], ...] = field(repr=False)
    patient_id: str | None = field(default=None, repr=False)
    note_date: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, doc: Document, result: Deidentified, released_id: str) -> Self:
        """The entry of a note and what was released of it."""
        pieces, done = [], 0
        for surrogate in result.surrogates:
            span = surrogate.mention.span
            pieces.append((span.start - done, len(surrogate.text), doc.text[span.start : span.end]))
            done = span.end
        date = doc.note_date.isoformat() if doc.note_date else None
        return cls(released_id, _digest(result.text), doc.id, tuple(pieces), doc.patient_id, date)

    def restore(self, text: str) -> str:
        """The original text, code point for code point.

        Raises:
            InputError: this is not the text that was released.
        """
        if not self.fits(text):
            raise InputError("the text is not the one that was released")
        parts: list[str] = []
        at = 0
        for kept, replaced, original in self.pieces:
            parts += (text[at : at + kept], original)
            at += kept + replaced
        return "".join((*parts, text[at:]))

    def fits(self, text: str) -> bool:
        """Whether this is the text that was released."""
        return _digest(text) == self.digest


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Seal:
    """Seals and opens entries under one key."""

    fingerprint: str
    _rows: bytes = field(repr=False)
    _cipher: AESSIV = field(repr=False)

    @classmethod
    def of(cls, key: bytes) -> Self:
        """The seal of a key of at least 32 bytes."""
        both = derive(key, "seal: authenticity") + derive(key, "seal: secrecy")
        return cls(fingerprint(key), derive(key, "seal: rows"), AESSIV(both))

    def row(self, released_id: str) -> str:
        """The keyed tag of a released note: 32 hex digits."""
        return tag(self._rows, released_id, size=16)

    def head(self) -> bytes:
        """The first line of a file."""
        return durable.json_line({"sealed": VERSION, "key": self.fingerprint})

    def close(self, entry: Entry) -> bytes:
        """The line of an entry."""
        row = self.row(entry.released_id)
        # Not as escapes, two of which can join into one character, but as the code points they are.
        values = {one.name: getattr(entry, one.name) for one in fields(entry)}
        data = json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")
        data += b" " * (-len(data) % _PAD)
        sealed = self._cipher.encrypt(data, [row.encode()])
        return durable.json_line({"row": row, "data": b64encode(sealed).decode()})

    def open(self, row: str, data: str) -> Entry | None:
        """The entry of a line; None if it was altered or sealed under another key."""
        try:
            plain = self._cipher.decrypt(b64decode(data, validate=True), [row.encode()])
        except (InvalidTag, ValueError):
            return None
        values = json.loads(plain.decode("utf-8", "surrogatepass"))
        return Entry(**{**values, "pieces": tuple(map(tuple, values["pieces"]))})


Sealer = Callable[[Iterable[Entry]], None]
"""Adds entries to a sealed mapping. They are on the disk when it returns."""


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
    with durable.held(path, SealError, path) as file:
        file.seek(0)
        lines = durable.Lines.of(file, file)
        file.seek(0, 2)
        if not lines.known:
            durable.append(file, [seal.head()])
        yield lambda notes: lines.add(map(seal.close, notes))


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
    with durable.held(path, SealError, path):
        durable.remove(path, lines, SealError)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise SealError(f"cannot read the sealed mapping {path}: {error.strerror}") from None


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


def _parsed(line: bytes) -> tuple[str, str] | None:
    try:
        parsed = json.loads(line)
        row, data = parsed["row"], parsed["data"]
    except (KeyError, TypeError, ValueError):
        return None
    return (row, data) if isinstance(row, str) and isinstance(data, str) else None


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:5])) + (" …" if len(numbers) > 5 else "")
