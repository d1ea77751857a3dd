"""Names that stand without a title, and words that are none."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.lookup import Lookup
from dpdeid.document import Document
from dpdeid.spans import disjoint
from tests.detect.anywhere import spans_lie_in_any_text
from tests.linear import LIMIT, Work, growth


def found(text: str) -> list[tuple[str, str]]:
    return [(s.label[0], text[s.start : s.end]) for s in disjoint(Lookup()(Document("x", text)))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("revue par Nolwenn Kervella hier", [("F", "Nolwenn"), ("L", "Kervella")]),
        ("| KERVELLA Nolwenn | 12 |", [("L", "KERVELLA"), ("F", "Nolwenn")]),
        ("joindre Nolwenn KERVELLA", [("F", "Nolwenn"), ("L", "KERVELLA")]),
        ("vu avec patrick ce matin", [("F", "patrick")]),
        ("lit 3 kervella nolwenn, va bien", [("L", "kervella"), ("F", "nolwenn")]),
        ("(T. Le Quentric, externe)", [("F", "T."), ("L", "Le Quentric")]),
        (
            "adressé à Ch. Kervella, Cl. Petit",
            [("F", "Ch."), ("L", "Kervella"), ("F", "Cl."), ("L", "Petit")],
        ),
        ("vu avec Fr. Kervella hier", [("F", "Fr."), ("L", "Kervella")]),
        (
            "Th. Kervella ; Ph. Petit",
            [("F", "Th."), ("L", "Kervella"), ("F", "Ph."), ("L", "Petit")],
        ),
        ("vis posée par Herbert", [("F", "Herbert")]),
        ("revu Constance K. ce jour", [("F", "Constance"), ("L", "K.")]),
        ("le cahier d'Yves est là", [("F", "Yves")]),
        ("Bien amicalement,\n\nXavier\n", [("F", "Xavier")]),
        ("8:15 | PETIT JORDAN | 12 mars", [("L", "PETIT"), ("F", "JORDAN")]),
    ],
)
def test_finds_names_by_the_lists(text: str, names: list[tuple[str, str]]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "LE LENDEMAIN DE SAINT-VALENTIN, PAS DE DYSPLASIE DE TAYLOR",
        "la maladie de Charcot évolue",
        "Fr. du col, Ph. alcalines, Th. Pouteau",
        "valve d'Ahmed en place, vis de Herbert",
        "tube d'Ahmed OG, agrafes de Michel, tige Austin",
        "syndrome de Guillain-Barré probable",
        "un score de Hoehn et Yahr à 2",
        "Glasgow 15, Babinski négatif",
        "névralgie d'Arnold",
        "test de Lasègue négatif",
        "fracture de Segond",
        "kyste de Baker",
        "tige type Moore",
        "une ligamentoplastie type Kenneth-Jones",
        "score de Child-Pugh B",
        "PSA à 4, CRP à 12, ASAT et ALAT normales",
        "L'IRM et l'EEG sont normaux",
        "TEP-TDM de contrôle",
        "il habite rue de Kervella",
        "né à Rennes",
        "une rose est un petit blanc",
        "E. Coli multisensible",
        "Lovenox 0,4 le soir",
        "antéro-latérale gauche",
        "congés de Noël",
    ],
)
def test_words_and_eponyms_are_no_names(text: str) -> None:
    assert found(text) == []


def test_weak_evidence_scores_less_than_a_pair() -> None:
    lone = max(s.score for s in Lookup()(Document("x", "vu avec patrick")))
    pair = max(s.score for s in Lookup()(Document("x", "vu avec Nolwenn Kervella")))
    assert lone < 0.9 <= pair


@pytest.mark.parametrize("piece", ["Jean ", "J.", "de ", "A-", "D'", "Jean-", "Le\n", "É", "|M "])
def test_time_is_linear(piece: str) -> None:
    def work(count: int) -> Work:
        doc = Document("x", piece * count)
        assert doc.tokens.texts
        return lambda: list(Lookup()(doc))

    assert growth(work) <= LIMIT


def test_spans_lie_inside_any_text() -> None:
    lines = [
        "revue par Nolwenn Kervella hier",
        "| LE QUENTRIC Jean-Marc |",
        "l'avis d'Yves Durand\n",
    ]
    spans_lie_in_any_text(lambda text: Lookup()(Document("x", text)), lines, "JeanÉrdu.'-/:\n, AZ9")
