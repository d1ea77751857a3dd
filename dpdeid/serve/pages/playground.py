"""The playground: a note before and after, why, and what another ε would do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from dpdeid import gazetteers
from dpdeid.assurance.forecast import timeline_of
from dpdeid.assurance.report import statement
from dpdeid.document import Document
from dpdeid.errors import InputError
from dpdeid.evaluate.report import charts
from dpdeid.evaluate.report.charts import Caption, Interval, Svg
from dpdeid.evaluate.report.page import Words
from dpdeid.evaluate.report.page import words as report_words
from dpdeid.labels import CATEGORIES, Label
from dpdeid.policy.policy import Policy, names
from dpdeid.privacy.losses import Loss, NoGuarantee, rounded_up
from dpdeid.privacy.timeline.modes import Metric, Paper, Strict
from dpdeid.privacy.timeline.saying import SHOWN
from dpdeid.serve import trying
from dpdeid.serve.pages.render import language, shown, words
from dpdeid.serve.rest import Own, Working
from dpdeid.serve.scaled import FACTORS, OWN, Measured, is_noised, measured
from dpdeid.serve.trying import Day, Move, Tried
from dpdeid.serve.work import policy_of
from dpdeid.substitute.places.strategy import Keyed, Places
from dpdeid.testing import notes

router = APIRouter(include_in_schema=False)
PASTED: Final = "pasted"
_MAPPED: Final = ("FR", "20", "CH", "CH-DE", "BE", "BE-NL", "LU")
"""The lists of places that lie on the map."""
_TICKS: Final = 7
_STEPS: Final = (1, 2, 5, 10, 20, 50)
_YEAR: Final = 365.2425
Price = tuple[str, Fraction, str]
"""What is told apart, at which ε, and in which unit: keys of words."""


class Trial(BaseModel):
    """What a reader asked for."""

    model_config = ConfigDict(extra="forbid", strict=True)

    note: str
    policy: str
    text: str = ""
    step: int = OWN


@router.get("/")
def page(request: Request, own: Own) -> Response:
    """The page, before anything is tried."""
    return shown(
        request,
        "playground.html",
        notes=[doc.id for doc, _ in notes()],
        pasted=PASTED,
        policies=names(),
        noised=[name for name in names() if is_noised(policy_of(name))],
        factors=FACTORS,
        own=OWN,
        longest=own.limits.characters,
    )


@router.post("/try")
async def tried(request: Request, asked: Trial, own: Own, working: Working) -> Response:
    """A note before and after, as a part of the page."""
    if fault := _fault(asked, own.limits.characters):
        return shown(request, "fault.html", status=422, fault=fault, most=own.limits.characters)
    try:
        if asked.note == PASTED:
            done = await working.ask(trying.pasted, Document("pasted", asked.text), asked.policy)
        else:
            at = _ids().index(asked.note)
            done = await working.ask(trying.shipped, at, asked.policy, asked.step)
    except InputError:
        return shown(request, "fault.html", status=422, fault="fault read", most=0)
    lang = language(request)
    return shown(request, "tried.html", **_told(done, asked, words(lang), report_words(lang)))


def _ids() -> list[str]:
    return [doc.id for doc, _ in notes()]


def _fault(asked: Trial, most: int) -> str:
    """The key of what is wrong with what was asked, or ""."""
    if asked.policy not in names():
        return "fault policy"
    if not 0 <= asked.step < len(FACTORS):
        return "fault step"
    if asked.note != PASTED:
        return "" if asked.note in _ids() else "fault note"
    if asked.step != OWN:
        return "fault step"
    if not asked.text.strip():
        return "fault empty"
    return "fault long" if len(asked.text) > most else ""


def _told(done: Tried, asked: Trial, say: Words, report: Words) -> dict[str, Any]:
    """What the template of a result is given."""
    policy = trying.stepped(asked.policy, asked.step)
    known = measured().get((asked.policy, FACTORS[asked.step]))
    days = sorted(done.days, key=lambda day: day.true)
    return {
        "done": done,
        "policy": asked.policy,
        "factor": FACTORS[asked.step],
        "label": lambda name: report.said(f"label {name}", name),
        "category": lambda name: CATEGORIES[Label(name)].lower(),
        "losses": [_loss(loss, say) for loss in done.losses],
        "statement": statement(policy, unit="one note of a request"),
        "prices": [(key, amount(price, say), unit) for key, price, unit in prices(policy)],
        "days": days,
        "calendar": _calendar(days, say),
        "gaps": _gaps(days, done.days, say, report),
        "map": _map(done.moves, known, say),
        "known": known,
        "trade": _trade(done, known, say),
        "kept": sum(before and after for before, after in done.codes.values()),
        "coded": sum(before for before, _ in done.codes.values()),
    }


def amount(price: Fraction, say: Words) -> str:
    """An ε, rounded up, with the mark of the language."""
    text = rounded_up(price)
    return text.replace(".", ",") if say.lang == "fr" else text


def _loss(loss: Loss, say: Words) -> str:
    if isinstance(loss, NoGuarantee):
        return say("loss none", reason=say.said(f"reason {loss.reason}", loss.reason))
    return say(f"loss {type(loss).__name__}", epsilon=amount(loss.amount, say))


def prices(policy: Policy) -> Iterator[Price]:
    """What each ε of a policy says, in the unit in which it is said."""
    mode = timeline_of(policy)
    match mode:
        case Metric():
            yield "first date", mode.epsilon_per_day, "per day"
            for gaps, what in SHOWN:
                yield what, mode.moved(gaps), "in all"
        case Strict():
            yield "a date", mode.epsilon, "in all"
            yield "the birth", mode.birth_epsilon, "in all"
        case Paper():
            yield "dates of a note", mode.epsilon, "not guaranteed"
    for strategy in policy.strategies:
        if isinstance(strategy, Places) and not isinstance(strategy.mechanism, Keyed):
            yield "a town", strategy.mechanism.epsilon_per_km, "per km"


def _calendar(days: Sequence[Day], say: Words) -> Svg:
    """True and released dates on one axis of years."""
    if not days:
        return ""
    rows = {
        say("row true"): [_years(day.true) for day in days],
        say("row given"): [_years(day.given) for day in days],
    }
    every = [value for row in rows.values() for value in row]
    first, last = int(min(every)), int(max(every)) + 1
    step = next((s for s in _STEPS if (last - first) / s < _TICKS), _STEPS[-1])
    ticks = [(float(year), str(year)) for year in range(first - first % step, last + step, step)]
    caption = Caption("calendar", say("calendar title"), say("calendar alt"))
    return charts.timelines(rows, caption, ticks=ticks)


def _years(day: dt.date) -> float:
    return 1 + (day.toordinal() - 1) / _YEAR


def _gaps(days: Sequence[Day], told: Sequence[Day], say: Words, report: Words) -> Svg:
    """The same as distances to the first that is told, near ones widened."""
    if len(days) < 2:
        return ""
    zero = told[0]
    rows = {
        say("row true"): [charts.widened((day.true - zero.true).days) for day in days],
        say("row given"): [charts.widened((day.given - zero.given).days) for day in days],
    }
    ends = [value for row in rows.values() for value in row]
    ticks = [
        (charts.widened(tick), report("days", days=f"{tick:+d}" if tick else 0))
        for tick in charts.WIDE_TICKS
        if min(ends) - 1 <= charts.widened(tick) <= max(ends) + 1
    ]
    caption = Caption("gaps", say("gaps title"), say("gaps alt"))
    return charts.timelines(rows, caption, ticks=ticks)


@cache
def outlines() -> tuple[tuple[tuple[float, float], ...], ...]:
    """The rings of the countries that the map shows, as (latitude, longitude)."""
    text = (gazetteers.data_root() / "outlines.tsv").read_text(encoding="utf-8")
    rings = (line.partition("\t")[2].split(" ") for line in text.splitlines())
    return tuple(tuple(_position(point) for point in ring) for ring in rings)


def _position(point: str) -> tuple[float, float]:
    north, _, east = point.partition(",")
    return float(north), float(east)


def _map(moves: Sequence[Move], known: Measured | None, say: Words) -> Svg:
    on_map = [
        ((move.true.latitude, move.true.longitude), (move.given.latitude, move.given.longitude))
        for move in moves
        if gazetteers.place_list_name(move.true) in _MAPPED
    ]
    if not on_map:
        return ""
    caption = Caption("map", say("map title"), say("map alt"))
    radius = 0.0 if known is None or known.km != known.km else known.km
    return charts.journeys((), on_map, caption, outlines=outlines(), radius_km=radius)


def _trade(done: Tried, known: Measured | None, say: Words) -> Svg:
    """The risk beside what is kept, as shares of 100 %."""
    rows = []
    if known is not None:
        for key, rate in (("trade dates", known.dates), ("trade towns", known.towns)):
            rows.append(Interval(say(key), rate.share, rate.low, rate.high, say.share(rate.share)))
    stand = [after for before, after in done.codes.values() if before]
    if stand:
        kept = sum(stand) / len(stand)
        rows.append(Interval(say("trade codes"), kept, note=say.share(kept)))
    if not rows:
        return ""
    return charts.intervals(rows, Caption("trade", say("trade title"), say("trade alt")))
