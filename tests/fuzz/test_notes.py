"""Whatever stands in a note, it is found within it, merged to spans apart, and replaced."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import pytest

from dpdeid.detect.decision.decision import Decision
from dpdeid.detect.known_facts.metadata import Metadata
from dpdeid.detect.known_facts.propagate import Propagate
from dpdeid.detect.known_facts.site import Site
from dpdeid.detect.merge.by_category import ByCategory
from dpdeid.detect.merge.published import Route, Tags, Union
from dpdeid.detect.names.lookup import Lookup
from dpdeid.detect.places.lookup import LookupPlaces
from dpdeid.detect.rules import Patterns
from dpdeid.detect.rules.row_files import rows
from dpdeid.document import Document, Span, rewrite
from dpdeid.engine import Deidentifier
from dpdeid.fasdim.detector import Fasdim
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy, names
from dpdeid.protocols import Detector
from tests.conftest import KEY
from tests.detect.anywhere import plain
from tests.detect.hostile import NAMES, build
from tests.fuzz.cases import CASES, QUICK, refused, run
from tests.fuzz.files import NOTE
from tests.fuzz.mutations import LETTERS, of_text

LISTS: Final = Path(__file__).parents[1] / "detect" / "known_facts" / "site_lists"
DETECTORS: Final[tuple[Detector, ...]] = (
    *(Patterns(), Lookup(), LookupPlaces(), Metadata(), Fasdim(), Site(LISTS)),
)
RULES: Final = ("metadata", "patterns", "lookup", "lookup_places", "fasdim")
MERGES: Final = (Union(), Tags(), Route(), Decision(), ByCategory(("RUE",), "crf"))
KNOWN: Final = {
    Label.LAST_NAME: ("QUEMENEUR", "Le Bihannic", ""),
    Label.FIRST_NAME: ("Armelle",),
    Label.BIRTH_DATE: ("1951-03-14",),
    Label.PHONE: ("06 44 91 27 35",),
}


@cache
def lines() -> tuple[str, ...]:
    """What rules find, and a note."""
    return (*plain(rows()), NOTE)


def text(dice: Random) -> str:
    """A short text, one in a hundred longer: lines, hostile and odd letters, mutated."""
    parts = []
    for _ in range(dice.choice((1, 1, 1, 2)) if dice.random() < 0.99 else 20):
        kind = dice.random()
        if kind < 0.7:
            parts.append(of_text(dice.choice(lines()), dice))
        elif kind < 0.9:
            parts.append(build(dice.choice(NAMES), dice.choice((3, 20, 60))))
        else:
            parts.append("".join(dice.choices(LETTERS, k=4)))
    return dice.choice(("", " ", "\n")).join(parts)


def document(dice: Random, number: int = 0) -> Document:
    known = KNOWN if dice.random() < 0.3 else {}
    return Document(f"n{number}", text(dice), dice.choice((None, "p")), known=known)


def lies_within(spans: tuple[Span, ...], whole: str) -> None:
    assert all(0 <= span.start < span.end <= len(whole) for span in spans)


def detected(dice: Random) -> None:
    """One detector on a text, and what propagates what it found."""
    doc = document(dice)
    found = tuple(dice.choice(DETECTORS)(doc))
    lies_within(found, doc.text)
    if dice.random() < 0.2:
        for spans in Propagate()([doc], [found]):
            lies_within(tuple(spans), doc.text)


def merged(dice: Random) -> None:
    """Any spans of several voices, by each merge."""
    doc = Document("n", text(dice)[:300])
    if not doc.text:
        return
    proposed: dict[str, tuple[Span, ...]] = {}
    for name in dice.sample(("patterns", "lookup", "metadata", "crf", "transformer"), 3):
        spans = []
        for _ in range(dice.randint(0, 4)):
            start = dice.randrange(len(doc.text))
            end = min(len(doc.text), start + dice.randint(1, 30))
            spans.append(Span(start, end, dice.choice(tuple(Label)), dice.random(), name))
        proposed[name] = tuple(spans)
    given = dice.choice(MERGES)(doc, proposed)
    lies_within(given, doc.text)
    assert all(a.end <= b.start for a, b in pairwise(given))


@cache
def engine(name: str) -> Deidentifier:
    """A built-in policy with its rules and lists alone."""
    policy = load_policy(name)
    by_rule = [one for one in policy.detectors if one.name in RULES]
    return Deidentifier(policy.found_by(*by_rule), key=KEY)


def released(dice: Random) -> None:
    """A record of one or two notes through a whole policy. No part may fail but as it says."""
    own = engine(dice.choice(names()))
    docs = [document(dice)]
    if own.policy.unit == "patient" and dice.random() < 0.2:
        patient = docs[0].patient_id
        docs.append(Document("n1", text(dice), patient) if patient else docs[0])
        docs = docs if patient else docs[:1]
    with silent(), refused():
        for doc, result in zip(docs, own.record(docs), strict=True):
            lies_within(tuple(one.mention.span for one in result.surrogates), doc.text)
            assert rewrite(doc.text, result.surrogates) == result.text


class Told(logging.Handler):
    """Keeps what is logged: a part that fails is redacted, and tells of it here only."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def silent() -> Iterator[None]:
    """A block in which no strategy fails but by an error of ours."""
    told, log = Told(), logging.getLogger("dpdeid.protocols")
    log.addHandler(told)
    try:
        yield
    finally:
        log.removeHandler(told)
    assert not [one for one in told.said if "SubstitutionError" not in one]


WAYS: Final[dict[str, tuple[Callable[[Random], None], float]]] = {
    "detected": (detected, 0.1),
    "merged": (merged, 0.09),
    "released": (released, 0.05),
}
"""Cases by name, with their shares of all."""


@pytest.mark.parametrize("name", WAYS)
def test_some_notes(name: str) -> None:
    case, share = WAYS[name]
    run(name, case, round(share * QUICK))


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_many_notes(name: str) -> None:
    case, share = WAYS[name]
    run(name, case, round(share * CASES))


def test_something_is_found_in_most_notes() -> None:
    """Else the cases would say nothing."""
    found = [bool(list(Patterns()(document(Random(number))))) for number in range(100)]
    assert sum(found) > 50


def test_a_strategy_that_fails_is_not_silent() -> None:
    with pytest.raises(AssertionError), silent():
        logging.getLogger("dpdeid.protocols").warning("strategy %s failed (%s)", "x", "KeyError")
