"""Label Studio: tasks with predictions, and the labelling configuration of a project.

Read as its export "JSON" is written: a list of tasks, each with the annotations of all annotators
(https://labelstud.io/guide/export#Label-Studio-JSON-format-of-annotated-tasks). Offsets are UTF-16
code units, as in any page; `lead_time` is in seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from dpdeid.annotate.schemes import Scheme
from dpdeid.annotate.tools.returned import Returned, Sent, ascii_text, found_in, mark_of, value
from dpdeid.annotate.units import Marked
from dpdeid.errors import AnnotationError
from dpdeid.formats.encodings import from_utf16, to_utf16


def files(sent: Sequence[Sent], scheme: Scheme) -> Iterator[tuple[str, str]]:
    """`config.xml` for the labelling interface, `tasks.json` to import."""
    labels = "".join(
        f"    <Label value={quoteattr(one.name)} background={quoteattr(one.colour)}"
        f" hotkey={quoteattr(one.key)}/>\n"
        for one in scheme.categories.values()
    )
    yield (
        "config.xml",
        f'<View>\n  <Labels name="label" toName="text">\n{labels}  </Labels>\n'
        '  <Text name="text" value="$text"/>\n</View>\n',
    )
    yield "tasks.json", ascii_text([_task(one) for one in sent])


def _task(sent: Sent) -> dict[str, Any]:
    at = to_utf16(sent.text)
    result = [
        {
            "id": f"m{number}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {
                "start": at[start],
                "end": at[end],
                "text": sent.text[start:end],
                "labels": [name],
            },
        }
        for number, (start, end, name) in enumerate(sent.marks, 1)
    ]
    task: dict[str, Any] = {"data": {"text": sent.text, "unit": sent.ref}}
    if sent.unit.suggested is not None:
        task["predictions"] = [{"model_version": "suggested", "result": result}]
    return task


def read(path: Path) -> Iterator[Returned]:
    """Every annotation of every task; a skipped one is passed over."""
    for file in found_in(path, ".json"):
        try:
            tasks = json.loads(file.read_bytes())
        except (OSError, ValueError, RecursionError):
            raise AnnotationError(f"{file.name}: not valid JSON") from None
        if not isinstance(tasks, list):
            raise AnnotationError(f"{file.name}: no list of tasks")
        for number, task in enumerate(tasks, 1):
            yield from _answers(task, f"{file.name}, task {number}")


def _answers(task: Any, where: str) -> Iterator[Returned]:
    data = value(task, "data", dict, where)
    text, ref = value(data, "text", str, where), value(data, "unit", str, where)
    for one in value(task, "annotations", list, where):
        marks = [
            mark
            for region in value(one, "result", list, where)
            if isinstance(region, dict) and region.get("type") == "labels"
            for mark in _marks(value(region, "value", dict, where), text, where)
        ]
        seconds = one.get("lead_time")
        known = isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds >= 0
        yield Returned(
            where,
            ref,
            text,
            tuple(marks),
            _annotator(one.get("completed_by")),
            str(one.get("updated_at") or one.get("created_at") or ""),
            float(seconds) if known else None,
            one.get("was_cancelled") is True,
        )


def _annotator(told: Any) -> str:
    """The e-mail address or the number of a user."""
    if isinstance(told, dict):
        told = told.get("email") or told.get("id")
    return "" if told is None else str(told)


def _marks(region: dict[str, Any], text: str, where: str) -> Iterator[Marked]:
    """A mark for each label of a region, whose text must be that between its offsets."""
    back = from_utf16(text)
    for label in value(region, "labels", list, where):
        told = mark_of(region.get("start"), region.get("end"), label, where)
        start, end = back.get(told.start, -1), back.get(told.end, -1)
        stated = region.get("text")
        if isinstance(stated, str) and "".join(stated.split()) != "".join(text[start:end].split()):
            raise AnnotationError(f"{where}: a mark does not hold the text that the file states")
        yield Marked(start, end, label)
