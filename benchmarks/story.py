"""What a policy makes of the story of a stay, and who finds the patient again: read from text.

    python benchmarks/story.py [--policy NAME …] [--population NAME …] [--notes 1|4 …]
                               [--feed] [--towns independent|catchment]
                               [--records N] [--targets N] [--tiny] [--json FILE]

Made-up notes go the whole way, read by the rules alone, and everything is measured on the released
text: the n-th dd/mm/yyyy of a note is the surrogate of its n-th date. No mechanism is asked for its
numbers, so that a new one is judged as an old one is. Three populations: one stay; earlier stays
told with it; decades of history, with birth and age. Single notes, and four linked ones, released
together, or with --feed one by one from the earliest on, with a vault.

The story, with what a coder and a clinician read from it:

- order: of the pairs of dates 1 to 31 days apart, those that stand the other way round.
- close: the mean error of such gaps, in days.
- nights: stays whose length keeps its band: 0, 1 or 2, 3, 4, 5 and more; exact: its nights; some:
  those of one night or more.
- far: the median of |log(released / true)| of the gaps of 60 days and more.
- 28, 42, 365: pairs that stay on their side of so many days, of those within a factor of two of it.
- season: dates that keep their season of the year; weekend: the share of released dates on one,
  less that of the originals, in points.
- 18, 70, 80: ages that stay on their side, of those within five years of it.

The attacker knows some true dates of a patient (1, 3, 5, 12) and looks for the record among all
released ones. What the noise does he learned from notes of his own, released under another key: how
released days lie from true ones, and released gaps from true gaps. Two kinds are tried and the
better one is counted, chosen on targets that are not counted: one goes from known date to known
date over all ways to match them, and one sums over the unknown date of the note that all others may
be counted from. Both rank by likelihood; what they find is a lower bound on the risk.

With --towns each letter also tells where the patient lives and was treated, and the attacker knows
both towns and three dates. From his own release he learned how far released towns lie from true
ones, beside pairs that chance makes, and adds this to what dates tell. He reads the first town
alone, each, both at once, or the second one as drawn around the first; again the best is counted.
Single letters about one stay; where one was treated is told after the home, which is drawn first.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import math
import random
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import chain, combinations, islice, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from privacy_utility import shown

from dpdeid import Deidentifier, Document, Failure
from dpdeid.assurance.audit import france
from dpdeid.cohort.vault import Vault
from dpdeid.evaluate.attacks.rates import Rate
from dpdeid.gazetteers import place_key, place_lists, places_of_kind
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.places.gravity import nearest_among
from dpdeid.testing import KEY, other_key

POLICIES: Final = ("aphp", "hnfc", "dp", "dp-strict")
NAMES: Final = {
    "aphp": "a uniform shift (aphp)",
    "hnfc": "HNFC (hnfc)",
    "dp": "dp, the default",
    "dp-strict": "dp-strict, ε = 12",
}
POPULATIONS: Final = ("one stay", "earlier stays", "decades")
READERS: Final = ("patterns", "lookup_places")
KNOWN: Final = (1, 3, 5, 12)
"""How many dates of a target are known, or all where it has fewer."""
LINKED: Final = 4
SECOND: Final = 100
"""Records that the slower attacker reads again: the best of the quicker one."""
USED: Final = 8
"""The most known dates that the slower attacker looks at."""
LAST: Final = dt.date(2025, 12, 31).toordinal()
TEN_YEARS: Final = 3_652
CLOSE, FAR = 31, 60
SIDES: Final = (28, 42, 365)
AGES: Final = (18, 70, 80)
DATE: Final = re.compile(r"\d\d/\d\d/\d{4}|\[(?:DATE|BIRTH_DATE)\]")
AGE: Final = re.compile(r"(\d+) ans")
TOWNS: Final = ("independent", "catchment")
TOWN: Final = re.compile(
    r"(?:Domicilié|Adressé par le Dr .+?|Suivi au CHU) (?:à |de |d'|(aux?|du) )(.+)\."
)
Row = dict[str, Any]


# --- made-up records -------------------------------------------------------------------------


@dataclass(frozen=True)
class Note:
    """A text, the true days of its dates in order, and where its stays, note and birth stand."""

    text: str
    days: tuple[int, ...]
    stays: tuple[int, ...]
    """Positions of the entries; the next date is the leaving."""
    head: int
    birth: int | None = None
    age: int | None = None
    towns: tuple[int, ...] = ()
    """The home and where one was treated, as positions in the list of mainland France."""


def nights(rng: random.Random) -> int:
    """A length of stay about as hospitals have them: many of a night or none, few of weeks."""
    lengths, shares = (0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 22), (25, 15, 12, 9, 8, 7, 6, 6, 5, 4, 3)
    return rng.choices(lengths, shares)[0]


def working(rng: random.Random, day: int) -> int:
    """The day, or nine times in ten the Monday after it if it is at a weekend."""
    late = dt.date.fromordinal(day).isoweekday() - 5
    return day + 3 - late if late > 0 and rng.random() < 0.9 else day


def written(day: int) -> str:
    return f"{dt.date.fromordinal(day):%d/%m/%Y}"


def day_of(text: str) -> int | None:
    if text.startswith("["):
        return None
    day, month, year = map(int, text.split("/"))
    return dt.date(year, month, day).toordinal()


def note(rng: random.Random, population: str, left: int, born: int, past: Sequence[int]) -> Note:
    """One letter about a stay that ended on a day; past stays are told by their days of entry."""
    lines: list[str] = []
    days: list[int] = []
    stays: list[int] = []

    def tell(line: str, *told: int) -> None:
        days.extend(told)
        lines.append(line.format(*map(written, told)))

    stay = nights(rng)
    entered, signed = left - stay, working(rng, left + rng.choice((0, 0, 1, 2, 4)))
    birth = age = None
    tell("Compte rendu d'hospitalisation. Le {}", signed)
    if population == "decades":
        birth, age = len(days), int((signed - born) / 365.25)
        tell(f"Patient de {age} ans, né le {{}}.", born)
    stays.append(len(days))
    tell("Hospitalisé du {} au {}.", entered, left)
    inside = sorted(rng.randint(entered, left) for _ in range(rng.randint(1, 2)))
    for line, day in zip(("Opéré le {}.", "Bilan du {} sans particularité."), inside, strict=False):
        tell(line, day)
    if population == "one stay":
        for _ in range(rng.randint(0, 2)):
            gap = round(math.exp(rng.uniform(math.log(20), math.log(TEN_YEARS))))
            tell("Consultation du {}.", working(rng, signed - gap))
    elif population == "earlier stays":
        for before in past:
            stays.append(len(days))
            tell("Séjour précédent du {} au {}.", before, before + nights(rng))
    else:
        for what in ("Appendicectomie", "Fracture du poignet", "Infarctus")[: rng.randint(1, 3)]:
            gap = round(math.exp(rng.uniform(math.log(TEN_YEARS / 4), math.log(4 * TEN_YEARS))))
            tell(f"{what} le {{}}.", max(signed - gap, born + 300))
    if rng.random() < 0.6:
        days_ahead = rng.choice((7, 10, 14, 28, 30, 42, 60, 90))
        tell("Contrôle prévu le {}.", working(rng, signed + days_ahead))
    return Note("\n".join(lines), tuple(days), tuple(stays), 0, birth, age)


def with_towns(one: Note, towns: str, rng: random.Random) -> Note:
    """The letter with two towns told behind its first line: both drawn by their people, or the
    second the one of a university hospital that is nearest to the first.
    """
    places = place_lists()["FR"]
    home, other = rng.choices(range(len(places)), [place.population for place in places], k=2)
    second = "Adressé par le Dr Martin à"
    if towns == "catchment":
        other = nearest_among(france(), home, places_of_kind("FR", "university"))
        second = "Suivi au CHU de"
    first, _, rest = one.text.partition("\n")
    told = f"Domicilié à {places[home].name}.\n{second} {places[other].name}."
    return replace(one, text=f"{first}\n{told}\n{rest}", towns=(home, other))


def records(
    count: int, population: str, notes: int, seed: str, towns: str | None = None
) -> list[tuple[Note, ...]]:
    """Patients with so many notes each, the same for the same seed."""
    rng = random.Random(f"{seed} {population} {notes}")
    lived = random.Random(f"{seed} {towns}")
    made = []
    for _ in range(count):
        ends = sorted(working(rng, LAST - rng.randrange(TEN_YEARS)) for _ in range(notes))
        if population == "earlier stays":
            gaps = [round(math.exp(rng.uniform(math.log(40), math.log(2_500)))) for _ in range(2)]
            past = sorted(ends[0] - gap for gap in gaps[: rng.randint(1, 2)])
        else:
            past = []
        born = ends[0] - rng.randint(15, 90) * 365 - rng.randrange(365)
        made.append(tuple(note(rng, population, end, born, past) for end in ends))
    return [(with_towns(one[0], towns, lived),) for one in made] if towns else made


# --- what is released ------------------------------------------------------------------------

Days = tuple[int | None, ...]


@dataclass(frozen=True)
class Told:
    """The days a released note prints, one for each of the original; None where it prints none."""

    days: Days
    age: int | None
    towns: tuple[int, ...] = ()
    """As those of a note; −1 where the text tells none that the list knows."""


def release(
    policy: str, made: Sequence[tuple[Note, ...]], key: bytes, *, feed: bool
) -> list[tuple[Told, ...]]:
    """What the released texts of each patient tell; a patient is a privacy unit.

    Raises:
        RuntimeError: a note failed, or prints more or fewer dates than its original.
    """
    read_by_rules = load_policy(policy).found_by(*rules(policy))
    vault = Vault(None, key) if feed else None
    deidentify = Deidentifier(read_by_rules, key=key, vault=vault)
    docs = (
        Document(f"{number}-{at}", one.text, f"p{number}")
        for number, record in enumerate(made)
        for at, one in enumerate(record)
    )
    done = map(deidentify, docs) if feed else deidentify.pipe(docs)
    return [tuple(map(read, record, islice(done, len(record)))) for record in made]


def rules(policy: str) -> tuple[Any, ...]:
    return tuple(one for one in load_policy(policy).detectors if one.name in READERS)


def read(original: Note, done: Any) -> Told:
    if isinstance(done, Failure):
        raise RuntimeError(f"a note failed: {done.error}")
    found = [day_of(text) for text in DATE.findall(done.text)]
    if len(found) != len(original.days):
        raise RuntimeError(f"{len(found)} dates for {len(original.days)}")
    age = AGE.search(done.text)
    years = int(age[1]) if age and original.age is not None else None
    lines = done.text.splitlines()[1 : 1 + len(original.towns)]
    return Told(tuple(found), years, tuple(map(town_of, lines)))


@cache
def by_name() -> dict[str, int]:
    """Key of a town of mainland France → its position in the list, of namesakes the largest."""
    towns = list(enumerate(place_lists()["FR"]))
    return {place_key(place.name): at for at, place in reversed(towns)}


def town_of(line: str) -> int:
    told = TOWN.fullmatch(line)
    article = {None: "", "au": "Le ", "du": "Le ", "aux": "Les "}
    return by_name().get(place_key(article[told[1]] + told[2]), -1) if told else -1


# --- the story -------------------------------------------------------------------------------


def band(stay: int) -> int:
    return sum(stay >= edge for edge in (1, 3, 4, 5))


def season(day: int) -> int:
    return dt.date.fromordinal(day).month % 12 // 3


def beside(
    made: Sequence[tuple[Note, ...]], told: Sequence[tuple[Told, ...]]
) -> list[tuple[Note, Told]]:
    """Each note with what is released of it."""
    return list(zip(chain.from_iterable(made), chain.from_iterable(told), strict=True))


def story(made: Sequence[tuple[Note, ...]], told: Sequence[tuple[Told, ...]]) -> Row:
    """The figures of the released texts, see above."""
    shares: dict[str, list[bool]] = defaultdict(list)
    errors: list[int] = []
    logs: list[float] = []
    weekend = Counter[str]()
    for original, given in beside(made, told):
        events = [
            (true, day)
            for at, (true, day) in enumerate(zip(original.days, given.days, strict=True))
            if day is not None and at != original.birth
        ]
        for (one, first), (two, second) in combinations(events, 2):
            true, gap = (two - one, second - first) if two >= one else (one - two, first - second)
            if 0 < true <= CLOSE:
                shares["order"].append(gap < 0)
                errors.append(abs(gap - true))
            elif true >= FAR:
                logs.append(abs(math.log(max(abs(gap), 1) / true)))
            for side in SIDES:
                if side / 2 <= true <= side * 2:
                    shares[str(side)].append((gap > side) == (true > side))
        for at in original.stays:
            entry, leaving = given.days[at : at + 2]
            true = original.days[at + 1] - original.days[at]
            if entry is not None and leaving is not None:
                shares["nights"].append(band(leaving - entry) == band(true) and leaving >= entry)
                for name in ("exact", "some")[: 1 + (true > 0)]:
                    shares[name].append(leaving - entry == true)
        for true, day in events:
            shares["season"].append(season(true) == season(day))
            weekend["all"] += 1
            weekend["true"] += dt.date.fromordinal(true).isoweekday() > 5
            weekend["given"] += dt.date.fromordinal(day).isoweekday() > 5
        if original.age is not None and given.age is not None:
            for side in AGES:
                if abs(original.age - side) <= 5:
                    shares["ages"].append((given.age >= side) == (original.age >= side))
    percent = {name: 100 * statistics.fmean(held) for name, held in sorted(shares.items())}
    return {
        "close": statistics.fmean(errors) if errors else None,
        "far": statistics.median(logs) if logs else None,
        "weekend": 100 * (weekend["given"] - weekend["true"]) / max(weekend["all"], 1),
        **percent,
    }


# --- the attacker ----------------------------------------------------------------------------

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST: Final = 40_000


def steps(growth: float) -> Integers:
    """Edges of bins of days: exact near 0, then growing by a factor, on both sides."""
    edges, at = [0], 1
    while at < MOST:
        edges.append(at)
        at = max(at + 1, round(at * growth))
    half = np.array([*edges, MOST])
    return np.concatenate([-half[:0:-1], half])


class Bins:
    """Bins between edges; which one a number of days lies in is looked up."""

    def __init__(self, growth: float) -> None:
        edges = steps(growth)
        self.widths = np.diff(edges)
        self._bins = np.repeat(np.arange(len(self.widths), dtype=np.int16), self.widths)
        self.count = len(self.widths)
        self.edges = edges

    def of(self, days: Integers) -> NDArray[np.int16]:
        return self._bins[np.clip(days, 1 - MOST, MOST - 1) + MOST]


OF_TRUE, OF_ERROR = Bins(1.3), Bins(1.12)


def smoothed(counts: NDArray[np.floating[Any]]) -> Floats:
    """Counts of which each row lends a quarter to either neighbour."""
    return 0.5 * counts + 0.25 * (np.roll(counts, 1, 0) + np.roll(counts, -1, 0))


class Noise:
    """Log of P(released | true) / p₀(released), in densities a day, learned from pairs."""

    def __init__(self, true: Integers, given: Integers) -> None:
        counts = np.zeros((OF_TRUE.count, OF_ERROR.count))
        np.add.at(counts, (OF_TRUE.of(true), OF_ERROR.of(given - true)), 1.0)
        near = smoothed(counts)  # true gaps that are close are moved alike
        whole = (counts.sum(axis=0) + 0.5) / (counts.sum() + 0.5 * OF_ERROR.count)
        shares = (near + 4 * whole) / (near.sum(axis=1, keepdims=True) + 4)
        self._log = np.log(shares / OF_ERROR.widths)
        alone = smoothed(np.bincount(OF_ERROR.of(given), minlength=OF_ERROR.count) + 0.5)
        self._alone = np.log(alone / alone.sum() / OF_ERROR.widths)

    def ratio(self, true: Integers, given: Integers) -> Floats:
        """For gaps that broadcast."""
        found: Floats = self._log[OF_TRUE.of(true), OF_ERROR.of(given - true)]
        found -= self._alone[OF_ERROR.of(given)]
        return found


def summed(logs: Floats, axis: int) -> Floats:
    """Log of the sum of exponentials along an axis."""
    most = logs.max(axis=axis, keepdims=True)
    most = np.where(np.isfinite(most), most, 0.0)
    with np.errstate(divide="ignore"):
        found: Floats = np.log(np.exp(logs - most).sum(axis=axis)) + np.squeeze(most, axis)
    return found


def printed(told: Sequence[tuple[Told, ...]]) -> list[list[int]]:
    """The different days of each released record."""
    return [sorted({day for one in notes for day in one.days if day is not None}) for notes in told]


@dataclass(frozen=True)
class Learned:
    """What running the program on notes of one's own tells of its noise."""

    moves: Noise
    """Released days against true ones, counted from the middle of all."""
    gaps: Noise
    """Any gap of a record."""
    star: Noise
    """Gaps to the date of a note."""
    lags: Floats
    """Log of how often a date lies in each bin of true days from its note, a day."""


def learn(made: Sequence[tuple[Note, ...]], told: Sequence[tuple[Told, ...]]) -> Learned:
    days, gaps, star = [], [], []
    for record, notes in zip(made, told, strict=True):
        pairs = [
            (true, given)
            for original, one in zip(record, notes, strict=True)
            for true, given in zip(original.days, one.days, strict=True)
            if given is not None
        ]
        days += [(true - LAST, given - LAST) for true, given in pairs]
        gaps += [(b[0] - a[0], b[1] - a[1]) for a in pairs for b in pairs if a is not b]
        for original, one in zip(record, notes, strict=True):
            head = one.days[original.head]
            for at, (true, given) in enumerate(zip(original.days, one.days, strict=True)):
                if head is not None and given is not None and at != original.head:
                    star.append((true - original.days[original.head], given - head))
    lags = np.bincount(OF_TRUE.of(np.array(star)[:, 0]), minlength=OF_TRUE.count) + 0.5
    moves, apart, spokes = (
        Noise(*np.array(pairs, dtype=np.int64).T) for pairs in (days, gaps, star)
    )
    return Learned(moves, apart, spokes, np.log(lags / lags.sum() / OF_TRUE.widths))


class Search:
    """Released records, to be ranked by how well they explain known dates."""

    def __init__(self, told: Sequence[tuple[Told, ...]], made: Sequence[tuple[Note, ...]]) -> None:
        rows = printed(told)
        width = max(map(len, rows))
        self.days = np.zeros((len(rows), width), dtype=np.int64)
        self.there = np.zeros(self.days.shape, dtype=bool)
        for at, row in enumerate(rows):
            self.days[at, : len(row)], self.there[at, : len(row)] = row, True
        heads = [one.days[original.head] or 0 for original, one in beside(made, told)]
        self.heads = np.array(heads, dtype=np.int64).reshape(len(rows), -1)

    def by_gaps(self, learned: Learned, known: Integers) -> Floats:
        """From known date to known date, over all ways to match them with released ones."""
        absent = np.where(self.there, 0.0, -np.inf)
        score = absent + learned.moves.ratio(known[0] - LAST, self.days - LAST)
        apart = self.days[:, None, :] - self.days[:, :, None]  # (records, from, to)
        itself = np.where(np.eye(self.days.shape[1], dtype=bool), -np.inf, 0.0)
        for before, after in pairwise(known):
            moved = learned.gaps.ratio(after - before, apart) + itself
            score = summed(score[:, :, None] + moved, 1) + absent
        ways = self.there.sum(axis=1)
        spread = sum(np.log(np.maximum(ways - at, 1)) for at in range(len(known)))
        return np.where(ways >= len(known), summed(score, 1) - spread, -1e9)

    def by_note(self, learned: Learned, known: Integers, some: Integers) -> Floats:
        """Of some records, the sum over the unknown date of a note, any date matched with any.

        Minus infinity for all others.
        """
        days, absent = self.days[some], np.where(self.there[some], 0.0, -np.inf)[:, None, :]
        months = np.arange(LAST - TEN_YEARS, LAST, 30)
        near = np.unique(np.concatenate([months, *(known[:, None] - OF_TRUE.edges)]))
        near = near[(near <= LAST + 60) & (near > LAST - TEN_YEARS - 60)]
        width = (
            np.log(np.gradient(near.astype(np.float64))) + learned.lags[OF_TRUE.of(known[0] - near)]
        )
        best = np.full(len(some), -np.inf)
        for column in self.heads[some].T:
            total = width + learned.moves.ratio(near - LAST, column[:, None] - LAST)
            gaps = (days - column[:, None])[:, None, :]
            for day in known:
                matched = learned.star.ratio((day - near)[None, :, None], gaps)
                total = total + summed(matched + absent, 2)
            best = np.logaddexp(best, summed(total, 1))
        found = np.full(len(self.days), -np.inf)
        found[some] = best - np.log(np.maximum(self.there[some].sum(axis=1), 1)) * len(known)
        return found


Pairs = tuple[tuple[int, int], ...]
KM: Final = np.array([0.1, *np.geomspace(2, 500, 20)])
"""Edges of bins of distances; below the first it is the same town."""
WAYS: Final[tuple[tuple[Pairs, ...], ...]] = (
    (((0, 0),),),
    (((0, 0),), ((1, 1),)),
    (((0, 0), (1, 1)),),
    (((0, 0),), ((1, 0),)),
    (((0, 0), (1, 0)),),
)
"""What is looked at: sums over distances of released from true towns, by position; those that stand
in one bracket are looked at together."""


@cache
def apart() -> Integers:
    """The bin of the distance of any two towns; the last row and column: one that no list knows."""
    own = france()
    at = np.array([own.locate(*position) for position in own.positions]) / 1e6
    bins = np.full((len(at) + 1, len(at) + 1), len(KM) + 1)
    bins[:-1, :-1] = np.digitize(np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)), KM)
    return bins


def shares(bins: Integers) -> Floats:
    """How often each bin of one row comes, or each of two with each; from few, as if unrelated."""
    size = len(KM) + 2
    alone = [(np.bincount(row, minlength=size) + 0.5) / (len(row) + size / 2) for row in bins]
    counts = np.zeros((size,) * len(bins))
    np.add.at(counts, tuple(bins), 1.0)
    found: Floats = (counts + 4 * reduce(np.multiply.outer, alone)) / (counts.sum() + 4)
    return found


def told_towns(records: Sequence[tuple[Note | Told, ...]]) -> Integers:
    """Two towns of each record of a single note."""
    return np.array([one.towns for (one,) in records])


class Nearness:
    """P(released | true) / p₀(released) of the towns of records that are sought.

    By distance, learned from records of one's own beside others' towns, and divided by what it is
    in the middle over all true towns: where many live, a near one says less.
    """

    def __init__(self, pairs: Pairs, true: Integers, given: Integers, sought: Integers) -> None:
        self._pairs, self._sought = pairs, sought
        others = [self._bins(np.roll(true, by, axis=0), given) for by in range(1, 11)]
        self._ratio = shares(self._bins(true, given)) / shares(np.concatenate(others, axis=1))
        self._alone = np.array([self._ratio[tuple(self._bins(true, row))].mean() for row in sought])

    def _bins(self, true: Integers, given: Integers) -> Integers:
        pairs = np.broadcast_arrays(true, given)
        return np.array([apart()[pairs[1][:, b], pairs[0][:, a]] for b, a in self._pairs])

    def log(self, true: tuple[int, ...]) -> Floats:
        found: Floats = self._ratio[tuple(self._bins(np.array([true]), self._sought))]
        logs: Floats = np.log(found / self._alone)
        return logs


def ranks(
    made: Sequence[tuple[Note, ...]],
    search: Search,
    learned: Learned,
    targets: int,
    known: int,
    ways: Sequence[Sequence[Nearness]] = (),
) -> Rate:
    """How often the record of a target is named first, by the best attacker.

    Args:
        known: how many dates, or 0 with towns alone.
        ways: what is made of the towns of single notes, if they are known.
    """
    rng = random.Random(f"targets {known}")
    hits: list[list[float]] = []
    for own in rng.sample(range(len(made)), targets):
        days = sorted(
            {day for one in made[own] for at, day in enumerate(one.days) if at != one.birth}
        )
        some = np.array(sorted(rng.sample(days, min(known, len(days)))))
        tried = []
        towns = [np.sum([one.log(made[own][0].towns) for one in way], axis=0) for way in ways]
        towns = towns or [np.zeros(len(made))]
        if known:
            gaps = search.by_gaps(learned, some)
            used = np.sort(some[rng.sample(range(len(some)), min(USED, len(some)))])
            near = np.unique([np.argsort(gaps + place)[-SECOND:] for place in towns])
            dates = [gaps, search.by_note(learned, used, near)]
        else:
            dates = [np.zeros(len(made))]
        for score in (day + place for day in dates for place in towns):
            first = np.flatnonzero(score >= score.max() - 1e-9)
            tried.append(float(rng.choice(first.tolist()) == own))
        hits.append(tried)
    chosen = len(hits) // 3
    better = int(np.argmax(np.array(hits[:chosen]).sum(axis=0)))
    return Rate.of(bool(one[better]) for one in hits[chosen:])


def row(
    policy: str, population: str, notes: int, count: int, targets: int, *, feed: bool = False
) -> Row:
    """All figures of one policy on one population."""
    made, own = (records(count, population, notes, seed) for seed in ("sought", "learned"))
    told = release(policy, made, KEY, feed=feed)
    seen = release(policy, own, other_key(1), feed=feed)
    learned, search = learn(own, seen), Search(told, made)
    found = {
        f"by {known}": 100 * ranks(made, search, learned, targets, known).share for known in KNOWN
    }
    name = f"{population}, {notes} notes" if notes > 1 else population
    name += " one by one" if feed else ""
    return {"policy": policy, "population": name, **story(made, told), **found}


def town_rows(policy: str, towns: str, count: int, targets: int) -> Iterator[Row]:
    """Who is found by three dates, by both towns and by all, of single letters about one stay."""
    made, own = (records(count, POPULATIONS[0], 1, seed, towns) for seed in ("sought", "learned"))
    told = release(policy, made, KEY, feed=False)
    seen = release(policy, own, other_key(1), feed=False)
    learned, search = learn(own, seen), Search(told, made)
    places = [told_towns(records) for records in (own, seen, told)]
    ways = [[Nearness(pairs, *places) for pairs in way] for way in WAYS]
    for known, used in ((3, ()), (0, ways), (3, ways)):
        found = ranks(made, search, learned, targets, known, used)
        what = " and ".join([f"{known} dates"] * (known > 0) + ["both towns"] * bool(used))
        rate = {"found": found.share, "low": found.low, "high": found.high}
        yield {"policy": policy, "towns": towns, "known": what, **rate}


def plot(file: Path, rows: Sequence[Row]) -> None:
    """What is found by five dates against the nights that are kept, one point a policy."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    axis.axhspan(-4, 15, color="#e8f1e4", zorder=0)
    axis.axvspan(82, 104, color="#e4ecf5", zorder=0, alpha=0.8)
    axis.text(103, -2.5, "wanted: here", ha="right", fontsize=9, color="#4b6358")
    for row in rows:
        axis.scatter(row["nights"], row["by 5"], s=70, color="#30638e", zorder=2)
        name = NAMES.get(row["policy"], row["policy"])
        told = f"{name}\nclose gaps missed by {row['close']:.1f} days"
        left = row["policy"] != "dp-strict"
        axis.annotate(
            told,
            (row["nights"], row["by 5"]),
            xytext=(-10 if left else 10, 6),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=9,
        )
    axis.set(xlim=(34, 104), ylim=(-4, 104))
    axis.set_xlabel("stays that keep their band of nights (0, 1-2, 3, 4, 5 and more), %")
    axis.set_ylabel("patients found by five known dates, %")
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--policy", action="append", help="default: " + ", ".join(POLICIES))
    parser.add_argument("--population", action="append", choices=POPULATIONS)
    parser.add_argument("--notes", action="append", type=int, choices=(1, LINKED))
    parser.add_argument("--records", type=int, default=4_000)
    parser.add_argument("--targets", type=int, default=150)
    parser.add_argument("--feed", action="store_true", help="notes come one by one, with a vault")
    parser.add_argument("--towns", choices=TOWNS, help="each letter tells two towns, known as well")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path, help="a figure of the first rows (needs matplotlib)")
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    count, targets = (60, 9) if args.tiny else (args.records, args.targets)
    rows: list[Row] = []
    for policy in args.policy or POLICIES if args.towns else ():
        rows += town_rows(policy, args.towns, count, targets)
        print(json.dumps(rows[-3:]), file=sys.stderr, flush=True)
    for population in () if args.towns else args.population or POPULATIONS:
        for notes in args.notes or (1, LINKED):
            for policy in args.policy or POLICIES:
                size = count // notes, targets
                rows.append(row(policy, population, notes, *size, feed=args.feed))
                print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    units = "percent but for close (days) and far (log); weekend in points"
    print(f"{count} notes; {'shares' if args.towns else units}")
    print(shown(rows))
    if args.plot:
        plot(args.plot, rows[: len(args.policy or POLICIES)])
    if args.json:
        args.json.write_text(json.dumps({"records": count, "rows": rows}, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
