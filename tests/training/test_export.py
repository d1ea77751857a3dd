"""The model folder: what is in it, that ONNX says what torch says, and the card."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.detect.taggers.card import Source, check_files, read_card
from dpdeid.detect.taggers.transformer import (
    ONNX,
    SHIPPED,
    Tagger,
    find_folder,
    load,
    read_spec,
    torch_network,
)
from dpdeid.detect.taggers.transformer_network import TaggerModule, read_tagger
from dpdeid.errors import TrainingError
from dpdeid.training.bases import Origins
from dpdeid.training.export import agreement, in_16_bits, write_model, write_onnx
from dpdeid.training.transformer import Options, Trained, train_transformer
from tests.training import tiny

pytestmark = pytest.mark.model
OPTIONS = Options(epochs=1, batch=4, vary=False)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    base = tiny.base_model(tmp_path_factory.mktemp("base"))
    return train_transformer(str(base), tiny.corpus(), tiny.corpus(), options=OPTIONS)[0]


def write(trained: Trained, out: Path, *, identified: bool = False) -> Path:
    write_model(
        out,
        trained,
        tiny.corpus(),
        origins=Origins((Source("lines", "ours", 4),), identified),
        seeds=(0,),
        spread={"exact F1": (0.5, 0.1)},
        settings=asdict(OPTIONS),
        keep_torch=True,
    )
    return out


def test_the_folder_can_be_loaded_and_says_what_torch_says(
    trained: Trained, tmp_path: Path
) -> None:
    out = write(trained, tmp_path / "m")
    reference = Tagger(trained.spec, trained.tokenizer, torch_network(trained.module))
    assert agreement(reference, load(out), [doc for doc, _ in tiny.corpus()]) > 0.9
    again = Tagger(
        read_spec(out),
        trained.tokenizer,
        torch_network(read_tagger(out, trained.spec.width, len(trained.spec.tags))),
    )
    for doc, _ in tiny.corpus():
        assert (again.scores(doc) == reference.scores(doc)).all()


def test_no_processor_saturates(trained: Trained, tmp_path: Path) -> None:
    """Pairs of signed 8-bit products overflow 16 bits where there is no VNNI; ours never do."""
    import onnx
    from onnx import numpy_helper

    write_onnx(tmp_path / "m.onnx", trained, [doc for doc, _ in tiny.corpus()])
    for path in (tmp_path / "m.onnx", find_folder(SHIPPED) / ONNX):
        graph = onnx.load(path).graph
        stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        products = [node for node in graph.node if node.op_type == "MatMulInteger"]
        assert products
        for node in products:
            weights, zero = stored[node.input[1]], stored[node.input[3]]
            limited = weights.dtype == np.int8 and (weights == in_16_bits(weights)).all()
            assert (limited and not zero.any()) or weights.dtype == np.uint8
    assert weights.dtype == np.int8, "the shipped one is the quicker"


@given(st.lists(st.lists(st.integers(-128, 127), min_size=3, max_size=3), min_size=1, max_size=7))
@example([[127, -127, 100], [127, -127, -100]])
def test_two_products_add_up_in_16_bits(rows: list[list[int]]) -> None:
    weights = np.array(rows)
    limited = in_16_bits(weights).astype(int)
    pairs = limited[: len(rows) // 2 * 2].reshape(-1, 2, 3)
    sums = [one * pairs[:, 0] + other * pairs[:, 1] for one in (0, 255) for other in (0, 255)]
    assert all((s >= -(2**15)).all() and (s < 2**15).all() for s in sums)
    before = np.clip(weights, -127, 127)[: len(rows) // 2 * 2].reshape(-1, 2, 3)
    fits = np.abs(before.sum(1, keepdims=True)) <= 128
    assert (pairs == before)[np.broadcast_to(fits, pairs.shape)].all()
    assert (pairs * before >= 0).all()


@pytest.mark.parametrize("identified", [True, False])
def test_the_card_says_what_it_was_trained_on(
    trained: Trained, tmp_path: Path, identified: bool
) -> None:
    out = write(trained, tmp_path / "m", identified=identified)
    card = read_card(out)
    check_files(out, card)
    assert card.trained_on_identified is identified
    assert card.kind == "transformer"
    assert card.data == (Source("lines", "ours", 4),)
    assert card.scores["held out/exact F1, sd of seeds"] == 0.1
    assert 0 <= card.scores["held out/tags kept by 8 bits"] <= 1
    text = (out / "README.md").read_text(encoding="utf-8")
    assert ("keep it inside" in text) is identified
    assert "| lines | ours | 4 |" in text


def test_a_graph_that_says_something_else_is_refused(
    trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from dpdeid.training import export

    other = TaggerModule(
        trained.module.encoder, classes=trained.spec.width, tags=len(trained.spec.tags)
    )
    torch.nn.init.normal_(other.out.weight)
    trace = export._trace
    monkeypatch.setattr(export, "_trace", lambda path, _, classes: trace(path, other, classes))
    with pytest.raises(TrainingError, match="ONNX scores differ from torch's"):
        write_onnx(tmp_path / "model.onnx", trained, [doc for doc, _ in tiny.corpus()])
    assert not (tmp_path / "model.onnx").exists()
