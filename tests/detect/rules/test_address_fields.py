"""Addresses of a very long note, in time that grows with its length alone."""

from __future__ import annotations

from functools import partial

from dpdeid.detect.rules.places import address_fields
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from tests.linear import LIMIT, Work, growth

LINE = "Adresse : 12 allée du Puits, bâtiment C\nContrôle le 12/03/2021, revu le 14/03/2021.\n"


def work(lines: int) -> Work:
    doc = Document("n", LINE * lines)
    spans = [
        Span(at + line * len(LINE), at + 10 + line * len(LINE), Label.DATE)
        for line in range(lines)
        for at in (LINE.index("12/03"), LINE.index("14/03"))
    ]
    assert len(list(address_fields(doc, spans))) == lines
    return partial(lambda: list(address_fields(doc, spans)))


def test_it_is_linear() -> None:
    assert growth(work, 1_000) <= LIMIT
