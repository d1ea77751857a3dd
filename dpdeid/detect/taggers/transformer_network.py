"""The network of the transformer tagger in torch: any Hugging Face encoder, word classes, tags.

Needs torch and transformers: imported only where they are at hand (training, and model folders
without an ONNX file).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel

from dpdeid.detect.taggers.sequences import CONFIG, WEIGHTS
from dpdeid.errors import ModelError


class TaggerModule(nn.Module):
    """Scores of tags at every piece.

    Args:
        encoder: a Hugging Face encoder that takes `inputs_embeds`.
        classes: how many word classes are added to the embeddings; 0 for none.
        tags: how many tags.
        dropout: of the encoder's outputs, in [0, 1).
    """

    def __init__(self, encoder: Any, *, classes: int, tags: int, dropout: float = 0.1) -> None:
        super().__init__()
        hidden = encoder.config.hidden_size
        self.encoder = encoder
        self.classes = nn.Linear(classes, hidden, bias=False) if classes else None
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, tags)
        if self.classes is not None:
            nn.init.normal_(self.classes.weight, std=0.02)

    def forward(self, ids: Tensor, classes: Tensor, mask: Tensor | None = None) -> Tensor:
        """Scores (B, T, K) of ids (B, T) and classes (B, T, C); `mask` (B, T) is 0 on padding."""
        if mask is None:  # an encoder that makes its own would fix its length in an exported graph
            mask = torch.ones_like(ids)
        embedded = self.encoder.get_input_embeddings()(ids)  # (B, T, H)
        if self.classes is not None:
            embedded = embedded + self.classes(classes)
        hidden = self.encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        scores: Tensor = self.out(self.dropout(hidden))
        return scores


def without_pooling(make: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The encoder of a factory, without the pooling layer, which tags do not need."""
    try:
        return make(*args, add_pooling_layer=False, **options)
    except TypeError:  # not every encoder has one
        return make(*args, **options)


def write_tagger(folder: Path, module: TaggerModule) -> None:
    """Writes the weights and the shape of the encoder into a model folder."""
    state = {name: tensor.contiguous() for name, tensor in module.state_dict().items()}
    save_file(state, str(folder / WEIGHTS))
    write_config(folder, module)


def write_config(folder: Path, module: TaggerModule) -> None:
    """Writes the shape of the encoder into a model folder: training goes on from it."""
    config = module.encoder.config
    config.architectures = None
    config.to_json_file(str(folder / CONFIG))


def read_tagger(folder: Path, width: int, tags: int) -> TaggerModule:
    """The network of a model folder, set to evaluate. For `width` and `tags` see `TaggerModule`.

    Raises:
        ModelError: its weights or its config are damaged, or do not fit each other.
    """
    try:
        encoder = without_pooling(AutoModel.from_config, AutoConfig.from_pretrained(folder))
        module = TaggerModule(encoder, classes=width, tags=tags)
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(
            f"{folder / CONFIG} is damaged or of an unknown model ({type(error).__name__})"
        ) from None
    try:
        module.load_state_dict(load_file(str(folder / WEIGHTS)))
    except Exception as error:  # torch and safetensors have no common base
        raise ModelError(
            f"{folder / WEIGHTS} is damaged or does not fit {CONFIG} and tagger.json "
            f"({type(error).__name__}); copy the folder again"
        ) from None
    module.eval()
    return module
