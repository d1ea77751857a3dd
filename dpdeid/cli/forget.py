"""`dpdeid forget`: takes a patient out of what leads back, and says what it cannot reach."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from dpdeid.cli.counted import counted
from dpdeid.cli.ending import Console
from dpdeid.cli.exits import EXIT_NONE, EXIT_OK
from dpdeid.cohort import read_key
from dpdeid.erasure import Erased
from dpdeid.erasure import forget as erase
from dpdeid.errors import UsageError
from dpdeid.sealed import Seal

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


def forget(
    patient: str,
    *,
    cohort: Path | None = None,
    ledger_key_file: Path | None = None,
    mappings: Sequence[Path] = (),
    seals: Sequence[Path] = (),
    seal_key_file: Path | None = None,
) -> int:
    """Takes a patient out and prints what was done, without the patient's id; 4 says that nothing
    of the patient was found.

    Args:
        patient: the id; "-" reads it from standard input.

    Raises:
        UsageError: nothing was named, a file or key is refused, or a run is using one.
    """
    if cohort is None and not mappings and not seals:
        raise UsageError("nothing to take the patient out of: name --cohort, --seal or --mapping")
    erased = erase(
        sys.stdin.readline().strip() if patient == "-" else patient,
        cohort=cohort,
        ledger_key_file=ledger_key_file,
        mappings=mappings,
        seals=seals,
        seal=None if seal_key_file is None else Seal.of(read_key(seal_key_file)),
    )
    console = Console(soft_wrap=True)
    for line in (*_done(erased, cohort), BEYOND):
        console.print(line, highlight=False, markup=False)
    if erased.known:
        return EXIT_OK
    print(f"dpdeid: {NOBODY}", file=sys.stderr)
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
