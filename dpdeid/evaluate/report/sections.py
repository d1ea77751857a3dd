"""Which sections a page has, and in which order.

Sections of what policies do to made-up people: a map of towns moved, timelines of events.
Nobody is real: a page that showed where the towns of real patients went would undo what it reports
on.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from dpdeid.assurance.audit import france
from dpdeid.evaluate.attacks.patients import E0, KEY, town
from dpdeid.evaluate.report import attacked, charts, measured
from dpdeid.evaluate.report.inputs import Evaluations
from dpdeid.evaluate.report.measured import changed, summary
from dpdeid.evaluate.report.page import Section, Words, drawn
from dpdeid.policy.policy import Policy
from dpdeid.privacy.places.release import Spot
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline.modes import Kind, Paper, Point
from dpdeid.substitute.dates.strategy import Dates
from dpdeid.substitute.places.strategy import Places

_NOTE: Final = dt.date(2024, 3, 14).toordinal()
GAPS: Final = (-760, -410, -396, -120, -21, -3, 0, 14)
"""Days from the note of the made-up patient to the events it tells of."""


@dataclass(frozen=True, slots=True)
class Move:
    """A place and its surrogate, in degrees, and the kilometres between them."""

    start: tuple[float, float]
    end: tuple[float, float]
    km: float


def town_moves(policy: Policy, count: int) -> tuple[Move, ...]:
    """So many inhabitants of France drawn alike, and where the policy moves the town of each.

    Empty where the policy draws no places.
    """
    strategy = next((s for s in policy.strategies if isinstance(s, Places)), None)
    if strategy is None:
        return ()
    listed = france()
    own, plane = listed.positions, listed.projection
    stream = Stream(b"places of a report")
    moved = []
    for at in range(count):
        index = town(stream)
        spot = Spot(str(index), *own[index], listed)
        (given,) = strategy.mechanism.release([spot], streams=Streams(KEY, f"inhabitant {at}"))
        if given.index is not None:
            end = own[given.index]
            km = math.dist(plane.plane(*own[index]), plane.plane(*end))
            moved.append(Move(own[index], end, km))
    return tuple(moved)


def story(policy: Policy) -> tuple[int | None, ...] | None:
    """The released days of one made-up patient, in the order of `GAPS`, as ordinals.

    None for a date that is redacted; None as a whole where the policy draws no dates.
    """
    strategy = next((s for s in policy.strategies if isinstance(s, Dates)), None)
    if strategy is None:
        return None
    points = [
        Point(str(gap), _NOTE + gap, Kind.EVENT if gap else Kind.NOTE, 0)
        for gap in sorted(GAPS, key=abs)
    ]
    e0 = _NOTE if isinstance(strategy.timeline, Paper) else E0
    released = strategy.timeline.release(points, e0=e0, streams=Streams(KEY, "a made-up patient"))
    days = {int(point.name): given.day for point, given in zip(points, released, strict=True)}
    return tuple(days[gap] for gap in GAPS)


_BANDS: Final = (0, 5, 10, 20, 50, 100, 200)
"""Edges of distances, in km."""
_INHABITANTS: Final = 120


def moved(policy: Policy, words: Words) -> Section | None:
    """A map of made-up people, and how far the policy moves their towns."""
    moves = town_moves(policy, _INHABITANTS)
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
    chart = partial(charts.journeys, france().positions, [(m.start, m.end) for m in moves])
    return drawn(words, "moved", said, ("band", "people"), rows, chart, policy.name)


def dates(policies: Sequence[Policy], words: Words) -> Section | None:
    """The events of a made-up patient under each policy that draws dates."""
    told = {policy.name: days for policy in policies if (days := story(policy))}
    if not told:
        return None
    note = GAPS.index(0)
    rows: dict[str, list[int | None]] = {"original": list(GAPS)}
    for name, days in told.items():
        start = days[note]
        rows[name] = [None if start is None or day is None else day - start for day in days]
    marks = {
        words.column(name): [charts.widened(d) for d in days if d is not None]
        for name, days in rows.items()
    }
    ticks = [
        (charts.widened(tick), words("days", days=f"{tick:+d}" if tick else 0))
        for tick in charts.WIDE_TICKS
    ]
    columns = [(str(at), *column) for at, column in enumerate(zip(*rows.values(), strict=True), 1)]
    said = words("dates text", count=len(GAPS))
    chart = partial(charts.timelines, marks, ticks=ticks)
    return drawn(words, "dates", said, ("event", *rows), columns, chart)


def sections(
    evaluations: Evaluations, policies: Sequence[Policy], words: Words
) -> tuple[Section, ...]:
    """What was missed, what an attacker gains, what was kept, and what policies do."""
    attacks = evaluations.attack
    every = (
        summary(evaluations, words),
        *(measured.found(name, data, words) for name, data in evaluations.detection.items()),
        *(measured.types(name, data, words) for name, data in evaluations.detection.items()),
        *(measured.origins(name, data, words) for name, data in evaluations.robustness.items()),
        *(measured.reading(name, data, words) for name, data in evaluations.effort.items()),
        attacked.worth(attacks, words),
        attacked.linkage(attacks, words, towns=False),
        attacked.linkage(attacks, words, towns=True),
        *(game for name, data in attacks.items() for game in attacked.games(name, data, words)),
        attacked.unique(attacks, words),
        measured.kept(evaluations.utility, words),
        changed(evaluations.utility, words),
        *(measured.jaccard(name, data, words) for name, data in evaluations.utility.items()),
        attacked.leakage(policies, words),
        *(moved(policy, words) for policy in policies),
        dates(policies, words),
    )
    return tuple(section for section in every if section is not None)
