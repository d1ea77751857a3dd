"""`dpdeid train --extend` as a user runs it: what is printed, written and refused."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.taggers.card import read_card
from dpdeid.errors import ModelError, TrainingError
from dpdeid.policy.policy import load_policy, policy_text
from dpdeid.training.corpus import read_corpus
from dpdeid.training.crf import Options, train_crf
from dpdeid.training.extending.crf import Options as Extension
from tests.training import tiny

OLD = ("zorblax", "quindrel", "trelvane", "olbrick")
NEW = ("borvanel", "castrune", "delquist", "emprolat", "fluvarne", "gristode")


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=False)


def lines(path: Path, names: tuple[str, ...], line: str) -> Path:
    path.write_text("\n".join(line.format(name) for name in names), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def little_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdeid.cli.train.Extension", partial(Extension, replayed=2))


@pytest.fixture
def start(tmp_path: Path) -> Path:
    notes = lines(tmp_path / "old.txt", OLD, "vu avec «LAST_NAME:{}» ce jour")
    out = tmp_path / "start.crfsuite"
    options = Options(c1=0.01, c2=0.01, rarest=1, iterations=30, forgotten=0)
    train_crf(read_corpus([notes]), out, options=options, identified=False)
    return out


def test_a_gain_is_printed_written_and_on_the_card(start: Path, tmp_path: Path) -> None:
    site = lines(tmp_path / "site.txt", NEW, "pancarte «LAST_NAME:{}» ok sans plus")
    out, told = tmp_path / "site.crfsuite", tmp_path / "gain.json"
    ended = run(
        "train", "crf", "--extend", start, "--data", site, "--out", out, "--folds", 2,
        "--json", told,
    )  # fmt: skip
    assert ended.exit_code == 0, ended.output
    gain = json.loads(told.read_text("utf-8"))
    assert gain["notes"] == len(NEW)
    assert ("keep the one it started from" in ended.output) is not gain["pays"]
    assert f"{100 * gain['extended']['recall']:.1f}" in ended.output
    card = read_card(out)
    assert card.scores["the site's notes, start/recall"] == gain["start"]["recall"]
    assert card.trained_on_identified
    with pytest.raises(ModelError, match="--identified"):
        run("model", "export", out, tmp_path / "copy")
    assert "start," in run("model", "show", out).output


def test_what_is_worse_is_told(start: Path, tmp_path: Path) -> None:
    wrong = lines(tmp_path / "wrong.txt", OLD, "vu avec {} ce «LAST_NAME:jour»")
    out = tmp_path / "m"
    ended = run(
        "train", "crf", "--extend", start, "--data", wrong, "--dev", tmp_path / "old.txt",
        "--out", out, "--fictitious",
    )  # fmt: skip
    assert "is not better here" in ended.output
    assert "keep the one it started from" in ended.output
    assert not read_card(out).trained_on_identified


def test_options_of_a_training_from_nothing_are_refused(start: Path, tmp_path: Path) -> None:
    data = ("--data", tmp_path / "old.txt", "--out", tmp_path / "m")
    for extra in (("--c1", 1), ("--vary", tmp_path / "old.txt")):
        with pytest.raises(TrainingError, match="are not for --extend"):
            run("train", "crf", "--extend", start, *data, *extra)
    with pytest.raises(TrainingError, match="--json writes what --extend gained"):
        run("train", "crf", *data, "--json", tmp_path / "j")
    with pytest.raises(ModelError, match=r"no model at .*absent"):
        run("train", "crf", "--extend", tmp_path / "absent", *data)
    for both in ((), ("--base", "x", "--extend", "y")):
        with pytest.raises(TrainingError, match=r"give --base .* or --extend"):
            run("train", "transformer", *data, *both)
    assert not (tmp_path / "m").exists()


@pytest.mark.model
def test_a_transformer_is_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="needs the extra transformers")
    from dpdeid.training.extending import transformer

    monkeypatch.setattr(transformer, "Options", partial(transformer.Options, replayed=1))
    start = tiny.tagger(tmp_path)
    site = lines(tmp_path / "site.txt", NEW, "Revue par Dr «LAST_NAME:{}» ce jour.")
    out, told = tmp_path / "site", tmp_path / "gain.json"
    ended = run(
        "train", "transformer", "--extend", start, "--data", site, "--out", out, "--folds", 2,
        "--epochs", 1, "--json", told,
    )  # fmt: skip
    assert ended.exit_code == 0, ended.output
    gain = json.loads(told.read_text("utf-8"))
    assert gain["notes"] == len(NEW)
    card = read_card(out)
    assert card.settings["epochs"] == 1
    assert card.scores["the site's notes, extended/recall"] == gain["extended"]["recall"]
    assert card.trained_on_identified


def test_the_gain_of_trees_is_printed_and_written(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    site = lines(tmp_path / "site.txt", NEW, "Mme «LAST_NAME:Durand», pancarte {} ce soir")
    out, told = tmp_path / "site.tsv", tmp_path / "gain.json"
    ended = run(
        "train", "decision", "--data", site, "--out", out, "--folds", 2, "--json", told
    )  # fmt: skip
    assert ended.exit_code == 0, ended.output
    gain = json.loads(told.read_text("utf-8"))
    assert gain["notes"] == len(NEW)
    assert ("keep the one it started from" in ended.output) is not gain["pays"]
    policy = tmp_path / "site.yaml"
    assert f"merge: {{decision: {{trees: {out}}}}}" in "".join(ended.output.splitlines())
    own = policy_text("dp").replace("merge: decision", f"merge: {{decision: {{trees: {out}}}}}")
    policy.write_text(own, "utf-8")
    assert load_policy(policy).merge == Decision(trees=str(out))
    assert run("detect", site, "--policy", policy).exit_code in (0, 1)
