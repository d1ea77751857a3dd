"""Doccano, Label Studio and Prodigy: what they open, and what is refused of what they export."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from dpdeid.annotate.answers import Counts, answers
from dpdeid.annotate.exchange import TOOLS, Design, manifest_of, write
from dpdeid.annotate.schemes import schemes
from dpdeid.annotate.units import Answer, Marked, Unit
from dpdeid.errors import AnnotationError
from tests.annotate.tools.simulated import RETURNS, lines

CANARY = "Zyxwvut"
TEXT = f"Vu 🙂 {CANARY}, 63 ans"
MARKS = (Marked(5, 12, "PATIENT_E"), Marked(14, 20, "ÂGE"))
UNITS = [Unit(f"n#{number}", "n", "", 0, TEXT, MARKS) for number in range(3)]
PAGES = ["doccano", "label-studio", "prodigy"]


def sent(tool: str, folder: Path, units: list[Unit] = UNITS) -> Path:
    write(folder / "out", units, Design(tool, "chuv", 0))
    return folder / "out" / tool


def back(tool: str, folder: Path, change: Callable[[Any], Any] = lambda rows: rows) -> Path:
    """The export of a tool with its rows changed."""
    path = RETURNS[tool](sent(tool, folder), folder)
    if path.suffix == ".json":
        path.write_text(json.dumps(change(json.loads(path.read_text()))))
    else:
        rows = change([json.loads(line) for line in path.read_text("utf-8").split("\n") if line])
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(tool: str, path: Path, folder: Path, who: str | None = "a") -> tuple[list[Answer], Counts]:
    return answers(TOOLS[tool].read(path), manifest_of(folder / "out"), who)


class TestSent:
    def test_offsets_of_pages_count_an_emoji_twice(self, tmp_path: Path) -> None:
        row = lines(sent("doccano", tmp_path) / "units.jsonl")[0]
        assert row["label"] == [[6, 13, "PATIENT_E"], [15, 21, "ÂGE"]]

    def test_those_of_prodigy_do_not(self, tmp_path: Path) -> None:
        row = lines(sent("prodigy", tmp_path) / "units.jsonl")[0]
        assert [(s["start"], s["end"]) for s in row["spans"]] == [(5, 12), (14, 20)]

    def test_doccano_has_colours_and_keys(self, tmp_path: Path) -> None:
        labels = json.loads((sent("doccano", tmp_path) / "labels.json").read_text())
        (age,) = [one for one in labels if one["text"] == "ÂGE"]
        assert age == {
            "text": "ÂGE", "prefix_key": None, "suffix_key": "g",
            "background_color": "#fdffb6", "text_color": "#000000",
        }  # fmt: skip

    def test_label_studio_has_colours_and_keys(self, tmp_path: Path) -> None:
        path = sent("label-studio", tmp_path) / "config.xml"
        labels = Xml.fromstring(path.read_text(encoding="utf-8")).findall("Labels/Label")
        told = {one.attrib["value"]: one.attrib for one in labels}
        assert set(told) == set(schemes()["chuv"].categories)
        assert told["ÂGE"] == {"value": "ÂGE", "background": "#fdffb6", "hotkey": "g"}

    def test_prodigy_has_colours_and_keys(self, tmp_path: Path) -> None:
        look = json.loads((sent("prodigy", tmp_path) / "prodigy.json").read_text())
        assert look["custom_theme"]["labels"]["ÂGE"] == "#fdffb6"
        assert look["keymap_by_label"]["ÂGE"] == "g"

    def test_without_suggestions_label_studio_gets_no_predictions(self, tmp_path: Path) -> None:
        bare = [Unit("n#0", "n", "", 0, TEXT)]
        (task,) = json.loads((sent("label-studio", tmp_path, bare) / "tasks.json").read_text())
        assert "predictions" not in task

    def test_prodigy_sees_a_token_parted_where_a_mark_ends(self, tmp_path: Path) -> None:
        unit = Unit("n#0", "n", "", 0, "DrXu  vu", (Marked(0, 3, "NOM"), Marked(3, 4, "NOM")))
        (row,) = lines(sent("prodigy", tmp_path, [unit]) / "units.jsonl")
        assert [t["text"] for t in row["tokens"]] == ["Dr", "X", "u", " ", "vu"]

    @pytest.mark.parametrize("tool", PAGES)
    def test_what_a_page_opens_is_ascii(self, tool: str, tmp_path: Path) -> None:
        """Doccano guesses the encoding of a file (`chardet`), and French is guessed wrong."""
        for path in sent(tool, tmp_path).iterdir():
            assert path.suffix not in (".json", ".jsonl") or path.read_bytes().isascii()


class TestReturned:
    def test_label_studio_measures_the_time(self, tmp_path: Path) -> None:
        found, counts = read("label-studio", back("label-studio", tmp_path), tmp_path, None)
        assert {(one.annotator, one.seconds) for one in found} == {("1", 8.25)}
        assert counts.measured == 3

    def test_users_of_label_studio_may_be_told_by_address(self, tmp_path: Path) -> None:
        def change(tasks: Any) -> Any:
            tasks[0]["annotations"][0]["completed_by"] = {"id": 4, "email": "a@x.ch"}
            tasks[1]["annotations"] = []
            tasks[2]["annotations"][0] |= {"was_cancelled": True, "result": []}
            return tasks

        found, counts = read("label-studio", back("label-studio", tmp_path, change), tmp_path, None)
        assert [(one.annotator, one.ignored) for one in found] == [("1", True), ("a@x.ch", False)]
        assert (counts.unanswered, counts.ignored, counts.passed_over) == (1, 1, 1)

    def test_other_regions_of_label_studio_are_not_read(self, tmp_path: Path) -> None:
        def change(tasks: Any) -> Any:
            result = tasks[0]["annotations"][0]["result"]
            result.append({"type": "choices", "value": {"choices": ["x"]}})
            return tasks

        found, _ = read("label-studio", back("label-studio", tmp_path, change), tmp_path)
        assert found[0].marked == MARKS

    def test_what_prodigy_rejects_or_ignores_is_passed_over(self, tmp_path: Path) -> None:
        def change(rows: Any) -> Any:
            rows[0]["answer"], rows[1]["answer"] = "ignore", "reject"
            return rows

        found, counts = read("prodigy", back("prodigy", tmp_path, change), tmp_path, None)
        assert [one.ignored for one in found] == [True, True, False]
        assert [one.marked for one in found] == [(), (), MARKS]
        assert counts.passed_over == 2
        assert found[2].seconds == 7
        assert found[0].annotator == "set-anne_red"
        assert found[2].at == "2026-03-01T09:00:14+00:00"

    def test_a_mark_of_prodigy_need_not_be_suggested(self, tmp_path: Path) -> None:
        def change(rows: Any) -> Any:
            rows[0]["spans"] = [{"start": 3, "end": 5, "label": "AUTRES"}]
            return rows

        found, _ = read("prodigy", back("prodigy", tmp_path, change), tmp_path)
        assert found[0].marked == (Marked(3, 4, "AUTRES"),)


def _set(key: str, value: object) -> Callable[[Any], Any]:
    def change(rows: Any) -> Any:
        rows[1][key] = value
        return rows

    return change


def _region(**told: object) -> Callable[[Any], Any]:
    def change(tasks: Any) -> Any:
        tasks[1]["annotations"][0]["result"][0]["value"] |= told
        return tasks

    return change


@pytest.mark.parametrize(
    ("tool", "change", "said"),
    [
        ("doccano", _set("unit", "x"), "row 2: of no unit of this export"),
        ("doccano", _set("unit", None), "row 2: no unit"),
        ("doccano", _set("text", f"{CANARY}!"), "row 2: the text is not that of unit"),
        ("doccano", _set("entities", [{"label": "ÂGE"}]), "row 2: no start_offset"),
        ("doccano", _set("entities", [{"start_offset": 3, "end_offset": 4, "label": "ÂGE"}]),
         "row 2: a mark is empty or lies outside"),
        ("doccano", lambda rows: [rows[0] | {"label": [[1, 2]]}], "row 1: a label is no"),
        ("doccano", lambda rows: [rows[0] | {"label": [["1", 2, "ÂGE"]]}], "row 1: a mark has no"),
        ("doccano", lambda rows: [rows[0] | {"label": [[0, 2, CANARY]]}],
         r"row 1: a category that chuv does not have \(1 not in capitals\)"),
        ("doccano", lambda rows: [rows[0] | {"label": [[0, 99, "ÂGE"]]}], "lies outside the text"),
        ("label-studio", lambda tasks: tasks[0], "no list of tasks"),
        ("label-studio", lambda tasks: [5], "task 1: no data"),
        ("label-studio", _set("annotations", None), "task 2: no annotations"),
        ("label-studio", _region(start=8), "task 2: a mark does not hold the text"),
        ("label-studio", _region(labels="ÂGE"), "task 2: no labels"),
        ("label-studio", _region(end=None), "task 2: a mark has no start, end or label"),
        ("prodigy", _set("meta", {}), "row 2: no unit"),
        ("prodigy", _set("answer", None), "row 2: no answer"),
        ("prodigy", _set("_timestamp", "now"), "row 2: _timestamp is no time"),
        ("prodigy", _set("_timestamp", 1e300), "row 2: _timestamp is no time"),
        ("prodigy", _set("spans", [{"start": 1}]), "row 2: a mark has no"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_and_not_repeated(
    tool: str, change: Callable[[Any], Any], said: str, tmp_path: Path
) -> None:
    path = back(tool, tmp_path, change)
    with pytest.raises(AnnotationError, match=said) as raised:
        read(tool, path, tmp_path)
    assert path.name in str(raised.value)
    assert CANARY not in str(raised.value)


@pytest.mark.parametrize("tool", PAGES)
def test_a_file_that_was_cut_off_is_named(tool: str, tmp_path: Path) -> None:
    path = back(tool, tmp_path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(AnnotationError, match="not valid JSON") as raised:
        read(tool, path, tmp_path)
    assert path.name in str(raised.value)
    assert CANARY not in str(raised.value)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_folder_without_files_of_the_tool_is_told(tool: str, tmp_path: Path) -> None:
    sent(tool, tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(AnnotationError, match="no file that ends with"):
        read(tool, tmp_path / "empty", tmp_path)
