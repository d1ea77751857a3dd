"""`dpdeid completion`: a script that lets a shell complete commands, options, and what is known by
name: built-in policies and formats. Files are the shell's own to complete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import typer
from typer.completion import get_completion_inspect_parameters, shell_complete

VARIABLE: Final = "_DPDEID_COMPLETE"
"""Set by the script where it asks what may come next."""

get_completion_inspect_parameters()  # registers the forms in which scripts expect answers


def completion(ctx: typer.Context, shell: Literal["bash", "zsh", "fish"]) -> int:
    """Prints the script of a shell."""
    return shell_complete(ctx.find_root().command, {}, "dpdeid", VARIABLE, f"source_{shell}")


def _policies() -> tuple[str, ...]:
    from dpdeid.policy.policy import names

    return names()


def _formats() -> tuple[str, ...]:
    from dpdeid.formats.kinds import KINDS

    return tuple(kind.name for kind in KINDS)


_KNOWN: Final[dict[str, Callable[[], tuple[str, ...]]]] = {
    "policy": _policies,
    "format": _formats,
}
"""Parameter → the names that its value may be."""


def named(parameter: str) -> Callable[[str], list[str]] | None:
    """What completes the value of a parameter; None if nothing is known of it by name."""
    if (known := _KNOWN.get(parameter)) is None:
        return None
    return lambda incomplete: [name for name in known() if name.startswith(incomplete)]
