"""Which figures stand where, and the run that gave each: `runs.toml`, `figures.tsv`, and what was
measured last in `measured.json`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpdeid.evaluate.counts import percent

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MEASURED: Final = HERE / "measured.json"
_STEP: Final = " > "
_NUMBER: Final = r"[\d.,–-]+"


@dataclass(frozen=True, slots=True)
class Run:
    """A benchmark with its arguments.

    Args:
        script: its name in `benchmarks`.
        arguments: the seeds of a run are among them, or are those that the script has by default.
        data: files under the folder of data that it reads, which are not shipped.
    """

    name: str
    script: str
    arguments: tuple[str, ...] = ()
    data: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A number on a page.

    Args:
        run: the name of the run that gives it.
        path: the keys, or places in a list, under which the JSON of the run has it.
        form: how it is written, one of `FORMS`.
        page: the file in which it stands.
        words: what stands around it: {} is the number, # is any other.
    """

    run: str
    path: tuple[str, ...]
    form: str
    page: str
    words: str

    @property
    def key(self) -> str:
        """The path as `measured.json` has it."""
        return _STEP.join(self.path)

    def value(self, report: Any) -> float:
        """The number in the JSON of its run.

        Raises:
            LookupError: it has none there.
        """
        for step in self.path:
            report = report[int(step)] if isinstance(report, list) else report[step]
        return float(report)

    def found(self, page: str) -> Iterator[re.Match[str]]:
        """Where its words stand in the text of its page; group 1 is the number."""
        parts = re.split(r"(\{\}|#|\s+)", self.words)
        joints = {"{}": f"((?:[<>] )?{_NUMBER})", "#": _NUMBER}
        pattern = "".join(
            r"\s+" if part.isspace() else joints.get(part) or re.escape(part) for part in parts
        )
        return re.finditer(pattern, page)


FORMS: Final[Mapping[str, Callable[[float], str]]] = {
    "percent": percent,
    "percent whole": lambda share: f"{100 * share:.0f}",
    "points": lambda share: f"{share:.1f}",
    "one decimal": lambda number: f"{number:.1f}",
    "two decimals": lambda number: f"{number:.2f}",
    "per thousand": lambda share: f"{1000 * share:.1f}",
    "whole": lambda number: f"{number:,.0f}",
}
"""Name → how a number is written."""


def runs() -> dict[str, Run]:
    """Name → run, in the order of the file."""
    told = tomllib.loads((HERE / "runs.toml").read_text(encoding="utf-8"))
    return {
        name: Run(name, run["script"], tuple(run.get("arguments", ())), tuple(run.get("data", ())))
        for name, run in told.items()
    }


def figures() -> list[Figure]:
    """Every figure that is held."""
    lines = (HERE / "figures.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("# "))
    return [
        Figure(run, tuple(path.split(_STEP)), form, page, words)
        for run, path, form, page, words in rows
    ]


def measured() -> Mapping[str, Any]:
    """Name of a run → its command, date, seconds, machine and values, when it was made last."""
    found: Mapping[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return found
