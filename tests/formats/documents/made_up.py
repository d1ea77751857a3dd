"""A made-up patient with her letter, as FHIR resources and HL7 messages: all in one place."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

LETTER = """\
CENTRE HOSPITALIER DE KERVALLON
Service de cardiologie – Dr Solène KERVADEC

Compte rendu d'hospitalisation de Mme QUEMENEUR Armelle, née LE BIHANNIC le 14/03/1951,
IPP 8004512377, NIR 2 51 03 29 155 042 81. Tél. 06 44 91 27 35.
Elle demeure 18 rue des Goélands, 29217 PLOUGONVELIN.

Hospitalisée du 06/11/2023 au 09/11/2023 pour fibrillation atriale rapide à 140/min.
TA 128/76 mmHg, FEVG 45 %, HbA1c 7,2 %, créatinine 84 µmol/L.
Apixaban 5 mg x 2/j, bisoprolol 2,5 mg.
Mme QUEMENEUR sera revue par le Dr KERVADEC. Contact : armelle.quemeneur@exemple.fr
"""
IDENTIFIERS = (
    *("QUEMENEUR", "Armelle", "BIHANNIC", "8004512377", "155042", "155 042", "06 44 91 27 35"),
    *("0644912735", "Goélands", "PLOUGONVELIN", "armelle", "14/03/1951", "19510314"),
    *("1951-03-14", "KERVADEC", "Solène", "06/11/2023", "09/11/2023", "2023-11-09", "20231109"),
    *("KERVALLON", "SECRETAIRE", "DOSSIER-77", "patient-77", "10003456789"),
)
"""What no release under `redact` may hold, in any case."""
MEDICINE = (
    *("fibrillation atriale rapide à 140/min", "TA 128/76 mmHg", "FEVG 45 %", "HbA1c 7,2 %"),
    *("créatinine 84 µmol/L", "Apixaban 5 mg x 2/j", "bisoprolol 2,5 mg"),
)
PAGE = (
    "<html><head><title>QUEMENEUR</title><style>p{}</style></head><body onload='x(1)'>"
    "<!-- Mme QUEMENEUR --><p class='Armelle'>Mme&nbsp;QUEMENEUR, vue le 06/11/2023.</p>"
    "<table><tr><td colspan='2'>FEVG</td><td>45 %</td></tr></table>"
    "<img src='data:image/png;base64,AAAA' alt='Armelle QUEMENEUR'><script>'QUEMENEUR'</script>"
)


def base64(text: str | bytes, encoding: str = "utf-8") -> str:
    return b64encode(text.encode(encoding) if isinstance(text, str) else text).decode()


def pdf(*lines: str) -> bytes:
    """A page with lines of text."""
    shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
    content = f"BT /F1 10 Tf 60 780 Td {shown}ET".encode("cp1252")
    new = b"%PDF-1.4\n"
    for number, body in enumerate(
        (
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
            b"/Resources<</Font<</F1 5 0 R>>>>>>",
            b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        ),
        1,
    ):
        new += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return new + b"trailer<</Root 1 0 R>>\n%%EOF"


def patient() -> dict[str, Any]:
    return {
        "resourceType": "Patient",
        "id": "patient-77",
        "identifier": [
            {
                "type": {"coding": [{"code": "PI"}]},
                "system": "urn:oid:1.2.250.1.71.4.2.7",
                "value": "8004512377",
            },
            {"system": "urn:oid:1.2.250.1.213.1.4.8", "value": "251032915504281"},
        ],
        "name": [
            {"use": "official", "family": "QUEMENEUR", "given": ["Armelle"]},
            {"use": "maiden", "family": "LE BIHANNIC"},
        ],
        "gender": "female",
        "birthDate": "1951-03-14",
        "address": [
            {"line": ["18 rue des Goélands"], "city": "PLOUGONVELIN", "postalCode": "29217"}
        ],
        "telecom": [
            {"system": "phone", "value": "+33644912735"},
            {"system": "email", "value": "armelle.quemeneur@exemple.fr"},
        ],
    }


def attachment(text: str, media: str = "text/plain", encoding: str = "utf-8") -> dict[str, Any]:
    return {
        "contentType": media,
        "language": "fr-FR",
        "data": base64(text, encoding),
        "title": "CR Mme QUEMENEUR",
        "url": "https://dossier.kervallon.fr/QUEMENEUR.txt",
        "hash": "2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
        "creation": "2023-11-09T16:20:00+01:00",
    }


def reference(**more: Any) -> dict[str, Any]:
    """A DocumentReference of the letter."""
    return {
        "resourceType": "DocumentReference",
        "id": "DOSSIER-77",
        "meta": {"source": "urn:kervallon", "tag": [{"display": "QUEMENEUR"}]},
        "text": {"status": "generated", "div": "<div>CR de Mme QUEMENEUR</div>"},
        "masterIdentifier": {"value": "8004512377"},
        "identifier": [{"value": "8004512377-1"}],
        "status": "current",
        "type": {
            "coding": [
                {"system": "http://loinc.org", "code": "11490-0", "display": "CR QUEMENEUR"},
                {"system": "http://kervallon.fr/types", "code": "QUEMENEUR"},
            ],
            "text": "CR de Mme QUEMENEUR",
        },
        "category": [{"coding": [{"system": "http://loinc.org", "code": "QUEMENEUR"}]}],
        "subject": {"reference": "Patient/patient-77", "display": "Mme QUEMENEUR"},
        "date": "2023-11-09T16:20:00+01:00",
        "author": [{"reference": "#dr", "display": "Dr KERVADEC"}],
        "contained": [{"resourceType": "Practitioner", "id": "dr", "name": [{"text": "KERVADEC"}]}],
        "custodian": {"display": "CH de KERVALLON"},
        "securityLabel": [{"text": "QUEMENEUR"}],
        "description": "CR de Mme QUEMENEUR",
        "extension": [{"url": "http://kervallon.fr/e", "valueString": "QUEMENEUR"}],
        "content": [{"attachment": attachment(LETTER)}],
        "context": {"sourcePatientInfo": {"display": "QUEMENEUR"}},
        **more,
    }


def composition() -> dict[str, Any]:
    def div(text: str) -> dict[str, str]:
        return {
            "status": "generated",
            "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{text}</div>',
        }

    return {
        "resourceType": "Composition",
        "id": "DOSSIER-77",
        "status": "final",
        "type": {"coding": [{"system": "http://loinc.org", "code": "34133-9"}]},
        "title": "Lettre de Mme QUEMENEUR",
        "date": "2023-11-09",
        "author": [{"display": "Dr KERVADEC"}],
        "subject": {"reference": "urn:uuid:5f0b1c52-0000-4000-8000-000000000077"},
        "section": [
            {
                "title": "Antécédents de Mme QUEMENEUR",
                "code": {"coding": [{"system": "http://loinc.org", "code": "11348-0"}]},
                "text": div("<p>Fibrillation atriale &amp; HTA, suivie par le Dr KERVADEC.</p>"),
                "section": [
                    {
                        "title": "Biologie",
                        "text": div("<p title='QUEMENEUR'>HbA1c 7,2 %<br/>FEVG 45 %</p>"),
                    }
                ],
            },
            {"title": "Vide", "entry": [{"reference": "Observation/QUEMENEUR"}]},
            {
                "title": "Suite",
                "text": div("<ul><li>Armelle QUEMENEUR, revue le 06/11/2023</li></ul>"),
            },
        ],
    }


def report() -> dict[str, Any]:
    return {
        "resourceType": "DiagnosticReport",
        "id": "dr-77",
        "status": "final",
        "code": {"text": "Échographie de Mme QUEMENEUR"},
        "conclusionCode": [
            {"coding": [{"system": "http://snomed.info/sct", "code": "49436004"}]},
        ],
        "subject": {"reference": "https://fhir.kervallon.fr/Patient/patient-77/_history/2"},
        "issued": "2023-11-09T10:00:00Z",
        "resultsInterpreter": [{"display": "Dr KERVADEC"}],
        "conclusion": "Mme QUEMENEUR : FEVG 45 %, pas de thrombus.",
        "presentedForm": [attachment(PAGE, "text/html; charset=ISO-8859-1", "latin-1")],
    }


def bundle(*resources: dict[str, Any], kind: str = "collection") -> dict[str, Any]:
    """A bundle with the patient, who is also called by a urn."""
    urn = "urn:uuid:5f0b1c52-0000-4000-8000-000000000077"
    entries = [{"fullUrl": urn, "resource": patient()}, *({"resource": one} for one in resources)]
    return {"resourceType": "Bundle", "type": kind, "id": "QUEMENEUR", "entry": entries}


def message(*segments: str, kind: str = "MDM^T02^MDM_T02", charset: str = "UNICODE UTF-8") -> str:
    """A message with the patient's PID, with segments that end with a carriage return."""
    head = (
        f"MSH|^~\\&|DPI|CH KERVALLON|EAI|CH KERVALLON|20231109162000||{kind}|QUEMENEUR01|P|2.5^FRA^"
        f"2.11|||||FRA|{charset}"
    )
    pid = (
        "PID|1||8004512377^^^CHK&1.2.250.1.71.4.2.7&ISO^PI~251032915504281^^^ASIP-SANTE-INS-NIR"
        "&1.2.250.1.213.1.4.8&ISO^INS||QUEMENEUR^Armelle^Marie^^MME^^D~LE BIHANNIC^Armelle^^^^^L|"
        "|19510314|F|||18 rue des Goélands^^PLOUGONVELIN^^29217^FRA^H||0644912735^PRN^PH~"
        "^NET^Internet^armelle.quemeneur@exemple.fr|||||700123456^^^CHK^AN|251032915504281"
    )
    return "".join(f"{line}\r" for line in (head, pid, *segments))


LETTER_SEGMENTS = (
    "EVN|T02|20231109162000|||10003456789^KERVADEC^Solène",
    "NK1|1|QUEMENEUR^Yann|SPO|18 rue des Goélands|0298481122",
    "PV1|1|I|CARDIO^212^1^CH KERVALLON||||10003456789^KERVADEC^Solène||||||||||||700123456",
    "TXA|1|CN|TX|20231109|10003456789^KERVADEC^Solène|20231109161000|||||SECRETAIRE|DOSSIER-77"
    "|||QUEMENEUR.doc|AU",
    "OBX|1|FT|11490-0^CR de Mme QUEMENEUR^LN||"
    + LETTER.replace("\n", "\\.br\\").replace("&", "\\T\\")
    + "||||||F|||20231109|CH KERVALLON|10003456789^KERVADEC^Solène",
)
RESULT_SEGMENTS = (
    "ORC|RE|DOSSIER-77||||||||||10003456789^KERVADEC^Solène",
    "OBR|1|DOSSIER-77||24323-8^Bilan métabolique^LN|||20231109||||||Mme QUEMENEUR, HTA|||"
    "10003456789^KERVADEC^Solène||||||20231109|||F",
    "OBX|1|NM|2160-0^Créatinine^LN||84|µmol/L^^UCUM|45-84|N|||F|||20231109",
    "OBX|2|SN|CRP^Protéine C réactive^99CHK||<^5|mg/L|<5||||F",
    "OBX|3|CE|29308-4^Diagnostic^LN||I48.0^FA de Mme QUEMENEUR^I10||||||F",
    "OBX|4|TX|CONCL^Conclusion^99CHK||Bilan de Mme QUEMENEUR~FEVG 45 % \\T\\ TA 128/76||||||F",
    "OBX|5|DT|NAIS^Naissance^99CHK||19510314||||||F",
    "NTE|1|L|Prélevé par Solène KERVADEC le 06/11/2023 : non hémolysé",
    "ZXX|QUEMENEUR|Armelle",
)
