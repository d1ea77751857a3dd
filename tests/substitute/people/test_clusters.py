from __future__ import annotations

import pytest

from dpdeid.labels import Sex
from dpdeid.substitute.people.clusters import (
    first_keys,
    group_names,
    last_keys,
    read_initials,
    read_names,
)
from tests.substitute.making import marked

REY = "«LAST_NAME:Rey»"
ANNE = "«FIRST_NAME:Anne»"


def groups(*notes: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The first names and surnames of each group."""
    record, mentions = marked(*notes)
    found = group_names(read_names(mentions), record.documents)
    return [(one.firsts, one.lasts) for one in found]


@pytest.mark.parametrize(
    "note",
    [
        f"{ANNE} {REY}",
        f"{REY} {ANNE}",
        f"{REY}, {ANNE}",
        f"{ANNE}-{REY}",
        f"{ANNE}  {REY}",
        f"{ANNE}\n{REY}",
    ],
)
def test_a_full_name_is_one_group(note: str) -> None:
    assert groups(note) == [(("anne",), ("rey",))]


@pytest.mark.parametrize(
    "note",
    [f"{REY}\n{ANNE}", f"{ANNE}\n\n{REY}", f"{ANNE}, {REY}", f"{ANNE} et {REY}", f"{ANNE} ; {REY}"],
)
def test_what_does_not_touch_is_two(note: str) -> None:
    assert len(groups(note)) == 2


@pytest.mark.parametrize(
    "between",
    [" née ", ", née ", " (née ", " NEE ", " épouse ", " ép. ", " epse ", " veuve ",
     " nom de naissance : ", " dit "],
)  # fmt: skip
def test_a_birth_and_a_married_name_are_one_person_s(between: str) -> None:
    assert groups(f"{ANNE} {REY}{between}«LAST_NAME:Bonnin»") == [(("anne",), ("rey", "bonnin"))]


@pytest.mark.parametrize("between", [" et ", " adresse ", " né à ", " chez ", " : née le 3, "])
def test_two_people_stay_two(between: str) -> None:
    assert len(groups(f"{REY}{between}«LAST_NAME:Bonnin»")) == 2


def test_notes_do_not_touch() -> None:
    assert len(groups(ANNE, REY)) == 2


def test_a_list_of_full_names_is_read_by_pairs() -> None:
    note = f"{REY} {ANNE}, «LAST_NAME:Bonnin» «FIRST_NAME:Paul»"
    assert groups(note) == [(("anne",), ("rey",)), (("paul",), ("bonnin",))]


def test_first_names_side_by_side_are_not_one_name_but_initials_are() -> None:
    assert len(groups(f"{ANNE} «FIRST_NAME:Paul»")) == 2
    assert len(groups("«FIRST_NAME:J.» «FIRST_NAME:P.» «LAST_NAME:Rey»")) == 1


def test_initials_are_those_of_a_name_beside_a_surname_of_the_same_person() -> None:
    anne, names = first_keys(("anne",), Sex.FEMALE), last_keys(("rey", "bonnin"))
    found = read_initials([(anne, names)])
    assert found["a", "rey"] == found["a", "bonnin"] == found["a", ""] == [anne]
    assert found["arb", ""] == [anne + names]
    assert found["ar", ""] == [anne + names[:1]]
    assert found["ra", ""] == [names[:1] + anne]
    assert ("a", "durand") not in found


def test_of_two_people_with_the_same_initials_the_first_in_order_comes_first() -> None:
    people = [(first_keys((name,), Sex.MALE), last_keys(("rey",))) for name in ("paul", "pierre")]
    assert read_initials(people) == read_initials(people[::-1])
    assert read_initials(people)["p", "rey"] == [people[0][0], people[1][0]]


def test_a_mention_and_a_group_do_not_show_their_name() -> None:
    record, mentions = marked(REY)
    named = read_names(mentions)
    assert "rey" not in repr((named, group_names(named, record.documents))).lower()
