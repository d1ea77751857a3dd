"""What is masked: whole words, the asked share, the same again after a resumption."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.errors import TrainingError  # noqa: E402
from dpdeid.training.bases import train_pieces  # noqa: E402
from dpdeid.training.language_model import Packed  # noqa: E402
from tests.training import tiny  # noqa: E402

pytestmark = pytest.mark.model
HOW: dict[str, Any] = {"batch": 4, "masked": 0.2, "seed": 0}


@pytest.fixture(scope="module")
def data() -> Packed:
    return Packed.of(tiny.texts(), train_pieces(tiny.texts(), size=160), 16)


def test_whole_words_are_masked_and_the_share_is_kept(data: Packed) -> None:
    wanted = pieces = 0
    rows = data.batches(0, batch=4, masked=0.3, seed=0)
    order = torch.randperm(len(data.ids), generator=torch.Generator().manual_seed(0))
    for step in range(8):
        _, targets = next(rows)
        words = data.words[order[step * 4 : step * 4 + 4]]
        for row, groups in zip(targets, words, strict=True):
            for word in set(groups.tolist()) - {-1}:
                chosen = row[groups == word] != -100
                assert chosen.all() or not chosen.any()
            assert (row[groups == -1] == -100).all()
        wanted += int((targets != -100).sum())
        pieces += int((words >= 0).sum())
    assert wanted / pieces == pytest.approx(0.3, abs=0.1)


def test_what_is_not_asked_is_shown_as_it_is(data: Packed) -> None:
    ids, targets = next(data.batches(0, **HOW))
    order = torch.randperm(len(data.ids), generator=torch.Generator().manual_seed(0))
    real = data.ids[order[:4]].long()
    asked = targets != -100
    assert (ids[~asked] == real[~asked]).all()
    assert (targets[asked] == real[asked]).all()


def test_most_of_what_is_asked_is_masked(data: Packed) -> None:
    """Four in five (Devlin et al. 2019), over enough batches to tell."""
    masked = asked = 0
    for ids, targets in islice(data.batches(0, **HOW), 40):
        masked += int((ids[targets != -100] == data.mask).sum())
        asked += int((targets != -100).sum())
    assert masked / asked == pytest.approx(0.8, abs=0.1)


def test_a_step_is_the_same_after_a_resumption(data: Packed) -> None:
    rows = data.batches(0, **HOW)
    for _ in range(3):
        next(rows)
    for whole, resumed in zip(next(rows), next(data.batches(3, **HOW)), strict=True):
        assert (whole == resumed).all()


def test_too_little_text_is_refused() -> None:
    with pytest.raises(TrainingError, match=r"too little text: \d+ pieces, 512 needed"):
        Packed.of(["vue"], train_pieces(tiny.texts(), size=160), 512)


def test_a_tokenizer_without_a_mask_is_refused() -> None:
    from tokenizers import Tokenizer, models

    with pytest.raises(TrainingError, match="no mask piece"):
        Packed.of(["vue"], Tokenizer(models.BPE()), 4)
