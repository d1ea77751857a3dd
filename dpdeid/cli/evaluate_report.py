"""`dpdeid evaluate report`: what the other evaluations measured, on one page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import dpdeid
from dpdeid.cli.evaluate_detection import gold_notes, run_of
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.errors import errors
from dpdeid.evaluate.report.figures import read
from dpdeid.evaluate.report.page import page
from dpdeid.evaluate.report.sections import sections
from dpdeid.evaluate.report.words import words
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.write import open_private, write_json
from dpdeid.policy import load_policy


def report(
    files: Sequence[Path],
    html: Path,
    *,
    lang: str = "en",
    policies: Sequence[str] = ("dp",),
    reveal: tuple[Path, Path] | None = None,
    output: Path | None = None,
    today: dt.date,
) -> None:
    """Writes the page, and its tables to `output`. Both files are private (mode 0600).

    Args:
        files: what `evaluate detection`, `utility` and `attack` wrote with --json.
        policies: of which maps and timelines of made-up people are drawn.
        reveal: gold notes and what was found in them, for a list of errors with their text.

    Raises:
        UsageError: nothing was measured, or a file, the language or a policy is refused.
    """
    if not files and reveal is None:
        raise UsageError(
            "nothing was measured: give files that `dpdeid evaluate detection`, `utility` or "
            "`attack` wrote with --json"
        )
    keep_apart((*files, *(reveal or ())), html, output)
    said = words(lang)
    evaluations = read(files)
    loaded = [load_policy(name) for name in policies]
    parts = [*sections(evaluations, loaded, said)]
    if reveal is not None:
        truth = read_annotations(reveal[0])
        texts = {note.id: note.text or "" for note in truth.notes}
        run = run_of(read_annotations(reveal[1], texts=texts), texts)
        parts.append(errors(gold_notes(truth), run, said))
    names = ", ".join(path.name for path in files) or "–"
    foot = (
        said("foot honest"),
        said("foot files", files=names),
        said("foot made", version=dpdeid.__version__, day=today.isoformat()),
    )
    with open_private(html) as out:
        out.write(page(parts, said, title=said("title"), foot=foot))
    if output is not None:
        write_json(output, {part.key: part.table.data() for part in parts})
