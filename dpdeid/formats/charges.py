"""The ledger file of a run: what it spent, written without holding one charge more than a chunk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TextIO

from dpdeid.formats.external_sort import ExternalSort
from dpdeid.formats.write import json_text
from dpdeid.privacy.ledger import Charge, totals
from dpdeid.privacy.losses import loss_of

_ORDER: Final = ("unit", "mechanism", "event", "loss")
"""As `Ledger.rows` sorts."""


class ChargeFile:
    """Charges of many records, for a ledger file that `Ledger.from_json` reads.

    The union of all of them: a charge that comes again is written once.

    Args:
        folder: where they wait, see `ExternalSort`.
    """

    def __init__(self, folder: Path | None) -> None:
        self._sort = ExternalSort(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._sort.__exit__(kind, error, trace)

    def add(self, charges: Iterable[Charge]) -> None:
        """Takes the charges of one record."""
        for charge in charges:
            row = charge.to_json()
            key = json.dumps([row[name] for name in _ORDER])
            self._sort.add(key.encode(), json.dumps(row, ensure_ascii=False).encode())

    def write(self, file: TextIO, head: Mapping[str, Any]) -> None:
        """Writes what a run says of itself, then the totals of each unit and every charge."""
        file.write(json_text(head).removesuffix("\n}\n"))
        file.write(',\n "totals": {')
        by_unit = groupby(self._rows(), key=lambda row: row["unit"])
        _written(file, (f"{json.dumps(unit)}: {_totals(rows)}" for unit, rows in by_unit))
        file.write('},\n "charges": [')
        _written(file, map(_text, self._rows()))
        file.write("]\n}\n")

    def _rows(self) -> Iterator[dict[str, Any]]:
        before = None
        for line in self._sort:
            if line != before:
                yield json.loads(line)
            before = line


def _written(file: TextIO, entries: Iterable[str]) -> None:
    """Writes the entries of an object or a list, one a line."""
    comma = ""
    for entry in entries:
        file.write(f"{comma}\n  {entry}")
        comma = ","
    if comma:
        file.write("\n ")


def _totals(rows: Iterable[Mapping[str, Any]]) -> str:
    return _text([loss.to_json() for loss in totals(loss_of(row["loss"]) for row in rows)])


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
