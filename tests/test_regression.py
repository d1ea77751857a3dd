"""Hand-written lines for each label, each run through the rules; then through all detectors.

A line is the file `tests/regression/<name>.jsonl`'s row: the text with its spans marked, the
patient's known facts if any, and why the line is there. `KNOWN_FAILURES.txt` holds the lines that
do not come out right yet, and is exact in both directions: a new failure is red, and so is a line
that comes right without leaving the list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.protocols import Learned
from dpdeid.testing import marked
from tests.conftest import KEY

FOLDER = Path(__file__).parent / "regression"
OTHER_FILES = {"eponyms", "negatives", "hnfc", "swiss", "belgian", "overseas", "dirty"}
MOST = 0.1
"""Share of the lines on which the taggers may differ."""
FREQUENT = {"last_name", "first_name", "date", "street", "city", "phone"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its document and the spans that must be found in it."""

    id: str
    document: Document
    spans: tuple[Span, ...]


def lines() -> list[Line]:
    """The lines of all files, in the order of the files' names."""
    out = []
    for path in sorted(FOLDER.glob("*.jsonl")):
        for number, row in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            fields = json.loads(row)
            text, spans = marked(fields["text"])
            given = {**fields, "text": text}
            out.append(Line(fields["id"], document_of(given, number), spans))
    return out


def known_failures() -> dict[str, str]:
    """The lines that do not come out right yet, with what is wrong: "leak" or "label"."""
    listed = (FOLDER / "KNOWN_FAILURES.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in listed)


LINES = lines()
KNOWN = known_failures()


@pytest.fixture(scope="module")
def rules() -> Deidentifier:
    policy = load_policy("redact")
    untrained = (d for d in policy.detectors if not isinstance(d, Learned))
    return Deidentifier(policy.found_by(*untrained), key=KEY)


def fault(line: Line, found: tuple[Span, ...]) -> str:
    """What is wrong with the spans found: "leak", "label", or "" where nothing is."""
    hidden = {i for span in found if span.label is not Label.DURATION for i in _places(span)}
    for span in line.spans:
        shown = (i for i in _places(span) if i not in hidden)
        if span.label.is_direct and any(line.document.text[i].isalnum() for i in shown):
            return "leak"
    durations = any(span.label is Label.DURATION for span in line.spans)
    return "" if _keys(found, durations) == _keys(line.spans, durations) else "label"


def _places(span: Span) -> range:
    return range(span.start, span.end)


def _keys(spans: Iterable[Span], durations: bool) -> set[tuple[int, int, Label]]:
    return {(s.start, s.end, s.label) for s in spans if durations or s.label is not Label.DURATION}


@pytest.mark.parametrize("line", LINES, ids=[line.id for line in LINES])
def test_line(line: Line, rules: Deidentifier) -> None:
    found = rules.detect(line.document).spans
    shown = [(s.label.value, line.document.text[s.start : s.end]) for s in found]
    assert fault(line, found) == KNOWN.get(line.id, ""), shown


def test_the_taggers_lose_nothing_that_the_rules_found_and_seldom_find_more() -> None:
    """They never saw these lines. What they add or name otherwise is mostly wrong here."""
    hybrid = Deidentifier("redact", key=KEY)
    faults = {line.id: fault(line, hybrid.detect(line.document).spans) for line in LINES}
    assert {name for name, found in faults.items() if found == "leak"} <= KNOWN.keys()
    assert sum(map(bool, faults.values())) < MOST * len(LINES)


def test_known_failures_name_lines_once_and_say_what_is_wrong() -> None:
    listed = (FOLDER / "KNOWN_FAILURES.txt").read_text(encoding="utf-8").splitlines()
    assert listed == sorted(set(listed))
    assert KNOWN.keys() <= {line.id for line in LINES}
    assert set(KNOWN.values()) <= {"leak", "label"}


def test_ids_are_unique_and_begin_with_the_name_of_their_file() -> None:
    assert len({line.id for line in LINES}) == len(LINES)
    for path in FOLDER.glob("*.jsonl"):
        for row in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(row)["id"].rpartition("-")[0] == path.stem


def test_every_label_has_its_file() -> None:
    labels = {label.lower() for label in Label}
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == labels | OTHER_FILES


@pytest.mark.parametrize("label", Label)
def test_label_has_enough_lines_with_it_and_some_without(label: Label) -> None:
    own = [line for line in LINES if line.id.rpartition("-")[0] == label.lower()]
    with_it = [line for line in own if label in {span.label for span in line.spans}]
    assert len(own) >= (30 if label.lower() in FREQUENT else 15)
    assert len(with_it) >= 10
    assert len(own) > len(with_it)


def test_a_shown_name_is_a_leak_and_a_hidden_one_with_another_label_is_not() -> None:
    line = next(line for line in LINES if line.id == "last_name-01")
    (name,) = line.spans
    assert fault(line, ()) == "leak"
    assert fault(line, (Span(name.start, name.end - 1, Label.LAST_NAME),)) == "leak"
    assert fault(line, (Span(name.start, name.end, Label.CITY),)) == "label"
    assert fault(line, (Span(name.start, name.end, Label.LAST_NAME),)) == ""
