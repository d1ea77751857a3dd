"""Language models from nothing and continued: masking, schedule, checkpoints, resuming."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.errors import TrainingError  # noqa: E402
from dpdeid.training.language_model import LOG, Plan, pretrain  # noqa: E402
from dpdeid.training.small_model import Small  # noqa: E402
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


def test_a_checkpoint_is_an_encoder_that_others_can_load(tmp_path: Path) -> None:
    from transformers import AutoModel

    done = pretrain(tiny.texts(), out=tmp_path, small=SMALL, plan=QUICK)
    assert done.steps > 0
    assert done.tokens == done.steps * 64
    model = AutoModel.from_pretrained(tmp_path, use_safetensors=True, add_pooling_layer=False)
    assert model.config.hidden_size == 16
    assert not list(tmp_path.glob("*.bin"))
    assert not list(tmp_path.glob("*.pt"))


def test_it_learns_logs_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that ticks at each look, so that a busy machine learns as much."""
    clock = SimpleNamespace(monotonic=count(0, 0.01).__next__)
    monkeypatch.setattr("dpdeid.training.language_model.time", clock)
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
