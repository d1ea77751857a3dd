"""Language models from nothing and continued: masking, schedule, checkpoints, resuming."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.errors import TrainingError  # noqa: E402
from dpdeid.training.mlm import LOG, Packed, Plan, Small, pretrain  # noqa: E402
from dpdeid.training.pieces import train_pieces  # noqa: E402
from tests.training import tiny  # noqa: E402

pytestmark = pytest.mark.model
SMALL = Small(pieces=160, layers=1, hidden=16, heads=2, inner=32, positions=48)
QUICK = Plan(minutes=0.02, rate=5e-3, length=16, batch=4)


@given(st.floats(0.5, 200), st.floats(0, 2))
def test_the_rate_rises_and_falls_to_zero(minutes: float, share: float) -> None:
    plan = Plan(minutes=minutes, rate=1e-3, warm=0.1)
    assert 0 <= plan.rate_at(share * 60 * minutes) <= 1e-3
    assert plan.rate_at(6 * minutes) == pytest.approx(1e-3)
    assert plan.rate_at(3 * minutes) == pytest.approx(5e-4)
    assert plan.rate_at(60 * minutes) == 0


@pytest.fixture(scope="module")
def data() -> Packed:
    return Packed.of(tiny.texts(), train_pieces(tiny.texts(), size=160), 16)


class TestMasking:
    def test_whole_words_are_masked_and_the_share_is_kept(self, data: Packed) -> None:
        plan = replace(QUICK, masked=0.3)
        wanted = pieces = 0
        rows = data.batches(plan, 0)
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

    def test_what_is_not_asked_is_shown_as_it_is(self, data: Packed) -> None:
        ids, targets = next(data.batches(QUICK, 0))
        order = torch.randperm(len(data.ids), generator=torch.Generator().manual_seed(0))
        real = data.ids[order[:4]].long()
        asked = targets != -100
        assert (ids[~asked] == real[~asked]).all()
        assert (targets[asked] == real[asked]).all()
        assert (ids[asked] == data.mask).float().mean() > 0.5

    def test_a_step_is_the_same_after_a_resumption(self, data: Packed) -> None:
        rows = data.batches(QUICK, 0)
        for _ in range(3):
            next(rows)
        for whole, resumed in zip(next(rows), next(data.batches(QUICK, 3)), strict=True):
            assert (whole == resumed).all()

    def test_too_little_text_is_refused(self) -> None:
        with pytest.raises(TrainingError, match=r"too little text: \d+ pieces, 512 needed"):
            Packed.of(["vue"], train_pieces(tiny.texts(), size=160), 512)

    def test_a_tokenizer_without_a_mask_is_refused(self) -> None:
        from tokenizers import Tokenizer, models

        with pytest.raises(TrainingError, match="no mask piece"):
            Packed.of(["vue"], Tokenizer(models.BPE()), 4)


def test_a_checkpoint_is_an_encoder_that_others_can_load(tmp_path: Path) -> None:
    from transformers import AutoModel

    done = pretrain(tiny.texts(), out=tmp_path, small=SMALL, plan=QUICK)
    assert done.steps > 0
    assert done.tokens == done.steps * 64
    model = AutoModel.from_pretrained(tmp_path, use_safetensors=True, add_pooling_layer=False)
    assert model.config.hidden_size == 16
    assert not list(tmp_path.glob("*.bin"))
    assert not list(tmp_path.glob("*.pt"))


def test_it_learns_logs_and_goes_on(tmp_path: Path) -> None:
    plan = replace(QUICK, minutes=0.05)
    first = pretrain(tiny.texts(), out=tmp_path, small=SMALL, plan=plan)
    rows = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert rows[-1]["loss"] < rows[0]["loss"]
    again = pretrain(tiny.texts(), out=tmp_path, plan=replace(plan, minutes=0.07), resume=True)
    assert again.steps > first.steps
    assert again.seconds > first.seconds
    assert again.loss < rows[0]["loss"]


def test_a_known_model_is_continued_with_its_own_pieces(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    tiny.base_model(base)
    pretrain(tiny.texts(), out=tmp_path / "out", base=str(base), plan=QUICK)
    before, after = ((p / "tokenizer.json").read_text() for p in (base, tmp_path / "out"))
    assert json.loads(before)["model"] == json.loads(after)["model"]


def test_nothing_to_resume_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="nothing to resume"):
        pretrain(tiny.texts(), out=tmp_path, plan=QUICK, resume=True)
