"""Encoders of other families: CamemBERT's and FlauBERT's pieces, positions and layers, all tiny."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the extra transformers")

from dpdeid.detect.taggers.transformer import SHIPPED, load  # noqa: E402
from dpdeid.errors import TrainingError  # noqa: E402
from dpdeid.training.bases import (  # noqa: E402
    Origins,
    fast_tokenizer,
    find_base,
    read_encoder,
    read_language_model,
    read_origins,
)
from dpdeid.training.export import write_model  # noqa: E402
from dpdeid.training.language_model import Plan, pretrain  # noqa: E402
from dpdeid.training.transformer import Options, train_transformer  # noqa: E402
from tests.training import tiny  # noqa: E402

pytestmark = pytest.mark.model
SHAPE = {"num_attention_heads": 2, "vocab_size": 300}


def camembert(folder: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import CamembertConfig, CamembertForMaskedLM

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.UnigramTrainer(
        vocab_size=200, special_tokens=special, unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(tiny.texts(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    config: Any = CamembertConfig(
        hidden_size=16,
        num_hidden_layers=1,
        intermediate_size=32,
        max_position_embeddings=40,
        pad_token_id=1,
        **SHAPE,
    )
    CamembertForMaskedLM(config).save_pretrained(folder)


def flaubert(folder: Path) -> None:
    from transformers import FlaubertConfig, FlaubertWithLMHeadModel

    letters = sorted({c for text in tiny.texts() for c in text.lower() if c.strip()} | {"'"})
    pieces = ["<s>", "</s>", "<pad>", "<unk>", "<special1>", *letters]
    pieces += [f"{c}</w>" for c in letters] + ["le</w>", "l'</w>", "vu"]
    (folder / "vocab.json").write_text(json.dumps({p: i for i, p in enumerate(pieces)}))
    (folder / "merges.txt").write_text("l e</w> 9\nl '</w> 8\nv u 7\n")
    (folder / "tokenizer_config.json").write_text('{"do_lowercase": true}')
    config: Any = FlaubertConfig(
        emb_dim=16, n_layers=1, n_heads=2, vocab_size=300, max_position_embeddings=40
    )
    FlaubertWithLMHeadModel(config).save_pretrained(folder)


@pytest.mark.parametrize("make", [camembert, flaubert])
def test_any_family_can_be_continued_trained_exported_and_run(make: Any, tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    make(base)
    continued = tmp_path / "continued"
    pretrain(
        tiny.texts(),
        out=continued,
        base=str(base),
        plan=Plan(minutes=0.01, length=16, batch=2),
    )
    options = Options(epochs=1, batch=4, vary=False)
    best, spread = train_transformer(str(continued), tiny.corpus(2), tiny.corpus(), options=options)
    assert best.spec.room == (36 if make is camembert else 38)
    write_model(
        tmp_path / "tagger",
        best,
        tiny.corpus(),
        origins=Origins(),
        seeds=(0,),
        spread=spread,
        settings=asdict(options),
    )
    tagger = load(tmp_path / "tagger")
    long, _ = tiny.corpus()[1]
    assert len(tagger.scores(long)) == len(long.tokens)


def test_flaubert_pieces_have_offsets_of_the_raw_text(tmp_path: Path) -> None:
    flaubert(tmp_path)
    text = "Vu l’effort LE 12/03"
    encoded = fast_tokenizer(str(tmp_path)).encode(text)
    shown = [text[a:b] for a, b in encoded.offsets]
    assert shown[0] == shown[-1] == ""
    assert "l’" in shown
    assert "LE" in shown
    assert "".join(shown) == text.replace(" ", "")


def test_a_base_without_offsets_or_with_damaged_pieces_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(TrainingError, match=r"no tokenizer with offsets .*needs a tokenizer\.json"):
        fast_tokenizer(str(tmp_path))
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(TrainingError, match=r"tokenizer\.json is damaged"):
        fast_tokenizer(str(tmp_path))
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "vocab.json").write_text("{")
    (tmp_path / "merges.txt").write_text("")
    with pytest.raises(TrainingError, match=r"vocab\.json and merges\.txt are damaged"):
        fast_tokenizer(str(tmp_path))


def test_the_shipped_base_is_a_french_language_model_of_no_patient() -> None:
    base = find_base(SHIPPED)
    model, tokenizer = read_language_model(base), fast_tokenizer(base)
    encoded = tokenizer.encode("Le patient a été revu en consultation ce jour.")
    ids = torch.tensor([encoded.ids])
    at = encoded.tokens.index("patient")
    hidden = ids.clone()
    hidden[0, at] = tokenizer.token_to_id("[MASK]")
    with torch.inference_mode():
        scores = model.eval()(input_ids=hidden).logits[0, at]
    assert scores.dtype == torch.float32
    assert int((scores > scores[ids[0, at]]).sum()) < 50
    assert read_encoder(base).config.hidden_size == 256
    assert read_origins(base).trained_on_identified is False


def test_any_other_base_keeps_its_name_and_an_absent_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert find_base("almanach/camembert-base") == "almanach/camembert-base"
    monkeypatch.setattr("dpdeid.training.bases.shipped_folder", lambda _: None)
    with pytest.raises(TrainingError, match="no base ships with this version"):
        find_base(SHIPPED)
