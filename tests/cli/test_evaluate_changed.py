"""`dpdeid evaluate utility --gold` as a user runs it, from a run of `dpdeid run`."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError

BEFORE = {"a": "Mme Zyxwv, allergie au Keppra, Hb 12,3 g/dl.", "b": "Rien à signaler."}
AFTER = {"b": "Rien à signaler.", "a": "Mme Roux, allergie au Martin, Hb [ROOM] g/dl."}
GOLD = {"a": [(4, 9, "LAST_NAME")], "b": []}
REPLACED = {"a": [(4, 9, "LAST_NAME"), (23, 29, "LAST_NAME"), (34, 38, "ROOM")], "b": []}


def texts(folder: Path, name: str, notes: dict[str, str]) -> Path:
    return written(folder, name, [{"id": key, "text": text} for key, text in notes.items()])


def spans(folder: Path, name: str, marks: dict[str, list[tuple[int, int, str]]]) -> Path:
    rows = [
        {"id": key, "entities": [{"start": s, "end": e, "label": label} for s, e, label in found]}
        for key, found in marks.items()
    ]
    return written(folder, name, rows)


def written(folder: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def invoke(folder: Path, *more: object) -> Result:
    before, after = texts(folder, "before", BEFORE), texts(folder, "after", AFTER)
    command = ["evaluate", "utility", before, after, "--coder", "light", *more]
    return CliRunner().invoke(app, [str(part) for part in command])


def figures(folder: Path, *more: object) -> dict[str, Any]:
    out = folder / "out.json"
    result = invoke(folder, "--gold", spans(folder, "gold", GOLD), "--json", out, *more)
    assert result.exit_code == 0, result.exception
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_what_changed_outside_gold_stands_beside_the_codes(tmp_path: Path) -> None:
    found = figures(tmp_path)
    changed = found["changed"]
    assert {kind for kind, row in changed["kinds"].items() if row["words"]} == {"drug", "value"}
    assert (changed["medicine"]["silent"], changed["medicine"]["masked"]) == (1, 1)
    assert changed["taken_for"] == {}
    assert "codes" in found


def test_codes_that_are_all_kept_hide_it(tmp_path: Path) -> None:
    before = texts(tmp_path, "b", {"a": "HTA. Kaliémie 3,1, en chambre avec BPCO."})
    after = texts(tmp_path, "a", {"a": "HTA. Kaliémie 7,4, en chambre avec BPCO."})
    gold, out = spans(tmp_path, "g", {"a": []}), tmp_path / "out.json"
    command = ["evaluate", "utility", before, after, "--coder", "light", "--gold", gold]
    result = CliRunner().invoke(app, [str(part) for part in (*command, "--json", out)])
    assert result.exit_code == 0, result.exception
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["kept"]["all"] == found["jaccard"]["equal"] == 1
    assert found["changed"]["kinds"]["value"]["silent"] == 1


def test_the_spans_of_the_run_tell_what_it_was_taken_for(tmp_path: Path) -> None:
    changed = figures(tmp_path, "--spans", spans(tmp_path, "spans", REPLACED))["changed"]
    assert changed["taken_for"] == {"LAST_NAME": {"drug": 1}, "ROOM": {"value": 1}}


def test_spans_of_another_run_are_refused(tmp_path: Path) -> None:
    gold = spans(tmp_path, "gold", GOLD)
    result = invoke(tmp_path, "--gold", gold, "--spans", gold)
    assert isinstance(result.exception, UsageError)
    assert "note a: a word outside" in str(result.exception)


def test_words_are_written_only_where_they_are_asked_for(tmp_path: Path) -> None:
    finds = tmp_path / "finds.jsonl"
    figures(tmp_path, "--finds", finds)
    shown = (tmp_path / "out.json").read_text(encoding="utf-8")
    assert not [word for word in ("Keppra", "Martin", "Zyxwv") if word in shown]
    rows = [json.loads(line) for line in finds.read_text(encoding="utf-8").splitlines()]
    assert [(row["before"], row["after"], row["kind"]) for row in rows] == [
        ("Keppra", "Martin", "drug"), ("12,3", "[ROOM]", "value"),
    ]  # fmt: skip
    assert BEFORE["a"][rows[0]["start"] : rows[0]["end"]] == "Keppra"
    assert stat.S_IMODE(finds.stat().st_mode) == 0o600


def test_the_table_names_kinds_and_sums(tmp_path: Path) -> None:
    out = invoke(tmp_path, "--gold", spans(tmp_path, "gold", GOLD)).stdout
    assert "changed outside gold" in out
    assert all(name in out for name in ("drug", "value", "medicine", "all"))
    assert "Keppra" not in out


@pytest.mark.parametrize("option", ["--spans", "--finds"])
def test_options_of_gold_need_it(tmp_path: Path, option: str) -> None:
    result = invoke(tmp_path, option, tmp_path / "x.jsonl")
    assert "go with --gold" in str(result.exception)


def test_gold_of_other_texts_is_refused(tmp_path: Path) -> None:
    rows = [{"id": key, "text": "Autre.", "entities": []} for key in BEFORE]
    result = invoke(tmp_path, "--gold", written(tmp_path, "gold", rows))
    assert "another text" in str(result.exception)


def test_finds_are_not_written_over_an_input(tmp_path: Path) -> None:
    gold = spans(tmp_path, "gold", GOLD)
    result = invoke(tmp_path, "--gold", gold, "--finds", gold)
    assert "is an input" in str(result.exception)
