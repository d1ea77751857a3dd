"""Fields, machines, abbreviations and misread words, which are nobody's name."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.no_names import (
    SPELT_DRUGS,
    THINGS,
)
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.columns import is_field


@pytest.mark.parametrize(
    ("word", "behind"),
    [("debranche", ": "), ("technique", " :"), ("to", ":"), ("conclusion", ":")],
)
def test_a_word_before_a_colon_names_a_field(word: str, behind: str) -> None:
    assert is_field(word, behind)


@pytest.mark.parametrize(
    ("word", "behind"),
    [("technique", ", "), ("kervella", ": "), ("petit", ": "), ("rose", " :"), ("technique", "")],
)
def test_names_and_words_without_a_colon_name_none(word: str, behind: str) -> None:
    assert not is_field(word, behind)


def test_nothing_in_the_lists_is_a_usual_name() -> None:
    for word in voc.ABBREVIATIONS | THINGS:
        assert EVIDENCE[word].surname < 3, word
        assert not voc.TRAITS[word] & voc.FREQUENT, word


def test_a_species_is_a_word_and_no_part_of_a_name() -> None:
    assert voc.TRAITS["luciliae"] & voc.STOP
    assert not any(voc.TRAITS[word] & voc.STOP for word in voc.LATIN if EVIDENCE[word].surname)


@pytest.mark.parametrize("name", ["bernard", "roussel", "merieux", "pellegrino", "langlebert"])
def test_a_name_that_is_also_a_brand_is_no_drug_in_another_spelling(name: str) -> None:
    assert not SPELT_DRUGS[name]
    assert SPELT_DRUGS["valacyclovir"]
