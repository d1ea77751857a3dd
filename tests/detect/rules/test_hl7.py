"""Names, numbers and places of HL7 v2 messages by their fields; results and codes stay."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.rules import hl7
from dpdeid.document import Document
from dpdeid.labels import Label, Role

MARK = re.compile(r"«[A-Z_]+:([^»]*)»")


def marked(text: str) -> str:
    out, done = "", 0
    for span in sorted(hl7.hl7_fields(Document("hl7", text), ())):
        out += text[done : span.start] + f"«{span.label}:{text[span.start : span.end]}»"
        done = span.end
    return out + text[done:]


HEAD = "MSH|^~\\&|LAB||DPI|||||||\n"


@pytest.mark.parametrize(
    "line",
    [
        "MSH|^~\\&|GAM|«HOSPITAL:CH BERMONT»^x|DPI||«DATE:20240115»«TIME:0932»||ADT"
        "^A01|«ORDER_ID:4412»|P|2.5",
        "PID|1||«PATIENT_ID:8800412»^^^CHB&1.2.9&ISO^PI~«SSN:258112923211843»^^^INS-NIR||"
        "«LAST_NAME:DE LA TOUR»&DE LA^«FIRST_NAME:Anne»^«FIRST_NAME:Anne Rose»^^MME||"
        "«BIRTH_DATE:19581103»|F",
        "PID|1||||«LAST_NAME:ROY»^«FIRST_NAME:Jo»||«BIRTH_DATE:1958»|M|||«STREET:LOT 9 LES FILAOS»^"
        "«STREET:Bât C»^«CITY:CILAOS»^^«ZIP:97413»^«COUNTRY:FRA»^H||«PHONE:0692123456»||FR|"
        "«MARITAL_STATUS:V»||«VISIT_ID:230114477»",
        'PID|1||""||""^""||""|U',
        "PID|1||||||||||||^PRN^PH^^^^^^^^^«PHONE:0298525261»~^NET^Internet^«EMAIL:j@boite.test»~"
        "«FAX:0298525262»^WPN^FX",
        "NK1|1|«LAST_NAME:ROY»^«FIRST_NAME:Yann»|SPO^«KINSHIP:Conjoint»^HL70063||«PHONE:0612345678»",
        "PV1|1|I|«UNIT:CARDIO»^«ROOM:104»^«ROOM:2»^«HOSPITAL:CHX»||||«PROVIDER_ID:10003456786»^"
        "«LAST_NAME:OLLIVIER»^«FIRST_NAME:Paule»^^^DR|«LAST_NAME:MORVAN»^«FIRST_NAME:P»",
        "PV1|1|O|||||||||||||||||«VISIT_ID:230114477»^^^^AN",
        "ORC|RE|«ORDER_ID:PL-88120»|«ORDER_ID:FIL2201»^LAB",
        "OBR|1|«ORDER_ID:PL-88120»||NFS^Numération|||«DATE:20240115»«TIME:083000»",
        "OBX|1|NM|HB^Hb||11.2|g/dL|12.0-16.0|L|||F|||«DATE:20240115»«TIME:0911»",
        "TXA|1|CR|TX||||||||«PROVIDER_ID:10003456786»&«LAST_NAME:ROZ»&«FIRST_NAME:Di»^«DATE:2024»",
        "OBX|1|NM|K^POTASSIUM||5.9|mmol/L|3.4-4.5|HH",
        "NTE|1||Appelé le Dr Roy à 8h",
        "OBX|1|NM|K^POTASSIUM||5.9|mmol/L|3.4-4.5|HH|||F|||||bio",
        "OBX|1|NM|K^POTASSIUM||5.9|mmol/L|3.4-4.5|HH|||F|||||«LAST_NAME:roy»",
    ],
)
def test_fields_hold_what_the_standard_says(line: str) -> None:
    plain = MARK.sub(r"\1", line)
    text = plain if line.startswith(("MSH", "PID")) else HEAD + plain
    assert marked(text).splitlines()[-1] == line


def test_segments_on_one_line_are_told_apart() -> None:
    text = "PID|1||A771||ROY^ANNE OBX|1|NM|CREA||88|umol/L|45-84"
    assert marked(text) == (
        "PID|1||«PATIENT_ID:A771»||«LAST_NAME:ROY»^«FIRST_NAME:ANNE» OBX|1|NM|CREA||88|umol/L|45-84"
    )


@pytest.mark.parametrize("text", ["| PID | ROY | ANNE |", "IPP|4412\nNTE|1|Roy", "a|b|c", ""])
def test_other_tables_are_left(text: str) -> None:
    assert list(hl7.hl7_fields(Document("x", text), ())) == []


def test_roles_follow_the_segment() -> None:
    text = "PID|1||||ROY^Jo\nNK1|1|ROY^Al\nPV1|1|I|||||7^ROZ^Di"
    roles = [s.role for s in hl7.hl7_fields(Document("x", text), ()) if s.label in ("LAST_NAME",)]
    assert roles == [Role.PATIENT, Role.RELATIVE, Role.STAFF]


@pytest.mark.parametrize(
    ("segment", "word", "coded"),
    [
        ("OBX|1|NM|HB^Hemo||11.2|g/dL|12.0-16.0|L", "12.0-16.0", True),
        ("OBX|1|NM|HB^Hemo||11.2|g/dL|12.0-16.0|L", "Hemo", True),
        ("OBX|1|NM|HB^Hemo||11.2|g/dL|12.0-16.0|L", "OBX", True),
        ("OBX|1|TX|COM^Texte||vu par Roustan|", "Roustan", False),
        ("PV1|1|I|||||7^ROZ^Di", "ROZ", False),
        ("NTE|1||vu par Roustan", "Roustan", False),
        ("vu par Roustan (| droit)", "Roustan", False),
    ],
)
def test_codes_and_measures_name_nobody(segment: str, word: str, coded: bool) -> None:
    text = f"{HEAD}{segment}\nfin"
    assert hl7.is_coded(text, text.index(word)) is coded
    assert not hl7.is_coded(segment, segment.index(word))  # no message: nothing is known of it


@given(st.lists(st.text("MSHPID^~&\\\n 09AZé", max_size=8), max_size=30))
def test_any_fields_give_spans_inside_them(fields: list[str]) -> None:
    text = f"{HEAD}PID|1||8800412|{'|'.join(fields)}"
    spans = list(hl7.hl7_fields(Document("x", text), ()))
    assert spans[0].label is Label.PATIENT_ID
    for span in spans:
        assert text[span.start : span.end].strip() == text[span.start : span.end] != ""
        assert "|" not in text[span.start : span.end]
