"""The released rows of a table on their way into it: all with the same columns, and with values of
types that JSON does not know.

They wait as lines of JSON. A date, a moment, an exact or a binary number is an object of one key
there, {"date": "2024-01-31"}, and an object of the caller's is {"object": {…}}.
"""

from __future__ import annotations

import datetime as dt
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from dpdeid.formats.kinds import Piece

_READ: Final[Mapping[str, Callable[[str], object]]] = MappingProxyType(
    {
        "datetime": dt.datetime.fromisoformat,
        "date": dt.date.fromisoformat,
        "time": dt.time.fromisoformat,
        "seconds": lambda text: dt.timedelta(seconds=float(text)),
        "decimal": Decimal,
        "bytes": b64decode,
    }
)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Released rows, each with every column; may be gone through several times if the lines may.

    Args:
        lines: of JSON, values as `packed` gives them.
        kept: columns beside id, text and error.
    """

    lines: Iterable[bytes]
    kept: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in order."""
        return ("id", "text", *self.kept, "error")

    def __iter__(self) -> Iterator[Piece]:
        empty: dict[str, Any] = dict.fromkeys(self.columns)
        for line in self.lines:
            yield empty | {key: unpacked(value) for key, value in json.loads(line).items()}


def packed(value: Any) -> Any:
    """A value as JSON holds it, with its type."""
    if isinstance(value, dt.datetime):  # which is a date as well
        return {
            "datetime": (value if value.tzinfo is None else value.astimezone(dt.UTC)).isoformat()
        }
    if isinstance(value, dt.date):
        return {"date": value.isoformat()}
    if isinstance(value, dt.time):
        return {"time": value.isoformat()}
    if isinstance(value, dt.timedelta):
        return {"seconds": str(value.total_seconds())}
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, bytes):
        return {"bytes": b64encode(value).decode()}
    if isinstance(value, Mapping):
        return {"object": {str(key): packed(inner) for key, inner in value.items()}}
    return [packed(inner) for inner in value] if isinstance(value, list) else value


def unpacked(value: Any) -> Any:
    """The value that `packed` was given."""
    if isinstance(value, list):
        return [unpacked(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    if kind == "object":
        return {key: unpacked(one) for key, one in inner.items()}
    return _READ[kind](inner)


def batches(pieces: Iterable[Piece], rows: int, letters: int) -> Iterator[Sequence[Piece]]:
    """The rows in groups of so many, or of texts with so many letters, whatever comes first."""
    group: list[Piece] = []
    held = 0
    for piece in pieces:
        group.append(piece)
        held += len(piece["text"] or "")
        if len(group) >= rows or held >= letters:
            yield group
            group, held = [], 0
    if group:
        yield group
