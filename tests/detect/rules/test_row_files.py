"""The YAML files of rows: what a bad row gives, and that nothing in them is dead."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from dpdeid.detect.rules import fragments
from dpdeid.detect.rules.fragments import FAMILIES, expression, family, pattern, phrases
from dpdeid.detect.rules.row_files import PREDICATES, read_row, rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document

GOOD = {
    "name": "order.bon",
    "words": "bon",
    "regex": r"bon (?P<ORDER_ID>\d{4})",
    "example": "bon «ORDER_ID:2044»",
}


def spans(text: str, **fields: Any) -> list[tuple[int, int]]:
    return [(s.start, s.end) for s in Table([read_row(GOOD | fields)]).scan(Document("row", text))]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"regexp": "a"}, r"unknown fields \['regexp'\]; a row has \['begins'"),
        ({"words": ""}, "it lacks an anchor, one of"),
        ({"check": "nobody"}, "'nobody'"),
        ({"role": "NURSE"}, "'NURSE'"),
        ({"regex": "(?P<ZIP><<NOWHERE>>)"}, "'NOWHERE'"),
        ({"regex": "(?P<ZIP><<any of NOWHERE>>)"}, "'NOWHERE'"),
        ({"regex": r"\d"}, "row order.bon names no label"),
        ({"regex": r"(?P<ZIP>\d"}, r"row order.bon: missing \)"),
        ({"context": [{"leave": {"before": "a"}}]}, "keep or drop, not leave"),
        ({"context": [{"drop": {"befor": "a"}}]}, "unknown text 'befor'"),
        ({"context": [{"drop": {"is": "nobody"}}]}, "'nobody'"),
    ],
)
def test_a_bad_field_is_told(fields: dict[str, Any], error: str) -> None:
    with pytest.raises((ValueError, KeyError), match=error):
        spans("bon 2044", **fields)


def test_the_file_and_the_row_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = {"rows": [GOOD | {"scores": 1}]}
    monkeypatch.setattr(sys.modules[read_row.__module__], "family", lambda name: bad)
    with pytest.raises(ValueError, match=r"^times\.yaml, row order\.bon: unknown fields"):
        rows.__wrapped__("times")


@pytest.mark.parametrize(
    ("context", "found"),
    [
        ([{"drop": {"before": "un "}}], ["le bon 2044"]),
        ([{"keep": {"before": "un "}}], ["un bon 2044"]),
        ([{"drop": {"before": "un", "after": "a"}}], ["le bon 2044", "un bon 2044"]),
        ([{"keep": {"no before": "un "}}], ["le bon 2044"]),
        ([{"keep": {"before": "le "}}, {"drop": {"found": "^2"}}], ["le bon 2044"]),
        ([{"drop": {"is": "evident_code"}}], []),
    ],
)
def test_the_first_step_that_fits_decides(context: list[Any], found: list[str]) -> None:
    lines = ["le bon 2044", "un bon 2044"]
    assert [line for line in lines if spans(line, context=context)] == found


def test_line_breaks_in_an_expression_mean_nothing() -> None:
    assert expression("a\n      |b <<DAY>>") == "a|b " + expression("<<DAY>>")


def texts(value: Any) -> Iterator[str]:
    """All strings in a value, keys of mappings left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


def test_every_condition_of_every_context_compiles() -> None:
    for name in FAMILIES:
        for row in family(name).get("rows", ()):
            for step in row.get("context", ()):
                for text in texts(step):
                    pattern(text)


def test_every_list_fragment_and_predicate_is_used() -> None:
    source = "\n".join(text for name in FAMILIES for text in texts(family(name)))
    begun = {
        name
        for family_ in FAMILIES
        for row in family(family_).get("rows", ())
        for name in row.get("begins", "").split(", ")
    }
    used = begun | {
        name
        for names in re.findall(r"<<(?:any of |exactly |opening of )?([A-Z_, ]+)>>", source)
        for name in names.split(", ")
    }
    named = {
        name
        for family_ in FAMILIES
        for section in ("lists", "fragments")
        for name in family(family_).get(section, ())
    }
    elsewhere = {
        "SPELT_ACCENT", "ORDER_CUES", "OTHER_CUES", "VISIT_CUES", "PROVIDER_CUES", "OFFICES",
    }  # fmt: skip
    assert named - used == elsewhere - used
    checked = {
        row["check"] for f in FAMILIES for row in family(f).get("rows", ()) if "check" in row
    }
    assert set(PREDICATES) - checked <= set(source.split())


def test_phrases_of_a_list_have_both_genders() -> None:
    assert fragments._genders("boucher/ère") == ("boucher", "bouchère")
    assert fragments._genders("acteur/trice") == ("acteur", "actrice")
    assert fragments._genders("serveur/euse") == ("serveur", "serveuse")
    assert fragments._genders("religieux/euse") == ("religieux", "religieuse")
    assert fragments._genders("maître/sse") == ("maître", "maîtresse")
    assert "tunisienne" in phrases("NATIONALITIES")
