from __future__ import annotations

from itertools import product

import pytest

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.people.clusters import elides
from dpdeid.substitute.people.name_table import STARTS, Pool, first_name_pool, surname_pool

GENERATIONS = range(len(STARTS) + 1)
LARGE = [surname_pool(), *map(first_name_pool, Sex)]
POOLS = [*LARGE, *(first_name_pool(sex, at) for sex, at in product(Sex, GENERATIONS))]


@pytest.mark.parametrize("pool", POOLS)
def test_no_name_is_a_word_of_medicine_a_drug_or_an_eponym(pool: Pool) -> None:
    assert not [name for name in pool.plain if name in gazetteers.words()]
    assert not [name for name in pool.plain if name in gazetteers.medical()]
    assert not [n for n in pool.plain if vocabulary.TRAITS[n] & vocabulary.EPONYM]


KNOWN_BY = (
    "bachmann bernhardt biot bouillaud bouveret brenner brunner carpentier carrion castellani"
    " donati dubreuil duhamel frantz frey garcin gelineau gibert grisel guyon jolly lambert laugier"
    " mayer monge morvan neel ollier parrot pellegrini pinel roger rouviere roussy sandoz schwartz"
    " smith vidal villaret vincent weill werner batista brown buhler cazenave clauss costa cotton"
    " delay denys dupre george grancher kayser killian leopold postel poupart pouliquen richardson"
    " rieux stenger thevenard tissot"
)


@pytest.mark.parametrize("pool", POOLS)
def test_no_name_is_one_that_a_disease_a_sign_or_a_laboratory_is_known_by(pool: Pool) -> None:
    """Of the "tumeur de Brenner", the "canal de Guyon", the "formule de Schwartz"."""
    assert not set(KNOWN_BY.split()) & set(pool.plain)


def test_no_surname_is_a_word_of_french() -> None:
    assert gazetteers.name_words().isdisjoint(surname_pool().plain)


def test_pools_are_large() -> None:
    assert len(surname_pool().plain) > 5000
    assert min(len(pool.plain) for pool in LARGE) > 400
    for pool in POOLS:
        assert len(pool.vowels) >= 10
        assert len(pool.consonants) >= 30


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("elided", [True, False])
def test_a_draw_begins_as_asked(pool: Pool, elided: bool) -> None:
    for n in range(50):
        stream = Streams(b"k" * 32, "u").stream(str(n))
        for name in (stream.choice(pool.of_kind(elided)), pool.draw_double(elided, stream)):
            assert elides(name.key) is elided
            assert fold(name.text) == name.key


def test_pools_of_one_sex_hold_that_sex() -> None:
    for sex in (Sex.FEMALE, Sex.MALE):
        assert all(gazetteers.first_names()[name] is sex for name in first_name_pool(sex).plain)


def test_a_drawn_name_is_not_shown() -> None:
    assert surname_pool().plain[0] not in repr(surname_pool()).lower()
    assert surname_pool().consonants[0].key not in repr(surname_pool().consonants[0])
