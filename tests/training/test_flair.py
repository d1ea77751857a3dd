"""Training of the bi-LSTM: what it learns, keeps, writes and refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the extra flair")
pytest.importorskip("flair", reason="needs the extra flair")

from dpdeid.detect.taggers.card import Source, read_card  # noqa: E402
from dpdeid.detect.taggers.flair import load, read_plan  # noqa: E402
from dpdeid.detect.taggers.sequences import UNKNOWN  # noqa: E402
from dpdeid.document import Document  # noqa: E402
from dpdeid.errors import TrainingError  # noqa: E402
from dpdeid.labels import Label  # noqa: E402
from dpdeid.testing import marked  # noqa: E402
from dpdeid.training.bases import Origins  # noqa: E402
from dpdeid.training.calibration import figures, worth  # noqa: E402
from dpdeid.training.flair import Options, cut_windows, plan_of, train_flair, write_model  # noqa: E402
from tests.training import tiny  # noqa: E402

pytestmark = pytest.mark.model
QUICK = Options(epochs=2, batch=4, embedding=8, hidden=8, rarest=1)


def test_the_plan_is_that_of_the_notes() -> None:
    lines = ["vue le «DATE:12/03/2021»", "vue le «DATE:7/3/22»", "vue à «CITY:Brest»"]
    notes = [(Document(line, text), spans) for line in lines for text, spans in [marked(line)]]
    plan = plan_of(notes, Options(layers=2, crf=True))
    assert plan.labels == tuple(label for label in Label if label in (Label.DATE, Label.CITY))
    assert plan.vocabulary[: len(UNKNOWN)] == UNKNOWN
    assert {"vue", "le"} <= set(plan.vocabulary)
    assert not {"Brest", "12"} & set(plan.vocabulary)
    assert (plan.layers, plan.crf, plan.embedding, plan.hidden) == (2, True, 128, 64)
    assert "Brest" in plan_of(notes, Options(rarest=1)).vocabulary


def test_windows_hold_the_tags_of_their_tokens() -> None:
    text, spans = marked("vue le «DATE:12/03/2021»")
    plan = replace(plan_of([(Document("n", text), spans)], QUICK), words=4, overlap=2)
    date, inside = plan.tags.index("B-DATE"), plan.tags.index("I-DATE")
    every = [
        (ids.tolist(), tags.tolist())
        for ids, tags in cut_windows([(Document("n", text), spans)], plan)
    ]
    assert len(every) > 1
    words = [[plan.vocabulary[number] for number in ids] for ids, _ in every]
    assert words[0] == ["vue", "le", "00", "/"]
    assert every[0][1] == [0, 0, date, inside]
    assert every[-1][1][0] == date  # though the span began before the window
    assert all(len(ids) == len(tags) <= 4 for ids, tags in every)


def test_a_seed_gives_the_same_network_and_another_gives_another() -> None:
    one, same, other = (
        train_flair(tiny.corpus(2), tiny.corpus(), seeds=(seed,), options=QUICK)[0].network
        for seed in (0, 0, 1)
    )
    pairs = list(zip(one.parameters(), same.parameters(), strict=True))
    assert all(torch.equal(a, b) for a, b in pairs)
    assert not all(
        torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True)
    )


def test_the_best_of_several_seeds_is_kept() -> None:
    options = Options(epochs=6, rate=2e-2, batch=4, embedding=8, hidden=8, rarest=1, vary=False)
    best, spread = train_flair(tiny.corpus(4), tiny.corpus(), seeds=(0, 1, 2), options=options)
    means = {figure: spread[figure][0] for figure in ("exact F1", "direct redacted")}
    assert sum(deviation for _, deviation in spread.values() if deviation == deviation) > 0
    assert worth(best.scores) >= worth(means)
    assert best.seed in (0, 1, 2)


def test_it_stops_early_and_keeps_its_best_weights() -> None:
    """At such a rate the passes after the best are worse."""
    options = Options(epochs=30, patience=2, rate=0.3, batch=4, embedding=8, hidden=8, vary=False)
    best, _ = train_flair(tiny.corpus(2), tiny.corpus(), options=options)
    from dpdeid.detect.taggers.flair import tagger_of

    again = figures(tagger_of(best.plan, best.network), tiny.corpus())
    assert again == pytest.approx(best.scores, nan_ok=True)


@pytest.mark.parametrize("crf", [False, True])
def test_what_is_written_is_what_was_trained(tmp_path: Path, crf: bool) -> None:
    options = Options(
        crf=crf, epochs=4, rate=2e-2, batch=4, embedding=8, hidden=8, rarest=1, vary=False
    )
    best, spread = train_flair(tiny.corpus(4), tiny.corpus(), options=options)
    data = (Source("wards", "own", 16),)
    card = write_model(
        tmp_path / "m",
        best,
        origins=Origins(data, True),
        seeds=(0,),
        spread=spread,
        options=options,
    )
    assert read_card(tmp_path / "m") == card
    assert card.kind == "flair"
    assert card.trained_on_identified
    assert (card.data, card.seeds, card.settings["crf"]) == (data, (0,), crf)
    assert set(card.files) == {"plan.json", "model.safetensors"}
    assert "keep it inside" in (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert read_plan(tmp_path / "m") == best.plan
    scores = figures(load(tmp_path / "m"), tiny.corpus())
    assert scores == pytest.approx(best.scores, nan_ok=True)


def test_our_loss_of_a_crf_is_flair_s_own() -> None:
    from dpdeid.detect.taggers.flair_network import build, emissions, set_head
    from dpdeid.training.fitting import CrfLayer

    torch.manual_seed(0)
    plan = plan_of(tiny.corpus(), Options(crf=True, embedding=8, hidden=8))
    network, count = build(plan), len(plan.tags)
    crf = CrfLayer(torch.zeros(count), torch.zeros(count, count))
    for parameter in crf.parameters():
        torch.nn.init.normal_(parameter)
    set_head(network, crf.start.detach(), crf.steps.detach())
    ids = torch.randint(len(plan.vocabulary), (2, 9))
    tags = torch.randint(count, (2, 9))
    lengths = torch.tensor([9, 6])
    real = torch.arange(9) < lengths[:, None]
    ours = crf(emissions(network, ids, lengths), tags, real)
    scores = network(network.embeddings.embedding_layer(ids), lengths)
    theirs = network.loss_function(scores, tags[real]) / 15
    assert ours.item() == pytest.approx(theirs.item(), abs=1e-4)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    best, spread = train_flair(tiny.corpus(), tiny.corpus(), options=QUICK)
    (tmp_path / "m").write_text("a file")
    with pytest.raises(TrainingError, match="cannot write the model"):
        write_model(
            tmp_path / "m",
            best,
            origins=Origins(),
            seeds=(0,),
            spread=spread,
            options=QUICK,
        )
