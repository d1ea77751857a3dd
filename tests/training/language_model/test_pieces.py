"""Our own word pieces: offsets of the raw text, numbers in pairs, line breaks."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.training.bases import train_pieces
from tests.training.tiny import texts

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return train_pieces(texts(), size=160)


def shown(tokenizer: Any, text: str) -> list[str]:
    encoded = tokenizer.encode(text, add_special_tokens=False)
    return [text[start:end] for start, end in encoded.offsets]


def test_the_size_is_what_was_asked(tokenizer: Any) -> None:
    assert tokenizer.get_vocab_size() <= 160


def test_numbers_are_cut_into_pairs_of_digits(tokenizer: Any) -> None:
    encoded = tokenizer.encode("12/03/2021 192", add_special_tokens=False)
    assert {2, 3, 5, 6, 8, 13} <= {start for start, _ in encoded.offsets}
    assert shown(tokenizer, "12/03") == ["12", "/", "03"]


def test_line_breaks_are_pieces(tokenizer: Any) -> None:
    assert shown(tokenizer, "le\n\nle\nle") == ["le", "\n\n", "le", "\n", "le"]


def test_typographic_variants_are_read_as_plain_marks(tokenizer: Any) -> None:
    curly, plain = (tokenizer.encode(t, add_special_tokens=False) for t in ("l’une", "l'une"))
    assert curly.ids == plain.ids
    assert curly.offsets == plain.offsets


def test_it_puts_its_marks_around_a_text(tokenizer: Any) -> None:
    assert tokenizer.encode("vu").tokens[0] == "[CLS]"
    assert tokenizer.encode("vu").tokens[-1] == "[SEP]"


@given(st.text(st.sampled_from("abé’12 \n.,-e\u0301ß€"), max_size=30))
def test_offsets_rise_and_cover_every_letter(tokenizer: Any, text: str) -> None:
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    assert all(a[1] <= b[1] and a[0] <= b[0] for a, b in itertools.pairwise(offsets))
    covered = {i for start, end in offsets for i in range(start, end)}
    assert all(i in covered for i, c in enumerate(text) if c.isalnum())
