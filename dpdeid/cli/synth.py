"""`dpdeid synth`: fictitious notes with their spans, as rows of JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.cli.progress import progress
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.json_lines import file_lines
from dpdeid.formats.write import json_line, open_private
from dpdeid.synth.corpus import notes
from dpdeid.synth.refill import refilled


def synth(
    count: int,
    *,
    seed: int = 0,
    types: Sequence[str] = (),
    refill: Path | None = None,
    spans: str = "entities",
    output: Path | None = None,
) -> int:
    """Writes `count` notes, or each note of `refill` with other identities.

    Raises:
        UsageError: a type is unknown, the file cannot be read, or the output is refused.
    """
    keep_apart((refill,), output)
    written = failed = 0
    rows = notes(count, seed, types) if refill is None else _others(refill, seed, spans)
    with ExitStack() as files:
        out = sys.stdout if output is None else files.enter_context(open_private(output))
        for row in progress(rows, "made"):
            out.write(json_line(row))
            failed += "error" in row
            written += "error" not in row
    if not written:
        return EXIT_NONE
    return EXIT_SOME_FAILED if failed else EXIT_OK


def _others(path: Path, seed: int, key: str) -> Iterator[dict[str, Any]]:
    """Every row of a .jsonl or .jsonl.gz file with other identities, or what is wrong with it."""
    if not path.is_file():
        raise UsageError(f"no such file: {path}")
    for number, row in file_lines(path):
        try:
            if isinstance(row, str):
                raise InputError(f"row {number}: {row}")
            yield refilled(row, seed, key=key, number=number)
        except InputError as error:
            yield {"id": None, "error": str(error)}
