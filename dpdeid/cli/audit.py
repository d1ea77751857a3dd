"""`dpdeid audit`: whether a policy keeps the loss it states."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from dpdeid.audit import DRAWS, audit
from dpdeid.cli.ending import Console
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.write import write_json
from dpdeid.policy import load_policy, policy_file
from dpdeid.privacy.audit import Check


def run(source: str, output: Path | None = None, draws: int = DRAWS) -> int:
    """Prints every check of a policy; 1 if a bound exceeds the stated loss.

    Raises:
        UsageError: the policy is refused, or the file cannot be written or is the policy.
    """
    keep_apart((policy_file(source),), output)
    policy = load_policy(source)
    console = Console()
    table = Table("check", "of", "stated", "found", "over", "")
    checks = []
    for one in audit(policy, draws):
        checks.append(one)
        table.add_row(
            one.check, one.what, _figure(one.stated), _found(one), one.over, _verdict(one)
        )
    failed = [one for one in checks if not one.passed]
    console.print(table)
    if not checks:
        console.print(f"{policy.name} draws nothing that could be audited", highlight=False)
    for strategy in policy.strategies:
        if origin := policy.origin(strategy):
            told = f"not audited: {strategy.name} of {origin}, whatever it states"
            console.print(told, highlight=False, markup=False)
    console.print(f"{len(checks)} checks, {len(failed)} failed", highlight=False)
    if output is not None:
        rows = [
            {**asdict(one), "found": one.found if math.isfinite(one.found) else None}
            for one in checks
        ]
        report = {"policy": policy.name, "policy_sha256": policy.sha256, "checks": rows}
        write_json(output, report)
    return int(bool(failed))


def _figure(amount: float | None) -> str:
    return "nothing" if amount is None else f"{amount:.3f}".rstrip("0").rstrip(".")


def _found(one: Check) -> str:
    return (">= " if one.check == "engine" else "") + _figure(one.found)


def _verdict(one: Check) -> str:
    if one.stated is None:
        return "no guarantee"
    return "ok" if one.passed else "[bold]EXCEEDED[/bold]"
