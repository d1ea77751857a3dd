from __future__ import annotations

import pytest

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.names import elides, first_name_pool, list_sex, pieces, surname_pool

POOLS = [surname_pool(), *map(first_name_pool, Sex)]


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("Dupont", False, ["name dupont"]),
        ("de La Tour", False, ["kept de", "name latour"]),
        ("d'Angelo", False, ["kept d", "name angelo"]),
        ("Quimerc'h", False, ["name quimerch"]),
        ("Dupont née Martin", False, ["name dupont", "kept nee", "name martin"]),
        ("Van", False, ["name van"]),
        ("J.-L.", True, ["initial j", "initial l"]),
        ("Ch.", True, ["initial ch"]),
        ("Van Thanh", True, ["name van", "name thanh"]),
        ("Van Hecke", False, ["kept van", "name hecke"]),
        ("JP", True, ["initial j", "initial p"]),
        ("LY", False, ["name ly"]),
        ("Jean-Luc", True, ["name jean", "name luc"]),
        ("--", True, []),
    ],
)
def test_pieces(text: str, given: bool, expected: list[str]) -> None:
    _, found = pieces(text, given)
    assert [f"{piece.kind} {piece.key}" for piece in found] == expected


@pytest.mark.parametrize("pool", POOLS)
def test_a_pool_holds_many_names_and_no_common_word(pool: object) -> None:
    plain = pool.plain  # type: ignore[attr-defined]
    assert len(plain) > 400
    assert not [name for name in plain if name in gazetteers.words()]
    assert not {"parkinson", "crohn", "raynaud", "hodgkin"} & set(plain)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("elided", [True, False])
def test_a_draw_begins_as_asked(pool: object, elided: bool) -> None:
    for n in range(50):
        name = pool.draw(elided, Streams(b"k" * 32, "u").stream(str(n)))  # type: ignore[attr-defined]
        assert elides(name.key) is elided
        assert fold(name.text) == name.key


def test_pools_of_one_sex_hold_that_sex() -> None:
    for sex in (Sex.FEMALE, Sex.MALE):
        assert all(gazetteers.first_names()[name] is sex for name in first_name_pool(sex).plain)


def test_a_piece_does_not_show_its_name() -> None:
    _, found = pieces("Dupont", False)
    assert "dupont" not in repr(found)


def test_list_sex_reads_compound_names_by_their_first_part() -> None:
    assert list_sex(("jean", "marie")) is Sex.MALE
    assert list_sex(("marie", "zzz")) is Sex.FEMALE
    assert list_sex(("zzz",)) is Sex.UNKNOWN
