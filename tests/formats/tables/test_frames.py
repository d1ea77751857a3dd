"""`dpdeid.deidentify`: a frame in, a frame of the same library out, a row for each row."""

from __future__ import annotations

import datetime as dt
import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dpdeid
from dpdeid.cohort.cohort import Cohort
from dpdeid.errors import SecretKeyError, UsageError
from tests.conftest import KEY

CANARY = "Zyxwvut"
DATA: dict[str, list[Any]] = {
    "id": [3, 1, 2],
    "text": ["Mme DURAND, vue le 12/03/2021", "Zorglub va bien", None],
    "last_name": [None, "Zorglub", "x"],
    "ward": [10, 20, 30],
    "seen": [dt.datetime(2024, 1, 31)] * 3,  # noqa: DTZ001 - as frames have it
}
OUT = [Cohort(KEY).released_id(str(one)) for one in (3, 1, 2)]
TEXTS = ["Mme [LAST_NAME], vue le [DATE]", "[LAST_NAME] va bien", None]


@pytest.fixture(params=["pandas", "polars"])
def library(request: pytest.FixtureRequest) -> Any:
    return pytest.importorskip(request.param, reason="needs the extra frames")


def values(frame: Any, name: str) -> list[Any]:
    """The values of a column, nothing as None."""
    given = frame[name].to_list()
    return [None if str(value) == "<NA>" or value != value else value for value in given]


def redacted(frame: Any, **options: Any) -> Any:
    return dpdeid.deidentify(frame, "redact", key=KEY, **options)


def test_a_row_for_each_row_in_the_order_of_released_ids(library: Any) -> None:
    frame = library.DataFrame(DATA)
    new = redacted(frame)
    assert type(new) is library.DataFrame
    assert list(new.columns) == ["id", "text", "error"]
    assert values(new, "id") == sorted(OUT)
    assert dict(zip(values(new, "id"), values(new, "text"), strict=True)) == dict(
        zip(OUT, TEXTS, strict=True)
    )
    assert [one for one in values(new, "error") if one] == ["row 3: no text"]
    assert values(frame, "id") == [3, 1, 2]


def test_the_order_of_the_input_if_it_is_asked_for(library: Any) -> None:
    new = redacted(library.DataFrame(DATA), keep_order=True, keep_ids=True)
    assert (values(new, "id"), values(new, "text")) == (["3", "1", "2"], TEXTS)


def test_kept_columns_have_their_types(library: Any) -> None:
    whole = {name: column[:2] for name, column in DATA.items()}
    frame = library.DataFrame(whole)
    new = redacted(frame, keep=["seen", "ward"], keep_order=True)
    assert list(new.columns) == ["id", "text", "seen", "ward", "error"]
    for name in ("seen", "ward"):
        assert new[name].dtype == frame[name].dtype
        assert values(new, name) == whole[name]


def test_nothing_is_kept_of_a_row_that_failed(library: Any) -> None:
    new = redacted(library.DataFrame(DATA), keep=["ward", "seen"], keep_order=True)
    assert values(new, "ward") == [10, 20, None]
    assert values(new, "seen")[2] is None


def test_objects_are_kept_without_what_identifies(library: Any) -> None:
    data = {"id": ["a"], "text": ["x"], "stay": [{"unit": "n", "last_name": CANARY}]}
    new = redacted(library.DataFrame(data), keep=["stay"])
    assert values(new, "stay") == [{"unit": "n"}]


def test_arrays_of_objects_are_kept_without_what_identifies(library: Any) -> None:
    np = pytest.importorskip("numpy", reason="needs the extra frames")
    stays = np.array([{"unit": "n", "last_name": CANARY}], dtype=object)
    kind = {"dtype": library.Object} if hasattr(library, "Object") else {}
    stay = library.Series([stays], **kind)
    new = redacted(library.DataFrame({"id": ["a"], "text": ["x"], "stay": stay}), keep=["stay"])
    assert values(new, "stay") == [[{"unit": "n"}]]


def test_objects_of_pyarrow_are_kept_without_what_identifies() -> None:
    pd = pytest.importorskip("pandas", reason="needs the extra frames")
    pa = pytest.importorskip("pyarrow", reason="needs the extra formats")
    given = [[{"unit": "n", "last_name": CANARY}]]
    for stays in (given, given[0]):
        stay = pd.Series([stays[0]], dtype=pd.ArrowDtype(pa.array([stays[0]]).type))
        frame = pd.DataFrame({"id": ["a"], "text": ["x"], "stay": stay})
        assert CANARY not in repr(redacted(frame, keep=["stay"])["stay"].to_list())


def test_whole_numbers_stay_exact_beside_a_row_that_failed(library: Any) -> None:
    large = 2**53 + 1
    new = redacted(library.DataFrame(DATA | {"ward": [large, 2, 3]}), keep=["ward"])
    assert sorted(one for one in values(new, "ward") if one in (large, 2)) == [2, large]
    assert "int64" in str(new["ward"].dtype).lower()


def test_columns_may_be_named(library: Any) -> None:
    data = {"N": [7], "note": ["Zorglub va bien"], "NOM": ["Zorglub"], "ward": ["n"]}
    new = redacted(
        library.DataFrame(data),
        text="note",
        columns={"id": "N", "last_name": "NOM"},
        keep=["ward"],
        keep_ids=True,
    )
    assert values(new, "text") == ["[LAST_NAME] va bien"]
    assert (values(new, "id"), values(new, "ward")) == (["7"], ["n"])


def test_the_date_of_a_note_is_kept_as_its_surrogate(library: Any) -> None:
    day = dt.date(2023, 11, 6)
    data = {"id": ["a"], "text": ["Vu ce jour."], "patient_id": ["p"], "note_date": [day]}
    new = dpdeid.deidentify(library.DataFrame(data), "dp", key=KEY, keep=["note_date"])
    doc = dpdeid.Document("a", "Vu ce jour.", "p", day)
    assert values(new, "note_date") == [dpdeid.Deidentifier("dp", key=KEY)(doc).note_date]


def test_rows_are_those_of_a_record(library: Any) -> None:
    """A note that fails takes the others of its patient with it, and they say which it was."""
    far = dt.date(2099, 1, 1)
    data = {
        "id": ["a", "b", "c", "c"],
        "text": ["x", f"{CANARY}", "z", "z"],
        "patient_id": [1, 1, 2, 2],
        "note_date": [None, far, None, None],
    }
    new = dpdeid.deidentify(library.DataFrame(data), "dp", key=KEY, keep_order=True)
    first, second, third, fourth = values(new, "error")
    assert first == "row 1: another note of this patient failed: row 2"
    assert second.startswith("row 2: note_date lies after")
    assert (third, fourth) == (None, "row 4: same id as row 3")


def test_a_deidentifier_made_before(library: Any) -> None:
    frame = library.DataFrame(DATA)
    made = dpdeid.Deidentifier("redact", key=KEY)
    new = dpdeid.deidentify(frame, made)
    assert values(new, "text") == values(redacted(frame), "text")
    with pytest.raises(UsageError, match="has its own key"):
        dpdeid.deidentify(frame, made, key=KEY)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "note"}, "no column is called note; there are id, text"),
        ({"columns": {"surname": "ward"}}, "no such key: surname"),
        ({"keep": ["word"]}, "no column is called word"),
        ({"keep": ["Patient_ID"]}, "Patient_ID is read as a key of its row and never released"),
        ({"keep": ["last_name"]}, "last_name is read as a key"),
        ({"keep": ["ward"], "columns": {"ipp": "ward"}}, "ward is read as a key"),
    ],
)
def test_what_is_refused(library: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        redacted(library.DataFrame(DATA), **options)
    with pytest.raises(SecretKeyError):
        dpdeid.deidentify(library.DataFrame(DATA), key=b"short")


def test_a_frame_without_rows(library: Any) -> None:
    new = redacted(library.DataFrame({"id": [], "text": [], "ward": []}), keep=["ward"])
    assert (list(new.columns), len(new)) == (["id", "text", "ward", "error"], 0)


@pytest.mark.parametrize("frame", [None, [DATA], DATA])
def test_what_is_no_frame(frame: Any) -> None:
    with pytest.raises(UsageError, match=f"of type {type(frame).__name__}"):
        redacted(frame)


def test_missing_values_of_pandas_are_none() -> None:
    pd = pytest.importorskip("pandas", reason="needs the extra frames")
    frame = pd.DataFrame(
        {
            "id": [10.0, 11.0],
            "text": pd.array(["x", pd.NA], dtype="string"),
            "note_date": pd.to_datetime(["2023-11-06", None]),
            "patient_id": pd.array([1, pd.NA], dtype="Int64"),
            "last_name": [float("nan"), None],
        },
        index=["DURAND", "LE GOFF"],
    )
    new = redacted(frame, keep_order=True, keep_ids=True)
    assert list(new.index) == [0, 1]
    assert values(new, "id") == ["10", "11"]
    assert values(new, "error") == [None, "row 2: no text"]


def test_a_lazy_frame_is_collected_first() -> None:
    pl = pytest.importorskip("polars", reason="needs the extra frames")
    with pytest.raises(UsageError, match="a lazy one is collected first"):
        redacted(pl.LazyFrame(DATA))


def test_no_library_is_imported_without_a_frame() -> None:
    code = (
        "import sys, dpdeid; dpdeid.deidentify\n"
        "assert not {'pandas', 'polars', 'pyarrow'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_page_runs() -> None:
    pytest.importorskip("pandas", reason="needs the extra frames")
    page = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    section = page.partition("### Data frames")[2].partition("\n## ")[0]
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", section, re.M | re.S))
    test = doctest.DocTestParser().get_doctest(code, {}, "formats.md", "formats.md", 0)
    report: list[str] = []
    ran = doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)
    assert ran.attempted
