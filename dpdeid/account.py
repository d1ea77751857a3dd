"""What a cohort has spent, and whom it forgot: a file of lines in the folder of the cohort.

    {"unit": …, "event": …, "mechanism": …, "loss": …}   a bounded charge
    {"forgotten": …, "on": "2026-11-21"}                 a tombstone: the keyed tag of a patient

The charges are kept because caps hold for a patient, not for a run. Those of a forgotten patient
are gone, so nothing more may be released for them in this cohort.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Final

from dpdeid import durable
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
    _file: BinaryIO = field(repr=False)
    _known: set[bytes] = field(repr=False)

    def commit(self, ledger: Ledger) -> None:
        """Writes the bounded charges of a record, before any of its rows is released.

        They are on the disk when it returns: a row that outlives a loss of power without its
        charges would be spent again. Waits for the disk only where something new is charged.
        """
        bounded = (c for c in ledger.charges if not isinstance(c.loss, NoGuarantee))
        new = {_name(line): line for line in (_line(charge.to_json()) for charge in bounded)}
        lines = [line for name, line in new.items() if name not in self._known]
        if lines:
            durable.append(self._file, lines)
            self._known.update(new)


@contextmanager
def committing(directory: Path) -> Iterator[Account]:
    """The account of a cohort, until the block ends; nobody else has it.

    Raises:
        CohortError: another run has it, or it is damaged or cannot be written.
    """
    with _held(directory) as file:
        spent = read(directory)
        known = {_name(_line(charge.to_json())) for charge in spent.ledger.charges}
        yield Account(spent.forgotten, file, known)


def read(directory: Path) -> Spent:
    """What a cohort has spent so far, and whom it forgot.

    Raises:
        CohortError: a line is damaged.
    """
    charges, forgotten = [], {}
    for row in _rows(directory / CHARGES):
        if isinstance(row, Charge):
            charges.append(row)
        else:
            forgotten[row[0]] = row[1]
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


def forget(directory: Path, unit: str, notes: Collection[str], today: str) -> Forgotten:
    """Takes out the charges of a patient and leaves a tombstone.

    Args:
        unit: the tag of the patient.
        notes: tags of notes of this patient that were units of their own.
        today: ISO.

    Raises:
        CohortError: another run has the account, or it is damaged or cannot be written.
    """
    gone = {unit, *notes}
    with _held(directory):
        spent = read(directory)
        kept = [charge for charge in spent.ledger.charges if charge.unit not in gone]
        forgotten = {unit: today, **spent.forgotten}
        tombs = [_line({"forgotten": tag, "on": day}) for tag, day in forgotten.items()]
        try:
            durable.replace(
                directory / CHARGES, [*sorted(_line(c.to_json()) for c in kept), *tombs]
            )
        except OSError as error:
            raise CohortError(f"cannot write {directory / CHARGES}: {error.strerror}") from None
    gone_charges = len(spent.ledger.charges) - len(kept)
    return Forgotten(gone_charges, forgotten[unit], unit in spent.forgotten)


def _held(directory: Path) -> BinaryIO:
    path = directory / CHARGES
    try:
        return durable.open_end(path)
    except BlockingIOError:
        raise CohortError(f"another run is using the cohort {directory}") from None
    except OSError as error:
        raise CohortError(f"cannot write {path}: {error.strerror}") from None


def _line(row: Mapping[str, object]) -> bytes:
    return json.dumps(row).encode() + b"\n"


def _name(line: bytes) -> bytes:
    """Sixteen bytes that stand for a line: a run holds them for every charge of its cohort."""
    return blake2b(line, digest_size=16).digest()


def _rows(path: Path) -> Iterator[Charge | tuple[str, str]]:
    """What was committed. A last line without its end paid for no row."""
    if not path.exists():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return
            try:
                row: Mapping[str, Any] = json.loads(line)
                if set(row) == {"forgotten", "on"}:
                    yield str(row["forgotten"]), str(row["on"])
                else:
                    yield Charge.from_json(row)
            except (TypeError, ValueError):
                raise CohortError(f"{path}, line {number}: not a charge") from None
