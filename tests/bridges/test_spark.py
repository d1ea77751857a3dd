"""Frames of Spark: what one process gives, however they are cut, and no key where others look."""

from __future__ import annotations

import datetime as dt
import doctest
import inspect
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from dpdeid import Charge, Deidentified, Deidentifier, Ledger, SecretKeyError, UsageError
from dpdeid.formats.rows import document_of
from dpdeid.policy.policy import load_policy
from tests.bridges.conftest import forms
from tests.conftest import KEY, OTHER_KEY

pytest.importorskip("pyspark", reason="needs the extra spark")
if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
    pytest.skip("needs Java 17 or later", allow_module_level=True)
pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:pyspark"),
    pytest.mark.filterwarnings("ignore::FutureWarning:pyspark"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of py4j
]

SCHEMA = "id long, patient_id long, note_date string, text string, visit long, until timestamp"
FAR = dt.datetime(9999, 12, 31, tzinfo=dt.UTC)
BIG = 2**60 + 1
ROWS: list[tuple[Any, ...]] = [
    (
        n,
        7 + n % 9 if n % 5 else None,
        f"2023-03-{1 + n % 28:02}",
        f"Mme Durand, opérée le {1 + n % 28:02}/03/2023, revue à Brest.",
        BIG + n if n % 3 else None,
        FAR,
    )
    for n in range(40)
]
WRONG: list[tuple[Any, ...]] = [
    (100, 50, "2023-03-10", None, 1, None),
    (101, 50, "2023-03-10", "Mme Petit, vue ce jour.", 2, None),
    (102, None, "SECRET", "Mme Petit, vue ce jour.", 3, None),
    (103, 51, None, "Mme Petit, vue ce jour.", 4, None),
    (103, 52, None, "M. Grand, vu ce jour.", 5, None),
    (None, 53, None, "M. Grand, vu ce jour.", 6, None),
    (104, 54, "2999-01-01", "M. Grand, vu ce jour.", 7, None),
    (105, 54, None, "M. Grand, vu ce jour.", 8, None),
]


@pytest.fixture(params=["quick", "by_note"])
def policy(request: pytest.FixtureRequest) -> Path:
    """A policy of each unit."""
    path: Path = request.getfixturevalue(request.param)
    return path


PAGE = (Path(__file__).parents[2] / "docs" / "spark.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("key_file")
def test_the_page_runs(spark: Any) -> None:
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S))
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(code, {"spark": spark}, "spark.md", "spark.md", 0)
    report: list[str] = []
    ran = doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert not report, "".join(report)
    assert ran.attempted > 10


def test_every_option_is_documented() -> None:
    from dpdeid.bridges.spark import deidentify

    options = set(inspect.signature(deidentify).parameters) - {"df", "policy", "e0", "ledger_key"}
    assert not [name for name in options if not re.search(rf"\b{name}\b", PAGE)]


def texts(frame: Any) -> dict[str | None, str | None]:
    return {row.id: row.text for row in frame.collect()}


def alone(policy: Path, rows: list[tuple[Any, ...]] = ROWS) -> list[Any]:
    """What one process gives."""
    docs = [
        document_of(dict(zip(("id", "patient_id", "note_date", "text"), row, strict=False)))
        for row in rows
    ]
    return list(Deidentifier(policy, key=KEY).pipe(docs))


@pytest.mark.parametrize("partitions", [1, 3])
def test_texts_are_those_of_one_process(spark: Any, policy: Path, partitions: int) -> None:
    from dpdeid.bridges.spark import deidentify

    cohort = Deidentifier(policy, key=KEY).cohort
    frame = spark.createDataFrame(ROWS[::-1], SCHEMA).repartition(partitions)
    done = deidentify(frame, policy, key=KEY, keep=("visit", "note_date", "until"))
    assert done.columns == ["id", "text", "visit", "note_date", "until", "error"]
    assert [str(done.schema[name].dataType) for name in ("visit", "until")] == [
        "LongType()",
        "TimestampType()",
    ]
    given = {row.id: row for row in done.collect()}
    assert len(given) == len(ROWS)
    for source, result in zip(ROWS, alone(policy), strict=True):
        row = given[cohort.released_id(str(source[0]))]
        assert (row.text, row.note_date, row.error) == (result.text, result.note_date, None)
        assert row.visit == source[4]  # beyond what a float holds, in a column with gaps
    assert "Durand" not in str([row.text for row in given.values()])
    assert done.selectExpr("min(until) = timestamp'9999-12-31'").first()[0]


def test_rows_lie_by_their_released_ids(spark: Any, by_note: Path) -> None:
    from dpdeid.bridges.spark import deidentify

    done = deidentify(spark.createDataFrame(ROWS, SCHEMA), by_note, key=KEY)
    for part in done.select("id").rdd.glom().collect():
        assert part == sorted(part)


def test_what_fails_has_its_message_alone(spark: Any, policy: Path) -> None:
    from dpdeid.bridges.spark import deidentify

    engine = Deidentifier(policy, key=KEY)
    frame = spark.createDataFrame(ROWS + WRONG, SCHEMA).repartition(3)
    rows = deidentify(frame, policy, key=KEY, keep=["visit"]).collect()
    assert len(rows) == len(ROWS) + len(WRONG)
    good = {row.id: row.text for row in rows if row.error is None}
    late = engine.cohort.released_id("104")
    by_patient = engine.policy.unit == "patient"
    assert set(good) == {
        engine.cohort.released_id(str(n)) for n in (*range(40), 101, *([] if by_patient else [105]))
    }
    failed = [row for row in rows if row.error is not None]
    assert all(row.text is None and row.visit is None for row in failed)
    assert sorted(row.error for row in failed) == sorted(
        [
            "this row: no text",
            "this row: note_date is not a date such as 2023-11-06 or 06/11/2023 (day first), with "
            "or without a time",
            "another row has this id",
            "another row has this id",
            "this row: no id",
            "note_date lies after the cohort's reference date e0 = 2030-12-31",
            *([f"another note of this patient failed: {late}"] if by_patient else []),
        ]
    )


def test_a_day_that_python_has_not_fails_its_row_alone(spark: Any, by_note: Path) -> None:
    from dpdeid.bridges.spark import deidentify, ledger

    frame = spark.sql(
        "SELECT 1L AS id, 'Vu.' AS text, date'+12023-01-01' AS note_date"
        " UNION ALL SELECT 2L, 'Vue.', date'2021-03-12'"
    )
    rows = deidentify(frame, by_note, key=KEY).collect()
    assert sorted((row.text, (row.error or "")[:31]) for row in rows if row.error is None) == [
        ("Vue.", "")
    ]
    assert [row.error[:35] for row in rows if row.error] == ["this row: note_date is not a date s"]
    ledger(frame, by_note, key=KEY).collect()


def test_facts_and_columns_of_other_names(spark: Any, quick: Path) -> None:
    from dpdeid.bridges.spark import deidentify

    schema = "`n.o` string, who string, body string, last_name string"
    rows = [("a", "p", "Vu avec zorglub.", "Zorglub"), ("b", " ", "Vu avec zorglub.", None)]
    frame = spark.createDataFrame(rows, schema)
    done = deidentify(frame, quick, key=KEY, text="body", id="n.o", patient="who")
    first, second = (
        texts(done)[Deidentifier(quick, key=KEY).cohort.released_id(name)] for name in "ab"
    )
    assert first is not None
    assert "zorglub" not in first.lower()
    assert second == "Vu avec zorglub."


def test_the_key_stands_in_no_plan_and_no_log(
    spark: Any, policy: Path, events: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from dpdeid.bridges.spark import deidentify, ledger

    key = bytes.fromhex("c9f1a7e35b804d2296b8f0130e6c5ad7d2489be1703f4ca5816d0b97fe24c35a")
    ours = bytes.fromhex("3ab5c8d1907e4f62a1b3708cde19f54ce6071d8a2b9c4f3390ed56f18a72b4c6")
    frame = spark.createDataFrame(ROWS, SCHEMA)
    told = []
    for done in (
        deidentify(frame, policy, key=key, ledger_key=ours),
        ledger(frame, policy, key=key, ledger_key=ours),
    ):
        done.explain(True)
        told.append(capfd.readouterr().out)
        assert "InArrow" in told[-1]
        execution = done._jdf.queryExecution()
        plans = (execution.logical(), execution.analyzed(), execution.executedPlan())
        told += [text for plan in plans for text in (plan.toString(), plan.toJSON())]
        kind = spark.sparkContext._jvm.scala.reflect.ClassTag.Byte()
        told += [sent(plan, kind) for plan in plans[:2]]
        assert done.count()
    logs = [path for path in events.rglob("*") if path.is_file()]
    assert logs
    told += [path.read_bytes().decode("latin-1") for path in logs]
    everything = "\n".join(told).lower()
    assert not [form for one in (key, ours) for form in forms(one) if form in everything]
    assert [form for form in forms(b"dpdeid.bridges.spark") if form in everything]


def sent(plan: Any, kind: Any) -> str:
    """The bytes of the functions of a plan, as Spark sends them to its workers."""
    found = []
    todo = [plan]
    while todo:
        node = todo.pop()
        todo += [node.children().apply(at) for at in range(node.children().size())]
        if "InArrow" in node.getClass().getSimpleName():
            found.append(bytes(node.functionExpr().func().command().toArray(kind)))
    assert found
    return "\n".join(
        form for one in found for form in (one.decode("latin-1"), one.hex(), repr(one))
    )


def test_a_key_file_gives_what_its_bytes_give(spark: Any, quick: Path, tmp_path: Path) -> None:
    from dpdeid.bridges.spark import deidentify, ledger

    path = tmp_path / "key"
    path.write_bytes(KEY)
    path.chmod(0o600)
    tags = tmp_path / "tags"
    tags.write_bytes(OTHER_KEY)
    tags.chmod(0o600)
    frame = spark.createDataFrame(ROWS, SCHEMA)
    first = deidentify(frame, quick, key=KEY)
    second = deidentify(frame, quick, key=path, ledger_key=tags)
    assert texts(first) == texts(second)
    path.write_bytes(OTHER_KEY)
    third = deidentify(frame, quick, key=path)
    assert not texts(third).keys() & texts(first).keys()
    tagged = ledger(frame, quick, key=KEY, ledger_key=path)
    assert tagged.exceptAll(ledger(frame, quick, key=KEY)).count() == tagged.count()


def test_the_union_of_ledgers_is_exact(spark: Any, policy: Path) -> None:
    from dpdeid.bridges.spark import ledger

    frame = spark.createDataFrame(ROWS + WRONG, SCHEMA)
    first = ledger(frame, policy, key=KEY)
    again = ledger(frame.repartition(7), policy, key=KEY)
    rows = first.union(again).union(first).distinct().collect()
    assert len(rows) == first.count()
    charges = [Charge.from_json({**row.asDict(), "loss": json.loads(row.loss)}) for row in rows]
    assert len(charges) == len(set(charges)) > 40
    whole = sum(
        (result.ledger for result in alone(policy) if isinstance(result, Deidentified)), Ledger()
    )
    assert whole.charges < Ledger.of(charges).charges  # those of WRONG that are released beside
    units = whole.units
    assert [Ledger.of(charges).total(unit) for unit in units] == [whole.total(u) for u in units]


def test_what_cannot_be_done_is_refused(
    spark: Any, quick: Path, by_note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from dpdeid.bridges.spark import deidentify, ledger

    frame = spark.createDataFrame(ROWS, SCHEMA)
    system = replace(load_policy(quick), randomness="system")
    for step in (deidentify, ledger):
        with pytest.raises(SecretKeyError, match="a task of Spark must draw"):
            step(frame, system, key=KEY)
    with pytest.raises(UsageError, match="a vault, which one process has"):
        deidentify(frame, Deidentifier(quick, key=KEY), key=KEY)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="patient=COLUMN"):
        deidentify(frame.drop("patient_id"), quick, key=KEY)
    assert deidentify(frame.drop("patient_id", "note_date"), by_note, key=KEY).count() == 40
    for name in ("text", "id"):
        with pytest.raises(UsageError, match=f"no column is called {name}"):
            deidentify(frame.drop(name), quick, key=KEY)
    for keep, why in [
        ("patient_id", "never released"),
        ("error", "never released"),
        ("absent", "no column is called absent"),
        ("parts", "values in values"),
    ]:
        with pytest.raises(UsageError, match=why):
            deidentify(frame.selectExpr("*", "array(id) parts"), quick, key=KEY, keep=[keep])
    with pytest.raises(UsageError, match="stands twice"):
        deidentify(frame, quick, key=KEY, keep=["visit", "visit"])
    with pytest.raises(SecretKeyError, match="5 bytes"):
        deidentify(frame, quick, key=b"short")
    with pytest.raises(SecretKeyError, match="can be guessed"):
        deidentify(frame, quick, key=bytes(32))
    with pytest.raises(UsageError, match="bytes, or the Path") as raised:
        deidentify(frame, quick, key="00ff" * 16)  # type: ignore[arg-type]
    assert "00ff" not in str(raised.value)
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    with pytest.raises(UsageError, match="Spark Connect would send a key"):
        deidentify(frame, quick, key=KEY)
