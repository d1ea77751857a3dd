"""Which lines of a note are in another language."""

from __future__ import annotations

import pytest

from dpdeid.detect.languages.paragraphs import stretches
from dpdeid.document import Document

BEFORE = "Consultation de contrôle, pas de plainte, TA 130/80.\n"
AFTER = "\nOn poursuit le traitement, revoir dans trois mois."


def told(text: str) -> list[tuple[str, str]]:
    doc = Document("1", text)
    tokens = doc.tokens
    return [
        (part.language, text[tokens.starts[part.first] : tokens.ends[part.stop - 1]])
        for part in stretches(doc)
    ]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Kontrolle am 3. April. Herr Hans Zbinden"),
        ("de", "Die Patientin wurde wegen Fieber auf der Station aufgenommen, Thorax klar."),
        ("de", "patient unruhig, hat nicht geschlafen, verband erneuert, urin trueb"),
        ("nl", "Zie brief van 12 maart"),
        ("nl", "Mevrouw werd opgenomen met pijn in de rechter heup na een val thuis."),
        ("it", "Paziente visto ieri."),
        ("it", "La paziente è stata dimessa in buone condizioni con terapia invariata."),
        ("en", "She was seen in clinic with her husband and has no chest pain."),
        ("es", "La señora fue atendida en el hospital por dolor y vive con su hija en Sevilla."),
        ("pl", "Pacjent był leczony w szpitalu od maja, nie ma gorączki, bierze leki."),
        ("tr", "Hasta doğum tarihi bilinmiyor, ameliyat için hastanesinde muayene edildi."),
        ("other", "Выписка: пациентка находилась на лечении, жалоб нет, давление в норме."),
        ("other", "تقرير طبي: أدخل المريض المستشفى بسبب قصور كلوي مزمن"),
        ("other", "Ο ασθενής εισήχθη με πυρετό και βήχα στο νοσοκομείο"),
    ],
)  # fmt: skip
def test_a_line_in_another_language_is_told_alone(language: str, line: str) -> None:
    assert told(BEFORE + line + AFTER) == [(language, line)]


@pytest.mark.parametrize(
    "text",
    [
        "Patiente vue ce jour, follow-up à J30, stent actif, Mini Mental State Examination 24/30.",
        "Herr et Dame Muller vus ensemble. Rituximab in situ, per os, die.",
        "MOTIF : CHUTE\nATCD : HTA DNID BPCO\nTTT : KARDEGIC 75 PLAVIX 75 COVERAM 10/5",
        "K+ 4,2 Na 139 créat 88, LVEF 38 %, α-bloquant, β2-mimétique, µ-opioïde, Σ = 12",
        "M. Nguyễn Văn An et Mme Łukasiewicz, vus avec le Dr Šimić, sont repartis ce matin.",
        "li lé pa bien depuis yer, i tousse tout le temps, la fièvre i monte le soir",
    ],
)
def test_french_with_words_of_others_is_french(text: str) -> None:
    assert told(text) == []


def test_a_sentence_within_a_french_line_is_told() -> None:
    line = "Die Patientin wurde am Montag mit Fieber und Husten aufgenommen."
    assert told(f"Lettre reçue : {line} À revoir dans un mois avec le bilan.") == [("de", line)]
