"""The few figures that decide, first on the page."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpdeid.evaluate.report.figures import Evaluations, between, value
from dpdeid.evaluate.report.page import Cell, Section, Table
from dpdeid.evaluate.report.words import Words

_NONE = (math.nan, math.nan)


def summary(evaluations: Evaluations, words: Words) -> Section | None:
    """A table of them; None where nothing was measured."""
    rows = tuple(_rows(evaluations, words))
    if not rows:
        return None
    table = Table(("figure", "file", "value_share", "low_share", "high_share"), rows)
    said = (words("summary text"),)
    return Section("summary", words("summary title"), said, table, is_open=True)


def _rows(evaluations: Evaluations, words: Words) -> Iterator[tuple[Cell, ...]]:
    for name, data in evaluations.detection.items():
        for said, key in (("redacted", "redacted"), ("fully", "fully_redacted")):
            path = ("direct", key)
            yield words(f"summary {said}"), name, value(data, *path), *between(data, *path)
    for name, data in evaluations.attack.items():
        searches = [row for row in data["linkage"] if not row["towns"]]
        for row in searches[-1:]:
            found = row["found"]
            said = words("summary linkage", known=row["known"])
            yield said, name, found["share"], found["low"], found["high"]
    for name, data in evaluations.utility.items():
        yield words("summary kept"), name, value(data, "kept", "all"), *_NONE
        yield words("summary equal"), name, value(data, "jaccard", "equal"), *_NONE
