"""Annotated notes as padded batches of windows, the way the detector will read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from dpdeid.detect.alignment import class_rows, cut
from dpdeid.detect.tagger_files import TaggerSpec
from dpdeid.detect.windows import sentence_starts, windows
from dpdeid.document import Span
from dpdeid.privacy.rng import Stream
from dpdeid.tags import encode
from dpdeid.training.corpus import Note

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Window:
    """One window: ids (T,), classes (T, C), and of its N tokens the first piece and the tag."""

    ids: Tensor
    classes: Tensor
    first: Tensor
    tags: Tensor


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded windows: ids and mask (B, T), classes (B, T, C), first, tags and real (B, N)."""

    ids: Tensor
    classes: Tensor
    mask: Tensor
    first: Tensor
    tags: Tensor
    real: Tensor


def cut_windows(
    note: Note, spec: TaggerSpec, tokenizer: Tokenizer, rules: Sequence[Span] = ()
) -> Iterator[Window]:
    """The windows of one note. `rules` is what the tagger is told of the rules' proposals."""
    doc, spans = note
    tokens = doc.tokens
    pieces = cut(doc.text, tokens, tokenizer)
    rows = torch.zeros(len(pieces.ids), 0)
    if spec.classes:
        rows = torch.from_numpy(class_rows(doc, rules, pieces))
    number = {tag: index for index, tag in enumerate(spec.tags)}
    # a label that the tagger does not have is outside to it
    tags = torch.tensor([number.get(tag, 0) for tag in encode(spans, tokens)])
    first, silent = torch.from_numpy(pieces.first), torch.from_numpy(pieces.silent)
    ids = torch.from_numpy(pieces.ids)
    prefix, suffix = torch.tensor(spec.prefix).long(), torch.tensor(spec.suffix).long()
    for window in windows(
        sentence_starts(tokens, doc.text),
        pieces.sizes(),
        words=spec.words,
        room=spec.room,
        overlap=spec.overlap,
    ):
        begin = int(first[window.start]) if window.start else 0
        end = min(int(first[window.end]), begin + spec.room)
        inside = slice(window.start, window.end)
        seen = ~silent[inside] & (first[:-1][inside] < end)
        if seen.any():
            around = (0, 0, len(prefix), len(suffix))
            yield Window(
                torch.cat((prefix, ids[begin:end], suffix)),
                torch.nn.functional.pad(rows[begin:end], around),
                first[:-1][inside][seen] - begin + len(prefix),
                tags[inside][seen],
            )


def batches(every: Sequence[Window], size: int, draws: Stream, *, pad: int) -> Iterator[Batch]:
    """All windows in random order, about equally long ones together."""
    shuffled = draws.shuffled(every)
    chunk = 16 * size
    groups = []
    for start in range(0, len(shuffled), chunk):
        alike = sorted(shuffled[start : start + chunk], key=lambda w: len(w.ids))
        groups += [alike[at : at + size] for at in range(0, len(alike), size)]
    for group in draws.shuffled(groups):
        yield collate(group, pad=pad)


def collate(group: Sequence[Window], *, pad: int) -> Batch:
    """One batch of some windows."""

    def padded(rows: list[Tensor], value: float) -> Tensor:
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=value)

    return Batch(
        padded([w.ids for w in group], pad),
        padded([w.classes for w in group], 0),
        padded([torch.ones_like(w.ids) for w in group], 0),
        padded([w.first for w in group], 0),
        padded([w.tags for w in group], 0),
        padded([torch.ones_like(w.tags) for w in group], 0).bool(),
    )
