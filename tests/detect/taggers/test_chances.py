"""Kinds of tokens, and lines that turn a learned chance into one that means what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.crf import KINDS, Calibration, kind_of, log_odds
from dpdeid.normalize import fold

chances = st.floats(0, 1)
slopes = st.floats(0.1, 3)
shifts = st.floats(-3, 3)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("zorblax", "unlisted"),
        ("ZORBLAX", "unlisted"),
        ("ZRBX", "short"),
        ("Martin", "name"),
        ("Rose", "name"),
        ("rose", "word"),
        ("Apyrexie", "capital"),
        ("toux", "word"),
        ("2019", "number"),
        ("+", "other"),
    ],
)
def test_the_kind_of_a_token(text: str, kind: str) -> None:
    assert kind_of(text, fold(text)) == kind
    assert kind in KINDS


@given(st.text(min_size=1, max_size=8))
def test_every_token_has_a_kind(text: str) -> None:
    assert kind_of(text, fold(text)) in KINDS


@given(chances, st.sampled_from(KINDS))
def test_without_a_line_a_chance_is_taken_at_its_word(chance: float, kind: str) -> None:
    assert Calibration().of(kind, chance) == pytest.approx(chance, abs=0.0011)


@given(chances, chances, slopes, shifts)
def test_a_likelier_one_stays_the_likelier(a: float, b: float, slope: float, shift: float) -> None:
    read = Calibration({"word": (slope, shift)})
    low, high = sorted((a, b))
    assert 0 < read.of("word", low) <= read.of("word", high) < 1


def test_a_line_is_of_log_odds() -> None:
    read = Calibration({"word": (0.5, -1.0)})
    assert log_odds(read.of("word", 0.8)) == pytest.approx(0.5 * log_odds(0.8) - 1)
    assert read.of("name", 0.8) == pytest.approx(0.8)


@given(
    st.dictionaries(st.sampled_from(KINDS), st.tuples(slopes, shifts)),
    st.dictionaries(st.sampled_from(("DATE", "LAST_NAME")), chances),
)
def test_a_card_keeps_them(lines: dict[str, tuple[float, float]], recall: dict[str, float]) -> None:
    read = Calibration(lines, recall)
    assert Calibration.of_settings({"c1": 0.2, **read.settings()}) == read


def test_an_entry_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="often"):
        Calibration.of_settings({"recall/DATE": "often"})
