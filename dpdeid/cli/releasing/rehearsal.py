"""`--dry-run` of what releases: reads all that a run reads, and writes nothing.

What a run refuses is refused here, with the same words and exit code. Only a cohort's account is
not held, nor a journal opened: whether another run has them now is not looked at.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rich.markup import escape

from dpdeid.cli.options import LeavingOut, seal_asked
from dpdeid.cli.releasing.release import check_absent, leaving_out, of_shard
from dpdeid.cli.releasing.way import Asked, Look, Way, placed
from dpdeid.cli.terminal import Console, counted, metering, table
from dpdeid.cohort import account, manifest, sealed
from dpdeid.cohort.account import Spent
from dpdeid.cohort.durable import is_stream
from dpdeid.cohort.manifest import models
from dpdeid.cohort.vault import VAULT, Vault
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.rows import Row

SHOWN: Final = 20
"""Rows that cannot be released and are listed."""
NOTHING: Final = "Nothing was released, charged or written."

_Lines = Iterator[tuple[str, str]]


@dataclass(slots=True)
class _Seen:
    """What is in the rows of a source.

    Args:
        whose: unit → how many notes it has.
        aside: rows that are no notes, and are drawn as they are.
        failing: units of which a note fails, and with it all of them.
        wrong: rows with something wrong: that cannot be read, or whose day is refused.
        reasons: what is, of the first ones.
    """

    rows: int = 0
    aside: int = 0
    dated: int = 0
    alone: int = 0
    unread: int = 0
    wrong: int = 0
    patients: set[str] = field(default_factory=set, repr=False)
    whose: Counter[tuple[str, str]] = field(default_factory=Counter, repr=False)
    failing: set[tuple[str, str]] = field(default_factory=set, repr=False)
    encodings: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)

    def add(self, row: Row, engine: Deidentifier) -> None:
        """Counts a row, as the engine would take it."""
        if row.aside:
            self.aside += 1
            return
        self.rows += 1
        self.encodings.update([row.encoding] if row.encoding else [])
        if row.document is None:
            self.unread += 1
            self._because(row.error)
            return
        unit = engine.unit([row.document])
        self.whose[unit] += 1
        self.dated += row.document.note_date is not None
        if row.document.patient_id is None:
            self.alone += 1
        else:
            self.patients.add(unit[1] if unit[0] == "patient" else row.document.patient_id)
        try:
            engine.check_day(row.document)
        except InputError as error:
            self.failing.add(unit)
            self._because(f"{row.where}: {error}")

    def _because(self, why: str) -> None:
        self.wrong += 1
        if len(self.reasons) < SHOWN:
            self.reasons.append(why)

    @property
    def notes(self) -> int:
        """Rows that could be read."""
        return self.rows - self.unread

    @property
    def failed(self) -> int:
        """Rows that could be read and would fail."""
        return sum(self.whose[unit] for unit in self.failing)


def rehearse(asked: Asked, way: Way) -> int:
    """Says what a run would read and write; the exit code is that of the run, as far as reading
    tells.

    Raises:
        UsageError: what a run would refuse; nothing was released then either.
    """
    asked.check()
    spent = Spent()
    with ExitStack() as files:
        vault = None
        if asked.cohort is not None:
            vault = files.enter_context(manifest.vault(asked.cohort, look=True))
            spent = account.read(asked.cohort)
        engine = asked.engine(vault)
        journal = asked.apart(way)
        _check_writable([way.output, *asked.private.values()])
        _check_seal(asked, engine)
        left_out = leaving_out(asked.exclude, engine, spent.forgotten, vault)
        learned = models(engine.policy)
        look = files.enter_context(way.looked(engine, vault.patient if vault else str))
        seen = _Seen()
        meter = files.enter_context(metering("looked at"))
        rows = meter.reading(look.rows(left_out))
        for _, row in of_shard(enumerate(rows), engine, asked.shard):
            seen.add(row, engine)
            meter.finish()
        shown = [*_settings(asked, engine, learned), *_account(asked, spent, vault)]
        shown += _input(look, engine, seen, left_out)
        shown += _outputs(asked, look, journal)
    console = Console()
    console.print(table((), (map(escape, cells) for cells in shown), show_header=False))
    for why in seen.reasons:
        console.print(why, markup=False)
    if more := seen.wrong - len(seen.reasons):
        console.print(f"and {counted(more, 'row')} more")
    if asked.exclude is not None and not asked.absent_ok:
        check_absent(asked.exclude, left_out)
    console.print(NOTHING)
    failed = seen.unread + seen.failed
    return left_out.exit_code(seen.rows - failed, failed)


def _check_writable(paths: Iterable[Path | None]) -> None:
    for path in paths:
        if path is None or is_stream(path):
            continue
        if not os.access(path.resolve().parent, os.W_OK | os.X_OK):
            raise UsageError(f"cannot write {path}: no right to write into its folder")


def _check_seal(asked: Asked, engine: Deidentifier) -> None:
    """Refuses a seal that a run would; a new one is not made."""
    given = seal_asked(asked.seal, asked.seal_key_file, engine.cohort)
    if given is not None and given[0].exists():
        with sealed.reading(*given):
            pass


def _settings(asked: Asked, engine: Deidentifier, learned: Mapping[str, str]) -> _Lines:
    policy, own = engine.policy, engine.cohort
    yield "policy", f"{policy.name} ({policy.sha256[:12]}), a unit is a {policy.unit}"
    if learned:
        yield "models", ", ".join(f"{name} {mark}" for name, mark in learned.items())
    whose = "of the cohort" if asked.cohort else "of --key-file" if asked.key_file else "DPDEID_KEY"
    yield "key", f"{own.fingerprint} (fingerprint), {whose if own.linkable else 'for one run only'}"
    yield "e0", own.e0.isoformat()


def _account(asked: Asked, spent: Spent, vault: Vault | None) -> _Lines:
    if asked.cohort is None or vault is None:
        return
    charges, units = len(spent.ledger.charges), len(spent.ledger.units)
    yield (
        "cohort",
        f"{asked.cohort}: open; {counted(charges, 'charge')} on {counted(units, 'unit')}, "
        f"{counted(vault.counts()[0], 'unit')} in the vault, "
        f"{counted(len(spent.forgotten), 'patient')} forgotten",
    )


def _input(look: Look, engine: Deidentifier, seen: _Seen, left_out: LeavingOut) -> _Lines:
    yield from look.source()
    for name, count in seen.encodings.items():
        yield "not UTF-8", f"{counted(count, 'file')} read as {name}"
    yield "rows", f"{seen.rows + left_out.count:,}"
    patients = f"{counted(seen.notes, 'note')} of {counted(len(seen.patients), 'patient')}"
    yield "notes", f"{patients}; {seen.alone:,} without patient_id, {seen.dated:,} with note_date"
    if seen.aside:
        yield "beside notes", f"{counted(seen.aside, 'day')} and births, each drawn as a date is"
    if seen.alone and engine.policy.unit == "patient":
        yield "no patient_id", "each such note is a patient of its own to the policy"
    for told in left_out.told():
        yield "left out", told
    yield "cannot be read", counted(seen.unread, "row")
    if seen.failing:
        yield "would fail", f"{counted(seen.failed, 'note')}: one refused day fails its whole unit"


def _outputs(asked: Asked, look: Look, journal: Path | None) -> _Lines:
    yield "output", look.target()
    for what, path in {**asked.private, "seal": asked.seal}.items():
        if path is not None:
            yield f"{what} (private)", placed(path, added=what == "seal")
    if journal is not None:
        yield "journal", f"{journal}: " + ("goes on with it" if journal.exists() else "new")
    if asked.cohort is not None:
        charges = asked.cohort / account.CHARGES
        charges = asked.shard.file(charges) if asked.shard else charges
        yield "charges, vault", f"added to {charges} and {asked.cohort / VAULT}"
