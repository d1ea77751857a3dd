"""A cohort: what must stay the same for every note that is released together.

One secret key a cohort; purpose-separated keys are derived from it, so that what one purpose shows
tells nothing about another. `e0` is the cohort's public reference date: gaps are counted from it,
so it is a constant, never "today", and it lies on or after every note date.
"""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from dpdeid.errors import SecretKeyError
from dpdeid.privacy.rng import KEY_BYTES, Streams, derive, tag

DEFAULT_E0: Final = dt.date(2026, 12, 31)
"""Reference date where neither the caller nor the policy names one."""


@dataclass(frozen=True, slots=True)
class Cohort:
    """Key and constants of one cohort.

    Args:
        key: the secret, at least 32 bytes. Whoever holds it can invert every surrogate.
        e0: the public reference date, on or after every note date.
        linkable: whether another run can use the same key; False for a fresh random one.
    """

    key: bytes = field(repr=False)
    e0: dt.date = DEFAULT_E0
    linkable: bool = True

    def __post_init__(self) -> None:
        if len(self.key) < KEY_BYTES:
            raise SecretKeyError(
                f"the key has {len(self.key)} bytes; at least {KEY_BYTES} are needed "
                "(dpdeid key new FILE makes one)"
            )

    @classmethod
    def fresh(cls, e0: dt.date = DEFAULT_E0) -> Self:
        """A cohort of its own, under a random key that is kept nowhere."""
        return cls(secrets.token_bytes(KEY_BYTES), e0, linkable=False)

    @property
    def fingerprint(self) -> str:
        """Eight bytes that tell keys apart and reveal nothing of them, in hex."""
        return tag(derive(self.key, "fingerprint"))

    def released_id(self, id: str) -> str:  # noqa: A002 - the field's own name
        """The keyed id under which a row is released: 32 hex digits."""
        return tag(derive(self.key, "released id"), id, size=16)

    def unit(self, kind: str, id: str) -> str:  # noqa: A002 - as above
        """The keyed tag of a privacy unit: 16 hex digits."""
        return tag(derive(self.key, "ledger"), kind, id)

    def streams(self, unit: str) -> Streams:
        """The named random streams of one unit."""
        return Streams(derive(self.key, "streams"), unit)


def parse_key(data: bytes, source: str) -> bytes:
    """The key in `data`: raw bytes, or hex text with white space around it.

    Raises:
        SecretKeyError: fewer than 32 bytes; names `source`, never the content.
    """
    text = data.strip()
    try:
        key = bytes.fromhex(text.decode("ascii"))
    except (UnicodeDecodeError, ValueError):
        key = data
    if len(key) < KEY_BYTES:
        raise SecretKeyError(
            f"{source}: {len(key)} bytes; a key has at least {KEY_BYTES}, raw or in hex"
        )
    return key


def read_key(path: Path) -> bytes:
    """The key in a file. See `parse_key`."""
    try:
        return parse_key(path.read_bytes(), str(path))
    except OSError as error:
        raise SecretKeyError(f"cannot read the key file {path}: {error.strerror}") from None


def write_key(path: Path) -> None:
    """A new random key in hex, in a file only its owner can read. Never overwrites.

    Raises:
        SecretKeyError: the file exists or cannot be written.
    """
    try:
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(secrets.token_hex(KEY_BYTES) + "\n", encoding="ascii")
    except FileExistsError:
        raise SecretKeyError(f"{path} exists; a key is never overwritten") from None
    except OSError as error:
        raise SecretKeyError(f"cannot write the key file {path}: {error.strerror}") from None
