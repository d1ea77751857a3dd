"""What is known of a word depends on what is said of it, not on the order in which it is said."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.decision.decision import weighed
from dpdeid.detect.decision.evidence import FEATURES, GROUPS, boxes, evidence
from dpdeid.detect.taggers import crf, transformer
from dpdeid.document import Document, Finding, Span
from dpdeid.engine import Deidentifier
from dpdeid.fasdim.reading.left import UNHEARD, left_in_place, things
from dpdeid.labels import DIRECT, Label
from tests.conftest import KEY
from tests.detect.merge.test_published import DOC, proposals


@given(proposed=proposals("crf", "transformer", "patterns", "lookup"), random=st.randoms())
def test_chances_do_not_depend_on_any_order(
    proposed: dict[str, list[Span]], random: Random
) -> None:
    _, sure = weighed(DOC, proposed)
    assert all(0 < one.some < 1 and 0 < one.direct < 1 for one in sure.values())
    items = [(name, random.sample(some, len(some))) for name, some in proposed.items()]
    random.shuffle(items)
    assert weighed(DOC, dict(items))[1] == sure


def test_columns_tell_who_says_what_and_where() -> None:
    doc = Document("n", "vu avec Zorguelec hier")
    span = Span(8, 17, Label.LAST_NAME, 0.75, "lookup")
    found = evidence(doc, {"lookup": [span], "crf": []})
    row = dict(zip(FEATURES, found.values[found.places.index(2)].tolist(), strict=True))
    assert found.values.shape == (len(found.places), len(FEATURES))
    assert row["lookup says so"] == 0.75
    assert row["crf says so"] == row["patterns say names"] == row["opens"] == 0
    assert row["voices"] == 1
    assert GROUPS[int(row["voted"])] == "names"
    assert row["length"] == 9
    assert row["transformer: names"] > 0.5 > row["transformer: nothing"]


def test_an_empty_note_has_none() -> None:
    for text in ("", " … ", "\n"):
        doc = Document("a", text)
        found = evidence(doc, {"crf": []})
        assert (found.places, found.values.shape) == ((), (0, len(FEATURES)))
        assert left_in_place(doc, Finding((), ())) == []
        assert Deidentifier("dp", key=KEY).detect(text).spans == ()


def risks(text: str, *spans: Span) -> dict[str, float]:
    doc = Document("a", text)
    tokens = doc.tokens
    return {
        text[tokens.starts[w.first] : tokens.ends[w.stop - 1]]: w.risk
        for w in left_in_place(doc, Finding(spans, spans))
    }


def test_a_name_that_no_list_has_is_riskier_than_a_drug() -> None:
    found = risks("av zorguelec : ok pr sortie demain, amoxicilline reprise")
    assert found["zorguelec"] > 0.1 > 0.02 > found["amoxicilline"]
    assert max(found, key=found.__getitem__) == "zorguelec"
    assert found["reprise"] >= UNHEARD


def test_what_a_span_touches_is_not_left() -> None:
    assert set(risks("Mme Durand va bien", Span(4, 10, Label.LAST_NAME))) == {"Mme", "va", "bien"}


@pytest.mark.parametrize("row", ["1 2 / 0 3 / 1 9 5 8", "D|U|P|O|N|T", "1 2 - 0 3"])
def test_the_boxes_of_a_form_are_one_thing(row: str) -> None:
    text = f"Né le : {row}\nEVA"
    assert row in risks(text)
    start = text.index(row)
    spans = (Span(start, start + 1, Label.DATE), Span(start + 2, start + len(row), Label.DATE))
    first, second = things(Document("a", text), spans)
    assert first == second
    assert len(first) == 1


@pytest.mark.parametrize("text", ["K+ 2.8-7.2", "O.R.L.", "1\n2\n3\n4"])
def test_what_touches_or_stands_on_lines_of_its_own_is_no_row(text: str) -> None:
    assert text not in risks(text)


def test_a_row_that_is_taken_in_part_is_left_in_part() -> None:
    found = risks("Né le 1 2 / 0 3 / 1 9 5 8", Span(6, 9, Label.BIRTH_DATE))
    assert "0 3 / 1 9 5 8" in found


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1 2", []),
        ("a D|U|P", ["a D U P"]),
        ("le D|U|P et 1 2 3", ["D U P", "1 2 3"]),
        ("12 34 56", []),
    ],
)
def test_a_row_is_three_single_signs_or_more(text: str, rows: list[str]) -> None:
    doc = Document("a", text)
    found = [" ".join(doc.tokens.texts[at] for at in row) for row in boxes(doc)]
    assert found == rows


TAGGERS = [transformer.loaded(transformer.SHIPPED), crf.loaded(crf.SHIPPED)]


def direct(tagger: transformer.Tagger | crf.Tagger, doc: Document) -> Any:
    chances = tagger.chances(doc)
    if isinstance(tagger, crf.Tagger):
        return chances[:, 1]
    own = [tag[2:] in DIRECT for tag in tagger.spec.tags]
    return chances[:, own].sum(1)


@pytest.mark.parametrize("tagger", TAGGERS)
@pytest.mark.parametrize("repeated", [1, 12])
def test_what_a_tagger_thinks_is_kept_while_the_note_lives(
    tagger: transformer.Tagger | crf.Tagger, repeated: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a text that is read in parts too: the decision asks word by word."""
    monkeypatch.setattr("dpdeid.detect.taggers.sequences._TOKENS", 40)
    doc = Document("a", "Mme Durand, vue le 12/03/2021 par zorguelec.\n" * repeated)
    first = direct(tagger, doc)
    monkeypatch.setattr(type(tagger), "_of_note", None)
    assert np.array_equal(direct(tagger, doc), first)
    assert len(first) == len(doc.tokens)
    assert first[1] > 0.9
    assert first[0] < 0.1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    told: list[int] = []
    scores = transformer.Tagger.scores

    def counting(self: transformer.Tagger, doc: Document) -> Any:
        told.append(len(doc.tokens))
        return scores(self, doc)

    monkeypatch.setattr(transformer.Tagger, "scores", counting)
    return told


def test_detection_asks_the_taggers_once(asked: list[int]) -> None:
    Deidentifier("dp", key=KEY).detect("Mme Durand, vue ce jour par zorguelec")
    assert len(asked) == 1


@pytest.mark.parametrize("tagger", TAGGERS)
def test_a_long_text_is_read_in_parts(
    tagger: transformer.Tagger | crf.Tagger, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "Mme Durand va bien.\n"
    whole = direct(tagger, Document("a", line * 8))
    monkeypatch.setattr("dpdeid.detect.taggers.sequences._TOKENS", 20)
    parts = direct(tagger, Document("b", line * 8))
    assert len(parts) == len(whole)
    assert [chance > 0.5 for chance in parts] == [chance > 0.5 for chance in whole]
    assert any(chance > 0.5 for chance in parts)
