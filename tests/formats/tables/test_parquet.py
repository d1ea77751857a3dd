"""Parquet: rows with the values that columns have, and kept values with their types."""

from __future__ import annotations

import datetime as dt
import io
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Origin, Reading, kind_called
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.pieces import Pieces, batches, packed, unpacked
from dpdeid.labels import Label

pa = pytest.importorskip("pyarrow", reason="needs the extra formats")
pq = pytest.importorskip("pyarrow.parquet", reason="needs the extra formats")

parquet = pytest.importorskip("dpdeid.formats.tables.parquet")
CANARY = "Zyxwvut"
DAY, MOMENT = dt.date(2023, 11, 6), dt.datetime(2023, 11, 6, 8, 15)  # noqa: DTZ001 - as stored
ZONED = dt.datetime(2023, 11, 6, 8, 15, tzinfo=dt.timezone(dt.timedelta(hours=1)))


def file_of(columns: dict[str, Any], **options: Any) -> io.BytesIO:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, **options)
    file.seek(0)
    return file


def rows(file: io.BytesIO, how: Reading | None = None) -> list[Row]:
    reader = kind_called("parquet").reader
    return list(reader(file, Origin("", "notes.parquet"), how or Reading()))


def released(pieces: list[dict[str, Any]], *kept: str) -> Any:
    """The table that is written of rows with these values."""
    lines = [json.dumps({k: packed(v) for k, v in piece.items()}).encode() for piece in pieces]
    file = io.BytesIO()
    kind_called("parquet").writer(Pieces(lines, kept), file)
    return pq.read_table(file)


def test_columns_of_all_types_are_read() -> None:
    (row, bare) = rows(
        file_of(
            {
                "id": pa.array([17, 18], pa.int64()),
                "text": pa.array(["Mme X", "y"], pa.large_string()),
                "patient_id": pa.array([12.0, None], pa.float64()),  # as pandas leaves gaps
                "note_date": pa.array([MOMENT, None], pa.timestamp("ns")),
                "birth_date": pa.array([dt.date(1951, 3, 12), None]),
                "last_name": pa.array(["Durand", ""]).dictionary_encode(),
                "phone": pa.array([["01", "02"], None]),
                "zip": pa.array([Decimal("29000"), None]),
                "city": pa.array([b"N\xc3\xaemes", None], pa.binary()),
                "ward": pa.array(["n", None]).dictionary_encode(),
                "seen": pa.array([MOMENT, None], pa.timestamp("ns", "Europe/Paris")),
            }
        )
    )
    doc, empty = row.document, bare.document
    assert doc is not None
    assert (doc.id, doc.patient_id, doc.note_date) == ("17", "12", DAY)
    assert doc.known == {
        Label.LAST_NAME: ("Durand",),
        Label.BIRTH_DATE: ("1951-03-12",),
        Label.PHONE: ("01", "02"),
        Label.ZIP: ("29000",),
        Label.CITY: ("Nîmes",),
    }
    assert row.extra["ward"] == "n"
    assert row.extra["seen"] == MOMENT.replace(tzinfo=dt.UTC)
    assert empty is not None
    assert (empty.patient_id, empty.known, bare.extra) == (None, {}, {"ward": None, "seen": None})


def test_facts_may_be_a_struct_or_a_map() -> None:
    struct = pa.array([{"last_name": "Durand", "zip": 29000.0}])
    one = pa.array([[("last_name", "Durand")]], pa.map_(pa.string(), pa.string()))
    for patient in (struct, one):
        (row,) = rows(file_of({"id": ["a"], "text": ["x"], "patient": patient}))
        assert row.document is not None
        assert row.document.known[Label.LAST_NAME] == ("Durand",)


def test_values_that_are_none_of_their_type_fail_with_their_row() -> None:
    bad = pa.StringArray.from_buffers(
        3, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0"), pa.py_buffer(b"x\xffy")
    )
    far = pa.array([0, 0, 2**62], pa.timestamp("us"))
    found = rows(file_of({"id": ["a", "b", "c"], "text": bad, "t": far}))
    assert [row.error for row in found] == [
        "",
        "row 2: a value cannot be read as its type",
        "row 3: a value cannot be read as its type",
    ]


def test_rows_are_numbered_over_batches() -> None:
    file = file_of({"text": ["x"] * 1_200}, row_group_size=500)
    assert [row.id for row in rows(file)] == [f"notes.parquet#{n}" for n in range(1, 1_201)]


def test_what_is_no_parquet_file_is_an_error() -> None:
    whole = file_of({"id": ["a"], "text": [CANARY]}).getvalue()
    for data in (b"", b"PAR1", CANARY.encode(), whole[:-20], whole[:4] + b"\0" * 60 + whole[64:]):
        found = rows(io.BytesIO(data))
        assert found[-1].document is None
        assert CANARY not in found[-1].error


def test_a_table_without_its_columns_is_refused() -> None:
    with pytest.raises(UsageError, match="no column is called text; there are id, note"):
        rows(file_of({"id": [1], "note": ["x"]}))


def test_kept_values_keep_their_types() -> None:
    values = {
        "int": (3, pa.int64()),
        "float": (1.5, pa.float64()),
        "bool": (True, pa.bool_()),
        "text": ("n", pa.string()),
        "date": (DAY, pa.date32()),
        "moment": (MOMENT, pa.timestamp("us")),
        "zoned": (ZONED, pa.timestamp("us", "UTC")),
        "time": (dt.time(8, 15), pa.time64("us")),
        "span": (dt.timedelta(days=-2, seconds=3), pa.duration("us")),
        "exact": (Decimal("12.50"), pa.decimal128(4, 2)),
        "bytes": (b"\0\xff", pa.binary()),
        "list": ([1, 2], pa.list_(pa.int64())),
    }
    row = {f"k_{name}": value for name, (value, _) in values.items()}
    table = released([{"id": None, "error": "e"}, {"id": "a", "text": "x", **row}], *row)
    assert table.column_names == ["id", "text", *row, "error"]
    for name, (value, kind) in values.items():
        assert table.schema.field(f"k_{name}").type == kind, name
        assert table[f"k_{name}"].to_pylist() == [None, value], name


@pytest.mark.parametrize(
    ("values", "kind", "given"),
    [
        ([1, 2.5], "double", [1.0, 2.5]),
        ([2**60 + 1, 0.5], "string", [str(2**60 + 1), "0.5"]),
        ([1, "a", None], "string", ["1", "a", None]),
        ([True, DAY], "string", ["true", "2023-11-06"]),
        ([2**70], "string", [str(2**70)]),
        ([{"k": [1]}, {"j": "é"}], "string", ['{"k": [1]}', '{"j": "é"}']),
        ([[1], ["a"]], "string", ["[1]", '["a"]']),
        ([None], "string", [None]),
        (["a\ud800"], "string", ["a?"]),
    ],
)
def test_values_without_a_type_in_common_are_texts(
    values: list[Any], kind: str, given: list[Any]
) -> None:
    table = released([{"id": "a", "text": "x", "v": value} for value in values], "v")
    assert (str(table.schema.field("v").type), table["v"].to_pylist()) == (kind, given)


@pytest.mark.parametrize(
    ("values", "kind", "given"),
    [
        ([None, 1, 2.5], "double", [None, 1.0, 2.5]),
        ([2**60 + 1, 0.5], "double", [float(2**60), 0.5]),
        ([1, "a"], "string", ["1", "a"]),
        ([DAY, MOMENT], "string", ["2023-11-06", "2023-11-06T08:15:00"]),
        ([Decimal("1.5"), Decimal("22.123")], "decimal128(5, 3)", None),
    ],
)
def test_a_type_holds_for_all_groups(
    values: list[Any], kind: str, given: list[Any] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "_GROUP", 1)
    table = released([{"id": "a", "text": "x", "v": value} for value in values], "v")
    assert str(table.schema.field("v").type) == kind
    assert table["v"].to_pylist() == (given or values)


def test_a_release_without_rows_has_its_columns() -> None:
    table = released([], "ward")
    assert (table.num_rows, table.column_names) == (0, ["id", "text", "ward", "error"])


def test_groups_are_small() -> None:
    pieces = [{"text": "x" * 10}, {"text": None}, {"text": "x" * 30}, {"text": "y"}]
    assert [len(group) for group in batches(pieces, 3, 20)] == [3, 1]
    assert [len(group) for group in batches(pieces, 1, 20)] == [1, 1, 1, 1]


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.dates() | st.datetimes()
    | st.times() | st.binary() | st.decimals(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)  # fmt: skip


@given(NESTED)
def test_values_wait_with_their_types(value: Any) -> None:
    assert unpacked(json.loads(json.dumps(packed(value)))) == value
