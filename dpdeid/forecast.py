"""What a policy will be worth to whoever reads a release, before any note is seen.

Expected errors beside those without a budget, sizes of the lists that surrogates come from, and
what costs utility for nothing. Computed from the shipped mechanisms on made-up records
(`dpdeid.privacy.outlook`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.policy import Policy
from dpdeid.privacy import outlook
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.nearest import PlaceList
from dpdeid.privacy.outlook import DateOutlook, PlaceOutlook
from dpdeid.privacy.places import Spot
from dpdeid.privacy.timeline import Metric, Strict
from dpdeid.substitute.dates import Dates
from dpdeid.substitute.names import first_name_pool, surname_pool
from dpdeid.substitute.people import People
from dpdeid.substitute.places import Places

_LIST: Final = "FR"


@dataclass(frozen=True, slots=True)
class Forecast:
    """Expected errors of one policy; empty or None where it draws nothing of the kind.

    Args:
        dates: one outlook for each number of dates.
        birth: mean error of a birth in days, and at ε = 0.
        place: of a place of metropolitan France.
    """

    dates: tuple[DateOutlook, ...] = ()
    birth: tuple[float, float] | None = None
    place: PlaceOutlook | None = None


@lru_cache(maxsize=16)
def forecast(policy: Policy) -> Forecast:
    """The forecast of a policy, the same on every machine."""
    dates = _dates(policy)
    mode = dates.timeline if dates else None
    return Forecast(
        outlook.dates(mode, by_patient=policy.unit == "patient") if mode else (),
        outlook.birth(mode) if mode else None,
        place_outlook(policy),
    )


def place_outlook(policy: Policy) -> PlaceOutlook | None:
    """What becomes of a place of metropolitan France; None where none is drawn."""
    places = next((s for s in policy.strategies if isinstance(s, Places)), None)
    return None if places is None else _of_places(places)


@lru_cache(maxsize=16)
def _of_places(places: Places) -> PlaceOutlook:
    return outlook.places(places.mechanism.release, *_france())


def list_sizes() -> tuple[tuple[str, int, int], ...]:
    """Name, places and people of each list that surrogates come from."""
    lists = gazetteers.place_lists().items()
    return tuple((name, len(own), sum(p.population for p in own)) for name, own in lists)


def name_lines(policy: Policy) -> Iterator[str]:
    """How often surrogate names coincide, and what the options of the names strategy cost."""
    people = next((s for s in policy.strategies if isinstance(s, People)), None)
    if people is None:
        return
    last = surname_pool()
    women, men = (len(first_name_pool(sex).plain) for sex in (Sex.FEMALE, Sex.MALE))
    table = "note" if people.scope == "document" or policy.unit == "note" else "patient"
    yield (
        f"surrogate names: {len(last.plain)} surnames, {women} first names of women, {men} of men; "
        f"two surnames of one {table} never share a surrogate, two of different {table}s do with "
        f"probability 1/{len(last.consonants)} (1/{len(last.vowels)} if both begin with a vowel); "
        "a surname that was missed is each surrogate around it with that probability at most"
    )
    if people.markov:
        stay = 1 - people.markov
        yield (
            f"markov {figure(people.markov)}: two mentions of a name one after the other share a "
            f"surrogate with probability {float(stay):.2f}, the first and the tenth with "
            f"{float(stay**9):.2f}; kin share no surname, and nobody can be followed through a note"
        )
    if people.staff == "cohort":
        yield "names of caregivers are the same for all patients: who saw the same one can be told"


def wasted(policy: Policy) -> Iterator[str]:
    """What in a policy costs utility and buys nothing for it; all the other way round than cautions
    are: the stronger the noise, the more is said.
    """
    dates = _dates(policy)
    if dates is None:
        return
    mode = dates.timeline
    if isinstance(mode, Metric | Strict):
        for arm, error in outlook.worthless(mode.arms()):
            yield (
                f"{arm.name}: a draw, read alone, is no better than a constant (mean error "
                f"{error:.2f} of its range in ranks, the constant middle 0.25)"
            )
    expected = forecast(policy)
    idle = [str(one.dates) for one in expected.dates if not one.buys]
    if idle and not _is_free(dates):
        yield (
            f"this budget buys nothing on dates, on records with {' or '.join(idle)} of them: the "
            "expected error is not 5 % below that of no budget at all"
        )
    born = expected.birth
    if born is not None and born[0] >= outlook.LEAST_GAIN * born[1] and not _is_free(dates):
        yield (
            "this budget buys nothing on births: the expected error is not 5 % below that of no "
            "budget at all"
        )


def _is_free(dates: Dates) -> bool:
    """Whether it has no budget to speak of."""
    draws = dates.timeline.draws()
    return all(isinstance(draw.loss, NoGuarantee) for draw in draws) and not hasattr(
        dates.timeline, "epsilon"
    )


def _dates(policy: Policy) -> Dates | None:
    return next((s for s in policy.strategies if isinstance(s, Dates)), None)


@lru_cache(maxsize=1)
def _france() -> tuple[tuple[Spot, ...], tuple[int, ...]]:
    """The places of metropolitan France and their people."""
    own = gazetteers.place_lists()[_LIST]
    places = PlaceList(_LIST, tuple((place.latitude, place.longitude) for place in own))
    spots = (Spot(str(at), one.latitude, one.longitude, places) for at, one in enumerate(own))
    return tuple(spots), tuple(place.population for place in own)


def days(amount: float) -> str:
    """Days as text, in years from a thousand on."""
    return f"{amount:.0f} days" if amount < 1_000 else f"{figure(Fraction(amount) / 365, 1)} years"
