"""Sealed entries: what leads one released text back to the original, under a key of its own.

An entry holds what was replaced, not the note: it opens only the very text that was released. It is
encrypted with AES-SIV (RFC 5297), which needs no randomness: the same note sealed again is the same
line. An entry that is altered, cut or moved to another note opens no more. Without the key a line
tells how much was replaced, to 256 bytes, and nothing else. Files of them: `dpdeid.sealed_file`.
Needs the extra `sealed` (cryptography).
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Self

from dpdeid.cohort import fingerprint
from dpdeid.document import Deidentified, Document
from dpdeid.errors import InputError, SealError
from dpdeid.privacy.rng import derive, tag

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

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
            original = doc.text[span.start : span.end]
            pieces.append((span.start - done, len(surrogate.text), original))
            done = span.end
        date = doc.note_date.isoformat() if doc.note_date else None
        digest = _digest(result.text)
        return cls(released_id, digest, doc.id, tuple(pieces), doc.patient_id, date)

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
        """The seal of a key of at least 32 bytes.

        Raises:
            SealError: the extra `sealed` is not installed.
        """
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESSIV
        except ImportError:
            raise SealError(
                "a sealed mapping needs the package cryptography: pip install '.[sealed]' in a "
                "checkout of dpdeid"
            ) from None
        both = derive(key, "seal: authenticity") + derive(key, "seal: secrecy")
        return cls(fingerprint(key), derive(key, "seal: rows"), AESSIV(both))

    def row(self, released_id: str) -> str:
        """The keyed tag of a released note: 32 hex digits."""
        return tag(self._rows, released_id, size=16)

    def head(self) -> bytes:
        """The first line of a file."""
        return _line({"sealed": VERSION, "key": self.fingerprint})

    def close(self, entry: Entry) -> bytes:
        """The line of an entry."""
        row = self.row(entry.released_id)
        # Not as escapes, two of which can join into one character, but as the code points they are.
        values = {one.name: getattr(entry, one.name) for one in fields(entry)}
        data = json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")
        data += b" " * (-len(data) % _PAD)
        sealed = self._cipher.encrypt(data, [row.encode()])
        return _line({"row": row, "data": b64encode(sealed).decode()})

    def open(self, row: str, data: str) -> Entry | None:
        """The entry of a line; None if it was altered or sealed under another key."""
        from cryptography.exceptions import InvalidTag

        try:
            plain = self._cipher.decrypt(b64decode(data, validate=True), [row.encode()])
        except (InvalidTag, ValueError):
            return None
        values = json.loads(plain.decode("utf-8", "surrogatepass"))
        return Entry(**{**values, "pieces": tuple(map(tuple, values["pieces"]))})


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"
