"""A trained tagger as a model folder: ONNX in 8-bit integers, its specification and its card.

Dynamic quantisation keeps a quarter of the bytes and reads a note in two thirds of the time. Its
weights are signed, and no two neighbours are so large that a processor without VNNI, which adds
their products in 16 bits, would cut the sum (`in_16_bits`). What is written is compared with the
network in torch on held-out notes: 32-bit scores must agree, and the card says what share of the
tags the 8-bit ones keep.
"""

from __future__ import annotations

import datetime as dt
import logging
import shutil
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import torch

from dpdeid.detect.taggers.card import ModelCard, digests, write_card
from dpdeid.detect.taggers.inputs import inputs
from dpdeid.detect.taggers.sequences import CONFIG, WEIGHTS
from dpdeid.detect.taggers.transformer import ONNX, SPEC, TOKENIZER, Tagger, onnx_network
from dpdeid.detect.taggers.transformer_network import TaggerModule, write_config, write_tagger
from dpdeid.errors import TrainingError
from dpdeid.training.bases import Origins
from dpdeid.training.calibration import card_scores
from dpdeid.training.corpus import Note
from dpdeid.training.transformer import Trained

Array = np.ndarray[Any, np.dtype[Any]]

_SAMPLE: Final = 16
"""Pieces of the example that the graph is traced with."""
_CLOSE: Final = 1e-3


def write_model(
    out: Path,
    trained: Trained,
    dev: Sequence[Note],
    *,
    origins: Origins,
    seeds: Sequence[int],
    spread: Mapping[str, tuple[float, float]],
    settings: Mapping[str, str | int | float],
    gained: Mapping[str, float] = MappingProxyType({}),
    keep_torch: bool = False,
) -> ModelCard:
    """Writes the model folder and gives its card.

    Args:
        dev: the held-out notes on which torch and ONNX must agree.
        spread: figure → mean and standard deviation over the seeds.
        settings: how it was trained, for its card.
        gained: further scores for its card.
        keep_torch: write the weights for torch too, to train on.

    Raises:
        TrainingError: the ONNX file does not give torch's scores.
    """
    out.mkdir(parents=True, exist_ok=True)
    trained.module.eval()
    (out / SPEC).write_text(trained.spec.to_json(), encoding="utf-8")
    trained.tokenizer.save(str(out / TOKENIZER), pretty=False)
    kept = write_onnx(out / ONNX, trained, [doc for doc, _ in dev])
    write_config(out, trained.module)
    files = [SPEC, TOKENIZER, ONNX]
    if keep_torch:
        write_tagger(out, trained.module)
        files += [CONFIG, WEIGHTS]
    scores = card_scores(trained.scores, spread)
    return write_card_of(
        out,
        files,
        origins,
        kind="transformer",
        labels=trained.spec.labels,
        seeds=tuple(seeds),
        scores={**scores, **gained, "held out/tags kept by 8 bits": round(kept, 5)},
        settings={**settings, "seeds kept": " ".join(map(str, trained.seeds))},
        inputs=inputs("transformer"),
    )


def write_card_of(out: Path, files: Sequence[str], origins: Origins, **facts: Any) -> ModelCard:
    """Writes the card of a model folder, for programs and for people, and gives it.

    Args:
        files: the names of the model's files, which are there.
        facts: the rest of `ModelCard`, but its name, day and digests.
    """
    card = ModelCard(
        name=out.name,
        data=origins.data,
        trained_on_identified=origins.trained_on_identified,
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        files=digests(out, files),
        **facts,
    )
    write_card(out, card)
    (out / "README.md").write_text(readme(card), encoding="utf-8")
    return card


def write_onnx(path: Path, trained: Trained, docs: Sequence[Any]) -> float:
    """Writes the 8-bit ONNX file; gives the share of tokens whose best tag it keeps.

    Raises:
        TrainingError: already the 32-bit scores differ from torch's.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    spec, tokenizer = trained.spec, trained.tokenizer
    reference = trained.tagger
    with tempfile.TemporaryDirectory() as held:
        full, ready, small = (Path(held) / name for name in ("full", "ready", "small"))
        _trace(full, trained.module, spec.width)
        exact = Tagger(spec, tokenizer, onnx_network(full, spec))
        for doc in docs:
            apart = np.abs(reference.scores(doc) - exact.scores(doc)).max(initial=0.0)
            if apart > _CLOSE:
                raise TrainingError(f"the ONNX scores differ from torch's by up to {apart:.2g}")
        level = logging.root.level
        try:  # the library warns through the root logger
            logging.root.setLevel(logging.ERROR)
            quant_pre_process(str(full), str(ready), skip_symbolic_shape=True)
            quantize_dynamic(str(ready), str(small), weight_type=QuantType.QUInt8)
        finally:
            logging.root.setLevel(level)
        limit_weights(small)
        shutil.copyfile(small, path)
    return agreement(reference, Tagger(spec, tokenizer, onnx_network(path, spec)), docs)


_MOST: Final = (1 << 15) // 255
"""What two weights of one sign may be together: times 255, their sum is in 16 bits."""


_FEW: Final = 0.01


def limit_weights(path: Path) -> None:
    """Makes the unsigned 8-bit weights of an ONNX file signed by `in_16_bits`, quicker; not
    where that would change one in a hundred or more, as in a very small network.
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load(path)
    held = {tensor.name: tensor for tensor in model.graph.initializer}
    changed = total = 0
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            weights, zero = held[node.input[1]], held[node.input[3]]
            middle = numpy_helper.to_array(zero).astype(np.int64)
            whole = numpy_helper.to_array(weights) - middle
            signed = in_16_bits(whole)
            changed, total = changed + int((signed != whole).sum()), total + whole.size
            weights.CopyFrom(numpy_helper.from_array(signed, weights.name))
            zero.CopyFrom(numpy_helper.from_array(np.zeros(middle.shape, np.int8), zero.name))
    if changed < _FEW * total:
        onnx.save(model, path)


def in_16_bits(weights: Array) -> Array:
    """Signed 8-bit weights (K, N), of which the rows 2i and 2i + 1, times two numbers of 0 to 255,
    add up in 16 bits. One pair in a thousand is made smaller, by half of what is over each.

    Args:
        weights: (K, N) whole numbers.
    """
    found = np.clip(weights, -127, 127).astype(np.int64)
    even = len(found) // 2 * 2
    pairs = found[:even].reshape(-1, 2, *found.shape[1:])  # a view
    both = pairs.sum(1)
    over = np.maximum(np.abs(both) - _MOST, 0)
    pairs[:, 0] -= np.sign(both) * (over // 2)
    pairs[:, 1] -= np.sign(both) * (over - over // 2)
    return found.astype(np.int8)


def _trace(path: Path, module: TaggerModule, classes: int) -> None:
    """The graph for one window of any length, without padding."""
    ids = torch.ones(1, _SAMPLE, dtype=torch.int64)
    length = {1: "pieces"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing warns of every shape it takes for constant
        torch.onnx.export(
            module.eval(),
            (ids, torch.zeros(1, _SAMPLE, classes)),
            str(path),
            input_names=["ids", "classes"],
            output_names=["scores"],
            dynamic_axes={"ids": length, "classes": length, "scores": length},
            opset_version=17,
            dynamo=False,
        )


def agreement(reference: Tagger, other: Tagger, docs: Sequence[Any]) -> float:
    """The share of the tokens of some notes for which two taggers have the same best tag."""
    same = [reference.scores(doc).argmax(1) == other.scores(doc).argmax(1) for doc in docs]
    return float(np.concatenate(same).mean()) if same else 1.0


def readme(card: ModelCard) -> str:
    """The card for people, in Markdown."""
    identified = "**yes: keep it inside**" if card.trained_on_identified else "no"
    data = "\n".join(f"| {s.name} | {s.licence} | {s.notes} |" for s in card.data)
    scores = "\n".join(f"| {name} | {value} |" for name, value in card.scores.items())
    settings = ", ".join(f"{key} {value}" for key, value in card.settings.items())
    return (
        f"# {card.name}\n\n"
        f"A {card.kind} tagger for dpdeid, made on {card.date}. "
        f"Trained on identified notes: {identified}.\n\n"
        f"| trained on | licence | notes or texts |\n|---|---|---|\n{data}\n\n"
        f"| score | value |\n|---|---|\n{scores}\n\n"
        f"Seeds: {', '.join(map(str, card.seeds))}. Settings: {settings}.\n\n"
        f"Labels: {', '.join(card.labels)}.\n"
    )
