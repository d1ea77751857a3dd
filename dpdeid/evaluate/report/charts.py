"""Charts as SVG: no colour says anything that a shape, a dash or a word does not say too.

Written here and not by a plotting library, because the page must come from the base install, keep
its text as text (for readers, search and print), and follow the colours of the reader. Every chart
is 720 wide; its words come from the caller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from textwrap import wrap
from typing import Final
from xml.etree.ElementTree import Element

from dpdeid.evaluate.report.markup import tag
from dpdeid.evaluate.rounding import percent

WIDTH: Final = 720
_LONGEST: Final = 27
"""Letters of a name that stand in one line beside a chart."""
_STEP: Final = 22
_LINE: Final = 14
_DASHES: Final = ("", "7 4", "2 3", "9 3 2 3", "1 5")


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


def intervals(rows: Sequence[Interval], caption: Caption) -> Element:
    """A dot for each value on a line from 0 to 100 %, its interval as a bar through it."""
    left, right = 215, WIDTH - 165
    names = [wrap(row.name, _LONGEST) or [""] for row in rows]
    tops = [0, *accumulate(_STEP + _LINE * (len(name) - 1) for name in names)]
    height = 34 + tops[-1]
    x = Scale(0, 1, left, right)
    parts = [_grid(x, share, f"{100 * share:.0f} %", height) for share in (0, 0.25, 0.5, 0.75, 1)]
    for row, name, top in zip(rows, names, tops, strict=False):
        y = 18 + top
        for line, text in enumerate(name):
            parts.append(_word(left - 10, y + 4 + _LINE * line, text, anchor="end"))
        if math.isnan(row.value):
            parts.append(_word(left + 4, y + 4, "–"))
            continue
        if not math.isnan(row.low):
            parts.append(tag("line", x1=x(row.low), x2=x(row.high), y1=y, y2=y, class_="interval"))
        parts.append(tag("circle", cx=x(row.value), cy=y, r=5, class_="mark"))
        parts.append(_word(right + 12, y + 4, row.note or f"{percent(row.value)} %"))
    return _chart(height, parts, caption)


def histogram(
    bins: Sequence[tuple[str, int, float]], caption: Caption, *, axes: tuple[str, str, str]
) -> Element:
    """Bars of counts, and a share for each bin as a line with marks.

    Args:
        bins: name, count, share.
        axes: what the bins are, what the bars count, what the line says.
    """
    left, right, top, bottom = 60, WIDTH - 60, 40, 250
    most = max((number for _, number, _ in bins), default=0) or 1
    y, share = Scale(0, most, bottom, top), Scale(0, 1, bottom, top)
    width = (right - left) / max(len(bins), 1)
    parts = [_word(left, 18, axes[1]), _word(right, 18, axes[2], anchor="end")]
    parts += [_word(right + 8, share(v) + 4, f"{100 * v:.0f} %") for v in (0, 0.5, 1)]
    line = []
    for at, (name, number, part) in enumerate(bins):
        x, height = left + at * width, bottom - y(number)
        parts.append(
            tag("rect", x=x + 3, y=y(number), width=width - 6, height=height, class_="bar")
        )
        if number:
            parts.append(_word(x + width / 2, bottom - 6, str(number), anchor="middle"))
        parts.append(_word(x + width / 2, bottom + 18, name, anchor="middle"))
        if not math.isnan(part):
            line.append((x + width / 2, share(part)))
    parts += _line(line, 1) if line else []
    parts.append(_word((left + right) / 2, bottom + 40, axes[0], anchor="middle"))
    return _chart(bottom + 50, parts, caption)


def curves(
    series: Sequence[Curve],
    caption: Caption,
    *,
    axes: tuple[str, str],
    log_x: bool = False,
    ticks: Sequence[float] = (),
) -> Element:
    """Shares from 0 to 100 % along x, each with its own dash, mark and name at its end.

    A curve of one point is a mark with its name beside it.
    """
    left, right, top, bottom = 60, WIDTH - 220, 24, 300
    xs = [*(p[0] for curve in series for p in curve.points), *ticks] or [0.0, 1.0]
    x, y = Scale(min(xs), max(xs), left, right, log_x), Scale(0, 1, bottom, top)
    parts = [
        _level(left, right, y(share), f"{100 * share:.0f} %") for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    for tick in ticks or sorted(set(xs)):
        parts += [_word(x(tick), bottom + 18, f"{tick:g}", anchor="middle")]
    taken: list[float] = []
    for at, curve in enumerate(series):
        if not curve.points:
            continue
        for px, _, low, high in curve.points:
            if not math.isnan(low):
                parts.append(
                    tag(
                        "line",
                        x1=x(px),
                        x2=x(px),
                        y1=y(low),
                        y2=y(high),
                        class_=f"interval s{at % 5}",
                    )
                )
        line = [(x(px), y(py)) for px, py, *_ in curve.points]
        parts += _line(line, at, marked=not curve.is_bound)
        x_end, y_end = line[-1]
        beside = (right if len(line) > 1 else x_end) + 12
        parts.append(_word(beside, _free(y_end + 4, taken), curve.name, class_=f"t{at % 5}"))
    parts.append(_word((left + right) / 2, bottom + 40, axes[0], anchor="middle"))
    parts.append(_word(left, 14, axes[1]))
    return _chart(bottom + 50, parts, caption)


def journeys(
    places: Sequence[tuple[float, float]],
    moves: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    caption: Caption,
) -> Element:
    """A map of places (latitude, longitude) with an arrow from each one moved to where it went."""
    north, south = max(p[0] for p in places), min(p[0] for p in places)
    west, east = min(p[1] for p in places), max(p[1] for p in places)
    flat = math.cos(math.radians((north + south) / 2))
    width = 520.0
    height = width * (north - south) / ((east - west) * flat)
    x, y = Scale(west, east, 100, 100 + width), Scale(north, south, 10, 10 + height)
    dots = "".join(f"M{x(lon):.0f} {y(lat):.0f}h1" for lat, lon in places)
    head = f"head-{caption.key}"
    parts = [
        tag(
            "marker",
            tag("path", d="M0 0L6 3L0 6z", class_="head"),
            id=head, viewBox="0 0 6 6", refX=5, refY=3, markerWidth=6, markerHeight=6,
            orient="auto",
        ),
        tag("path", d=dots, class_="places"),
    ]  # fmt: skip
    for (lat, lon), (new_lat, new_lon) in moves:
        parts.append(tag("circle", cx=x(lon), cy=y(lat), r=3, class_="from"))
        if (lat, lon) == (new_lat, new_lon):
            continue
        parts.append(
            tag(
                "line", x1=x(lon), y1=y(lat), x2=x(new_lon), y2=y(new_lat),
                class_="arrow", marker_end=f"url(#{head})",
            )
        )  # fmt: skip
    return _chart(math.ceil(height + 20), parts, caption)


def timelines(
    rows: Mapping[str, Sequence[float]], caption: Caption, *, ticks: Sequence[tuple[float, str]]
) -> Element:
    """One line a row with a numbered mark for each event; positions in the unit of `ticks`."""
    left, right, step = 130, WIDTH - 30, 46
    at = [value for values in rows.values() for value in values] + [tick for tick, _ in ticks]
    x = Scale(min(at), max(at), left, right)
    height = 40 + step * len(rows)
    parts = [_grid(x, tick, name, height) for tick, name in ticks]
    for row, (name, values) in enumerate(rows.items()):
        y = 30 + step * row
        parts.append(_word(left - 12, y + 4, name, anchor="end"))
        parts.append(tag("line", x1=left, x2=right, y1=y, y2=y, class_="axis"))
        taken: list[float] = []
        for number, value in enumerate(values, 1):
            parts.append(tag("circle", cx=x(value), cy=y, r=4, class_="mark" if row else "from"))
            label = _free(x(value), taken, 9)
            parts.append(_word(label, y - 8, str(number), anchor="middle", class_="small"))
    return _chart(height, parts, caption)


def _chart(height: float, parts: Sequence[Element], caption: Caption) -> Element:
    """The drawing, with a title and a description for those who cannot see it."""
    return tag(
        "svg",
        tag("title", caption.title, id=f"title-{caption.key}"),
        tag("desc", caption.alt, id=f"desc-{caption.key}"),
        *parts,
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        aria_labelledby=f"title-{caption.key} desc-{caption.key}",
    )


def _line(points: Sequence[tuple[float, float]], at: int, *, marked: bool = True) -> list[Element]:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    style = at % len(_DASHES)
    line = tag("path", d=path, class_=f"line s{style}", stroke_dasharray=_DASHES[style])
    return [line, *(_mark(x, y, style) for x, y in points if marked)]


def _mark(x: float, y: float, style: int) -> Element:
    """One of five shapes."""
    shapes = (
        "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        "m-4 -4h8v8h-8z",
        "m0 -5l5 9h-10z",
        "m0 -5l5 5l-5 5l-5 -5z",
        "m-5 -1h4v-4h2v4h4v2h-4v4h-2v-4h-4z",
    )
    return tag("path", d=f"M{x:.1f} {y:.1f}{shapes[style]}", class_=f"f{style}")


def _word(x: float, y: float, text: str, *, anchor: str = "start", **more: str) -> Element:
    return tag("text", text, x=x, y=y, text_anchor=anchor, **more)


def _grid(x: Scale, value: float, name: str, height: float) -> Element:
    return tag(
        "g",
        tag("line", x1=x(value), x2=x(value), y1=4, y2=height - 24, class_="grid"),
        _word(x(value), height - 8, name, anchor="middle"),
    )


def _level(left: float, right: float, y: float, name: str) -> Element:
    return tag(
        "g",
        tag("line", x1=left, x2=right, y1=y, y2=y, class_="grid"),
        _word(left - 8, y + 4, name, anchor="end"),
    )


def _free(wanted: float, taken: list[float], room: float = 15) -> float:
    """The place nearest to the one wanted that no earlier word has taken."""
    steps = (sign * step * room / 3 for step in count() for sign in (1, -1))
    place = next(
        wanted + step for step in steps if all(abs(wanted + step - t) >= room for t in taken)
    )
    taken.append(place)
    return place
