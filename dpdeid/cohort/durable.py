"""Files that outlive a crash: one process adds lines to them, or they are replaced whole.

What is written here is on the disk before anything is released on the strength of it. A file that
is replaced is written beside its place, under its name with eight hexadecimal digits and ".part"
behind it, and renamed when it is complete: whoever was killed leaves the old file as it was, and a
".part" that goes with the next one who writes that file, or can be deleted.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Final, Self

_BLOCK: Final = 1 << 16
_PRIVATE, _PUBLIC = 0o600, 0o666
"""Modes of new files; the user's mask holds for both."""


def open_end(path: Path, *, wait: bool = False, shared: bool = False) -> BinaryIO:
    """A file at its end, for this process alone until it is closed; a new one has mode 0600.

    A last line without its end is cut off: whoever wrote it was interrupted.

    Args:
        wait: until another process has done with it.
        shared: for all that open it so, and nobody else; nothing is written to it.

    Raises:
        BlockingIOError: another process has it.
        OSError: it cannot be opened or written, or cannot be shared here.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    file = os.fdopen(descriptor, "r+b")
    try:
        _lock(file, wait, shared)
        if not os.path.samestat(os.fstat(descriptor), path.stat()):  # replaced in the meantime
            raise BlockingIOError
        if shared:
            return file
        whole = _end_of_lines(descriptor)
        file.truncate(whole)
        file.seek(whole)
        os.fsync(descriptor)
        _sync_folder(path.parent)
    except BaseException:
        file.close()
        raise
    return file


def json_line(row: Mapping[str, object]) -> bytes:
    """A row as a line of JSON."""
    return json.dumps(row).encode() + b"\n"


def append(file: BinaryIO, lines: Iterable[bytes]) -> None:
    """Writes whole lines and waits until they are on the disk."""
    file.writelines(lines)
    file.flush()
    os.fsync(file.fileno())


@dataclass(frozen=True, slots=True)
class Lines:
    """A file of lines, each of which stands in it once.

    Args:
        known: sixteen bytes for each line that is there: a run holds them all.
    """

    file: BinaryIO = field(repr=False)
    known: set[bytes] = field(repr=False)

    @classmethod
    def of(cls, file: BinaryIO, lines: Iterable[bytes]) -> Self:
        """The file that holds these lines."""
        return cls(file, {_name(line) for line in lines})

    def add(self, lines: Iterable[bytes]) -> None:
        """Adds those that are new; they are on the disk when it returns."""
        named = {_name(line): line for line in lines}
        if new := [line for name, line in named.items() if name not in self.known]:
            append(self.file, new)
            self.known.update(named)


def _name(line: bytes) -> bytes:
    return blake2b(line, digest_size=16).digest()


def held(path: Path, error: type[Exception], what: object, *, shared: bool = False) -> BinaryIO:
    """The file at its end, as `open_end` gives it.

    Raises:
        Exception: the one given: another run is using `what`, or the file cannot be written.
    """
    try:
        return open_end(path, shared=shared)
    except BlockingIOError:
        raise error(f"another run is using {what}") from None
    except OSError as reason:
        raise error(f"cannot write {path}: {reason.strerror}") from None


def replace(path: Path, lines: Iterable[bytes], error: type[Exception]) -> None:
    """Puts these lines in the place of a file, all or nothing; only its owner can read it.

    Raises:
        Exception: the one given: they cannot be written; the file is as it was.
    """
    try:
        with beside(path) as file:
            file.writelines(lines)
    except OSError as reason:
        raise error(f"cannot write {path}: {reason.strerror}") from None


def remove(path: Path, gone: Set[bytes], error: type[Exception]) -> None:
    """Takes lines out of a file, all or nothing.

    Raises:
        Exception: the one given: it cannot be written; the file is as it was.
    """

    def kept() -> Iterator[bytes]:
        with path.open("rb") as file:
            yield from (line for line in file if line not in gone)

    replace(path, kept(), error)


@contextmanager
def beside(path: Path, *, private: bool = True) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of `path` when the block ends well and is removed if
    it does not. What is no regular file (a device, a pipe) is written to as it is.

    Args:
        private: only its owner can read it, from the first byte on. Else it has the mode of the
            file that it replaces.

    Raises:
        OSError: it cannot be written; the old file is as it was.
    """
    if is_stream(path):
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as file:
            yield file
        return
    path = path.resolve()
    new = part_of(path)
    mode = _PRIVATE if private else _PUBLIC
    try:  # before it is there, so that a signal leaves none
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            _claim(descriptor)
            if not private and path.exists():
                new.chmod(stat.S_IMODE(path.stat().st_mode))
            yield file
            append(file, ())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)
    sweep(path)


def part_of(path: Path) -> Path:
    """The name under which what will take the place of a file or folder is written."""
    return path.with_name(f"{path.name}.{os.urandom(4).hex()}.part")


@contextmanager
def claimed(new: Path) -> Iterator[None]:
    """A block while which nobody sweeps away what is written under such a name, and is there."""
    descriptor = None
    with suppress(OSError):  # Windows opens no folder, and removes nothing that is open
        descriptor = os.open(new, os.O_RDONLY)
        _claim(descriptor)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def sweep(path: Path) -> None:
    """Removes what killed processes were writing for a file or folder: what one alive is writing is
    claimed and stays. What cannot be removed stays too.
    """
    left = re.compile(re.escape(path.name) + r"\.[0-9a-f]{8}\.part(?:\.wal)?")
    with suppress(OSError):
        for old in [one for one in path.parent.iterdir() if left.fullmatch(one.name)]:
            with suppress(OSError):
                _remove(old)


def _remove(old: Path) -> None:
    descriptor = os.open(old, os.O_RDONLY) if os.name != "nt" else None
    try:
        if descriptor is not None and not _claim(descriptor):
            return
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink()
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _claim(descriptor: int) -> bool:
    """Takes a file or folder for this process until it is closed; whether nobody else has it."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody has it, or the file system has no locks
        return False
    return True


def is_stream(path: Path) -> bool:
    """Whether a path is a device, a pipe or an open file (/dev/stdout), which nothing replaces."""
    opened = path.absolute().as_posix().startswith(("/dev/fd/", "/dev/std", "/proc/"))
    return opened or (path.exists() and not path.is_file())


def _end_of_lines(descriptor: int) -> int:
    end = os.lseek(descriptor, 0, os.SEEK_END)
    while end > 0:
        start = max(end - _BLOCK, 0)
        os.lseek(descriptor, start, os.SEEK_SET)
        found = os.read(descriptor, end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _lock(file: BinaryIO, wait: bool, shared: bool) -> None:
    try:
        import fcntl
    except ImportError:  # Windows refuses the second writer by itself
        if shared:
            raise OSError(errno.ENOTSUP, "no file can be shared on this system") from None
        return
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    fcntl.flock(file, kind | (0 if wait else fcntl.LOCK_NB))


def _sync_folder(directory: Path) -> None:
    """Waits until the names in a folder are on the disk."""
    if os.name == "nt":  # folders cannot be opened there, and names are written through
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
