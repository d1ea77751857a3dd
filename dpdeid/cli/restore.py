"""`dpdeid restore`: from released rows back to the original ones."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, Final

from dpdeid import access_log
from dpdeid.cli.counted import counted
from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.cli.progress import progress
from dpdeid.cohort import read_key
from dpdeid.errors import InputError, SealKeyError
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.rows import Row, read, source_files
from dpdeid.formats.write import json_line, open_private
from dpdeid.sealed import Entry, Seal
from dpdeid.sealed_file import Sealed, reading

_TOGETHER: Final = 1_000
"""Rows that are logged before the first of them is shown."""


def restore(
    source: str, path: Path, key_file: Path, *, output: Path | None = None, ids: bool = False
) -> int:
    """Writes one original row for each row of `source`; the exit code says how many failed.

    Args:
        path: the sealed mapping; its log stands beside it.
        ids: only the ids, no text.

    Raises:
        UsageError: the source, the key, the sealed mapping, its log or the output is refused.
    """
    keep_apart((*source_files(source), path, key_file), output)
    seal = Seal.of(read_key(key_file))
    with ExitStack() as files:
        try:
            sealed = files.enter_context(reading(path, seal))
        except SealKeyError:
            access_log.record(path, "refused: wrong key", seal.fingerprint)
            raise
        if sealed.damaged:
            told = (
                f"{len(sealed.damaged)} lines of {path} are damaged, the last one perhaps cut off"
            )
            print(f"dpdeid: {told}", file=sys.stderr)
        out = sys.stdout if output is None else files.enter_context(open_private(output))
        rows = iter(progress(read(source, sys.stdin.buffer), "restored"))
        restored = failed = 0
        while group := list(islice(rows, _TOGETHER)):
            found = list(_found(group, sealed, ids))
            tags = [seal.row(row.id) for row, one in found if row.id and isinstance(one, Entry)]
            access_log.record(path, "reveal ids" if ids else "restore", seal.fingerprint, tags)
            for row, one in found:
                out.write(json_line(_original(row, one, ids)))
                restored += isinstance(one, Entry)
                failed += isinstance(one, str)
    if failed:
        told = counted(failed, "row")
        print(f'dpdeid: {told} could not be restored, see their "error"', file=sys.stderr)
    if not restored:
        return EXIT_NONE
    return EXIT_SOME_FAILED if failed else EXIT_OK


def _found(rows: Iterable[Row], sealed: Sealed, ids: bool) -> Iterator[tuple[Row, Entry | str]]:
    """Each row with its entry, or why there is none."""
    for row in rows:
        if row.document is None:
            yield row, row.error
            continue
        try:
            yield row, sealed.find(row.document.id, None if ids else row.document.text)
        except InputError as error:
            yield row, f"{row.where}: {error}"


def _original(row: Row, found: Entry | str, ids: bool) -> dict[str, Any]:
    if isinstance(found, str) or row.document is None:
        return {"id": row.id, "error": found}
    whose = {"id": found.id, "patient_id": found.patient_id}
    if ids:
        return {"released_id": row.id, **whose}
    dated = {} if found.note_date is None else {"note_date": found.note_date}
    text = found.restore(row.document.text)
    return {"id": found.id, "text": text, **whose, **dated, **row.extra}
