"""What columns are told to be is what their rows are read as."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Reading
from dpdeid.formats.sources import look, read

HOW = Reading(columns={"text": "TEXTE", "patient_id": "IPP"})
MEANT = {"TEXTE": "text", "IPP": "patient_id", "Last_Name": "last_name", "service": ""}


def written(folder: Path, ending: str) -> Path:
    path = folder / f"notes{ending}"
    cells = ("RAS", "7", "Durand", "A")
    if ending == ".parquet":
        pa = pytest.importorskip("pyarrow", reason="needs the extra formats")
        from pyarrow import parquet

        parquet.write_table(
            pa.table({name: [cell] for name, cell in zip(MEANT, cells, strict=True)}), path
        )
    elif ending == ".jsonl":
        row = ", ".join(f'"{name}": "{cell}"' for name, cell in zip(MEANT, cells, strict=True))
        path.write_text(f'{{"id": 1, {row}}}\n\nno JSON\n')
    else:
        between = "\t" if ending == ".tsv" else ";"
        path.write_text(f"{between.join(MEANT)}\n{between.join(cells)}\n")
    return path


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_they_are_what_rows_are_read_by(ending: str, tmp_path: Path) -> None:
    path = written(tmp_path, ending)
    assert {"id": "id"} | look(str(path)).columns(HOW) == {"id": "id"} | MEANT
    row, *_ = read(str(path), None, HOW)  # type: ignore[arg-type]
    assert row.document is not None
    assert (row.document.text, row.document.patient_id) == ("RAS", "7")
    assert [*row.document.known.values()] == [("Durand",)]
    assert row.extra == {"service": "A"}


def test_a_key_that_has_another_column_is_none() -> None:
    assert Reading(columns={"text": "TEXTE"}).key("text") == ""


def test_of_a_folder_all_files_are_told(tmp_path: Path) -> None:
    written(tmp_path, ".csv")
    (tmp_path / "other.tsv").write_text("TEXTE\tIPP\tward\nRAS\t7\tA\n")
    (tmp_path / "note.txt").write_text("RAS")
    assert look(str(tmp_path)).columns(HOW) == MEANT | {"ward": ""}


def test_none_of_standard_input_and_of_files_without_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1;RAS\n")
    (tmp_path / "b.csv").touch()
    assert look("-").columns(HOW) == {}
    assert look(str(tmp_path)).columns(HOW) == {}


def test_none_of_a_damaged_parquet_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra formats")
    (tmp_path / "c.parquet").write_bytes(b"no Parquet")
    assert look(str(tmp_path)).columns(HOW) == {}


def test_a_missing_column_is_refused_as_in_a_run(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("note;ward\nRAS;A\n")
    with pytest.raises(UsageError, match="no column is called TEXTE; there are note, ward"):
        look(str(tmp_path / "a.csv")).columns(HOW)
