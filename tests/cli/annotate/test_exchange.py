"""`dpdeid annotate export` and `import` as a user runs them."""

from __future__ import annotations

import json
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid.annotate.units import read_answers
from dpdeid.cli.app import app
from dpdeid.errors import AnnotationError, UsageError
from tests.annotate.tools.simulated import prodigy

NOTES = [
    {"id": f"n{number}", "doc_type": kind, "text": f"Vue le {number + 1}/03 🙂\n\nà Brest, {kind}"}
    for number, kind in enumerate(["lettre"] * 4 + ["CRO"] * 2)
]


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, ["annotate", *map(str, args)])


def refused(*args: object) -> str:
    result = invoke(*args)
    assert isinstance(result.exception, UsageError), result.output
    assert "Brest" not in str(result.exception)
    return str(result.exception)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps(note) + "\n" for note in NOTES), encoding="utf-8")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    rows = [{**note, "entities": [{"start": 7, "end": 11, "label": "DATE"}]} for note in NOTES]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def manifest(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


def test_lines_go_out_and_come_back(tmp_path: Path, gold: Path) -> None:
    out, answers = tmp_path / "out", tmp_path / "answers.jsonl"
    done = invoke("export", gold, "--gold", "--format", "brat", "-o", out)
    assert done.exit_code == 0, done.exception
    assert "12 units of 6 notes (4 CRO, 8 lettre)" in done.stderr
    assert "6 marks suggested" in done.stderr
    counts = tmp_path / "counts.json"
    asked = ("--annotator", "anne", "--team", "red", "-o", answers, "--json", counts)
    done = invoke("import", out, "--format", "brat", *asked)
    assert done.exit_code == 0, done.exception
    assert stat.S_IMODE(answers.stat().st_mode) == 0o600
    found = read_answers([answers])
    assert {answer.unit.document for answer in found} == {f"n{number}" for number in range(6)}
    assert {(answer.annotator, answer.team) for answer in found} == {("anne", "red")}
    assert all(answer.marked == answer.unit.suggested for answer in found)
    assert sum(len(answer.marked) for answer in found) == 6
    assert json.loads(counts.read_text())["answers"] == 12


def test_a_correction_overrides_votes(tmp_path: Path, gold: Path) -> None:
    out, wrong = tmp_path / "out", tmp_path / "wrong"
    assert invoke("export", gold, "--gold", "-f", "brat", "-o", out).exit_code == 0
    wrong.mkdir()
    for path in (out / "brat").glob("*.*"):
        text = path.read_text("utf-8")
        (wrong / path.name).write_text(text.replace("DATE", "TIME"), "utf-8")
    one = next(path for path in sorted((out / "brat").glob("*.ann")) if path.read_text())
    boss = tmp_path / "boss"
    boss.mkdir()
    for ending in (".ann", ".txt"):
        (boss / one.with_suffix(ending).name).write_bytes(one.with_suffix(ending).read_bytes())
    files = []
    for who, folder, more in (("a", wrong, ()), ("b", wrong, ()), ("boss", boss, ("--corrects",))):
        files.append(tmp_path / f"{who}.jsonl")
        asked = ("--annotator", who, "--returned", folder, "-o", files[-1], *more)
        assert invoke("import", out, *asked).exit_code == 0
    assert [answer.corrects for answer in read_answers(files[1:])] == [False] * 12 + [True]
    assert invoke("gold", *files, "-o", tmp_path / "voted.jsonl").exit_code == 0
    rows = [json.loads(line) for line in (tmp_path / "voted.jsonl").read_text().splitlines()]
    labels = Counter((row["corrected"], e["label"]) for row in rows for e in row["entities"])
    assert labels == {(True, "DATE"): 1, (False, "TIME"): 5}


def test_equal_numbers_of_each_type(tmp_path: Path, notes: Path) -> None:
    out = tmp_path / "out"
    assert invoke("export", notes, "-f", "brat", "-o", out, "--per-type", 3).exit_code == 0
    head, *units = manifest(out)
    assert Counter(row["unit"]["doc_type"] for row in units) == {"lettre": 3, "CRO": 3}
    assert head["units"] == 6
    assert all(row["unit"]["suggested"] is None for row in units)


def test_one_seed_gives_one_order_and_none_gives_another_each_time(
    tmp_path: Path, notes: Path
) -> None:
    orders = []
    for name, seed in (("a", 3), ("b", 3), ("c", None), ("d", None)):
        given = [] if seed is None else ["--seed", seed]
        assert invoke("export", notes, "-f", "brat", "-o", tmp_path / name, *given).exit_code == 0
        orders.append([row["unit"]["id"] for row in manifest(tmp_path / name)[1:]])
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) == 3


def test_whole_notes(tmp_path: Path, notes: Path) -> None:
    out = tmp_path / "out"
    assert invoke("export", notes, "-f", "brat", "-o", out, "--whole").exit_code == 0
    texts = {row["unit"]["text"] for row in manifest(out)[1:]}
    assert texts == {note["text"] for note in NOTES}


def test_a_damaged_file_is_named_and_nothing_is_written(tmp_path: Path, gold: Path) -> None:
    out, answers = tmp_path / "out", tmp_path / "answers.jsonl"
    invoke("export", gold, "--gold", "-f", "brat", "-o", out)
    bad = sorted((out / "brat").glob("*.ann"))[-1]
    bad.write_text("T1\tDATE nowhere\n")
    result = invoke("import", out, "--annotator", "anne", "-o", answers)
    assert isinstance(result.exception, AnnotationError)
    assert bad.name in str(result.exception)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.jsonl", "out"]


def test_what_is_asked_wrongly_is_told(tmp_path: Path, notes: Path) -> None:
    out = tmp_path / "out"
    assert "no such format" in refused("export", notes, "-f", "word", "-o", out)
    asked = ("-f", "brat", "-o", out)
    assert "no such scheme" in refused("export", notes, *asked, "--scheme", "x")
    assert not out.exists()
    invoke("export", notes, *asked)
    assert "is not empty" in refused("export", notes, *asked)
    back = ("-o", tmp_path / "a.jsonl")
    told = refused("import", out, "-f", "prodigy", "--annotator", "a", *back)
    assert "was exported for brat, not for prodigy" in told
    assert "--annotator NAME" in refused("import", out, *back)
    told = refused("import", out, "--annotator", "a", "--returned", tmp_path / "no", *back)
    assert "is not there" in told


def test_the_manifest_is_not_written_over(tmp_path: Path, notes: Path) -> None:
    out = tmp_path / "out"
    invoke("export", notes, "-f", "brat", "-o", out)
    before = manifest(out)
    for name in ("manifest.jsonl", "brat/answers.jsonl"):
        assert "is an input" in refused("import", out, "--annotator", "a", "-o", out / name)
    assert manifest(out) == before


def test_annotated_notes_may_be_of_any_format(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Vue à Brest 🙂 le 12/03", "utf-8")
    (tmp_path / "a.ann").write_text("T1\tCITY 6 11\tBrest\nT2\tDATE 17 22\t12/03\n")
    out = tmp_path / "out"
    result = invoke("export", tmp_path / "a.ann", "--gold", "-f", "label-studio", "-o", out)
    assert result.exit_code == 0, result.exception
    (row,) = manifest(out)[1:]
    assert row["unit"]["suggested"] == [[6, 11, "CITY"], [17, 22, "DATE"]]


def test_notes_without_a_line_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text('{"id": "a", "text": " \\n"}\n')
    assert "no line" in refused("export", path, "-f", "brat", "-o", tmp_path / "out")


def test_a_policy_suggests_and_may_be_made_worse(tmp_path: Path, notes: Path) -> None:
    asked = ("-f", "prodigy", "--seed", 1, "--policy", "redact", "--scheme", "chuv")
    shown = {}
    for name, more in {
        "all": [],
        "none": ["--retention", 0],
        "wrong": ["--perturbation", 1, "--perturb", "category"],
    }.items():
        result = invoke("export", notes, *asked, "-o", tmp_path / name, *more)
        assert result.exit_code == 0, result.exception
        rows = manifest(tmp_path / name)[1:]
        shown[name] = {row["unit"]["id"]: row["unit"]["suggested"] for row in rows}
    dates = [marks for marks in shown["all"].values() if marks == [[7, 11, "DATE"]]]
    assert len(dates) == 6
    assert set(map(str, shown["none"].values())) == {"[]"}
    for unit, marks in shown["wrong"].items():
        assert [mark[:2] for mark in marks] == [mark[:2] for mark in shown["all"][unit]]
        assert all(new[2] != old[2] for new, old in zip(marks, shown["all"][unit], strict=True))
    assert manifest(tmp_path / "wrong")[0] | {"seed": 1} == {
        "tool": "prodigy", "scheme": "chuv", "seed": 1, "suggested": "redact", "retention": 1.0,
        "perturbation": 1.0, "perturbs": ["category"], "units": 12,
    }  # fmt: skip


def test_two_suggestions_are_refused(tmp_path: Path, gold: Path) -> None:
    told = refused("export", gold, "--gold", "-p", "redact", "-f", "brat", "-o", tmp_path / "o")
    assert "choose one" in told


def test_what_a_tool_exported_is_taken_from_the_folder_returned(tmp_path: Path, gold: Path) -> None:
    out, answers = tmp_path / "out", tmp_path / "answers.jsonl"
    assert invoke("export", gold, "--gold", "-f", "prodigy", "-o", out).exit_code == 0
    assert "put what the tool exports into it" in refused("import", out, "-o", answers)
    (out / "returned").mkdir()
    prodigy(out / "prodigy", out / "returned")
    result = invoke("import", out, "-o", answers)
    assert result.exit_code == 0, result.exception
    assert "11 durations kept; none for 1 first" in result.stderr
    assert {answer.annotator for answer in read_answers([answers])} == {"set-anne_red"}


def test_the_most_uncertain_lines_are_so_many_and_shuffled(tmp_path: Path, notes: Path) -> None:
    out = tmp_path / "out"
    asked = ("-f", "doccano", "--most-uncertain", 0.25, "--policy", "redact", "--seed", 2)
    result = invoke("export", notes, *asked, "-o", out)
    assert result.exit_code == 0, result.exception
    assert "3 units of 12 hold" in result.stderr
    few = [row["unit"]["id"] for row in manifest(out)[1:]]
    assert len(few) == 3
    assert invoke("export", notes, *asked[:2], *asked[-2:], "-o", tmp_path / "all").exit_code == 0
    order = [row["unit"]["id"] for row in manifest(tmp_path / "all")[1:]]
    assert few == [unit for unit in order if unit in few]
