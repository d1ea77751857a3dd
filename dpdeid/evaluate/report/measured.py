"""What was found in notes with gold, and what of their medicine was kept: one section each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from dpdeid.evaluate.report import charts
from dpdeid.evaluate.report.charts import Caption, Interval
from dpdeid.evaluate.report.figures import Data, between, value
from dpdeid.evaluate.report.markup import identifier
from dpdeid.evaluate.report.page import Cell, Section, Table
from dpdeid.evaluate.report.words import Words
from dpdeid.labels import Label

_MOST_TYPES: Final = 20
"""More types of document stand in the table alone."""


def found(name: str, data: Data, words: Words) -> Section:
    """How much of what identifies was covered, by label, the two groups first."""
    rows: list[tuple[Cell, ...]] = []
    marks = []
    known = [label.value for label in sorted(Label, key=lambda label: not label.is_direct)]
    labels = [label for label in known if label in data["labels"]]
    labels += sorted(set(data["labels"]) - set(labels))
    paths = [("direct",), ("quasi",), *(("labels", label) for label in labels)]
    for path in paths:
        covered, left = (value(data, *path, key) for key in ("covered", "leaked"))
        shown = words(path[0]) if len(path) == 1 else path[1]
        said = words.said(f"label {shown}", shown)
        share, ends = value(data, *path, "redacted"), between(data, *path, "redacted")
        token = [value(data, *path, "token", ratio) for ratio in ("precision", "recall")]
        rows.append((shown, _count(covered), _count(left), share, *ends, *token))
        if not math.isnan(share):
            note = words("found note", share=words.share(share), words=_count(covered + left))
            marks.append(Interval(said, share, *ends, note))
    told = words(
        "found text",
        notes=data["notes"],
        redacted=words.share(value(data, "direct", "redacted")),
        fully=words.share(value(data, "direct", "fully_redacted")),
        level=f"{100 * value(data, 'bootstrap', 'level'):.0f} %",
    )
    columns = ("label", "covered", "left", "redacted_share", "low_share", "high_share",
               "precision_share", "recall_share")  # fmt: skip
    caption = Caption(identifier("found", name), words("found title"), words("found alt"))
    chart = charts.intervals(marks, caption)
    return Section(
        caption.key, f"{caption.title} ({name})", (told,), Table(columns, tuple(rows)), chart
    )


def types(name: str, data: Data, words: Words) -> Section | None:
    """The share of fully redacted notes by type of document; None where no type is known."""
    kinds: Mapping[str, Data] = data.get("types", {})
    if not kinds:
        return None
    rows, marks = [], []
    often = sorted(kinds, key=lambda kind: -value(kinds[kind], "notes"))
    paths = [((), words("every type")), *((("types", kind), kind) for kind in often)]
    for path, shown in paths:
        notes = _count(value(data, *path, "notes"))
        share = value(data, *path, "direct", "fully_redacted")
        ends = between(data, *path, "direct", "fully_redacted")
        rows.append((shown, notes, share, *ends))
        note = words("types note", share=words.share(share), notes=notes)
        marks.append(Interval(shown, share, *ends, note))
    caption = Caption(identifier("types", name), words("types title"), words("types alt"))
    columns = ("type", "notes", "fully_redacted_share", "low_share", "high_share")
    return Section(
        caption.key,
        f"{caption.title} ({name})",
        (words("types text"),),
        Table(columns, tuple(rows)),
        charts.intervals(marks[:_MOST_TYPES], caption),
    )


def kept(utility: Mapping[str, Data], words: Words) -> Section | None:
    """The codes that each comparison kept, by terminology; those that follow from dates last."""
    rows, marks = list[tuple[Cell, ...]](), []
    for key, said in (("", "{}"), ("timed", words("timed"))):
        for name, data in utility.items():
            own: Data = data.get(key, {}) if key else data
            for kind, codes in own.get("codes", {}).items():
                shown, share = words(f"terminology {kind}"), value(own, "kept", kind)
                compared = said.format(name)
                counts = (codes["before"], codes["after"], codes["common"])
                rows.append((compared, shown, *counts, share))
                note = words.share(share) if not math.isnan(share) else ""
                marks.append(Interval(f"{compared}, {shown}", share, note=note))
    if not rows:
        return None
    caption = Caption("kept", words("kept title"), words("kept alt"))
    columns = ("compared", "terminology", "before", "after", "common", "kept_share")
    return Section(
        caption.key,
        caption.title,
        (words("kept text"), words("kept codes alone")),
        Table(columns, tuple(rows)),
        charts.intervals(marks, caption),
    )


def jaccard(name: str, data: Data, words: Words) -> Section:
    """The histogram of one comparison with its cumulative line."""
    bins = data["jaccard"]["histogram"]
    names = [f"{words.number(one['from'])}–{words.number(one['to'])}" for one in bins]
    rows = tuple(
        (shown, one["notes"], value(one, "cumulative"))
        for shown, one in zip(names, bins, strict=True)
    )
    said = words(
        "jaccard text",
        equal=words.share(value(data, "jaccard", "equal")),
        uncoded=data["notes_without_codes"],
    )
    caption = Caption(identifier("jaccard", name), words("jaccard title"), words("jaccard alt"))
    chart = charts.histogram(
        rows,
        caption,
        axes=(words("jaccard axis"), words("number of notes"), words("share of notes")),
    )
    table = Table(("bin", "notes", "cumulative_share"), rows)
    return Section(caption.key, f"{caption.title} ({name})", (said,), table, chart)


def _count(number: float) -> int:
    return 0 if math.isnan(number) else round(number)
