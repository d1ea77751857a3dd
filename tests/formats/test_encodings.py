"""Bytes are read in the encoding that they are in, and what is no text is refused."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.formats.encodings import decoded, encoding_of

FRENCH = "Mme Été, née à Nîmes le 3 août : 38,5 °C, œdème – 12 €"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (FRENCH.encode(), ""),
        (codecs.BOM_UTF8 + FRENCH.encode(), ""),
        (FRENCH.encode("cp1252"), "Windows-1252"),
        (FRENCH.encode("utf-16"), "UTF-16"),
        (FRENCH.encode("utf-16-le"), "UTF-16"),
        (FRENCH.encode("utf-16-be"), "UTF-16"),
    ],
)
def test_a_text_comes_out_the_same_in_any_encoding(data: bytes, name: str) -> None:
    assert decoded(data) == (FRENCH, name)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_utf_8_is_never_taken_for_another(text: str) -> None:
    assert decoded(text.encode()) == (text.removeprefix("\ufeff"), "")


@pytest.mark.parametrize("data", [b"abc\x81", b"\xe9\x01\x02", b"\xff\xfeabc", b"\xe9" + b"\x7f\0"])
def test_what_is_no_text_is_refused_without_repeating_it(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"neither UTF-8|control character") as caught:
        decoded(data)
    assert "abc" not in str(caught.value)


def test_a_letter_that_the_end_of_a_sample_cuts_is_no_other_encoding() -> None:
    cut = "été".encode()[:-1]
    assert encoding_of(cut, whole=False) == ("utf-8", 0)
    assert encoding_of(cut, whole=True) == ("cp1252", 0)
