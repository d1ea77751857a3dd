"""The texts a language model is trained on: whole documents, from any mix of files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from dpdeid.errors import TrainingError
from dpdeid.formats.rows import DAMAGED

_PARAGRAPHS = 3000
"""Characters of consecutive lines of a text file that make one document."""


def read_texts(paths: Sequence[Path]) -> Iterator[str]:
    """The documents of .jsonl files (the "text" of each row) and .txt files, .gz or not.

    A text file has one paragraph a line; lines are put together to documents of about 3,000
    characters. A file named twice is read twice: that is how a corpus is given more weight.

    Raises:
        TrainingError: a file is missing, damaged or of another kind; names the file and the row.
    """
    for path in paths:
        name = path.name.removesuffix(".gz")
        if not path.is_file():
            raise TrainingError(f"no such file: {path}")
        if not name.endswith((".txt", ".jsonl")):
            raise TrainingError(f"{path}: texts are .txt or .jsonl files, .gz or not")
        with open_text(path) as lines:
            try:
                yield from _rows(lines, path) if name.endswith(".jsonl") else _joined(lines)
            except (*DAMAGED, UnicodeDecodeError) as error:
                raise TrainingError(f"{path}: damaged file ({type(error).__name__})") from None


def open_text(path: Path) -> IO[str]:
    """A UTF-8 text file without its byte order mark, unpacked if its name ends in .gz."""
    if path.name.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _rows(lines: IO[str], path: Path) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        try:
            text = json.loads(line)["text"]
        except (ValueError, KeyError, TypeError):
            raise TrainingError(f"{path}, row {number}: not a JSON object with a text") from None
        if not isinstance(text, str):
            raise TrainingError(f"{path}, row {number}: text is not text")
        yield text


def _joined(lines: IO[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for line in lines:
        if paragraph := line.strip():
            held.append(paragraph)
            size += len(paragraph)
        if size >= _PARAGRAPHS:
            yield "\n".join(held)
            held, size = [], 0
    if held:
        yield "\n".join(held)
