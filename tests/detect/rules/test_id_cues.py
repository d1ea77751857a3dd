"""Whose number it is, by the words around it."""

from __future__ import annotations

import pytest

from dpdeid.detect.merge.published import Union
from dpdeid.detect.rules import Patterns
from dpdeid.document import Document
from dpdeid.testing import marked


@pytest.mark.parametrize(
    "line",
    [
        "ECBU du 3 mai, n° «ORDER_ID:AB210733/66»",
        "IRM du lac (réf. «ORDER_ID:IL23/90120»)",
        "biopsie faite ce jour («ORDER_ID:20H18804»)",
        "assureur prévenu, n° «OTHER_ID:AX210733/66»",
        "pompe changée, réf. «OTHER_ID:PX-90120-44»",
        "assurance invalidité, réf. «OTHER_ID:AI-23-900772»",
        "dossier «PATIENT_ID:00415582» reçu",
        "IPP «PATIENT_ID:8001234», dossier «VISIT_ID:2100734777»",
        "tube au labo, dossier «ORDER_ID:220317-2277»",
        "Appel SAMU, dossier «OTHER_ID:29-231210-0733»",
        "passé aux urgences (n° «VISIT_ID:20 144 0733»)",
        "inscrit à l'Ordre, n° «PROVIDER_ID:64/4417»",
    ],
)
def test_the_nearest_word_decides(line: str) -> None:
    text, expected = marked(line)
    doc = Document("x", text)
    spans = Union()(doc, {"patterns": Patterns()(doc)})
    found = {(s.start, s.end, s.label) for s in spans if s.label.endswith("_ID")}
    assert found == {(s.start, s.end, s.label) for s in expected}


def test_codes_of_one_form_are_of_one_kind() -> None:
    text = "SCANNER S1-44100\nCRANE S1-44120\nSINUS S1-44130"
    doc = Document("x", text)
    spans = Union()(doc, {"patterns": Patterns()(doc)})
    assert {s.label for s in spans if s.label.endswith("_ID")} == {"ORDER_ID"}
