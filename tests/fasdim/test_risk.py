"""The risk of what is left in place: it rises with its reasons, and a row of boxes is one thing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers import crf, transformer
from dpdeid.document import Document, Finding, Span
from dpdeid.engine import Deidentifier
from dpdeid.fasdim.risk import (
    FEATURES,
    RISING,
    SORTS,
    coefficients,
    judged,
    left_in_place,
    risk,
    sorts,
)
from dpdeid.labels import Label
from tests.conftest import KEY

NOTHING = Finding((), ())
VALUES = st.lists(st.floats(0, 12), min_size=len(FEATURES), max_size=len(FEATURES))


def risks(text: str, *spans: Span) -> dict[str, float]:
    doc = Document("a", text)
    (words,) = left_in_place([doc], [Finding(spans, spans)])
    tokens = doc.tokens
    return {text[tokens.starts[w.first] : tokens.ends[w.stop - 1]]: w.risk for w in words}


def test_the_coefficients_are_of_these_features() -> None:
    weights, intercepts = coefficients()
    assert weights.shape == (len(SORTS), len(FEATURES))
    assert (intercepts < 0).all()
    assert (weights[:, : len(RISING)] >= 0).all()


@given(VALUES, st.sampled_from(RISING), st.floats(0.1, 12))
def test_more_reason_is_never_less_risk(values: list[float], name: str, more: float) -> None:
    before, after = np.array([values, values])
    after[FEATURES.index(name)] += more
    if sorts(before[None]) == sorts(after[None]):
        assert risk(after[None]) >= risk(before[None])


def test_a_name_that_no_list_has_is_riskier_than_a_drug() -> None:
    found = risks("av zorguelec : ok pr sortie demain, amoxicilline reprise")
    assert found["zorguelec"] > 0.2 > 0.02 > found["amoxicilline"]
    assert max(found, key=found.__getitem__) == "zorguelec"


def test_what_a_span_touches_is_not_left() -> None:
    assert set(risks("Mme Durand va bien", Span(4, 10, Label.LAST_NAME))) == {"Mme", "va", "bien"}


@pytest.mark.parametrize("row", ["1 2 / 0 3 / 1 9 5 8", "D|U|P|O|N|T", "1 2 - 0 3"])
def test_the_boxes_of_a_form_are_one_thing(row: str) -> None:
    assert row in risks(f"Né le : {row}\nEVA")


@pytest.mark.parametrize("text", ["K+ 2.8-7.2", "O.R.L.", "1\n2\n3\n4"])
def test_what_touches_or_stands_on_lines_of_its_own_is_no_row(text: str) -> None:
    assert text not in risks(text)


def test_the_same_two_taggers_are_likelier_to_be_right_than_one() -> None:
    doc = Document("a", "Vue hier avec zorguelec, césarienne prévue mardi")
    spans = [Span(14, 23, Label.LAST_NAME, 0.5, name) for name in ("crf", "transformer")]
    alone, both = (judged([doc], [Finding((spans[0],), tuple(spans[:n]))])[0] for n in (1, 2))
    assert 0 < alone.weak[spans[0]] < both.weak[spans[0]] < 1
    assert {word.first for word in alone.left} == {word.first for word in both.left}
    assert doc.tokens.texts.index("zorguelec") not in {word.first for word in alone.left}


def test_a_span_is_as_likely_as_its_likeliest_word() -> None:
    doc = Document("a", "Vue hier avec césarienne zorguelec mardi")
    places = [(14, 34), (14, 24), (25, 34)]
    whole, known, name = (Span(*place, Label.LAST_NAME, 0.5, "crf") for place in places)
    findings = [Finding((span,), (span,)) for span in (whole, known, name)]
    chances = [
        judged([doc], [finding])[0].weak[span]
        for finding, span in zip(findings, (whole, known, name), strict=True)
    ]
    assert chances[0] == pytest.approx(chances[2], abs=0.15)
    assert chances[0] > chances[1] + 0.1


def test_a_row_that_is_taken_in_part_is_left_in_part() -> None:
    found = risks("Né le 1 2 / 0 3 / 1 9 5 8", Span(6, 9, Label.BIRTH_DATE))
    assert "0 3 / 1 9 5 8" in found


def test_the_same_name_elsewhere_in_the_record_makes_it_riskier() -> None:
    first, second = Document("a", "Mme Zorguelec"), Document("b", "parlé à zorguelec hier")
    named = Finding((Span(4, 13, Label.LAST_NAME),), ())
    _, alone = left_in_place([first, second], [NOTHING, NOTHING])
    _, beside = left_in_place([first, second], [named, NOTHING])
    assert beside[2].risk > alone[2].risk


def test_a_note_without_words_has_no_risk() -> None:
    assert left_in_place([Document("a", ""), Document("b", " … ")], [NOTHING] * 2) == [[], []]


@pytest.mark.parametrize(
    "tagger", [transformer.loaded(transformer.SHIPPED), crf.loaded(crf.SHIPPED)]
)
def test_what_a_tagger_thinks_is_kept_while_the_note_lives(
    tagger: transformer.Tagger | crf.Tagger, monkeypatch: pytest.MonkeyPatch
) -> None:
    doc = Document("a", "Mme Durand, vue le 12/03/2021 par zorguelec")
    first = tagger.direct(doc)
    monkeypatch.setattr(type(tagger), "_of_note", None)
    assert tagger.direct(doc) == first
    assert len(first) == len(doc.tokens)
    assert first[1] > 0.9
    assert first[0] < 0.1


def test_detection_with_a_net_asks_the_taggers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    scores = transformer.Tagger.scores

    def counting(self: transformer.Tagger, doc: Document) -> Any:
        asked.append(len(doc.tokens))
        return scores(self, doc)

    monkeypatch.setattr(transformer.Tagger, "scores", counting)
    Deidentifier("dp", key=KEY).detect("Mme Durand, vue ce jour par zorguelec")
    assert len(asked) == 1


def test_a_long_text_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "Mme Durand va bien.\n"
    whole = transformer.loaded(transformer.SHIPPED).direct(Document("a", line * 8))
    monkeypatch.setattr("dpdeid.detect.taggers.sequences._TOKENS", 20)
    parts = transformer.loaded(transformer.SHIPPED).direct(Document("b", line * 8))
    assert len(parts) == len(whole)
    assert [chance > 0.5 for chance in parts] == [chance > 0.5 for chance in whole]
