"""`dpdeid train crf` and `dpdeid model`, as a user runs them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.detect.taggers.card import ModelCard, Source, digests, read_card, write_card
from dpdeid.errors import DpdeidError, ModelError
from dpdeid.labels import Label
from dpdeid.testing import marked

CARD = ModelCard(
    name="small",
    kind="crf",
    labels=(Label.LAST_NAME,),
    data=(Source("letters", "CC BY 4.0", 12),),
    trained_on_identified=False,
    date="2026-02-03",
    scores={"direct/redacted": 0.9713},
)


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, [str(a) for a in args])


@pytest.fixture(params=["file", "folder"])
def model(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "small"
    if request.param == "folder":
        path.mkdir()
        (path / "weights").write_bytes(b"weights")
        write_card(path, replace(CARD, files=digests(path, ["weights"])))
    else:
        path.write_bytes(b"weights")
        write_card(path, replace(CARD, files=digests(tmp_path, ["small"])))
    return path


def test_show_prints_the_card(model: Path) -> None:
    result = invoke("model", "show", model)
    assert result.exit_code == 0
    for said in ("LAST_NAME", "letters: 12 notes, CC BY 4.0", "none", "0.9713"):
        assert said in result.stdout


def test_export_copies_the_model_with_its_card(model: Path, tmp_path: Path) -> None:
    assert invoke("model", "export", model, tmp_path / "out").exit_code == 0
    copy = tmp_path / "out" if model.is_dir() else tmp_path / "out" / model.name
    assert read_card(copy) == read_card(model)
    assert b"weights" in {p.read_bytes() for p in (tmp_path / "out").iterdir()}


def test_export_of_a_model_of_identified_notes_needs_a_flag(model: Path, tmp_path: Path) -> None:
    write_card(model, replace(read_card(model), trained_on_identified=True))
    refused = invoke("model", "export", model, tmp_path / "out")
    assert isinstance(refused.exception, ModelError)
    assert "--identified" in str(refused.exception)
    assert not (tmp_path / "out").exists()
    assert "it must stay inside" in invoke("model", "show", model).stdout
    assert invoke("model", "export", model, tmp_path / "out", "--identified").exit_code == 0


def test_export_never_overwrites_and_copies_nothing_damaged(model: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    assert "never overwrites" in str(invoke("model", "export", model, tmp_path / "there").exception)
    torn = model / "weights" if model.is_dir() else model
    torn.write_bytes(b"weigh")
    for command in (["show", model], ["export", model, tmp_path / "out"]):
        assert "damaged" in str(invoke("model", *command).exception)


def rows(path: Path, *lines: str) -> Path:
    out = []
    for number, line in enumerate(lines):
        text, spans = marked(line)
        entities = [{"start": s.start, "end": s.end, "label": s.label} for s in spans]
        out.append(json.dumps({"id": str(number), "text": text, "entities": entities}))
    path.write_text("\n".join(out) + "\n", encoding="utf-8")
    return path


class TestTrainCrf:
    def test_it_writes_a_model_and_says_what_it_scores(self, tmp_path: Path) -> None:
        lines = [f"vu avec «LAST_NAME:{n}» ce jour" for n in ("zorblax", "quindrel", "trelvane")]
        data = rows(tmp_path / "n.jsonl", *lines, "la toux passe")
        out = tmp_path / "m.crfsuite"
        options = ("--dev", data, "--rarest", 1, "--c1", 0.01, "--folds", 2)
        result = invoke("train", "crf", "--data", data, "--out", out, *options)
        assert result.exit_code == 0, result.output
        assert "direct/redacted" in result.stdout
        assert "2 folds" in result.stdout
        assert f"{{crf: {{model: {out}}}}} beside crf adds it" in " ".join(result.stdout.split())
        card = read_card(out)
        assert card.trained_on_identified
        assert card.data == (Source("n.jsonl", "not stated", 4),)
        shared = ("--fictitious", "--licence", "CC0")
        invoke("train", "crf", "--data", data, "--out", out, "--rarest", 1, *shared)
        assert not read_card(out).trained_on_identified
        assert read_card(out).data[0].licence == "CC0"

    def test_other_versions_of_the_notes_are_drawn_by_a_seed(self, tmp_path: Path) -> None:
        data = rows(tmp_path / "n.jsonl", *(["vu avec «LAST_NAME:zorblax» ce jour"] * 9))
        made = []
        for name, seed in (("a", 1), ("b", 1), ("c", 2)):
            out = tmp_path / name / "m"
            out.parent.mkdir()
            options = ("--vary", data, "--seed", seed, "--rarest", 1, "--c1", 0)
            invoke("train", "crf", "--data", data, "--out", out, *options)
            made.append(out.read_bytes())
            assert read_card(out).seeds == (seed,)
        assert made[0] == made[1] != made[2]

    def test_a_model_is_calibrated_on_notes_that_it_does_not_learn(self, tmp_path: Path) -> None:
        lines = ["vu avec «LAST_NAME:zorblax» ce jour", "la toux passe", "vu ce jour"]
        data = rows(tmp_path / "n.jsonl", *lines * 3)
        held = tmp_path / "held.txt"
        held.write_text("\n".join([lines[0].replace("zorblax", "quindrel"), *lines[1:]] * 3))
        files = ("--data", data, "--lines", data)
        out = tmp_path / "m"
        options = ("--calibrate", held, "--rarest", 1, "--c1", 0.01)
        result = invoke("train", "crf", *files, "--out", out, *options)
        assert result.exit_code == 0, result.output
        card = read_card(out)
        assert [source.notes for source in card.data] == [9]
        assert {"slope/unlisted", "recall/LAST_NAME"} <= card.settings.keys()
        assert b"zorblax" in out.read_bytes()
        assert b"quindrel" not in out.read_bytes()

    @pytest.mark.parametrize("option", ["--vary", "--lines"])
    def test_only_files_of_data_are_learned_again(self, tmp_path: Path, option: str) -> None:
        data, other = (rows(tmp_path / f"{n}.jsonl", "vu «DATE:12/03»") for n in "ab")
        result = invoke("train", "crf", "--data", data, "--out", tmp_path / "m", option, other)
        assert "b.jsonl is no file of --data" in str(result.exception)

    def test_the_notes_are_never_overwritten(self, tmp_path: Path) -> None:
        data = rows(tmp_path / "a.jsonl", "vu «DATE:12/03»")
        before = data.read_bytes()
        result = invoke("train", "crf", "--data", data, "--out", data)
        assert "is an input" in str(result.exception)
        assert data.read_bytes() == before

    def test_licences_are_of_all_files_or_of_each(self, tmp_path: Path) -> None:
        files = [rows(tmp_path / f"{n}.jsonl", "vu «DATE:12/03»") for n in "abc"]
        data = [word for file in files for word in ("--data", file)]
        two = ("--licence", "CC0", "--licence", "own")
        result = invoke("train", "crf", *data, "--out", tmp_path / "m", *two)
        assert "one --licence for all" in str(result.exception)

    def test_prose_is_learned_and_copies_of_held_out_notes_are_not(self, tmp_path: Path) -> None:
        story = " ".join(f"signe{n}" for n in range(30))
        data = rows(tmp_path / "n.jsonl", *["vu avec «LAST_NAME:zorblax»"] * 4, f"Donc {story}")
        prose = ["Toux grasse.", f"Ici {story}", "Vue avec M. Paul Durand.", "Apyrexie."]
        plain = tmp_path / "p.jsonl"
        plain.write_text("\n".join(json.dumps({"text": text}) for text in prose), encoding="utf-8")
        files = ("--data", data, "--plain", plain)
        options = ("--rarest", 1, "--licence", "own", "--licence", "CC0")
        held = rows(tmp_path / "h.jsonl", story)
        for apart, counts in (((), (5, 2)), (("--apart", held), (4, 2))):
            out = tmp_path / f"m{len(apart)}"
            result = invoke("train", "crf", *files, *apart, "--out", out, *options)
            assert result.exit_code == 0, result.output
            learned = (Source("n.jsonl", "own", counts[0]), Source("p.jsonl", "CC0", counts[1]))
            assert read_card(out).data == learned

    @pytest.mark.parametrize("text", ["{}", "not json", '{"id": "a", "text": "x", "entities": 3}'])
    def test_a_bad_row_is_named(self, tmp_path: Path, text: str) -> None:
        data = tmp_path / "n.jsonl"
        data.write_text(text + "\n", encoding="utf-8")
        result = invoke("train", "crf", "--data", data, "--out", tmp_path / "m")
        assert isinstance(result.exception, DpdeidError)
        assert "n.jsonl, row 1" in str(result.exception)
        assert not (tmp_path / "m").exists()

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        result = invoke("train", "crf", "--data", tmp_path / "no", "--out", tmp_path / "m")
        assert "no such file" in str(result.exception)
