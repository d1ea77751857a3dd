"""Where a decided span ends."""

from __future__ import annotations

import pytest

from dpdeid.detect.decision.vote import _without_leads
from dpdeid.detect.merge.ends import is_fraction, parted, without_tail
from dpdeid.document import Document, Span
from dpdeid.labels import Label


@pytest.mark.parametrize(
    ("text", "inside", "fraction"),
    [
        ("CVF 4.11   3.02   73", "02", True),
        ("CVF 4.11   3.02   73", "73", False),
        ("vu le 07.03 ce jour", "03", False),
        ("né le 07.03.1950, Hb 10,2 K 3,4", "1950", False),
        ("pk 18,3 côté mer, Hb 10,2", "3 côté mer", False),
        ("Tél 03.44 55, 10,2", "55", False),
    ],
)
def test_what_begins_within_a_decimal(text: str, inside: str, fraction: bool) -> None:
    start = text.index(inside)
    span = Span(start, start + len(inside), Label.SSN, 0.2, "crf")
    assert is_fraction(span, text) is fraction


@pytest.mark.parametrize(
    ("text", "inside", "label", "kept"),
    [
        ("du 9 au 15 mai", "9 au", Label.DATE, "9"),
        ("les 02, 09 et 16/03", "02,", Label.DATE, "02"),
        ("IPP 702114988   Pédiatrie", "702114988   Pédia", Label.PATIENT_ID, "702114988"),
        ("IPP 702 114  988", "702 114  988", Label.PATIENT_ID, "702 114  988"),
        ("tél 03 22 61 00 14 24h/24", "03 22 61 00 14 24", Label.PHONE, "03 22 61 00 14 "),
        ("tél 03 22 61 00 14 7j/7", "03 22 61 00 14 7j/7", Label.PHONE, "03 22 61 00 14 "),
        ("tél 03 22 61 24 24", "03 22 61 24 24", Label.PHONE, "03 22 61 24 24"),
        (
            "14 rue des Lys\nCP / Ville  : 17000",
            "14 rue des Lys\nCP / Ville",
            Label.STREET,
            "14 rue des Lys",
        ),
        (
            "14 rue des Lys\n17000 Ville : x",
            "14 rue des Lys\n17000 Ville",
            Label.STREET,
            "14 rue des Lys\n17000 Ville",
        ),
        ("Labo du Steir, merci\n", "Labo du Steir, merci", Label.ORGANIZATION, "Labo du Steir"),
        ("labo Kerbio cdt", "labo Kerbio cdt", Label.ORGANIZATION, "labo Kerbio"),
        (
            "HOPITAL DES LYS ET UNE ENTORSE",
            "HOPITAL DES LYS ET UNE ENTORSE",
            Label.HOSPITAL,
            "HOPITAL DES LYS",
        ),
        ("fini le 07/03. O2 au masque", "07/03. O2", Label.DATE, "07/03"),
        ("vu le 07.03. O2O2", "07.03. O2O2", Label.DATE, "07.03. O2O2"),
        ("La Merci, école", "La Merci", Label.ORGANIZATION, "La Merci"),
        ("Institut Kerbio PIRADS 4", "Institut Kerbio PIRADS 4", Label.HOSPITAL, "Institut Kerbio"),
        ("Mme Kerbiou ECMES hier", "Kerbiou ECMES", Label.LAST_NAME, "Kerbiou"),
        ("Mme Kerbiou HDKL hier", "Kerbiou HDKL", Label.LAST_NAME, "Kerbiou HDKL"),
        ("Institut Kerbio HDKL", "Institut Kerbio HDKL", Label.HOSPITAL, "Institut Kerbio HDKL"),
        ("3;a;alb 31\n12 P;b", "31\n12 P", Label.ROOM, "12 P"),
        ("Hb 10,2\n204B Roux", "10,2\n204B", Label.ROOM, "204B"),
        ("12\n14 P", "12\n14 P", Label.ROOM, "12\n14 P"),
        ("Chambre\n12", "Chambre\n12", Label.ROOM, "Chambre\n12"),
        ("♀ 81 a", "♀ 81 a", Label.AGE, "81 a"),
        ("♂45ans", "♂45ans", Label.AGE, "45ans"),
        ("Roux\nMarie : bonjour", "Roux\nMarie", Label.LAST_NAME, "Roux\nMarie"),
        ("Mme Roux  Chirurgie", "Roux  Chirurgie", Label.LAST_NAME, "Roux  Chirurgie"),
        ("a | 3 rue du Lys", "| 3 rue du Lys", Label.STREET, "| 3 rue du Lys"),
        ("x\n\nrue du Lys | b", "\n\nrue du Lys | b", Label.STREET, "\n\nrue du Lys"),
    ],
)
def test_a_span_ends_before_what_is_none_of_it(
    text: str, inside: str, label: Label, kept: str
) -> None:
    start = text.index(inside)
    span = without_tail(Span(start, start + len(inside), label, 0.9, "crf"), text)
    assert text[span.start : span.end] == kept


@pytest.mark.parametrize(
    ("text", "label", "kept"),
    [
        ("ROUX     Marie", Label.LAST_NAME, ["ROUX", "Marie"]),
        ("ROUX\tMarie", Label.LAST_NAME, ["ROUX", "Marie"]),
        ("Jean       64", Label.FIRST_NAME, ["Jean"]),
        ("ROUX  Marie", Label.LAST_NAME, ["ROUX  Marie"]),
        ("12   4471", Label.PATIENT_ID, ["12   4471"]),
        ("7", Label.LAST_NAME, ["7"]),
        ("24 ans   54", Label.AGE, ["24 ans"]),
        ("24 ans", Label.AGE, ["24 ans"]),
        ("Berry Secours   Établissement", Label.ORGANIZATION, ["Berry Secours"]),
        ("Clinique du Parc    Nantes", Label.HOSPITAL, ["Clinique du Parc", "Nantes"]),
        ("Pharmacie", Label.ORGANIZATION, ["Pharmacie"]),
        ("Roux Taxis     Méd", Label.ORGANIZATION, ["Roux Taxis"]),
        ("53124 901\tPFC-IA", Label.OTHER_ID, ["53124 901"]),
        ("60        28        47", Label.PHONE, []),
        ("A21CE774A 05/04/22", Label.OTHER_ID, ["A21CE774A", "05/04/22"]),
        ("12 45/04/22", Label.OTHER_ID, ["12 45/04/22"]),
        ("44|jk|118|colique", Label.OTHER_ID, []),
        ("G|4|0", Label.OTHER_ID, []),
        ("Clermont-Fd      Rang", Label.CITY, ["Clermont-Fd"]),
        ("Nantes      Brest", Label.CITY, ["Nantes", "Brest"]),
        ("7.43   37    85    24.6", Label.PHONE, []),
        ("2|93|04|99|255|310|03", Label.SSN, ["2|93|04|99|255|310|03"]),
        ("D|U|P|O|N|T", Label.LAST_NAME, ["D|U|P|O|N|T"]),
        ("22|06|1945", Label.BIRTH_DATE, ["22|06|1945"]),
        ("20/06/2023;18;22", Label.DATE, ["20/06/2023"]),
        ("NOËL|THIBAUT", Label.LAST_NAME, ["NOËL", "THIBAUT"]),
        ("01 23 45 67 89       06 12 34 56 78", Label.PHONE, ["01 23 45 67 89", "06 12 34 56 78"]),
    ],
)
def test_a_name_ends_with_its_column(text: str, label: Label, kept: list[str]) -> None:
    parts = parted(Span(0, len(text), label, 0.9, "crf"), text)
    assert [text[part.start : part.end] for part in parts] == kept


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dr DE ROUSSEL D'ARGENTEUIL", "DE ROUSSEL D'"),
        ("Dr DE ROUSSEL D'ARGENTEUIL", "DE ROUSSEL D"),
        ("Mme Kieffer de Molsheim", "Kieffer de"),
    ],
)
def test_a_name_ends_before_what_leads_to_its_town(text: str, name: str) -> None:
    start, town = text.index(name), len(text) - len(text.replace("'", " ").split()[-1])
    spans = [
        Span(start, start + len(name), Label.LAST_NAME, 0.9, "crf"),
        Span(town, len(text), Label.CITY, 0.9, "crf"),
    ]
    first, _ = _without_leads(Document("n", text), spans)
    assert text[first.start : first.end] in ("DE ROUSSEL", "Kieffer")
