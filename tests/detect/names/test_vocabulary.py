"""What a folded word may be in a note."""

from __future__ import annotations

import pytest

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc


@pytest.mark.parametrize(
    "word", ["preeclamptique", "phlebitique", "thrombophiliques", "sarcomateux"]
)
def test_a_word_formed_as_those_of_medicine_is_no_name(word: str) -> None:
    assert voc.TRAITS[word] & voc.WORD
    assert not voc.TRAITS[word] & (voc.FIRST | voc.LAST)


def test_a_name_with_such_an_ending_stays_one() -> None:
    for name in ("dominique", "veronique", "lastique", "scholastique", "lafaurie"):
        assert bool(voc.TRAITS[name] & voc.WORD) == (name in gazetteers.words())
