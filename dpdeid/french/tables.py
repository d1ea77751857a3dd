"""The rows of the tables beside these modules, read once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The tab-separated rows of a table ("months"), without its comments."""
    lines = (files("dpdeid.french") / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


@cache
def words_by_key(name: str) -> dict[str, tuple[str, ...]]:
    """The words of a table whose rows are a key and words; those of a key add up."""
    found: dict[str, tuple[str, ...]] = {}
    for key, *words in rows(name):
        found[key] = found.get(key, ()) + tuple(words)
    return found
