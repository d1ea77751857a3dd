"""What goes to a tool and what comes back, the same for all tools.

A tool sees a unit under a reference that tells nothing of its note, and a text in which characters
that some tool loses stand for themselves no more: line ends of Windows, control characters and
halves of surrogate pairs. Each is replaced by one other of the same width, so that no offset moves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from dpdeid.annotate.schemes import Scheme
from dpdeid.annotate.units import Marked, Unit
from dpdeid.errors import AnnotationError

_ODD: Final = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def shown(text: str) -> str:
    """The text as a tool shows it, character for character.

    >>> shown("a\\r\\nb")
    'a \\nb'
    """
    return _ODD.sub(lambda m: "\ufffd" if m[0] != "\r" else "\n", text.replace("\r\n", " \n"))


@dataclass(frozen=True, slots=True)
class Sent:
    """A unit under the reference by which a tool gives it back."""

    ref: str
    unit: Unit

    @property
    def text(self) -> str:
        return shown(self.unit.text)

    @property
    def marks(self) -> Sequence[Marked]:
        """What is suggested to the annotator."""
        return self.unit.suggested or ()


@dataclass(frozen=True, slots=True)
class Returned:
    """What a tool says of one unit, in code points of its text.

    Args:
        where: file and row, for messages.
        annotator: whom the tool names, "" if nobody.
        at: ISO 8601, "" if the tool does not say.
        seconds: spent on it, None if the tool does not say.
        ignored: passed over or rejected.
    """

    where: str
    ref: str
    text: str = field(repr=False)
    marks: tuple[Marked, ...] = field(repr=False)
    annotator: str = ""
    at: str = ""
    seconds: float | None = None
    ignored: bool = False


class Tool(Protocol):
    """How a tool is written to and read from."""

    def files(self, sent: Sequence[Sent], scheme: Scheme) -> Iterator[tuple[str, str]]:
        """The files that the tool opens, by name."""

    def read(self, path: Path) -> Iterator[Returned]:
        """What lies in a file or folder of the tool.

        Raises:
            AnnotationError: a file or row cannot be read; names it.
        """


def found_in(path: Path, *suffixes: str) -> list[Path]:
    """The file, or those of a folder with these endings.

    Raises:
        AnnotationError: there is none.
    """
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.suffix in suffixes]
    if not files:
        raise AnnotationError(f"{path}: no file that ends with {' or '.join(suffixes)}")
    return sorted(files)


def ascii_line(row: object) -> str:
    """A line of JSON without any other character than ASCII: some tools guess the encoding."""
    return json.dumps(row) + "\n"


def ascii_text(data: object) -> str:
    """A file of JSON in the same way."""
    return json.dumps(data, indent=1) + "\n"


def mark_of(start: object, end: object, category: object, where: str) -> Marked:
    """A mark of a file.

    Raises:
        AnnotationError: it is no stretch with a name.
    """
    if type(start) is not int or type(end) is not int or not isinstance(category, str):
        raise AnnotationError(f"{where}: a mark has no start, end or label")
    return Marked(start, end, category)


def value(row: Any, key: str, kind: type, where: str) -> Any:
    """What stands under a key of a row.

    Raises:
        AnnotationError: it is missing or of another kind.
    """
    found = row.get(key) if isinstance(row, dict) else None
    if not isinstance(found, kind):
        raise AnnotationError(f"{where}: no {key}, or of another kind")
    return found
