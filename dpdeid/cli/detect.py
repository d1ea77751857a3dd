"""`dpdeid detect`: the spans of every row, under the input's own ids."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.cli.progress import progress
from dpdeid.cli.skipped import tell_skipped
from dpdeid.document import Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.rows import Row, read, source_files
from dpdeid.formats.write import json_line, open_private, span_row
from dpdeid.policy import policy_file


def detect(source: str, *, output: Path | None = None, policy: str = "dp") -> int:
    """Writes one row of spans for each row of `source`; the exit code says how many failed.

    Raises:
        UsageError: the source, the policy or the output is refused.
    """
    keep_apart((*source_files(source), policy_file(policy)), output)
    tell_skipped(source)
    deidentifier = Deidentifier(policy)
    found = failed = 0
    with ExitStack() as files:
        out = sys.stdout if output is None else files.enter_context(open_private(output))
        for row in progress(read(source, sys.stdin.buffer), "read"):
            line = _entities(row, deidentifier)
            failed += "error" in line
            found += "entities" in line
            out.write(json_line(line))
    if not found:
        return EXIT_NONE
    return EXIT_SOME_FAILED if failed else EXIT_OK


def _entities(row: Row, deidentifier: Deidentifier) -> dict[str, object]:
    if row.document is None:
        return {"id": row.id, "error": row.error}
    try:
        spans = deidentifier.detect(row.document).spans
    except UsageError:
        raise
    except Exception as error:
        return {"id": row.id, "error": f"{row.where}: {Failure.of(row.document.id, error).error}"}
    return {"id": row.id, "entities": [span_row(span) for span in spans]}
