"""What is released of a CDA R2 document is valid: by its schema (`cda_schema`), and `cda_order`."""

from __future__ import annotations

import time
from xml.etree import ElementTree

import pytest

from dpdeid.formats.documents.cda import mended
from dpdeid.views.plain import reading_of
from tests.formats.documents import cda_schema
from tests.formats.documents.cda_order import faults
from tests.formats.documents.made_up import base64, pdf
from tests.formats.documents.marked import released, untouched
from tests.formats.documents.test_cda import LETTER

_TIME = '<time value="20231107"/>'
_SIGNED = f'{_TIME}<signatureCode code="S"/>'
_ID = '<id root="1.2.250.1.999.7.2" extension="QUEMENEUR-1"/>'
_ADDR = "<addr><streetAddressLine>3 rue Haute</streetAddressLine><city>Thann</city></addr>"
_CALL = '<telecom value="tel:0389111213"/>'
_NAME = "<name><prefix>DR</prefix><given>Jean</given><family>BOIS</family></name>"
_CODE = '<code code="G15_10" codeSystem="1.2.250.1.213.1.1.4.5"/>'
_ORG = f"{_ID}<name>Clinique du Rebberg</name>{_CALL}{_ADDR}"
_IN = f"{_ID}{_CODE}{_ADDR}{_CALL}"
_ENTITY = (
    f"<assignedEntity>{_IN}<assignedPerson>{_NAME}</assignedPerson>"
    f"<representedOrganization>{_ORG}</representedOrganization></assignedEntity>"
)
FULL = f"""<ClinicalDocument xmlns="urn:hl7-org:v3"><realmCode code="FR"/>
<typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
<templateId root="2.16.840.1.113883.2.8.2.1"/><templateId root="1.2.250.1.999.7.1.1"/>{_ID}
<code code="34112-3" codeSystem="2.16.840.1.113883.6.1"/><title>Lettre de Mme QUEMENEUR</title>
<effectiveTime value="20231107103000+0100"/>
<confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/><languageCode code="fr-FR"/>
<setId root="1.2" extension="S-1"/><versionNumber value="1"/><copyTime value="20231108"/>
<recordTarget><patientRole>{_ID}{_ADDR}{_CALL}<patient>{_NAME}
<administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1"/>
<birthTime value="19510314"/><guardian><guardianPerson>{_NAME}</guardianPerson></guardian>
<birthplace><place>{_ADDR}</place></birthplace></patient>
<providerOrganization>{_ORG}</providerOrganization></patientRole></recordTarget>
<author>{_TIME}<assignedAuthor>{_IN}<assignedPerson>{_NAME}</assignedPerson>
<representedOrganization>{_ORG}</representedOrganization></assignedAuthor></author>
<dataEnterer>{_TIME}{_ENTITY}</dataEnterer><informant>{_ENTITY}</informant>
<informant><relatedEntity classCode="ECON">{_CODE}{_ADDR}{_CALL}<relatedPerson>{_NAME}
</relatedPerson></relatedEntity></informant>
<custodian><assignedCustodian><representedCustodianOrganization>{_ORG}
</representedCustodianOrganization></assignedCustodian></custodian>
<informationRecipient><intendedRecipient>{_ID}{_ADDR}{_CALL}<informationRecipient>{_NAME}
</informationRecipient><receivedOrganization>{_ORG}</receivedOrganization></intendedRecipient>
</informationRecipient><legalAuthenticator>{_SIGNED}{_ENTITY}</legalAuthenticator>
<authenticator>{_SIGNED}{_ENTITY}</authenticator>
<participant typeCode="INF">{_TIME}<associatedEntity classCode="PROV">{_IN}<associatedPerson>{_NAME}
</associatedPerson><scopingOrganization>{_ORG}</scopingOrganization></associatedEntity></participant>
<inFulfillmentOf><order>{_ID}</order></inFulfillmentOf>
<documentationOf><serviceEvent>{_ID}{_CODE}<effectiveTime><low value="20231101"/></effectiveTime>
<performer typeCode="PRF">{_ENTITY}</performer></serviceEvent></documentationOf>
<relatedDocument typeCode="RPLC"><parentDocument>{_ID}</parentDocument></relatedDocument>
<authorization><consent>{_ID}{_CODE}<statusCode code="completed"/></consent></authorization>
<componentOf><encompassingEncounter>{_ID}{_CODE}<effectiveTime><low value="20231101"/>
</effectiveTime><responsibleParty>{_ENTITY}</responsibleParty>
<encounterParticipant typeCode="ATND">{_ENTITY}</encounterParticipant>
<location><healthCareFacility>{_ID}</healthCareFacility></location></encompassingEncounter>
</componentOf><component>BODY</component></ClinicalDocument>"""


def body(media: str, data: str) -> str:
    text = f'<text mediaType="{media}" representation="B64">{data}</text>'
    return FULL.replace("BODY", f'<nonXMLBody>{text}<languageCode code="fr-FR"/></nonXMLBody>')


DOCUMENTS = {
    "structured": LETTER,
    "text": body("text/plain", base64("Mme QUEMENEUR vue le 06/11/2023 par le Dr BOIS")),
    "page": body("text/html", base64("<p>Mme <b>QUEMENEUR</b></p>")),
    "rtf": body("text/rtf", base64(rb"{\rtf1 Mme QUEMENEUR}")),
    "pdf": "",
}


@pytest.mark.parametrize("which", DOCUMENTS)
@pytest.mark.parametrize("policy", ["", "redact"])
def test_what_is_released_keeps_the_published_order(which: str, policy: str) -> None:
    if which == "pdf":
        pytest.importorskip("pdfminer")
    given = DOCUMENTS[which] or body("application/pdf", base64(pdf("Mme QUEMENEUR")))
    assert [*faults(ElementTree.fromstring(given))] == [], "else the order says nothing"
    data = given.encode()
    assert cda_schema.faults(data) == []
    data = released(data, "a.xml", policy)[0] if policy else untouched(data, "a.xml")
    root = ElementTree.fromstring(data)
    assert [*faults(root)] == []
    assert cda_schema.faults(data) == []
    if which != "structured":
        (text,) = root.iter("{urn:hl7-org:v3}text")
        assert text.attrib == {"mediaType": "text/plain"}
        assert not [*text]


def observed(display: str, value: str) -> str:
    code = f'<code code="MED-065" displayName="{display}" codeSystem="1.2.250.1.213.1.1.4.322"/>'
    return f'<entry><observation classCode="OBS" moodCode="EVN">{code}{value}</observation></entry>'


def sections(*entries: str) -> str:
    section = f"<section><text>Vue.</text>{''.join(entries)}</section>"
    body = f"<structuredBody><component>{section}</component></structuredBody>"
    space = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    return FULL.replace("BODY", body).replace("<ClinicalDocument", f"<ClinicalDocument {space}", 1)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ('<value xsi:type="INT" value="1951"/>', '<value xsi:type="INT" nullFlavor="MSK"/>'),
        ("<value xsi:type='INT' value='1951'/>", "<value xsi:type='INT' nullFlavor=\"MSK\"/>"),
        ('<value xsi:type="BL" value="true"/>', '<value xsi:type="BL" value="true"/>'),
        ('<value xsi:type="PQ" value="7" unit="g"/>', '<value xsi:type="PQ" value="7" unit="g"/>'),
    ],
)
def test_a_quantity_is_a_quantity_or_masked(given: str, kept: str) -> None:
    display = "Nom de Schaeffli" if "BL" in given else "Année de naissance"
    data = sections(observed(display, given)).encode()
    assert cda_schema.faults(data) == []
    out = released(data, "a.xml")[0]
    assert kept in out.decode()
    assert cda_schema.faults(out) == []


@pytest.mark.parametrize(
    "piece", ["<a ", '<a "', "<a '\"", ' value="', "<a value='", '<a b="\'">', "a"]
)
def test_quantities_are_mended_in_linear_time(piece: str) -> None:
    began = time.process_time()
    mended("<v " + piece * (2_000_000 // len(piece)))
    assert time.process_time() - began < 5


def test_a_truth_is_no_name_of_anybody() -> None:
    reading = reading_of('<nom value="true"/><nom value="Schaeffli"/>')
    assert "Schaeffli" in reading.text
    assert "true" not in reading.text


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ('<value xsi:type="BL" value="durand"/>', "Bad boolean"),
        ('<value xsi:type="INT" value="[DATE]"/>', "Requires integer"),
        ('<value xsi:type="PQ" value="7" weight="g"/>', "value has no weight"),
        ('<statusCode code="a"/><text>Vue</text>', "another order"),
        ("<text>Vue</text><text>Vue</text>", "holds one text"),
        ("<brand/>", "observation holds no brand"),
    ],
)
def test_the_schema_tells_a_fault(given: str, fault: str) -> None:
    found = cda_schema.faults(sections(observed("Poids", given)).encode())
    assert any(fault in one for one in found), found


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (_TIME, "", "no time"),
        ("</patientRole>", "<title/></patientRole>", "title at its place"),
        ("<custodian>", "<title/><custodian>", "no custodian"),
        ("<component>BODY</component>", "", "no component"),
        ("BODY", "<nonXMLBody/>", "nonXMLBody: no text"),
        ("BODY", "", "component without one body"),
    ],
)
def test_a_fault_is_told(old: str, new: str, fault: str) -> None:
    found = [*faults(ElementTree.fromstring(FULL.replace(old, new)))]
    assert any(fault in one for one in found), found
