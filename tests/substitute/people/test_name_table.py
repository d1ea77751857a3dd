from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.people import name_table
from dpdeid.substitute.people.clusters import PREFIXES, Group, group_names, last_keys, read_names
from dpdeid.substitute.people.first_names import Listed
from dpdeid.substitute.people.name_table import Table
from dpdeid.substitute.pseudonyms import shares_run
from tests.substitute.making import KEY, marked

PLAIN = (name for name in gazetteers.surname_list()[:20_000] if fold(name).isalpha())
SURNAMES = st.sampled_from([name for name in PLAIN if fold(name) not in PREFIXES])


def people(*names: str) -> list[tuple[Group, Sex]]:
    record, mentions = marked(" ; ".join(f"«LAST_NAME:{name}»" for name in names))
    groups = group_names(read_names(mentions), record.documents)
    return [(group, Sex.UNKNOWN) for group in groups]


def table(*names: str, known: tuple[str, ...] = (), markov: Fraction = Fraction(0)) -> list[str]:
    """The texts of surnames in one table."""
    these = people(*names)
    facts = [((), last_keys((name,))) for name in known]
    drawn = Table(Streams(KEY, "u"), ("p", ""), these, facts, markov=markov)
    return [drawn.text(one, group, sex)[0] or "" for group, sex in these for one in group.members]


@given(st.lists(SURNAMES, min_size=1, max_size=6, unique_by=fold))
@settings(deadline=None, max_examples=60)
def test_nothing_of_a_double_name_is_left_across_its_hyphens(names: list[str]) -> None:
    (drawn,) = table("-".join(names))
    assert not shares_run(fold(drawn), fold("-".join(names)))


@given(st.lists(SURNAMES, min_size=2, max_size=30, unique_by=fold), st.integers(1, 5))
@settings(deadline=None, max_examples=60)
def test_no_surrogate_is_a_name_of_the_record_or_known(names: list[str], cut: int) -> None:
    drawn = table(*names[cut:], known=tuple(map(fold, names[:cut]))) if names[cut:] else []
    originals = {fold(name) for name in names}
    assert originals.isdisjoint(map(fold, drawn))
    assert len(set(drawn)) == len(drawn)


def test_what_is_known_but_not_named_moves_no_other_draw() -> None:
    assert table("Rey", known=("bonnin",)) == table("Rey")


def test_a_small_pool_is_joined_to_double_names(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Listed.of(["Bovet", "Candol", "Fauvin"])
    monkeypatch.setattr(name_table, "surname_pool", lambda: pool)
    drawn = table("Rey", "Rast", "Rigon", "Rupp", "Rondet", "Roz")
    assert len(set(drawn)) == 6
    assert sum("-" in name for name in drawn) == 3


def test_where_no_name_is_free_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_table, "surname_pool", lambda: Listed.of(["Rondet", "Rondot"]))
    assert table("Rondel") == [""]


def test_markov_draws_again_only_for_later_mentions() -> None:
    drawn = table(*["Rey"] * 30, markov=Fraction(9, 10))
    assert drawn[0] == table("Rey")[0]
    assert len(set(drawn)) > 15
