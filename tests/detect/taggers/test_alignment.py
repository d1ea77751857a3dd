"""Pieces and tokens: every token finds its first piece, every piece its token."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.inputs import AROUND, CLASSES, WIDTH, class_rows, cut
from dpdeid.document import Document
from dpdeid.testing.strategies import texts
from dpdeid.tokens import tokenize
from dpdeid.training.bases import train_pieces
from tests.training.tiny import texts as tiny_texts

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return train_pieces(tiny_texts(), size=160)


def test_a_token_is_judged_by_its_first_piece(tokenizer: Any) -> None:
    text = "Kerdoncuff 12nov\nvue"
    tokens = tokenize(text)
    pieces = cut(text, tokens, tokenizer)
    encoded = tokenizer.encode(text, add_special_tokens=False)
    begins = [encoded.offsets[int(at)][0] for at in pieces.first[:-1]]
    assert begins == list(tokens.starts)
    assert not pieces.silent.any()


def test_a_line_break_belongs_to_no_token(tokenizer: Any) -> None:
    text = "vue\nvue"
    pieces = cut(text, tokenize(text), tokenizer)
    owners = pieces.owner.tolist()
    assert owners[0] == 0
    assert owners[-1] == 1
    assert -1 in owners


def test_a_piece_has_the_classes_of_its_token_and_its_neighbours(tokenizer: Any) -> None:
    doc = Document("n", "Kerdoncuff\nvue ici")
    pieces = cut(doc.text, doc.tokens, tokenizer)
    rows = class_rows(doc, (), pieces).reshape(-1, len(AROUND), len(CLASSES))
    title = CLASSES.index("title_case")
    for owner, row in zip(pieces.owner, rows, strict=True):
        for place, distance in enumerate(AROUND):
            assert row[place, title] == (owner >= 0 and owner + distance == 0)
        assert owner >= 0 or not row.any()


@given(texts())
def test_any_text_can_be_cut(tokenizer: Any, text: str) -> None:
    tokens = tokenize(text)
    pieces = cut(text, tokens, tokenizer)
    assert len(pieces.first) == len(tokens) + 1
    assert all(size >= 0 for size in pieces.sizes())
    assert class_rows(Document("n", text), (), pieces).shape == (len(pieces.ids), WIDTH)
    shown = set(pieces.owner.tolist())
    for index, silent in enumerate(pieces.silent):
        assert silent or shown & {index, *range(index)}


@given(st.text(st.sampled_from("abé12 \n.,-"), max_size=40))
def test_plain_letters_digits_and_marks_are_never_silent(tokenizer: Any, text: str) -> None:
    assert not cut(text, tokenize(text), tokenizer).silent.any()
