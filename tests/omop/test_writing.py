"""All tables appear, or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpdeid.errors import UsageError
from dpdeid.omop import writing
from dpdeid.omop.places import Place
from dpdeid.omop.tables import Table
from tests.omop.sites import Site

pytest.importorskip("duckdb", reason="needs the extra omop")
pytest.importorskip("pyarrow", reason="needs the extra omop")

TABLE = Table.of("offset", "id integer day date at datetime select text")
ROWS = [(n, dt.date(2020, 1, 1), None, f"é%s:x{n}" if n % 2 else None) for n in range(2_500)]
OTHER = Table.of("other", "id integer")


@pytest.fixture(params=["parquet", "duckdb", pytest.param("postgres", marks=pytest.mark.postgres)])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    server = request.getfixturevalue("server") if request.param == "postgres" else None
    return Site(request.param, tmp_path, server)


def test_rows_come_back_in_their_order(site: Site) -> None:
    with writing.opened(Place.of(site.make("w")), [TABLE, OTHER]) as store:
        store.write(TABLE, iter(ROWS))
        store.write(OTHER, [])
    found = site.read("w")
    assert [tuple(row.values()) for row in found["offset"]] == ROWS
    assert found["other"] == []


def test_nothing_is_left_of_what_fails(site: Site) -> None:
    def breaking() -> Iterator[tuple[int]]:
        yield (1,)
        raise RuntimeError("on its way")

    def write() -> None:
        with writing.opened(Place.of(site.make("w")), [TABLE, OTHER]) as store:
            store.write(TABLE, ROWS)
            store.write(OTHER, breaking())

    with pytest.raises(RuntimeError, match="on its way"):
        write()
    assert not site.exists("w")


def test_nothing_is_written_over(site: Site) -> None:
    with writing.opened(Place.of(site.make("w")), [OTHER]) as store:
        store.write(OTHER, [(1,)])
    before = site.read("w")
    place = Place.of(site.name("w"))
    with pytest.raises(UsageError), writing.opened(place, [TABLE, OTHER]):
        raise AssertionError
    assert site.read("w") == before == {"other": [{"id": 1}]}


def test_an_empty_folder_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    with writing.opened(Place.of(str(tmp_path / "w")), [OTHER]) as store:
        store.write(OTHER, [(1,)])
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["OTHER.parquet"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    for name in ("absent/w", "absent/w.duckdb", "w.duckdb?schema=x"):
        place = Place.of(f"{tmp_path}/{name}")
        with pytest.raises(UsageError), writing.opened(place, [OTHER]) as store:
            store.write(OTHER, [])
    assert not [*tmp_path.iterdir()]


@pytest.mark.postgres
def test_tables_of_others_stay_beside_ours(server: Any, tmp_path: Path) -> None:
    site = Site("postgres", tmp_path, server)
    site.make("w")
    server.execute("CREATE TABLE w.theirs (id int)")
    with writing.opened(Place.of(site.name("w")), [OTHER]) as store:
        store.write(OTHER, [(1,)])
    assert {*site.read("w")} == {"theirs", "other"}


@pytest.mark.postgres
def test_a_server_that_goes_away_is_no_wrong_usage(server: Any, tmp_path: Path) -> None:
    site = Site("postgres", tmp_path, server)
    place = Place.of(site.make("w"))

    def write() -> None:
        with writing.opened(place, [OTHER]) as store:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            store.write(OTHER, [(1,)])

    with pytest.raises(OSError, match="the database refuses"):
        write()
    assert not site.exists("w")


@pytest.mark.postgres
def test_no_message_repeats_a_row(server: Any, tmp_path: Path) -> None:
    site = Site("postgres", tmp_path, server)
    with (
        pytest.raises(UsageError) as refused,
        writing.opened(Place.of(site.make("w")), [TABLE]) as store,
    ):
        store.write(TABLE, [(1, None, None, "Zorguelec\0")])
    assert "Zorguelec" not in str(refused.value)
    assert "the database refuses" in str(refused.value)
