"""Days of a warehouse: what `dpdeid monitor --json` found day by day, against the baseline."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from dpdeid.errors import UsageError
from dpdeid.evaluate.monitor import ANY
from dpdeid.evaluate.report.charts import Curve, curves
from dpdeid.evaluate.report.page import Cell, Section, Words, drawn

_CURVES: Final = 5
_TOP: Final = 2.0
"""The largest multiple of the baseline that is drawn."""
_TICKS: Final = 6


@dataclass(frozen=True, slots=True)
class Watched:
    """What was found on one day.

    Args:
        figures: mean number of spans in a note, then and now, by label.
        alarms: labels that drifted.
        overdue: whether the last evaluation was too long ago.
    """

    day: dt.date
    notes: int
    figures: Mapping[str, tuple[float, float]]
    alarms: frozenset[str]
    overdue: bool

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """The day of a file; None if it is another file.

        Raises:
            UsageError: it cannot be read.
        """
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            rows = {
                name: (float(r["then"]), float(r["now"])) for name, r in data["figures"].items()
            }
            alarms = frozenset(name for name, r in data["figures"].items() if r["alarm"])
            day = dt.date.fromisoformat(data["day"])
            return cls(day, int(data["notes"]), rows, alarms, bool(data["overdue"]))
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, TypeError, KeyError):
            return None


def drift(days: Iterable[Watched], words: Words) -> Section | None:
    """Spans in a note day by day, as a share of the baseline; None without a day."""
    ordered = sorted(days, key=lambda one: one.day)
    if not ordered:
        return None
    last = ordered[-1].day
    rows: list[tuple[Cell, ...]] = [
        (
            one.day.isoformat(),
            one.notes,
            *one.figures.get(ANY, (math.nan, math.nan)),
            ", ".join([*sorted(one.alarms), *([words("drift overdue")] if one.overdue else [])]),
        )
        for one in reversed(ordered)
    ]
    often = Counter(name for one in ordered for name in one.alarms if name != ANY)
    shown = [ANY, *(name for name, _ in often.most_common(_CURVES - 1))]
    series = [
        Curve(words.said(f"label {name}", name), tuple(_points(ordered, name, last)))
        for name in shown
    ]
    first = (ordered[0].day - last).days
    ticks = sorted({round(first * part / _TICKS) for part in range(_TICKS + 1)})
    axes = words("drift days", day=last.isoformat()), words("drift share")
    columns = ("day", "notes", "then", "now", "alarms")
    return drawn(
        words,
        "drift",
        words("drift said", days=len(ordered), alarms=sum(bool(one.alarms) for one in ordered)),
        columns,
        rows,
        lambda caption: curves(series, caption, axes=axes, ticks=ticks, top=_TOP),
    )


def _points(
    days: Sequence[Watched], name: str, last: dt.date
) -> Iterable[tuple[float, float, float, float]]:
    for one in days:
        then, now = one.figures.get(name, (0.0, 0.0))
        if then:
            yield (one.day - last).days, now / then, math.nan, math.nan
