"""Data frames of pandas and polars: one in, one of the same library out.

Neither is imported here: who gives a frame has its library.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import unique
from dpdeid.formats.tables.columns import Columns
from dpdeid.formats.write import identifying, without_identity
from dpdeid.policy.policy import Policy

_ORIGIN: Final = Origin("", "frame")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})

F = TypeVar("F")


def deidentify(
    frame: F,
    policy: Policy | str | Path | Deidentifier = "dp",
    *,
    key: bytes | None = None,
    e0: dt.date | None = None,
    text: str | None = None,
    columns: Mapping[str, str] = _NONE,
    keep: Sequence[str] = (),
    keep_ids: bool = False,
    keep_order: bool = False,
) -> F:
    """A frame with the columns id, text, those that are kept, and error; a row for each row.

    Columns that are called as a key of a row (id, patient_id, note_date, last_name, birth_date …)
    are that key. Rows stand in the order of their released ids, which tells nothing, failed ones
    without an id last; a pandas frame has a new index. What fails has its message in "error" and
    nothing else beside its id. Where no column has ids a row is called by its number, so that
    rows of one number are one note to a key that is used for several such frames.

    Args:
        frame: of pandas or polars; is not changed.
        policy: as `Deidentifier` takes it; or one that was made before, with its key.
        key: the cohort's secret, at least 32 bytes; without one a random key is used.
        e0: the cohort's public reference date.
        text: the column of the notes. Default: "text".
        columns: key → column that stands for it, where it is called otherwise.
        keep: columns to release as they are, with their types; "note_date" is the surrogate's.
        keep_ids: release the ids of the input, which identify rows wherever else they stand.
        keep_order: rows stand in the order of the input. **That of an export sorted by date gives
            the dates away**: for evaluation, not for release.

    Raises:
        UsageError: no frame, a column is missing or may not be kept, or the policy or key is
            refused.
    """
    given: Any = frame
    library = _library(given)
    names = [str(name) for name in given.columns]
    own = dict(columns) if text is None else {**columns, "text": text}
    table = Columns.of(names, _ORIGIN, Reading("", own))
    for name in keep:
        if identifying(name) or (name in names and name not in (*table.others, "note_date")):
            raise UsageError(f"keep: {name} is read as a key of its row and never released")
        if name not in (*names, "note_date"):
            raise UsageError(f"keep: no column is called {name}")
    engine = _engine(policy, key, e0)
    cells = (
        given.itertuples(index=False, name=None) if hasattr(given, "iloc") else given.iter_rows()
    )
    rows = list(unique(table.row(one, number) for number, one in enumerate(cells, 1)))
    results = _results(rows, engine)

    def out(row: Row) -> str | None:
        return row.id if keep_ids or row.id is None else engine.cohort.released_id(row.id)

    ids = [out(row) for row in rows]
    order = list(range(len(rows)))
    if not keep_order:
        order.sort(key=lambda at: (ids[at] is None, ids[at] or "", at))
    done = [results[at] for at in order]
    good = [isinstance(result, Deidentified) for result in done]
    made = {"id": library.Series([ids[at] for at in order], dtype=_text(library))}
    for name in ("text", *keep, "error"):
        if name in table.others:
            made[name] = _kept(library, _column(given, table.others[name]), order, good)
        else:
            told = [_told(one, name) for one in done]
            made[name] = library.Series(told, dtype=_text(library))
    new: F = library.DataFrame(made)
    return new


def _library(frame: Any) -> Any:
    """The module of the library that a frame is of; it is imported, since there is a frame."""
    for kind in type(frame).__mro__:
        library = kind.__module__.partition(".")[0]
        if kind.__name__ == "DataFrame" and library in ("pandas", "polars"):
            return sys.modules[library]
    raise UsageError(
        f"no DataFrame of pandas or polars, but of type {type(frame).__name__} (a lazy one is "
        "collected first)"
    )


def _engine(
    policy: Policy | str | Path | Deidentifier, key: bytes | None, e0: dt.date | None
) -> Deidentifier:
    if not isinstance(policy, Deidentifier):
        return Deidentifier(policy, key=key, e0=e0)
    if key is not None or e0 is not None:
        raise UsageError("a Deidentifier has its own key and e0: leave out key and e0")
    return policy


def _results(rows: Sequence[Row], engine: Deidentifier) -> list[Deidentified | str]:
    """What comes of each row, or what is wrong with it, with its number and no text of it."""
    results: list[Deidentified | str] = [row.error for row in rows]
    numbered = [(at, row.document) for at, row in enumerate(rows) if row.document is not None]
    for group, given in engine.records(numbered, itemgetter(1)):
        places = {doc.id: rows[at].where for at, doc in group}
        for (at, _), result in zip(group, given, strict=True):
            if isinstance(result, Failure):
                cause = "" if result.cause is None else f": {places[result.cause]}"
                results[at] = f"{rows[at].where}: {result.error}{cause}"
            else:
                results[at] = result
    return results


def _told(result: Deidentified | str, name: str) -> str | None:
    """The text, the note_date or the error of a row."""
    if isinstance(result, str):
        return result if name == "error" else None
    return result.text if name == "text" else result.note_date if name == "note_date" else None


def _column(frame: Any, at: int) -> Any:
    return frame.iloc[:, at] if hasattr(frame, "iloc") else frame.to_series(at)


def _text(library: Any) -> Any:
    """The type of a column of texts that may have none."""
    return library.String if hasattr(library, "String") else object


def _kept(library: Any, column: Any, order: Sequence[int], good: Sequence[bool]) -> Any:
    """A kept column in that order, with nothing where a row failed, and with its type as far as the
    library has missing values of it.
    """
    if hasattr(column, "iloc"):
        column = column.iloc[order].reset_index(drop=True)
        if column.dtype == object or column.dtype.type in (list, dict):  # the latter pyarrow's
            column = column.map(without_identity)
        if all(good):
            return column
        if column.dtype.kind in "iu":  # no float holds them all
            column = column.convert_dtypes()
        return column.where(library.Series(good))
    column = column[order]
    if column.dtype.is_nested() or column.dtype == library.Object:
        column = library.Series([without_identity(value) for value in column.to_list()])
    when = library.when(library.Series(good, dtype=library.Boolean))
    return library.select(when.then(column)).to_series()
