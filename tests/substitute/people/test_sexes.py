from __future__ import annotations

from dataclasses import replace

import pytest

from dpdeid.labels import Label, Role, Sex
from dpdeid.substitute.people.clusters import group_names, read_names
from dpdeid.substitute.people.linking import Sexes, known_names, sexes
from tests.substitute.making import marked

NAME = "«FIRST_NAME:Dominique» «LAST_NAME:Rey»"


def told(*notes: str, role: Role = Role.UNKNOWN, **facts: object) -> Sexes:
    record, mentions = marked(*notes, **facts)
    mentions = [m._replace(span=replace(m.span, role=role)) for m in mentions]
    known = known_names(record.documents)
    return sexes(group_names(read_names(mentions), record.documents), record.documents, known)


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (f"Mme {NAME}", Sex.FEMALE),
        (f"Monsieur {NAME}", Sex.MALE),
        (f"Mme le Dr {NAME}", Sex.FEMALE),
        (f"sa sœur {NAME}", Sex.FEMALE),
        (f"sa belle-sœur {NAME}", Sex.FEMALE),
        (f"son oncle {NAME}", Sex.MALE),
        (f"la patiente {NAME}", Sex.FEMALE),
        (f"Patiente {NAME}", Sex.FEMALE),
        (f"ce patient {NAME}", Sex.MALE),
        (f"Patient {NAME}", Sex.UNKNOWN),
        (f"Nom du patient {NAME}", Sex.UNKNOWN),
        (f"M. et Mme {NAME}", Sex.UNKNOWN),
        (f"{NAME}, née le 3", Sex.FEMALE),
        (f"{NAME} né le 3", Sex.MALE),
        (f"{NAME} épouse «LAST_NAME:Bonnin»", Sex.FEMALE),
        (NAME, Sex.UNKNOWN),
    ],
)
def test_the_words_around_a_name_tell_its_sex(note: str, expected: Sex) -> None:
    last = ("rey", "bonnin") if "Bonnin" in note else ("rey",)
    assert told(note).of(("dominique",), last) is expected


def test_the_list_tells_where_no_title_does() -> None:
    assert told("«FIRST_NAME:Nathalie»").of(("nathalie",), ()) is Sex.FEMALE


def test_the_hospital_tells_the_patient_s_sex() -> None:
    assert told(NAME, role=Role.PATIENT, sex=Sex.FEMALE).of(("dominique",), ()) is Sex.FEMALE
    assert told(NAME, role=Role.RELATIVE, sex=Sex.FEMALE).of(("dominique",), ()) is Sex.UNKNOWN
    known = {Label.FIRST_NAME: ("Dominique",)}
    assert told(NAME, sex=Sex.FEMALE, known=known).of(("dominique",), ()) is Sex.FEMALE


def test_namesakes_of_either_sex_are_told_apart_by_their_titles() -> None:
    found = told(f"M. {NAME}, Mme «FIRST_NAME:Dominique» «LAST_NAME:Bonnin», {NAME}")
    assert found.of(("dominique",), ("rey",)) is Sex.MALE
    assert found.of(("dominique",), ("bonnin",)) is Sex.FEMALE
    assert found.of(("dominique",), ()) is Sex.UNKNOWN
