"""`dpdeid detect` and `dpdeid explain`: the spans of every row, and why each was replaced."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from dpdeid.assurance.explain import explained
from dpdeid.cli.options import deidentifier, reading, tell_skipped
from dpdeid.cli.terminal import exit_code, progress
from dpdeid.document import Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import OCR_FLOOR
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import look, read, source_files
from dpdeid.formats.write import json_line, keep_apart, open_private, span_row
from dpdeid.policy.policy import policy_file


def detect(
    source: str,
    output: Path | None = None,
    policy: str = "dp",
    format: str | None = None,  # noqa: A002 - the option's own name
    text_column: str | None = None,
    body: bool = False,
    sheet: str | None = None,
    ocr_floor: float = OCR_FLOOR,
) -> int:
    """Writes one row of spans for each row of the source, under the input's own ids.

    Raises:
        UsageError: the source, the policy or the output is refused.
    """
    how = reading(format, text_column, None, body, sheet, ocr_floor=ocr_floor)
    keep_apart((*source_files(source, how), policy_file(policy)), output)
    tell_skipped(seen := look(source, how))
    engine = Deidentifier(policy)
    found = failed = 0
    with ExitStack() as files:
        out = sys.stdout if output is None else files.enter_context(open_private(output))
        for row in progress(seen.rows(sys.stdin.buffer, how), "read"):
            line = _told(row, _entities, engine)
            failed += "error" in line
            found += "entities" in line
            out.write(json_line(line))
    return exit_code(found, failed)


def explain(
    source: str,
    policy: str = "dp",
    key_file: Path | None = None,
    e0: datetime | None = None,
    reveal: bool = False,
    output: Path | None = None,
) -> int:
    """Prints one line a span, and writes one object a note to the output. Original text is shown on
    a terminal or with `reveal` only.

    Raises:
        UsageError: the source, the policy or the key is refused, or the output cannot be written or
            is one of them.
    """
    keep_apart((*source_files(source), policy_file(policy), key_file), output)
    engine = deidentifier(policy, key_file, e0)
    shown = reveal or sys.stdout.isatty()
    told_of = failed = 0
    with ExitStack() as files:
        written = None if output is None else files.enter_context(open_private(output))
        for row in read(source, sys.stdin.buffer):
            told = _told(row, explained, engine, shown)
            failed += "error" in told
            told_of += "spans" in told
            sys.stdout.writelines(f"{line}\n" for line in _lines(told))
            if written is not None:
                written.write(json_line(told if reveal else _without_originals(told)))
    return exit_code(told_of, failed)


def _without_originals(told: Mapping[str, Any]) -> dict[str, Any]:
    """What is told of a note, for who may not see its own words."""
    hidden = {
        name: [
            {key: value for key, value in one.items() if key != "original"} for one in told[name]
        ]
        for name in ("spans", "let_go")
        if name in told
    }
    return {**told, **hidden}


def _told(row: Row, what: Callable[..., dict[str, Any]], *given: object) -> dict[str, Any]:
    """The id of a row with what `what` says of its note, or with an error."""
    if row.document is None:
        return {"id": row.id, "error": row.error}
    try:
        return {"id": row.id, **what(row.document, *given)}
    except UsageError:
        raise
    except Exception as error:
        return {"id": row.id, "error": f"{row.where}: {Failure.of(row.document.id, error).error}"}


def _entities(doc: Document, engine: Deidentifier) -> dict[str, Any]:
    return {"entities": [span_row(span) for span in engine.detect(doc).spans]}


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
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
        if "shows" in span:
            yield f"{'':13}shows {span['shows']}"
        if "chance" in span:
            spoke = [f"chance {span['chance']:.2f}"]
            spoke += (f"{way} {', '.join(span[way])}" for way in ("for", "against") if span[way])
            yield f"{'':13}{'; '.join(spoke)}"
    for span in told["let_go"]:
        place, text = f"{span['start']}–{span['end']}", _line(span.get("original", ""))
        why = f"let go; {span['source']} {span['score']:.2f}"
        yield f"  {place:>9}  {span['label']:<14} {text}  [{why}]"


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
