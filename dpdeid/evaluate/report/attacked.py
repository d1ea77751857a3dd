"""What attackers got out of releases: searches without a bound, games beside their own bound."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from dpdeid.assurance.forecast import timeline_of
from dpdeid.assurance.leakage import leakages, tenths
from dpdeid.evaluate.report import charts
from dpdeid.evaluate.report.charts import Caption, Curve, identifier
from dpdeid.evaluate.report.inputs import Data
from dpdeid.evaluate.report.page import Cell, Section, Table, Words, drawn
from dpdeid.policy.policy import Policy, load_policy, names
from dpdeid.privacy import expected_error
from dpdeid.privacy.leakage import NAMED, RECORDS

_RATE: Final = ("found_share", "low_share", "high_share", "trials")
_DATES: Final = 15
"""Of the made-up records on which the error of an interval is expected."""


def linkage(attacks: Mapping[str, Data], words: Words, *, towns: bool) -> Section | None:
    """The share of records found, by how much is known of them; a curve for each release."""
    found = [
        (name, [row for row in data["linkage"] if row["towns"] is towns])
        for name, data in attacks.items()
    ]
    rows = tuple(
        (name, row["records"], row["known"], *_rate(row["found"]), _attacker(row, words))
        for name, own in found
        for row in own
    )
    if not rows:
        return None
    records = sorted({size for _, size, *_ in rows})
    key = "towns" if towns else "linkage"
    said = words(
        f"{key} text", records="–".join(map(str, dict.fromkeys((records[0], records[-1]))))
    )
    curves = [Curve(name, _points(own, "known")) for name, own in found]
    columns = ("release", "records", "known_dates", *_RATE, "attacker")
    caption = Caption(key, words(f"{key} title"), words("linkage alt"))
    return _charted(caption, (said,), columns, rows, curves, words)


def _attacker(row: Data, words: Words) -> str:
    return ", ".join(words.said(f"attacker {p}", p) for p in row["attacker"].split(", "))


def games(name: str, data: Data, words: Words) -> Iterator[Section]:
    """The two games of one release, each with its own bound."""
    played: Sequence[Data] = data.get("games", ())
    kinds = sorted({(not row["close"], row["known_towns"] > 0) for row in played})
    for game in dict.fromkeys(row["game"] for row in played):
        rows, curves = list[tuple[Cell, ...]](), []
        own = [row for row in played if row["game"] == game]
        for is_apart, towns in kinds:
            apart = words("dates apart" if is_apart else "dates close")
            if towns:
                apart = words("and a town", of=apart)
            some = [r for r in own if (not r["close"], r["known_towns"] > 0) == (is_apart, towns)]
            for row in some:
                limit = words("no bound") if row["bound"] is None else row["bound"]
                rows.append((apart, row["known_dates"], *_rate(row["found"]), limit))
            curves.append(Curve(apart, _points(some, "known_dates")))
            limits = tuple(
                (row["known_dates"], row["bound"], math.nan, math.nan)
                for row in some
                if row["bound"] is not None
            )
            curves.append(Curve(words("bound of", of=apart), limits, is_bound=True))
        said = [words(f"games text {game}", records=own[-1]["records"])]
        if not any(curve.points for curve in curves if curve.is_bound):
            said.append(words("games unbounded"))
        title = f"{words('games title')} ({name}, {words(f'game {game}')})"
        caption = Caption(identifier("games", game, name), title, words("games alt"))
        columns = ("apart", "known_dates", *_RATE, "bound_share")
        yield _charted(caption, said, columns, rows, curves, words)


def _charted(
    caption: Caption,
    said: Sequence[str],
    columns: tuple[str, ...],
    rows: Sequence[tuple[Cell, ...]],
    curves: Sequence[Curve],
    words: Words,
) -> Section:
    """A section with a curve of the share found by the number of known dates."""
    chart = charts.curves(curves, caption, axes=(words("known dates"), words("share found")))
    return Section(caption.key, caption.title, tuple(said), Table(columns, tuple(rows)), chart)


def unique(attacks: Mapping[str, Data], words: Words) -> Section | None:
    """Records that nobody else's dates or intervals are like."""
    rows = [
        (name, words(f"when {when}"), *(data["uniqueness"][when][count] for count in _COUNTS))
        for name, data in attacks.items()
        for when in ("before", "after")
    ]
    columns = ("release", "when", *_COUNTS)
    return drawn(words, "unique", words("unique text"), columns, rows) if rows else None


def worth(attacks: Mapping[str, Data], words: Words) -> Section | None:
    """What each built-in policy costs a researcher, against what it leaves an attacker."""
    rows, points = [], []
    known = 0
    for name, data in attacks.items():
        error = _expected(data)
        searches = [row for row in data["linkage"] if not row["towns"]]
        if error is None or not searches:
            continue
        most = max(searches, key=lambda row: int(row["known"]))
        share, low, high, _ = _rate(most["found"])
        known = most["known"]
        rows.append((name, error, share, low, high))
        points.append(Curve(name, ((max(error, 1.0), share, low, high),)))
    if len(rows) < 2:
        return None
    columns = ("policy", "interval_days", "found_share", "low_share", "high_share")
    axes, ticks = (words("error in days"), words("share found")), (1, 10, 100, 1_000, 10_000)
    chart = partial(charts.curves, points, axes=axes, log_x=True, ticks=ticks)
    said = words("worth text", dates=_DATES, known=known)
    return drawn(words, "worth", said, columns, rows, chart)


def leakage(policies: Sequence[Policy], words: Words) -> Section | None:
    """The bits that draws tell at most, a column for each policy; null where nothing is proved."""
    named = words.number(NAMED)
    told: dict[tuple[str, str], dict[str, Cell]] = {}
    for policy in policies:
        for found in leakages(policy):
            of, record = words(f"leakage {found.of}"), words("leakage unbounded", named=named)
            for what, bits in found.draws.items():
                drawn_of = (of, words.said(f"leak {what}", what))
                told.setdefault(drawn_of, {})[policy.name] = tenths(bits)
            whole = told.setdefault((of, words("leakage record")), {})
            whole[policy.name] = tenths(found.record) if found.record < NAMED else record
    names = [policy.name for policy in policies]
    rows = [(*what, *map(cells.get, names)) for what, cells in sorted(told.items(), key=_kind)]
    said = words("leakage text", named=named, records=words.count(RECORDS))
    return drawn(words, "leakage", said, ("values", "draw", *names), rows) if rows else None


def _kind(row: tuple[tuple[str, str], object]) -> str:
    return row[0][0]


_COUNTS: Final = ("records", "date_sets", "interval_sequences")


def _expected(data: Data) -> float | None:
    """The expected error of an interval in days, if the policy itself was attacked, not files."""
    if "games" not in data or data["policy"] not in names():
        return None
    policy = load_policy(data["policy"])
    if policy.sha256 != data["policy_sha256"] or (mode := timeline_of(policy)) is None:
        return None
    told = expected_error.dates(mode, by_patient=policy.unit == "patient")
    return next((one.interval for one in told if one.dates == _DATES), None)


def _rate(found: Data) -> tuple[float, float, float, int]:
    return found["share"], found["low"], found["high"], found["trials"]


def _points(rows: Sequence[Data], known: str) -> tuple[tuple[float, float, float, float], ...]:
    return tuple((row[known], *_rate(row["found"])[:3]) for row in rows)
