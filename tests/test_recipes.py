"""The corpora of the shipped transformer, made of a small folder of made-up notes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "recipes" / "shipped_models.py"
LONG = " ".join(f"mot{i}" for i in range(80))


def note(name: str, text: str, *spans: tuple[int, int, str]) -> dict[str, Any]:
    entities = [{"start": a, "end": b, "label": label} for a, b, label in spans]
    return {"id": name, "text": text, "entities": entities}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(*arguments: object) -> None:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    write(folder / "gold_dev" / "gold.jsonl", note("held", LONG))
    ours = [note(f"hand-{i}", f"CH-1003 Lausanne cedex {i}", (0, 7, "ZIP"), (8, 24, "CITY"))
            for i in range(9)]  # fmt: skip
    write(folder / "gold_train" / "a.jsonl", *ours, note("parhaf-1", "Mme Durand vue"))
    write(folder / "gold_train" / "b.jsonl", note("copy", f"Note : {LONG}"))
    return folder


def test_near_copies_are_left_out_and_the_parts_share_no_note(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("notes", data, out)
    gold, held = ({r["id"] for r in read(out / f"{n}.jsonl")} for n in ("gold", "held_out"))
    assert gold
    assert held
    assert not gold & held
    assert gold | held == {*(f"hand-{i}" for i in range(9)), "parhaf-1"}
    assert {r["id"] for r in read(out / "hand.jsonl")} == gold - {"parhaf-1"}


def test_country_prefix_and_cedex_lie_outside(data: Path, tmp_path: Path) -> None:
    run("notes", data, tmp_path)
    for row in read(tmp_path / "hand.jsonl"):
        values = [row["text"][e["start"] : e["end"]] for e in row["entities"]]
        assert values == ["1003", "Lausanne"]


def test_one_label_is_taken_out_and_the_rest_stays(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", note("n", "3 jours, Brest", (0, 7, "DURATION"),
                                               (9, 14, "CITY")))  # fmt: skip
    run("without", "DURATION", source, tmp_path / "out.jsonl")
    (row,) = read(tmp_path / "out.jsonl")
    assert row == note("n", "3 jours, Brest", (9, 14, "CITY"))


def test_the_written_notes_are_marked_well_and_split(tmp_path: Path) -> None:
    run("written", tmp_path)
    train, held = read(tmp_path / "train.jsonl"), read(tmp_path / "held_out.jsonl")
    assert len(train) > 2_500
    assert 6 < len(train) / len(held) < 8
    ids = [row["id"] for row in (*train, *held)]
    assert len(ids) == len(set(ids))
    for row in (*train, *held):
        assert not re.search("«[A-Z_]+:", row["text"]), row["id"]
        for e in row["entities"]:
            value = row["text"][e["start"] : e["end"]]
            assert value == value.strip() != "", row["id"]
