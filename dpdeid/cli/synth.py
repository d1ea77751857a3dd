"""`dpdeid synth`: fictitious notes with their spans, as rows of JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from dpdeid.cli.progress import progress
from dpdeid.cli.run import EXIT_NONE, EXIT_OK
from dpdeid.formats.write import json_line, open_private
from dpdeid.synth.corpus import notes


def synth(
    count: int,
    *,
    seed: int = 0,
    types: Sequence[str] = (),
    output: Path | None = None,
) -> int:
    """Writes `count` rows; the exit code says whether there was any.

    Raises:
        UsageError: a type is unknown, or the output is refused.
    """
    written = 0
    rows = notes(count, seed, types)
    with ExitStack() as files:
        out = sys.stdout if output is None else files.enter_context(open_private(output))
        for row in progress(rows, "made"):
            out.write(json_line(row))
            written += 1
    return EXIT_OK if written else EXIT_NONE
