"""`dpdeid check` and `dpdeid policies`: what a policy does, before any note is seen."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from dpdeid.policy import load_policy, names
from dpdeid.report import label_rows, statement


def check(source: str) -> int:
    """Prints the mechanisms of a policy with their losses, the total by unit, and the statement.

    Raises:
        UsageError: the policy is refused.
    """
    policy = load_policy(source)
    console = Console(soft_wrap=False)
    console.print(f"policy [bold]{policy.name}[/bold] · unit: {policy.unit}", highlight=False)
    found_by = ", ".join(
        [*(d.name for d in policy.detectors), *(p.name for p in policy.propagators)]
    )
    merge = type(policy.merge).__name__.lower()
    console.print(f"found by {found_by}; merged by {merge}\n", highlight=False)
    table = Table()
    for column in ("labels", "strategy", "mechanism", "loss of one draw", "draws at most"):
        table.add_column(column, overflow="fold")
    for row in label_rows(policy):
        table.add_row(*row)
    console.print(table)
    console.print("\n".join(statement(policy)), highlight=False)
    return 0


def policies() -> int:
    """Prints the built-in policies with what they are for."""
    table = Table("policy", "what for")
    for name in names():
        table.add_row(name, load_policy(name).description)
    Console().print(table)
    return 0
