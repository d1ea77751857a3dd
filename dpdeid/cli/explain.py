"""`dpdeid explain`: for each span, who proposed it, which rule decided, what replaced it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.document import Document, Failure, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.rows import read
from dpdeid.formats.write import json_line


def explain(
    source: str, deidentifier: Deidentifier, *, reveal: bool = False, as_json: bool = False
) -> int:
    """Prints one line a span, or one object a note as JSON. Original text is shown on a terminal or
    with `reveal` only.

    Raises:
        UsageError: the source is refused.
    """
    shown = reveal or sys.stdout.isatty()
    explained = failed = 0
    for row in read(source, sys.stdin.buffer):
        told: dict[str, Any] = {"id": row.id, "error": row.error}
        if row.document is not None:
            told = _explained(row.document, row.where, deidentifier, shown=shown)
        failed += "error" in told
        explained += "spans" in told
        if as_json:
            sys.stdout.write(json_line(told))
        else:
            sys.stdout.writelines(f"{line}\n" for line in _lines(told))
    if not explained:
        return EXIT_NONE
    return EXIT_SOME_FAILED if failed else EXIT_OK


def _explained(
    doc: Document, where: str, deidentifier: Deidentifier, *, shown: bool
) -> dict[str, Any]:
    """{"id", "spans"} of a note, or {"id", "error"}."""
    try:
        proposals = deidentifier.detect(doc).proposals
        result = deidentifier(doc)
    except UsageError:
        raise
    except Exception as error:
        return {"id": doc.id, "error": f"{where}: {Failure.of(doc.id, error).error}"}
    merge, spans = deidentifier.policy.merge, []
    for surrogate in result.surrogates:
        span = surrogate.mention.span
        rivals = [p for p in proposals if p.start < span.end and span.start < p.end]
        spans.append(
            {
                "start": span.start,
                "end": span.end,
                "label": span.label.value,
                **({"original": surrogate.mention.text} if shown else {}),
                "surrogate": surrogate.text,
                "strategy": surrogate.strategy,
                "rule": merge.reason(span, rivals),
                "proposed": _proposed(rivals),
            }
        )
    return {"id": doc.id, "spans": spans}


def _proposed(rivals: Sequence[Span]) -> list[dict[str, Any]]:
    found = {(p.source, p.label.value, p.start, p.end, round(p.score, 2)) for p in rivals}
    keys = ("source", "label", "start", "end", "score")
    return [dict(zip(keys, one, strict=True)) for one in sorted(found)]


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    """A head, then a line for each span, of one note."""
    if "error" in told:
        yield told["error"]
        return
    yield f"note {told['id']}"
    for span in told["spans"]:
        change = f"→ {_line(span['surrogate'])}"
        if "original" in span:
            change = f"{_line(span['original'])} {change}"
        place = f"{span['start']}–{span['end']}"
        by = ", ".join(_proposal(one, span) for one in span["proposed"])
        why = f"[{span['strategy']}; {span['rule']}; {by}]"
        yield f"  {place:>9}  {span['label']:<14} {change}  {why}"


def _proposal(one: Mapping[str, Any], span: Mapping[str, Any]) -> str:
    """Who proposed it and how surely; what else it proposed where that differs."""
    parts = [one["source"], f"{one['score']:.2f}"]
    if one["label"] != span["label"]:
        parts.insert(1, one["label"])
    if (one["start"], one["end"]) != (span["start"], span["end"]):
        parts.insert(1, f"{one['start']}–{one['end']}")
    return " ".join(parts)


def _line(text: str) -> str:
    return " ".join(text.split())
