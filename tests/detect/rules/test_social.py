"""Kinship, marital status, nationality and profession: the patient's and the relatives' only."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document
from dpdeid.spans import disjoint

TABLE = Table(rows("social"))


def found(text: str, label: str) -> list[str]:
    spans = disjoint(TABLE.scan(Document("note", text)))
    return [text[s.start : s.end] for s in spans if s.label == label]


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("vit avec son épouse et ses deux filles", ["épouse", "filles"]),
        ("mère de 3 enfants", ["mère", "enfants"]),
        ("3 PETITS-ENFANTS", ["PETITS-ENFANTS"]),
        ("sa belle soeur et un cousin", ["belle soeur", "cousin"]),
        ("appel de la fille à 10 h", ["fille"]),
        ("sa femme viendra", ["femme"]),
        ("sans enfant", ["enfant"]),
        ("confiée à son aîné", ["aîné"]),
    ],
)
def test_kinship(text: str, nouns: list[str]) -> None:
    assert found(text, "KINSHIP") == nouns


@pytest.mark.parametrize(
    "text",
    [
        "naissance d'une fille de 3200 g",
        "ablation des fils à J14",
        "l'enfant Joseph est vu ce jour",
        "femme de 45 ans",
        "une sage-femme",
        "Mme Sœur",
        "femme au foyer",
    ],
)
def test_no_kinship(text: str) -> None:
    assert found(text, "KINSHIP") == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Mariée, 2 enfants", ["Mariée"]),
        ("il est veuf depuis 2003", ["veuf"]),
        ("parents séparés", ["séparés"]),
        ("vit en couple", ["en couple"]),
        ("Mme Marie Durand", []),
        ("plaie séparée en deux", []),
    ],
)
def test_marital_status(text: str, status: list[str]) -> None:
    assert found(text, "MARITAL_STATUS") == status


@pytest.mark.parametrize(
    ("text", "nations"),
    [
        ("de nationalité marocaine", ["marocaine"]),
        ("nationalités française et algérienne", ["française", "algérienne"]),
        ("patient portugais, maçon", ["portugais"]),
        ("d'origine italienne", ["italienne"]),
        ("ne parle pas français", []),
        ("langue : français", []),
        ("score en anglais", []),
    ],
)
def test_nationality(text: str, nations: list[str]) -> None:
    assert found(text, "NATIONALITY") == nations


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        ("ancien mineur de fond", ["mineur de fond"]),
        ("travaille comme professeur de sport au lycée", ["professeur de sport"]),
        ("Profession : conductrice de train", ["conductrice de train"]),
        ("Mode de vie :\n\nInfirmière, mariée", ["Infirmière"]),
        ("patient de 59 ans, menuisier", ["menuisier"]),
        ("son père, boulanger, est mort", ["boulanger"]),
        ("vit seul, retraité", ["retraité"]),
        ("Elle est couturière", ["couturière"]),
        ("situation : pépiniériste, vit seul", ["pépiniériste"]),
        ("chute chez un plaquiste de 41 ans", ["plaquiste"]),
        ("14/02/1968 carreleur a quimper", ["carreleur"]),
        ("prof des écoles   tél 02", ["prof des écoles"]),
    ],
)
def test_profession(text: str, jobs: list[str]) -> None:
    assert found(text, "PROFESSION") == jobs


@pytest.mark.parametrize(
    "text",
    [
        "Dr Martin, dentiste",
        "vu par le kinésithérapeute",
        "l'infirmière du service appelle",
        "comme facteur de risque cardiovasculaire",
        "avis du chirurgien",
        "signé : Mme Durand, secrétaire",
        "14/02/2024 infirmière de nuit",
        "formation du pisteur",
    ],
)
def test_staff_and_words_are_no_profession(text: str) -> None:
    assert found(text, "PROFESSION") == []
