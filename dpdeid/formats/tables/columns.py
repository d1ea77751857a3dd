"""What the columns of a table are: keys of a row of ours, facts of its patient, or others.

A column that is called as a key, in letters of any size, is that key: id, text, patient_id,
note_date, and facts such as last_name, birth_date or patient.sex. `Reading.columns` names the
others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral
from typing import Any, Final, Self

from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Origin, Reading, key_of, with_facts
from dpdeid.formats.rows import OWN_KEYS, Row, row_of
from dpdeid.french.calendar import is_missing

_SHOWN: Final = 40
"""Columns that a message lists."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one table by their places in its rows.

    Args:
        own: by key: id, text, patient_id, note_date, patient.
        facts: of the patient, by key.
        others: by name; they are a row's `extra`.
        meant: what each column is, by name: a key of ours, or "".
    """

    origin: Origin
    own: Mapping[str, int]
    facts: Mapping[str, int]
    others: Mapping[str, int]
    meant: Mapping[str, str]

    @classmethod
    def of(cls, names: Sequence[str], origin: Origin, how: Reading) -> Self:
        """The columns of a table with these names, in their order; one without a name is not read.

        Raises:
            UsageError: a column that is named, or one of texts, is not there, or it cannot be told
                which it is; names the columns.
        """
        places: dict[str, list[int]] = {}
        for at, name in enumerate(names):
            places.setdefault(name, []).append(at)
        asked = {"text": "text"} | dict(how.columns)
        keys = {key: places[name] for key, name in how.columns.items() if name in places}
        taken = {at for found in keys.values() for at in found}
        for at, name in enumerate(names):
            key = key_of(name)
            if key and key not in how.columns and at not in taken:
                keys.setdefault(key, []).append(at)
        where = f"{origin.note}: "
        for key, name in asked.items():
            if key not in keys:
                raise UsageError(
                    f"{where}no column is called {name}; there are {_listed(names)}. Say which is "
                    "what: --text-column NAME, --column KEY=NAME"
                )
        if double := [key for key, found in keys.items() if len(found) > 1]:
            several = _listed(names[at] for at in keys[double[0]])
            raise UsageError(f"{where}more than one column is {double[0]} ({several})")
        one = {key: at for key, (at,) in keys.items()}
        others = {
            name: at
            for name, (at, *more) in places.items()
            if at not in one.values() and name.strip() and not more and name not in OWN_KEYS
        }
        meant = {names[at]: key for key, at in one.items()} | dict.fromkeys(others, "")
        own = {str(key): one.pop(key) for key in OWN_KEYS if key in one}
        return cls(origin, own, one, others, meant)

    def row(self, cells: Sequence[object], number: int) -> Row:
        """The row of these values. Where no column has ids, it is called as its file and number.

        Args:
            number: from 1, names of columns not counted.
        """
        parsed: dict[str, Any] = {name: _whole(cells[at]) for name, at in self.others.items()}
        parsed |= {key: _simple(cells[at]) for key, at in self.own.items()}
        if "id" not in self.own:
            parsed["id"] = f"{self.origin.note}#{number}"
        if parsed["text"] == "" and parsed.get("error"):  # a row that failed in an earlier run
            parsed["text"] = None
        for key in ("id", "note_date", "patient"):
            if parsed.get(key) == "":
                parsed[key] = None
        if given := {key: _simple(cells[at]) for key, at in self.facts.items()}:
            days = given.get("date_shift")
            if isinstance(days, str):
                given["date_shift"] = _days(days)
            parsed["patient"] = with_facts(parsed.get("patient"), given)
        return row_of(parsed, number, self.origin.row(number))


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + more


def _days(text: str) -> int | str | None:
    text = text.strip()
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else text or None


def _whole(value: object) -> object:
    """A value as it is, None where a table has none there."""
    missing = is_missing(value) or type(value).__name__ in ("NAType", "NaTType")
    return None if missing else value


def _simple(value: object) -> object:
    """A value as JSON would hold it: numbers of ids and codes are whole, however a column with gaps
    stores them; bytes are a text if they can be.
    """
    value = _whole(value)
    if hasattr(value, "tolist"):  # numpy's, in a data frame
        value = value.tolist()
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float | Decimal) and value == value // 1:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _simple(inner) for key, inner in value.items()}
    return [_simple(inner) for inner in value] if isinstance(value, list | tuple) else value


def cells(column: Any) -> list[Any]:
    """The values of a column of Arrow; "?" for one that Python has none for: a day after 9999."""
    try:
        values: list[Any] = column.to_pylist(maps_as_pydicts="lossy")
    except (OverflowError, ValueError):
        return [_cell(value) for value in column]
    return values


def _cell(value: Any) -> Any:
    try:
        return value.as_py(maps_as_pydicts="lossy")
    except (OverflowError, ValueError):
        return "?"
