"""Extending a transformer: weights out of ONNX, what is learned, what stays, and its card."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra transformers")

import torch

from dpdeid.detect.taggers.card import Source, read_card
from dpdeid.detect.taggers.transformer import (
    SHIPPED,
    Tagger,
    Transformer,
    find_folder,
    load,
    read_spec,
    read_tokenizer,
    torch_network,
)
from dpdeid.document import Document
from dpdeid.errors import TrainingError
from dpdeid.testing import marked
from dpdeid.testing import notes as shipped_notes
from dpdeid.training.bases import Origins
from dpdeid.training.corpus import Note
from dpdeid.training.extending.onnx_weights import read_module
from dpdeid.training.extending.transformer import Options, extend_transformer, extended
from dpdeid.training.transformer import Trained
from tests.training import tiny

pytestmark = pytest.mark.model
QUICK = Options(epochs=10, rate=3e-3, replayed=0, batch=4, vary=False)


def note(name: str, line: str) -> Note:
    text, spans = marked(line)
    return Document(name, text), spans


SITE = [note(str(at), f"Revue le «DATE:{at}nov» par «LAST_NAME:Tassin».") for at in range(1, 7)]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagger that has its weights in ONNX alone."""
    folder = tiny.tagger(tmp_path_factory.mktemp("start"))
    card = read_card(folder)
    (folder / "model.safetensors").unlink()
    kept = {name: of for name, of in card.files.items() if name in ("tagger.json", "model.onnx")}
    (folder / "card.json").write_text(replace(card, files=kept).to_json(), encoding="utf-8")
    return folder


def tagger_of(folder: Path) -> Tagger:
    spec = read_spec(folder)
    return Tagger(spec, read_tokenizer(folder), torch_network(read_module(folder, spec)))


def tags(tagger: Tagger, notes: list[Note]) -> list[list[tuple[int, int, str]]]:
    return [[(s.start, s.end, s.label) for s in tagger.tag(doc)] for doc, _ in notes]


@pytest.mark.parametrize("model", ["tiny", SHIPPED])
def test_what_is_read_from_onnx_tags_as_it_does(start: Path, model: str) -> None:
    folder = start if model == "tiny" else find_folder(SHIPPED)
    notes = list(tiny.corpus()) if model == "tiny" else list(shipped_notes())[:2]
    assert not (folder / "model.safetensors").exists()
    found = tags(tagger_of(folder), notes)
    assert found == tags(load(folder), notes)
    assert any(found)


def test_a_folder_without_the_shape_or_with_another_is_refused(start: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    shutil.copytree(start, folder)
    shape = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(shape | {"num_hidden_layers": 3}))
    with pytest.raises(TrainingError, match=r"m/model\.onnx cannot be read back"):
        read_module(folder, read_spec(folder))
    (folder / "config.json").unlink()
    with pytest.raises(TrainingError, match=r"m has no config\.json"):
        read_module(folder, read_spec(folder))


def test_weights_move_in_a_copy(start: Path) -> None:
    spec = read_spec(start)
    run = Trained(read_module(start, spec), spec, read_tokenizer(start), {}, (0,))
    before = [tensor.clone() for tensor in run.module.parameters()]
    after = list(extended(run, SITE, replace(QUICK, epochs=1)).module.parameters())
    assert all(map(torch.equal, before, run.module.parameters()))
    assert not any(map(torch.equal, before[-2:], after[-2:]))  # of the head


def test_the_site_is_learned_and_the_old_notes_keep_their_tags(start: Path, tmp_path: Path) -> None:
    out, old = tmp_path / "site", list(tiny.corpus())
    before = load(start)
    card, gain = extend_transformer(
        str(start),
        [*SITE[1:], *old],
        out,
        dev=SITE[:1],
        data=Origins((Source("ward.jsonl", "own", 9),), True),
        options=QUICK,
    )
    after = load(out)
    assert tags(after, old) == tags(before, old)
    assert tags(after, SITE[:1]) == [[(s.start, s.end, s.label) for s in SITE[0][1]]]
    assert list(Transformer(model=str(out))(SITE[0][0]))
    assert (gain.notes, gain.extended["recall"]) == (1, 1.0)
    assert gain.pays == (tags(before, SITE[:1]) != tags(after, SITE[:1]))
    assert card == read_card(out)
    assert card.trained_on_identified
    assert card.settings["extends"].startswith("tagger, ")
    assert card.settings["extends/model.onnx"] == read_card(start).files["model.onnx"]
    assert card.scores["the site's notes, extended/recall"] == 1.0
    assert [source.name for source in card.data] == ["ward.jsonl"]


def test_it_can_be_extended_again_and_says_what_was_replayed(start: Path, tmp_path: Path) -> None:
    options = replace(QUICK, epochs=1, replayed=1)
    first, second = tmp_path / "first", tmp_path / "second"
    extend_transformer(str(start), SITE, first, dev=SITE, data=Origins((), True), options=options)
    card, gain = extend_transformer(
        str(first), SITE, second, parts=2, data=Origins(), options=options
    )
    assert card.trained_on_identified  # what it came from was
    assert [source.notes for source in card.data] == [1]
    assert gain.notes == len(SITE)


def test_labels_it_does_not_know_are_refused(start: Path, tmp_path: Path) -> None:
    other = [*SITE, note("x", "salle «ROOM:12 B»")]
    with pytest.raises(TrainingError, match="does not know ROOM"):
        extend_transformer(str(start), other, tmp_path / "m", data=Origins(), options=QUICK)
    assert not (tmp_path / "m").exists()
