"""Letters of a sex, heads of mails, endings of files, types in messages: nobody is called so."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.no_names import is_nobody_here
from dpdeid.document import Document

PID = "MSH|^~\\&|A|B\nPID|1||0047^^^CHUX^PI||ROY^ANNE^^^MME^^L||1985|F|||||^PRN^PH\n"


def told(text: str, word: str) -> bool:
    doc = Document("1", text)
    return is_nobody_here(doc, doc.tokens.texts.index(word))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("NOWAK JAN M 39 ANS", "M"),
        ("HARISPE / Mayi / F / 72 ans", "F"),
        ("Bonjour\n> To: l.roy@a.fr", "To"),
        ("Von: l.roy@a.fr", "Von"),
        ("joint : BMO_ROY_20231122.xlsx", "xlsx"),
        ("joint : ROY_140923.avi", "avi"),
        ("un cousin germain paternel", "germain"),
        ("Dr. med. Roy", "med"),
        ("PAM 70 sous nora, diurèse", "nora"),
        ("nora ↑ 0,22", "nora"),
        ("remi : 3 mg/h", "remi"),
        ("nora 0,3 puis arrêt", "nora"),
        ("Nora à 0,3 µg/kg/min", "Nora"),
        *((PID, word) for word in ("PI", "MME", "L", "PRN", "PH")),
    ],
)
def test_what_names_nobody_where_it_stands(text: str, word: str) -> None:
    assert told(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Mme To, 39 ans", "To"),
        ("vu par To: accord", "To"),
        ("M Roy", "M"),
        ("son fils Karl Germain", "Germain"),
        ("vu avec Avi. avi confiant", "Avi"),
        ("avis med et chir", "med"),
        ("sa fille nora 0612345678", "nora"),
        ("Nora 12 ans", "Nora"),
        ("Nora 3,2 kg à la naissance", "Nora"),
        ("nora 12.03.2018", "nora"),
        ("nora 3,5 ans", "nora"),
        ("sevrage Rémi", "Rémi"),
        ("nora 3 garçons", "nora"),
        ("nora 0,3 cm", "nora"),
        *((PID, word) for word in ("ROY", "ANNE", "CHUX")),
    ],
)
def test_the_same_word_may_be_a_name_elsewhere(text: str, word: str) -> None:
    assert not told(text, word)
