"""Names of places, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid.errors import UsageError
from dpdeid.omop.places import Place, quoted


def test_folders_and_files() -> None:
    assert Place.of("cdm").is_folder
    assert Place.of("cdm.duckdb").is_duckdb
    schemed = Place.of("a/cdm.duckdb?schema=Main")
    assert (schemed.path, schemed.schema) == (Path("a/cdm.duckdb"), "main")
    assert not schemed.is_folder


@pytest.mark.parametrize("name", ["", "mysql://u:pw@h/d", "cdm?schema=x", "c.duckdb?schema=x;y"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        Place.of(name)
    assert "pw" not in str(refused.value)


@pytest.mark.parametrize("name", ["notes.jsonl", "note.txt"])
def test_a_file_of_rows_is_no_place_of_tables(name: str) -> None:
    with pytest.raises(UsageError, match="a folder of"):
        Place.of(name).check_folder()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:hush@db:5433/hospital?schema=cdm",
        "postgres://ann:hush@db:5433/hospital?schema=CDM",
        "postgresql+psycopg2://ann:hush@db/hospital?schema=cdm",
        "postgresql://ann@db/hospital?schema=cdm&password=hush",
    ],
)
def test_a_url_is_shown_without_user_and_password(url: str) -> None:
    pytest.importorskip("sqlalchemy", reason="needs the extra omop")
    place = Place.of(url)
    assert str(place) == "postgresql://db/hospital"
    assert place.schema == "cdm"
    assert place.url is not None
    assert place.url.drivername == "postgresql+psycopg"
    assert "schema" not in place.url.query
    for shown in (str(place), repr(place)):
        assert "hush" not in shown
        assert "ann" not in shown


def test_a_url_that_cannot_be_read_is_not_repeated() -> None:
    pytest.importorskip("sqlalchemy", reason="needs the extra omop")
    for url in (
        "postgresql:hush",
        "postgresql://ann:hush@db:port/d",
        "postgresql://h/d?schema=a&schema=b",
    ):
        with pytest.raises(UsageError) as refused:
            Place.of(url)
        assert "hush" not in str(refused.value)


def test_names_are_quoted() -> None:
    assert quoted("main", 'no"te') == '"main"."no""te"'
    assert quoted("", "note") == '"note"'
