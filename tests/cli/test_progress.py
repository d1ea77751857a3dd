"""What is shown of how far a run is: it moves while notes are read and while they are done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdeid.cli.terminal import Meter
from tests.cli.habits.terminals import at_terminal


def test_reading_and_doing_are_both_counted() -> None:
    said: list[str] = []
    meter = Meter(said.append, "de-identified")
    assert list(meter.reading("abc")) == ["a", "b", "c"]
    meter.finish(2)
    meter.finish()
    assert said[0] == "1 notes read, 0 de-identified"
    assert said[2:4] == [f"3 notes read, {done} de-identified" for done in (0, 2)]
    assert said[4].startswith("3 notes read, 3 de-identified, ")


def test_what_is_left_is_told_once_all_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first note, which loads what all need: 10 notes in 5 seconds, 89 are left."""
    now = [1000.0]
    monkeypatch.setattr("dpdeid.cli.terminal.time.monotonic", lambda: now[0])
    said: list[str] = []
    meter = Meter(said.append, "de-identified")
    items = meter.reading(range(100))
    next(items)
    now[0] += 60
    meter.finish()
    assert said[-1] == "1 notes read, 1 de-identified"
    now[0] += 5
    meter.finish(10)
    assert said[-1] == "1 notes read, 11 de-identified, 2 a second"
    assert len([*items]) == 99
    meter.finish(0)
    assert said[-1] == "100 notes read, 11 de-identified, 2 a second, 0:00:44 left"
    meter.finish(89)
    assert "left" not in said[-1]


@pytest.mark.parametrize("policy", ["redact", "aphp"])
def test_it_moves_on_a_terminal(policy: str, tmp_path: Path) -> None:
    """By note and by patient."""
    rows = [{"id": str(n), "text": "RAS.", "patient_id": str(n)} for n in range(12)]
    source = tmp_path / "n.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, shown = at_terminal("run", source, "-p", policy, "-o", tmp_path / "o")
    assert code == 0
    assert "12 notes read, 12 de-identified" in shown
    assert "12 rows released, 0 failed" in shown
