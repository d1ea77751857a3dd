"""What a cohort has spent, and whom it forgot: a file of lines in the folder of the cohort.

    {"unit": …, "event": …, "mechanism": …, "loss": …}   a bounded charge
    {"forgotten": …, "on": "2026-11-21"}                 a tombstone: the keyed tag of a patient

The charges are kept because caps hold for a patient, not for a run. Those of a forgotten patient
are gone, so nothing more may be released for them in this cohort. Runs that share a cohort have a
file each ("charges.1-of-2.jsonl"); the account is all of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from dpdeid.cohort import durable, shards
from dpdeid.cohort.durable import json_line
from dpdeid.cohort.shards import Shard
from dpdeid.errors import CohortError
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import NoGuarantee

CHARGES: Final = "charges.jsonl"


@dataclass(frozen=True, slots=True)
class Spent:
    """What the account of a cohort holds.

    Args:
        forgotten: tag of a forgotten patient → the day, ISO.
    """

    ledger: Ledger = field(default_factory=Ledger)
    forgotten: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Account:
    """The charges of a cohort while a run holds them.

    Args:
        forgotten: tag of a forgotten patient → the day, ISO.
    """

    forgotten: Mapping[str, str]
    _lines: durable.Lines = field(repr=False)

    def commit(self, ledger: Ledger) -> None:
        """Writes the bounded charges of a record, before any of its rows is released.

        They are on the disk when it returns: a row that outlives a loss of power without its
        charges would be spent again. Waits for the disk only where something new is charged.
        """
        bounded = (c for c in ledger.charges if not isinstance(c.loss, NoGuarantee))
        self._lines.add(json_line(charge.to_json()) for charge in bounded)


@contextmanager
def committing(directory: Path, shard: Shard | None = None) -> Iterator[Account]:
    """The account of a cohort, until the block ends; nobody else has it, but for other parts of it
    than `shard`.

    Raises:
        CohortError: another run has it, or it is damaged or cannot be written.
    """
    with _held(directory, shard) as file:
        spent = read(directory)
        known = (json_line(charge.to_json()) for charge in spent.ledger.charges)
        yield Account(spent.forgotten, durable.Lines.of(file, known))


def read(directory: Path) -> Spent:
    """What a cohort has spent so far, and whom it forgot.

    Raises:
        CohortError: a line is damaged.
    """
    charges, forgotten = [], {}
    for path in shards.files(directory / CHARGES):
        for number, line in enumerate(_lines(path), 1):
            try:
                row: Mapping[str, Any] = json.loads(line)
                if set(row) == {"forgotten", "on"}:
                    forgotten[str(row["forgotten"])] = str(row["on"])
                else:
                    charges.append(Charge.from_json(row))
            except (TypeError, ValueError):
                raise CohortError(f"{path}, line {number}: not a charge") from None
    return Spent(Ledger.of(charges), forgotten)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forgetting did to an account.

    Args:
        charges: how many went.
        since: the day of the tombstone, ISO.
        before: whether it stood there already.
    """

    charges: int
    since: str
    before: bool


def forget(directory: Path, units: Sequence[str], notes: Collection[str], today: str) -> Forgotten:
    """Takes out the charges of a patient and leaves a tombstone for each id.

    Args:
        units: the tags of the patient's ids.
        notes: tags of notes of this patient that were units of their own.
        today: ISO.

    Raises:
        CohortError: another run has the account, or it is damaged or cannot be written.
    """
    gone = {*units, *notes}
    with _held(directory):
        spent = read(directory)
        kept = [charge for charge in spent.ledger.charges if charge.unit not in gone]
        forgotten = {**dict.fromkeys(units, today), **spent.forgotten}
        tombs = [json_line({"forgotten": tag, "on": day}) for tag, day in forgotten.items()]
        lines = sorted(json_line(charge.to_json()) for charge in kept)
        durable.replace(directory / CHARGES, [*lines, *tombs], CohortError)
        for part in shards.files(directory / CHARGES)[1:]:  # all they had is in the one file
            part.unlink()
    gone_charges = len(spent.ledger.charges) - len(kept)
    before = any(unit in spent.forgotten for unit in units)
    return Forgotten(gone_charges, forgotten[units[0]], before)


def _held(directory: Path, shard: Shard | None = None) -> AbstractContextManager[BinaryIO]:
    return shards.held(directory / CHARGES, shard, f"the cohort {directory}")


def _lines(path: Path) -> Iterator[bytes]:
    """What was committed. A last line without its end paid for no row."""
    if path.exists():
        with path.open("rb") as lines:
            yield from (line for line in lines if line.endswith(b"\n"))
