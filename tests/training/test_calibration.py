"""Temperature and offsets do on their notes what they are chosen for."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra transformers")

import numpy as np

from dpdeid.detect.taggers.sequences import bio_tags
from dpdeid.detect.taggers.transformer import Tagger, TaggerSpec
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.training.bases import train_pieces
from dpdeid.training.calibration import recall_offsets, temperature
from dpdeid.training.corpus import Note
from tests.training import tiny

pytestmark = pytest.mark.model


def tagger(gap: float, sure: float) -> Tagger:
    """Says DATE of "vue" with `gap` against it, and outside of the rest, `sure` of it."""
    tokenizer = train_pieces(tiny.texts(), size=160)
    piece = tokenizer.encode("vu", add_special_tokens=False).ids[0]

    def network(ids: Any, classes: Any) -> Any:
        scores = np.zeros((1, ids.shape[1], 3), np.float32)
        scores[..., 0] = sure
        scores[0, ids[0] == piece] = (gap, 0, -9)
        return scores

    return Tagger(TaggerSpec(tags=bio_tags((Label.DATE,))), tokenizer, network)


def notes(right: int, wrong: int) -> list[Note]:
    """Notes in which "vu" is a date, and others in which it is none."""
    found = Document("a", "le vu"), (Span(3, 5, Label.DATE),)
    return [found] * right + [(Document("b", "le vu"), ())] * wrong


def test_the_temperature_gives_the_share_that_is_right() -> None:
    boastful = tagger(-4.0, 60.0)  # 98 % sure, right in 3 of 4
    found = temperature(boastful, notes(30, 10))
    assert found > 2
    assert 1 / (1 + np.exp(-4.0 / found)) == pytest.approx(0.75, abs=0.07)
    assert temperature(tagger(-np.log(3), 60.0), notes(30, 10)) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(("gap", "offset"), [(1.8, 2.0), (-1.0, 0.0), (40.0, 6.0)])
def test_the_offset_is_the_least_that_reaches_the_target(gap: float, offset: float) -> None:
    assert recall_offsets(tagger(gap, 9.0), notes(10, 5), target=0.9) == {"DATE": offset}


def test_a_label_without_gold_has_no_offset() -> None:
    assert recall_offsets(tagger(1.0, 9.0), notes(0, 5), target=0.9) == {}
