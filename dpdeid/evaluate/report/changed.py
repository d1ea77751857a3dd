"""Words outside the gold spans that a release changed, by kind, beside the codes it kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dpdeid.evaluate.medicine.figures import SUMS
from dpdeid.evaluate.report.figures import Data, value
from dpdeid.evaluate.report.page import Cell, Section, Table
from dpdeid.evaluate.report.words import Words

_COLUMNS: Final = (
    "compared", "kind", "changed_words", "changed_places", "changed_notes", "changed_silent",
    "per_10k", "low", "high",
)  # fmt: skip


def changed(utility: Mapping[str, Data], words: Words) -> Section | None:
    """The sums of each comparison, then its kinds; None where no gold spans were given."""
    measured = {name: data["changed"] for name, data in utility.items() if "changed" in data}
    if not measured:
        return None
    rows = tuple(row for name, found in measured.items() for row in _rows(name, found, words))
    said = [words("changed text")]
    for name, found in measured.items():
        own = found["medicine"]
        rate = words.number(value(own, "per_10k"))
        counts = {"words": own["words"], "silent": own["silent"], "of": found["words"]}
        said.append(words("changed found", name=name, rate=rate, **counts))
    return Section(
        "changed", words("changed title"), tuple(said), Table(_COLUMNS, rows), is_open=True
    )


def _rows(name: str, found: Data, words: Words) -> Iterator[tuple[Cell, ...]]:
    sums = [(key, found[key]) for key in SUMS]
    kinds = [(kind, row) for kind, row in found["kinds"].items() if row["words"]]
    for kind, row in (*sums, *kinds):
        counts = (row["words"], row["places"], row["notes"], row["silent"])
        ends = row["interval"] or (None, None)
        yield name, words(f"changed {kind}"), *counts, value(row, "per_10k"), *ends
