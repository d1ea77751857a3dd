"""A clinical document keeps its shape, its codes and its narrative, and loses who it is about."""

from __future__ import annotations

import datetime as dt
import re
from xml.etree import ElementTree

import pytest

from dpdeid.labels import Label, Sex
from tests.formats.documents.made_up import PAGE, base64, pdf
from tests.formats.documents.marked import released, row_of, untouched

LETTER = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="schaeffli.xsl"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="urn:hl7-org:v3 file:///S:/schaeffli/CDA.xsd">
  <!-- export de MME SCHAEFFLI -->
  <realmCode code="FR"/>
  <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
  <templateId root="1.2.250.1.213.1.1.1.21" extension="2021.01"/>
  <templateId root="1.2.250.1.999.7.1.1"/>
  <id root="1.2.250.1.999.7.2" extension="LDL-884213"/>
  <code code="34112-3" codeSystem="2.16.840.1.113883.6.1" codeSystemName="LOINC"
      displayName="Lettre de liaison à la sortie"/>
  <title>Lettre de liaison de Mme Odile SCHAEFFLI</title>
  <effectiveTime value="20231107103000+0100"/>
  <confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/>
  <languageCode code="fr-FR"/>
  <setId root="1.2.250.1.999.7.3" extension="SET-55120"/>
  <versionNumber value="2"/>
  <recordTarget>
    <patientRole>
      <id root="1.2.250.1.213.1.4.8" extension="258032912345678"/>
      <id root="1.2.250.1.999.7.9" extension="80045521"/>
      <addr use="H"><houseNumber>14</houseNumber><streetName>rue des Tanneurs</streetName>
        <postalCode>68100</postalCode><city>Mulhouse</city></addr>
      <telecom use="MC" value="tel:0698765432"/>
      <telecom value="mailto:odile.schaeffli@exemple.fr"/>
      <patient>
        <name><given>Odile</given><family qualifier="BR">Wurtzler</family>
          <family qualifier="SP">SCHAEFFLI</family></name>
        <administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1"/>
        <birthTime value="19580312"/>
        <maritalStatusCode code="M" codeSystem="2.16.840.1.113883.5.2"/>
        <guardian><guardianPerson><name>Wurtzler Jean</name></guardianPerson></guardian>
        <birthplace><place><addr><city>Thann</city></addr></place></birthplace>
      </patient>
    </patientRole>
  </recordTarget>
  <author>
    <time value="20231107101500+0100"/>
    <assignedAuthor>
      <id root="1.2.250.1.71.4.2.1" extension="810003478912"/>
      <code code="G15_10/SM26" displayName="Médecin - Médecine interne"
          codeSystem="1.2.250.1.213.1.1.4.5"/>
      <assignedPerson><name><prefix>DR</prefix><family>KESTENHOLZ</family></name></assignedPerson>
      <representedOrganization><name>Clinique du Rebberg</name></representedOrganization>
    </assignedAuthor>
  </author>
  <custodian><assignedCustodian><representedCustodianOrganization>
    <id root="1.2.250.1.71.4.2.2" extension="680020336"/><name>Clinique du Rebberg</name>
  </representedCustodianOrganization></assignedCustodian></custodian>
  <relatedDocument typeCode="RPLC"><parentDocument><id extension="LDL-884212" root="1.2"/>
  </parentDocument></relatedDocument>
  <componentOf><encompassingEncounter><id root="1.2.9" extension="230911774"/>
    <effectiveTime><low value="20231101"/><high value="20231107"/></effectiveTime>
  </encompassingEncounter></componentOf>
  <component><structuredBody><component><section>
    <templateId root="1.3.6.1.4.1.19376.1.5.3.1.3.5"/>
    <id root="e4c1a0d2-77aa-4b1e-9a55-0c6f2f5f8810"/>
    <code code="11493-4" codeSystem="2.16.840.1.113883.6.1"/>
    <title>Synthèse</title>
    <text><paragraph>Mme <content styleCode="Bold">SCHAEFFLI</content> Odile, née Wurtzler le
      12/03/1958, a été hospitalisée du 01/11/2023 au 07/11/2023 pour une pneumopathie.</paragraph>
      <list listType="unordered"><item ID="schaeffli-1">CRP &lt; 5 mg/L, HbA1c 7,2 %</item>
      <item>Amoxicilline 1 g x 3/j, 7 jours</item></list>
      <table border="1"><tbody><tr><td>Hémoglobine</td><td>13,2 g/dL</td></tr></tbody></table>
      <renderMultiMedia referencedObject="scan-schaeffli"/>
      <linkHtml href="http://rebberg.fr/80045521">IPP 80045521</linkHtml>
      <paragraph>Tél. 06 98 76 54 32</paragraph></text>
    <entry><observation classCode="OBS" moodCode="EVN">
      <id extension="OBS-5561" root="1.2.9"/>
      <code code="718-7" codeSystem="2.16.840.1.113883.6.1" displayName="Hémoglobine"/>
      <text><reference value="#schaeffli-1"/></text>
      <statusCode code="completed"/>
      <effectiveTime value="20231106083000"/>
      <value xsi:type="PQ" value="13.2" unit="g/dL"/>
      <performer><assignedEntity><id extension="810003478912" root="1.2"/></assignedEntity>
      </performer>
      <entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">
        <code code="LOC-12" codeSystem="1.2.250.1.999.7.44" displayName="Score interne"/>
        <value xsi:type="TS" value="20231105"/></observation></entryRelationship>
      <referenceRange><observationRange><value xsi:type="IVL_PQ"><low value="12.0" unit="g/dL"/>
        <high value="16.0" unit="g/dL"/></value></observationRange></referenceRange>
    </observation></entry>
    <entry><substanceAdministration classCode="SBADM" moodCode="INT">
      <effectiveTime xsi:type="IVL_TS"><low value="20231101"/><width value="7" unit="d"/>
      </effectiveTime>
      <effectiveTime xsi:type="PIVL_TS" operator="A"><period value="8" unit="h"/></effectiveTime>
      <doseQuantity value="1" unit="g"/>
      <consumable><manufacturedProduct><manufacturedMaterial>
        <code code="J01CA04" codeSystem="2.16.840.1.113883.6.73" displayName="Amoxicilline"/>
        <name>Amoxicilline 1 g comprimé</name><lotNumberText>LT99812</lotNumberText>
      </manufacturedMaterial></manufacturedProduct></consumable>
    </substanceAdministration></entry>
  </section></component></structuredBody></component>
</ClinicalDocument>
"""
SCANNED = base64(pdf("Mme Schaeffli < 5 mg/L", "IPP 80045521"))
GONE = (
    "schaeffli", "odile", "wurtzler", "19580312", "12/03/1958", "258032912345678", "80045521",
    "tanneurs", "68100", "mulhouse", "thann", "0698765432", "06 98 76", "exemple.fr", "ldl-884",
    "set-55120", "kestenholz", "rebberg", "810003478912", "680020336", "230911774", "20231101",
    "202311", "01/11/2023", "07/11/2023", "e4c1a0d2", "obs-5561", "loc-12", "1.2.250.1.999",
    "1.2.250.1.71", "lt99812", "scan-",
)  # fmt: skip
STAYS = (
    '<code code="718-7" codeSystem="2.16.840.1.113883.6.1" displayName="Hémoglobine"/>',
    '<value xsi:type="PQ" value="13.2" unit="g/dL"/>',
    '<low value="12.0" unit="g/dL"/>',
    '<width value="7" unit="d"/>',
    '<period value="8" unit="h"/>',
    '<doseQuantity value="1" unit="g"/>',
    "<name>Amoxicilline 1 g comprimé</name>",
    "CRP &lt; 5 mg/L, HbA1c 7,2 %",
    "Amoxicilline 1 g x 3/j, 7 jours",
    "<td>Hémoglobine</td><td>13,2 g/dL</td>",
    '<content styleCode="Bold">',
    '<typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>',
    '<statusCode code="completed"/>',
)


def names(data: bytes) -> list[str]:
    return [one.tag.rpartition("}")[2] for one in ElementTree.fromstring(data).iter()]


@pytest.mark.parametrize("policy", ["redact", "dp", "aphp"])
def test_a_letter_is_released_as_one(policy: str) -> None:
    data, _ = released(LETTER.encode(), "lettre.xml", policy)
    text = data.decode()
    left = [word for word in GONE if word in text.lower()]
    if policy == "dp":  # draws towns, which may be the same
        left = [word for word in left if word not in ("mulhouse", "thann")]
    assert left == []
    assert [part for part in STAYS if part not in text] == []


def test_the_shape_stays() -> None:
    data, _ = released(LETTER.encode(), "lettre.xml")
    assert names(data)[:8] == [
        "ClinicalDocument", "realmCode", "typeId", "templateId", "id", "code", "title",
        "effectiveTime",
    ]  # fmt: skip
    masked = '<patientRole>\n      <id nullFlavor="MSK"/>'
    assert masked in data.decode()
    assert '<effectiveTime><low nullFlavor="MSK"/><high nullFlavor="MSK"/>' in data.decode()


def test_entries_still_refer_to_the_narrative() -> None:
    text = untouched(LETTER.encode(), "lettre.xml").decode()
    (number,) = re.findall(r'<item ID="(\w+)">', text)
    assert f'<text><reference value="#{number}"/></text>' in text


def test_the_header_tells_of_the_patient() -> None:
    document = row_of(LETTER.encode(), "lettre.xml").document
    assert document is not None
    assert document.known == {
        Label.FIRST_NAME: ("Odile",),
        Label.LAST_NAME: ("Wurtzler", "SCHAEFFLI"),
        Label.BIRTH_DATE: ("1958-03-12",),
        Label.STREET: ("14 rue des Tanneurs",),
        Label.CITY: ("Mulhouse", "Thann"),
        Label.ZIP: ("68100",),
        Label.PHONE: ("0698765432",),
        Label.EMAIL: ("odile.schaeffli@exemple.fr",),
        Label.SSN: ("258032912345678",),
        Label.PATIENT_ID: ("80045521",),
        Label.VISIT_ID: ("LDL-884213", "SET-55120", "LDL-884212", "230911774"),
    }
    assert (document.sex, document.patient_id) == (Sex.FEMALE, "80045521")
    assert document.note_date == dt.date(2023, 11, 7)


def test_prefixes_are_read() -> None:
    prefixed = re.sub(r"<(/?)(?=[A-Za-z])", r"<\1c:", LETTER).replace("xmlns=", "xmlns:c=")
    data, _ = released(prefixed.encode(), "lettre.xml")
    assert [word for word in GONE if word in data.decode().lower()] == []
    assert names(data) == names(released(LETTER.encode(), "lettre.xml")[0])


@pytest.mark.parametrize(
    "unknown",
    [
        "<sdtcNickname>Schaeffli</sdtcNickname>",
        "<observationMedia><value representation='B64'>U2NoYWVmZmxp</value></observationMedia>",
        "<entryRelationship>Schaeffli</entryRelationship>",
        "<performer schaeffli='1' classCode='SCHAEFFLI-80045521'/>",
        "<observation><value xsi:type='II' extension='Schaeffli'/></observation>",
        "<observation><value xsi:type='ED' representation='B64'>U2NoYWVmZmxp</value></observation>",
        "<observation><value xsi:type='ED' mediaType='a/b'>U2NoYWVmZmxp</value></observation>",
    ],
)
def test_what_no_list_has_goes(unknown: str) -> None:
    whole = LETTER.replace("<entry>", f"<entry>{unknown}", 1)
    text = untouched(whole.encode(), "lettre.xml").decode()
    inside = text[text.index("<entry>") : text.index('<observation classCode="OBS"')]
    assert "schaeffli" not in inside.lower()
    assert "U2NoYWVmZmxp" not in text


@pytest.mark.parametrize(
    ("attributes", "held"),
    [
        ("mediaType='application/pdf' representation='B64'", SCANNED),
        ("mediaType='application/pdf'", SCANNED),
        ("", SCANNED),
        ("mediaType='text/plain' representation='B64'", base64("Mme Schaeffli < 5 mg/L\n80045521")),
        ("mediaType='text/html' representation='B64'", base64("<p>Mme Schaeffli &lt; 5 mg/L</p>")),
    ],
)
def test_the_words_of_an_embedded_body_are_released_as_text(attributes: str, held: str) -> None:
    pytest.importorskip("pdfminer")
    whole = with_body(f"<text {attributes}>{held}</text>")
    data, _ = released(whole, "lettre.xml")
    (text,) = ElementTree.fromstring(data).iter("{urn:hl7-org:v3}nonXMLBody")
    assert (text[0].attrib, len(text[0])) == ({"mediaType": "text/plain"}, 0)
    said = (text[0].text or "").strip()
    assert said.startswith("Mme [LAST_NAME] < 5 mg/L")
    assert [word for word in GONE if word in data.decode().lower()] == []


@pytest.mark.parametrize(
    ("attributes", "held", "error"),
    [
        ("mediaType='application/pdf' representation='B64'", "JVBER", "no Base64, or cut short"),
        ("mediaType='application/pdf'", "", "lies in another file, or is compressed"),
        (
            "mediaType='application/octet-stream' representation='B64'",
            "0M8R4KGxGuE=",
            "of a kind that is not read here (.doc)",
        ),
        ("mediaType='text/plain' representation='B64'", SCANNED, "said to be .txt, and its first"),
        ("mediaType='application/pdf' representation='B64'", base64(PAGE), "damaged, or no .pdf"),
        (
            "mediaType='application/pdf' representation='B64'",
            base64("%PDF-1.4"),
            "damaged: its pag",
        ),
    ],
)
def test_a_body_that_cannot_be_read_is_an_error(attributes: str, held: str, error: str) -> None:
    pytest.importorskip("pdfminer")
    row = row_of(with_body(f"<text {attributes}>{held}</text>"), "lettre.xml")
    assert row.document is None
    assert row.error.startswith(f"file lettre.xml › body: {error}")


@pytest.mark.parametrize("attributes", ["", "mediaType='text/plain'"])
def test_a_body_that_is_a_text_is_read(attributes: str) -> None:
    data, _ = released(with_body(f"<text {attributes}>Mme Schaeffli va bien</text>"), "lettre.xml")
    assert "Mme [LAST_NAME] va bien</text></nonXMLBody>" in data.decode()


def with_body(text: str) -> bytes:
    body = f"<nonXMLBody>{text}</nonXMLBody>"
    start, end = LETTER.index("<structuredBody>"), LETTER.index("</structuredBody>")
    whole = LETTER[:start] + body + LETTER[end + len("</structuredBody>") :]
    return whole.encode()
