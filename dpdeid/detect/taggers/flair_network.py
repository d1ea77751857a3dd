"""flair's SequenceTagger, built from a plan: word embeddings, bi-LSTM, tags, perhaps a CRF.

Needs flair and torch: imported only where they are at hand. Nothing is downloaded or unpickled, and
the network is fed with numbers of the vocabulary: no word of a note enters flair.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
from flair.data import Dictionary
from flair.embeddings import OneHotEmbeddings
from flair.models import SequenceTagger
from safetensors.torch import load_file, save_file
from torch import Tensor

from dpdeid.detect.taggers.sequences import PLAN, WEIGHTS, FlairPlan
from dpdeid.errors import ModelError

_own_log: Final = logging.getLogger("flair")
_own_log.handlers.clear()  # it prints to standard output, where `run` writes its rows,
_own_log.propagate = True
_own_log.setLevel(logging.WARNING)  # and below this the vocabulary too


@contextmanager
def one_thread() -> Iterator[None]:
    """Keeps torch to one thread: a small network gains nothing by more and often loses."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def build(plan: FlairPlan, *, dropout: float = 0.0) -> Any:
    """The network of a plan, with random weights.

    Args:
        dropout: of the inputs and the outputs of the LSTM, in [0, 1). Between two layers of it
            flair's is 0.5.
    """
    network = SequenceTagger(
        OneHotEmbeddings(_dictionary(plan.vocabulary), embedding_length=plan.embedding),
        _dictionary(plan.tags),
        "entity",
        tag_format="BIO",
        hidden_size=plan.hidden,
        rnn_layers=plan.layers,
        use_crf=plan.crf,
        reproject_embeddings=False,
        dropout=dropout,
        word_dropout=0.0,
        locked_dropout=0.0,
    )
    return network.to("cpu")


def _dictionary(items: tuple[str, ...]) -> Any:
    found = Dictionary(add_unk=False)
    for item in items:
        found.add_item(item)
    return found


def emissions(network: Any, ids: Tensor, lengths: Tensor) -> Tensor:
    """Scores of the tags at each token, without those of steps between tags: (B, T, K).

    Args:
        ids: (B, T) int64, longest row first; any number where a row has ended.
        lengths: (B,) int64, of the rows; each > 0.
    """
    found = network(network.embeddings.embedding_layer(ids), lengths)
    if not network.use_crf:  # (sum of lengths, K)
        rows: Tensor = torch.nn.utils.rnn.pad_sequence(found.split(lengths.tolist()), True)
        return rows
    both, _, steps = found  # (B, T, to, from), with the steps added
    to = torch.arange(len(steps) - 2)  # the last two tags are start and stop
    likely = steps[:-2].argmax(1)  # what is ruled out would cost the scores their last digits
    scores: Tensor = both[..., to, likely] - steps[to, likely]
    return scores


def head(network: Any) -> tuple[Tensor, Tensor] | None:
    """Scores a CRF learned, of the first tag (K,) and of steps (K, K) from row; None without."""
    if not network.use_crf:
        return None
    steps = network.crf.transitions.detach()  # (to, from)
    return steps[:-2, -2], steps[:-2, :-2].T


def set_head(network: Any, start: Tensor, steps: Tensor) -> None:
    """Writes such scores into the CRF of a network; any tag may be the last."""
    own = network.crf.transitions.detach()
    own[:-2, -2], own[:-2, :-2], own[-1, :-2] = start, steps.T, 0.0


def write_weights(folder: Path, network: Any) -> None:
    """Writes the weights of a network into a model folder."""
    state = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    save_file(state, str(folder / WEIGHTS))


def read_network(folder: Path, plan: FlairPlan) -> Any:
    """The network of a model folder, set to evaluate.

    Raises:
        ModelError: its weights are missing or damaged, or do not fit the plan.
    """
    network = build(plan)
    try:
        network.load_state_dict(load_file(str(folder / WEIGHTS)))
    except Exception as error:  # torch and safetensors have no common base
        raise ModelError(
            f"{folder / WEIGHTS} is missing or damaged, or does not fit {PLAN} "
            f"({type(error).__name__}); copy the folder again"
        ) from None
    network.eval()
    return network
