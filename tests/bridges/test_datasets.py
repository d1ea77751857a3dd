"""Batches of `datasets`: rows in, rows to release out, and no patient split."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dpdeid import Deidentifier, UsageError
from dpdeid.bridges.datasets import Batches
from tests.conftest import KEY

datasets = pytest.importorskip("datasets", reason="needs the extra bridges")

ROWS: list[dict[str, Any]] = [
    {"id": 1, "patient_id": 7, "note_date": "2023-03-10", "text": "Opérée le 07/03/2023."},
    {"id": 2, "patient_id": 8, "note_date": None, "text": "M. Durand, 12/03/2021."},
    {"id": 3, "patient_id": 7, "note_date": "2023-04-12", "text": "Opérée le 07/03/2023, bien."},
    {"id": 4, "patient_id": None, "note_date": "SECRET", "text": "Vue le 3 mai 2022."},
    {"id": 5, "patient_id": 9, "note_date": None, "text": None},
]


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> Any:
    """No cached result of another test, nor the copy of the environment that `num_proc` leaves."""
    monkeypatch.setattr(os, "environ", os.environ)
    datasets.disable_caching()
    datasets.disable_progress_bars()
    yield
    datasets.enable_caching()


def mapped(data: Any, deidentifier: Deidentifier, **options: Any) -> Any:
    release = Batches(deidentifier, data)
    return data.map(release, **{**release.options, **options})


def test_rows_come_out_released(quick: Path) -> None:
    engine = Deidentifier(quick, key=KEY)
    done = mapped(datasets.Dataset.from_list(ROWS), engine)
    assert done.column_names == ["id", "text", "note_date", "error"]
    assert done["id"][:] == [engine.cohort.released_id(str(row["id"])) for row in ROWS]
    first, other, second, dateless, textless = done
    assert first["text"].rstrip(".") == second["text"].removesuffix(", bien.")
    assert "Durand" not in other["text"]
    assert first["note_date"] not in (None, "2023-03-10")
    assert [row["error"] for row in (first, other, second)] == [None] * 3
    assert dateless["text"] is textless["text"] is None
    assert "note_date is not a date" in dateless["error"]
    assert "SECRET" not in dateless["error"]
    assert textless["error"] == "this row: no text"


def test_they_are_those_of_the_engine(quick: Path) -> None:
    from dpdeid.formats.rows import document_of

    engine = Deidentifier(quick, key=KEY)
    done = mapped(datasets.Dataset.from_list(ROWS), engine)
    alone = engine.pipe(document_of(row) for row in ROWS[:3])
    assert done["text"][:3] == [result.text for result in alone]  # type: ignore[union-attr]


@pytest.mark.parametrize("options", [{"batch_size": 2}, {"num_proc": 3}])
def test_a_batch_that_splits_a_patient_is_refused(quick: Path, options: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="all notes of each of its patients"):
        mapped(datasets.Dataset.from_list(ROWS), Deidentifier(quick, key=KEY), **options)


@pytest.mark.parametrize("options", [{"batch_size": 1}, {"num_proc": 2}])
def test_notes_that_are_units_may_be_cut_anywhere(by_note: Path, options: dict[str, int]) -> None:
    engine = Deidentifier(by_note, key=KEY)
    data = datasets.Dataset.from_list(ROWS)
    assert mapped(data, engine, **options).to_list() == mapped(data, engine).to_list()


def test_what_the_hospital_knows_is_found(quick: Path) -> None:
    data = datasets.Dataset.from_list(
        [
            {"id": "a", "text": "Vu avec zorglub.", "patient": {"last_name": "Zorglub"}},
            {"id": "b", "text": "Vu avec zorglub.", "patient": {"last_name": None}},
        ]
    )
    first, second = mapped(data, Deidentifier(quick, key=KEY))
    assert "zorglub" not in first["text"].lower()
    assert second["text"] == "Vu avec zorglub."


def test_rows_that_share_an_id_fail(by_note: Path) -> None:
    rows = [{"id": "a", "text": "Un."}, {"id": "b", "text": "Deux."}, {"id": "a", "text": "Trois."}]
    data = datasets.Dataset.from_list(rows)
    done = mapped(data, Deidentifier(by_note, key=KEY), batch_size=1)
    assert done["text"][:] == [None, "Deux.", None]
    assert done["error"][:] == ["another row has this id", None, "another row has this id"]
    blank = datasets.Dataset.from_list([{"id": " ", "text": text} for text in ("Un.", "Deux.")])
    done = mapped(blank, Deidentifier(by_note, key=KEY), batch_size=1)
    assert done["text"][:] == [None, None]


def test_what_cannot_be_mapped_is_refused(quick: Path) -> None:
    engine = Deidentifier(quick, key=KEY)
    data = datasets.Dataset.from_list(ROWS)
    with pytest.raises(UsageError, match="IterableDataset"):
        Batches(engine, data.to_iterable_dataset())
    with pytest.raises(UsageError, match="no column text"):
        Batches(engine, data.rename_column("text", "note_text"))
    assert "quick" in repr(Batches(engine, data))
