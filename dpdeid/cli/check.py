"""`dpdeid check` and `dpdeid policies`: what a policy does, before any note is seen."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rich.markup import escape
from rich.table import Table

from dpdeid.caution import cautions
from dpdeid.cli.ending import Console
from dpdeid.detect.voices import voices
from dpdeid.forecast import Forecast, days, forecast, list_sizes, name_lines, wasted
from dpdeid.policy import Policy, load_policy, names
from dpdeid.report import label_rows
from dpdeid.statement import statement


def check(source: str) -> int:
    """Prints the mechanisms of a policy with their losses, the statement, what to expect of it,
    what is of little use, and where it protects little; that does not fail the check.

    Raises:
        UsageError: the policy is refused.
    """
    policy = load_policy(source)
    console = Console(soft_wrap=False)
    console.print(f"policy [bold]{policy.name}[/bold] · unit: {policy.unit}", highlight=False)
    merge = type(policy.merge).__name__.lower()
    console.print(f"found by {found_by(policy)}; merged by {merge}\n", highlight=False)
    table = Table()
    for column in ("labels", "strategy", "mechanism", "loss of one draw", "draws at most"):
        table.add_column(column, overflow="fold")
    for row in label_rows(policy):
        table.add_row(*row)
    console.print(table)
    console.print("\n".join(statement(policy)), highlight=False, markup=False)
    expected = forecast(policy)
    if expected.dates or expected.place:
        console.print(
            "\nWhat to expect, on made-up records, beside a budget of ε = 0 with the same order:",
            highlight=False,
        )
        console.print(_expected(expected))
    if expected.place:
        sizes = ", ".join(f"{name} {places}" for name, places, _ in list_sizes())
        console.print(f"surrogate places by list: {sizes}", highlight=False)
    for line in name_lines(policy):
        console.print(line, highlight=False)
    for line in wasted(policy):
        console.print(f"[bold]little use:[/bold] {escape(line)}", highlight=False)
    for warning in cautions(policy):
        console.print(f"[bold]warning:[/bold] {escape(warning)}", highlight=False)
    return 0


def found_by(policy: Policy) -> str:
    """The detectors and propagators; from the second of a kind on with the options it was given."""
    told = []
    for parts in (policy.detectors, policy.propagators):
        for name, part in voices(parts).items():
            told.append(name if name == part.name else f"{name} ({_options(part)})")
    return ", ".join(told)


def _options(part: Any) -> str:
    """What a dataclass was given beside its defaults."""
    values = ((f, getattr(part, f.name)) for f in fields(part))
    return ", ".join(f"{f.name}={value}" for f, value in values if value != f.default)


def _expected(expected: Forecast) -> Table:
    """Mean errors, in days and in kilometres."""
    table = Table("of a record with", "mean error of", "expected", "at ε = 0")
    for one in expected.dates:
        table.add_row(f"{one.dates} dates", "a date", days(one.date), days(one.free_date))
        table.add_row("", "an interval to its note", days(one.interval), days(one.free_interval))
        if one.released < one.dates:
            table.add_row("", f"(of {one.released:.0f}; the others are redacted)", "", "")
    if expected.birth:
        table.add_row("a birth", "the birth", *map(days, expected.birth))
    if expected.place:
        place = expected.place
        told = f"{place.km:.0f} km ({100 * place.unchanged:.0f} % unchanged)"
        table.add_row("a place", "the place", told, f"{place.free_km:.0f} km")
    return table


def policies() -> int:
    """Prints the built-in policies with what they are for."""
    table = Table("policy", "what for")
    for name in names():
        table.add_row(name, load_policy(name).description)
    Console().print(table)
    return 0
