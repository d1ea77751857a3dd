"""Tables as they are written: all of them appear when the block ends well, or none.

A folder of Parquet files and a DuckDB file are made beside their place and renamed; PostgreSQL
gets its tables in one transaction, into a schema that has none of that name.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from dpdeid.cohort import durable
from dpdeid.errors import UsageError
from dpdeid.formats.targets import new_folder
from dpdeid.omop.places import Place, connected, needed, quoted
from dpdeid.omop.tables import Table

if TYPE_CHECKING:
    from sqlalchemy import Connection

_BATCH: Final = 1000
_ROWS: Final = "these rows"
"""No table has this name."""
_SQL: Final = {"integer": "BIGINT", "date": "DATE", "datetime": "TIMESTAMP", "text": "VARCHAR"}


class Store(Protocol):
    """What takes tables."""

    def write(self, table: Table, rows: Iterable[Sequence[object]]) -> None:
        """Makes a table of these rows, in their order; a table is written once."""


def check(place: Place, tables: Iterable[Table]) -> None:
    """Nothing, if the tables of a release can be made there; makes none.

    Args:
        tables: all that will be written.

    Raises:
        UsageError: the file, the folder or one of the tables is there already, or may not be made.
    """
    if place.path is None:
        with connected(place, readonly=True) as connection:
            _check_schema(place, connection, tables)
        return
    place.check_folder()
    needed("pyarrow")
    if not place.is_duckdb:
        if place.path.exists() and (not place.path.is_dir() or any(place.path.iterdir())):
            raise UsageError(f"{place.path} is not empty: name a new folder")
        return
    needed("duckdb")
    if place.path.exists():
        raise UsageError(f"{place.path} exists: name a new file")
    if place.schema:
        raise UsageError(f"{place.path}: a new file has no schema but its own; leave out ?schema=")


@contextmanager
def opened(place: Place, tables: Iterable[Table]) -> Iterator[Store]:
    """What takes the tables of a release.

    Args:
        tables: all that will be written.

    Raises:
        UsageError: see `check`; or it cannot be written.
        OSError: writing failed on the way.
    """
    check(place, tables)
    if place.path is None:
        with connected(place, readonly=False) as connection:
            yield _Postgres(connection, place.schema or None)
        return
    with ExitStack() as files:
        try:
            store = files.enter_context(_new_duckdb(place) if place.is_duckdb else _folder(place))
        except OSError as error:
            raise UsageError(f"cannot write {place.path}: {error.strerror}") from None
        yield store


@contextmanager
def _folder(place: Place) -> Iterator[Store]:
    assert place.path is not None
    with new_folder(place.path) as folder:
        yield _Parquet(folder)


@contextmanager
def _new_duckdb(place: Place) -> Iterator[Store]:
    assert place.path is not None
    duckdb = needed("duckdb")
    path = place.path.resolve()
    new = durable.part_of(path)
    try:
        try:
            database = duckdb.connect(str(new))
        except duckdb.Error as error:
            raise UsageError(f"cannot write {path}: {type(error).__name__}") from None
        try:
            with durable.claimed(new), database:
                yield _DuckDB(database)
        except duckdb.Error as error:
            told = f"DuckDB cannot go on ({type(error).__name__})"
            raise OSError(errno.EIO, told) from None
        new.replace(path)
        durable.sweep(path)
    finally:
        new.unlink(missing_ok=True)
        Path(f"{new}.wal").unlink(missing_ok=True)


def _check_schema(place: Place, connection: Connection, tables: Iterable[Table]) -> None:
    sql = needed("sqlalchemy")
    inspector = sql.inspect(connection)
    schema = place.schema or inspector.default_schema_name
    if not inspector.has_schema(schema):
        raise UsageError(f"{place} has no schema {schema}: CREATE SCHEMA {schema} first")
    there = {*inspector.get_table_names(schema), *inspector.get_view_names(schema)}
    there |= {*inspector.get_materialized_view_names(schema)}
    if taken := sorted({table.name for table in tables} & {name.lower() for name in there}):
        raise UsageError(
            f"{place}: schema {schema} has a table {taken[0]}: name a schema that has none"
        )
    right = sql.select(sql.func.has_schema_privilege(schema, "CREATE"))
    if not connection.execute(right).scalar_one():
        raise UsageError(f"{place}: no right to make tables in schema {schema}")


@dataclass(frozen=True, slots=True)
class _Parquet:
    folder: Path

    def write(self, table: Table, rows: Iterable[Sequence[object]]) -> None:
        schema = _schema(table)
        path = self.folder / f"{table.name.upper()}.parquet"
        with needed("pyarrow.parquet").ParquetWriter(path, schema) as file:
            for batch in _batches(rows):
                file.write_table(_arrow(schema, batch))


def _batches(rows: Iterable[Sequence[object]]) -> Iterator[Sequence[Sequence[object]]]:
    left = iter(rows)
    while batch := list(islice(left, _BATCH)):
        yield batch


def _schema(table: Table) -> Any:
    arrow = needed("pyarrow")
    kinds = {
        "integer": arrow.int64(),
        "date": arrow.date32(),
        "datetime": arrow.timestamp("us"),
        "text": arrow.string(),
    }
    return arrow.schema([(column.name, kinds[column.kind]) for column in table.columns])


def _arrow(schema: Any, rows: Sequence[Sequence[object]]) -> Any:
    columns = [[*column] for column in zip(*rows, strict=True)]
    return needed("pyarrow").table(columns, schema=schema)


@dataclass(frozen=True, slots=True)
class _DuckDB:
    database: Any

    def write(self, table: Table, rows: Iterable[Sequence[object]]) -> None:
        columns = ", ".join(f"{quoted(c.name)} {_SQL[c.kind]}" for c in table.columns)
        self.database.execute(f"CREATE TABLE {quoted(table.name)} ({columns})")
        schema = _schema(table)
        for batch in _batches(rows):
            self.database.register(_ROWS, _arrow(schema, batch))
            self.database.execute(f"INSERT INTO {quoted(table.name)} SELECT * FROM {quoted(_ROWS)}")
            self.database.unregister(_ROWS)


@dataclass(frozen=True, slots=True)
class _Postgres:
    connection: Connection
    schema: str | None

    def write(self, table: Table, rows: Iterable[Sequence[object]]) -> None:
        sql = needed("sqlalchemy")
        kinds = {
            "integer": sql.BigInteger,
            "date": sql.Date,
            "datetime": sql.DateTime,
            "text": sql.Text,
        }
        columns = [
            sql.Column(sql.quoted_name(c.name, quote=True), kinds[c.kind], nullable=True)
            for c in table.columns
        ]
        name = sql.quoted_name(table.name, quote=True)
        schema = sql.quoted_name(self.schema, quote=True) if self.schema else None
        made = sql.Table(name, sql.MetaData(), *columns, schema=schema)
        made.create(self.connection)
        for batch in _batches(rows):
            self.connection.execute(
                made.insert(), [dict(zip(table.names, row, strict=True)) for row in batch]
            )
