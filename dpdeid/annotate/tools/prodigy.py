"""Prodigy: tasks for `ner.manual`, its labels and the look of its page.

    prodigy ner.manual DATASET blank:fr units.jsonl --label labels.txt

`prodigy.json` lies in the folder where that is run. Read as `prodigy db-out` writes: a row an
answer, with `_annotator_id` and `_timestamp` (https://prodi.gy/docs/api-interfaces#ner_manual,
https://prodi.gy/docs/api-web-app). Offsets are code points; marks begin and end with tokens, so
tokens come with the task, parted where a suggestion begins or ends.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from dpdeid.annotate.schemes import Scheme
from dpdeid.annotate.tools.returned import (
    Returned,
    Sent,
    ascii_line,
    ascii_text,
    found_in,
    mark_of,
    value,
)
from dpdeid.errors import AnnotationError
from dpdeid.formats.json_lines import rows
from dpdeid.tokens import tokenize


def files(sent: Sequence[Sent], scheme: Scheme) -> Iterator[tuple[str, str]]:
    """`units.jsonl`, `labels.txt` and `prodigy.json`."""
    every = scheme.categories.values()
    look = {
        "custom_theme": {"labels": {one.name: one.colour for one in every}},
        "keymap_by_label": {one.name: one.key for one in every},
    }
    yield "prodigy.json", ascii_text(look)
    yield "labels.txt", "".join(f"{one.name}\n" for one in every)
    yield "units.jsonl", "".join(ascii_line(_task(one)) for one in sent)


def _task(sent: Sent) -> dict[str, Any]:
    tokens = list(_tokens(sent))
    first = {token["start"]: token["id"] for token in tokens}
    last = {token["end"]: token["id"] for token in tokens}
    spans = [
        {
            "start": start,
            "end": end,
            "label": name,
            "token_start": first[start],
            "token_end": last[end],
        }
        for start, end, name in sent.marks
    ]
    return {"text": sent.text, "tokens": tokens, "spans": spans, "meta": {"unit": sent.ref}}


def _tokens(sent: Sent) -> Iterator[dict[str, Any]]:
    """The tokens as spaCy has them: all of the text but single spaces, which the token before
    them has; other white space is a token.
    """
    text, known = sent.text, tokenize(sent.text)
    cuts = {0, len(text), *known.starts, *known.ends}
    cuts |= {at for mark in sent.marks for at in mark[:2]}
    number, end = 0, 0
    for start, stop in pairwise(sorted(cuts)):
        start = max(start, end)  # behind the space of the token before
        if start == stop:
            continue
        ws = text[stop : stop + 1] == " "
        yield {"text": text[start:stop], "start": start, "end": stop, "id": number, "ws": ws}
        number, end = number + 1, stop + ws


def read(path: Path) -> Iterator[Returned]:
    """The rows of a data set; what was rejected counts as passed over."""
    for file in found_in(path, ".jsonl"):
        for number, row in rows(file, AnnotationError):
            where = f"{file.name}, row {number}"
            marks = [
                mark_of(one.get("start"), one.get("end"), one.get("label"), where)
                for one in row.get("spans") or ()
                if isinstance(one, dict)
            ]
            yield Returned(
                where,
                value(value(row, "meta", dict, where), "unit", str, where),
                value(row, "text", str, where),
                tuple(marks),
                str(row.get("_annotator_id") or row.get("_session_id") or ""),
                _time(row.get("_timestamp"), where),
                ignored=value(row, "answer", str, where) != "accept",
            )


def _time(told: object, where: str) -> str:
    """Seconds since 1970 in ISO 8601."""
    if told is None:
        return ""
    if not isinstance(told, int | float) or isinstance(told, bool):
        raise AnnotationError(f"{where}: _timestamp is no time")
    try:
        return dt.datetime.fromtimestamp(told, dt.UTC).isoformat()
    except (OSError, OverflowError, ValueError):
        raise AnnotationError(f"{where}: _timestamp is no time") from None
