"""Numbers in words are taken whole or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.merge.spoken import number_at, whole
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def span(text: str, word: str, label: Label) -> Span:
    start = text.index(word)
    return Span(start, start + len(word), label, 0.9, "crf")


KEPT = {
    "half of it and more": (
        "appareil S H quatre mille quatre cent douze retour",
        {"S H quatre mille quatre cent": Label.ORDER_ID, "douze": Label.CITY},
        ["S H quatre mille quatre cent douze"],
    ),
    "two parts of one": (
        "au zéro six douze trente-quatre cinquante-six demain",
        {"zéro six": Label.PHONE, "trente-quatre cinquante": Label.OTHER_ID},
        ["zéro six douze trente-quatre cinquante-six"],
    ),
    "a part of a result": (
        "NT-proBNP deux mille cent quarante",
        {"deux": Label.DATE},
        [],
    ),
    "less than half of a result": (
        "ferritine mille huit cent douze",
        {"douze": Label.OTHER_ID},
        [],
    ),
    "a date and a time": (
        "le jeudi seize octobre dix heures vingt",
        {"jeudi seize octobre": Label.DATE, "dix heures vingt": Label.TIME},
        ["jeudi seize octobre", "dix heures vingt"],
    ),
    "an age": ("âgé de trente et un ans", {"trente et un ans": Label.AGE}, ["trente et un ans"]),
    "no number": ("vue par Anne Roy", {"Anne": Label.FIRST_NAME}, ["Anne"]),
}


@pytest.mark.parametrize(("text", "found", "kept"), KEPT.values(), ids=KEPT)
def test_numbers_are_whole(text: str, found: dict[str, Label], kept: list[str]) -> None:
    spans = [span(text, word, label) for word, label in found.items()]
    assert [text[s.start : s.end] for s in whole(Document("a", text), spans)] == kept


@given(st.lists(st.sampled_from(["douze", "mille", "et", "-", "Roy", "cent", "\n"]), max_size=9))
def test_no_number_is_cut(words: list[str]) -> None:
    doc = Document("a", " ".join(words))
    spans = [
        Span(*place, Label.PHONE if n % 2 else Label.DATE)
        for n, place in enumerate(zip(doc.tokens.starts, doc.tokens.ends, strict=True))
    ]
    for found in whole(doc, spans):
        own = doc.tokens.over(found.start, found.end)
        for at in (own[0], own[-1]):
            number = number_at(doc, at)
            assert not number or {*number} <= {*own}
