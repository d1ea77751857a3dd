"""A cohort: what must stay the same for every note that is released together.

One secret key a cohort; purpose-separated keys are derived from it, so that what one purpose shows
tells nothing about another. `e0` is the cohort's public reference date: gaps are counted from it,
so it is a constant, never "today", and it lies on or after every note date. A ledger key of its own
may outlive the cohort: under it a patient has the same tag in the ledgers of all cohorts.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import secrets
import stat
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, Self

from dpdeid.errors import CohortError, SecretKeyError
from dpdeid.privacy.rng import KEY_BYTES, Streams, derive, tag

DEFAULT_E0: Final = dt.date(2030, 12, 31)
"""Reference date where neither the caller nor the policy names one: a constant, so that the same
key gives the same surrogates in any year.
"""
_YEARS_AHEAD: Final = 4
_LONGEST: Final = 64
_DISTINCT: Final = 8
"""So many bytes of a key differ, and steps between them: of 32 random ones fewer once in 10^40."""
_BASE64: Final = re.compile(r"(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[\w+/-]{43,}={0,2}", re.ASCII)


def horizon(made: dt.date) -> dt.date:
    """The e0 of a cohort made on a day, if none is named: the end of the fourth year after it."""
    return dt.date(made.year + _YEARS_AHEAD, 12, 31)


@dataclass(frozen=True, slots=True)
class Cohort:
    """Key and constants of one cohort.

    Args:
        key: the secret, at least 32 bytes. Whoever holds it can invert every surrogate.
        e0: the public reference date, on or after every note date.
        linkable: whether another run can use the same key; False for a fresh random one.
        ledger_key: tags the units of charges; by default derived from the key, so that it ends with
            it. Whoever holds it can tell whether a known patient is in a ledger, and no value.
        randomness: "keyed" draws from the key, so that a draw can be repeated; "system" draws every
            record anew, charges every draw anew, and can be inverted by nobody.

    Raises:
        SecretKeyError: see `check_key`; or the ledger key is the cohort's.
    """

    key: bytes = field(repr=False)
    e0: dt.date = DEFAULT_E0
    linkable: bool = True
    ledger_key: bytes | None = field(default=None, repr=False)
    randomness: Literal["keyed", "system"] = "keyed"
    _tag_key: bytes = field(init=False, repr=False, compare=False)
    _scope_key: bytes = field(init=False, repr=False, compare=False)
    _stream_key: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_key(self.key, "the key")
        if self.ledger_key is not None:
            check_key(self.ledger_key, "the ledger key")
        if type(self.e0) is not dt.date:
            raise CohortError(f"e0 is a datetime.date, not {type(self.e0).__name__}")
        if self.ledger_key is not None and self.ledger_key == self.key:
            raise SecretKeyError(
                "the ledger key is the cohort's key: who may add ledgers would hold every "
                "surrogate (dpdeid key new FILE makes another)"
            )
        own = own_ledger_key(self.key)
        object.__setattr__(self, "_tag_key", _short(self.ledger_key or own))
        object.__setattr__(self, "_scope_key", own)
        object.__setattr__(self, "_stream_key", derive(self.key, "streams"))

    @classmethod
    def fresh(cls, e0: dt.date = DEFAULT_E0) -> Self:
        """A cohort of its own, under a random key that is kept nowhere."""
        return cls(secrets.token_bytes(KEY_BYTES), e0, linkable=False)

    @property
    def fingerprint(self) -> str:
        """Eight bytes that tell keys apart and reveal nothing of them, in hex."""
        return fingerprint(self.key)

    @property
    def ledger_fingerprint(self) -> str:
        """The same of the ledger key: only ledgers with the same one can be added."""
        return fingerprint(self._tag_key)

    def released_id(self, id: str) -> str:  # noqa: A002 - the field's own name
        """The keyed id under which a row is released: 32 hex digits."""
        return tag(derive(self.key, "released id"), id, size=16)

    def unit(self, kind: str, id: str) -> str:  # noqa: A002 - as above
        """The tag of a privacy unit under the ledger key: 16 hex digits."""
        return unit_tag(self._tag_key, kind, id)

    def streams(self, kind: str, id: str, text: str = "") -> Streams:  # noqa: A002 - as above
        """The named random streams of one unit. The ledger key changes no draw.

        Args:
            text: of a note that is a unit of its own: another text under its id, which may be
                another patient's, draws on its own.
        """
        if self.randomness == "system":
            return Streams.fresh(self.unit(kind, id))
        unit = self.unit(kind, id)
        scope = unit if self._tag_key == self._scope_key else tag(self._scope_key, kind, id)
        return Streams(self._stream_key, unit, f"{scope} {self.seal(text)}" if text else scope)

    def seal(self, text: str) -> str:
        """What tells one text from another and nothing of either: 32 hex digits."""
        return tag(derive(self.key, "text of a note"), text, size=16)

    def check_repeatable(self, what: str) -> None:
        """Refuses what needs the same draws in another process.

        Raises:
            SecretKeyError: the key is kept nowhere, or nothing is drawn from it.
        """
        if not self.linkable or self.randomness == "system":
            raise SecretKeyError(
                f"{what} must draw what this process draws: it needs a key "
                "(--key-file, --cohort or DPDEID_KEY) and randomness: keyed"
            )


def _short(key: bytes) -> bytes:
    """A key by which units are tagged: itself, or what stands for one that is longer."""
    return key if len(key) <= _LONGEST else derive(key, "tags")


def own_ledger_key(key: bytes) -> bytes:
    """The ledger key of a cohort that was given no other."""
    return derive(key, "ledger")


def unit_tag(ledger_key: bytes, kind: str, id: str) -> str:  # noqa: A002 - the caller's own name
    """The tag of a privacy unit ("patient" or "note") under a ledger key: 16 hex digits."""
    return tag(_short(ledger_key), kind, id)


def fingerprint(key: bytes) -> str:
    """Eight bytes that tell keys apart and reveal nothing of them, in hex."""
    return tag(derive(key, "fingerprint"))


def check_key(key: bytes, source: str) -> None:
    """Refuses what is no key.

    Raises:
        SecretKeyError: no bytes, fewer than 32, or such that nobody drew; names `source`, never the
            content.
    """
    if not isinstance(key, bytes):
        raise SecretKeyError(
            f"a key is bytes, not {type(key).__name__}: bytes.fromhex(…) of one in hex, or "
            "dpdeid.cohort.cohort.read_key(…) of a key file"
        )
    if len(key) < KEY_BYTES:
        raise SecretKeyError(
            f"{source}: {len(key)} bytes; a key has at least {KEY_BYTES}, raw or in hex"
        )
    if _is_guessable(key):
        raise SecretKeyError(
            f"{source}: these bytes are not random, and can be guessed (a word, one byte again and "
            "again); dpdeid key new FILE makes a key"
        )


def parse_key(data: bytes, source: str) -> bytes:
    """The key in `data`: raw bytes, or hex text with white space around it. See `check_key`."""
    key = _unpacked(data)
    check_key(key, source)
    return key


def _unpacked(data: bytes) -> bytes:
    try:
        return bytes.fromhex(data.strip().decode("ascii"))
    except (UnicodeDecodeError, ValueError):
        return data


def _is_guessable(data: bytes) -> bool:
    """Whether nobody drew a key, raw or in hex: bytes or steps are nearly all equal, or words."""
    key = _unpacked(data)
    steps = {(after - before) % 256 for before, after in pairwise(key)}
    few = min(len({*key}), len(steps)) < _DISTINCT
    return few or (key is data and _is_text(data.strip()))


def _is_text(data: bytes) -> bool:
    """Whether somebody may have thought of it: a text, and no random bytes in base 64."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return text.isprintable() and _BASE64.fullmatch(text) is None


def read_key(path: Path) -> bytes:
    """The key in a file that only its owner can read. See `parse_key`.

    Windows has no such modes: who may read the file there is for the rights of its folder to say.

    Raises:
        SecretKeyError: no such file, others can read or write it, or it holds no key.
    """
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if os.name != "nt" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise SecretKeyError(
                    f"{path}: others than its owner may open this key (mode {mode:04o}): "
                    f"chmod 600 {path}"
                )
            return parse_key(file.read(), str(path))
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


def new_token() -> str:
    """A secret for one process, of as many random bytes as a key, that a header may hold."""
    return secrets.token_urlsafe(KEY_BYTES)


def destroy_key(path: Path) -> None:
    """Overwrites a key file and removes it. Copies elsewhere are not its to reach.

    Raises:
        SecretKeyError: the file cannot be overwritten; it is then left as it is.
    """
    try:
        with path.open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            file.write(secrets.token_bytes(size))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
    except OSError as error:
        raise SecretKeyError(f"cannot destroy the key file {path}: {error.strerror}") from None
