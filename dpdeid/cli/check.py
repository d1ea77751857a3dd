"""`dpdeid check`, `audit` and `policies`: what a policy does, before any note is seen."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from itertools import islice
from pathlib import Path
from typing import Any, Final

from rich.markup import escape

from dpdeid.assurance.audit import DRAWS, around_own
from dpdeid.assurance.audit import audit as checks_of
from dpdeid.assurance.forecast import cautions, forecast
from dpdeid.assurance.leakage import leakage_lines
from dpdeid.assurance.report import label_rows, statement
from dpdeid.cli.terminal import Console, table
from dpdeid.detect.merge.published import voices
from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.write import keep_apart, write_json
from dpdeid.policy.policy import Policy, load_policy, names, policy_file
from dpdeid.privacy.audit import Check
from dpdeid.testing.coupled.refill import MOST_NOTES

_COLUMNS: Final = ("labels", "strategy", "mechanism", "loss of one draw", "draws at most")


def check(policy: str, output: Path | None = None) -> None:
    """Prints the mechanisms of a policy with their losses, the statement, what a release tells at
    most in bits, what to expect of it, what is of little use, and where it protects little; that
    does not fail the check.

    Raises:
        UsageError: the policy is refused, or the file cannot be written or is the policy.
    """
    keep_apart((policy_file(policy),), output)
    used = load_policy(policy)
    if output is not None:
        write_json(output, _figures_of(used))
    console = Console()
    console.print(f"policy [bold]{used.name}[/bold] · unit: {used.unit}")
    console.print(f"found by {found_by(used)}; merged by {_with_options(used.merge)}\n")
    console.print(table(_COLUMNS, label_rows(used)))
    console.print("\n".join(statement(used)), markup=False)
    for at, line in enumerate(leakage_lines(used)):
        console.print(f"- {line}" if at else f"\n{line}", markup=False)
    expected = forecast(used)
    if expected.errors:
        console.print(
            "\nWhat to expect, on made-up records, beside a budget of ε = 0 with the same order:"
        )
        told = ("of a record with", "mean error of", "expected", "at ε = 0")
        console.print(table(told, expected.errors))
    for line in expected.lines:
        console.print(line)
    for line in expected.wasted:
        console.print(f"[bold]little use:[/bold] {escape(line)}")
    for warning in cautions(used):
        console.print(f"[bold]warning:[/bold] {escape(warning)}")


def _figures_of(used: Policy) -> dict[str, Any]:
    """What `check` prints, by parts."""
    expected = forecast(used)
    told = ("of", "error", "expected", "at_0")
    return {
        "policy": used.name,
        "policy_sha256": used.sha256,
        "unit": used.unit,
        "found_by": found_by(used),
        "merged_by": _with_options(used.merge),
        "labels": [dict(zip(_COLUMNS, row, strict=True)) for row in label_rows(used)],
        "statement": [*statement(used)],
        "leakage": [*leakage_lines(used)],
        "errors": [dict(zip(told, row, strict=True)) for row in expected.errors],
        "expected": expected.lines,
        "little_use": expected.wasted,
        "warnings": [*cautions(used)],
    }


def found_by(policy: Policy) -> str:
    """The detectors and propagators; from the second of a kind on with the options it was given."""
    told = []
    for parts in (policy.detectors, policy.propagators):
        for name, part in voices(parts).items():
            told.append(name if name == part.name else f"{name} ({_options(part)})")
    return ", ".join(told)


def _with_options(part: Any) -> str:
    options = _options(part)
    return f"{part.name} ({options})" if options else part.name


def _options(part: Any) -> str:
    values = ((f, getattr(part, f.name)) for f in fields(part))
    return ", ".join(f"{f.name}={_value(v)}" for f, v in values if v != f.default and v != {})


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{_value(one)}" for key, one in value.items())
    return " ".join(map(_value, value)) if isinstance(value, tuple) else str(value)


def policies(output: Path | None = None) -> None:
    """Prints the built-in policies with what they are for.

    Raises:
        UsageError: the file cannot be written.
    """
    rows = [(name, load_policy(name).description) for name in names()]
    if output is not None:
        write_json(output, dict(rows))
    Console().print(table(("policy", "what for"), rows))


def audit(
    policy: str, notes: str | None = None, output: Path | None = None, draws: int = DRAWS
) -> int:
    """Prints every check of a policy, also of how it releases notes of one's own; 1 if a bound
    exceeds the stated loss. No text of a note is printed.

    Raises:
        UsageError: the policy or the notes are refused, or the file cannot be written or is one of
            them.
    """
    keep_apart((policy_file(policy), *(source_files(notes) if notes else ())), output)
    used = load_policy(policy)
    own, told = around_own(used, _taken(notes)) if notes else (None, None)
    checks = [*checks_of(used, draws), *([own] if own else [])]
    failed = sum(not one.passed for one in checks)
    console = Console()
    console.print(table(("check", "of", "stated", "found", "over", ""), map(_cells, checks)))
    for difference in told.differences if told else ():
        console.print(f"differs: {difference}", markup=False)
    if not checks:
        console.print(f"{used.name} draws nothing that could be audited")
    for strategy in used.strategies:
        if origin := used.origin(strategy):
            console.print(
                f"not audited: {strategy.name} of {origin}, whatever it states", markup=False
            )
    console.print(f"{len(checks)} checks, {failed} failed")
    if output is not None:
        rows = [
            {**asdict(one), "found": one.found if math.isfinite(one.found) else None}
            for one in checks
        ]
        report = {"policy": used.name, "policy_sha256": used.sha256, "checks": rows}
        write_json(output, report | ({"notes": asdict(told)} if told else {}))
    return int(failed > 0)


def _taken(source: str) -> Sequence[tuple[str, Document]]:
    """The first notes of a source, each with its row; a file may have the name of a patient."""
    rows = [*islice(read(source, sys.stdin.buffer), MOST_NOTES)]
    wrong = next((row.error for row in rows if row.document is None), "no notes" * (not rows))
    if wrong:
        raise UsageError(f"--notes: {wrong}")
    return [(row.place or row.where, row.document) for row in rows if row.document is not None]


def _cells(one: Check) -> tuple[str, ...]:
    found = (">= " if one.check == "engine" else "") + _figure(one.found)
    said = "no guarantee" if one.stated is None else "ok" if one.passed else "[bold]EXCEEDED[/bold]"
    return one.check, one.what, _figure(one.stated), found, one.over, said


def _figure(amount: float | None) -> str:
    return "nothing" if amount is None else f"{amount:.3f}".rstrip("0").rstrip(".")
