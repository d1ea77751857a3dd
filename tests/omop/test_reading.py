"""Tables are read wherever they are, and nothing else is."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from dpdeid.errors import UsageError
from dpdeid.omop import reading
from dpdeid.omop.places import Place, connected

duckdb = pytest.importorskip("duckdb", reason="needs the extra omop")
pa = pytest.importorskip("pyarrow", reason="needs the extra omop")
pq = pytest.importorskip("pyarrow.parquet", reason="needs the extra omop")


def rows(name: str, table: str, *columns: str) -> list[dict[str, Any]]:
    with reading.opened(Place.of(name)) as tables:
        return [*tables.rows(table, columns)]


def test_a_table_may_be_a_folder_of_files(tmp_path: Path) -> None:
    """As Spark writes it."""
    (tmp_path / "NOTE.parquet").mkdir()
    for part in (1, 2):
        pq.write_table(
            pa.table({"NOTE_ID": [part]}), tmp_path / "NOTE.parquet" / f"p{part}.parquet"
        )
    (tmp_path / "NOTE.parquet" / "_SUCCESS").touch()
    (tmp_path / ".hidden.parquet").touch()
    found = rows(str(tmp_path), "note", "note_id", "absent")
    assert sorted(row["note_id"] for row in found) == [1, 2]
    assert {*found[0]} == {"note_id"}


def test_moments_of_any_unit(tmp_path: Path) -> None:
    moment = dt.datetime(2020, 1, 2, 3, 4, 5)  # noqa: DTZ001
    for unit in ("s", "ms", "us", "ns"):
        table = pa.table({"at": pa.array([moment, None], pa.timestamp(unit))})
        pq.write_table(table, tmp_path / "t.parquet")
        assert rows(str(tmp_path), "t", "at") == [{"at": moment}, {"at": None}]


def test_a_day_that_python_has_not_is_that_of_its_row_alone(tmp_path: Path) -> None:
    days = pa.array([18_000, 4_000_000, None], pa.int32()).cast(pa.date32())
    pq.write_table(pa.table({"at": days}), tmp_path / "t.parquet")
    assert rows(str(tmp_path), "t", "at") == [
        {"at": dt.date(2019, 4, 14)},
        {"at": "?"},
        {"at": None},
    ]


@pytest.mark.postgres
def test_a_stay_without_an_end_is_read(server: Any) -> None:
    server.execute(
        "DROP SCHEMA IF EXISTS open CASCADE; CREATE SCHEMA open",
        "CREATE TABLE open.stay (id int, day date, at timestamptz)",
        "INSERT INTO open.stay VALUES (1, '2021-03-12', '2021-03-12 10:00+00'),"
        " (2, 'infinity', '-infinity'), (3, '12023-01-01', NULL)",
    )
    found = rows(f"{server.url()}?schema=open", "stay", "id", "day", "at")
    assert [(row["id"], row["day"]) for row in sorted(found, key=lambda row: row["id"])] == [
        (1, dt.date(2021, 3, 12)),
        (2, None),
        (3, None),
    ]
    assert [row["at"] is None for row in found] == [False, True, True]


def test_a_file_of_another_kind_is_not_opened_for_a_table(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1]}), tmp_path / "NOTE.parquet")
    (tmp_path / "NOTE.feather").write_bytes(b"no table")  # an ending as long
    (tmp_path / "NOTE.PARQUET.bak").write_bytes(b"no table")
    assert rows(str(tmp_path), "note", "id") == [{"id": 1}]


def test_a_schema_and_a_view_of_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "c.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute('CREATE SCHEMA cdm; CREATE TABLE cdm.raw AS SELECT 7 AS "Id"')
        database.execute("CREATE VIEW cdm.Note AS SELECT * FROM cdm.raw")
        database.execute("CREATE TABLE note AS SELECT 8 AS id")
    assert rows(f"{path}?schema=cdm", "note", "id") == [{"id": 7}]
    assert rows(str(path), "note", "id") == [{"id": 8}]


def test_a_view_of_duckdb_opens_no_other_file(tmp_path: Path) -> None:
    secret, path = tmp_path / "secret.csv", tmp_path / "c.duckdb"
    secret.write_text("id\n7\n")
    with duckdb.connect(str(path)) as database:
        database.execute(f"CREATE VIEW note AS SELECT * FROM read_csv('{secret}')")
        assert database.execute("SELECT id FROM note").fetchall() == [(7,)]
    with pytest.raises(UsageError, match="cannot be read"):
        rows(str(path), "note", "id")


def test_what_is_not_there_or_broken_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.duckdb").write_bytes(b"no database" * 999)
    (tmp_path / "cdm").mkdir()
    (tmp_path / "cdm" / "note.parquet").write_bytes(b"no parquet")
    for name, said in (
        ("absent", "no such folder"),
        ("absent.duckdb", "no such file"),
        ("broken.duckdb", "cannot be read"),
        ("cdm", "cannot be read"),
    ):
        with pytest.raises(UsageError, match=said):
            rows(str(tmp_path / name), "note", "id")
    with pytest.raises(UsageError, match="has no table person"):
        rows(str(tmp_path / "cdm"), "person", "id")


def test_two_names_for_one_are_refused(tmp_path: Path) -> None:
    for name in ("NOTE", "note"):
        pq.write_table(pa.table({"ID": [1], "id": [2]}), tmp_path / f"{name}.parquet")
    with pytest.raises(UsageError, match="two tables note"):
        rows(str(tmp_path), "note", "id")
    (tmp_path / "note.parquet").unlink()
    with pytest.raises(UsageError, match="two columns"):
        rows(str(tmp_path), "note", "id")


@pytest.mark.postgres
def test_a_source_of_postgres_can_write_nothing(server: Any) -> None:
    import sqlalchemy

    server.execute(
        "DROP SCHEMA IF EXISTS r CASCADE; CREATE SCHEMA r",
        'CREATE TABLE r.raw (id int, "A%b" text)',
        "INSERT INTO r.raw SELECT n, 'x' FROM generate_series(1, 2500) n",
        'CREATE VIEW r."Note" AS SELECT * FROM r.raw',
    )
    place = Place.of(f"{server.url()}?schema=r")
    assert len(rows(f"{server.url()}?schema=r", "note", "id", "a%b")) == 2500
    with pytest.raises(UsageError, match="25006"), connected(place, readonly=True) as connection:
        connection.execute(sqlalchemy.text("DELETE FROM r.raw"))
