"""What is said for and against a word that is taken."""

from __future__ import annotations

import pytest

from dpdeid.detect.decision.decision import Decision, weighed
from dpdeid.detect.decision.evidence import FEATURES, by_voice
from dpdeid.detect.decision.grounds import KINDS, Grounds, grounds
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.testing import KEY

DP = Deidentifier("dp", key=KEY)


def told(text: str) -> dict[str, Grounds]:
    doc = Document("n", text)
    found = DP.detect(doc)
    why = grounds(doc, by_voice(found.proposals), found.spans, Decision().trees)
    return {text[span.start : span.end]: one for span, one in why.items()}


def test_the_chance_is_that_of_the_decision() -> None:
    text = "Mme Durand vue le 12/03 à Brest"
    doc = Document("n", text)
    _, sure = weighed(doc, by_voice(DP.detect(doc).proposals))
    why = told(text)
    assert why["Durand"].chance == pytest.approx(sure[1].direct)
    assert why["Brest"].chance == pytest.approx(sure[len(doc.tokens) - 1].some)


def test_what_speaks_for_a_usual_name_and_against_an_odd_place() -> None:
    why = told("Mme Durand vue ce jour.\nKyste opéré. Notre patient de Brest, vu.")
    assert "the transformer" in why["Durand"].speaks_for
    assert not why["Durand"].against
    assert set(why["Brest"].against) <= set(KINDS) - set(why["Brest"].speaks_for)


def test_each_column_is_of_one_kind_and_no_kind_is_empty() -> None:
    assert len(KINDS) < 10 < len(FEATURES)
    assert "its line or table" in KINDS
    assert "the same word elsewhere" in KINDS


def test_a_note_of_which_nothing_is_said_has_no_grounds() -> None:
    assert told("") == {}
