"""Parquet files, by pyarrow, in batches.

Kept values keep their types: whole numbers, floats, truth values, dates, moments (in UTC, to the
microsecond), exact numbers, binary values and lists of them. A column with values that have no type
in common is one of texts, and so is one of objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from dpdeid.formats.kinds import Origin, Piece, Reading
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.columns import Columns
from dpdeid.formats.tables.pieces import Pieces, batches
from dpdeid.formats.write import json_text

_ROWS: Final = 512
_GROUP: Final = 50_000
_LETTERS: Final = 1 << 25
"""Rows of a batch that is read; rows and letters of a group that is written."""
_BUFFER: Final = 1 << 20
_ANY_TEXT: Final = pa.string()
_MIXED: Final = (pa.ArrowException, OverflowError, TypeError, ValueError)
_DAMAGED: Final = (pa.ArrowException, OSError, ValueError)


def columns(file: BinaryIO, origin: Origin, how: Reading) -> Mapping[str, str]:
    """What each column is, see `Columns`; none if it is no Parquet file.

    Raises:
        UsageError: a column is missing, see `Columns.of`.
    """
    try:
        names = pq.read_schema(file).names
    except _DAMAGED:
        return {}
    return Columns.of(names, origin, how).meant


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The rows of a file, a batch at a time.

    Raises:
        UsageError: a column is missing, see `Columns.of`.
    """
    number = 0
    try:
        table = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        names = table.schema_arrow.names
    except _DAMAGED:
        yield Row(origin.file, None, None, f"{origin.file}: no Parquet file", place="file 1")
        return
    columns = Columns.of(names, origin, how)
    try:
        for number, cells in enumerate(
            chain.from_iterable(map(_cells, table.iter_batches(_ROWS))), 1
        ):
            if cells is None:
                where = origin.row(number)
                yield Row(where, None, None, f"{where}: a value cannot be read as its type")
            else:
                yield columns.row(cells, number)
    except _DAMAGED as error:
        where = origin.row(number + 1)
        yield Row(where, None, None, f"{where}: damaged file ({type(error).__name__})")


def _cells(batch: Any) -> Iterator[Sequence[Any] | None]:
    """The values of each row; None if one is none, such as a text that is not in UTF-8."""
    columns = [_to_microseconds(column) for column in batch.columns]
    try:
        yield from zip(
            *(column.to_pylist(maps_as_pydicts="lossy") for column in columns), strict=True
        )
        return
    except (ValueError, OverflowError):  # before the first is given
        pass
    for at in range(batch.num_rows):
        try:
            yield [column[at].as_py(maps_as_pydicts="lossy") for column in columns]
        except (ValueError, OverflowError):
            yield None


def _to_microseconds(column: Any) -> Any:
    """A column of moments, times or durations as Python has them."""
    kind = column.type
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        return column.cast(pa.timestamp("us", kind.tz), safe=False)
    if pa.types.is_time64(kind) and kind.unit == "ns":
        return column.cast(pa.time64("us"), safe=False)
    if pa.types.is_duration(kind) and kind.unit == "ns":
        return column.cast(pa.duration("us"), safe=False)
    return column


def write(pieces: Pieces, file: BinaryIO) -> None:
    """Writes the rows; goes through them twice, first for the types of the kept columns."""
    types: dict[str, Any] = dict.fromkeys(pieces.kept, pa.null())
    for group in batches(pieces, _GROUP, _LETTERS):
        types = {name: _common(kind, _values(group, name)) for name, kind in types.items()}
    types = {name: _ANY_TEXT if kind == pa.null() else kind for name, kind in types.items()}
    schema = pa.schema([(name, types.get(name, _ANY_TEXT)) for name in pieces.columns])
    with pq.ParquetWriter(file, schema, compression="zstd") as table:
        for group in batches(pieces, _GROUP, _LETTERS):
            table.write_table(pa.table([_array(group, field) for field in schema], schema=schema))


def _common(kind: Any, values: Sequence[Any]) -> Any:
    """The type of these values and of those before."""
    if kind == _ANY_TEXT:
        return kind
    try:
        both = (pa.schema([("", kind)]), pa.schema([("", pa.array(values).type)]))
        return pa.unify_schemas(both, promote_options="permissive").types[0]
    except _MIXED:
        return _ANY_TEXT


def _array(group: Sequence[Piece], field: Any) -> Any:
    values = _values(group, field.name)
    if field.type == _ANY_TEXT:
        values = [None if value is None else _text(value) for value in values]
    elif pa.types.is_floating(field.type):  # whole numbers may be larger than it has digits
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, field.type)


def _values(group: Sequence[Piece], name: str) -> list[Any]:
    return [_flat(piece[name]) for piece in group]


def _flat(value: Any) -> Any:
    """A value, objects as JSON."""
    if isinstance(value, Mapping):
        return json_text(value, indent=None).rstrip("\n")
    return [_flat(inner) for inner in value] if isinstance(value, list) else value


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json_text(value, indent=None).strip('\n"')
    return text.encode("utf-8", "replace").decode()
