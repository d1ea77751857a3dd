"""Where tables are: a folder of Parquet files, a DuckDB file, or a schema of PostgreSQL."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpdeid.errors import UsageError
from dpdeid.formats.kinds import kind_of
from dpdeid.omop.tables import plain

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.engine import URL

DUCKDB: Final = ".duckdb"
_LOST: Final = ("08", "53", "57", "58")
"""Classes of SQLSTATE: no connection, no room, stopped by somebody, broken."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of tables as a user names it.

    Args:
        path: None if it is in PostgreSQL.
        url: of PostgreSQL, without the schema; may hold a password.
        schema: in small letters, "" for the usual one.
    """

    path: Path | None
    url: URL | None = field(default=None, repr=False)
    schema: str = ""

    @classmethod
    def of(cls, name: str) -> Place:
        """The place of a name; a schema stands behind it as "?schema=…".

        Raises:
            UsageError: it is no such name; none of it is repeated where it may hold a password.
        """
        if name.startswith(("postgresql:", "postgresql+", "postgres:")):
            return cls._of_url(name)
        if "://" in name or not name:
            raise UsageError("a folder, a .duckdb file or a postgresql:// URL is needed")
        start, mark, schema = name.partition("?schema=")
        path = Path(start)
        if mark and path.suffix.lower() != DUCKDB:
            raise UsageError(f"{start}: only databases have a schema")
        return cls(path, schema=plain(schema, "?schema=") if mark else "")

    @classmethod
    def _of_url(cls, name: str) -> Place:
        sql = needed("sqlalchemy")
        try:
            url = sql.make_url(name)
        except (sql.exc.ArgumentError, ValueError):
            raise UsageError("the URL of PostgreSQL cannot be read") from None
        schema = url.query.get("schema", "")
        if not isinstance(schema, str):
            raise UsageError("?schema= of the URL stands there twice")
        url = url.difference_update_query(["schema"]).set(drivername="postgresql+psycopg")
        return cls(None, url, plain(schema, "?schema=") if schema else "")

    @property
    def is_duckdb(self) -> bool:
        """Whether it is a DuckDB file."""
        return self.path is not None and self.path.suffix.lower() == DUCKDB

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of Parquet files."""
        return self.path is not None and not self.is_duckdb

    def __str__(self) -> str:
        """As messages call it: no user and no password."""
        if self.url is None:
            return str(self.path)
        return f"postgresql://{self.url.host or ''}/{self.url.database or ''}"

    def check_folder(self) -> None:
        """Refuses a file that is none of ours.

        Raises:
            UsageError: it has the name of one.
        """
        if self.path is not None and self.is_folder and kind_of(self.path.name):
            raise UsageError(
                f"{self.path}: a folder of .parquet files, a .duckdb file or a postgresql:// URL "
                "is needed"
            )


@contextmanager
def connected(place: Place, *, readonly: bool) -> Iterator[Connection]:
    """One transaction of PostgreSQL, which sees one state of the database; committed where the
    block ends well.

    Raises:
        UsageError: the server refuses something. Its own words are not repeated: they may hold
            values of a row.
        OSError: it was lost on the way, or cannot go on.
    """
    sql = needed("sqlalchemy")
    needed("psycopg")
    engine = sql.create_engine(
        place.url, poolclass=sql.pool.NullPool, isolation_level="REPEATABLE READ"
    )
    connected = False
    try:
        with engine.connect() as connection:
            connected = True
            connection.execution_options(postgresql_readonly=readonly)
            with connection.begin():
                yield connection
    except sql.exc.SQLAlchemyError as error:
        code = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
        if not connected:
            raise UsageError(
                f"{place}: no server answers, or it refuses the user, the password or the database"
            ) from None
        told = f"{place}: the database refuses ({code or type(error).__name__})"
        if code[:2] in _LOST if code else isinstance(error, sql.exc.OperationalError):
            raise OSError(errno.EIO, told) from None
        raise UsageError(told) from None


def needed(name: str) -> Any:
    """A module of the extra.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            f"OMOP tables need {name.partition('.')[0]}: pip install '.[omop]' in a checkout of "
            "dpdeid"
        ) from None


def quoted(*names: str) -> str:
    """Names as SQL has them: "main"."note"."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names if name)
