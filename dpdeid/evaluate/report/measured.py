"""Sections of what was measured: the summary, what was found, what medicine was kept or changed;
and, where somebody asked for it, the errors of a detection with the text around them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from dpdeid.document import Document, Span
from dpdeid.evaluate.detection import UNSCORED, covers
from dpdeid.evaluate.evaluation import GoldNote
from dpdeid.evaluate.medicine.figures import SUMS
from dpdeid.evaluate.report import charts
from dpdeid.evaluate.report.charts import Interval
from dpdeid.evaluate.report.inputs import Data, Evaluations, between, value
from dpdeid.evaluate.report.page import Cell, Section, Words, drawn
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
    for path in [("direct",), ("quasi",), *(("labels", label) for label in labels)]:
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
    return drawn(words, "found", told, columns, rows, partial(charts.intervals, marks), name)


def types(name: str, data: Data, words: Words) -> Section | None:
    """The share of fully redacted notes by type of document; None where no type is known."""
    kinds: Mapping[str, Data] = data.get("types", {})
    if not kinds:
        return None
    rows, marks = [], []
    often = sorted(kinds, key=lambda kind: -value(kinds[kind], "notes"))
    for path, shown in [((), words("every type")), *((("types", kind), kind) for kind in often)]:
        notes = _count(value(data, *path, "notes"))
        share = value(data, *path, "direct", "fully_redacted")
        ends = between(data, *path, "direct", "fully_redacted")
        rows.append((shown, notes, share, *ends))
        note = words("types note", share=words.share(share), notes=notes)
        marks.append(Interval(shown, share, *ends, note))
    columns = ("type", "notes", "fully_redacted_share", "low_share", "high_share")
    chart = partial(charts.intervals, marks[:_MOST_TYPES])
    return drawn(words, "types", words("types text"), columns, rows, chart, name)


def origins(name: str, data: Data, words: Words) -> Section:
    """The words of names covered by where the names come from."""
    rows, marks = [], []
    found: Data = data["origins"]
    for origin, one in found["origins"].items():
        shown, share, (low, high) = words(f"origin {origin}"), one["recall"], one["interval"]
        rows.append((shown, one["words"], share, low, high))
        note = words("found note", share=words.share(share), words=one["words"])
        marks.append(Interval(shown, share, low, high, note))
    said = words(
        "origins text",
        notes=found["notes"],
        points=words.number(100 * value(found, "gap", "points")),
    )
    columns = ("origin", "name_words", "redacted_share", "low_share", "high_share")
    return drawn(words, "origins", said, columns, rows, partial(charts.intervals, marks), name)


def reading(name: str, data: Data, words: Words) -> Section:
    """What reading is worth: notes that leave nothing, by the share of words read."""
    rows = [(one["share"], one["words"], value(one, "fully_redacted")) for one in data["steps"]]
    columns = ("read_share", "words_read", "fully_redacted_share")
    return drawn(words, "effort", words("effort text"), columns, rows, name=name)


def kept(utility: Mapping[str, Data], words: Words) -> Section | None:
    """The codes that each comparison kept, by terminology; those that follow from dates last."""
    rows, marks = list[tuple[Cell, ...]](), []
    for key, way in (("", "{}"), ("timed", words("timed"))):
        for name, data in utility.items():
            own: Data = data.get(key, {}) if key else data
            for kind, codes in own.get("codes", {}).items():
                shown, share = words(f"terminology {kind}"), value(own, "kept", kind)
                compared = way.format(name)
                counts = (codes["before"], codes["after"], codes["common"])
                rows.append((compared, shown, *counts, share))
                note = words.share(share) if not math.isnan(share) else ""
                marks.append(Interval(f"{compared}, {shown}", share, note=note))
    if not rows:
        return None
    columns = ("compared", "terminology", "before", "after", "common", "kept_share")
    said = (words("kept text"), words("kept codes alone"))
    return drawn(words, "kept", said, columns, rows, partial(charts.intervals, marks))


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
    axes = words("jaccard axis"), words("number of notes"), words("share of notes")
    chart = partial(charts.histogram, rows, axes=axes)
    return drawn(words, "jaccard", said, ("bin", "notes", "cumulative_share"), rows, chart, name)


def _count(number: float) -> int:
    return 0 if math.isnan(number) else round(number)


def summary(evaluations: Evaluations, words: Words) -> Section | None:
    """The few figures that decide, first on the page; None where nothing was measured."""
    rows = list(_summary_rows(evaluations, words))
    columns = ("figure", "file", "value_share", "low_share", "high_share")
    return drawn(words, "summary", words("summary text"), columns, rows) if rows else None


def _summary_rows(evaluations: Evaluations, words: Words) -> Iterator[tuple[Cell, ...]]:
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
        yield words("summary kept"), name, value(data, "kept", "all"), math.nan, math.nan
        yield words("summary equal"), name, value(data, "jaccard", "equal"), math.nan, math.nan


_CHANGED: Final = (
    "compared", "kind", "changed_words", "changed_places", "changed_notes", "changed_silent",
    "per_10k", "low", "high",
)  # fmt: skip


def changed(utility: Mapping[str, Data], words: Words) -> Section | None:
    """The sums of each comparison, then its kinds; None where no gold spans were given."""
    measured = {name: data["changed"] for name, data in utility.items() if "changed" in data}
    if not measured:
        return None
    rows = [row for name, found in measured.items() for row in _changed_rows(name, found, words)]
    said = [words("changed text")]
    for name, found in measured.items():
        own = found["medicine"]
        rate = words.number(value(own, "per_10k"))
        counts = {"words": own["words"], "silent": own["silent"], "of": found["words"]}
        said.append(words("changed found", name=name, rate=rate, **counts))
    return drawn(words, "changed", said, _CHANGED, rows)


def _changed_rows(name: str, found: Data, words: Words) -> Iterator[tuple[Cell, ...]]:
    sums = [(key, found[key]) for key in SUMS]
    kinds = [(kind, row) for kind, row in found["kinds"].items() if row["words"]]
    for kind, row in (*sums, *kinds):
        counts = (row["words"], row["places"], row["notes"], row["silent"])
        ends = row["interval"] or (None, None)
        yield name, words(f"changed {kind}"), *counts, value(row, "per_10k"), *ends


_AROUND = 40
"""Characters shown before and after an error."""


def errors(gold: Sequence[GoldNote], found: Iterable[Sequence[Span]], words: Words) -> Section:
    """Gold spans not wholly covered, and found ones that touch no gold. Holds originals."""
    left, extra = list[tuple[Cell, ...]](), list[tuple[Cell, ...]]()
    for note, spans in zip(gold, found, strict=True):
        doc, tokens = note.doc, note.doc.tokens
        scored = [span for span in note.spans if span.label not in UNSCORED]
        for cover in covers(doc, scored, spans):
            if cover.leaked:
                start, end = tokens.starts[cover.leaked[0]], tokens.ends[cover.leaked[-1]]
                context = _context(doc, start, end)
                left.append((doc.id, words("error left"), cover.label.value, context))
        for span in spans:
            touched = any(g.start < span.end and span.start < g.end for g in note.spans)
            if span.label not in UNSCORED and not touched:
                context = _context(doc, span.start, span.end)
                extra.append((doc.id, words("error extra"), span.label.value, context))
    said = words("errors text", left=len(left), extra=len(extra))
    return drawn(words, "errors", said, ("note", "error", "label", "context"), (*left, *extra))


def _context(doc: Document, start: int, end: int) -> str:
    before, after = doc.text[max(start - _AROUND, 0) : start], doc.text[end : end + _AROUND]
    return " ".join(f"{before}⟦{doc.text[start:end]}⟧{after}".split())
