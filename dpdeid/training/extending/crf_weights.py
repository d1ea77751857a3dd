"""The weights of a CRF file as matrices, and a file of such matrices.

CRFsuite can neither begin from given weights nor be given any. But its file has every weight as a
number at a known place, and its trainer keeps each feature that it saw: so a trainer that is shown
each wanted feature once makes a file, in which the weights are then written over.
"""

from __future__ import annotations

import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpdeid.detect.taggers.crf import crfsuite
from dpdeid.errors import TrainingError

Array = np.ndarray[Any, np.dtype[Any]]

_FEATURES_AT: Final = 28
"""Where the header of a file says where its features begin."""
_RECORDS: Final = 12
"""Bytes before the first of them; the last four say how many there are."""
_RECORD: Final = np.dtype([("kind", "<u4"), ("of", "<u4"), ("to", "<u4"), ("weight", "<f8")])
_STATE: Final = 0


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a linear chain; 0 where a feature has none.

    Args:
        attributes, tags: names of the A rows and the K columns.
        state: (A, K), of a tag where an attribute stands.
        steps: (K, K), of a step from one tag to the next.
    """

    attributes: tuple[str, ...]
    tags: tuple[str, ...]
    state: Array
    steps: Array


def read_weights(data: bytes) -> Weights:
    """The weights of a CRFsuite file, which is sound."""
    attributes, tags = _names(data)
    state = np.zeros((len(attributes), len(tags)))
    steps = np.zeros((len(tags), len(tags)))
    for matrix, found in zip((state, steps), _by_kind(_records(data)), strict=True):
        matrix[found["of"], found["to"]] = found["weight"]
    return Weights(attributes, tags, state, steps)


def write_weights(weights: Weights) -> bytes:
    """A CRFsuite file with these weights.

    Raises:
        TrainingError: the trainer left out a feature.
    """
    data = bytearray(_file_of(weights))
    attributes, tags = _names(bytes(data))
    rows = {name: at for at, name in enumerate(weights.attributes)}
    columns = {name: at for at, name in enumerate(weights.tags)}
    row = np.array([rows[name] for name in attributes], np.intp)
    column = np.array([columns[name] for name in tags], np.intp)
    records = _records(data)
    if len(records) != sum(np.count_nonzero(part) for part in (weights.state, weights.steps)):
        raise TrainingError("python-crfsuite left out features of the model: is it of version 0.9?")
    state = records["kind"] == _STATE
    of, to = records["of"], column[records["to"]]
    records["weight"][state] = weights.state[row[of[state]], to[state]]
    records["weight"][~state] = weights.steps[column[of[~state]], to[~state]]
    return bytes(data)


def _file_of(weights: Weights) -> bytes:
    """A file with the wanted features under other weights.

    An attribute weighs differently under each tag: with equal ones the first step of the trainer
    might leave the weight of a feature at 0, and the feature out.
    """
    trainer = crfsuite().Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0, "c2": 1e-3, "feature.minfreq": 0, "max_iterations": 1})
    for at, tag in enumerate(weights.tags):
        rows = np.flatnonzero(weights.state[:, at])
        item = {weights.attributes[row]: 1 + np.sqrt(at) for row in rows}
        trainer.append([item], [tag])
    for start, end in np.argwhere(weights.steps):
        trainer.append([[], []], [weights.tags[start], weights.tags[end]])
    with tempfile.TemporaryDirectory() as folder:  # CRFsuite writes to a name
        path = Path(folder) / "model"
        trainer.train(str(path))
        return path.read_bytes()


def _names(data: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Attributes and tags by their numbers."""
    tagger = crfsuite().Tagger()
    tagger.open_inmemory(data)
    known = tagger.info()
    attributes, tags = (
        tuple(sorted(names, key=lambda name: int(names[name])))
        for names in (known.attributes, known.labels)
    )
    return attributes, tags


def _records(data: bytes | bytearray) -> Array:
    """The features of a file: a view, which writes into a bytearray."""
    (begin,) = struct.unpack_from("<I", data, _FEATURES_AT)
    (count,) = struct.unpack_from("<I", data, begin + _RECORDS - 4)
    return np.frombuffer(data, _RECORD, count, begin + _RECORDS)


def _by_kind(records: Array) -> tuple[Array, Array]:
    state = records["kind"] == _STATE
    return records[state], records[~state]
