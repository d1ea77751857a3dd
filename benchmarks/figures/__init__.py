"""Which figures stand where, and the run that gave each: `runs.toml`, `figures.tsv`, and what was
measured last in `measured.json`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpdeid.evaluate.counts import high_percent, low_percent, percent

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MEASURED: Final = HERE / "measured.json"
_STEP: Final = " > "
_AND: Final = " & "
_TENTH: Final = 0.1
_NUMBER: Final = r"(?:[<>] )?[\d.,−-]*\d(?:(?: %)? \([\d.,]+–[\d.,]+\))?"


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
    """Numbers that stand together on a page, as in a row of a table.

    Args:
        run: the name of the run that gives them.
        paths: of each number the steps under which the JSON of the run has it: a key, a place in a
            list, or what its item of a list says of itself ("policy=dp; known=3 dates").
        forms: how each is written, of `FORMS`.
        page: the file in which they stand.
        words: what stands around them: {} is a number, # is any other.
    """

    run: str
    paths: tuple[tuple[str, ...], ...]
    forms: tuple[str, ...]
    page: str
    words: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The paths as `measured.json` has them."""
        return tuple(_STEP.join(path) for path in self.paths)

    def values(self, report: Any) -> Iterator[Any]:
        """The numbers in the JSON of its run.

        Raises:
            LookupError: it has none there.
        """
        for path in self.paths:
            value = report
            for step in path:
                value = value[_place(value, step)]
            yield value

    def written(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """Key → number, as its page has to have them; with a comma in a French one."""
        each = [FORMS[form](values[key]) for key, form in zip(self.keys, self.forms, strict=True)]
        is_french = self.page.startswith("docs/fr/") or self.page.endswith(".fr.md")
        return tuple(one.replace(".", ",") if is_french else one for one in each)

    def found(self, page: str) -> Iterator[re.Match[str]]:
        """Where its words stand in the text of its page; the groups are the numbers."""
        parts = re.split(r"(\{\}|#|\s+)", self.words)
        joints = {"{}": f"({_NUMBER})", "#": _NUMBER}
        pattern = "".join(
            r"\s+" if part.isspace() else joints.get(part) or re.escape(part) for part in parts
        )
        if self.words.startswith("|") and self.words.endswith("|"):
            pattern = f"^{pattern}$"
        return re.finditer(pattern, page, re.MULTILINE)

    def rewritten(self, page: str, written: Sequence[str]) -> str:
        """The text of its page with other numbers in their places."""
        for match in reversed([*self.found(page)]):
            for group in range(len(written), 0, -1):
                start, end = match.span(group)
                page = page[:start] + written[group - 1] + page[end:]
        return page


def _place(value: Any, step: str) -> Any:
    """The key or index of a step.

    Raises:
        LookupError: no item of the list says that of itself.
    """
    if not isinstance(value, list):
        return step
    if step.lstrip("-").isdecimal():
        return int(step)
    wanted = dict(part.split("=", 1) for part in step.split("; "))
    for place, item in enumerate(value):
        if all(str(item.get(key)) == said for key, said in wanted.items()):
            return place
    raise LookupError(step)


def _rate(rate: Mapping[str, float]) -> str:
    """A share with its interval, "64 % (59–70)"; tenths below ten percent, as the interval has."""
    share, low, high = (_short(100 * rate[key]) for key in ("found", "low", "high"))
    return f"{share} % ({low}–{high})" if share != "0" else f"0 (0–{high})"


def _short(percents: float) -> str:
    tenths = f"{percents:.1f}"
    return "0" if tenths == "0.0" else tenths if float(tenths) < 10 else f"{percents:.0f}"


def _least(percents: float) -> str:
    return _short(percents) if not 0 < percents < _TENTH / 2 else f"< {_TENTH}"


FORMS: Final[Mapping[str, Callable[[Any], str]]] = {
    "share": lambda share: f"{share:.5g}",
    "percent": percent,
    "percent two": lambda share: f"{100 * share:.2f}",
    "percent whole": lambda share: f"{100 * share:.0f}",
    "points": lambda share: f"{share:.1f}",
    "one decimal": lambda number: f"{number:.1f}",
    "two decimals": lambda number: f"{number:.2f}",
    "fraction": lambda share: f"{share:.2f}".removeprefix("0"),
    "fraction three": lambda share: f"{share:.3f}".removeprefix("0"),
    "per thousand": lambda share: f"{1000 * share:.1f}",
    "whole": lambda number: f"{number:,.0f}".replace("-", "−"),
    "bound": high_percent,
    "low": low_percent,
    "rate": _rate,
    "short": lambda share: _least(100 * share),
    "short points": _least,
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
    return [_figure(*line.split("\t")) for line in lines if line and not line.startswith("# ")]


def _figure(run: str, paths: str, forms: str, page: str, words: str) -> Figure:
    """A row of the table; one form is that of all its numbers."""
    each = tuple(tuple(path.split(_STEP)) for path in paths.split(_AND))
    of_each = tuple(forms.split(_AND))
    return Figure(run, each, of_each * (len(each) if len(of_each) == 1 else 1), page, words)


def measured() -> Mapping[str, Any]:
    """Name of a run → its command, date, seconds, machine and values, when it was made last."""
    found: Mapping[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return found
