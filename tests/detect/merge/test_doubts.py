"""When one tagger alone is not believed."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.ends import (
    doubtful,
    in_code,
    is_counted,
    is_noun_of_place,
    is_title_or_header,
)
from dpdeid.document import Document, Span
from dpdeid.labels import Label

WEAK = 0.4


def alone(text: str, word: str, label: Label, score: float) -> tuple[Document, Span]:
    start = text.index(word)
    return Document("x", text), Span(start, start + len(word), label, score, "crf")


@pytest.mark.parametrize(
    ("text", "word", "label", "score"),
    [
        ("Monsieur déjeune au lit", "déjeune", Label.LAST_NAME, 0.95),
        ("machine à coudre livrée", "coudre", Label.CITY, 0.9),
        ("cheffe de clinique", "clinique", Label.HOSPITAL, 0.9),
        ("je dicte en marchant", "marchant", Label.DATE, 0.9),
        ("tante K ovaire à 71 ans", "K", Label.FIRST_NAME, 0.8),
        ("dans les 24-48h", "24", Label.DATE, 0.8),
        ("déchirure du 1er degré", "1", Label.DATE, 0.8),
        ("MMS 24/30 en mars, puis 20/30", "20", Label.DATE, 0.9),
        ("conseils acceptés 3/4 ce jour", "3", Label.DATE, 0.9),
        ("PSA à 4 puis 11 en 02/23", "11", Label.DATE, 0.9),
        ("terme de 37 SA 2/7 ce jour", "SA 2/7", Label.DATE, 0.9),
        ("marche avec déambu ce jour", "déambu", Label.FIRST_NAME, 0.55),
        ("Fallot suivi, sortie", "Fallot", Label.LAST_NAME, 0.55),
        ("placard rose et sec", "rose", Label.FIRST_NAME, 0.5),
        ("relais par Quelbrax ce jour", "Quelbrax", Label.LAST_NAME, 0.25),
        ("relais par Doliprane ce jour", "Doliprane", Label.LAST_NAME, 0.35),
        ("père AVC à 60 ans", "AVC", Label.FIRST_NAME, 0.75),
        ("cure de FOLFIRINOX faite", "FOLFIRINOX", Label.LAST_NAME, 0.35),
        ("code 4512 donné", "4512", Label.OTHER_ID, 0.15),
        ("Quelbrax 75 mg le soir", "Quelbrax", Label.LAST_NAME, 0.55),
        ("Originaire de la région", "Originaire", Label.STREET, 0.9),
        ("N°;Nom;Prénom;Dernière visite\n1;a;b;c", "Dernière", Label.LAST_NAME, 0.95),
        ("Produit\tM\tS\tStatut", "S", Label.FIRST_NAME, 0.95),
        ("patient MTD 40 ce jour", "MTD", Label.LAST_NAME, 0.95),
        ("Fibroscan fait", "Fibroscan", Label.FIRST_NAME, 0.9),
        ("Débranché : 17 h", "Débranché", Label.LAST_NAME, 0.9),
        ("COMPTE RENDU 0PERAT0IRE", "PERAT0", Label.LAST_NAME, 0.9),
        ("transfert UF 44172", "44172", Label.OTHER_ID, 0.9),
        ("fibrome de 900cc retiré", "900", Label.OTHER_ID, 0.25),
        ("elle dort mieu ce soir", "mieu", Label.LAST_NAME, 0.9),
        ("malgrés la fièvre", "malgrés", Label.FIRST_NAME, 0.9),
        ("palper bi-manuel fait", "bi-manuel", Label.FIRST_NAME, 0.6),
        ("au rez-de-jardin", "rez-de-jardin", Label.LAST_NAME, 0.6),
        ("Enoxaparine 4000   X", "4000", Label.ORDER_ID, 0.35),
        ("BELEC : 12/20", "BELEC", Label.LAST_NAME, 0.95),
        ("Pièce en anapath", "anapath", Label.FIRST_NAME, 0.95),
        ("K+ Diffu-K 600", "600", Label.OTHER_ID, 0.35),
        ("PID|1||A7\nOBX|1|NM|K^Kalium||5.9|mmol/L", "Kalium", Label.LAST_NAME, 0.95),
        ("fusion de NTRK1 recherchée", "NTRK1", Label.LAST_NAME, 0.95),
        ("coloscope Olympus CF-H185", "H185", Label.PATIENT_ID, 0.95),
        ("un PET demandé ce jour", "PET", Label.LAST_NAME, 0.95),
        ("mise sous RAD demain", "RAD", Label.LAST_NAME, 0.95),
    ],
)
def test_words_that_speak_against_it(text: str, word: str, label: Label, score: float) -> None:
    assert doubtful(*alone(text, word, label, score), weak=WEAK)


@pytest.mark.parametrize(
    ("text", "word", "label", "score"),
    [
        ("relais par Quelbrax ce jour", "Quelbrax", Label.LAST_NAME, 0.35),
        ("né à rennes, seul", "rennes", Label.CITY, 0.55),
        ("bloc 8 h  KERZUGAT  salle 2", "KERZUGAT", Label.LAST_NAME, 0.25),
        ("vu avec patrick hier", "patrick", Label.FIRST_NAME, 0.45),
        ("accompagné de rose, sa fille", "rose", Label.FIRST_NAME, 0.8),
        ("code 4512 donné", "4512", Label.OTHER_ID, 0.25),
        ("vue par Quelbrax. Stable", "Quelbrax", Label.LAST_NAME, 0.5),
        ("suivi par Quelbrax depuis mai", "Quelbrax", Label.LAST_NAME, 0.5),
        ("vit aux Marronniers", "aux Marronniers", Label.STREET, 0.9),
        ("code 451277 donné", "451277", Label.OTHER_ID, 0.05),
        ("Enoxaparine 451277", "451277", Label.OTHER_ID, 0.35),
        ("Enoxaparine\n4000", "4000", Label.OTHER_ID, 0.35),
        ("Enoxaparine 2 fois, 4000", "4000", Label.OTHER_ID, 0.35),
        ("née 58, seule", "58", Label.BIRTH_DATE, 0.1),
        ("sortie mardi matin", "mardi", Label.DATE, 0.75),
        ("vu par DP ce jour", "DP", Label.LAST_NAME, 0.8),
        ("Petit : vu ce jour", "Petit", Label.LAST_NAME, 0.8),
        ("revu le 24 par nous", "24", Label.DATE, 0.75),
        ("retour SA 1/7 ou DI 2/7", "SA 1/7", Label.DATE, 0.75),
        ("visite à PET Marie ce jour", "PET", Label.LAST_NAME, 0.95),
        ("ROUX REVU PAR PET HIER", "PET", Label.LAST_NAME, 0.95),
        ("vu par KERV1 ce jour", "KERV1", Label.LAST_NAME, 0.95),
        ("dossier PCF-H18554", "H18554", Label.PATIENT_ID, 0.95),
    ],
)
def test_others_are_believed(text: str, word: str, label: Label, score: float) -> None:
    assert not doubtful(*alone(text, word, label, score), weak=WEAK)


def test_nothing_is_doubted_unless_asked() -> None:
    assert not doubtful(*alone("Monsieur déjeune", "déjeune", Label.LAST_NAME, 0.1), weak=0.0)


@pytest.mark.parametrize(
    ("text", "word", "inside"),
    [
        ("badge KER-2214 perdu", "KER", True),
        ("badge 22KER14 perdu", "KER", True),
        ("vu avec Ker à 3 h", "Ker", False),
        ("score Ker4 stable", "Ker", False),
    ],
)
def test_parts_of_a_code_are_told_from_words(text: str, word: str, inside: bool) -> None:
    assert in_code(*alone(text, word, Label.LAST_NAME, 0.3)) is inside


@pytest.mark.parametrize(
    ("word", "label", "calls"),
    [
        ("M", Label.FIRST_NAME, True),
        ("SF", Label.FIRST_NAME, True),
        ("FRCPC", Label.LAST_NAME, True),
        ("NISS", Label.LAST_NAME, True),
        ("Niss", Label.LAST_NAME, False),
        ("Bonsoir", Label.LAST_NAME, True),
        ("Prénom", Label.FIRST_NAME, True),
        ("Dre", Label.CITY, True),
        ("Morlund", Label.LAST_NAME, False),
        ("M", Label.UNIT, False),
    ],
)
def test_what_stands_around_a_name_is_none(word: str, label: Label, calls: bool) -> None:
    assert is_title_or_header(*alone(f"avis {word} Morlund", word, label, 0.9)) is calls


@pytest.mark.parametrize(
    ("text", "word", "calls"),
    [
        ("Dr O.K. Kerbrat à Nantes", "O.K.", False),
        ("Dr phil. Kerbrat à Nantes", "phil", True),
        ("Dr Phil Kerbrat à Nantes", "Phil", False),
    ],
)
def test_a_specialty_or_faculty_is_no_initial(text: str, word: str, calls: bool) -> None:
    assert is_title_or_header(*alone(text, word, Label.FIRST_NAME, 0.5)) is calls


@pytest.mark.parametrize(
    ("text", "word", "counted"),
    [
        ("Garçon de 3 ans", "Garçon", True),
        ("Motif : fièvre.\nFillette âgée de 4 ans", "Fillette", True),
        ("Garçon, né le 3 mai", "Garçon", False),
        ("Madame Garçon de 3 ans plus jeune", "Garçon", False),
        ("Marie de 3 ans", "Marie", False),
        ("Kerzugat de 3 ans", "Kerzugat", False),
    ],
)
def test_a_word_that_says_what_is_so_old_is_no_name(text: str, word: str, counted: bool) -> None:
    assert is_counted(*alone(text, word, Label.LAST_NAME, 0.95)) is counted


@pytest.mark.parametrize(
    ("text", "word", "nothing"),
    [
        ("docker au port, retraité", "port", True),
        ("voir avec la Pharmacie ce jour", "Pharmacie", True),
        ("reçu à l'usine", "l'usine", True),
        ("ouvrier à l'usine Kerbio", "usine Kerbio", False),
        ("SORTIE DE PORT", "PORT", False),
        ("logé au foyer La Villa", "foyer La Villa", False),
    ],
)
def test_a_noun_alone_is_no_body(text: str, word: str, nothing: bool) -> None:
    assert is_noun_of_place(*alone(text, word, Label.ORGANIZATION, 0.6)) is nothing


@pytest.mark.parametrize(
    ("text", "word", "label", "dropped"),
    [
        ("LE GOFF Ép. KERVELLA", "Ép.", Label.FIRST_NAME, True),
        ("LE GOFF EP KERVELLA", "EP", Label.FIRST_NAME, True),
        ("LE GOFF Epse Kervella", "Epse", Label.LAST_NAME, True),
        ("signé EP, le 3", "EP", Label.FIRST_NAME, False),
        ("vu par Epstein Marie", "Epstein", Label.LAST_NAME, False),
    ],
)
def test_what_stands_between_two_surnames_is_none(
    text: str, word: str, label: Label, dropped: bool
) -> None:
    assert is_title_or_header(*alone(text, word, label, 0.9)) is dropped
