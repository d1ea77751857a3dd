"""Who else is named in headers is looked for in the text, and is not taken for the patient."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from dpdeid.detect.known_facts.metadata import Metadata
from dpdeid.document import Document
from dpdeid.formats.envelopes.mail import people
from dpdeid.formats.kinds import Origin, Reading, kind_of
from dpdeid.formats.messages.facts import Told
from dpdeid.labels import Label, Role
from tests.formats.documents.made_up import attachment, base64, bundle, message
from tests.formats.documents.marked import engine
from tests.formats.envelopes.test_zips import METADATA, zipped

SAID = "Dr Petit vu. BOIS a signé. Pansement en petits points, langue de bois."
GONE = "Dr [LAST_NAME] vu. [LAST_NAME] a signé. Pansement en petits points, langue de bois."
PEOPLE = "10003456789^BOIS^Jean~10003456788^PETIT^Anne^^^DR"
WITHIN = "10003456789&BOIS&Jean~10003456788&PETIT&Anne"


def document(data: bytes, name: str) -> Document:
    kind = kind_of(name)
    assert kind is not None
    (row,) = kind.reader(BytesIO(data), Origin("", name), Reading())
    assert row.document is not None, row.error
    return row.document


def segment(name: str, number: int, value: str = PEOPLE) -> str:
    return name + "|" * number + value


@pytest.mark.parametrize(
    "told",
    [
        *(segment("PV1", number) for number in (7, 8, 9, 17)),
        *(segment("OBR", number) for number in (16, 32, 33, 34, 35)),
        *(segment("OBR", number, WITHIN) for number in (32, 33, 34, 35)),
        *(segment("TXA", number) for number in (5, 9, 10, 22)),
        segment("ORC", 12),
        segment("PV1", 7, "Dr Jean BOIS~PETIT"),
        "OBX|1|ST|1-1^X^LN||RAS||||||F|||||" + PEOPLE,
    ],
)
def test_staff_of_a_message(told: str) -> None:
    note = document(message(told, f"OBX|9|TX|||{SAID}", kind="ORU^R01").encode(), "m.hl7")
    assert note.known[Label.LAST_NAME] == ("QUEMENEUR", "LE BIHANNIC")
    assert {*note.others[Label.LAST_NAME]} >= {"BOIS", "PETIT"}
    assert GONE in engine()(note).text


def test_a_relative_and_who_wrote_are_known_without_their_titles() -> None:
    told = "NK1|1|LEGRAND^Sylvie^^^Mme|SPO"
    note = document(message(told, "OBX|9|TX|||Mme Legrand, Sylvie").encode(), "m.hl7")
    assert note.others[Label.LAST_NAME] == ("LEGRAND",)
    assert note.others[Label.FIRST_NAME] == ("Sylvie",)
    others = people(["Mlle Anne PETIT <a@b.example>, Consultation Cardiologie <c@d.example>"])
    assert others[Label.FIRST_NAME] == ("Anne",)
    assert others[Label.LAST_NAME] == ("PETIT",)


def test_institutions_and_how_others_are_reached() -> None:
    order = "ORC|" + "|" * 12 + "^PRN^PH^^33^2^98481122|" + "|" * 6
    order += "|CLINIQUE DU REBBERG|12 rue Basse^^TOURS^^37000|0298481123"
    said = "Adressé à Tours (37000), 12 rue basse, clinique du Rebberg. 02 98 48 11 23. Deux tours."
    note = document(message(order, f"OBX|9|TX|||{said}").encode(), "m.hl7")
    assert note.others[Label.HOSPITAL] == ("CH KERVALLON", "CLINIQUE DU REBBERG")
    text = engine()(note).text
    assert text.endswith("Deux tours.")
    for one in ("Tours", "37000", "basse", "Rebberg", "02 98"):
        assert one not in text


@pytest.mark.parametrize("name", ["CARDIOLOGIE", "Cabinet médical", "Laboratoire", "labo", "CH"])
def test_an_institution_that_is_called_by_its_kind_is_none(name: str) -> None:
    note = document(message(segment("OBX", 23, name), "OBX|2|TX|||RAS").encode(), "m.hl7")
    assert note.others[Label.HOSPITAL] == ("CH KERVALLON",)


@pytest.mark.parametrize("name", ["^INCONNU", "^MEDECIN^TRAITANT", "SECRETARIAT", '""', "R854"])
def test_nobody_is_nobody(name: str) -> None:
    note = document(message(segment("PV1", 7, name), "OBX|1|TX|||RAS").encode(), "m.hl7")
    assert Label.LAST_NAME not in note.others


PERSON = "<assignedPerson><name><given>Jean</given><family>BOIS</family></name></assignedPerson>"
PLACE = (
    "<representedOrganization><name>Clinique du Rebberg</name><telecom value='tel:0389111213'/>"
    "<addr><streetAddressLine>3 rue Haute</streetAddressLine><city>Thann</city></addr>"
    "</representedOrganization>"
)
ENTITY = (
    f"<assignedEntity><id root='1.2' extension='810003478912'/>{PERSON}{PLACE}</assignedEntity>"
)
RELATED = ENTITY.replace("assignedEntity", "relatedEntity").replace(
    "assignedPerson", "relatedPerson"
)
ASSOCIATED = (
    ENTITY.replace("assignedEntity", "associatedEntity")
    .replace("assignedPerson", "associatedPerson")
    .replace("representedOrganization", "scopingOrganization")
)


@pytest.mark.parametrize(
    "header",
    [
        f"<author>{ENTITY.replace('Entity', 'Author')}</author>",
        f"<dataEnterer>{ENTITY}</dataEnterer>",
        f"<informant>{ENTITY}</informant>",
        f"<informant>{RELATED}</informant>",
        f"<legalAuthenticator>{ENTITY}</legalAuthenticator>",
        f"<participant typeCode='INF'>{ASSOCIATED}</participant>",
        "<documentationOf><serviceEvent><performer typeCode='PRF'>"
        f"{ENTITY}</performer></serviceEvent></documentationOf>",
        "<componentOf><encompassingEncounter><responsibleParty>"
        f"{ENTITY}</responsibleParty></encompassingEncounter></componentOf>",
    ],
)
def test_staff_of_a_clinical_document(header: str) -> None:
    said = "BOIS a signé. Clinique du Rebberg, 3 rue Haute, Thann, 03 89 11 12 13, 810003478912."
    page = (
        f"<ClinicalDocument xmlns='urn:hl7-org:v3'>{header}<component><nonXMLBody><text "
        f"mediaType='text/plain'>{said}</text></nonXMLBody></component></ClinicalDocument>"
    )
    note = document(page.encode(), "a.xml")
    assert note.known == {}
    assert note.others[Label.LAST_NAME] == ("BOIS",)
    assert note.others[Label.FIRST_NAME] == ("Jean",)
    text = engine()(note).text
    for one in ("BOIS", "Rebberg", "Haute", "Thann", "03 89", "8100"):
        assert one not in text
    inside = message(f"OBX|1|ED|||^text^XML^Base64^{base64(page)}")
    assert document(inside.encode(), "m.hl7").others[Label.STREET] == ("3 rue Haute",)


def test_senders_of_mail_and_authors_of_a_package() -> None:
    mail = f"From: Dr Jean BOIS <jb@a.fr>\r\nTo: Anne PETIT <ap@a.fr>\r\n\r\n{SAID}\r\n"
    note = document(mail.encode(), "a.eml")
    assert note.known == {}
    assert engine()(note).text.startswith(GONE)
    slots = "<Slot name='authorPerson'><ValueList><Value>1^BOIS^Jean</Value><Value>2^PETIT^Anne"
    slots += "</Value></ValueList></Slot></ExtrinsicObject>"
    files = {
        "IHE_XDM/SUBSET01/METADATA.XML": METADATA.replace("</ExtrinsicObject>", slots),
        "IHE_XDM/SUBSET01/A.TXT": SAID,
    }
    note = document(zipped(files), "a.zip")
    assert note.known[Label.LAST_NAME] == ("QUEMENEUR",)
    assert engine()(note).text == GONE


def test_a_name_of_both_is_the_patients() -> None:
    note = Document(
        "a",
        "Mme BOIS, vue par le Dr ROSE.",
        known={Label.LAST_NAME: ("Bois",)},
        others={Label.LAST_NAME: ("Bois", "Rose")},
    )
    assert {(span.start, span.role) for span in Metadata()(note)} == {
        (4, Role.PATIENT),
        (24, Role.UNKNOWN),
    }


BOIS: dict[str, Any] = {
    "resourceType": "Practitioner",
    "id": "9",
    "name": [{"family": "BOIS", "given": ["Jean"]}],
    "telecom": [{"system": "phone", "value": "tel:0298111213"}],
    "identifier": [{"value": "10003456789"}],
}
PETIT: dict[str, Any] = {
    "resourceType": "RelatedPerson",
    "id": "8",
    "patient": {"reference": "Patient/patient-77"},
    "name": [{"text": "Mme Anne PETIT"}],
}
KERBOL: dict[str, Any] = {"resourceType": "Organization", "id": "7", "name": "Clinique Kerbol"}
ROLE: dict[str, Any] = {
    "resourceType": "PractitionerRole",
    "id": "6",
    "practitioner": {"reference": "Practitioner/9"},
    "organization": {"reference": "https://fhir.example/Organization/7"},
}
STAY: dict[str, Any] = {
    "resourceType": "Encounter",
    "id": "5",
    "participant": [{"individual": {"reference": "PractitionerRole/6"}}],
}


def test_an_institution_that_is_called_after_the_town_of_the_patient_goes_whole() -> None:
    name = "GRP HOSP UNIVERSITAIRE THANN OUEST SITE G SCHAEFFLI"
    known = {Label.CITY: ("Thann",), Label.LAST_NAME: ("Petit",)}
    others = {Label.HOSPITAL: (name,), Label.LAST_NAME: ("Petit Bois",)}
    note = Document("a", f"{name}\nVue par Petit Bois", known=known, others=others)
    assert engine()(note).text == "[HOSPITAL]\nVue par [LAST_NAME]"


def test_somebody_with_a_first_name_alone_is_told() -> None:
    told = Told()
    told.somebody("", "Maëlys")
    told.somebody("Dr", "Anne")
    told.somebody("Service", "Accueil")
    told.somebody("")
    assert told.others() == {Label.FIRST_NAME: ("Maëlys", "Anne")}


def noted(**more: Any) -> dict[str, Any]:
    return {
        "resourceType": "DocumentReference",
        "id": "d",
        "subject": {"reference": "Patient/patient-77"},
        "content": [{"attachment": attachment(SAID)}],
        **more,
    }


@pytest.mark.parametrize(
    "resources",
    [
        [noted(author=[{"reference": "Practitioner/9"}]), BOIS],
        [noted(author=[{"reference": "#9"}], contained=[BOIS])],
        [noted(author=[{"reference": "Practitioner/1", "display": "Dr Jean BOIS"}])],
        [noted(authenticator={"display": "Dr Jean BOIS"})],
        [noted(context={"encounter": [{"reference": "Encounter/5"}]}), STAY, ROLE, BOIS, KERBOL],
    ],
)
def test_staff_of_a_resource(resources: list[dict[str, Any]]) -> None:
    note = document(json.dumps(bundle(*resources, PETIT)).encode(), "b.json")
    assert {*note.others[Label.LAST_NAME]} == {"BOIS", "PETIT"}
    assert {*note.others[Label.FIRST_NAME]} == {"Jean", "Anne"}
    assert GONE in engine()(note).text
    if BOIS in resources:
        assert note.others[Label.PROVIDER_ID] == ("10003456789",)
        assert note.others[Label.PHONE] == ("0298111213",)
    if KERBOL in resources:
        assert note.others[Label.HOSPITAL] == ("Clinique Kerbol",)


def test_lines_are_told_of_those_to_whom_they_refer_alone() -> None:
    stranger = {**PETIT, "id": "4", "patient": {"reference": "Patient/2"}}
    lines = (noted(custodian={"reference": "Organization/7"}), KERBOL, BOIS, stranger)
    note = document("\n".join(map(json.dumps, lines)).encode(), "b.ndjson")
    assert note.others == {Label.HOSPITAL: ("Clinique Kerbol",)}


def test_who_is_to_be_called_for_a_patient_is_another() -> None:
    made = bundle(noted())
    made["entry"][0]["resource"]["contact"] = [
        {"name": {"family": "LEGRAND"}, "telecom": [{"system": "phone", "value": "0298141516"}]}
    ]
    note = document(json.dumps(made).encode(), "b.json")
    assert note.others[Label.LAST_NAME] == ("LEGRAND",)
    assert note.others[Label.PHONE] == ("0298141516",)
    assert "LEGRAND" not in note.known[Label.LAST_NAME]


def test_resources_in_a_circle_are_told_once() -> None:
    role = {**ROLE, "organization": {"reference": "Organization/7"}}
    kerbol = {**KERBOL, "partOf": {"reference": "PractitionerRole/6"}}
    made = bundle(noted(author=[{"reference": "PractitionerRole/6"}]), role, kerbol, BOIS)
    note = document(json.dumps(made).encode(), "b.json")
    assert note.others[Label.HOSPITAL] == ("Clinique Kerbol",)
