"""The network of a model folder back in torch, so that training can go on from it.

A folder keeps its weights for torch only where that was asked for. The ONNX file has them all, in
8-bit integers of one scale a matrix: what is read is what the detector runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import AutoConfig, AutoModel

from dpdeid.detect.taggers.sequences import CONFIG, WEIGHTS
from dpdeid.detect.taggers.transformer import ONNX, TaggerSpec
from dpdeid.detect.taggers.transformer_network import TaggerModule, read_tagger, without_pooling
from dpdeid.errors import TrainingError

_PRODUCT: Final = "MatMulInteger"
_TABLE: Final = ".weight_quantized"


def read_module(folder: Path, spec: TaggerSpec) -> TaggerModule:
    """The network of a model folder, of its weights for torch or else of its ONNX file.

    Raises:
        TrainingError: the folder does not say what shape the network has, or the ONNX file holds
            other weights than a network of that shape.
        ModelError: its weights for torch are damaged.
    """
    if not (folder / CONFIG).is_file():
        raise TrainingError(
            f"{folder} has no {CONFIG} with the shape of its network: train it again with "
            "`dpdeid train transformer`, which writes one"
        )
    if (folder / WEIGHTS).is_file():
        return read_tagger(folder, spec.width, len(spec.tags))
    try:
        encoder = without_pooling(AutoModel.from_config, AutoConfig.from_pretrained(folder))
        module = TaggerModule(encoder, classes=spec.width, tags=len(spec.tags))
        state = {name: torch.from_numpy(of) for name, of in _weights(folder / ONNX).items()}
        own = module.state_dict()
        module.load_state_dict({name: of for name, of in state.items() if name in own})
    except Exception as error:  # torch, onnx and protobuf have no common base
        raise TrainingError(
            f"the weights in {folder / ONNX} cannot be read back ({type(error).__name__}): train "
            "the model again with --keep-torch"
        ) from None
    module.eval()
    return module


def _weights(path: Path) -> dict[str, Any]:
    """Name in torch → float32 weights. The exporter names a product after its layer, transposed."""
    model = onnx.load(path)
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}

    def whole(quantized: str) -> Any:
        stem = quantized.removesuffix("_quantized")
        zero = held[f"{stem}_zero_point"].astype(np.int32)
        return (held[quantized].astype(np.int32) - zero) * held[f"{stem}_scale"]

    found = {name: of.copy() for name, of in held.items() if of.dtype == np.float32 and of.ndim}
    found |= {n.removesuffix("_quantized"): whole(n) for n in held if n.endswith(_TABLE)}
    for node in model.graph.node:
        if node.op_type == _PRODUCT and node.input[1] in held:
            layer = node.output[0].strip("/").partition("/MatMul")[0].replace("/", ".")
            found[f"{layer}.weight"] = np.ascontiguousarray(whole(node.input[1]).T)
    return {name: of.astype(np.float32) for name, of in found.items()}
