"""What the people of a town are called."""

from __future__ import annotations

import pytest

from dpdeid.french.demonyms import Number, by_town, inflected, known
from dpdeid.gazetteers import places_named
from dpdeid.normalize import fold

FORMS = [Number(feminine, plural) for feminine in (False, True) for plural in (False, True)]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("nantais", ["nantais", "nantais", "nantaise", "nantaises"]),
        ("malouin", ["malouin", "malouins", "malouine", "malouines"]),
        ("manceau", ["manceau", "manceaux", "mancelle", "mancelles"]),
        ("parisien", ["parisien", "parisiens", "parisienne", "parisiennes"]),
        ("nancéien", ["nancéien", "nancéiens", "nancéienne", "nancéiennes"]),
        ("berruyer", ["berruyer", "berruyers", "berruyère", "berruyères"]),
        ("briviste", ["briviste", "brivistes", "briviste", "brivistes"]),
        ("natif", ["natif", "natifs", "native", "natives"]),
    ],
)
def test_people_are_men_or_women_one_or_several(word: str, forms: list[str]) -> None:
    assert [inflected(word, number) for number in FORMS] == forms


@pytest.mark.parametrize(("town", "word"), by_town().items())
def test_every_demonym_is_of_a_town_that_the_lists_know(town: str, word: str) -> None:
    assert places_named(town), town
    for number in FORMS:
        people = fold(inflected(word, number))
        assert (people in known()) != bool(places_named(people))
        assert people not in known() or known()[people][0] == town
