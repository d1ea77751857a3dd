from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.privacy.rng import Streams
from dpdeid.substitute.pseudonyms import (
    LETTERS,
    canonical,
    first_free,
    lay_over,
    like_case,
    redraw,
    runs,
    shares_run,
)

STREAMS = Streams(b"k" * 32, "u1")
CODES = st.text("0123456789ABCXYZ", min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("text", "original", "expected"),
    [
        ("Le Mans", "RENNES", "LE MANS"),
        ("Le Mans", "ars", "le mans"),
        ("Le Mans", "Pau", "Le Mans"),
        ("Martin", "X", "Martin"),
        ("Martin", "d'ÉTÉ", "Martin"),
    ],
)
def test_case_follows_the_original(text: str, original: str, expected: str) -> None:
    assert like_case(text, original) == expected


@given(st.text(max_size=30))
def test_canonical_is_plain_and_has_one_character_for_each(text: str) -> None:
    code = canonical(text)
    assert code.isascii()
    assert len(code) == sum(map(str.isalnum, text))
    assert canonical(code) == code


@given(CODES)
@settings(deadline=None)
def test_redraw_keeps_the_shape(code: str) -> None:
    drawn = redraw(code, STREAMS.stream("test", code))
    assert len(drawn) == len(code)
    for old, new in zip(code, drawn, strict=True):
        assert old.isdigit() == new.isdigit()
        assert new.isdigit() or new in LETTERS


def test_redraw_keeps_a_leading_zero_and_a_leading_figure() -> None:
    for n in range(50):
        assert redraw("004217", STREAMS.stream(str(n))).startswith("0")
        assert not redraw("4217", STREAMS.stream(str(n))).startswith("0")


def test_redraw_takes_codes_of_any_length() -> None:
    code = "9" * 20_000
    assert len(redraw(code, STREAMS.stream("long"))) == len(code)


def test_redraw_reaches_every_digit() -> None:
    assert {redraw("7", STREAMS.stream(str(n))) for n in range(200)} == set("123456789")


@given(st.text(max_size=20))
def test_lay_over_keeps_separators_and_case(text: str) -> None:
    over = lay_over(text, "K" * sum(map(str.isalnum, text)))
    for old, new in zip(text, over, strict=True):
        assert new == (("k" if old.islower() else "K") if old.isalnum() else old)


@pytest.mark.parametrize("characters", ["1", "123"])
def test_lay_over_refuses_another_length(characters: str) -> None:
    with pytest.raises(ValueError, match="characters than places"):
        lay_over("4-2", characters)


def test_shares_run() -> None:
    assert shares_run("xdupoy", "dupont")
    assert not shares_run("dup-ont", "dupont")
    assert not shares_run("xdupy", "dup")


@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_a_shared_run_is_four_in_a_row_of_both(text: str, original: str) -> None:
    assert shares_run(text, original) is not runs(text).isdisjoint(runs(original))


def test_first_free_skips_the_original_the_taken_and_what_is_left_of_the_original() -> None:
    draws = iter(["12345", "99999", "91234", "55555"])
    assert first_free(lambda: next(draws), "12345", {"99999"}) == "55555"


def test_first_free_looks_at_its_own_characters_only() -> None:
    own = slice(6, None)
    assert first_free(lambda: "8505291111", "8505290060", (), own=own) == "8505291111"
    draws = iter(["8505290060", "1111110060", "8505290061"])
    assert first_free(lambda: next(draws), "8505290060", (), own=own) == "8505290061"
    assert first_free(lambda: "http://b", "http://a", (), alike=True) == "http://b"


def test_first_free_falls_back_on_anything_but_the_original() -> None:
    assert first_free(lambda: "2", "1", {"2"}) == "2"
    assert first_free(lambda: "1", "1", ()) is None
