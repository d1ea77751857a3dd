"""Clean copies with a way back, folded words, and words one letter apart."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.normalize import clean, fold, one_slip
from dpdeid.testing.strategies import texts


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("l\u2019hôpital", "l'hôpital"),
        ("12\u00a0mars", "12 mars"),
        ("Jean\u2011Luc", "Jean-Luc"),
        ("He\u0301le\u0300ne", "Hélène"),
        ("Du\u200bpont", "Dupont"),
        ("١٢/٠٣/٢٠٢١", "12/03/2021"),
    ],
)
def test_clean(raw: str, plain: str) -> None:
    assert clean(raw).text == plain


def test_no_character_slips_through() -> None:
    for raw in map(chr, range(0xD800)):
        text = clean(f"a{raw}b").text
        assert unicodedata.is_normalized("NFC", text)
        assert not any(c.isdecimal() and not c.isascii() for c in text)
        assert set(text).isdisjoint("\u00a0\u00ad\u2019\u200b\u2011\u202f\u2060\ufeff")


def test_offsets_lead_back_to_whole_clusters() -> None:
    raw = "x He\u0301le\u0300ne\u200b y"
    view = clean(raw)
    at = view.text.index("Hélène")
    assert view.starts
    assert view.ends
    assert raw[view.starts[at] : view.ends[at + 5]] == "He\u0301le\u0300ne\u200b"


@given(texts())
def test_every_clean_character_lies_in_its_raw_stretch(raw: str) -> None:
    view = clean(raw)
    starts = range(len(raw)) if view.starts is None else view.starts
    ends = range(1, len(raw) + 1) if view.ends is None else view.ends
    for char, start, end in zip(view.text, starts, ends, strict=True):
        assert 0 <= start < end <= len(raw)
        assert char in clean(raw[start:end]).text


@given(st.text(alphabet=st.characters(min_codepoint=0x09, max_codepoint=0x7E)))
def test_plain_text_needs_no_map(raw: str) -> None:
    assert clean(raw).starts is None


@given(st.text())
def test_fold_is_idempotent(word: str) -> None:
    assert fold(fold(word)) == fold(word)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Éléonore", "ELEONORE"), ("Cœur", "coeur"), ("d\u2019Or", "D'OR"), ("Strauß", "strauss")],
)
def test_fold_joins_spellings(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@settings(deadline=None)
@given(st.text("abc", min_size=2, max_size=6), st.integers(0, 6), st.sampled_from("abcd"))
def test_one_slip_accepts_every_single_edit(word: str, at: int, letter: str) -> None:
    at %= len(word)
    assert one_slip(word, word)
    assert one_slip(word, word[:at] + letter + word[at + 1 :])
    assert one_slip(word, word[:at] + letter + word[at:])
    assert one_slip(word, word[:at] + word[at + 1 :])
    assert one_slip(word, word[:at] + word[at : at + 2][::-1] + word[at + 2 :])


def test_one_slip_refuses_two_edits() -> None:
    assert not one_slip("martin", "morin")
    assert not one_slip("abcd", "badc")
    assert not one_slip("kervella", "kevela")


@pytest.mark.parametrize("inside", ["\0", "\x01\x08", "\x7f", "\u00ad"])
def test_what_cannot_be_seen_parts_no_word(inside: str) -> None:
    view = clean(f"M. Ker{inside}vadec")
    assert view.text == "M. Kervadec"
    assert view.starts
    assert view.ends
    assert (view.starts[3], view.ends[10]) == (3, 11 + len(inside))
