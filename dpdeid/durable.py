"""Private files of lines that outlive a crash: one process adds, and they are replaced whole.

What is written here is on the disk before anything is released on the strength of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

_BLOCK: Final = 1 << 16


def open_end(path: Path, *, wait: bool = False) -> BinaryIO:
    """A file at its end, for this process alone until it is closed; a new one has mode 0600.

    A last line without its end is cut off: whoever wrote it was interrupted.

    Args:
        wait: until another process has done with it.

    Raises:
        BlockingIOError: another process has it.
        OSError: it cannot be opened or written.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    file = os.fdopen(descriptor, "r+b")
    try:
        _lock(file, wait)
        if not os.path.samestat(os.fstat(descriptor), path.stat()):  # replaced in the meantime
            raise BlockingIOError
        whole = _end_of_lines(descriptor)
        file.truncate(whole)
        file.seek(whole)
        os.fsync(descriptor)
        _sync_folder(path.parent)
    except BaseException:
        file.close()
        raise
    return file


def append(file: BinaryIO, lines: Iterable[bytes]) -> None:
    """Writes whole lines and waits until they are on the disk."""
    file.writelines(lines)
    file.flush()
    os.fsync(file.fileno())


def replace(path: Path, lines: Iterable[bytes]) -> None:
    """Puts these lines in the place of a file, all or nothing; only its owner can read it.

    Raises:
        OSError: they cannot be written; the file is as it was.
    """
    path = path.resolve()
    new = path.with_name(f"{path.name}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            append(file, lines)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _end_of_lines(descriptor: int) -> int:
    """Where the last whole line ends."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    while end > 0:
        start = max(end - _BLOCK, 0)
        os.lseek(descriptor, start, os.SEEK_SET)
        found = os.read(descriptor, end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _lock(file: BinaryIO, wait: bool) -> None:
    try:
        import fcntl
    except ImportError:  # Windows refuses the second writer by itself
        return
    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _sync_folder(directory: Path) -> None:
    """Waits until the names in a folder are on the disk."""
    if os.name == "nt":  # folders cannot be opened there, and names are written through
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
