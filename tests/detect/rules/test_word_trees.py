"""Tables match in any case and accent, as fast as one phrase."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.rules.fragments import pattern
from dpdeid.detect.rules.word_trees import beginnings, listed, one_of

TABLE = "hôpital, hôpital de jour, belle-mère, réa, sœur, clin."


@pytest.mark.parametrize(
    "text",
    [
        "hôpital",
        "HOPITAL",
        "Hopital",
        "hôpital de jour",
        "belle mère",
        "BELLE-MERE",
        "sœur",
        "SOEUR",
    ],
)
def test_table_matches_its_phrases_in_any_dress(text: str) -> None:
    match = re.match(one_of(TABLE), text)
    assert match is not None
    assert match[0] == text


@pytest.mark.parametrize("text", ["hospital", "re", "belle", "cli"])
def test_table_matches_nothing_else(text: str) -> None:
    assert re.fullmatch(one_of(TABLE), text) is None


def test_acronyms_match_in_lower_case() -> None:
    assert re.fullmatch(one_of("UHCD, SAU"), "uhcd")


def test_exact_table_keeps_the_case() -> None:
    expression = one_of("CHUV, Necker", exact=True)
    assert re.match(expression, "CHUV")
    assert not re.match(expression, "chuv")


@given(st.lists(st.text("abéèœ- 'x", min_size=1, max_size=8), min_size=1, max_size=12))
def test_every_phrase_of_a_table_matches(phrases: list[str]) -> None:
    expression = re.compile(one_of(phrases))
    for phrase in phrases:
        assert expression.fullmatch(phrase), phrase
        assert expression.fullmatch(phrase.upper()), phrase


def test_beginnings_tell_what_stands_behind_a_first_word() -> None:
    assert set(beginnings("École primaire, d'Arc, belle-mère")) == {"ecole", "d", "belle"}
    behind = beginnings("La Timone, La Pitié, Pasteur 2, Foch, Val d'Aurelle, Val")
    assert behind["foch"] == behind["val"] == ""
    assert re.match(behind["la"], " ti")
    assert not re.match(behind["la"], " fo")
    assert re.match(behind["pasteur"], " 0")


def test_listed_drops_empty_entries() -> None:
    assert listed("a, b,\nc d,") == ("a", "b", "c d")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Les Genêts d'Armor, le 3", "Les Genêts d'Armor"),
        ("Pasteur 2 hier", "Pasteur 2"),
        ("Saint-Vincent Dr Martin", "Saint-Vincent"),
        ("Grand-Bornand du 3 mai", "Grand-Bornand"),
        ("Creuse 05 55 51 77 00", "Creuse"),
    ],
)
def test_name_stops_at_titles_dates_and_numbers(text: str, name: str) -> None:
    match = pattern("<<NAME>>").match(text)
    assert match is not None
    assert match[0] == name
