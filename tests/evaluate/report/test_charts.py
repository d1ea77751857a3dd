"""Charts: everything is drawn, inside of the drawing, and told in words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.report.charts import (
    WIDTH,
    Caption,
    Curve,
    Interval,
    Scale,
    curves,
    histogram,
    intervals,
    journeys,
    timelines,
)
from tests.evaluate.report.reading import drawn

CAPTION = Caption("key", "What it is", "What it shows")
SHARES = st.floats(0, 1)

CHARTS: dict[str, Callable[[], str]] = {
    "intervals": lambda: intervals(
        [Interval("A", 0.5, 0.25, 0.75, "half"), Interval("B", 1), Interval("C", math.nan)], CAPTION
    ),
    "histogram": lambda: histogram([("a", 3, 1.0), ("b", 0, 0.5)], CAPTION, axes=("x", "y", "z")),
    "curves": lambda: curves(
        [
            Curve("found", ((1, 0.2, 0.1, 0.3), (10, 0.9, 0.8, 1.0))),
            Curve("bound", ((1, 0.5, math.nan, math.nan), (10, 1, math.nan, math.nan)), True),
        ],
        CAPTION,
        axes=("x", "y"),
        log_x=True,
    ),
    "journeys": lambda: journeys([(42, -4), (51, 8)], [((43, 0), (44, 1))], CAPTION),
    "timelines": lambda: timelines({"a": [0, 5], "b": [-3, 9]}, CAPTION, ticks=[(0, "0")]),
}


@pytest.fixture(params=CHARTS)
def chart(request: pytest.FixtureRequest) -> Element:
    return drawn(CHARTS[request.param]())


def test_a_chart_is_an_image_with_words(chart: Element) -> None:
    assert chart.get("role") == "img"
    title, desc = chart.find("title"), chart.find("desc")
    assert title is not None
    assert desc is not None
    assert chart.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert (title.text, desc.text) == (CAPTION.title, CAPTION.alt)


def test_nothing_is_drawn_outside_or_nowhere(chart: Element) -> None:
    height = float((chart.get("viewBox") or "").split()[3])
    for element in chart.iter():
        for name, most in {"x": WIDTH, "cx": WIDTH, "x1": WIDTH, "x2": WIDTH}.items():
            assert 0 <= float(element.get(name, 0)) <= most
        for name in ("y", "cy", "y1", "y2", "height"):
            assert 0 <= float(element.get(name, 0)) <= height
        assert "nan" not in element.get("d", "")


def test_no_colour_is_written_into_a_chart(chart: Element) -> None:
    """They come from the style, so that every reader may have their own."""
    assert not [e for e in chart.iter() if {"fill", "stroke", "style"} & set(e.keys())]


def test_an_interval_shows_its_value_in_words() -> None:
    words = [e.text for e in drawn(CHARTS["intervals"]()).iter("text")]
    assert {"A", "half", "B", "100.0 %", "C", "–"} <= set(words)


def test_long_names_stand_whole_in_lines_that_fit() -> None:
    """Ten types that begin alike are told apart by their ends."""
    names = [f"compte rendu d'hospitalisation de chirurgie {end}" for end in "ABCDEFGHIJ"]
    chart = drawn(intervals([Interval(name, 0.5) for name in (*names, "x" * 90)], CAPTION))
    lines = [e for e in chart.iter("text") if e.get("text-anchor") == "end"]
    told = " ".join(e.text or "" for e in lines)
    assert all(name in told for name in names)
    assert told.count("x") == 90
    assert max(len(e.text or "") for e in lines) < 30
    heights = [float(e.get("y", 0)) for e in lines]
    assert min(b - a for a, b in pairwise(heights)) >= 12


def test_curves_differ_in_dash_and_a_bound_has_no_marks() -> None:
    chart = drawn(CHARTS["curves"]())
    lines = [e for e in chart.iter("path") if "line" in (e.get("class") or "")]
    marks = [e for e in chart.iter("path") if (e.get("class") or "").startswith("f")]
    assert len({line.get("stroke-dasharray") for line in lines}) == 2
    assert len(marks) == 2


def test_a_place_that_stays_has_no_arrow() -> None:
    there = drawn(journeys([(42, -4), (51, 8)], [((43, 0), (43, 0)), ((44, 0), (45, 0))], CAPTION))
    assert len(list(there.iter("circle"))) == 2
    assert len(list(there.iter("line"))) == 1


def test_a_map_of_outlines_holds_them_and_a_circle_of_its_kilometres() -> None:
    ring = [(42, -4), (42, 8), (51, 8), (51, -4)]
    chart = drawn(journeys((), [((45, 0), (46, 1))], CAPTION, outlines=[ring], radius_km=111.2))
    (land,) = (path for path in chart.iter("path") if path.get("class") == "land")
    ups = [float(point.split()[1]) for point in (land.get("d") or "").strip("Mz").split("L")]
    (reach,) = (one for one in chart.iter("circle") if one.get("class") == "reach")
    assert 9 * float(reach.get("r", 0)) == pytest.approx(max(ups) - min(ups), rel=0.01)


def test_north_is_up_and_east_is_right() -> None:
    first, second = drawn(
        journeys([(42, -4), (51, 8)], [((43, 0), (43, 0)), ((50, 7), (50, 7))], CAPTION)
    ).iter("circle")
    assert float(first.get("cy", 0)) > float(second.get("cy", 0))
    assert float(first.get("cx", 0)) < float(second.get("cx", 0))


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), SHARES)
def test_a_scale_keeps_within_its_ends(low: float, high: float, share: float) -> None:
    value = low + share * (high - low)
    assert -1e-6 <= Scale(low, high, 0, 100)(value) <= 100 + 1e-6


def test_a_scale_in_powers_of_ten() -> None:
    scale = Scale(1, 100, 0, 10, log=True)
    assert [scale(v) for v in (1, 10, 100)] == pytest.approx([0, 5, 10])


@given(st.lists(SHARES, min_size=1, max_size=30))
def test_marks_stand_where_their_values_are(values: list[float]) -> None:
    chart = drawn(intervals([Interval(str(at), value) for at, value in enumerate(values)], CAPTION))
    marks = [float(mark.get("cx", 0)) for mark in chart.iter("circle")]
    order = sorted(range(len(values)), key=lambda at: values[at])
    assert sorted(marks) == [marks[at] for at in order]
    assert not re.search("nan|inf", str([mark.attrib for mark in chart.iter()]))
