"""The files that the other evaluations wrote, told by their content."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dpdeid.errors import UsageError

Data = Mapping[str, Any]

_KINDS: Final = {
    "detection": ("direct", "labels", "confusion"),
    "utility": ("kept", "codes", "jaccard"),
    "attack": ("uniqueness", "linkage", "policy"),
    "robustness": ("refilled", "origins", "eponyms"),
    "effort": ("notes", "words", "steps"),
}
"""Keys that only one kind of evaluation has together."""


@dataclass(frozen=True, slots=True)
class Evaluations:
    """What was measured; each under the name of its file."""

    detection: Mapping[str, Data]
    utility: Mapping[str, Data]
    attack: Mapping[str, Data]
    robustness: Mapping[str, Data]
    effort: Mapping[str, Data] = field(default_factory=dict)


def read(paths: Sequence[Path]) -> Evaluations:
    """The evaluations of these files.

    Raises:
        UsageError: a file cannot be read, is no evaluation, or has the name of another.
    """
    found: dict[str, dict[str, Data]] = {kind: {} for kind in _KINDS}
    for path in paths:
        kind, data = _one(path)
        name = path.name.removesuffix(".json").removesuffix(f".{kind}")
        if name in found[kind]:
            raise UsageError(f"two files of the {kind} evaluation are called {name}: rename one")
        found[kind][name] = data
    return Evaluations(**found)


def _one(path: Path) -> tuple[str, Data]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"{path} is not JSON") from None
    for kind, keys in _KINDS.items():
        if isinstance(data, dict) and all(key in data for key in keys):
            return kind, data
    raise UsageError(
        f"{path} is no evaluation: `dpdeid evaluate detection`, `utility` and `attack`, `dpdeid "
        "review --effort` and benchmarks/robustness.py write them with --json"
    )


def value(data: Data, *path: str) -> float:
    """A figure at a path; nan where it is null or absent."""
    found = _at(data, path)
    return float(found) if isinstance(found, int | float) else math.nan


def between(data: Data, *path: str) -> tuple[float, float]:
    """The interval of a figure of a detection; nan where there is none."""
    found = _at(data, ("intervals", *path))
    if not isinstance(found, Sequence) or len(found) != 2 or None in found:
        return math.nan, math.nan
    return float(found[0]), float(found[1])


def _at(data: Any, path: Sequence[str]) -> Any:
    for step in path:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data
