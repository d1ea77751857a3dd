"""Where a decided span ends."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.tagger_vetoes import without_tail
from dpdeid.document import Span
from dpdeid.labels import Label


@pytest.mark.parametrize(
    ("text", "inside", "label", "kept"),
    [
        ("du 9 au 15 mai", "9 au", Label.DATE, "9"),
        ("les 02, 09 et 16/03", "02,", Label.DATE, "02"),
        ("IPP 702114988   Pédiatrie", "702114988   Pédia", Label.PATIENT_ID, "702114988"),
        ("IPP 702 114  988", "702 114  988", Label.PATIENT_ID, "702 114  988"),
        ("tél 03 22 61 00 14 24h/24", "03 22 61 00 14 24", Label.PHONE, "03 22 61 00 14 "),
        ("tél 03 22 61 00 14 7j/7", "03 22 61 00 14 7j/7", Label.PHONE, "03 22 61 00 14 "),
        ("tél 03 22 61 24 24", "03 22 61 24 24", Label.PHONE, "03 22 61 24 24"),
        (
            "14 rue des Lys\nCP / Ville  : 17000",
            "14 rue des Lys\nCP / Ville",
            Label.STREET,
            "14 rue des Lys",
        ),
        (
            "14 rue des Lys\n17000 Ville : x",
            "14 rue des Lys\n17000 Ville",
            Label.STREET,
            "14 rue des Lys\n17000 Ville",
        ),
        ("Roux\nMarie : bonjour", "Roux\nMarie", Label.LAST_NAME, "Roux\nMarie"),
        ("Mme Roux  Chirurgie", "Roux  Chirurgie", Label.LAST_NAME, "Roux  Chirurgie"),
    ],
)
def test_a_span_ends_before_what_is_none_of_it(
    text: str, inside: str, label: Label, kept: str
) -> None:
    start = text.index(inside)
    span = without_tail(Span(start, start + len(inside), label, 0.9, "crf"), text)
    assert text[span.start : span.end] == kept
