"""The transformer detector on a tiny random model: contract, seams, torch and ONNX, bad folders."""

from __future__ import annotations

import logging
import pickle
import shutil
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

pytest.importorskip("torch", reason="needs the extra transformers")

import numpy as np

from dpdeid.detect.taggers.card import digests, read_card, write_card
from dpdeid.detect.taggers.sequences import bio_tags
from dpdeid.detect.taggers.transformer import Tagger, TaggerSpec, Transformer, load, read_spec
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError
from dpdeid.labels import Label
from dpdeid.protocols import Detector
from dpdeid.testing.strategies import texts
from dpdeid.training.bases import train_pieces
from tests.training import tiny

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.tagger(tmp_path_factory.mktemp("model"))


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def sign(folder: Path) -> None:
    """Writes the card anew, for files that were changed or taken away on purpose."""
    card = read_card(folder)
    left = [name for name in card.files if (folder / name).exists()]
    write_card(folder, replace(card, files=digests(folder, left)))


class TestContract:
    def test_it_is_a_detector(self, folder: Path) -> None:
        detector = Transformer(str(folder))
        assert isinstance(detector, Detector)
        assert pickle.loads(pickle.dumps(detector)) == detector

    def test_spans_lie_in_the_text_and_name_their_source(self, folder: Path) -> None:
        for doc, _ in tiny.corpus():
            for span in Transformer(str(folder))(doc):
                assert span.end <= len(doc.text)
                assert span.source == "transformer"
                assert 0 < span.score <= 1

    def test_it_survives_any_text(self, folder: Path) -> None:
        detector = Transformer(str(folder))

        @given(texts())
        def survives(text: str) -> None:
            for span in detector(Document("n", text)):
                assert span.end <= len(text)

        survives()

    def test_it_learned_its_notes(self, folder: Path) -> None:
        found = [
            (span.start, span.end, span.label)
            for doc, _ in tiny.corpus()
            for span in Transformer(str(folder))(doc)
        ]
        gold = [(s.start, s.end, s.label) for _, spans in tiny.corpus() for s in spans]
        assert len(set(found) & set(gold)) > len(gold) / 2


def test_no_span_is_lost_at_a_seam() -> None:
    """A network that sees names by their pieces finds each one, wherever the windows are cut."""
    tokenizer = train_pieces(tiny.texts(), size=160)
    spec = TaggerSpec(tags=bio_tags((Label.LAST_NAME,)), room=23, words=11, overlap=4)
    name = "Kerdoncuff Ollivaux"
    first, *rest = tokenizer.encode(name, add_special_tokens=False).ids
    assert len(rest) > 1

    def network(ids: Any, classes: Any) -> Any:
        scores = np.zeros((1, ids.shape[1], 3), np.float32)
        scores[..., 0] = 1
        scores[0, ids[0] == first, 1] = 9
        second = tokenizer.encode("Ollivaux", add_special_tokens=False).ids[0]
        scores[0, ids[0] == second, 2] = 9
        return scores

    tagger = Tagger(spec, tokenizer, network)
    for before in range(40):
        text = "vue le " * before + name + " vue le" * 30
        (span,) = tagger.tag(Document("n", text))
        assert text[span.start : span.end] == name


def test_scores_are_log_probabilities(folder: Path) -> None:
    scores = load(folder).scores(tiny.corpus()[0][0])
    assert np.exp(scores).sum(1) == pytest.approx(np.ones(len(scores)), abs=1e-4)


def test_torch_and_onnx_agree(folder: Path, copied: Path) -> None:
    (copied / "model.onnx").unlink()
    sign(copied)
    small, full = load(folder), load(copied)
    for doc, _ in tiny.corpus():
        # 8-bit weights move scores a little; the 32-bit graph is compared when it is written
        assert np.abs(np.exp(small.scores(doc)) - np.exp(full.scores(doc))).max() < 0.02
        assert places(small.tag(doc)) == places(full.tag(doc))


def places(spans: Iterable[Span]) -> list[tuple[int, int, Label]]:
    return [(span.start, span.end, span.label) for span in spans]


def test_recall_first_finds_no_less(folder: Path, copied: Path) -> None:
    spec = read_spec(folder)
    offsets = {str(label): 60.0 for label in spec.labels}
    (copied / "tagger.json").write_text(replace(spec, recall=offsets).to_json())
    sign(copied)
    plain = covered = 0
    for doc, _ in tiny.corpus():
        plain += sum(map(len, Transformer(str(copied))(doc)))
        covered += sum(map(len, Transformer(str(copied), recall_first=True)(doc)))
    assert covered > plain


class TestBadFolders:
    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("tagger.json", r"tagger\.json"),
            ("tokenizer.json", r"tokenizer\.json is missing: only a fast tokenizer gives offsets"),
            ("card.json", r"has no card"),
        ],
    )
    def test_a_missing_file_is_named(self, copied: Path, name: str, said: str) -> None:
        (copied / name).unlink()
        with pytest.raises(ModelError, match=said):
            load(copied)

    def test_no_network_at_all(self, copied: Path) -> None:
        (copied / "model.onnx").unlink()
        (copied / "model.safetensors").unlink()
        sign(copied)
        with pytest.raises(ModelError, match=r"neither model\.onnx nor model\.safetensors"):
            load(copied)

    def test_a_file_that_is_not_of_the_card_is_refused(self, copied: Path) -> None:
        data = bytearray((copied / "model.onnx").read_bytes())
        data[len(data) // 2] ^= 1
        (copied / "model.onnx").write_bytes(data)
        with pytest.raises(ModelError, match=r"model\.onnx is damaged or not the one of its card"):
            load(copied)

    @pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "tagger.json", "card.json"])
    @pytest.mark.parametrize("damage", [b"", b"\x00\x01garbage"])
    def test_a_damaged_file_is_named(self, copied: Path, name: str, damage: bytes) -> None:
        (copied / name).write_bytes(damage)
        if name != "card.json":
            sign(copied)
        with pytest.raises(ModelError, match=name.replace(".", r"\.")):
            load(copied)

    def test_a_cut_off_network_is_named(self, copied: Path) -> None:
        data = (copied / "model.onnx").read_bytes()
        (copied / "model.onnx").write_bytes(data[: len(data) // 2])
        sign(copied)
        with pytest.raises(ModelError, match=r"model\.onnx is damaged"):
            load(copied)

    @pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
    def test_damaged_torch_files_are_named(self, copied: Path, name: str) -> None:
        (copied / "model.onnx").unlink()
        (copied / name).write_bytes(b"{")
        sign(copied)
        with pytest.raises(ModelError, match=name.replace(".", r"\.")):
            load(copied)

    def test_tags_that_the_network_does_not_give(self, copied: Path) -> None:
        spec = replace(read_spec(copied), tags=bio_tags((Label.CITY,)), recall={})
        (copied / "tagger.json").write_text(spec.to_json())
        sign(copied)
        with pytest.raises(ModelError, match=r"model\.onnx does not give 3 tags"):
            load(copied)

    def test_without_onnxruntime_it_says_what_to_install(
        self, copied: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        with pytest.raises(ModelError, match="pip install onnxruntime tokenizers"):
            load(copied)


def test_a_model_of_identified_notes_is_logged(
    copied: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        load(copied)
    assert not caplog.records
    write_card(copied, replace(read_card(copied), trained_on_identified=True))
    with caplog.at_level(logging.WARNING):
        load(copied)
    assert "trained on identified notes" in caplog.text
