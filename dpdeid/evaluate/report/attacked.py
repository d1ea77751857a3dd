"""What attackers got out of releases: searches without a bound, games beside their own bound."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dpdeid.evaluate.report import charts
from dpdeid.evaluate.report.charts import Caption, Curve
from dpdeid.evaluate.report.figures import Data
from dpdeid.evaluate.report.markup import identifier
from dpdeid.evaluate.report.page import Cell, Section, Table
from dpdeid.evaluate.report.words import Words
from dpdeid.forecast import forecast
from dpdeid.policy import load_policy, names

_NONE: Final = math.nan
_DATES: Final = 15
"""Of the made-up records on which the error of an interval is expected."""


def linkage(attacks: Mapping[str, Data], words: Words, *, towns: bool) -> Section | None:
    """The share of records found, by how much is known of them; a curve for each release."""
    rows, series = list[tuple[Cell, ...]](), []
    records = set[int]()
    for name, data in attacks.items():
        own = [row for row in data["linkage"] if row["towns"] is towns]
        for row in own:
            found = row["found"]
            ends = found["low"], found["high"]
            who = _attacker(row["attacker"], words)
            rows.append(
                (name, row["records"], row["known"], found["share"], *ends, found["trials"], who)
            )
            records.add(row["records"])
        series.append(Curve(name, tuple(_point(row["known"], row["found"]) for row in own)))
    if not rows:
        return None
    key = "towns" if towns else "linkage"
    caption = Caption(key, words(f"{key} title"), words("linkage alt"))
    columns = (
        "release", "records", "known_dates", "found_share", "low_share", "high_share", "trials",
        "attacker",
    )  # fmt: skip
    axes = words("known dates"), words("share found")
    return Section(
        key,
        caption.title,
        (words(f"{key} text", records="–".join(map(str, sorted({min(records), max(records)})))),),
        Table(columns, tuple(rows)),
        charts.curves(series, caption, axes=axes),
    )


def _attacker(told: str, words: Words) -> str:
    """How an attacker searched, in the words of the page where it has them."""
    return ", ".join(words.said(f"attacker {part}", part) for part in told.split(", "))


def games(name: str, data: Data, words: Words) -> Iterator[Section]:
    """The two games of one release, each with its own bound."""
    played: Sequence[Data] = data.get("games", ())
    for game in dict.fromkeys(row["game"] for row in played):
        rows, series = list[tuple[Cell, ...]](), []
        records = 0
        kinds = {(row["close"], row["known_towns"] > 0) for row in played}
        for close, towns in sorted(kinds, key=lambda kind: (not kind[0], kind[1])):
            apart = words("dates close" if close else "dates apart")
            if towns:
                apart = words("and a town", of=apart)
            own = [
                row
                for row in played
                if row["game"] == game
                and row["close"] is close
                and (row["known_towns"] > 0) is towns
            ]
            for row in own:
                found, bound = row["found"], row["bound"]
                ends = found["low"], found["high"]
                limit = words("no bound") if bound is None else bound
                rows.append(
                    (apart, row["known_dates"], found["share"], *ends, found["trials"], limit)
                )
                records = row["records"]
            series.append(Curve(apart, tuple(_point(r["known_dates"], r["found"]) for r in own)))
            limits = tuple(
                (row["known_dates"], row["bound"], _NONE, _NONE)
                for row in own
                if row["bound"] is not None
            )
            series.append(Curve(words("bound of", of=apart), limits, is_bound=True))
        key = identifier("games", game, name)
        title = f"{words('games title')} ({name}, {words(f'game {game}')})"
        caption = Caption(key, title, words("games alt"))
        columns = (
            "apart", "known_dates", "found_share", "low_share", "high_share", "trials",
            "bound_share",
        )  # fmt: skip
        axes = words("known dates"), words("share found")
        said = [words(f"games text {game}", records=records)]
        if not any(curve.points for curve in series if curve.is_bound):
            said.append(words("games unbounded"))
        yield Section(
            key,
            title,
            tuple(said),
            Table(columns, tuple(rows)),
            charts.curves(series, caption, axes=axes),
        )


def unique(attacks: Mapping[str, Data], words: Words) -> Section | None:
    """Records that nobody else's dates or intervals are like."""
    rows = tuple(
        (name, words(f"when {when}"), *(data["uniqueness"][when][count] for count in _COUNTS))
        for name, data in attacks.items()
        for when in ("before", "after")
    )
    if not rows:
        return None
    table = Table(("release", "when", *_COUNTS), rows)
    return Section("unique", words("unique title"), (words("unique text"),), table, is_open=True)


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
        found, known = most["found"], most["known"]
        rows.append((name, error, found["share"], found["low"], found["high"]))
        points.append(
            Curve(name, ((max(error, 1.0), found["share"], found["low"], found["high"]),))
        )
    if len(rows) < 2:
        return None
    caption = Caption("worth", words("worth title"), words("worth alt"))
    columns = ("policy", "interval_days", "found_share", "low_share", "high_share")
    chart = charts.curves(
        points,
        caption,
        axes=(words("error in days"), words("share found")),
        log_x=True,
        ticks=(1, 10, 100, 1_000, 10_000),
    )
    said = words("worth text", dates=_DATES, known=known)
    return Section("worth", caption.title, (said,), Table(columns, tuple(rows)), chart)


_COUNTS: Final = ("records", "date_sets", "interval_sequences")


def _expected(data: Data) -> float | None:
    """The expected error of an interval in days, if a built-in policy itself was attacked. An
    attack on files names a policy too: the one whose detectors found what identifies.
    """
    if "games" not in data or data["policy"] not in names():
        return None
    policy = load_policy(data["policy"])
    if policy.sha256 != data["policy_sha256"]:
        return None
    return next((one.interval for one in forecast(policy).dates if one.dates == _DATES), None)


def _point(known: int, found: Data) -> tuple[float, float, float, float]:
    return known, found["share"], found["low"], found["high"]
