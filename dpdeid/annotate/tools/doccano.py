"""Doccano: rows to import into a project of sequence labeling, and its labels.

Read as Doccano 1.8 exports JSONL: `label` as [start, end, name], or `entities` where the project
has relations; other keys that went in come out beside them (`backend/data_export/pipeline` of its
wheel). Offsets are UTF-16 code units: what its page counts. It tells neither annotators nor times;
a project that is not collaborative exports a file for each member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from dpdeid.annotate.units import Marked
from dpdeid.errors import AnnotationError
from dpdeid.formats.encodings import from_utf16, to_utf16
from dpdeid.formats.json_lines import rows


def files(sent: Sequence[Sent], scheme: Scheme) -> Iterator[tuple[str, str]]:
    """`labels.json` for the page of labels, `units.jsonl` for that of the dataset."""
    every = [
        {
            "text": one.name,
            "prefix_key": None,
            "suffix_key": one.key,
            "background_color": one.colour,
            "text_color": "#000000",
        }
        for one in scheme.categories.values()
    ]
    yield "labels.json", ascii_text(every)
    yield "units.jsonl", "".join(map(_line, sent))


def _line(sent: Sent) -> str:
    at = to_utf16(sent.text)
    marks = [[at[start], at[end], name] for start, end, name in sent.marks]
    return ascii_line({"text": sent.text, "label": marks, "unit": sent.ref})


def read(path: Path) -> Iterator[Returned]:
    """The rows of an export: each is an answer, also of units that nobody saw."""
    for file in found_in(path, ".jsonl"):
        for number, row in rows(file, AnnotationError):
            where = f"{file.name}, row {number}"
            text = value(row, "text", str, where)
            back = from_utf16(text)
            marks = [
                Marked(back.get(start, -1), back.get(end, -1), name)
                for start, end, name in _told(row, where)
            ]
            yield Returned(where, value(row, "unit", str, where), text, tuple(marks))


def _told(row: dict[str, Any], where: str) -> Iterator[Marked]:
    if isinstance(row.get("entities"), list):
        for one in row["entities"]:
            start, end = (value(one, f"{name}_offset", int, where) for name in ("start", "end"))
            yield mark_of(start, end, one.get("label"), where)
        return
    for one in value(row, "label", list, where):
        if not isinstance(one, list) or len(one) != 3:
            raise AnnotationError(f"{where}: a label is no [start, end, name]")
        start, end, name = one
        yield mark_of(start, end, name, where)
