"""`dpdeid synth`: fictitious notes with their spans, as rows of JSON."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.cli.progress import progress
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.rows import DAMAGED
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
    opener = gzip.open if path.name.endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _other(line, number, seed, key)
    except (*DAMAGED, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {type(error).__name__}") from None


def _other(line: str, number: int, seed: int, key: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
        if not isinstance(row, dict):
            raise InputError(f"row {number}: not a JSON object")
        return refilled(row, seed, key=key, number=number)
    except json.JSONDecodeError:
        return {"id": None, "error": f"row {number}: not valid JSON"}
    except InputError as error:
        return {"id": None, "error": str(error)}
