"""What FASDIM removes, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given

from dpdeid.detect.names.name_tokens import view_of
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.fasdim.beside import is_title
from dpdeid.fasdim.detector import Fasdim, spans
from dpdeid.fasdim.lists import Entry, Lists
from dpdeid.fasdim.starting import Verdict
from dpdeid.labels import Label, Role
from dpdeid.testing.strategies import texts
from tests.conftest import KEY
from tests.linear import LIMIT, growth


def released(text: str, **known: str) -> str:
    facts = {Label(name): (value,) for name, value in known.items()}
    return Deidentifier("fasdim", key=KEY)(Document("n", text, known=facts)).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("examiné par M. James Jones ce matin", "examiné par M. ***** ce matin"),
        ("Sortie le 24 janvier.", "Sortie le *****."),
        ("fréquence respiratoire de 24 cycles", "fréquence respiratoire de 24 cycles"),
        ("bisoprolol 2,5 mg 1/j, HTA", "bisoprolol 2,5 mg 1/j, HTA"),
        ("suivi pour un ferosemidol", "suivi pour un *****"),
        ("habite 17 rue du Petit Moulin, asthme", "habite *****, asthme"),
        ("une rose blanche", "une rose blanche"),
        ("vue par Rose hier", "vue par ***** hier"),
        ("maladie de Charcot connue", "maladie de Charcot connue"),
        ("lot RNB518204H posé", "lot ***** posé"),
        ("5 à 10 mg de morphine", "5 à 10 mg de morphine"),
        ("chirurgie le 12", "***** le *****"),
        ("G3P2, terme 39 SA", "G3P2, terme 39 SA"),
        ("chambre B12, calme", "chambre *****, calme"),
        ("CCAM HHFA016, I50.1", "CCAM HHFA016, I50.1"),
        ("écrire à sec@chu.example.fr vite", "écrire à ***** vite"),
        ("dr petit a dit oui", "dr ***** a dit oui"),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert released(text) == expected


def test_known_names_go_whatever_the_lists_say() -> None:
    assert released("Le patient Grand est calme", LAST_NAME="Grand") == (
        "Le patient ***** est calme"
    )


def test_as_published_titles_and_two_words_go_and_case_says_nothing() -> None:
    doc = Document("n", "M. James Jones présente une rose")
    found = spans(doc, Lists(), published=True)
    gone = " ".join(doc.text[span.start : span.end] for span in sorted(found))
    assert gone == "M James Jones rose"


def test_names_behind_titles_have_their_label_and_role() -> None:
    doc = Document("n", "vu par le Dr Kervadecq pour un xyzzyplugh")
    found = {doc.text[s.start : s.end]: s for s in Fasdim()(doc)}
    assert found["Kervadecq"].label is Label.LAST_NAME
    assert found["Kervadecq"].role is Role.STAFF
    assert found["xyzzyplugh"].label is Label.OTHER_ID


@given(texts())
def test_without_any_list_no_word_of_two_letters_is_left(text: str) -> None:
    doc = Document("n", text)
    hidden = {i for s in spans(doc, Lists(starting=False)) for i in range(s.start, s.end)}
    tokens = doc.tokens
    view = view_of(doc)
    for at, word in enumerate(tokens.texts):
        plain = word.isalpha() and len(word) > 1 and not is_title(view, at)
        if plain and at not in view.guarded:
            assert tokens.starts[at] in hidden


@given(texts())
def test_what_an_expert_forbids_is_never_left(text: str) -> None:
    doc = Document("n", f"{text} infarctus du myocarde")
    lists = Lists.of([Entry(("infarctus",), Verdict.FORBIDDEN)])
    hidden = {i for s in spans(doc, lists) for i in range(s.start, s.end)}
    assert doc.text.rindex("infarctus") in hidden


@pytest.mark.parametrize("unit", ["a", "1", "é1"])
def test_one_long_word_is_linear(unit: str) -> None:
    lists = Lists()
    assert growth(lambda n: lambda: spans(Document("n", unit * n), lists)) < LIMIT
