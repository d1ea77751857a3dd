"""What a tagger is told about the tokens of a note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.features import Extractor
from dpdeid.detect.taggers.inputs import rule_spans
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.testing.strategies import texts

EXTRACT = Extractor()
NOTE = """Hôpital des Trois-Rivières

Nom : Kervalunec
Vue ce jour avec Kervalunec. Mme Taupin, voisine,
la maladie de Charcot."""


def features(text: str, word: str, nth: int = 0, proposals: tuple[Span, ...] = ()) -> set[str]:
    """The features of the nth token that reads `word`."""
    doc = Document("n", text)
    found = [i for i, token in enumerate(doc.tokens.texts) if token == word]
    return set(EXTRACT(doc, proposals)[found[nth]])


def span(text: str, word: str, label: Label) -> Span:
    start = text.index(word)
    return Span(start, start + len(word), label, 0.9, "patterns")


@pytest.mark.parametrize(
    ("word", "nth", "wanted"),
    [
        ("Kervalunec", 0, {"head=nom/0", "gaps=space/line", "-1w=:", "-2w=nom", "also=capital"}),
        ("Kervalunec", 1, {"-1w=avec", "gaps=space/glued"}),
        ("Taupin", 0, {"-1f=title", "kl=TITLE|Xx/last", "1w=,", "2w=voisine", "also=none"}),
        ("Charcot", 0, {"eponym phrase", "-1w=de", "gaps=space/glued"}),
        ("Hôpital", 0, {"kr=Xx/last?|des", "gaps=glued/space"}),
        ("la", 0, {"gaps=line/space"}),
    ],
)
def test_a_token(word: str, nth: int, wanted: set[str]) -> None:
    assert wanted <= features(NOTE, word, nth)


def test_a_header_ends_with_its_paragraph() -> None:
    text = "Patient : Loué Marc\n\nLoué va bien"
    assert any(f.startswith("head=patient/") for f in features(text, "Loué", 0))
    assert any(f.startswith("head=/") for f in features(text, "Loué", 1))


def test_what_the_rules_proposed_is_a_feature_here_beside_and_elsewhere() -> None:
    text = "Mme Taupin est là. Appeler Taupin"
    proposals = (span(text, "Taupin", Label.LAST_NAME),)
    assert "r=B-LAST_NAME" in features(text, "Taupin", 0, proposals)
    assert "r3=^|O|B-LAST_NAME" in features(text, "Mme", 0, proposals)
    assert {"r=O", "also=LAST_NAME", "also=title"} <= features(text, "Taupin", 1, proposals)
    assert "also=LAST_NAME" not in features(text, "Taupin", 0, proposals)


def test_the_same_word_in_lower_case_tells_against_a_name() -> None:
    assert "also=lower" in features("Petit déjeuner. Un petit pas", "Petit")
    assert "also=lower" not in features("Petit déjeuner. Un grand pas", "Petit")


def test_the_lines_above_and_below_are_counted() -> None:
    text = "un\ndeux\ntrois"
    assert {"top=0/1", "end=2/1/0"} <= features(text, "un")
    assert {"top=2/1", "end=0/1/0", "line=L1/0"} <= features(text, "trois")
    assert "line=U1/0" in features("UN\ndeux", "UN")


@given(texts())
def test_every_token_has_features_and_a_model_sees_a_part_of_them(text: str) -> None:
    doc = Document("n", text)
    proposals = rule_spans(doc)
    every = EXTRACT(doc, proposals)
    assert len(every) == len(doc.tokens)
    assert all(every)
    known = {f for item in every for f in item[::3]}
    some = Extractor(known)(doc, proposals)
    assert some == [[f for f in item if f in known] for item in every]


@given(st.text(max_size=40))
def test_they_are_a_function_of_the_note(text: str) -> None:
    doc = Document("n", text)
    assert EXTRACT(doc, ()) == Extractor()(doc, ())


def test_an_empty_note_has_none() -> None:
    assert EXTRACT(Document("n", " \n"), ()) == []
