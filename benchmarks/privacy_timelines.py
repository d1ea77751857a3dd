"""What a budget buys on dates: chain, star, decoding and the ε = 0 baseline, on synthetic records.

    python benchmarks/privacy_timelines.py [--tiny] [--json FILE] [--plots DIR]

No real note is used: choosing an ε by looking at results on real notes would spend budget. A record
is one note with its dates: the note lies up to ten years before e0; of the other dates nearly half
lie within three weeks before it, most others months to years, some decades, a few after it.

The patients of the linkage have dates uniform over ten years, so three exact dates have intervals
that nearly nobody shares: under a shift alone the attacker, who tries every shift, finds them all.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import math
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline import Kind, Metric, Paper, Point, Released, Shift, Strict, Timeline

E0 = dt.date(2026, 12, 31).toordinal()
BUDGETS = (3, 12, 48)
COUNTS = (3, 6, 12, 30)
RATES = ("0.1", "0.05", "0.02", "0.01")
Record = tuple[Point, ...]


def synthetic(stream: Stream, dates: int) -> Record:
    """A note and its other dates, all different."""
    note = E0 - stream.randbelow(3_651)
    days = [note]
    while len(days) < dates:
        kind, uniform = stream.randbelow(100), (stream.randbelow(1 << 30) + 1) / (1 << 30)
        if kind < 45:
            gap = -(1 + stream.randbelow(21))
        elif kind < 82:
            gap = -1 - int(-400 * math.log(uniform))
        elif kind < 95:
            gap = -1 - stream.randbelow(18_000)
        else:
            gap = 1 + stream.randbelow(180)
        if note + gap not in days:
            days.append(note + gap)
    kinds = [Kind.NOTE] + [Kind.EVENT] * (dates - 1)
    return tuple(
        Point(dt.date.fromordinal(day).isoformat(), day, kind, 0)
        for day, kind in zip(days, kinds, strict=True)
    )


Release = Callable[[Record, Streams], Sequence[Released]]


def drawn(mode: Timeline) -> Release:
    return lambda record, streams: mode.release(record, e0=E0, streams=streams)


def errors(records: Sequence[Record], release: Release) -> tuple[float, float]:
    """Mean error of a date, and median error of an interval to the note date, in days."""
    dates: list[float] = []
    intervals: list[int] = []
    for at, record in enumerate(records):
        given = release(record, Streams(bytes(32), f"record {at}"))
        moved = [(got.day or 0) - point.day for got, point in zip(given, record, strict=True)]
        dates.append(statistics.mean(map(abs, moved)))
        intervals += (abs(by - moved[0]) for by in moved[1:])
    return statistics.mean(dates), statistics.median(intervals)


def strict(budget: Fraction, dates: int) -> Strict:
    """The star at an even share of a budget; its births are not drawn here."""
    return Strict(
        mechanism="prior_window",
        epsilon=budget / dates,
        birth_epsilon=Fraction(4),
        cap=dates,
        over_cap="prior",
        decode=True,
    )


def budget_rows(size: int) -> Iterable[dict[str, Any]]:
    """One row for each number of dates and budget, and for `dp-strict` as it ships."""
    for dates in COUNTS:
        stream = Streams(bytes(32), "synthetic").stream("budgets", str(dates))
        records = [synthetic(stream, dates) for _ in range(size)]
        cases: list[tuple[str, Fraction, Strict]] = [
            (str(budget), Fraction(budget), strict(Fraction(budget), dates)) for budget in BUDGETS
        ]
        shipped = replace(strict(Fraction(8), 5), cap=5)
        cases.append(("8, cap 5", Fraction(8), shipped))
        for name, budget, mode in cases:
            laplace = replace(mode, mechanism="bounded_laplace")
            ways: dict[str, Release] = {
                "paper": drawn(Paper(epsilon=budget)),
                "star": drawn(replace(mode, decode=False)),
                "decoded": drawn(mode),
                "laplace_decoded": drawn(laplace),
                "baseline": lambda record, _, mode=mode: mode.baseline(record, e0=E0),  # type: ignore[misc]
            }
            found = {way: errors(records, release) for way, release in ways.items()}
            yield {
                "dates": dates,
                "budget": name,
                **{way: round(mean, 1) for way, (mean, _) in found.items()},
                **{f"{way}_interval": median for way, (_, median) in found.items()},
                "decoded_over_baseline": round(found["decoded"][0] / found["baseline"][0], 3),
                "paper_over_decoded": round(found["paper"][0] / found["decoded"][0], 2),
            }


def metric(rate: str, shift_days: int) -> Metric:
    return Metric(
        epsilon_per_day=Fraction(rate),
        birth_epsilon_per_day=Fraction("0.005"),
        cap=40,
        shift_days=shift_days,
    )


def metric_rows(size: int) -> Iterable[dict[str, Any]]:
    """The error of the metric mode, whatever the number of dates, and its price."""
    stream = Streams(bytes(32), "synthetic").stream("metric")
    records = [synthetic(stream, 6) for _ in range(size)]
    for rate in ("0.2", *RATES):
        plain = errors(records, drawn(metric(rate, 0)))
        shifted = errors(records, drawn(metric(rate, 365)))
        yield {
            "epsilon_per_day": rate,
            "date": round(plain[0], 1),
            "interval": plain[1],
            "date_with_shift": round(shifted[0], 1),
            "interval_with_shift": shifted[1],
            "loss_of_20_gaps_by_30_days": float(Fraction(rate) * 600),
            "loss_of_moving_a_record_by_30_days": float(Fraction(rate) * 30),
        }


def linkage_rows(patients: int, targets: int) -> Iterable[dict[str, Any]]:
    """Share of patients found by somebody who knows exact dates of theirs.

    The attacker scores every released record by the likelihood of its best triple of dates given
    the three that are known, the common move of all dates being free within the shift, and names
    the best record; ties count in parts.
    """
    stream = Streams(bytes(32), "synthetic").stream("linkage")
    records = [_decade(stream) for _ in range(patients)]
    known = [stream.shuffled(sorted(p.day for p in record))[:3] for record in records[:targets]]
    for shift_days in (0, 365):
        for rate in (None, *RATES):
            if rate is not None:
                release = drawn(metric(rate, shift_days))
            elif shift_days:
                release = drawn(Shift(days=shift_days))
            else:
                release = _unchanged
            given = [
                sorted(got.day or 0 for got in release(record, Streams(bytes(32), f"p{at}")))
                for at, record in enumerate(records)
            ]
            scale = float(rate) if rate else 100.0
            yield {
                "shift_days": shift_days,
                "epsilon_per_day": rate or "no noise",
                "found_by_3_dates": round(_found(given, known, 3, scale, shift_days), 4),
                "found_by_1_date": round(_found(given, known, 1, scale, shift_days), 4),
            }


def _unchanged(record: Record, streams: Streams) -> Sequence[Released]:
    return [Released(point.day) for point in record]


def _decade(stream: Stream) -> Record:
    """A patient with three to nine dates over ten years, the last of them a note's."""
    count = 3 + stream.randbelow(7)
    days: set[int] = set()
    while len(days) < count:
        days.add(E0 - 365 - stream.randbelow(3_652))
    ordered = sorted(days, reverse=True)
    return tuple(
        Point(str(day), day, Kind.EVENT if at else Kind.NOTE, 0) for at, day in enumerate(ordered)
    )


def _found(
    given: Sequence[Sequence[int]],
    known: Sequence[Sequence[int]],
    dates: int,
    scale: float,
    shift_days: int,
) -> float:
    tuples = [np.array(list(combinations(days, dates))) for days in given]
    starts = np.cumsum([0, *(len(rows) for rows in tuples[:-1])])
    released = np.concatenate(tuples).astype(np.float32)  # (tuples, dates)
    found = 0.0
    for target, days in enumerate(known):
        moved = [released[:, at] - day for at, day in enumerate(sorted(days[:dates]))]
        cost = np.full(len(released), np.inf, np.float32)
        for common in (*moved, -shift_days, shift_days):  # the cost has its corners there
            residuals = sum(np.abs(by - common) for by in moved)
            np.minimum(cost, residuals + np.maximum(np.abs(common) - shift_days, 0), out=cost)
        best = np.minimum.reduceat(scale * cost, starts)
        winners = np.flatnonzero(best <= best.min() + 1e-9)
        found += (target in winners) / len(winners)
    return found / len(known)


def acceptance(rows: Sequence[dict[str, Any]]) -> list[str]:
    """What fails of what must show: never above the baseline by 2 %, four times below the chain."""
    failed = []
    for row in rows:
        if row["budget"] not in map(str, BUDGETS):
            continue
        case = f"{row['dates']} dates, budget {row['budget']}"
        if row["decoded_over_baseline"] > 1.02:
            failed.append(f"{case}: decoded is {row['decoded_over_baseline']} of the baseline")
        if row["paper_over_decoded"] < 4:
            failed.append(f"{case}: the chain is only {row['paper_over_decoded']} times worse")
    return failed


def shown(rows: Sequence[dict[str, Any]]) -> Iterable[str]:
    """Rows as a table."""
    names = list(rows[0])
    widths = [max(len(name), *(len(str(row[name])) for row in rows)) for name in names]
    yield "  ".join(name.rjust(width) for name, width in zip(names, widths, strict=True))
    for row in rows:
        cells = zip(names, widths, strict=True)
        yield "  ".join(str(row[name]).rjust(width) for name, width in cells)


def plot(folder: Path, rows: Sequence[dict[str, Any]]) -> None:
    """One timeline in each mode, and the error against the budget."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    backs = (700, 703, 712, 760, 1_500, 2_900)
    record = tuple(
        Point(f"{back}", E0 - back, Kind.EVENT if at else Kind.NOTE, 0)
        for at, back in enumerate(backs)
    )
    dp, mode = metric("0.05", 365), strict(Fraction(8), 5)
    ways: dict[str, Release] = {
        "true dates": _unchanged,
        "shift ±365 days\n(no guarantee)": drawn(Shift()),
        "dp: shift and\n0.05 per day": drawn(dp),
        "dp-strict: 1.6 a date,\nat most 5, decoded": drawn(mode),
        "ε = 0, same order": lambda record, _: mode.baseline(record, e0=E0),
        "paper, ε = 6\n(chain)": drawn(Paper(epsilon=Fraction(6))),
    }
    figure, axis = plt.subplots(figsize=(9, 4.6), layout="constrained")
    for row, release in enumerate(ways.values()):
        given = release(record, Streams(bytes(32), "plot"))
        gaps = [max(E0 - (got.day or 0), 1) for got in given]
        axis.axhline(row, color="#cccccc", linewidth=1, zorder=1)
        axis.scatter(gaps[1:], [row] * (len(gaps) - 1), c="#30638e", s=45, alpha=0.7, zorder=2)
        axis.scatter(gaps[:1], [row], c="#d1495b", marker="|", s=320, linewidths=3, zorder=3)
    axis.set_yticks(range(len(ways)), list(ways))
    axis.invert_yaxis()
    axis.set_xscale("log")
    ticks = {100: "100", 365: "1 year", 1_096: "3 years", 3_652: "10 years", 10_957: "30 years"}
    axis.set_xticks(list(ticks), list(ticks.values()))
    axis.minorticks_off()
    axis.invert_xaxis()
    axis.set_xlabel("days before the cohort's reference date e0 (logarithmic)")
    axis.set_title("One note (red) and five dates of its text, and their surrogates")
    axis.tick_params(left=False)
    axis.spines[["top", "left", "right"]].set_visible(False)
    figure.savefig(folder / "timeline_modes.png", dpi=110)
    figure, panels = plt.subplots(
        1, len(COUNTS), figsize=(12, 3.6), sharey=True, layout="constrained"
    )
    for panel, dates in zip(panels, COUNTS, strict=True):
        mine = [r for r in rows if r["dates"] == dates and r["budget"] in map(str, BUDGETS)]
        budgets = [int(row["budget"]) for row in mine]
        for way, name, style in (
            ("paper", "chain (paper)", "o--"),
            ("star", "star", "s-"),
            ("decoded", "star, decoded", "D-"),
            ("baseline", "ε = 0, same order", "k:"),
        ):
            panel.plot(budgets, [max(row[way], 1) for row in mine], style, label=name)
        panel.set(title=f"{dates} dates", xscale="log", yscale="log", xlabel="budget ε")
        panel.set_xticks(BUDGETS, [str(b) for b in BUDGETS])
        panel.minorticks_off()
    panels[0].set_ylabel("mean error of a date, days")
    panels[-1].legend(frameon=False, fontsize=8)
    figure.savefig(folder / "timeline_errors.png", dpi=110)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a few records: does it run?")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plots", type=Path, help="folder for the figures (needs matplotlib)")
    options = parser.parse_args(arguments)
    size, patients, targets = (4, 60, 10) if options.tiny else (200, 4_000, 400)
    budgets = list(budget_rows(size))
    print(f"Mean error of a date and median error of an interval, days; {size} records a row")
    print("\n".join(shown(budgets)))
    failed = acceptance(budgets)
    print("\n".join(failed) if failed else "Acceptance: decoded ≤ 1.02 baseline and ≤ chain / 4")
    metrics = list(metric_rows(size))
    print("\nMetric mode, 6 dates")
    print("\n".join(shown(metrics)))
    linkage = list(linkage_rows(patients, targets))
    print(f"\nShare of {targets} targets among {patients} patients that are found")
    print("\n".join(shown(linkage)))
    if options.plots is not None:
        plot(options.plots, budgets)
    if options.json is not None:
        commit = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
        ).stdout.strip()
        report = {
            "commit": commit,
            "python": sys.version.split()[0],
            "records": size,
            "budgets": budgets,
            "metric": metrics,
            "linkage": linkage,
            "failed": failed,
        }
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    return 0 if options.tiny or not failed else 1


if __name__ == "__main__":
    sys.exit(main())
