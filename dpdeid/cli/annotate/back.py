"""`dpdeid annotate import`: what annotators did, back from their tool as answers."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from dpdeid.annotate.answers import Counts, answers
from dpdeid.annotate.exchange import MANIFEST, manifest_of, tool_called
from dpdeid.cli.terminal import counted, tell
from dpdeid.errors import AnnotationError, UsageError
from dpdeid.formats.write import json_line, keep_apart, open_private, write_json

RETURNED = "returned"


def back(
    directory: Path,
    answers_to: Path,
    form: str | None = None,
    annotator: str | None = None,
    team: str = "",
    corrects: bool = False,
    returned: Path | None = None,
    output: Path | None = None,
) -> None:
    """Writes the answers, all or none, and says what was made of what came back.

    Raises:
        UsageError: the folder or a file in it is refused, or is of another export.
    """
    manifest = manifest_of(directory)
    if form not in (None, manifest.design.tool):
        raise UsageError(f"{directory} was exported for {manifest.design.tool}, not for {form}")
    place = returned or directory / RETURNED
    if returned is None and not place.exists() and manifest.design.tool == "brat":
        place = directory / "brat"
    if not place.exists():
        raise UsageError(f"{place} is not there: put what the tool exports into it")
    keep_apart((place, directory / MANIFEST), answers_to, output)
    rows = tool_called(manifest.design.tool).read(place)
    found, counts = answers(rows, manifest, annotator, team)
    if not found:
        raise AnnotationError(f"{place}: there are no answers in it")
    with open_private(answers_to) as file:
        for answer in found:
            file.write(json_line(replace(answer, corrects=corrects).row()))
    if output is not None:
        write_json(output, counts.row())
    _tell(counts)


def _tell(counts: Counts) -> None:
    told = {one.name: getattr(counts, one.name) for one in fields(counts)}
    tell(
        f"{counted(counts.answers, 'answer')}, {counts.ignored:,} of them passed over; "
        f"{counted(counts.unanswered, 'unit')} without one; {counted(counts.again, 'answer')} "
        f"replaced by a later one; {counted(counts.blank, 'blank mark')} left out"
    )
    whys = ("without_time", "first", "over_5_minutes", "answered_twice", "passed_over")
    why = ", ".join(f"{told[name]:,} {name.replace('_', ' ')}" for name in whys if told[name])
    tell(f"{counted(counts.measured, 'duration')} kept" + (f"; none for {why}" if why else ""))
