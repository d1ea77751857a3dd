from __future__ import annotations

import pytest

from dpdeid.labels import Sex
from dpdeid.substitute.people.clusters import PREFIXES, elides, list_sex, pieces


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("Dupont", False, ["name dupont"]),
        ("de La Tour", False, ["kept de", "kept la", "name tour"]),
        ("Le Goff", False, ["kept le", "name goff"]),
        ("El-Amrani", False, ["kept el", "name amrani"]),
        ("Ben Ali", False, ["kept ben", "name ali"]),
        ("Bel-Martin", False, ["name bel", "name martin"]),
        ("Do-Martin", False, ["name do", "name martin"]),
        ("do Carmo", False, ["kept do", "name carmo"]),
        ("Du-\npont", False, ["kept du", "name pont"]),
        ("della Rovere", False, ["name della", "name rovere"]),
        ("St-Martin", False, ["name saint", "name martin"]),
        ("d'Angelo", False, ["kept d", "name angelo"]),
        ("O'Brien", False, ["kept o", "name brien"]),
        ("Quimerc'h", False, ["name quimerch"]),
        ("DUP0NT", False, ["name dupont"]),
        ("Dupont née Martin", False, ["name dupont", "kept nee", "name martin"]),
        ("Van", False, ["name van"]),
        ("Le", False, ["name le"]),
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
    _, found, _ = pieces(text, given)
    assert [f"{piece.kind} {piece.key}" for piece in found] == expected


def test_a_kept_particle_leaves_no_four_letters() -> None:
    assert max(map(len, PREFIXES)) <= 3


def test_a_piece_does_not_show_its_name() -> None:
    _, found, _ = pieces("Dupont", False)
    assert "dupont" not in repr(found)


@pytest.mark.parametrize(("name", "told"), [("alain", True), ("jean", False), ("helene", None)])
def test_spelling_tells_an_elision_but_for_h_and_y(name: str, told: bool | None) -> None:
    assert elides(name) is told


def test_list_sex_reads_compound_names_by_their_first_part() -> None:
    assert list_sex(("jean", "marie")) is Sex.MALE
    assert list_sex(("anne", "marie")) is Sex.FEMALE
    assert list_sex(("zzz",)) is Sex.UNKNOWN
