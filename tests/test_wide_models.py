"""The recipe of the shipped tagger, in tiny shapes on a processor: it makes a model folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

from dpdeid.detect.taggers.card import check_files, read_card
from dpdeid.detect.taggers.transformer import load
from dpdeid.document import Document
from dpdeid.training.bases import read_encoder

pytestmark = [pytest.mark.model, pytest.mark.slow]
RECIPES = Path(__file__).parents[1] / "benchmarks" / "recipes"
TINY = """
import wide_models as w
import dpdeid.training.small_model as small
small.warm = lambda model, ids: None  # counts 12,000 pieces: too long here
w.WIDE, w.SMALL = w.Shape(1, 32, 2), {"s2x256": w.Shape(1, 16, 2)}
w.main()
"""


def run(*arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", TINY, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=RECIPES,
        env=os.environ | {"WIDE_DEVICE": "cpu", "TOKENIZERS_PARALLELISM": "false"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def write(path: Path, count: int, *, marked: bool) -> Path:
    text = "Mme Durand revue ce matin, apyrétique.\nLe docteur Petit la reverra."
    spans = [{"start": 4, "end": 10, "label": "LAST_NAME"}] if marked else []
    rows = ({"id": f"{path.stem}-{i}", "text": text, "entities": spans} for i in range(count))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_texts_teachers_and_small_taggers(tmp_path: Path) -> None:
    notes = write(tmp_path / "notes.jsonl", 12, marked=True)
    raw = write(tmp_path / "raw.jsonl", 40, marked=False)
    assert "200 texts" in run("texts", raw, raw, tmp_path / "pieces")
    told = run(
        *("learn", tmp_path / "pieces", notes, "--raw", raw, "--out", tmp_path / "out"),
        *("--work", tmp_path / "work", "--workers", 1, "--versions", 2, "--passes", 1),
        *("--seconds", 8, "--batch", 4, "--small", "s2x256", "--scored", notes),
    )
    assert "2 versions" in told
    assert "teacher alone, notes.jsonl, 12 notes" in told
    out = tmp_path / "out"
    run("base", out / "base-s2x256.safetensors", out / "learned.json", tmp_path / "base")
    assert read_encoder(str(tmp_path / "base")).config.hidden_size == 16
    run("finish", out / "tagger-s2x256.safetensors", notes, tmp_path / "tagger", notes)
    card = read_card(tmp_path / "tagger")
    check_files(tmp_path / "tagger", card)
    assert [source.notes for source in card.data][-1] == 12
    doc = Document("n", "Mme Durand va bien")
    assert load(tmp_path / "tagger").scores(doc).shape[0] == len(doc.tokens)
