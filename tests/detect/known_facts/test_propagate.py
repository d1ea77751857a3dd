"""What was found once for sure is found again in all notes of the record."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dpdeid.detect.known_facts.propagate import Propagate
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.spans import disjoint
from tests.linear import LIMIT, Work, growth


def again(
    texts: Sequence[str], text: str, label: Label = Label.LAST_NAME, score: float = 0.95
) -> list[list[str]]:
    """What is found in each note when `text` was found in the first."""
    start = texts[0].index(text)
    sure = Span(start, start + len(text), label, score, "test", Role.STAFF)
    docs = [Document(str(i), t) for i, t in enumerate(texts)]
    raw = Propagate()(docs, [[sure], *([] for _ in texts[1:])])
    found = [disjoint(spans) for spans in raw]
    assert all(s.label is label and s.role is Role.STAFF for spans in found for s in spans)
    return [[d.text[s.start : s.end] for s in spans] for d, spans in zip(docs, found, strict=True)]


@pytest.mark.parametrize("writing", ["Kervella", "KERVELLA", "kervella", "Kervellà"])
def test_a_name_is_found_in_the_other_notes(writing: str) -> None:
    assert again(["Dr Kervella", f"vu avec {writing} hier"], "Kervella") == [[], [writing]]


def test_parts_and_joins_of_a_double_name() -> None:
    found = again(["Dr Le Quentric", "avis LEQUENTRIC, Le-Quentric, quentric"], "Le Quentric")
    assert found == [[], ["LEQUENTRIC", "Le-Quentric", "quentric"]]


def test_a_number_that_was_taken_for_a_name_is_not_found_again() -> None:
    assert again(["M. 1420", "NT-proBNP 1420"], "1420") == [[], []]


def test_weak_evidence_is_not_propagated() -> None:
    assert again(["vu Kervella", "Kervella"], "Kervella", score=0.89) == [[], []]


def test_of_a_name_that_no_list_has_weak_evidence_will_do() -> None:
    found = again(["vu Kerloargant-Ozh", "kerloargant"], "Kerloargant-Ozh", score=0.3)
    assert found == [[], ["kerloargant"]]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("un petit ulcère", []),
        ("Petit ulcère. Petit pansement", []),
        ("revu par Petit hier", ["Petit"]),
        ("revu par PETIT hier", ["PETIT"]),
    ],
)
def test_a_name_that_is_a_word_only_where_written_as_a_name(text: str, hits: list[str]) -> None:
    assert again(["Dr Petit", text], "Petit") == [[], hits]


def test_never_inside_an_eponym() -> None:
    assert again(["Dr Berger", "maladie de Berger, syndrome de Berger"], "Berger") == [[], []]
    assert again(["Dr Lasègue", "Lasègue positif"], "Lasègue") == [[], []]


def test_what_is_covered_is_left_alone() -> None:
    assert again(["Dr Kervella"], "Kervella") == [[]]


def test_numbers_in_another_format() -> None:
    found = again(["tel 06 12 34 56 78", "rappel 0612345678"], "06 12 34 56 78", Label.PHONE)
    assert found == [[], ["0612345678"]]


def test_nothing_found_gives_one_empty_answer_a_note() -> None:
    docs = [Document("a", "x"), Document("b", "y")]
    assert [list(spans) for spans in Propagate()(docs, [[], []])] == [[], []]


def test_spans_are_scored_below_their_evidence() -> None:
    docs = [Document("a", "Dr Kervella"), Document("b", "Kervella")]
    (span,) = Propagate()(docs, [[Span(3, 11, Label.LAST_NAME, 0.97, "t")], []])[1]
    assert (span.score, span.source) == (0.8, "propagate")


def test_time_is_linear_in_the_number_of_names() -> None:
    def work(count: int) -> Work:
        words = [
            f"Le {chr(97 + i // 676 % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i % 26)}zq"
            for i in range(count)
        ]
        text, spans = "", []
        for word in words:
            spans.append(Span(len(text), len(text) + len(word), Label.LAST_NAME, 1.0, "t"))
            text += word + ". "
        doc = Document(str(count), text)
        assert len(doc.tokens) > count
        return lambda: Propagate()([doc], [spans])

    assert growth(work, 1000) <= LIMIT


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("vient de loudéac", ["loudéac"]),
        ("famille de loudeac prévenue", ["loudeac"]),
        ("LOUDÉAC, le 3", []),
        ("mme loudéac", []),
        ("score de loudéac", []),
    ],
)
def test_a_town_is_found_again_in_small_letters(text: str, hits: list[str]) -> None:
    assert again(["vit à Loudéac", text], "Loudéac", Label.CITY)[1] == hits


def test_an_ordinary_word_is_no_town_again() -> None:
    assert again(["vit à Vienne", "qu'il vienne"], "Vienne", Label.CITY)[1] == []
