"""Rules that need what others found (CHUV's figure 4.1): which, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dpdeid.detect.merge.published import Union
from dpdeid.detect.rules import EXTEND, ExtendSpans, _table
from dpdeid.detect.rules.dates import birth_dates, touched_numbers
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from tests.conftest import KEY


def found(text: str, order: Sequence[ExtendSpans]) -> set[tuple[str, Label]]:
    doc = Document("n", text)
    spans: list[Span] = list(_table().scan(doc))
    for extend_spans in order:
        spans.extend(extend_spans(doc, tuple(spans)))
    return {(text[s.start : s.end], s.label) for s in spans}


def earlier(late: ExtendSpans, early: ExtendSpans) -> list[ExtendSpans]:
    """The rules with the later of two just before the earlier one."""
    order = [rule for rule in EXTEND if rule is not late]
    order.insert(order.index(early), late)
    return order


def test_out_of_order_something_is_lost() -> None:
    """A date that touches its heading is a date first, and by the heading a date of birth."""
    text, born = "Date de naissance30/04/1932Âge88 ans", ("30/04/1932", Label.BIRTH_DATE)
    assert born in found(text, EXTEND)
    assert born not in found(text, earlier(birth_dates, touched_numbers))


@pytest.mark.parametrize(
    ("text", "surface", "label", "without"),
    [
        ("Fax : 04 72 11 73 52", "04 72 11 73 52", Label.FAX, None),
        ("Tél : 04 72 11 73 52", "04 72 11 73 52", Label.PHONE, None),
        ("Adresse : 14, rue des Tanneurs", "14", Label.STREET, "Score de Glasgow : 14"),
        ("domiciliée 69003 Lyon", "69003", Label.ZIP, "plaquettes 69003"),
        ("Dr Zelmira Quintard", "Quintard", Label.LAST_NAME, "un Quintard"),
    ],
)
def test_what_stands_beside_it_makes_it_one(
    text: str, surface: str, label: Label, without: str | None
) -> None:
    """CHUV's dependencies: a fax is a phone behind its word, a house number stands at a street, a
    postal code before a town, a name beside a title or a name."""

    policy = load_policy("chuv")
    patterns = (one for one in policy.detectors if one.name == "patterns")
    by_rules = Deidentifier(policy.found_by(*patterns, merge=Union()), key=KEY)

    def labels(of: str) -> set[Label]:
        at = of.index(surface)
        spans = by_rules.detect(of).spans
        return {s.label for s in spans if s.start <= at and s.end >= at + len(surface)}

    assert labels(text) == {label}
    assert without is None or label not in labels(without)
