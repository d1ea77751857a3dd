"""Charts as SVG: no colour says anything that a shape, a dash or a word does not say too.

Drawn by our own templates (`charts.html`) and not by a plotting library: text stays text (for
readers, search and print), and the colours follow the reader's. Every chart is 720 wide; its words
come from the caller. Needs Jinja2, from the extra `evaluate`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, chain, count
from textwrap import wrap
from typing import Any, Final

from dpdeid.errors import extra
from dpdeid.evaluate.counts import percent

WIDTH: Final = 720
_LONGEST: Final = 27
"""Letters of a name that stand in one line beside a chart."""
_STEP: Final = 22
_LINE: Final = 14
_STYLES: Final = 5
_DEGREE_KM: Final = 111.2

Svg = str
"""Markup: the templates do not escape it again."""


@cache
def template(
    name: str,
    *folders: str,
    needs: tuple[str, str] = ("evaluate", "the report page needs Jinja2"),
) -> Any:
    """A template of one of these folders of the package, or of this one; what it is given is
    escaped.

    Args:
        needs: an extra, and what is told of it where it is missing.

    Raises:
        UsageError: Jinja2 is not installed; names the extra.
    """
    with extra(*needs):
        from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
    loaders = [PackageLoader("dpdeid", folder) for folder in (*folders, "evaluate/report")]
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["n"] = lambda value: f"{value:.5g}" if isinstance(value, float) else str(value)
    made.tests["nan"] = lambda value: isinstance(value, float) and math.isnan(value)
    made.globals["percent"] = percent
    return made.get_template(name)


def identifier(*parts: str) -> str:
    """A name for an element of the page: no space and nothing else that an id may not hold.

    >>> identifier("found", "my notes (2)")
    'found-my-notes-2'
    """
    return re.sub(r"[^\w-]+", "-", "-".join(parts)).strip("-")


@dataclass(frozen=True, slots=True)
class Caption:
    """What a chart is called and what it shows, in words; the key is unique on a page."""

    key: str
    title: str
    alt: str


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its interval, all shares between 0 and 1; nan where there is none."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    note: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points (x, y, low, high) in the order of x; a bound is a line without marks."""

    name: str
    points: tuple[tuple[float, float, float, float], ...]
    is_bound: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to positions; in powers of ten if `log`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        if self.log:
            value, low, high = (math.log10(max(v, self.low)) for v in (value, low, high))
        share = (value - low) / (high - low) if high != low else 0.5
        return self.start + share * (self.end - self.start)


def intervals(rows: Sequence[Interval], caption: Caption) -> Svg:
    """A dot for each value on a line from 0 to 100 %, its interval as a bar through it."""
    names = [wrap(row.name, _LONGEST) or [""] for row in rows]
    tops = [18, *accumulate((_STEP + _LINE * (len(name) - 1) for name in names), initial=18)][1:]
    shares = [(share, f"{100 * share:.0f} %") for share in (0, 0.25, 0.5, 0.75, 1)]
    drawn = list(zip(rows, names, tops, strict=False))
    x = Scale(0, 1, 215, WIDTH - 165)
    return _drawn("intervals", caption, height=16 + tops[-1], rows=drawn, x=x, shares=shares)


def histogram(
    bins: Sequence[tuple[str, int, float]], caption: Caption, *, axes: tuple[str, str, str]
) -> Svg:
    """Bars of counts, and a share for each bin as a line with marks.

    Args:
        bins: name, count, share.
        axes: what the bins are, what the bars count, what the line says.
    """
    left, right, top, bottom = 60, WIDTH - 60, 40, 250
    return _drawn(
        "histogram",
        caption,
        bins=bins,
        y=Scale(0, max((number for _, number, _ in bins), default=0) or 1, bottom, top),
        share=Scale(0, 1, bottom, top),
        left=left,
        right=right,
        width=(right - left) / max(len(bins), 1),
        axes=axes,
    )


def targets(
    rows: Sequence[tuple[str, int, tuple[int, ...]]], caption: Caption, names: Sequence[str]
) -> Svg:
    """Of each row a count that is wanted as a stroke, and the counts reached as marks, one shape
    for each name; in powers of ten, 0 at the left end.
    """
    most = max((n for _, target, reached in rows for n in (target, *reached)), default=1)
    powers = range(math.ceil(math.log10(max(most, 10))) + 1)
    x = Scale(0.5, 10 ** powers[-1], 250, WIDTH - 30, log=True)
    ticks = [(0.5, "0"), *((10**power, f"{10**power:,}") for power in powers)]
    drawn = [(name, 44 + _STEP * at, *rest) for at, (name, *rest) in enumerate(rows)]
    height = 60 + _STEP * len(rows)
    return _drawn("targets", caption, height=height, rows=drawn, x=x, ticks=ticks, names=names)


def chart_style() -> str:
    """The colours and strokes of charts, as a style sheet."""
    return (files("dpdeid.evaluate.report") / "charts.css").read_text(encoding="utf-8")


def alone(chart: Svg) -> Svg:
    """A chart as a file of its own, with its colours."""
    style = chart_style()
    head, _, rest = str(chart).partition(">")
    head = head.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
    paper = '<rect width="100%" height="100%" style="fill:var(--paper)"/>'
    return f"{head}><style>{style}</style>{paper}{rest}\n"


def curves(
    series: Sequence[Curve],
    caption: Caption,
    *,
    axes: tuple[str, str],
    log_x: bool = False,
    ticks: Sequence[float] = (),
    top: float = 1.0,
) -> Svg:
    """Shares from 0 to 100 % along x, each with its own dash, mark and name at its end.

    A curve of one point is a mark with its name beside it.

    Args:
        top: the largest share that is shown; what is over it is drawn at the top.
    """
    xs = [*(p[0] for curve in series for p in curve.points), *ticks] or [0.0, 1.0]
    x = Scale(min(xs), max(xs), 60, WIDTH - 220, log_x)
    scale = Scale(0, top, 300, 24)

    def y(value: float) -> float:
        return scale(min(value, top))

    taken: list[float] = []
    drawn = []
    for at, curve in enumerate(series):
        if curve.points:
            last_x, last_y, *_ = curve.points[-1]
            beside = (x.end if len(curve.points) > 1 else x(last_x)) + 12
            drawn.append((curve, at % _STYLES, beside, _free(y(last_y) + 4, taken)))
    marked = ticks or sorted(set(xs))
    steps = [(y(part * top), part * top) for part in (0, 0.25, 0.5, 0.75, 1)]
    bottom = scale.start
    return _drawn(
        "curves",
        caption,
        series=drawn,
        x=x,
        y=y,
        bottom=bottom,
        steps=steps,
        ticks=marked,
        axes=axes,
    )


def journeys(
    places: Sequence[tuple[float, float]],
    moves: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    caption: Caption,
    *,
    outlines: Sequence[Sequence[tuple[float, float]]] = (),
    radius_km: float = 0.0,
) -> Svg:
    """A map of places (latitude, longitude) with an arrow from each one moved to where it went.

    Args:
        outlines: rings of land.
        radius_km: of a circle around where each one was; none for 0.
    """
    shown = [*places, *chain.from_iterable(outlines)]
    north, south = max(p[0] for p in shown), min(p[0] for p in shown)
    west, east = min(p[1] for p in shown), max(p[1] for p in shown)
    flat = math.cos(math.radians((north + south) / 2))
    width = 520.0
    height = width * (north - south) / ((east - west) * flat)
    x, y = Scale(west, east, 100, 100 + width), Scale(north, south, 10, 10 + height)
    return _drawn(
        "journeys",
        caption,
        height=math.ceil(height + 20),
        places=places,
        moves=moves,
        x=x,
        y=y,
        outlines=outlines,
        radius=radius_km / _DEGREE_KM * height / (north - south),
    )


def timelines(
    rows: Mapping[str, Sequence[float]], caption: Caption, *, ticks: Sequence[tuple[float, str]]
) -> Svg:
    """One line a row with a numbered mark for each event; positions in the unit of `ticks`."""
    at = [value for values in rows.values() for value in values] + [tick for tick, _ in ticks]
    x = Scale(min(at), max(at), 130, WIDTH - 30)
    drawn = []
    for row, (name, values) in enumerate(rows.items()):
        taken: list[float] = []
        drawn.append((name, 30 + 46 * row, [(v, _free(x(v), taken, 9)) for v in values]))
    return _drawn("timelines", caption, height=40 + 46 * len(rows), rows=drawn, x=x, ticks=ticks)


WIDE_TICKS: Final = (-10_000, -1_000, -100, -10, 0, 10, 100, 1_000)
"""Days that are marked on a widened scale."""


def widened(days: int) -> float:
    """Days on a scale that is even near 0 and in powers of ten far from it."""
    return math.copysign(math.log10(1 + abs(days)), days)


def _drawn(kind: str, caption: Caption, **geometry: Any) -> Svg:
    """The chart of a macro, with a title and a description for those who cannot see it."""
    drawn: Svg = getattr(template("charts.html").module, kind)(caption, **geometry)
    return drawn


def _free(wanted: float, taken: list[float], room: float = 15) -> float:
    """The place nearest to the one wanted that no earlier word has taken."""
    steps = (sign * step * room / 3 for step in count() for sign in (1, -1))
    place = next(
        wanted + step for step in steps if all(abs(wanted + step - t) >= room for t in taken)
    )
    taken.append(place)
    return place
