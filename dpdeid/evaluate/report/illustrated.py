"""What policies do to made-up people, drawn: a map of towns, timelines of events."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from dpdeid.evaluate.attacks.patients import france
from dpdeid.evaluate.report import charts, examples
from dpdeid.evaluate.report.charts import Caption
from dpdeid.evaluate.report.markup import identifier
from dpdeid.evaluate.report.page import Section, Table
from dpdeid.evaluate.report.words import Words
from dpdeid.policy import Policy

_BANDS: Final = (0, 5, 10, 20, 50, 100, 200)
"""Edges of distances, in km."""
_TICKS: Final = (-10_000, -1_000, -100, -10, 0, 10, 100, 1_000)
"""Days that are marked on the timelines."""
_INHABITANTS: Final = 120


def moved(policy: Policy, words: Words) -> Section | None:
    """A map of made-up people, and how far the policy moves their towns."""
    moves = examples.moves(policy, _INHABITANTS)
    if not moves:
        return None
    km = [move.km for move in moves]
    rows = [(words("band none"), km.count(0))]
    for low, high in pairwise(_BANDS):
        rows.append((words("band up to", km=high), sum(low < d <= high for d in km)))
    rows.append((words("band more", km=_BANDS[-1]), sum(d > _BANDS[-1] for d in km)))
    said = words(
        "moved text",
        count=len(moves),
        policy=policy.name,
        km=words.number(math.fsum(km) / len(km)),
        unchanged=km.count(0),
    )
    caption = Caption(identifier("moved", policy.name), words("moved title"), words("moved alt"))
    chart = charts.journeys(france().positions, [(m.start, m.end) for m in moves], caption)
    return Section(
        caption.key,
        f"{caption.title} ({policy.name})",
        (said,),
        Table(("band", "people"), tuple(rows)),
        chart,
    )


def dates(policies: Sequence[Policy], words: Words) -> Section | None:
    """The events of a made-up patient under each policy that draws dates."""
    told = {policy.name: days for policy in policies if (days := examples.story(policy))}
    if not told:
        return None
    note = examples.GAPS.index(0)
    rows: dict[str, list[int | None]] = {"original": list(examples.GAPS)}
    for name, days in told.items():
        start = days[note]
        rows[name] = [None if start is None or day is None else day - start for day in days]
    caption = Caption("dates", words("dates title"), words("dates alt"))
    chart = charts.timelines(
        {
            words.column(name): [_widened(d) for d in days if d is not None]
            for name, days in rows.items()
        },
        caption,
        ticks=[
            (_widened(tick), words("days", days=f"{tick:+d}" if tick else 0)) for tick in _TICKS
        ],
    )
    columns = [(str(at), *column) for at, column in enumerate(zip(*rows.values(), strict=True), 1)]
    return Section(
        caption.key,
        caption.title,
        (words("dates text", count=len(examples.GAPS)),),
        Table(("event", *rows), tuple(columns)),
        chart,
    )


def _widened(days: int) -> float:
    """Days on a scale that is even near 0 and in powers of ten far from it."""
    return math.copysign(math.log10(1 + abs(days)), days)
