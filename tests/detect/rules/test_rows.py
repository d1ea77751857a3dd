"""Every row finds exactly what its own test line marks, and nothing in its `never` lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Ending, Number, Row, Run, Table
from dpdeid.document import Document

MARK = re.compile(r"«([A-Z_]+):([^»]*)»")


def unmarked(line: str) -> tuple[str, set[tuple[int, int, str]]]:
    """The plain line, and its marked spans as (start, end, label)."""
    text, spans, done = "", set(), 0
    for mark in MARK.finditer(line):
        text += line[done : mark.start()]
        spans.add((len(text), len(text) + len(mark[2]), mark[1]))
        text += mark[2]
        done = mark.end()
    return text + line[done:], spans


def scanned(table: Table, text: str) -> set[tuple[int, int, str]]:
    return {(s.start, s.end, str(s.label)) for s in table.scan(Document("row", text))}


def found(row: Row, text: str) -> set[tuple[int, int, str]]:
    return scanned(Table([row]), text)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_row_finds_its_example(row: Row) -> None:
    text, expected = unmarked(row.example)
    assert expected, "the example marks no span"
    assert found(row, text) == expected


@pytest.mark.parametrize(
    ("row", "line"),
    [
        pytest.param(row, line, id=f"{row.name}-{i}")
        for row in rows()
        for i, line in enumerate(row.never)
    ],
)
def test_row_leaves_its_never_lines_alone(row: Row, line: str) -> None:
    assert found(row, line) == set()


def test_runs_of_several_literals_are_found_in_one_pass() -> None:
    rows = [
        Row(f"url{end}", Run(end), rf"(?P<URL>[a-z.]+{end[1:]})\b", "") for end in (".fr", ".ch")
    ]
    spans = Table(rows).scan(Document("runs", "a.ch b.fr.fr c.chat d.fr"))
    assert sorted((s.start, s.end) for s in spans) == [(0, 4), (5, 12), (20, 24)]


def test_no_literal_of_a_run_begins_another() -> None:
    literals = [row.anchor.literal for row in rows() if isinstance(row.anchor, Run)]
    assert not [(a, b) for a in literals for b in literals if a != b and b.startswith(a)]


def test_no_literal_begins_or_ends_inside_a_word() -> None:
    literals = [row.anchor for row in rows() if isinstance(row.anchor, str)]
    assert literals
    assert not [a for a in literals if a[0].isalnum() or a[-1].isalnum()]


def test_a_row_is_tried_at_words_of_its_ending() -> None:
    """Also at one that is the word of another row, and at none that goes on."""
    rows = [
        Row("ending", Ending("weg"), r"(?P<STREET>[A-Z][a-z]+weg \d)", ""),
        Row("word", {"bachweg": ""}, r"(?P<CITY>Bachweg)", ""),
    ]
    spans = Table(rows).scan(Document("ending", "Am Bachweg 3, Steinweg 4, Wegener 5"))
    assert sorted((s.start, s.end) for s in spans) == [(3, 10), (3, 12), (14, 24)]


def test_no_row_is_tried_behind_that_of_a_believed_number() -> None:
    date = Row("date", Number(r"\d\d/"), r"(?P<DATE>\d\d/\d\d)", "")
    code = Row("code", Number(r"\d\d/"), r"(?P<OTHER_ID>\d\d/\d\d)", "")
    believed, doubted = Table([date, code]), Table([replace(date, score=0.5), code])
    labels = [
        [str(s.label) for s in t.scan(Document("d", "le 12/03"))] for t in (believed, doubted)
    ]
    assert labels == [["DATE"], ["DATE", "OTHER_ID"]]


def test_row_names_are_unique() -> None:
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


matching = cache(st.from_regex)  # built once: for a row of thousands of words that takes a second
NUMBERED = [row for row in rows() if isinstance(row.anchor, Number)]
NUMBERS = st.text("00123789 \n./-–,:;&hHaAeèrmMjJsnIVXBFtT°é'", max_size=16)


@pytest.mark.parametrize("row", NUMBERED, ids=lambda row: row.name)
@settings(
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_shape_of_a_number_hides_no_match(row: Row, data: st.DataObject) -> None:
    text = data.draw(st.one_of(NUMBERS, matching(row.regex)))
    everywhere = replace(row, anchor=Number(""))
    line = f"le {text}"
    assert found(row, line) == found(everywhere, line)


@cache
def with_and_without_guards(row_name: str) -> tuple[Table, Table]:
    (row,) = (row for row in GUARDED if row.name == row_name)
    return Table([row]), Table([replace(row, anchor=dict.fromkeys(row.anchor, ""))])


GUARDED = [row for row in rows() if isinstance(row.anchor, Mapping) and any(row.anchor.values())]
"""Rows whose anchors ask for something behind their words."""


@pytest.mark.slow
@pytest.mark.parametrize("row", GUARDED, ids=lambda row: row.name)
@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_what_stands_behind_a_word_hides_no_match(row: Row, data: st.DataObject) -> None:
    assert isinstance(row.anchor, Mapping)
    word = data.draw(st.sampled_from(sorted(row.anchor)))
    text = data.draw(st.one_of(st.builds(f"{word}{{}}".format, NUMBERS), matching(row.regex)))
    assume(not any(a.islower() and b.isupper() for a, b in pairwise(text)))  # "HuitANTE": two words
    guarded, everywhere = with_and_without_guards(row.name)
    assert scanned(guarded, text) == scanned(everywhere, text)


@pytest.mark.parametrize(
    "line",
    [
        "«K A U deux F M A N»",
        "«P E double R I N»",
        "«L E tiret G O deux F» à la ligne",
        "«H E accent aigu L A R Y»",
        "«N, O, U, E accent aigu», suivi",
        "«B comme Bernard A T I»",
        "«d apostrophe A R C»",
        "grade A deux B deux C",
    ],
)
def test_a_name_that_is_spelt_out_is_found_with_what_is_said_of_its_letters(line: str) -> None:
    (row,) = (row for row in rows() if row.name == "people.spelt")
    text, expected = unmarked(f"nom : {line.replace('«', '«LAST_NAME:')}")
    assert found(row, text) == expected
