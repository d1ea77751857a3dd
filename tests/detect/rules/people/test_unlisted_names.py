"""Names that no list tells, where somebody is surely meant."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.published import Union
from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.rules import Patterns
from dpdeid.detect.rules.people.name_cues import plain
from dpdeid.detect.rules.people.names_after_cues import names_after_cues
from dpdeid.document import Document


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("courage — SDRA", 1),
        ("courage stable", 0),
        ("chauve, cheveux rasés", 1),
        ("douce caroline va mieux", 2),
        ("stable, apyrétique", 0),
        ("le — matin", 0),
        ("courage", 0),
        ("noir", 1),
    ],
)
def test_a_word_in_small_letters_is_a_surname_where_the_clause_ends(text: str, count: int) -> None:
    assert len(plain(View(Document("x", text)), 0)) == count


def people(text: str) -> list[str]:
    return [text[s.start : s.end] for s in names_after_cues(Document("x", text), ())]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("maman voahangita travaille", True),
        ("mamie Philomette", True),
        ("maman rappelée", False),
        ("enfants bonnombres", False),
        ("Maman voahangita travaille", False),
        ("interne mekhzoumiz dect 4612", True),
        ("IBODE : NATHANIELSZ", True),
        ("IBODE : ANESTHESIE", False),
        ("il ne réaliisait pas", False),
    ],
)
def test_a_name_in_no_list_behind_a_kinship_noun_or_profession(text: str, named: bool) -> None:
    assert bool(people(text)) is named


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("AGENA 80, Tudualig Kerzhoret.", ["Tudualig", "Kerzhoret"]),
        ("mère, Ghjacumina IPARRAGOYEN, cancer", ["Ghjacumina", "IPARRAGOYEN"]),
        ("(Mahougnon N'Dohouri)", ["Mahougnon", "N'Dohouri"]),
        ("interne : medjoane mvondoessi", ["medjoane", "mvondoessi"]),
        ("sous PEMBROLIXUMAB ce jour", []),
        ("anéchogénee intrapéritonéalle", []),
        ("Kingelle dénitrifficans", []),
    ],
)
def test_two_words_in_a_row_that_no_list_has_are_a_name(text: str, found: list[str]) -> None:
    assert people(text) == found


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("elle dort chez Zulmira depuis", "FIRST_NAME"),
        ("il est retourné vivre chez Thandeka hier", "FIRST_NAME"),
        ("les clés sont chez Anselmine, sa voisine", "FIRST_NAME"),
        ("cariste chez Zulmira depuis", "ORGANIZATION"),
        ("il loge chez Emmaüs depuis", "ORGANIZATION"),
    ],
)
def test_who_lodges_somebody_is_no_firm(text: str, label: str) -> None:
    doc = Document("x", text)
    labels = {s.label for s in Union()(doc, {"patterns": Patterns()(doc)})}
    assert label in labels
    assert labels <= {label, "KINSHIP", "PROFESSION"}
