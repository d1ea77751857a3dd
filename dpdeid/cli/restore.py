"""`dpdeid restore` and `dpdeid forget`: from released rows back to the original ones, and how a
patient is taken out of what leads back.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, Final

from dpdeid.cli.terminal import (
    EXIT_NONE,
    EXIT_OK,
    EXIT_SOME_FAILED,
    Console,
    counted,
    progress,
    tell,
)
from dpdeid.cohort import access_log
from dpdeid.cohort.cohort import read_key
from dpdeid.cohort.erasure import Erased
from dpdeid.cohort.erasure import forget as erase
from dpdeid.cohort.sealed import Entry, Seal, Sealed, reading
from dpdeid.errors import InputError, SealKeyError, UsageError
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.write import json_line, keep_apart, open_private

_TOGETHER: Final = 1_000
"""Rows that are logged before the first of them is shown."""

BEYOND: Final = """\
What this command cannot reach:
- Notes that were released. Their texts stay as they are: whoever has them must withdraw these rows.
- The cohort's key, while it exists: whoever holds it can draw the surrogates of any candidate.
- Copies: files of --mapping, --spans and --ledger that were not named here, restored notes,
  backups, old blocks of a disk, models that were trained on the notes.
- The input itself."""

NOBODY: Final = (
    "nothing of this patient was found in what was named: never released, taken out of the files "
    "before, or the id is written otherwise"
)


def restore(
    source: str,
    seal: Path,
    seal_key_file: Path,
    output: Path | None = None,
    ids: bool = False,
) -> int:
    """Writes one original row for each row of the source; the exit code says how many failed.

    Raises:
        UsageError: the source, the key, the sealed mapping, its log or the output is refused.
    """
    keep_apart((*source_files(source), seal, seal_key_file), output)
    key = Seal.of(read_key(seal_key_file))
    with ExitStack() as files:
        try:
            sealed = files.enter_context(reading(seal, key))
        except SealKeyError:
            access_log.record(seal, "refused: wrong key", key.fingerprint)
            raise
        if sealed.damaged:
            lines = f"{len(sealed.damaged)} lines of {seal}"
            tell(f"{lines} are damaged, the last one perhaps cut off")
        out = sys.stdout if output is None else files.enter_context(open_private(output))
        rows = iter(progress(read(source, sys.stdin.buffer), "restored"))
        restored = failed = 0
        while group := list(islice(rows, _TOGETHER)):
            found = list(_found(group, sealed, ids))
            tags = [key.row(row.id) for row, one in found if row.id and isinstance(one, Entry)]
            access_log.record(seal, "reveal ids" if ids else "restore", key.fingerprint, tags)
            for row, one in found:
                out.write(json_line(_original(row, one, ids)))
                restored += isinstance(one, Entry)
                failed += isinstance(one, str)
    if failed:
        tell(f'{counted(failed, "row")} could not be restored, see their "error"')
    return EXIT_NONE if not restored else EXIT_SOME_FAILED if failed else EXIT_OK


def _found(rows: Iterable[Row], sealed: Sealed, ids: bool) -> Iterator[tuple[Row, Entry | str]]:
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
    return {"id": found.id, "text": found.restore(row.document.text), **whose, **dated, **row.extra}


def forget(
    patient: str,
    cohort: Path | None = None,
    ledger_key_file: Path | None = None,
    seal: list[Path] | None = None,
    seal_key_file: Path | None = None,
    mapping: list[Path] | None = None,
) -> int:
    """Takes a patient out and prints what was done, without the patient's id; 4 says that nothing
    of the patient was found.

    Raises:
        UsageError: nothing was named, a file or key is refused, or a run is using one.
    """
    if cohort is None and not mapping and not seal:
        raise UsageError("nothing to take the patient out of: name --cohort, --seal or --mapping")
    erased = erase(
        sys.stdin.readline().strip() if patient == "-" else patient,
        cohort=cohort,
        ledger_key_file=ledger_key_file,
        mappings=mapping or (),
        seals=seal or (),
        seal=None if seal_key_file is None else Seal.of(read_key(seal_key_file)),
    )
    console = Console(soft_wrap=True)
    for line in (*_done(erased, cohort), BEYOND):
        console.print(line, markup=False)
    if erased.known:
        return EXIT_OK
    tell(NOBODY)
    return EXIT_NONE


def _done(erased: Erased, cohort: Path | None) -> Iterator[str]:
    for path, notes in erased.files.items():
        yield f"{path}: {counted(notes, 'note')} taken out"
    if erased.before:
        yield "The patient was forgotten before"
    if erased.unknown:
        yield f"{counted(erased.unknown, 'note')} without a patient id: nobody can tell whose"
    if erased.tombstone is not None:
        yield (
            f"{cohort}: {counted(erased.charges, 'charge')} taken out; forgotten since "
            f"{erased.tombstone}, "
            "later runs leave the patient out"
        )
    elif cohort is not None:
        yield (
            f"{cohort} is closed, and the key that tagged its charges with it: they lead to nobody "
            "(a cohort with a ledger key of its own: name it with --ledger-key-file)"
        )
    if erased.released:
        yield "Released under these ids, to be withdrawn where they are:"
        yield from erased.released
