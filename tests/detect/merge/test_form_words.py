"""What forms print between values is taken by no detector."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.form_words import of_form, without_sex
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def span_in(marked: str, label: Label) -> tuple[Document, Span]:
    before, _, rest = marked.partition("«")
    inside, _, behind = rest.partition("»")
    text = before + inside + behind
    return Document("n", text), Span(len(before), len(before) + len(inside), label, 0.9, "lookup")


NOTHING = (
    ("SNOMED «386661006»", Label.ORDER_ID),
    ("ATC N«02BE01»", Label.OTHER_ID),
    ("UCD «9231845»", Label.SSN),
    ("code-barres «3400936016217»", Label.OTHER_ID),
    ("Séquence 1.2.«840.10008».5.1.4.1", Label.OTHER_ID),
    ("Dilution 1/«1000000000»", Label.PATIENT_ID),
    ("à l'«Assurance Maladie»", Label.ORGANIZATION),
    ("Téléphone : «NC»\n", Label.LAST_NAME),
    ("Renouvellement\n«NC»\n", Label.FIRST_NAME),
    ("MUTUELLE : «NC»   TUTELLE", Label.ORGANIZATION),
    ("CODE POSTAL : 59474 «Âge» : 39 ans", Label.CITY),
    ("Dr Roux\n«Validé»\n", Label.FIRST_NAME),
    ("Mme «Nom» : ", Label.LAST_NAME),
    ("«Crohn» : non", Label.LAST_NAME),
    ("TENSION CENT SUR «QUATRE-VINGT-CINQ»", Label.OTHER_ID),
    ("Zerrouki Farid «H» 27/02/1961", Label.FIRST_NAME),
    ("«Maisonneuve» D, opérée", Label.LAST_NAME),
    ("«Gustilo» II", Label.LAST_NAME),
    ("Maisonneuve «D»", Label.FIRST_NAME),
    ("«GOLD» D.", Label.LAST_NAME),
    ("ADRESSE PAR «LE SAMU»", Label.LAST_NAME),
    ("prévenu «l'IDE» de garde", Label.LAST_NAME),
    ("MUTUELLE : «EN ATTENTE»\n", Label.ORGANIZATION),
    ("Employeur : «à compléter»\n", Label.ORGANIZATION),
    ("Caisse : «LAMal»", Label.ORGANIZATION),
    ("Forfait par cas : «DRG»", Label.LAST_NAME),
    ("Total;«trois»;;", Label.LAST_NAME),
    ("EXAMEN|RESULTAT|UNITE|«BORNE» INF|BORNE SUP|DRAPEAU\nSODIUM|139", Label.LAST_NAME),
)
SOMETHING = (
    ("IPP «5120347268»", Label.PATIENT_ID),
    ("uniqueId «2.16.840.1.113883.1.99.771204»", Label.ORDER_ID),
    ("demande «1000000001»", Label.ORDER_ID),
    ("Opérateur : «KC»\n", Label.LAST_NAME),
    ("Dr «Maisonneuve» D, urologue", Label.LAST_NAME),
    ("«Lagrange» F 04/08/1939", Label.LAST_NAME),
    ("«Maisonneuve» D. né le 04/08/1939", Label.LAST_NAME),
    ("«Rose» : va bien", Label.FIRST_NAME),
    ("3. Mme «Crohn» : rappeler", Label.LAST_NAME),
    ("Appel de M. «Dupuytren» : va mieux", Label.LAST_NAME),
    ("Dr. «Basedow» : ok", Label.LAST_NAME),
    ("tel «zéro six douze treize quatorze quinze»", Label.PHONE),
    ("«LE VAN» Thi", Label.LAST_NAME),
)


@pytest.mark.parametrize(("marked", "label"), NOTHING)
def test_what_a_form_prints(marked: str, label: Label) -> None:
    assert of_form(*span_in(marked, label))


@pytest.mark.parametrize(("marked", "label"), SOMETHING)
def test_what_names_somebody(marked: str, label: Label) -> None:
    assert not of_form(*span_in(marked, label))


def test_the_sex_before_a_birth_date() -> None:
    doc, span = span_in("Mme «Durand Lucie F» 12/03/1954", Label.LAST_NAME)
    cut = without_sex(span, doc.text)
    assert doc.text[cut.start : cut.end] == "Durand Lucie"
