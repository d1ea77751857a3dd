"""Tables as they are read: rows as mappings with small letters for keys, in no order.

Names of tables and columns are looked for in small and capital letters alike. PostgreSQL is read
in one transaction that can write nothing, DuckDB from a file that is opened for reading alone and
without a way out to other files.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from dpdeid.errors import UsageError
from dpdeid.formats.tables.columns import cells
from dpdeid.omop.places import Place, connected, needed, quoted

if TYPE_CHECKING:
    from sqlalchemy import Connection

_BATCH: Final = 1000
_PARQUET: Final = ".parquet"
_DAYS: Final = dt.date(1, 1, 2), dt.date(9999, 12, 30)
"""The days that Python has, in any zone of time."""


class Store(Protocol):
    """What holds tables."""

    def tables(self) -> Sequence[str]:
        """The names of all tables, as they are written there."""

    def columns(self, table: str) -> Sequence[str]:
        """The names of the columns of one."""

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        """The values of these columns, row by row."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a source."""

    place: Place
    store: Store

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a table, in small letters, and as they are written there.

        Raises:
            UsageError: there is no such table, or more than one.
        """
        names = self.store.columns(self._table(name))
        found = {column.lower(): column for column in names}
        if len(found) < len(names):
            raise UsageError(f"{name}: two columns differ in small and capital letters alone")
        return found

    def rows(self, name: str, wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The rows of a table, with those of the wanted columns that it has.

        Raises:
            UsageError: there is no such table.
        """
        has = self.columns(name)
        names = [column for column in wanted if column in has]
        table = self._table(name)
        for values in self.store.rows(table, [has[column] for column in names]):
            yield dict(zip(names, values, strict=True))

    def _table(self, name: str) -> str:
        found = [table for table in self.store.tables() if table.lower() == name]
        if len(found) != 1:
            raise UsageError(f"{self.place} has {'two tables' if found else 'no table'} {name}")
        return found[0]


@contextmanager
def opened(place: Place) -> Iterator[Tables]:
    """The tables of a source.

    Raises:
        UsageError: there is no such place, or it cannot be read.
    """
    if place.path is None:
        with connected(place, readonly=True) as connection:
            yield Tables(place, _Postgres(connection, place.schema or None))
        return
    place.check_folder()
    if place.is_folder:
        if not place.path.is_dir():
            raise UsageError(f"no such folder: {place.path}")
        yield Tables(place, _Parquet(place.path))
        return
    if not place.path.is_file():
        raise UsageError(f"no such file: {place.path}")
    duckdb = needed("duckdb")
    try:
        shut = {"enable_external_access": "false", "autoinstall_known_extensions": "false"}
        database = duckdb.connect(str(place.path), read_only=True, config=shut)
        with database:
            yield Tables(place, _DuckDB(database, place.schema or "main"))
    except duckdb.Error as error:
        raise UsageError(f"{place}: cannot be read ({type(error).__name__})") from None


@dataclass(frozen=True, slots=True)
class _Parquet:
    """NAME.parquet, one file or a folder of them."""

    folder: Path

    def tables(self) -> Sequence[str]:
        return [*self._paths()]

    def _paths(self) -> dict[str, Path]:
        found = (p for p in self.folder.iterdir() if not p.name.startswith("."))
        return {p.name[: -len(_PARQUET)]: p for p in found if p.name.lower().endswith(_PARQUET)}

    def columns(self, table: str) -> Sequence[str]:
        names: Sequence[str] = self._open(table).schema.names
        return names

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        arrow = needed("pyarrow")
        for batch in self._open(table).to_batches(columns=[*columns], batch_size=_BATCH):
            values = [_cells(column, arrow) for column in batch.columns]
            yield from zip(*values, strict=True)

    def _open(self, table: str) -> Any:
        arrow, dataset = needed("pyarrow"), needed("pyarrow.dataset")
        path = self._paths()[table]
        try:
            return dataset.dataset(path, format="parquet")
        except (arrow.ArrowException, OSError) as error:
            raise UsageError(f"{path}: cannot be read ({type(error).__name__})") from None


def _cells(column: Any, arrow: Any) -> list[Any]:
    """The values of a column; of moments no more than microseconds, as Python has them."""
    kind = column.type
    if arrow.types.is_timestamp(kind) and kind.unit == "ns":
        column = column.cast(arrow.timestamp("us", kind.tz), safe=False)
    return cells(column)


@dataclass(frozen=True, slots=True)
class _DuckDB:
    database: Any
    schema: str

    def tables(self) -> Sequence[str]:
        return self._names("tables", "table_name", self.schema)

    def columns(self, table: str) -> Sequence[str]:
        return self._names("columns", "column_name", self.schema, table)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        wanted = ", ".join(map(quoted, columns))
        cursor = self.database.cursor().execute(
            f"SELECT {wanted} FROM {quoted(self.schema, table)}"
        )
        while batch := cursor.fetchmany(_BATCH):
            yield from batch

    def _names(self, view: str, what: str, *of: str) -> Sequence[str]:
        where = " AND ".join(
            f"{column} = ?" for column in ("table_schema", "table_name")[: len(of)]
        )
        order = "table_name" if view == "tables" else "ordinal_position"
        query = f"SELECT {what} FROM information_schema.{view} WHERE {where} ORDER BY {order}"
        return [name for (name,) in self.database.cursor().execute(query, [*of]).fetchall()]


@dataclass(frozen=True, slots=True)
class _Postgres:
    connection: Connection
    schema: str | None

    def tables(self) -> Sequence[str]:
        inspector = needed("sqlalchemy").inspect(self.connection)
        return [
            *inspector.get_table_names(self.schema),
            *inspector.get_view_names(self.schema),
            *inspector.get_materialized_view_names(self.schema),
        ]

    def columns(self, table: str) -> Sequence[str]:
        return [column["name"] for column in self._columns(table)]

    def _columns(self, table: str) -> Sequence[Any]:
        inspector = needed("sqlalchemy").inspect(self.connection)
        columns: Sequence[Any] = inspector.get_columns(table, self.schema)
        return columns

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        sql = needed("sqlalchemy")
        name = sql.quoted_name(table, quote=True)
        schema = sql.quoted_name(self.schema, quote=True) if self.schema else None
        kinds = {one["name"]: one["type"] for one in self._columns(table)}
        wanted = []
        for column in columns:
            value = sql.column(sql.quoted_name(column, quote=True))
            dated = isinstance(kinds[column], sql.Date | sql.DateTime)
            # "infinity" and the year 12023 are no days of Python's: none is known
            wanted.append(sql.case((value.between(*_DAYS), value)) if dated else value)
        query = sql.select(*wanted).select_from(sql.table(name, schema=schema))
        yield from self.connection.execution_options(yield_per=_BATCH).execute(query)
