"""A policy whose detectors load quickly, a session of Spark, and how a key may stand in a text."""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

POLICY = """\
name: quick
description: "noised dates and keyed pseudonyms, found by rules and lists alone"
unit: patient
detectors: [metadata, patterns, lookup, lookup_places]
propagators: [propagate]
merge: union
strategies:
  - dates:
      labels: [DATE, BIRTH_DATE, AGE]
      timeline: {metric: {epsilon_per_day: 0.05, cap: 200, shift_days: 3650}}
  - people: {labels: [LAST_NAME, FIRST_NAME], scope: record}
  - contacts: {labels: [PHONE, FAX, EMAIL, URL, IP]}
  - identifiers: {labels: [PATIENT_ID, VISIT_ID, SSN]}
  - keep: {labels: [DURATION, COUNTRY]}
default: redact
"""


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy file: unit patient, noised dates."""
    path = tmp_path_factory.mktemp("policies") / "quick.yaml"
    path.write_text(POLICY, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def by_note(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the unit note."""
    path = tmp_path_factory.mktemp("policies") / "by-note.yaml"
    path.write_text(POLICY.replace("unit: patient", "unit: note"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the session's event logs."""
    return tmp_path_factory.mktemp("events")


@pytest.fixture(scope="module")
def spark(events: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session of two cores for all tests of a module."""
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "3",  # few enough to part what must not be
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",  # what is looked for in it could not be found else
        "spark.eventLog.dir": events.as_uri(),
        "spark.local.dir": str(tmp_path_factory.mktemp("local")),
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master("local[2]").appName("tests")
        session = builder.config(map=options).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


def forms(key: bytes) -> list[str]:
    """How the bytes of a key may stand in a text: any eight of them in a row."""
    pieces = [key[at : at + 8] for at in range(0, len(key) - 8, 3)]
    ways = [bytes.hex, lambda piece: repr(piece)[2:-1], lambda piece: str(list(piece))[1:-1]]
    coded = [base64.b64encode(key[at:]).decode()[:10] for at in range(3)]
    return [way(piece).lower() for piece in pieces for way in ways] + [c.lower() for c in coded]
