"""The texts a language model is trained on: whole documents, from any mix of files."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from dpdeid.errors import TrainingError
from dpdeid.formats.json_lines import DAMAGED, file_lines

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
        yield from _rows(path) if name.endswith(".jsonl") else _joined(path)


def open_text(path: Path) -> IO[str]:
    """A UTF-8 text file without its byte order mark, unpacked if its name ends in .gz."""
    if path.name.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _rows(path: Path) -> Iterator[str]:
    for number, row in file_lines(path):
        if isinstance(row, str):
            raise TrainingError(f"{path}, row {number}: {row}")
        if not isinstance(text := row.get("text"), str):
            raise TrainingError(f"{path}, row {number}: there is no text, or it is not text")
        yield text


def _joined(path: Path) -> Iterator[str]:
    held: list[str] = []
    size = 0
    try:
        with open_text(path) as lines:
            for line in lines:
                if paragraph := line.strip():
                    held.append(paragraph)
                    size += len(paragraph)
                if size >= _PARAGRAPHS:
                    yield "\n".join(held)
                    held, size = [], 0
    except (*DAMAGED, UnicodeDecodeError) as error:
        raise TrainingError(f"{path}: damaged file ({type(error).__name__})") from None
    if held:
        yield "\n".join(held)
