from __future__ import annotations

from dataclasses import replace

import pytest

from dpdeid.labels import Label, Role, Sex
from dpdeid.substitute.people.clusters import group_names, read_names
from dpdeid.substitute.people.linking import known_names
from dpdeid.substitute.people.sexes import Sexes, sexes
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
        (f"Père : {NAME}", Sex.MALE),
        (f"son mari, {NAME}", Sex.MALE),
        (f"mon marie (mari) {NAME}", Sex.MALE),
        (f"sa sœur aînée {NAME}", Sex.FEMALE),
        (f"Conjoint : {NAME}", Sex.UNKNOWN),
        (f"son conjoint {NAME}", Sex.MALE),
        (f"Dre {NAME}", Sex.FEMALE),
        (f"vu avec sa fille, Dr {NAME}", Sex.UNKNOWN),
        (f"Détenu {NAME} , né le 3", Sex.MALE),
        (f"Détenu : {NAME}", Sex.UNKNOWN),
        (f"la détenue {NAME}", Sex.FEMALE),
        (f"{NAME}, né(e) le 3", Sex.UNKNOWN),
        (f"{NAME} est sorti mardi", Sex.MALE),
        (f"{NAME} est sortie mardi", Sex.FEMALE),
        (f"{NAME} a été vue en août", Sex.FEMALE),
        (f"{NAME}, âgée de 3 ans", Sex.FEMALE),
        (f"{NAME};1979-05-18;M", Sex.MALE),
        (f'"{NAME}","1979-05-18","F","x"', Sex.FEMALE),
        (f"{NAME};CHU;M1", Sex.UNKNOWN),
        (f"PID|1||44||{NAME}^^^MME||19851203|F|||", Sex.FEMALE),
        (f"{NAME} (Titi à la maison), F, 3 ans", Sex.FEMALE),
        (f"{NAME} M 39 ANS", Sex.MALE),
        (f"prénom {NAME}  sexe : F", Sex.FEMALE),
        (f"sexe masculin, prénom {NAME}", Sex.MALE),
        (f"{NAME} sexe : M (F)", Sex.FEMALE),
        (f"{NAME} sexe : M / F", Sex.UNKNOWN),
        (f"sexe : M\n{NAME}", Sex.UNKNOWN),
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


def test_a_pet_name_in_brackets_has_the_sex_of_its_bearer() -> None:
    found = told(f"{NAME} («FIRST_NAME:Titi» à la maison), née le 3", f"Mme {NAME}")
    assert found.of(("titi",), ()) is Sex.FEMALE


def test_one_name_of_a_double_name_has_its_sex() -> None:
    found = told("Mme «FIRST_NAME:Thi Hoa» «LAST_NAME:Rey»", "«FIRST_NAME:Hoa»")
    assert found.of(("hoa",), ()) is Sex.FEMALE


def test_the_field_of_a_form_tells_the_patient_s_sex_only() -> None:
    note = f"Sexe : F\nNom {NAME}"
    assert told(note, role=Role.PATIENT).of(("dominique",), ()) is Sex.FEMALE
    assert told(note, role=Role.RELATIVE).of(("dominique",), ()) is Sex.UNKNOWN
