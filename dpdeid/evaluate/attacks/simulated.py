"""The attacks on made-up patients under a policy: no file is needed, no real note is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Self

from dpdeid import gazetteers
from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.attacks import games, linkage
from dpdeid.evaluate.attacks.games import TIMES, averaging
from dpdeid.evaluate.attacks.names import (
    MENTIONS,
    RECALLS,
    Frequency,
    Naming,
    by_policy,
    frequency,
    hidden,
    oracle,
    planted,
    with_markov,
)
from dpdeid.evaluate.attacks.patients import (
    Alike,
    Drawn,
    Patient,
    Setting,
    made,
    patients,
    released,
)
from dpdeid.evaluate.attacks.traces import Trace, compared, known_of
from dpdeid.normalize import fold
from dpdeid.policy.policy import Policy
from dpdeid.privacy.timeline.modes import Metric, Shift
from dpdeid.testing import KEY, marked

Json = dict[str, Any]

CLOSE: Final = 7
"""Days by which gaps of close records differ at most from those of one record."""
_MARKOV: Final = Fraction(3, 10)
"""The `markov` of `people` with which a policy is played once more."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is simulated.

    Args:
        patients: among whom a record is sought.
        targets: patients that are sought; a third of them, at most 60, choose the attacker.
        alike: records of a game in which all read alike.
        trials: of each such game.
        releases: the most that are averaged.
        notes: attacked in each game of a missed name.
        submitters: patients for whom notes are submitted.
    """

    patients: int = 4_000
    targets: int = 400
    alike: int = 20
    trials: int = 200
    releases: int = 30
    notes: int = 400
    submitters: int = 20

    @classmethod
    def of(cls, patients: int) -> Self:
        """So many patients, and less of everything else where they are fewer than 4,000."""
        full = cls()
        trials, notes, submitters = (
            max(round(min(patients / full.patients, 1) * most), 10)
            for most in (full.trials, full.notes, full.submitters)
        )
        targets = min(patients, full.targets)
        return cls(patients, targets, trials=trials, notes=notes, submitters=submitters)


def attack_policy(
    policy: Policy,
    *,
    sizes: Sizes = Sizes(),
    setting: Setting = "stays",
    known: Sequence[int] = (1, 2, 3),
) -> Json:
    """All attacks on made-up patients, as docs/attacks.md has them.

    Args:
        known: how many events of a patient somebody knows.

    Raises:
        UsageError: the policy does not replace dates by dates.
    """
    drawn = Drawn.of(policy)
    people = patients(sizes.patients, setting)
    traces = [released(drawn, one, f"patient {at}") for at, one in enumerate(people)]
    days = [[point.day for point in one.points] for one in people]
    shown = [trace.days for trace in traces]
    alike = Alike.made_up(sizes.alike, dates=4, towns=1)
    times = [count for count in TIMES if count <= sizes.releases]
    return {
        "setting": setting,
        "records": len(people),
        "uniqueness": compared(days, shown),
        "linkage": [
            linked(drawn, people, traces, count, sizes.targets, towns=towns).to_json()
            for towns in (False, True)
            for count in known
        ],
        "games": [
            {"close": close, **played.to_json()}
            for close in (False, True)
            for towns in (0, 1)
            for played in played_games(
                drawn, sizes, known, towns=towns, within=CLOSE if close else None
            )
        ],
        "averaging": [
            one.to_json()
            for same_key in (False, True)
            for one in averaging(drawn, alike, times, same_key=same_key)
        ],
        "frequency": names(policy, sizes.patients).to_json(),
        "hidden": _hidden(policy, sizes.notes),
        "oracle": oracle(policy, made("oracle"), patients=sizes.submitters).to_json(),
    }


def linked(
    policy: Drawn,
    people: Sequence[Patient],
    traces: Sequence[Trace],
    known: int,
    targets: int,
    *,
    towns: bool,
) -> linkage.Linkage:
    """The linkage of patients of whom so many dates are known, or dates and towns.

    The attacker knows the policy: what it does to every date alike is taken off.
    """
    stream = made(f"targets {known}")
    drawn = stream.shuffled(range(len(people)))[:targets]
    sought = [(at, known_of(people[at].events, known, stream)) for at in drawn]
    mode = policy.timeline
    least, most = 0, 0
    if isinstance(mode, Shift):
        least, most = mode.least, mode.days
    elif isinstance(mode, Metric):
        most = mode.shift_days
    usual, move = (least + most) // 2, max((most - least + 1) // 2, 365)
    sought = [
        (at, Trace(tuple(day - usual for day in trace.days), trace.towns if towns else ()))
        for at, trace in sought
    ]
    tried = linkage.attackers(move=move, per_km=policy.per_km if towns else 0.0)
    return linkage.linkage(traces, sought, known, stream, tried=tried)


def played_games(
    policy: Drawn, sizes: Sizes, known: Sequence[int], *, towns: int = 0, within: int | None = None
) -> list[games.Played]:
    """Both games, of records with two more dates than the most that are known first.

    Args:
        towns: that each record has; they are known too, and the bound is that of dates and towns.
        within: how close the records are, None for records drawn apart.
    """
    dates = max(known) + 2
    records = Alike.made_up(sizes.alike, dates=dates, towns=towns, within=within)
    stream = made("games")
    knowledge = [games.Knowledge(count, towns) for count in (*known, dates)]
    return [
        *games.one_release(policy, records, knowledge, sizes.trials, stream),
        *games.many_releases(policy, records, knowledge, sizes.trials, stream),
    ]


def names(policy: Policy, count: int) -> Frequency:
    """The frequency attack on so many patients, their names drawn as rank by Zipf's law."""
    stream = made("names")
    borne = gazetteers.surname_list()
    engine_notes, namings = {}, []
    drawn = [borne[_zipf(stream.randbelow(1 << 30) / (1 << 30), len(borne))] for _ in range(count)]
    for name in drawn:
        text, spans = marked(f"M. «LAST_NAME:{name}»")
        engine_notes[text] = spans
    engine = Deidentifier(planted(policy, engine_notes), key=KEY)
    for at, name in enumerate(drawn):
        doc = Document(f"{at}", f"M. {name}", patient_id=f"{at}")
        (surrogate,) = engine(doc).surrogates
        namings.append(Naming(f"{at}", fold(name), fold(surrogate.text)))
    return frequency(namings)


def _zipf(uniform: float, size: int) -> int:
    """A rank below `size`, of which rank r has a weight of about 1 / (r + 1)."""
    return min(int((size + 1) ** uniform) - 1, size - 1)


def _hidden(policy: Policy, trials: int) -> list[Json]:
    ways = {policy.name: policy}
    changing = with_markov(policy, _MARKOV)
    if changing != policy:
        ways[f"markov {float(_MARKOV)}"] = changing
    return [
        hidden(
            name, by_policy(way), made("hidden"), mentions=mentions, recall=recall, trials=trials
        ).to_json()
        for name, way in ways.items()
        for recall in RECALLS
        for mentions in MENTIONS
    ]
