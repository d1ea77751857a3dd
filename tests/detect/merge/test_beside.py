"""Words that name nobody for what stands beside them, and names that do."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.beside import creole, is_keyed, is_nobody_beside, keyed
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def told(text: str, word: str) -> bool:
    doc = Document("1", text)
    return is_nobody_beside(doc, doc.tokens.texts.index(word))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("mi sava ek li", "li"),
        ("dit : « mwen ka soufè », puis dort", "soufè"),
        ("StudyDate=20231011; Modality=MR", "Modality"),
        ("PatientSex=M; BodyPartExamined=KNEE", "KNEE"),
        ("Torasemide Spirig 5 mg le matin", "Spirig"),
        ("PARACETAMOL MYLAN 1 g x 3", "MYLAN"),
        ("amlodipine Teva", "Teva"),
        ("Cantons VD/NE/JU/BE", "NE"),
        ("patient FR/BE/LU", "LU"),
        ("asthme GINA palier 4", "GINA"),
        ("oeso: Prague C2M4", "Prague"),
        ("ne parle que le breton", "breton"),
        ("interprète dari demandé", "dari"),
        ("asthme palier 3 GINA", "GINA"),
        ("Jobe 4/5, Constant à 52", "Constant"),
        ("Vittel : oui", "Vittel"),
        ("a remis chaussettes Ted ce soir", "Ted"),
        ("retrait JJ", "JJ"),
        ("pilule : Minerva arrêtée en avril", "Minerva"),
        ("Melodia jamais oubliée", "Melodia"),
        ("Zoely, non prise hier", "Zoely"),
        ("Antigone remplacée par un stérilet", "Antigone"),
        ("Contraception par Yasmin", "Yasmin"),
        ("Kiné selon Leduc", "Leduc"),
        ("PICC LINE BARD 4F", "LINE"),
        ("los angeles A", "angeles"),
        ("2020 césar pour SFA", "césar"),
        ("TRAITE PAR TEMOCILLINE", "TEMOCILLINE"),
        ("Petit à petit il marche", "Petit"),
        ("il va petit à petit", "petit"),
        ("Confraterellement,", "Confraterellement"),
    ],
)
def test_names_nobody(text: str, word: str) -> None:
    assert told(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("mi sava ek Sandrine", "Sandrine"),
        ("mi sava ek sandrine", "sandrine"),
        ("sonde li posée", "posée"),
        ("PatientName=LEDOUX; StudyDate=20231011", "LEDOUX"),
        ("nom=LEDOUX", "LEDOUX"),
        ("vu par Teva ce jour", "Teva"),
        ("MARTIN/DURAND", "MARTIN"),
        ("Gina est venue", "Gina"),
        ("Constant est venu", "Constant"),
        ("fils Ted présent", "Ted"),
        ("Eliquis selon Catarina", "Catarina"),
        ("selon Leduc, il dort", "Leduc"),
        ("CESAR Jean", "CESAR"),
        ("Petit à Roux : vu", "Petit"),
        ("Breton, 62 ans", "Breton"),
        ("Olga, sa fille", "Olga"),
    ],
)
def test_may_name_somebody(text: str, word: str) -> None:
    assert not told(text, word)


def test_creole_is_read_by_clause() -> None:
    doc = Document("1", "Mme Hoareau dit mi gagne pi dormi. Le fils li dit bonjour.")
    assert {doc.tokens.texts[at] for at in creole(doc)} >= {"mi", "gagne", "pi", "dormi"}
    assert not {"fils", "bonjour"} & {doc.tokens.texts[at] for at in creole(doc)}


def test_dates_of_machines_are_what_their_key_says() -> None:
    text = "PatientBirthDate=19520817; StudyDate=20230912; StudyTime=093415"
    values = ("19520817", "20230912", "093415")
    spans = [
        Span(text.index(v), text.index(v) + len(v), Label.BIRTH_DATE, 0.5, "crf") for v in values
    ]
    labels = [span.label for span in keyed(Document("1", text), spans)]
    assert labels == [Label.BIRTH_DATE, Label.DATE, Label.TIME]
    assert is_keyed(text, text.index("Study"), text.index("Study") + 5)
