"""`dpdeid review` as somebody runs it at a keyboard."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.fasdim import reading
from dpdeid.evaluate.report.inputs import read
from dpdeid.formats.annotations import read_annotations
from dpdeid.labels import Label
from dpdeid.policy.policy import policy_text

TEXT = "av zorguelec : ok pr sortie demain, pas de fièvre, bon état général ce jour"
POLICY = """\
name: nothing
unit: note
detectors: [metadata]
merge: union
strategies: []
default: redact
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    rows = [{"id": "a", "text": TEXT, "entities": [{"start": 3, "end": 12, "label": "LAST_NAME"}]}]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "policy.yaml").write_text(POLICY)
    monkeypatch.setattr(reading, "at_terminal", lambda: True)

    def invoke(keys: str, *args: str) -> Result:
        pressed = iter(keys)
        monkeypatch.setattr("typer.getchar", lambda: next(pressed))
        source, policy = str(tmp_path / "notes.jsonl"), str(tmp_path / "policy.yaml")
        return CliRunner().invoke(app, ["review", source, "--policy", policy, *args])

    return invoke


def test_answers_are_kept_and_not_asked_again(run: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    options = ("--answers", str(path), "--share", "0.5")
    result = run("iuicq", *options)
    assert result.exit_code == 0, result.output
    assert "1/7  av [zorguelec] : ok" in result.output
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["answer"] for row in rows] == ["identifying", None, "identifying"]
    assert {row["word"] for row in rows} == {"zorguelec"}
    again = run("q", *options)
    assert "1/6" in again.output
    assert "[zorguelec]" not in again.output


def test_the_effort_curve(run: Callable[..., Result]) -> None:
    result = run("", "--effort")
    assert result.exit_code == 0, result.output
    assert "notes fully redacted" in result.output
    assert "100.0" in result.output
    assert "zorguelec" not in result.output


def test_the_effort_knows_what_the_hospital_knows(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "notes.jsonl"
    (row,) = map(json.loads, path.read_text().splitlines())
    for patient, share in (({}, 0), ({"last_name": "Zorguelec"}, 1)):
        path.write_text(json.dumps({**row, "patient": patient}) + "\n")
        assert run("", "--effort", "--json", str(tmp_path / "effort.json")).exit_code == 0
        steps = json.loads((tmp_path / "effort.json").read_text())["steps"]
        assert steps[0]["fully_redacted"] == share


def test_the_effort_as_a_file_of_figures(run: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "effort.json"
    assert run("", "--effort", "--json", str(path)).exit_code == 0
    data = read([path]).effort["effort"]
    assert [step["share"] for step in data["steps"]] == list(reading.SHARES)
    assert data["steps"][-1]["fully_redacted"] == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "--json goes with --effort" in str(run("", "--report", "--json", str(path)).exception)


def test_without_a_file_for_the_answers(run: Callable[..., Result]) -> None:
    assert "needs a terminal" in str(run("").exception)


def test_explain_says_what_nobody_proposed(tmp_path: Path) -> None:
    path, text = tmp_path / "notes.jsonl", "av zorguelec : ok pr sortie demain, amoxicilline 1g"
    path.write_text(json.dumps({"id": "a", "text": text}) + "\n", encoding="utf-8")
    line, why = CliRunner().invoke(app, ["explain", str(path)]).stdout.splitlines()[1:]
    assert why.split()[0] == "chance"
    assert "zorguelec" not in why
    assert "3–12" in line
    assert "no proposal: by what stands around it" in line
    assert "zorguelec" not in line


def answer_all(run: Callable[..., Result], path: Path, *args: str) -> Result:
    """The name is one, and nothing else identifies."""
    return run("n" + "h" * 20, "--answers", str(path), *args)


def table_rows(result: Result) -> dict[str, list[str]]:
    """The cells of each printed row by its first."""
    rows = [re.split(r"\s*│\s*", line.strip("│ ")) for line in result.stdout.splitlines()]
    return {first: rest for first, *rest in rows if rest}


def test_the_report_with_a_sample(run: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    asked = answer_all(run, path, "--share", "0.1", "--sample", "5", "--seed", "4")
    assert "1 word among the riskiest, 5 drawn of 13 others; 0 answered already" in asked.output
    assert "(drawn)" in asked.output
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["chance"] for line in lines] == [1.0] + 5 * [round(5 / 13, 6)]
    assert {(line["share"], line["sample"], line["seed"]) for line in lines} == {(0.1, 5, 4)}
    rows = table_rows(run("", "--answers", str(path), "--report"))  # share and sample as answered
    assert rows["words left in place"][0] == "14"
    assert rows["the riskiest (10 %)"][0] == "1: 1 identify, 0 open"
    assert rows["drawn of 13 others"][0] == "5: 0 identify, 0 open"
    assert rows["missed"][0] == "1.0 [1–6]"  # none of 5 of 13: 5 more at most, 56 of 1,287 draws
    assert rows["10 %"][:2] == ["1", "1"]


def test_the_report_without_a_sample_has_no_interval(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "answers.jsonl"
    answer_all(run, path, "--share", "0.1")
    result = run("", "--answers", str(path), "--report")
    rows = table_rows(result)
    assert rows["missed"] == ["1 found", "no interval: --sample N"]
    assert rows["recall by words, %"][1] == "a bound"
    assert "zorguelec" not in result.output


def test_answers_become_annotated_notes(run: Callable[..., Result], tmp_path: Path) -> None:
    path, gold = tmp_path / "answers.jsonl", tmp_path / "gold.jsonl"
    options = ("--answers", str(path), "--export", str(gold))
    run("nq", "--answers", str(path), "--share", "0.5")
    half = run("", *options)
    assert (half.exit_code, gold.read_text(encoding="utf-8")) == (4, "")
    assert "0 notes written; 1 with an open word left out" in half.output
    run("h" * 20, "--answers", str(path))
    assert run("", *options).exit_code == 0
    (note,) = read_annotations(gold).notes
    assert (note.id, note.text) == ("a", TEXT)
    assert [(s.start, s.end, s.label) for s in note.spans] == [(3, 12, Label.LAST_NAME)]
    assert stat.S_IMODE(gold.stat().st_mode) == 0o600
    log = (tmp_path / "answers.jsonl.log").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["notes"] for line in log] == [0, 1]
    assert "zorguelec" not in "".join(log)


def test_answers_of_other_notes_are_refused(run: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    answer_all(run, path, "--share", "0.1")
    notes = tmp_path / "notes.jsonl"
    notes.write_text(notes.read_text(encoding="utf-8").replace("zorguelec", "kermadecs"))
    for args in (("--report",), ("--export", str(tmp_path / "gold.jsonl")), ()):
        error = run("", "--answers", str(path), *args).exception
        assert str(error) == f"{path}, line 1: the note has another text"
    assert not (tmp_path / "gold.jsonl").exists()
    error = run("", "--answers", str(tmp_path / "none.jsonl"), "--report").exception
    assert "no answers" in str(error)
    CliRunner().invoke(app, ["fasdim", "init", str(tmp_path / "lists")])
    args = ["fasdim", "learn", str(tmp_path / "lists"), "-a", str(tmp_path / "none.jsonl")]
    assert "no answers" in str(CliRunner().invoke(app, args).exception)


def test_what_is_taken_by_now_is_counted_and_not_used(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "answers.jsonl"
    answer_all(run, path, "--share", "0.1")
    result = run("", "--answers", str(path), "--report", "--policy", "dp")
    assert "1 answer on what detection takes by now: not used" in result.output


def test_lists_learn_from_answers(run: Callable[..., Result], tmp_path: Path) -> None:
    path, folder = tmp_path / "answers.jsonl", tmp_path / "lists"
    answer_all(run, path, "--share", "0.1")
    CliRunner().invoke(app, ["fasdim", "init", str(folder), "--empty"])
    args = ["fasdim", "learn", str(folder), "--answers", str(path), "--source", "ours"]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0, result.output
    assert "0 words authorised, 1 forbidden; 0 answered both ways" in result.output
    words = (folder / "words.tsv").read_text(encoding="utf-8").splitlines()
    assert words == ["# dpdeid fasdim 1 empty", "zorguelec\tforbidden\t\tours"]
    last = json.loads((folder / "lists.log").read_text(encoding="utf-8").splitlines()[-1])
    assert (last["what"], last["decided"]) == ("learn", 1)


def test_explain_says_what_was_proposed_and_let_go(tmp_path: Path) -> None:
    path, told = tmp_path / "notes.jsonl", tmp_path / "told.jsonl"
    text = "ATCD : HTA, maladie de Parkinson, prothèse de Charnley."
    path.write_text(json.dumps({"id": "a", "text": text}) + "\n", encoding="utf-8")
    policy = policy_text("dp").replace("merge: decision", "merge: {decision: {miss: 1}}")
    mine = tmp_path / "mine.yaml"
    mine.write_text(policy, encoding="utf-8")
    given = ["explain", str(path), "-p", str(mine)]
    CliRunner().invoke(app, [*given, "--json", str(told), "--reveal"])
    (shown,) = told.read_text(encoding="utf-8").splitlines()
    for one in json.loads(shown)["let_go"]:
        assert one["original"] == text[one["start"] : one["end"]]
        assert 0 < one["score"] <= 1
    lines = CliRunner().invoke(app, given).stdout.splitlines()
    assert len([line for line in lines if "let go; " in line]) == len(json.loads(shown)["let_go"])


def test_what_readers_called_wrong_is_counted_and_not_annotated(tmp_path: Path) -> None:
    notes, path = tmp_path / "known.jsonl", tmp_path / "answers.jsonl"
    notes.write_text(json.dumps({"id": "a", "text": TEXT, "patient": {"last_name": "Zorguelec"}}))
    (tmp_path / "policy.yaml").write_text(POLICY)
    row = {"note": "a", "start": 3, "end": 12, "word": "zorguelec", "answer": "wrong"}
    path.write_text(json.dumps({**row, "minutes": 0.1, "share": 0.05}) + "\n")

    def again(*args: str) -> Result:
        policy = str(tmp_path / "policy.yaml")
        given = ["review", str(notes), "-a", str(path), "--policy", policy, *args]
        return CliRunner().invoke(app, given)

    rows = table_rows(again("--report"))
    assert rows["taken as direct"][0] == "0"
    gold = tmp_path / "gold.jsonl"
    assert again("--share", "0", "--export", str(gold)).exit_code == 0
    (note,) = read_annotations(gold).notes
    assert note.spans == ()
