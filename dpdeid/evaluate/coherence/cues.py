"""The words that the judge looks for, and what else it knows, in tables beside this module."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table, without its comments."""
    lines = (files(__package__) / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


def any_of(words: Iterable[str]) -> str:
    """Words as alternatives, a longer one before what it begins with."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def cue(name: str) -> str:
    """Words that stand for one another, to stand in a group of an expression."""
    return _cues()[name]


@cache
def _cues() -> dict[str, str]:
    return {name: words for name, words, *_ in table("cues")}
