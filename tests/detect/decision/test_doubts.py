"""What speaks against a voted span, and against a word by itself."""

from __future__ import annotations

import pytest

from dpdeid.detect.decision.doubts import doubted, is_thing_there
from dpdeid.detect.decision.orders import is_order, is_ticked
from dpdeid.detect.decision.vote import voted
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def spared(doc: Document, *proposals: Span) -> list[str]:
    """The voted spans that are not doubted."""
    by_source = {
        span.source: [s for s in proposals if s.source == span.source] for span in proposals
    }
    spans = voted(doc, by_source, proposals)
    doubts = doubted(doc, spans, proposals)
    assert len(doubts) == len(spans)
    kept = (span for span, doubt in zip(spans, doubts, strict=True) if not doubt)
    return [doc.text[span.start : span.end] for span in kept]


def said(doc: Document, word: str, label: Label, source: str, score: float = 0.9) -> Span:
    start = doc.text.index(word)
    return Span(start, start + len(word), label, score, source)


DOC = Document("n", "Mme Le Goff, 12 rue d'Arcole 29000 Brest")


def test_a_list_seconds_nobody() -> None:
    listed = said(DOC, "Goff", Label.LAST_NAME, "lookup")
    unsure = said(DOC, "Goff", Label.LAST_NAME, "crf", 0.3)
    sure = said(DOC, "Goff", Label.LAST_NAME, "crf", 0.9)
    assert spared(DOC, listed) == []
    assert spared(DOC, listed, unsure) == []
    assert spared(DOC, listed, sure) == ["Goff"]


@pytest.mark.parametrize(("score", "kept"), [(0.9, ["Le", "Goff"]), (0.3, [])])
def test_a_doubted_name_beside_a_believed_one_stays(score: float, kept: list[str]) -> None:
    given = said(DOC, "Le", Label.FIRST_NAME, "crf", score)
    surname = said(DOC, "Goff", Label.LAST_NAME, "crf", 0.3)
    assert spared(DOC, given, surname) == kept


@pytest.mark.parametrize(
    ("text", "kept"), [("né dans LA DROME.", ["DROME"]), ("le projet LA DROME.", [])]
)
def test_a_department_with_its_article_needs_no_tagger(text: str, kept: list[str]) -> None:
    doc = Document("n", text)
    found = said(doc, "DROME", Label.CITY, "lookup_places", 0.95)
    assert spared(doc, found) == kept


def test_small_words_that_are_left_of_a_place_are_none() -> None:
    doc = Document("n", "originaire de la Martinique")
    rule, crf = (
        said(doc, "Martinique", Label.CITY, name, 0.95) for name in ("lookup_places", "crf")
    )
    rest = said(doc, "de la Martinique", Label.ORGANIZATION, "transformer")
    assert spared(doc, rule, crf, rest) == ["Martinique"]


def test_a_word_of_medicine_that_a_tagger_names_is_doubted_and_what_is_told_is_not() -> None:
    doc = Document("n", "poursuite de Doliprane ce jour")
    for source, score, kept in (("crf", 0.9, []), ("metadata", 1.0, ["Doliprane"])):
        named = said(doc, "Doliprane", Label.LAST_NAME, source, score)
        assert spared(doc, named) == kept


def word(text: str, part: str) -> tuple[Document, int]:
    doc = Document("a", text)
    return doc, doc.tokens.over(text.index(part), text.index(part) + 1)[0]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("avis Vicryl ce jour", "Vicryl"),
        ("Dr. med", "med"),
        ("Génotype F508del/N1303K, dépistage néonatal", "N1303K"),
        ("Valacyclovir, repas mixé", "Valacyclovir"),
        ("poursuite de Amitriptylin", "Amitriptylin"),
        ("4 rue du Marché, CH-2900 Porrentruy", "CH"),
        ("CEFAZOLINE 2 G I V A L INDUCTION", "V"),
        ("Sexe : F_X_ M___   Canton", "X"),
        ("Bonjour, suite au rendez-vous", "Bonjour"),
    ],
)
def test_a_thing_is_one_where_it_stands(text: str, part: str) -> None:
    assert is_thing_there(*word(text, part))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("avis Zorguelec ce jour", "Zorguelec"),
        ("Pochette N1303K, dépistage néonatal", "N1303K"),
        ("MME K E R V E L L A", "K"),
        ("Sexe : F, NOM F_O_X_ M_A_X_", "X"),
        ("née à Porrentruy", "Porrentruy"),
    ],
)
def test_a_name_is_no_thing(text: str, part: str) -> None:
    assert not is_thing_there(*word(text, part))


@pytest.mark.parametrize(
    "text",
    [
        "CEFAZOLINE 2 G I V A L INDUCTION",
        "HEPARINE 5000 U I S C",
        "LEVER A J 2 PUIS T H R A J 8",
        "AUGMENTIN 1 G X 3 / J P O",
    ],
)
def test_a_dose_whose_letters_stand_apart_is_left(text: str) -> None:
    doc = Document("a", text)
    for at in (at for at, word in enumerate(doc.tokens.texts) if len(word) == 1):
        assert is_order(doc, at, at + 1)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("MME K E R V E L L A", "K"),
        ("NOM : S C", "S"),
        ("DR P O", "P"),
        ("DOSSIER 7 4 0 2 9 3 1 8", "7"),
        ("VUE PAR A B", "A"),
    ],
)
def test_a_name_or_number_in_boxes_is_no_dose(text: str, word: str) -> None:
    doc = Document("a", text)
    at = doc.tokens.texts.index(word)
    assert not is_order(doc, at, at + 1)


@pytest.mark.parametrize(
    "text",
    [
        "Sexe : F_X_ M___   Canton",
        "Sexe F___ M_X_",
        "sexe |H|X|F|",
        "REA O_X_ N___",
        "ISOL. [O] [N] [X]",
    ],
)
def test_the_cross_in_one_of_two_boxes_is_no_name(text: str) -> None:
    doc = Document("a", text)
    letters = [at for at, word in enumerate(doc.tokens.texts) if len(word) == 1 and word.isalpha()]
    for at in letters:
        assert is_ticked(doc, doc.tokens.starts[at], doc.tokens.ends[at])


@pytest.mark.parametrize(
    "text", ["NOM F_O_X_ M_A_X_", "F X Moreau", "Mme X M O", "N_O_M D_U_P_O_N_T"]
)
def test_a_name_in_boxes_is_no_cross(text: str) -> None:
    doc = Document("a", text)
    for start, end in zip(doc.tokens.starts, doc.tokens.ends, strict=True):
        assert not is_ticked(doc, start, end)
