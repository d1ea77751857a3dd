"""The clinical tokenizer on the lines that common tokenizers glue together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("12nov", ["12", "nov"]),
        ("5ml", ["5", "ml"]),
        ("(2007)", ["(", "2007", ")"]),
        ("tom/smith", ["tom", "/", "smith"]),
        ("Tom SmithCHIRURGIEN", ["Tom", "Smith", "CHIRURGIEN"]),
        ("DrChabert", ["Dr", "Chabert"]),
        ("DUPONTPrénom", ["DUPONT", "Prénom"]),
        ("HauteserreService de", ["Hauteserre", "Service", "de"]),
        ("RHNe McDonald Drapeau", ["RHNe", "McDonald", "Drapeau"]),
        ("né le03/02", ["né", "le", "03", "/", "02"]),
        ("1015-Lausanne", ["1015", "-", "Lausanne"]),
        ("18#03#2022", ["18", "#", "03", "#", "2022"]),
        ("d'Élise_1", ["d", "'", "Élise", "_", "1"]),
        (" \t\n", []),
        ("", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert list(tokenize(text).texts) == tokens


@given(st.text())
def test_offsets_slice_the_text_and_only_space_is_left(text: str) -> None:
    tokens = tokenize(text)
    rest = list(text)
    for word, (start, end) in zip(tokens.texts, tokens, strict=True):
        assert text[start:end] == word
        rest[start:end] = " " * (end - start)
    assert "".join(rest).strip() == ""


@pytest.mark.parametrize("gap", [" ", "  ", " \n", "\n ", "\n\n", "\t \r\n"])
def test_gaps_of_any_width_move_the_offsets(gap: str) -> None:
    text = gap.join((" Mme", "LE GOFF,", "12 ans "))
    tokens = tokenize(text)
    assert tokens.texts == ("Mme", "LE", "GOFF", ",", "12", "ans")
    assert tuple(text[start:end] for start, end in tokens) == tokens.texts


def test_folded_words_compare_across_case_and_accents() -> None:
    assert tokenize("LEFÈVRE").folded == tokenize("lefevre").folded
