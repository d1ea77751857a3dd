"""Takes one patient out of what leads back to them: mappings, sealed mappings, a cohort's account
and its vault, under all ids that were merged.

Released texts are out of its reach, and so are copies: what it took out, it names by released id,
so that these rows can be withdrawn by whoever has them.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dpdeid.cohort import access_log, account, durable, manifest
from dpdeid.cohort import sealed as sealed_file
from dpdeid.cohort.cohort import unit_tag
from dpdeid.cohort.sealed import Seal
from dpdeid.errors import UsageError


@dataclass(frozen=True, slots=True)
class Erased:
    """What was taken out.

    Args:
        files: mapping or sealed mapping → how many of its entries went.
        unknown: how many entries of them have no patient id: nobody can tell whose they are.
        released: ids under which notes of the patient were released.
        charges: how many charges went.
        tombstone: its day, ISO; None where there is no account, or no key to tag with.
        before: whether the account had forgotten the patient already.
    """

    files: Mapping[Path, int]
    unknown: int
    released: tuple[str, ...]
    charges: int = 0
    tombstone: str | None = None
    before: bool = False

    @property
    def known(self) -> bool:
        """Whether anything of the patient was found, now or before."""
        return bool(self.charges or self.before or any(self.files.values()))


@dataclass(frozen=True, slots=True)
class _Line:
    """One entry of a mapping, as it stands in its file."""

    data: bytes = field(repr=False)
    patient: str | None = field(repr=False)
    note: str = field(repr=False)
    released: str = field(repr=False)


def forget(
    patient: str,
    *,
    cohort: Path | None = None,
    ledger_key_file: Path | None = None,
    mappings: Sequence[Path] = (),
    seals: Sequence[Path] = (),
    seal: Seal | None = None,
) -> Erased:
    """Takes a patient out. All is read before anything is changed; doing it again is safe.

    Raises:
        UsageError: a file is missing or damaged, a key is wrong, or a run is using one of them.
    """
    if bool(seals) != (seal is not None):
        raise UsageError("--seal FILE and --seal-key-file KEY go together")
    key = None if cohort is None else manifest.unit_key(cohort, ledger_key_file)
    is_open = cohort is not None and manifest.read(cohort).closed is None
    ids: tuple[str, ...] = (patient,)
    if cohort is not None and is_open:
        with manifest.vault(cohort) as vault:
            ids = vault.same(patient)
    own: dict[Path, list[_Line]] = {}
    unknown = 0
    for path in (*mappings, *seals):
        own[path] = []
        for line in _sealed(path, seal) if seal and path in seals else _mapped(path):
            unknown += line.patient is None
            if line.patient in ids:
                own[path].append(line)
    every = [line for of in own.values() for line in of]
    done = None
    if cohort is not None and key is not None:
        notes = {unit_tag(key, "note", line.note) for line in every}
        today = dt.datetime.now(dt.UTC).date().isoformat()
        tags = [unit_tag(key, "patient", one) for one in ids]
        done = account.forget(cohort, tags, notes, today)
    if cohort is not None and is_open:
        with manifest.vault(cohort) as vault:
            vault.forget(patient, (line.note for line in every))
    for path in mappings:
        durable.remove(path, {line.data for line in own[path]}, UsageError)
    if seal:
        for path in seals:
            access_log.record(path, "forget", seal.fingerprint)
            sealed_file.remove(path, {line.data for line in own[path]})
    return Erased(
        {path: len(of) for path, of in own.items()},
        unknown,
        tuple(dict.fromkeys(line.released for line in every)),
        *((done.charges, done.since, done.before) if done else ()),
    )


def _sealed(path: Path, seal: Seal) -> Iterator[_Line]:
    for data, entry in sealed_file.entries(path, seal):
        yield _Line(data, entry.patient_id, entry.id, entry.released_id)


def _mapped(path: Path) -> Iterator[_Line]:
    """The entries of a plain mapping; a line that is none is named."""
    try:
        with path.open("rb") as file:
            for number, data in enumerate(file, 1):
                try:
                    row = json.loads(data)
                    yield _Line(data, row["patient_id"], row["id"], row["released_id"])
                except (KeyError, TypeError, ValueError):
                    raise UsageError(
                        f"{path}, line {number} is not of a mapping (run --mapping writes one): "
                        "nothing was removed"
                    ) from None
    except OSError as error:
        raise UsageError(f"cannot read the mapping {path}: {error.strerror}") from None
