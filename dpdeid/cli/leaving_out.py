"""Patients whose rows `dpdeid run` leaves out: those who object, those whom the cohort forgot."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dpdeid.cli.counted import counted
from dpdeid.errors import UsageError
from dpdeid.formats.rows import Row


def read_patients(path: Path) -> dict[str, int]:
    """The patient ids of a UTF-8 file, one a line, each with the number of its line; white space
    around them and empty lines apart.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        text = path.read_bytes().removeprefix(BOM_UTF8).decode("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}, line {line}: not UTF-8") from None
    patients = dict[str, int]()
    for number, written in enumerate(text.splitlines(), 1):
        if patient := written.strip():
            patients.setdefault(patient, number)
    return patients


@dataclass(slots=True)
class LeavingOut:
    """Lets the rows of all others pass, and counts. Not frozen: it counts.

    Args:
        objecting: ids of patients who object, with their lines; None if nobody was asked.
        is_forgotten: whether a patient was forgotten in this cohort.
    """

    objecting: Mapping[str, int] | None = field(repr=False)
    is_forgotten: Callable[[str], bool]
    rows: int = 0
    forgotten_rows: int = 0
    _seen: set[str] = field(default_factory=set, repr=False)

    def rest(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The other rows. Where a list was given, a note that may be anybody's fails."""
        for row in rows:
            patient = row.patient_id
            if patient is not None and patient.strip() in (self.objecting or {}):
                self._seen.add(patient.strip())
                self.rows += 1
            elif patient is not None and self.is_forgotten(patient):
                self.forgotten_rows += 1
            elif patient is None and row.document is not None and self.objecting is not None:
                error = f"{row.where}: no patient_id, and --exclude must know whose note it is"
                yield replace(row, document=None, error=error)
            else:
                yield row

    @property
    def any(self) -> bool:
        """Whether a row was left out."""
        return bool(self.rows or self.forgotten_rows)

    @property
    def absent(self) -> Sequence[int]:
        """The lines of those who object and of whom no row was seen."""
        return [n for patient, n in (self.objecting or {}).items() if patient not in self._seen]

    def told(self) -> Iterator[str]:
        """What was left out, as counts."""
        if self.objecting is not None:
            yield (
                f"{counted(self.rows, 'row')} of {counted(len(self._seen), 'patient')} left out "
                f"(--exclude lists {counted(len(self.objecting), 'patient')}; {len(self.absent)} "
                "without a row here)"
            )
        if self.forgotten_rows:
            yield f"{counted(self.forgotten_rows, 'row')} of forgotten patients left out"
