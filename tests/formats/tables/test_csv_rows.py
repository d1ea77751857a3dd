"""Tables as text: every row comes out with its note or with what is wrong, and cells come back."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Origin, Reading, kind_called
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import read
from dpdeid.formats.tables import csv_rows
from dpdeid.formats.tables.pieces import Pieces
from dpdeid.labels import Label, Sex

CANARY = "Zyxwvut"
NOTE = "Mme Été, née à Nîmes\nle 3 août"


def rows(data: bytes | str, how: Reading | None = None, name: str = "") -> list[Row]:
    raw = data.encode() if isinstance(data, str) else data
    origin = Origin(name, name or "notes.csv")
    return list(csv_rows.read(io.BytesIO(raw), origin, how or Reading()))


def written(*pieces: dict[str, object], kept: tuple[str, ...] = (), kind: str = "csv") -> bytes:
    file = io.BytesIO()
    lines = [json.dumps(piece).encode() for piece in pieces]
    kind_called(kind).writer(Pieces(lines, kept), file)
    return file.getvalue()


def texts(found: list[Row]) -> list[str | None]:
    return [row.document.text if row.document else None for row in found]


@pytest.mark.parametrize("none", ["NULL", "null", r"\N", "nan", "NaN", "None", "NA", "N/A", " "])
def test_what_means_no_value_is_no_patient_and_no_fact(none: str) -> None:
    (row,) = rows(
        f"id,text,patient_id,last_name,birth_date,ward\na,{none},{none},{none},{none},{none}"
    )
    assert row.document is not None
    assert (row.document.patient_id, row.document.known) == (None, {})
    assert (row.document.text, row.extra) == (none, {"ward": none})


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_first_line_tells_what_parts_the_cells(sign: str) -> None:
    line = sign.join(["a", f'"x{sign}y ""z"""', "north"])
    (row,) = rows(f"{sign.join(['id', 'text', 'ward'])}\r\n{line}\r\n")
    assert row.document is not None
    assert (row.document.id, row.document.text) == ("a", f'x{sign}y "z"')
    assert row.extra == {"ward": "north"}


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_a_table_is_read_in_its_encoding(encoding: str, told: str) -> None:
    found = rows(f'id,text\na,"{NOTE}"\nb,x\n'.encode(encoding))
    assert texts(found) == [NOTE, "x"]
    assert [row.encoding for row in found] == [told, ""]  # counted once a file


def test_an_encoding_is_told_by_letters_far_behind() -> None:
    far = f"id,text\na,{'x' * 3_000_000}\nb,Été\n"
    for encoding in ("cp1252", "utf-8"):
        assert texts(rows(far.encode(encoding))[-1:]) == ["Été"]


def test_bytes_that_are_no_letters_are_an_error_of_their_row() -> None:
    found = rows("id,text\na,Été à Orléans\nb,".encode() + b"\xff" + "\nc,Où\n".encode())
    assert texts(found) == ["Été à Orléans", None, "Où"]
    assert found[1].error == "row 2: bytes that are not in the encoding of the file"


def test_a_packed_table(tmp_path: Path) -> None:
    path = tmp_path / "n.csv.gz"
    path.write_bytes(gzip.compress(f'id,text\na,"{NOTE}"\n'.encode("cp1252")))
    assert texts(list(read(str(path), io.BytesIO()))) == [NOTE]
    path.write_bytes(gzip.compress(b"id,text\n" + b"a,x\n" * 9_000)[:-9])
    assert list(read(str(path), io.BytesIO()))[-1].error.endswith("damaged file (EOFError)")


def test_rows_with_other_numbers_of_cells_are_errors() -> None:
    found = rows(f"id,text\n{CANARY}\nb,x\n\nc,{CANARY},{CANARY}\nd,y\n")
    assert [row.error for row in found] == [
        "row 1: 1 cells, and there are 2 columns",
        "",
        "row 3: 3 cells, and there are 2 columns",
        "",
    ]
    assert (found[0].id, found[2].id) == (None, None)  # cells may have moved


@pytest.mark.parametrize("broken", ['b,"x "y" z",n\n', 'b,"x,n\n'])
def test_nothing_is_read_behind_a_quote_that_is_not_doubled(broken: str) -> None:
    found = rows(f"id,text,ward\na,x,n\n{broken}c,y,{CANARY}\nd,y,n\n")
    assert texts(found) == ["x", None]
    assert found[1].error.startswith("row 2: a quote inside a quoted cell is not doubled")
    assert CANARY not in found[1].error


def test_a_cell_may_be_huge(monkeypatch: pytest.MonkeyPatch) -> None:
    huge = "Vu ce jour. " * 300_000
    assert texts(rows(f"id,text\na,{huge}\n")) == [huge]
    monkeypatch.setattr(csv_rows, "_LARGEST", 1_000)
    one_line, one_cell = "x" * 2_000, '"' + "x\n" * 1_000 + '"'
    for cell in (one_line, one_cell):
        found = rows(f"id,text\na,y\nb,{cell}\nc,z\n")
        assert texts(found) == ["y", None]
        assert "a cell is larger" in found[1].error
    monkeypatch.undo()
    assert rows("") == []  # the limit of the csv module is as large again


def test_columns_called_as_keys_are_these_keys() -> None:
    head = "ID;Text;PATIENT_ID;note_date;last_name;patient.birth_date;sex;date_shift;zip;ward"
    row, bare = rows(f"{head}\n7;x;12;06/11/2023;Durand;12/03/1951;F;-90;01000;n\n8;x;;;;;;;;\n")
    doc = row.document
    assert doc is not None
    assert (doc.id, doc.patient_id, str(doc.note_date)) == ("7", "12", "2023-11-06")
    assert doc.known == {
        Label.LAST_NAME: ("Durand",),
        Label.BIRTH_DATE: ("1951-03-12",),
        Label.ZIP: ("01000",),
    }
    assert (doc.sex, doc.date_shift, row.extra) == (Sex.FEMALE, -90, {"ward": "n"})
    empty = bare.document
    assert empty is not None
    assert (empty.patient_id, empty.note_date, empty.known) == (None, None, {})


def test_columns_may_be_named() -> None:
    how = Reading("", {"text": "note", "id": "NOTE_ID", "last_name": "NOM"})
    (row,) = rows("NOTE_ID,note,NOM,id,service\n17,x,Durand,other,cardio\n", how)
    assert row.document is not None
    assert (row.document.id, row.document.text) == ("17", "x")
    assert row.document.known == {Label.LAST_NAME: ("Durand",)}
    assert row.extra == {"service": "cardio"}


@pytest.mark.parametrize(
    ("head", "columns", "message"),
    [
        ("id,note,service", {}, "no column is called text; there are id, note, service"),
        ("id,text", {"birth_date": "DDN"}, "no column is called DDN; there are id, text"),
        ("id,text,Text", {}, r"more than one column is text \(text, Text\)"),
        ("id,text,sex,patient.sex", {}, r"more than one column is sex \(sex, patient.sex\)"),
    ],
)
def test_a_table_without_its_columns_is_refused(
    head: str, columns: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        rows(f"{head}\n{CANARY},{CANARY},,\n", Reading("", columns))


@pytest.mark.parametrize(
    "first",
    [f"17,Mme {CANARY} {'va bien ' * 20}", "a,12/03/2021", "PK\x03\x04,b", f'{CANARY},"a\nb'],
)
def test_a_first_line_that_is_no_names_is_not_repeated(first: str) -> None:
    (row,) = rows(f"{first}\n18,x\n")
    assert (row.document, row.place) == (None, "file 1")
    assert row.error == "file notes.csv: its first line is no line of column names"


def test_without_a_column_of_ids_a_row_is_called_by_its_number() -> None:
    found = rows("text\nx\ny\n") + rows("text\nx\n", name="a/b.csv")
    assert [row.id for row in found] == ["notes.csv#1", "notes.csv#2", "a/b.csv#1"]


def test_an_empty_table_has_no_rows() -> None:
    assert rows("") == rows("\n\n") == rows("id,text\n") == []


def test_a_row_that_failed_before_fails_again() -> None:
    (row,) = rows(written({"id": "a", "error": "row 3: no text"}))
    assert (row.id, row.error) == ("a", "row 1: no text")


def test_the_columns_are_known_whatever_the_first_row_has() -> None:
    data = written({"id": None, "error": "e"}, {"id": "a", "text": "x", "ward": 3}, kept=("ward",))
    assert data.decode() == "id,text,ward,error\r\n,,,e\r\na,x,3,\r\n"
    assert written(kept=("ward",)) == b"id,text,ward,error\r\n"


def test_values_are_written_as_texts() -> None:
    values = {
        "a": True,
        "b": -1.5,
        "c": None,
        "d": {"object": {"k": [1]}},
        "e": {"date": "2024-01-31"},
    }
    data = written({"id": "a", "text": "x", **values}, kept=tuple(values), kind="tsv").decode()
    (_, row) = csv.reader(io.StringIO(data), delimiter="\t")
    assert row == ["a", "x", "true", "-1.5", "", '{"k": [1]}', "2024-01-31", ""]


@pytest.mark.parametrize("formula", ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "\nx", "＝x", "'=x"])
def test_no_cell_is_a_formula(formula: str) -> None:
    data = written({"id": "a", "text": formula, formula: formula}, kept=(formula,))
    head, row = csv.reader(io.StringIO(data.decode(), newline=""))
    assert (head[2], row[1], row[2]) == (f"'{formula}",) * 3
    assert texts(rows(data)) == [formula]


@pytest.mark.parametrize("plain", ["-3", "-3,5", "+1.5e-3", "'", "'a", "- "])
def test_numbers_stay_as_they_are(plain: str) -> None:
    data = written({"id": "a", "text": "x", "v": plain}, kept=("v",)).decode()
    (_, row) = csv.reader(io.StringIO(data, newline=""))
    assert row[2] == (f"'{plain}" if plain == "- " else plain)
    assert rows(data)[0].extra["v"] == plain


ANY = st.text(st.characters(exclude_categories=["Cs"]))
TRICKY = st.text(st.sampled_from("'=-+@\t\r\n\",;|a1. \x00\ufeffé"), max_size=8)


@given(st.lists(st.tuples(ANY | TRICKY, ANY | TRICKY)), st.sampled_from(["csv", "tsv"]))
def test_what_is_written_is_read_back(given: list[tuple[str, str]], kind: str) -> None:
    pieces = [{"id": str(at), "text": text, "v": v} for at, (text, v) in enumerate(given)]
    found = rows(written(*pieces, kept=("v",), kind=kind))
    assert [(row.document and row.document.text, row.extra["v"]) for row in found] == given
