"""Outputs that stand apart from the inputs: a command must not destroy what it reads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dpdeid.errors import UsageError


def keep_apart(inputs: Iterable[Path | None], *outputs: Path | None) -> None:
    """Nothing, if writing the outputs touches no input and no two are one file. To be asked before
    the first of them is opened.

    Raises:
        UsageError: an output is an input, lies in one that is a folder, or is named twice.
    """
    origins = [path.resolve() for path in inputs if path is not None]
    seen: list[Path] = []
    for file in outputs:
        if file is None or (file.exists() and not file.is_file()):  # a device, or refused later
            continue
        target = file.resolve()
        if any(_same(target, origin) or origin in target.parents for origin in origins):
            raise UsageError(f"{file} is an input, or lies in one: write to another place")
        if any(_same(target, other) for other in seen):
            raise UsageError(f"{file} is named twice: each output is a file of its own")
        seen.append(target)


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one file, by hard links too."""
    return one == other or (one.is_file() and other.is_file() and one.samefile(other))
