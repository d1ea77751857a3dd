"""Named lists of phrases and pieces of regular expressions, from the YAML files beside this module.

`lists` are phrases with commas between them; "acteur/trice" stands for both genders. `fragments`
are pieces of expressions. All names are known in all files. An expression uses them so:

- `<<NAME>>`: the fragment;
- `<<any of LIST>>`: any phrase of the lists, in any case, with or without accents and hyphens;
- `<<exactly LIST>>`: the same as written; `<<opening of LIST>>`: a look at their first letters.

Line breaks in an expression, and the spaces a line begins with, mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from dpdeid.detect.places.index import LARGE_TOWNS
from dpdeid.detect.rules import timewords
from dpdeid.detect.rules.word_trees import listed, one_of, opening
from dpdeid.normalize import fold

FAMILIES: Final = (
    "shared", "dates", "times", "contacts", "identifiers", "places", "care", "people", "social",
    "forms",
)  # fmt: skip
"""The files, in the order in which their rows are tried."""

_FRENCH: Final = {
    "DAY": timewords.DAY,
    "YEAR": timewords.YEAR,
    "MONTH": timewords.MONTH,
    "FULL_MONTH": timewords.FULL_MONTH,
    "SHORT_MONTH": timewords.SHORT_MONTH,
    "FOREIGN_MONTH": timewords.FOREIGN_MONTH,
    "WEEKDAY": timewords.WEEKDAY,
    "SHORT_WEEKDAY": timewords.SHORT_WEEKDAY,
    "TINY_WEEKDAY": timewords.TINY_WEEKDAY,
    "NUMBER": timewords.NUMBER,
    "MEASURE": timewords.UNIT,
    "ANNOUNCED": timewords.ANNOUNCED.pattern.removesuffix(r"\Z"),
}
"""Fragments of the knowledge of French that other rooms share."""
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BREAK: Final = re.compile(r"\n *")
_USED: Final = re.compile(r"<<(?:(any of|exactly|opening of) )?([A-Z_]+(?:, [A-Z_]+)*)>>")


@cache
def family(name: str) -> Mapping[str, Any]:
    """The sections of one file: `lists`, `fragments`, `rows`."""
    text = (files(__package__) / f"{name}.yaml").read_text(encoding="utf-8")
    return dict(yaml.load(text, Loader=_LOADER))


@cache
def _section(section: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name in FAMILIES:
        for key, value in family(name).get(section, {}).items():
            if found.setdefault(key, value) is not value:
                raise ValueError(f"{name}.yaml names {key} again")
    return found


@cache
def phrases(names: str) -> tuple[str, ...]:
    """The phrases of one list, or of several with commas between their names."""
    lists = {**_section("lists"), "LARGE_TOWNS": LARGE_TOWNS}
    text = ", ".join(lists[name] for name in names.split(", "))
    text = _USED.sub(lambda used: ", ".join(phrases(used[2])), text)
    return tuple(form for phrase in listed(text) for form in _genders(phrase))


def _genders(phrase: str) -> tuple[str, ...]:
    """Masculine and feminine of one entry: "acheteur/euse", "boucher/ère", "agent/e"."""
    stem, _, ending = phrase.partition("/")
    if not ending:
        return (stem,)
    cut = {"trice": "teur", "euse": "eux" if stem.endswith("eux") else "eur", "ère": "er"}
    if ending == "sse":
        return (stem, stem.removesuffix("e") + "esse")
    return (stem, stem.removesuffix(cut.get(ending, "")) + ending)


@cache
def folded(names: str) -> frozenset[str]:
    """The folded phrases of lists."""
    return frozenset(map(fold, phrases(names)))


@cache
def _named(how: str | None, names: str) -> str:
    if how == "opening of":
        return opening(", ".join(phrases(names)))
    if how is not None:
        return one_of(phrases(names), exact=how == "exactly")
    return _FRENCH[names] if names in _FRENCH else expression(_section("fragments")[names])


def expression(text: str) -> str:
    """The regular expression of a text: on one line, with what its placeholders name."""
    return _USED.sub(lambda used: _named(used[1], used[2]), _BREAK.sub("", text))


@cache
def pattern(text: str) -> re.Pattern[str]:
    """The compiled expression of a text."""
    return re.compile(expression(text))
