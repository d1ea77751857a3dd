"""The proposals of the rules, and that they are made once a note."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dpdeid.detect.names.lookup import Lookup
from dpdeid.detect.places.lookup import LookupPlaces
from dpdeid.detect.rules import Patterns
from dpdeid.detect.taggers.inputs import rule_spans
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.spans import remembered

CALLS: list[str] = []


@dataclass(frozen=True, slots=True)
class Counting:
    label: Label = Label.DATE

    @remembered
    def __call__(self, doc: Document) -> Iterable[Span]:
        CALLS.append(doc.id)
        yield Span(0, 1, self.label)


def test_all_rules_that_need_only_the_text() -> None:
    doc = Document("n", "Mme Taupin, née le 03/02/1950, vit à Quimper avec Patrick.")
    wanted = [span for rule in (Patterns(), Lookup(), LookupPlaces()) for span in rule(doc)]
    assert rule_spans(doc) == tuple(wanted)
    assert {s.label for s in wanted} >= {Label.LAST_NAME, Label.BIRTH_DATE, Label.CITY}


def test_a_note_is_searched_once_by_a_detector_with_the_same_options() -> None:
    CALLS.clear()
    doc = Document("a", "text")
    assert Counting()(doc) == Counting()(replace(doc)) == (Span(0, 1, Label.DATE),)
    assert CALLS == ["a"]
    assert Counting(Label.TIME)(doc) == (Span(0, 1, Label.TIME),)
    assert CALLS == ["a", "a"]


def test_another_text_under_the_same_id_is_searched_again() -> None:
    CALLS.clear()
    for text in ("one", "two", "three", "one"):
        Counting()(Document("b", text))
    assert CALLS == ["b"] * 4
