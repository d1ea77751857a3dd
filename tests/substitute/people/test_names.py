from __future__ import annotations

from itertools import product

import pytest

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.people.clusters import elides
from dpdeid.substitute.people.first_names import STARTS, Listed, first_name_pool
from dpdeid.substitute.people.name_table import Pool, surname_pool
from dpdeid.substitute.people.surnames import keeps_capital, odds, reads_as_name, shown, surnames

GENERATIONS = range(len(STARTS) + 1)
LARGE = [*map(first_name_pool, Sex)]
FREQUENT = {
    fold(name) for sex in (Sex.FEMALE, Sex.MALE) for name in gazetteers.first_name_list(sex)[:400]
}
POOLS = [*LARGE, *(first_name_pool(sex, at) for sex, at in product(Sex, GENERATIONS))]


@pytest.mark.parametrize("pool", POOLS)
def test_no_name_is_a_word_of_medicine_a_drug_or_an_eponym(pool: Listed) -> None:
    assert not [name for name in pool.plain if name in gazetteers.medical()]
    rare = [one.key for own in pool.usual for one in own if one.key not in FREQUENT]
    assert not [name for name in rare if name in gazetteers.words()]
    assert not [n for n in rare if vocabulary.TRAITS[n] & vocabulary.EPONYM]


KNOWN_BY = (
    "bachmann bernhardt biot bouillaud bouveret brenner brunner carpentier carrion castellani"
    " donati dubreuil duhamel frantz frey garcin gelineau gibert grisel guyon jolly lambert laugier"
    " mayer monge morvan neel ollier parrot pellegrini pinel roger rouviere roussy sandoz schwartz"
    " smith vidal villaret vincent weill werner batista brown buhler cazenave clauss costa cotton"
    " delay denys dupre george grancher kayser killian leopold postel poupart pouliquen richardson"
    " rieux stenger thevenard tissot"
)


@pytest.mark.parametrize("pool", POOLS)
def test_no_name_is_one_that_a_disease_a_sign_or_a_laboratory_is_known_by(pool: Listed) -> None:
    """Of the "tumeur de Brenner", the "canal de Guyon", the "formule de Schwartz"."""
    assert not set(KNOWN_BY.split()) & set(pool.plain) - FREQUENT


def test_no_rare_surname_is_one_that_a_disease_a_sign_or_a_laboratory_is_known_by() -> None:
    ranks = gazetteers.surnames()
    assert not [n for n in KNOWN_BY.split() if ranks.get(n, 9999) >= 2000 and reads_as_name(n)]


@pytest.mark.parametrize(
    ("key", "drawn"),
    [
        ("renard", True),
        ("le goff", True),
        ("dupont", True),
        ("thomas", True),
        ("da silva", True),
        ("petit", False),
        ("blanc", False),
        ("avril", False),
        ("cousin", False),
        ("crohn", False),
        ("py", True),
        ("ly", True),
        ("marie", True),
        ("jean-baptiste", True),
        ("saint-prix", True),
        ("n'diaye", True),
        ("floc'h", True),
        ("l'hostis", True),
        ("das neves", True),
        ("vandendriessche", True),
        ("l'homme", False),
        ("petit-jean", False),
        ("vu", False),
        ("po", False),
        ("le", False),
    ],
)
def test_what_may_be_drawn_as_a_surname(key: str, drawn: bool) -> None:
    assert reads_as_name(key) is drawn
    assert surnames().has(key) is drawn


@pytest.mark.parametrize(
    "name",
    [
        "Bodenneguy", "Kouyatebe", "Mazabraudet", "Delvauxin", "Nsengiyumvako", "Rakotovololona",
        "Kolodziejkowska", "Vigneswaralingam", "Xyooj",
    ],
)  # fmt: skip
def test_a_surname_of_no_list_may_be_made_up(name: str) -> None:
    assert fold(name) not in gazetteers.surnames()
    assert surnames().may_make_up(fold(name))


@pytest.mark.parametrize("name", ["psa", "ecg", "avc", "tsh", "crp", "vrs", "lin", "tumeur"])
def test_no_sign_of_a_chart_is_made_up(name: str) -> None:
    assert not surnames().may_make_up(name)


def test_surnames_come_as_often_as_they_are_borne() -> None:
    """Of 4,000 draws: the usual ones often, and as many rare ones as there are people."""
    streams = Streams(b"k" * 32, "u")
    drawn = [surnames().draw(elided=False, stream=streams.stream(str(n))) for n in range(4000)]
    ranks = [gazetteers.surnames().get(one.key, 219_000) for one in drawn]
    assert 1500 < sum(rank < 6_000 for rank in ranks) < 2150
    assert 1100 < sum(10_000 <= rank < 219_000 for rank in ranks) < 1700
    assert 80 < sum(rank == 219_000 for rank in ranks) < 400


def test_two_people_share_a_surname_no_more_often_than_when_few_were_drawn_alike() -> None:
    plain, elided = odds()
    assert plain.repeat > 5408
    assert elided.repeat > 368
    assert plain.names + elided.names > 200_000


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("riviere", "Rivière"),
        ("le goff", "Le Goff"),
        ("lefevre", "Lefèvre"),
        ("vallee", "Vallée"),
        ("demeulenaere", "Demeulenaere"),
        ("rey", "Rey"),
        ("gerard", "Gérard"),
        ("n'diaye", "N'Diaye"),
        ("le floc'h", "Le Floc'h"),
        ("jean-noel", "Jean-Noël"),
    ],
)
def test_a_surname_is_shown_with_its_accents(key: str, text: str) -> None:
    assert shown(key) == text


def test_only_what_is_a_word_keeps_its_capital() -> None:
    assert [keeps_capital(name) for name in ("renard", "boucher", "goff", "dupont")] == [
        True,
        True,
        False,
        False,
    ]


def test_pools_are_large() -> None:
    assert min(len(pool.plain) for pool in LARGE) > 400
    for pool in POOLS:
        plain, elided = pool.usual
        assert len(elided) >= 10
        assert len(plain) >= 30


@pytest.mark.parametrize("pool", [surname_pool(), *POOLS])
@pytest.mark.parametrize("elided", [True, False])
def test_a_draw_begins_as_asked(pool: Pool, elided: bool) -> None:
    for n in range(50):
        stream = Streams(b"k" * 32, "u").stream(str(n))
        for name in (pool.draw(elided, stream), pool.draw_double(elided, stream)):
            assert (elides(name.key) is True) is elided
            assert fold(name.text) == name.key


def test_pools_of_one_sex_hold_that_sex() -> None:
    for sex in (Sex.FEMALE, Sex.MALE):
        assert all(gazetteers.first_names()[name] is sex for name in first_name_pool(sex).plain)


def test_a_drawn_name_is_not_shown() -> None:
    pool = first_name_pool(Sex.FEMALE)
    assert pool.plain[0] not in repr(pool).lower()
    assert pool.usual[0][0].key not in repr(pool.usual[0][0])
    assert repr(surname_pool()) == "Surnames(…)"
