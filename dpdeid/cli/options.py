"""What options give: a de-identifier, a sealed mapping, and the patients whose rows `dpdeid run`
leaves out: those who object, those whom the cohort forgot.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from dpdeid.cli.terminal import EXIT_OK, counted, exit_code, tell
from dpdeid.cohort.cohort import Cohort, fingerprint, parse_key, read_key
from dpdeid.cohort.manifest import open_cohort
from dpdeid.cohort.sealed import Seal, Sealer, sealing
from dpdeid.cohort.vault import Vault
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import OCR_FLOOR, Reading, endings
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import Found


def of_cohort(
    directory: Path, policy: str | None, ledger_key_file: Path | None, vault: Vault
) -> Deidentifier:
    """The de-identifier of a cohort, which goes on with what was released of it.

    Raises:
        UsageError: the policy, a key or the cohort is refused.
    """
    opened = open_cohort(directory, policy, ledger_key_file)
    own, spent = opened.cohort, opened.spent
    return Deidentifier(
        opened.policy, key=own.key, e0=own.e0, ledger_key=own.ledger_key, spent=spent, vault=vault
    )


def deidentifier(
    policy: str | None,
    key_file: Path | None = None,
    e0: datetime | None = None,
    ledger_key_file: Path | None = None,
) -> Deidentifier:
    """The de-identifier the options ask for; says so when its key is a fresh random one.

    Raises:
        UsageError: the policy or a key is refused.
    """
    key = None
    if key_file is not None:
        key = read_key(key_file)
    elif "DPDEID_KEY" in os.environ:
        key = parse_key(os.environ["DPDEID_KEY"].encode(), "DPDEID_KEY")
    else:
        tell(
            "no --cohort, --key-file or DPDEID_KEY: a random key is used for this run only. Other "
            "runs will give other surrogates, and this one cannot be resumed."
        )
    return Deidentifier(
        "dp" if policy is None else policy,
        key=key,
        e0=e0.date() if e0 else None,
        ledger_key=None if ledger_key_file is None else read_key(ledger_key_file),
    )


@contextmanager
def sealed_beside(path: Path | None, key_file: Path | None, own: Cohort) -> Iterator[Sealer | None]:
    """The sealed mapping that the options ask for, if they do.

    Raises:
        UsageError: one option without the other, the key of the cohort, or a file is refused.
    """
    if (asked := seal_asked(path, key_file, own)) is None:
        yield None
        return
    with sealing(*asked) as sealer:
        yield sealer


def seal_asked(path: Path | None, key_file: Path | None, own: Cohort) -> tuple[Path, Seal] | None:
    """The file of a sealed mapping and its seal, if the options ask for one; nothing is opened.

    Raises:
        UsageError: one option without the other, the key of the cohort, or a key is refused.
    """
    if path is None and key_file is None:
        return None
    if path is None or key_file is None:
        raise UsageError("--seal FILE and --seal-key-file KEY go together")
    key = read_key(key_file)
    if fingerprint(key) == own.fingerprint:
        raise UsageError(
            "the key of the cohort cannot seal: make another (dpdeid key new FILE), and let "
            "somebody else keep it"
        )
    return path, Seal.of(key)


def reading(
    format: str | None,  # noqa: A002 - the option's own name
    text_column: str | None,
    column: Sequence[str] | None,
    body: bool = False,
    sheet: str | None = None,
    partial: bool = False,
    all_messages: bool = False,
    ocr_floor: float = OCR_FLOOR,
) -> Reading:
    """How files are read, by the options of that name.

    Raises:
        UsageError: there is no such format or key.
    """
    pairs = [given.partition("=")[::2] for given in column or ()]
    if text_column is not None:
        pairs.append(("text", text_column))
    if bad := [key for key, name in pairs if not name]:
        raise UsageError(f"--column {bad[0]}: KEY=COLUMN is needed")
    return Reading(format or "", dict(pairs), body, sheet or "", partial, all_messages, ocr_floor)


def tell_skipped(found: Found) -> None:
    """Says how many files of a folder are not read, by kind, if there are any, and what needs to be
    installed to read them.
    """
    lines = [(f"; {endings()} are", found.skipped)] if found.skipped else []
    for end, counts in (*lines, *((f": {why}", counts) for why, counts in found.unread().items())):
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(counts.items()))
        tell(f"{counted(sum(counts.values()), 'file')} of {found.source} not read ({kinds}){end}")


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
    """Lets the rows of all others pass, and counts.

    Args:
        objecting: ids of patients who object, with the line of each; ids of one person have one
            line. None if nobody was asked.
        is_forgotten: whether a patient was forgotten in this cohort.
        bare: messages that hold no document, by what they are: no rows.
        lost: parts of envelopes that are released without them, by why.
    """

    objecting: Mapping[str, int] | None = field(repr=False)
    is_forgotten: Callable[[str], bool]
    rows: int = 0
    forgotten_rows: int = 0
    bare: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    _seen: set[int] = field(default_factory=set, repr=False)

    def rest(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The other rows. Where a list was given, a note that may be anybody's fails."""
        for row in rows:
            self.lost += row.lost
            patient = row.patient_id
            line = None if patient is None else (self.objecting or {}).get(patient.strip())
            if line is not None:
                self._seen.add(line)
                self.rows += 1
            elif patient is not None and self.is_forgotten(patient):
                self.forgotten_rows += 1
            elif patient is None and row.document is not None and self.objecting is not None:
                error = f"{row.where}: no patient_id, and --exclude must know whose note it is"
                yield replace(row, document=None, error=error)
            else:
                yield row

    def lets_pass(self, patient: str) -> bool:
        """Whether a patient is not left out, where it is no row that asks."""
        line = (self.objecting or {}).get(patient.strip())
        if line is not None:
            self._seen.add(line)
        return line is None and not self.is_forgotten(patient)

    @property
    def count(self) -> int:
        """Rows that were left out."""
        return self.rows + self.forgotten_rows

    def exit_code(self, released: int, failed: int) -> int:
        """The code of a run: it did well where all that there was is left out or holds nothing."""
        if not failed and (self.count or self.bare):
            return EXIT_OK
        return exit_code(released, failed)

    @property
    def absent(self) -> Sequence[int]:
        """The lines of those who object and of whom no row was seen."""
        return sorted({*(self.objecting or {}).values()} - self._seen)

    def told(self) -> Iterator[str]:
        """What was left out, as counts."""
        if self.objecting is not None:
            yield (
                f"{counted(self.rows, 'row')} of {counted(len(self._seen), 'patient')} left out "
                f"(--exclude lists {counted(len(self._seen) + len(self.absent), 'patient')}; "
                f"{len(self.absent)} "
                "without a row here)"
            )
        if self.forgotten_rows:
            yield f"{counted(self.forgotten_rows, 'row')} of forgotten patients left out"
        if self.bare:
            kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(self.bare.items()))
            count = counted(self.bare.total(), "message")
            yield (
                f"{count} without a document not released ({kinds}); --all-messages releases them "
                "too"
            )
        for why, number in self.lost.items():
            yield f"{counted(number, 'part')} {why}"
