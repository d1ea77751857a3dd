"""The written cues of `cues.yaml`: lists of words, and alternatives of regular expressions."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import yaml

from dpdeid.normalize import fold


@cache
def words(cue: str) -> frozenset[str]:
    """The words of a list, folded; KeyError for a list that is not there."""
    return frozenset(map(fold, _cues()[cue].split()))


@cache
def form(cue: str) -> re.Pattern[str]:
    """Any of the alternatives, to match a whole word."""
    return re.compile(either(cue))


def either(cue: str) -> str:
    """The alternatives, to stand in a group of a regular expression."""
    return re.sub(r"\|\s+", "|", _cues()[cue])


@cache
def _cues() -> dict[str, str]:
    text = (files("dpdeid.evaluate.medicine") / "cues.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))
