"""`dpdeid omop`: notes and persons of the OMOP common data model in, the same tables out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from dpdeid.cli.options import LeavingOut
from dpdeid.cli.releasing.rehearsal import rehearse
from dpdeid.cli.releasing.release import release
from dpdeid.cli.releasing.way import Asked
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.rows import Row
from dpdeid.labels import Label
from dpdeid.omop import reading, writing
from dpdeid.omop.people import people
from dpdeid.omop.places import Place
from dpdeid.omop.release import Release, Wanted
from dpdeid.omop.tables import also as dates_of
from dpdeid.omop.tables import moved, plain
from dpdeid.policy.policy import Policy


def omop(
    source: str,
    output: str,
    policy: str | None = None,
    cohort: Path | None = None,
    key_file: Path | None = None,
    e0: datetime | None = None,
    ledger_key_file: Path | None = None,
    also: list[str] | None = None,
    facts: str | None = None,
    note_nlp: bool = False,
    nlp_date: datetime | None = None,
    spans: Path | None = None,
    mapping: Path | None = None,
    ledger: Path | None = None,
    exclude: Path | None = None,
    absent_ok: bool = False,
    seal: Path | None = None,
    seal_key_file: Path | None = None,
    workers: int = 1,
    resume: bool = False,
    dry_run: bool = False,
) -> int:
    """De-identifies NOTE and PERSON; the exit code says how many notes failed. See `release`, and
    `rehearsal.rehearse` for a run that only looks.

    Raises:
        UsageError: the source, the target, the policy or an option is refused; nothing was released
            then.
    """
    way = _Tables(
        Place.of(source),
        Place.of(output),
        dates_of(also or ()),
        None if facts is None else plain(facts, "--facts"),
        note_nlp,
        None if nlp_date is None else nlp_date.date(),
    )
    asked = Asked(
        policy, cohort, key_file, e0, ledger_key_file, spans, mapping, ledger, exclude, absent_ok,
        seal, seal_key_file, workers, resume,
    )  # fmt: skip
    return (rehearse if dry_run else release)(asked, way)


@dataclass(frozen=True, slots=True)
class _Tables:
    """Tables in one place, and where they go."""

    source: Place
    target: Place
    dates: dict[str, tuple[str, ...]]
    facts: str | None
    nlp: bool
    nlp_date: date | None

    @property
    def inputs(self) -> Sequence[Path]:
        return () if self.source.path is None else (self.source.path,)

    @property
    def output(self) -> Path | None:
        return self.target.path

    @property
    def is_folder(self) -> bool:
        return self.target.is_folder

    @property
    def keeps_order(self) -> bool:
        return False

    @contextmanager
    def opened(self, engine: Deidentifier, same: Callable[[str], str]) -> Iterator[Release]:
        with (
            self._read(engine, same) as made,
            writing.opened(self.target, made.wanted.tables) as made.store,
        ):
            yield made

    @contextmanager
    def looked(self, engine: Deidentifier, same: Callable[[str], str]) -> Iterator[_Look]:
        with self._read(engine, same) as made:
            writing.check(self.target, made.wanted.tables)
            yield _Look(made, self)

    @contextmanager
    def _read(self, engine: Deidentifier, same: Callable[[str], str]) -> Iterator[Release]:
        _check(engine.policy, self.dates)
        if self.facts in self.dates:
            raise UsageError(f"--also {self.facts}: a table of facts is never released")
        with reading.opened(self.source) as tables:
            other = (moved(name, [*tables.columns(name)], d) for name, d in self.dates.items())
            wanted = Wanted(tuple(other), self.nlp, self.nlp_date)
            yield Release(tables, people(tables, self.facts), engine, same, wanted)


def _check(policy: Policy, dates: dict[str, tuple[str, ...]]) -> None:
    """Refuses a policy that cannot give what the tables need.

    Raises:
        UsageError: it releases no dates, or has no timeline of a patient and one is asked for.
    """
    if not any(Label.DATE in strategy.labels for strategy in policy.strategies):
        raise UsageError(
            f"policy {policy.name} releases no dates, and note_date of NOTE is mandatory: take "
            "another policy, or release the texts with `dpdeid run`"
        )
    if dates and policy.unit != "patient":
        raise UsageError(
            f"--also: policy {policy.name} protects each note by itself, so that there is no "
            "timeline of a patient by which other dates could be moved: they must not be "
            "released beside its notes"
        )


@dataclass(frozen=True, slots=True)
class _Look:
    """see `way.Look`."""

    made: Release
    way: _Tables

    def rows(self, left_out: LeavingOut) -> Iterator[Row]:
        return self.made.rows(left_out)

    def source(self) -> Iterator[tuple[str, str]]:
        yield "input", f"{self.way.source}"
        yield "persons", f"{len(self.made.people):,}"
        if self.way.facts is not None:
            told = ", ".join(self.made.tables.columns(self.way.facts))
            yield f"facts {self.way.facts}", f"{told}: looked for in notes, never released"
        for table in self.made.wanted.moved:
            yield f"table {table.name}", f"{', '.join(table.names)} are released"
        for told in self.made.told():
            yield "beware", told

    def target(self) -> str:
        tables = ", ".join(table.name for table in self.made.wanted.tables)
        return f"{self.way.target}: new, with {tables}"
