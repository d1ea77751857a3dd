"""JSON lines, packed or not: of each line its object, or what is wrong with it.

No message repeats what stands in the line.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from gzip import GzipFile
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

BOM: Final = b"\xef\xbb\xbf"
"""What some programs put before the first byte of a UTF-8 file."""
DAMAGED: Final = (EOFError, OSError, zlib.error)
"""What reading raises where a file was cut off or altered, packed ones among them."""
_GZIP: Final = b"\x1f\x8b"
_LEVELS: Final = 50
"""How deeply the objects of a row may be nested: what writes it again goes down level by level."""

Numbered = tuple[int, dict[str, Any] | str]
"""A line's number, from 1, and its object or what is wrong with it."""


def json_lines(lines: Iterable[bytes]) -> Iterator[Numbered]:
    """The lines that are not blank. A stream that breaks off ends with a last line that says so."""
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, _parsed(line)
    except DAMAGED as error:
        yield number + 1, f"damaged file ({type(error).__name__})"


def file_lines(path: Path) -> Iterator[Numbered]:
    """The lines of a file, packed or not."""
    try:
        file = path.open("rb")
    except OSError as error:
        yield 1, f"the file cannot be opened ({error.strerror})"
        return
    with file:
        yield from json_lines(unpacked(file))


def unpacked(file: BinaryIO) -> BinaryIO:
    """An open file as what stands in it. Whether it is packed by gzip its first bytes say, and not
    its name.
    """
    start = cast(BufferedReader, file).peek(len(_GZIP)) if hasattr(file, "peek") else b""
    return cast(BinaryIO, GzipFile(fileobj=file)) if start.startswith(_GZIP) else file


def rows(path: Path, error: type[Exception]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file, with their numbers.

    Raises:
        Exception: the one given: a line is none; names it and says what is wrong.
    """
    for number, row in file_lines(path):
        if isinstance(row, str):
            raise error(f"{path}, row {number}: {row}")
        yield number, row


def _parsed(line: bytes) -> dict[str, Any] | str:
    try:
        row = json.loads(line.removeprefix(BOM).decode("utf-8"))
    except UnicodeDecodeError as error:
        return f"not UTF-8 (byte {error.start})"
    except (ValueError, RecursionError):
        return "not valid JSON"
    if not isinstance(row, dict):
        return "not a JSON object"
    return f"more than {_LEVELS} objects or lists in each other" if _deep(row, _LEVELS) else row


def _deep(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(levels == 1 or _deep(v, levels - 1) for v in inner if isinstance(v, dict | list))
