"""Who went back from released notes to the originals: one line a time, beside the sealed mapping.

A line names the user of the operating system, the time, what was done and the keyed tags of the
notes: never a text, an id or a name. It is on the disk before anything is shown. Whoever can write
the file can change it: send it where they cannot.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from dpdeid.cohort import durable
from dpdeid.errors import SealError

SUFFIX: Final = ".log"

Action = Literal["restore", "reveal ids", "forget", "refused: wrong key"]


def record(sealed: Path, action: Action, key: str, rows: Sequence[str] = ()) -> None:
    """Adds a line to the log of a sealed mapping.

    Args:
        key: the fingerprint of the key that was used.
        rows: keyed tags of the notes.

    Raises:
        SealError: it cannot be written; then nothing may be shown.
    """
    path = path_of(sealed)
    row = {
        "when": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "who": user(),
        "what": action,
        "key": key,
        "rows": list(rows),
    }
    try:
        with durable.open_end(path, wait=True) as file:
            durable.append(file, [durable.json_line(row)])
    except OSError as error:
        reason = f"{error.strerror}; without it nothing is shown"
        raise SealError(f"cannot write the access log {path}: {reason}") from None


def path_of(sealed: Path) -> Path:
    """The log of a sealed mapping: its own name and ".log"."""
    return sealed.with_name(sealed.name + SUFFIX)


def user() -> str:
    """The user of this process as the operating system knows it, not as the environment says."""
    try:
        import pwd
    except ImportError:  # Windows
        return os.getlogin()
    number = os.getuid()
    try:
        return f"{pwd.getpwuid(number).pw_name} ({number})"
    except KeyError:
        return f"({number})"
