"""A specialty cut short behind a doctor is no part of the name."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.no_names import without_specialty
from dpdeid.document import Document, Span
from dpdeid.labels import Label


@pytest.mark.parametrize(
    ("text", "taken", "left"),
    [
        ("Dr Vu visc au lit", "Vu visc", "Vu"),
        ("DR LE GOFF REA", "LE GOFF REA", "LE GOFF"),
        ("DR ANNE ROUX THESEE", "THESEE", ""),
        ("Mme Roux Thésée", "Thésée", "Thésée"),
        ("Dr Vu visc au lit", "visc", ""),
        ("dr lopez réa", "réa", ""),
        ("avis de Garde Paul", "Garde Paul", "Garde Paul"),
        ("Mme Garde", "Garde", "Garde"),
        ("vu par Rea", "Rea", "Rea"),
    ],
)
def test_a_specialty_is_left(text: str, taken: str, left: str) -> None:
    at = text.index(taken)
    span = Span(at, at + len(taken), Label.LAST_NAME, 0.5, "crf")
    own = without_specialty(Document("x", text), span)
    assert (text[own.start : own.end] if own else "") == left
