"""Reading: one row for each input row, whatever it holds, and no value in any message."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import json
from pathlib import Path

import pytest

from dpdeid.document import Document
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.json_lines import BOM
from dpdeid.formats.rows import Row, document_of
from dpdeid.formats.sources import look, read, source_files
from dpdeid.labels import Label, Sex

CANARY = "Zyxwvut"
PATIENT = {
    "first_name": "Anne", "last_name": "LE GOFF",
    "birth_name": "Kermarec", "birth_date": "1947-09-22",
    "sex": "F", "address": "8 rue X", "city": "Landerneau", "zip": 29800, "phone": ["01", "02"],
    "ipp": "8004512367", "nda": None, "ssn": " ",
}  # fmt: skip


def rows(data: bytes, tmp_path: Path, name: str = "notes.jsonl") -> list[Row]:
    path = tmp_path / name
    path.write_bytes(data)
    return list(read(str(path), io.BytesIO()))


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def test_the_shift_of_a_patient_is_read() -> None:
    assert document_of({"id": "a", "text": "x", "patient": {"date_shift": -90}}).date_shift == -90
    assert document_of({"id": "a", "text": "x", "patient": {}}).date_shift is None


def test_a_row_becomes_a_document() -> None:
    doc = document_of(
        {
            "id": 7,
            "text": "x",
            "patient_id": 12,
            "note_date": "2024-02-27T10:00",
            "patient": PATIENT,
        }
    )
    assert doc == Document(
        "7",
        "x",
        "12",
        dt.date(2024, 2, 27),
        {
            Label.FIRST_NAME: ("Anne",),
            Label.LAST_NAME: ("LE GOFF", "Kermarec"),
            Label.BIRTH_DATE: ("1947-09-22",),
            Label.STREET: ("8 rue X",),
            Label.CITY: ("Landerneau",),
            Label.ZIP: ("29800",),
            Label.PHONE: ("01", "02"),
            Label.PATIENT_ID: ("8004512367",),
        },
        Sex.FEMALE,
    )


@pytest.mark.parametrize("written", ["06/11/2023", "6.11.2023 08:15", "2023-11-06T08:15:00+01:00"])
def test_a_note_date_is_read_as_a_birth_date_is(written: str) -> None:
    doc = document_of(
        {"id": 7, "text": "x", "note_date": written, "patient": {"birth_date": written}}
    )
    assert doc.note_date == dt.date(2023, 11, 6)
    assert doc.known == {Label.BIRTH_DATE: ("2023-11-06",)}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "a"}, "no text"),
        ({"id": 1.0, "text": "x"}, "id is not text"),
        ({"id": "a", "text": "x", "note_date": float("nan")}, "note_date is not a date"),
        ({"id": "a", "text": 3}, "text is not text"),
        ({"id": "a", "text": None}, "no text"),
        ({"text": "x"}, "no id"),
        ({"id": "", "text": "x"}, "id is not text"),
        ({"id": ["a"], "text": "x"}, "id is not text"),
        ({"id": True, "text": "x"}, "id is not text"),
        ({"id": "a", "text": "x", "note_date": CANARY}, "note_date is not a date"),
        ({"id": "a", "text": "x", "note_date": "2021-02-30"}, "note_date is not a date"),
        ({"id": "a", "text": "x", "patient": CANARY}, "patient is not an object"),
        *(
            ({"id": "a", "text": "x", "patient": {"date_shift": days}}, "date_shift is not a whole")
            for days in (0, True, "12", 1.5, 10**6)
        ),
        ({"id": "a", "text": "x", "patient": {"surname": CANARY}}, "unknown key 'surname'"),
        ({"id": "a", "text": "x", "patient": {CANARY: "x"}}, "unknown key in patient"),
        *(
            ({"id": "a", "text": "x", "patient_id": whose}, "patient_id is neither")
            for whose in ({"a": CANARY}, [CANARY], True, 1.5)
        ),
        *(
            ({"id": "a", "text": "x", "patient": {"last_name": name}}, "last_name in patient is n")
            for name in ({"a": CANARY}, [[CANARY]], True, 1.5)
        ),
        *(
            ({"id": "a", "text": "x", "patient": {"birth_date": born}}, "birth_date in patient")
            for born in (
                CANARY,
                "1958-02-30",
                "31/04/1958",
                "1958",
                "1958-03-12 au lit 4",
                "0001-01-01",
                ["1958-03-12", 3],
            )
        ),
        *(
            ({"id": "a", "text": "x", "patient": {"sex": sex}}, "sex in patient is not one of F, M")
            for sex in (CANARY, True, 7, ["F"])
        ),
    ],
)
def test_a_bad_row_names_itself_and_the_key(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        document_of(fields, 5)
    assert str(caught.value).startswith("row 5: ")
    assert message in str(caught.value)
    assert CANARY not in str(caught.value)


def test_bad_lines_do_not_stop_the_others(tmp_path: Path) -> None:
    found = rows(
        line(id="a", text="x")
        + b'{"id": "b", "text": "' + CANARY.encode() + b'\n'
        + b"[1]\n"
        + b"\n"
        + b'{"id": "c", "text": "\xff"}\n'
        + b"null\n"
        + line(id="d")
        + line(id="e", text="y", ward="north"),
        tmp_path,
    )  # fmt: skip
    assert [(r.where, r.id, r.error) for r in found] == [
        ("row 1", "a", ""),
        ("row 2", None, "row 2: not valid JSON"),
        ("row 3", None, "row 3: not a JSON object"),
        ("row 5", None, "row 5: not UTF-8 (byte 21)"),
        ("row 6", None, "row 6: not a JSON object"),
        ("row 7", "d", "row 7: no text"),
        ("row 8", "e", ""),
    ]
    assert found[-1].extra == {"ward": "north"}


def test_a_second_row_with_the_same_id_is_an_error(tmp_path: Path) -> None:
    found = rows(line(id="a", text="x") + line(id="b", text="x") + line(id="a", text="y"), tmp_path)
    assert [bool(r.document) for r in found] == [True, True, False]
    assert found[2].error == "row 3: same id as row 1"


def test_nesting_has_an_end(tmp_path: Path) -> None:
    for levels, fine in ((49, True), (50, False), (900, False)):
        deep = b"[" * levels + b"]" * levels
        (row,) = rows(b'{"id":"a","text":"x","ward":' + deep + b"}", tmp_path)
        assert (row.document is not None) == fine
        assert fine or row.error == "row 1: more than 50 objects or lists in each other"


def test_gzip_and_a_damaged_one(tmp_path: Path) -> None:
    packed = gzip.compress(line(id="a", text="x" * 5000) + line(id="b", text="y" * 5000))
    assert [r.id for r in rows(packed, tmp_path, "n.jsonl.gz")] == ["a", "b"]
    damaged = rows(packed[:-20], tmp_path, "n.jsonl.gz")
    assert "damaged file" in damaged[-1].error


def test_a_byte_order_mark_is_no_part_of_a_row() -> None:
    data = BOM + line(id="a", text="x") + BOM + line(id="b", text="y")
    assert [row.id for row in read("-", io.BytesIO(data))] == ["a", "b"]


def test_standard_input_is_no_file_and_a_source_must_exist(tmp_path: Path) -> None:
    assert source_files("-") == ()
    assert source_files(str(tmp_path)) == (tmp_path,)
    with pytest.raises(UsageError):
        source_files(str(tmp_path / "none.jsonl"))


def test_text_files(tmp_path: Path) -> None:
    (good,) = rows("Mme Été\r\n".encode(), tmp_path, "lettre 1.txt")
    assert (good.id, good.document and good.document.text) == ("lettre 1", "Mme Été\r\n")
    (bad,) = rows(b"abc\x81", tmp_path, "old.txt")
    assert bad.error == "file old.txt: neither UTF-8 nor UTF-16 nor Windows-1252 (byte 3)"
    assert bad.id == "old"


def test_a_blank_patient_is_no_patient(tmp_path: Path) -> None:
    data = b"".join(line(id=i, text="x", patient_id=p) for i, p in enumerate(("", " ", None)))
    for row in rows(data, tmp_path):
        assert row.patient_id is None
        assert row.document is not None
        assert row.document.patient_id is None


def test_a_file_has_a_place_that_does_not_name_it(tmp_path: Path) -> None:
    for name, data in (("kervadec.txt", b"x"), ("morvan.jsonl", b"{\n{"), ("zola.txt", b"\x81")):
        (tmp_path / name).write_bytes(data)
    found = list(read(str(tmp_path), io.BytesIO()))
    places = ["file 1", "file 2, row 1", "file 2, row 2", "file 3"]
    assert [r.place for r in found] == places
    (alone,) = read(str(tmp_path / "zola.txt"), io.BytesIO())
    assert (alone.where, alone.place) == ("file zola.txt", "file 1")


def test_a_folder_is_read_in_order_with_relative_ids(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.txt").write_text("two")
    (tmp_path / "1.txt").write_text("one")
    (tmp_path / "c.jsonl").write_bytes(line(id="x", text="three") + b"{")
    (tmp_path / "scan.gif").write_bytes(b"GIF8")
    found = list(read(str(tmp_path), io.BytesIO()))
    assert [r.id for r in found] == ["1", "b/2", "x", None]
    assert found[-1].error == "c.jsonl, row 2: not valid JSON"


FACTS_OF_A_ROW = [
    {"id": "a", "text": "x", "patient_id": "p", "last_name": CANARY, "sex": "F"},
    {"ID": "a", "Text": "x", "PATIENT_ID": "p", "LAST_NAME": CANARY, "patient.sex": "F"},
    {"id": "a", "text": "x", "patient_id": "p", "last_name": CANARY, "patient": {"sex": "F"}},
    {"id": "a", "text": "x", "patient_id": "p", "last_name": None,
     "PATIENT": {"sex": "F", "last_name": CANARY}},
]  # fmt: skip


@pytest.mark.parametrize("fields", FACTS_OF_A_ROW)
def test_keys_are_told_as_columns_are(fields: dict[str, object]) -> None:
    (row,) = read("-", io.BytesIO(line(**fields, ward="n")))
    expected = Document("a", "x", "p", known={Label.LAST_NAME: (CANARY,)}, sex=Sex.FEMALE)
    assert (row.document, row.extra) == (expected, {"ward": "n"})


def test_two_keys_that_are_one_are_an_error() -> None:
    (row,) = read("-", io.BytesIO(line(id="a", text=CANARY, Text=CANARY)))
    assert (row.document, row.error) == (None, "row 1: more than one key is text")


@pytest.mark.parametrize(
    ("data", "ids"),
    [
        (b"Mme Durand\nvue", ["stdin"]),
        (b"\n\nvue", ["stdin"]),
        (b"\n", ["stdin"]),
        (line(id="a", text="x"), ["a"]),
        (b"\r\n \n" + line(id="a", text="x"), ["a"]),
        (b"", []),
        (BOM, []),
    ],
)
def test_standard_input_is_rows_or_one_note(data: bytes, ids: list[str]) -> None:
    assert [r.id for r in read("-", io.BytesIO(data))] == ids


def test_leading_blank_lines_are_part_of_a_note() -> None:
    (row,) = read("-", io.BytesIO(BOM + b"\n \nvue\n"))
    assert row.document == Document("stdin", "\n \nvue\n")


def test_a_source_without_a_name_is_not_the_current_folder() -> None:
    with pytest.raises(UsageError, match="INPUT is empty"):
        list(read("", io.BytesIO()))


@pytest.mark.parametrize("name", ["missing.jsonl", "notes.mp3"])
def test_what_is_not_an_input_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "notes.mp3").write_text("a,b")
    with pytest.raises(UsageError, match=name):
        list(read(str(tmp_path / name), io.BytesIO()))


def test_a_row_shows_no_text() -> None:
    row = Row("row 1", "a", Document("a", CANARY), extra={"ward": CANARY})
    assert CANARY not in repr(row)


def test_a_link_that_leads_out_of_a_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(CANARY)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "own.txt").write_text("Vue.")
    (folder / "away.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "here.txt").symlink_to(folder / "own.txt")
    found = list(read(str(folder), io.BytesIO()))
    assert [(row.id, row.document and row.document.text) for row in found] == [
        ("here", "Vue."),
        ("own", "Vue."),
    ]
    assert look(str(folder)).skipped == {"links": 1}


def test_a_folder_behind_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret.txt").write_text(CANARY)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "away").symlink_to(tmp_path / "out")
    assert list(read(str(tmp_path / "in"), io.BytesIO())) == []
