"""Tiny models and notes, made in seconds; what needs torch skips where it is absent."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from dpdeid.document import Document
from dpdeid.testing import marked
from dpdeid.training.bases import Origins
from dpdeid.training.corpus import Note

LINES = (
    "Mme «LAST_NAME:Kerdoncuff» le «DATE:12/03/2021» à «CITY:Brest».",
    "M. «LAST_NAME:Tassin» «FIRST_NAME:Loïc» né le «BIRTH_DATE:4/5/60»\nTél «PHONE:02 98 00 11 22»",
    "Revue le «DATE:7nov» par le Dr «LAST_NAME:Ollivaux», reste de l’examen normal.",
    "Pas de fièvre. Douleur à l’épaule gauche depuis l’effort !",
)
"""Lines with «LABEL:text» marks."""


@cache
def corpus(copies: int = 1) -> tuple[Note, ...]:
    """Each line as a note, a few times over."""
    notes = []
    for copy in range(copies):
        for number, line in enumerate(LINES):
            text, spans = marked(line)
            notes.append((Document(f"{number}-{copy}", text), spans))
    return tuple(notes)


def texts() -> list[str]:
    return [doc.text for doc, _ in corpus()] * 20


def base_model(folder: Path, *, positions: int = 64) -> Path:
    """A folder with a random BERT of 2 layers and a tokenizer of its own."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    from dpdeid.training.bases import train_pieces

    tokenizer = train_pieces(texts(), size=160)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
    )
    model: Any = BertForMaskedLM(config)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def tagger(folder: Path) -> Path:
    """A model folder with a tiny tagger that has learned `corpus()`, for ONNX and for torch."""
    from dpdeid.training.export import write_model
    from dpdeid.training.transformer import Options, train_transformer

    base = folder / "base"
    base.mkdir()
    options = Options(epochs=40, patience=40, rate=5e-3, head_rate=1e-2, batch=4, vary=False)
    best, spread = train_transformer(
        str(base_model(base)), corpus(4), corpus(), seeds=(0,), options=options
    )
    write_model(
        folder / "tagger",
        best,
        corpus(),
        origins=Origins(),
        seeds=(0,),
        spread=spread,
        settings=asdict(options),
        keep_torch=True,
    )
    return folder / "tagger"


def flair_tagger(folder: Path, *, layers: int = 1, crf: bool = False) -> Path:
    """A model folder with a tiny bi-LSTM that has learned `corpus()`."""
    from dpdeid.training.flair import Options, train_flair, write_model

    options = Options(
        layers=layers,
        crf=crf,
        epochs=60,
        patience=60,
        rate=2e-2,
        batch=4,
        embedding=12,
        hidden=8,
        dropout=0.0,
        rarest=1,
        vary=False,
    )
    best, spread = train_flair(corpus(4), corpus(), options=options)
    write_model(folder, best, origins=Origins(), seeds=(0,), spread=spread, options=options)
    return folder
