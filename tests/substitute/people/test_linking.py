from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dpdeid.labels import Label, Role, Sex
from dpdeid.substitute.people.clusters import Named, read_names
from dpdeid.substitute.people.linking import known_names, link_names
from tests.substitute.making import marked

KNOWN = {Label.LAST_NAME: ("Kervella",), Label.FIRST_NAME: ("Pascal",)}


def linked(*notes: str, role: Role = Role.UNKNOWN, **facts: object) -> list[Named]:
    record, mentions = marked(*notes, **facts)
    mentions = [m._replace(span=replace(m.span, role=role)) for m in mentions]
    known = known_names(record.documents)
    return link_names(read_names(mentions), record.documents, known)


def keys(*notes: str, known: object = None, role: Role = Role.UNKNOWN) -> list[str]:
    """The names of each mention."""
    return [" ".join(n.keys) for n in linked(*notes, role=role, known=known or KNOWN)]


@pytest.mark.parametrize(
    "slip", ["Kervela", "KERVELLAS", "Kervalla", "Kevrella", "kervellla", "Hervella"]
)
def test_one_slip_of_the_known_surname_is_that_name(slip: str) -> None:
    assert keys(f"M. «LAST_NAME:{slip}», M. «LAST_NAME:Kervella»") == ["kervella", "kervella"]


@pytest.mark.parametrize("other", ["Kerval", "Kervadec", "Kermela"])
def test_two_slips_are_another_name(other: str) -> None:
    assert keys(f"M. «LAST_NAME:{other}»") == [other.lower()]


def test_a_slip_beside_the_known_first_name_or_its_initial() -> None:
    assert keys("«FIRST_NAME:Pascal» «LAST_NAME:Kervela»")[1] == "kervella"
    assert keys("«FIRST_NAME:P.» «LAST_NAME:Kervela»")[1] == "kervella"


@pytest.mark.parametrize(
    "note",
    [
        "Dr «LAST_NAME:Kervela»",
        "le docteur «LAST_NAME:Kervela»",
        "«FIRST_NAME:Louise» «LAST_NAME:Kervela»",
        "«LAST_NAME:Kervela» «FIRST_NAME:J.»",
    ],
)
def test_somebody_else_keeps_a_name_one_letter_away(note: str) -> None:
    assert "kervela" in keys(note)
    assert "kervela" in keys(note, f"suivi : M. {note[note.index('«LAST') :]}")


def test_a_caregiver_keeps_a_name_one_letter_away() -> None:
    assert keys("«LAST_NAME:Kervela»", role=Role.STAFF) == ["kervela"]


def test_names_that_are_both_known_stay_two() -> None:
    known = {Label.LAST_NAME: ("Marin", "Martin")}
    assert keys("«LAST_NAME:Marin» «LAST_NAME:Martin»", known=known) == ["marin", "martin"]


def test_without_facts_a_slip_alone_is_another_name() -> None:
    named = linked("«LAST_NAME:Kervel», «LAST_NAME:Kervet»")
    assert [n.keys for n in named] == [("kervel",), ("kervet",)]


def test_short_names_have_no_slips() -> None:
    assert keys("«LAST_NAME:Reys»", known={Label.LAST_NAME: ("Rey",)}) == ["reys"]


def test_a_first_name_of_its_own_is_a_slip_only_as_the_patient_s() -> None:
    assert keys("«FIRST_NAME:Pascale»") == ["pascale"]
    assert keys("«FIRST_NAME:Pascale»", role=Role.PATIENT) == ["pascal"]
    assert keys("«FIRST_NAME:Pasca»") == ["pascal"]


def test_particles_count_as_letters_of_a_known_name() -> None:
    known = {Label.LAST_NAME: ("Le Goff",)}
    assert keys("«LAST_NAME:LE GOF», «LAST_NAME:LeGofff»", known=known) == ["goff", "goff"]


def test_a_name_broken_at_the_end_of_a_line_is_mended_if_it_is_known_whole() -> None:
    assert keys("«LAST_NAME:Ker-\nvella»") == ["kervella"]
    assert keys("«LAST_NAME:Ker-\nvadec»") == ["ker vadec"]
    assert keys("«LAST_NAME:Le\nGall», «LAST_NAME:LeGall»") == ["gall", "gall"]
    assert keys("«LAST_NAME:Ker-\nvadec», «LAST_NAME:KERVADEC»") == ["kervadec", "kervadec"]


def test_a_particle_is_parted_only_where_the_record_parts_it() -> None:
    assert keys("«LAST_NAME:Legoff»") == ["legoff"]
    assert keys("«LAST_NAME:Legoff», «LAST_NAME:Le Goff»") == ["goff", "goff"]
    assert keys("«LAST_NAME:Legoff»", known={Label.LAST_NAME: ("Le Goff",)}) == ["goff"]


def given(named: Sequence[Named]) -> list[bool]:
    return [one.given for one in named]


def test_a_known_surname_is_one_whatever_its_label_but_beside_a_surname() -> None:
    known = {Label.LAST_NAME: ("Martin",), Label.FIRST_NAME: ("Anne",)}
    note = "M. «FIRST_NAME:Martin» ; Dr «FIRST_NAME:Martin» «LAST_NAME:Dupuis»"
    assert given(linked(note, known=known)) == [False, True, False]


def test_known_reads_all_notes_and_their_sex() -> None:
    record, _ = marked("", known=KNOWN, sex=Sex.MALE)
    other, _ = marked("", known={Label.LAST_NAME: ("de La Tour",)})
    facts = known_names((*record.documents, *other.documents))
    assert facts.lasts == {"kervella", "tour"}
    assert facts.firsts == {"pascal"}
    assert facts.names == ((("pascal",), ("kervella",)), (("pascal",), ("tour",)))
    assert facts.sex is Sex.MALE
    assert facts.parted["latour"] == ("la", "tour")
    assert "kervella" not in repr(facts)
