"""Audits a policy: every mechanism it uses, and the whole engine as a black box.

The engine is given two notes with the same skeleton, many times, for independent units; from what
it releases a lower bound on its ε is computed and compared with what the policy states for the
values that differ. Nothing in that comparison knows how a value was drawn.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Deidentified, Document
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.policy.loader import choice_name
from dpdeid.policy.policy import Policy
from dpdeid.privacy.audit import FAILURE, Check, certificate, chord_km, exact, lower_bound, sampler
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm
from dpdeid.privacy.places import weighted as place_tables
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.planar import PlanarLaplace
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Draw, Metric, Paper, Strict, Timeline
from dpdeid.substitute.places.earlier import HOME, surrogate_places
from dpdeid.substitute.places.strategy import Keyed, Places
from dpdeid.testing import KEY
from dpdeid.testing.coupled.comparison import fuzz, is_stated
from dpdeid.testing.coupled.refill import Refilled, refill

DRAWS: Final = 2_000
"""Releases of each of two notes."""
MOST_DRAWS: Final = 20_000

_NOTE: Final = dt.date(2024, 6, 14)
_E0: Final = dt.date(2024, 12, 31)
_TOWNS: Final = ("Lyon", "Vienne")
_AGES: Final = (12, 20)
_INPUTS: Final = 16
_DRAWS_A_TEMPLATE: Final = 10
"""A pair of records for so many releases of the others."""


@dataclass(frozen=True, slots=True)
class Case:
    """Two notes with the same skeleton.

    Args:
        what: in which value they differ.
        texts, dates: of the two notes.
        read: what is looked at in a release.
        stated: the loss for the values that differ; None where none is stated.
        claimed: whether it is what a published design claims, and not what the policy states.
    """

    what: str
    texts: Sequence[str]
    dates: Sequence[dt.date]
    read: Callable[[Deidentified], Hashable]
    stated: float | None
    claimed: bool = False


def audit(policy: Policy, draws: int = DRAWS) -> Iterator[Check]:
    """All checks of a policy, the exact ones first; of a policy whose dates and places all state a
    loss, also whether its text tells more than its mechanisms (`dpdeid.testing.coupled`).
    """
    yield from mechanisms(policy)
    if is_stated(policy):
        yield around(policy, draws // _DRAWS_A_TEMPLATE)
    for case in cases(policy):
        yield engine(policy, case, draws)


def mechanisms(policy: Policy) -> Iterator[Check]:
    """Exact ratios, certificates and samplers of what a policy draws from."""
    streams = Streams(bytes(32), "audit")
    for strategy in policy.strategies:
        mode = getattr(strategy, "timeline", None)
        if isinstance(mode, Metric | Strict):
            for arm in mode.arms():
                yield exact(arm.mechanism, arm.loss)
                yield sampler(arm.mechanism, arm.mechanism.domain[0], streams.stream(arm.name))
        elif isinstance(mode, Paper):
            for one in mode.mechanisms():
                yield exact(one, Epsilon(one.epsilon))
                yield sampler(one, 0, streams.stream(str(one)))
        elif isinstance(strategy, Places) and not isinstance(strategy.mechanism, Keyed):
            yield _certificate(strategy, strategy.mechanism.epsilon_per_km)


def around(policy: Policy, templates: int) -> Check:
    """How many pairs of records of one skeleton are released differently by mechanisms that see no
    value: what they differ in went around the mechanisms.
    """
    found = fuzz(policy, templates, most=1)
    over = f"{found.templates} templates, {found.discarded} discarded"
    differ = len(found.violations)
    return Check("coupled", "releases of records of one skeleton", 0.0, differ, not differ, over)


def around_own(policy: Policy, notes: Sequence[tuple[str, Document]]) -> tuple[Check, Refilled]:
    """The same of one's own notes, each with the name of its row: how many records are released
    differently with other values in their words, and where. No text of a note is in it.

    Raises:
        UsageError: the policy does not state a loss for all its dates and places.
    """
    if not is_stated(policy):
        raise UsageError(f"{policy.name} states no loss for its dates and places to hold notes to")
    found = refill(policy, notes)
    differ = len(found.differences)
    what = "releases of own notes with other values"
    return Check("coupled", what, 0.0, differ, not differ, str(found)), found


def _certificate(places: Places, rate: Fraction) -> Check:
    own = france()
    kind = choice_name(type(places.mechanism))
    inputs = own.positions[:: len(own.positions) // _INPUTS]
    if kind == "planar_nearest":
        planar = PlanarLaplace(epsilon_per_km=rate, places=own)
        return certificate(planar, inputs, EpsilonPerKm(rate), planar.rounding_loss())
    make = place_tables.qp_weighted if kind == "qp_weighted" else place_tables.exponential
    return certificate(make(rate, own), inputs, EpsilonPerKm(rate))


def france() -> PlaceList:
    """The surrogate towns of metropolitan France."""
    return surrogate_places(HOME, ())


def cases(policy: Policy) -> Iterator[Case]:
    """Pairs of notes for what the policy noises."""
    for strategy in policy.strategies:
        if isinstance(mode := getattr(strategy, "timeline", None), Timeline):
            yield from _dates(mode)
        elif isinstance(strategy, Places) and not isinstance(strategy.mechanism, Keyed):
            yield _towns(strategy.mechanism.draws())


def _dates(mode: Timeline) -> Iterator[Case]:
    same = (_NOTE, _NOTE)

    def gap(what: str, days: tuple[int, int], stated: float | None, claimed: bool = False) -> Case:
        texts = [f"Vu ce jour. Opéré le {_NOTE - dt.timedelta(back):%d/%m/%Y}." for back in days]
        return Case(what, texts, same, _interval, stated, claimed)

    if isinstance(mode, Paper):
        what = "dates: 50 or 700 days before the note, in two categories"
        yield gap(what, (50, 700), float(mode.epsilon), claimed=True)
        return
    births = [_NOTE.replace(year=year) for year in (1950, 1952)]
    born = [f"Vu ce jour. Né le {day:%d/%m/%Y}." for day in births]
    past = [f"Vu ce jour, 62 ans. Fracture à {age} ans." for age in _AGES]
    moved = (_NOTE, _NOTE - dt.timedelta(30))
    seen = [f"Vu le {day:%d/%m/%Y}." for day in moved]
    if isinstance(mode, Metric):
        before, first, birth = map(mode.noise, (Role.BEFORE, Role.FIRST, Role.BIRTH))
        stated = float(first.loss(*((_E0 - day).days for day in moved)))
        aged = float(birth.loss(*((_NOTE - day).days for day in births)))
        yield gap("dates: 50 or 90 days before the note", (50, 90), float(before.loss(50, 90)))
        yield Case("dates: a note 30 days earlier", seen, moved, _note, stated)
        yield Case("births: two years apart", born, same, _birth, aged)
        lived = mode.noise(Role.AGED).loss(*(int((age + 0.5) * 365.2425) for age in _AGES))
        yield Case("ages of the past: eight years apart", past, same, _age, float(lived))
    elif isinstance(mode, Strict):
        rate = float(mode.epsilon)
        yield gap("dates: 50 or 700 days before the note", (50, 700), rate)
        yield gap("dates: 1 or 15,000 days before the note", (1, 15_000), rate)
        yield Case("dates: a note 30 days earlier", seen, moved, _note, rate)
        yield Case("births: two years apart", born, same, _birth, float(mode.birth_epsilon))
        yield Case("ages of the past: eight years apart", past, same, _age, rate)
    else:
        yield gap("dates: 50 or 60 days before the note", (50, 60), None)


def _towns(draws: Sequence[Draw]) -> Case:
    found = [gazetteers.places_named(town.lower())[0] for town in _TOWNS]
    here, there = ((place.latitude, place.longitude) for place in found)
    stated = 0.0
    for loss in (draw.loss for draw in draws):
        if isinstance(loss, Epsilon | EpsilonPerKm):
            km = chord_km(here, there) if isinstance(loss, EpsilonPerKm) else 1
            stated += float(loss.amount) * km
    texts = [f"Vu ce jour. Habite à {town}." for town in _TOWNS]
    what = f"places: {' or '.join(_TOWNS)}"
    return Case(what, texts, (_NOTE, _NOTE), lambda result: result.text, stated)


def engine(policy: Policy, case: Case, draws: int = DRAWS) -> Check:
    """A lower bound on the ε between the two notes of a case, from releases alone."""
    if case.claimed and case.stated is not None:
        draws = min(max(draws, telling(case.stated)), MOST_DRAWS)
    deidentifier = Deidentifier(replace(policy, unit="note"), key=KEY, e0=_E0)
    one, other = (
        [
            case.read(deidentifier(Document(f"{which} {at}", text, None, date)))
            for at in range(draws)
        ]
        for which, (text, date) in enumerate(zip(case.texts, case.dates, strict=True))
    )
    found = lower_bound(one, other)
    what = case.what + (" (as the published design claims)" if case.claimed else "")
    passed = case.stated is None or found <= case.stated
    return Check("engine", what, case.stated, found, passed, f"2 × {draws} releases")


def telling(epsilon: float) -> int:
    """How many releases show an event that is possible for one note only as more than `epsilon`."""
    return math.ceil(2 * math.log(4 / FAILURE) * math.exp(epsilon + 0.2))


def _days(result: Deidentified) -> Sequence[dt.date]:
    return [s.value for s in result.surrogates if isinstance(s.value, dt.date)]


def _interval(result: Deidentified) -> Hashable:
    """Days from the date in the text to the date of the note."""
    days = _days(result)
    if not days or result.note_date is None:
        return "redacted"
    return (dt.date.fromisoformat(result.note_date) - days[-1]).days


def _note(result: Deidentified) -> Hashable:
    day = result.note_date
    return "redacted" if day is None else dt.date.fromisoformat(day).toordinal()


def _age(result: Deidentified) -> Hashable:
    """What is written for the last age of a note."""
    return result.surrogates[-1].text if result.surrogates else "redacted"


def _birth(result: Deidentified) -> Hashable:
    days = _days(result)
    return days[-1].toordinal() if days else "redacted"
