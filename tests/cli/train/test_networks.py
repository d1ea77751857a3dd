"""`dpdeid train` end to end on a few lines: a language model, then a tagger that `detect` runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.detect.taggers.card import Source, read_card
from dpdeid.errors import TrainingError
from dpdeid.training.bases import read_origins
from tests.training import tiny


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    rows = [
        {
            "id": doc.id,
            "text": doc.text,
            "entities": [{"start": s.start, "end": s.end, "label": s.label} for s in spans],
        }
        for doc, spans in tiny.corpus(8)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def run(*args: object) -> str:
    result = CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.model
@pytest.mark.parametrize("fictitious", [True, False])
def test_from_raw_text_to_a_tagger(notes: Path, tmp_path: Path, fictitious: bool) -> None:
    pytest.importorskip("torch", reason="needs the extra transformers")
    said = ["--fictitious"] if fictitious else []
    base, out = tmp_path / "base", tmp_path / "tagger"
    run("train", "mlm", "--text", notes, "--out", base, "--minutes", 0.02, "--batch", 1, *said)
    tagger = ("train", "transformer", "--base", base, "--out", out, "--epochs", 1)
    output = run(*tagger, "--data", notes, "--dev", notes, *said)
    assert "direct redacted" in output
    card = read_card(out)
    assert card.trained_on_identified is not fictitious
    assert [source.name for source in card.data] == ["notes.jsonl"]


@pytest.mark.model
def test_a_resumed_run_still_says_what_it_was_trained_on(notes: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra transformers")
    out, other = tmp_path / "base", tmp_path / "other.jsonl"
    other.write_bytes(notes.read_bytes())
    mlm = ("train", "mlm", "--out", out, "--batch", 1, "--minutes")
    run(*mlm, 0.02, "--text", notes)
    run(*mlm, 0.04, "--text", other, "--resume", "--fictitious")
    origins = read_origins(str(out))
    assert [source.name for source in origins.data] == ["notes.jsonl", "other.jsonl"]
    assert origins.trained_on_identified


@pytest.mark.model
def test_a_wrong_row_is_told_before_anything_is_trained(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra transformers")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "a", "text": "vue"}')
    with pytest.raises(TrainingError, match=r"bad\.jsonl, row 1"):
        run("train", "transformer", "--base", "x", "--data", bad, "--out", tmp_path / "m")
    assert not (tmp_path / "m").exists()


@pytest.mark.model
@pytest.mark.parametrize("fictitious", [True, False])
def test_a_bi_lstm_from_notes_to_detect(notes: Path, tmp_path: Path, fictitious: bool) -> None:
    pytest.importorskip("flair", reason="needs the extra flair")
    said = ["--fictitious", "--licence", "CC0"] if fictitious else []
    out = tmp_path / "lstm"
    options = ("--layers", 2, "--crf", "--seeds", 2, "--epochs", 2, *said)
    output = run("train", "flair", "--data", notes, "--dev", notes, "--out", out, *options)
    assert "direct redacted" in output
    card = read_card(out)
    assert card.trained_on_identified is not fictitious
    assert (card.kind, card.seeds, card.settings["layers"]) == ("flair", (0, 1), 2)
    assert card.data == (Source("notes.jsonl", "CC0" if fictitious else "not stated", 32),)
    policy = tmp_path / "p.yaml"
    policy.write_text(
        f"name: x\nunit: note\ndetectors: [patterns, {{flair: {{model: {out}}}}}]\n"
        "merge: union\nstrategies: []\ndefault: redact\n"
    )
    found = CliRunner().invoke(app, ["detect", str(notes), "--policy", str(policy)])
    assert len(list(map(json.loads, found.stdout.splitlines()))) == 32
    assert ("identified" in found.stderr) is not fictitious
    export = ("model", "export", out, tmp_path / "copy")
    assert CliRunner().invoke(app, list(map(str, export))).exit_code == (0 if fictitious else 1)


def test_without_flair_it_says_what_to_install(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("flair", "flair.data"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("dpdeid.training.flair", "dpdeid.detect.taggers.flair_network"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(TrainingError, match=r"\.\[flair\]"):
        run("train", "flair", "--data", notes, "--out", tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_without_torch_it_says_what_to_install(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("fitting", "language_model", "small_model"):
        monkeypatch.delitem(sys.modules, f"dpdeid.training.{name}", raising=False)
    with pytest.raises(TrainingError, match=r"\.\[transformers\]"):
        run("train", "mlm", "--text", notes, "--out", tmp_path / "m")
