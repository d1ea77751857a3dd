"""`dpdeid monitor`: is what is found today like what was found when the system was evaluated?"""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

from rich.table import Column

from dpdeid.cli.terminal import EXIT_CHECK_FAILED, EXIT_OK, Console, counted, exit_code, table
from dpdeid.errors import UsageError
from dpdeid.evaluate.monitor import (
    ANY,
    LEAST_NOTES,
    NONE,
    Baseline,
    Drift,
    drifts,
    read_baseline,
    read_labels,
    tallies,
)
from dpdeid.formats.write import keep_apart, write_json

_YEAR = 365.25


def monitor(
    source: Path,
    baseline: Path,
    new_baseline: datetime | None = None,
    years: float = 3.0,
    output: Path | None = None,
) -> int:
    """Compares the spans of a batch with a baseline; or makes one, where its day is given.

    Returns:
        0 if nothing alarms, 1 if a label drifts or the evaluation is older than `years`, 4 if there
        is no note in the file.

    Raises:
        UsageError: a file cannot be read or written.
    """
    keep_apart((source,), baseline, output)
    found = tallies(read_labels(source))
    notes = found[ANY].notes
    if not notes:
        return exit_code(0, 0)
    today = datetime.now().astimezone().date()
    if new_baseline is not None:
        evaluated = new_baseline.date()
        if evaluated > today:
            raise UsageError(f"--new-baseline {evaluated}: that day is still to come")
        write_json(baseline, Baseline(found, evaluated).to_json())
        print(
            f"baseline of {counted(notes, 'note')}, evaluated on {evaluated}, written to {baseline}"
        )
        return EXIT_OK
    old = read_baseline(baseline)
    rows = drifts(old.tallies, found)
    age = (today - old.evaluated).days / _YEAR
    alarms = [row for row in rows if row.alarms]
    _show(rows, notes, old)
    print(f"last evaluation: {old.evaluated}, {age:.1f} years ago")
    if age > years:
        print(f"ALARM: the last evaluation is older than {years:g} years; evaluate anew")
    for row in alarms:
        of = "of all notes" if row.name == NONE else "a note"
        old_mean, new_mean = _mean(row.name, row.old), _mean(row.name, row.new)
        print(f"ALARM: {row.name}: {old_mean} → {new_mean} {of}")
    if notes < LEAST_NOTES:
        print(f"only {counted(notes, 'note')}: too few to tell a drift (at least {LEAST_NOTES})")
    if output is not None:
        _write(output, rows, notes, old, today, overdue=age > years)
    return EXIT_CHECK_FAILED if alarms or age > years else EXIT_OK


def _show(rows: tuple[Drift, ...], notes: int, old: Baseline) -> None:
    names = ("then", "now", "difference", "times", "p", "PSI", "")
    columns: list[str | Column] = ["a note has", *(Column(name, justify="right") for name in names)]
    shown = (
        (
            *(row.name, _mean(row.name, row.old), _mean(row.name, row.new), _difference(row)),
            f"× {row.ratio:.2f}" if row.old else "–",
            "< .001" if row.p < 0.001 else f"{row.p:.3f}",
            f"{row.psi:.3f}",
            "ALARM" if row.alarms else "",
        )
        for row in sorted(rows, key=lambda row: (not row.alarms, -row.psi))
    )
    title = f"{counted(notes, 'note')} beside the {old.tallies[ANY].notes} of the baseline"
    Console().print(table(columns, shown, title=title))


def _mean(name: str, mean: float) -> str:
    return f"{100 * mean:.1f} %" if name == NONE else f"{mean:.2f}"


def _difference(row: Drift) -> str:
    moved = row.new - row.old
    return f"{100 * moved:+.1f} points" if row.name == NONE else f"{moved:+.2f}"


def _write(
    path: Path, rows: tuple[Drift, ...], notes: int, old: Baseline, day: date, *, overdue: bool
) -> None:
    figures = {
        row.name: {
            "then": row.old,
            "now": row.new,
            "difference": row.new - row.old,
            "ratio": row.ratio if row.old else None,
            "p": row.p,
            "psi": row.psi,
            "alarm": row.alarms,
        }
        for row in rows
    }
    report = {
        "day": day.isoformat(),
        "notes": notes,
        "evaluated": old.evaluated.isoformat(),
        "overdue": overdue,
        "alarm": overdue or any(row.alarms for row in rows),
        "figures": figures,
    }
    write_json(path, report)
