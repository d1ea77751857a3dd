"""Training of the tagger: what it learns, keeps and refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.errors import TrainingError  # noqa: E402
from dpdeid.labels import Label  # noqa: E402
from dpdeid.privacy.rng import Stream  # noqa: E402
from dpdeid.training.calibration import worth  # noqa: E402
from dpdeid.training.transformer import (  # noqa: E402
    Options,
    Trained,
    _mean,
    batches,
    collate,
    cut_windows,
    train_transformer,
)
from tests.training import tiny  # noqa: E402

pytestmark = pytest.mark.model
QUICK = Options(epochs=25, patience=25, rate=5e-3, head_rate=1e-2, batch=4, vary=False)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny.base_model(tmp_path_factory.mktemp("base")))


@pytest.mark.parametrize("crf", [False, True])
def test_it_learns_a_handful_of_notes(base: str, crf: bool) -> None:
    best, spread = train_transformer(
        base, tiny.corpus(4), tiny.corpus(), seeds=(0,), options=replace(QUICK, crf=crf)
    )
    assert best.scores["exact F1"] > 0.6
    assert spread["exact F1"] == (best.scores["exact F1"], 0.0)
    assert bool(best.spec.steps) == crf
    assert set(best.spec.labels) == {s.label for _, spans in tiny.corpus() for s in spans}
    assert best.spec.temperature > 0
    assert set(best.spec.recall) == set(best.spec.labels)
    assert best.spec.room == 64 - 2


@pytest.mark.parametrize("crf", [False, True])
def test_the_best_of_several_seeds_and_of_their_mean_is_kept(base: str, crf: bool) -> None:
    quick = Options(epochs=4, rate=5e-3, head_rate=1e-2, batch=4, vary=False, crf=crf)

    def trained(*seeds: int) -> tuple[Trained, dict[str, tuple[float, float]]]:
        return train_transformer(base, tiny.corpus(4), tiny.corpus(), seeds=seeds, options=quick)

    best, spread = trained(0, 1)
    alone = [trained(seed)[0] for seed in (0, 1)]
    assert spread["exact F1"][0] == pytest.approx(sum(s.scores["exact F1"] for s in alone) / 2)
    mean = _mean(alone, tiny.corpus(), quick)
    assert mean.seeds == (0, 1)
    assert worth(best.scores) == max(worth(run.scores) for run in (*alone, mean))
    for kept, one, other in zip(*(run.module.parameters() for run in (mean, *alone)), strict=True):
        assert torch.allclose(kept, (one + other) / 2, atol=1e-6)


def test_the_mean_of_a_tagger_and_itself_is_that_tagger(base: str) -> None:
    quick = replace(QUICK, epochs=4, crf=True)
    run, _ = train_transformer(base, tiny.corpus(4), tiny.corpus(), options=quick)
    mean = _mean([run, replace(run, seeds=(1,))], tiny.corpus(), quick)
    assert mean.scores == run.scores
    assert mean.spec == run.spec
    assert mean.seeds == (0, 1)


def test_a_seed_gives_the_same_tagger(base: str) -> None:
    quick = Options(epochs=2, batch=4)
    one, other = (
        train_transformer(base, tiny.corpus(2), tiny.corpus(), options=quick)[0] for _ in range(2)
    )
    for a, b in zip(one.module.parameters(), other.module.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_base_without_safe_weights_is_refused(base: str, tmp_path: Path) -> None:
    import shutil

    folder = Path(shutil.copytree(base, tmp_path / "base"))
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(TrainingError, match=r"no encoder with safetensors weights .*pickled"):
        train_transformer(str(folder), tiny.corpus(), tiny.corpus())


def test_windows_hold_the_tags_of_their_tokens() -> None:
    from dpdeid.detect.taggers.sequences import bio_tags
    from dpdeid.detect.taggers.transformer import TaggerSpec
    from dpdeid.training.bases import train_pieces

    tokenizer = train_pieces(tiny.texts(), size=160)
    spec = TaggerSpec(
        tags=bio_tags((Label.LAST_NAME,)), prefix=(2,), suffix=(3,), room=8, words=4, overlap=1
    )
    note = tiny.corpus()[0]
    every = list(cut_windows(note, spec, tokenizer))
    assert len(every) > 2
    for window in every:
        assert len(window.ids) <= 10
        assert window.ids[0] == 2
        assert window.ids[-1] == 3
        assert window.first.min() >= 1
        assert window.first.max() < len(window.ids) - 1
    assert sum(int((w.tags == 1).sum()) for w in every) >= 1
    batch = collate(every[:3], pad=0)
    assert (batch.mask.sum(1) == torch.tensor([len(w.ids) for w in every[:3]])).all()
    assert (batch.ids[batch.mask == 0] == 0).all()
    assert batch.real.sum() == sum(len(w.tags) for w in every[:3])
    seen = sum(len(b.ids) for b in batches(every, 2, Stream(b"x"), pad=0))
    assert seen == len(every)
