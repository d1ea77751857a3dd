"""`dpdeid evaluate report`: what the other evaluations measured, on one page."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import dpdeid
from dpdeid.cli.evaluate.detection import gold_notes, run_of
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.inputs import read
from dpdeid.evaluate.report.measured import errors
from dpdeid.evaluate.report.page import page, words
from dpdeid.evaluate.report.sections import sections
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.write import keep_apart, open_private, write_json
from dpdeid.policy.policy import load_policy


def report(
    html: Path,
    files: list[Path] | None = None,
    lang: str = "en",
    policy: list[str] | None = None,
    reveal: tuple[Path, Path] | None = None,
    output: Path | None = None,
) -> None:
    """Writes the page, and its tables to `output`. Both files are private (mode 0600).

    Raises:
        UsageError: nothing was measured, or a file, the language or a policy is refused.
    """
    read_from = files or ()
    if not read_from and reveal is None:
        raise UsageError(
            "nothing was measured: give files that `dpdeid evaluate detection`, `utility` or "
            "`attack` wrote with --json"
        )
    keep_apart((*read_from, *(reveal or ())), html, output)
    said = words(lang)
    evaluations = read(read_from)
    loaded = [load_policy(name) for name in policy or ("dp", "aphp", "dp-strict", "hnfc")]
    parts = [*sections(evaluations, loaded, said)]
    if reveal is not None:
        truth = read_annotations(reveal[0])
        texts = {note.id: note.text or "" for note in truth.notes}
        run = run_of(read_annotations(reveal[1], texts=texts), texts)
        parts.append(errors(gold_notes(truth), run, said))
    foot = (
        said("foot honest"),
        said("foot files", files=", ".join(path.name for path in read_from) or "–"),
        said(
            "foot made",
            version=dpdeid.__version__,
            day=datetime.now().astimezone().date().isoformat(),
        ),
    )
    whole = page(parts, said, title=said("title"), foot=foot)
    with open_private(html) as out:
        out.write(whole)
    if output is not None:
        write_json(output, {part.key: part.table.data() for part in parts})
