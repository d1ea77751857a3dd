"""`dpdeid run`: rows of files in, released rows or files out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from dpdeid.cli.options import LeavingOut, reading, tell_skipped
from dpdeid.cli.releasing import spark
from dpdeid.cli.releasing.release import release
from dpdeid.cli.releasing.way import Asked
from dpdeid.cli.terminal import counted, tell
from dpdeid.cohort.cohort import Cohort
from dpdeid.cohort.shards import Shard
from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Piece, Reading
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.targets import Target, Write
from dpdeid.formats.write import identifying, without_identity

KEPT_ORDER: Final = (
    "--keep-order: rows stand in the order of the input, and that of an export sorted by date "
    "gives their dates away. For evaluation, not for release"
)


def run(
    source: str,
    output: Path | None = None,
    policy: str | None = None,
    cohort: Path | None = None,
    key_file: Path | None = None,
    e0: datetime | None = None,
    ledger_key_file: Path | None = None,
    keep_ids: bool = False,
    keep_order: bool = False,
    keep: list[str] | None = None,
    spans: Path | None = None,
    mapping: Path | None = None,
    ledger: Path | None = None,
    exclude: Path | None = None,
    absent_ok: bool = False,
    seal: Path | None = None,
    seal_key_file: Path | None = None,
    format: str | None = None,  # noqa: A002 - the option's own name
    text_column: str | None = None,
    column: list[str] | None = None,
    workers: int = 1,
    body: bool = False,
    resume: bool = False,
    shard: str | None = None,
    engine: str = "local",
    dry_run: bool = False,
) -> int:
    """De-identifies every row of the source; the exit code says how many failed. See `release`,
    `spark.release` for that engine and `rehearsal.rehearse` for a run that only looks.

    Raises:
        UsageError: the source, a kept key or an output file is refused, or somebody who objects has
            no row here; nothing was released then.
    """
    if refused := sorted(filter(identifying, keep or ())):
        raise UsageError(f"--keep {refused[0]}: this key is never released")
    how = reading(format, text_column, column, body)
    asked = Asked(
        policy,
        cohort,
        key_file,
        e0,
        ledger_key_file,
        spans,
        mapping,
        ledger,
        exclude,
        absent_ok,
        seal,
        seal_key_file,
        workers,
        resume,
        None if shard is None else Shard.parse(shard),
    )
    if engine == "spark":
        alone = {
            "--keep-ids": keep_ids,
            "--keep-order": keep_order,
            "--body": body,
            "--dry-run": dry_run,
        }
        return spark.release(asked, spark.Frames(source, how, output, keep or ()), alone)
    if engine != "local":
        raise UsageError("--engine is local or spark")
    sources = source_files(source, how)
    target = Target.of(output, sources, keep or (), how)
    if shard is not None and not target.is_of_rows:
        raise UsageError("--shard parts rows: the output is .jsonl, .csv or .parquet")
    way = Files(source, how, sources, target, keep or (), keep_ids, keep_order)
    if dry_run:
        from dpdeid.cli.releasing.rehearsal import rehearse

        return rehearse(asked, way)
    return release(asked, way)


@dataclass(frozen=True, slots=True)
class Files:
    """Files and folders of any kind that is known."""

    source: str
    how: Reading
    inputs: Sequence[Path]
    target: Target
    keep: Sequence[str]
    keep_ids: bool
    keeps_order: bool

    @property
    def output(self) -> Path | None:
        return self.target.path

    @property
    def is_folder(self) -> bool:
        return self.target.kind is None

    def check(self) -> None:
        """Refuses to keep columns where there are none.

        Raises:
            UsageError: names the target.
        """
        if self.keep and not self.target.is_of_rows:
            raise UsageError(
                f"--keep: {self.output} has no columns; rows are .jsonl, .csv or .parquet"
            )

    @contextmanager
    def opened(self, engine: Deidentifier, same: Callable[[str], str]) -> Iterator[_Passage]:
        self.check()
        if self.keeps_order:
            tell(KEPT_ORDER)
        tell_skipped(self.source, self.how)
        with self.target.opened() as write:
            yield _Passage(self, engine.cohort, write)


@dataclass(frozen=True, slots=True)
class _Passage:
    """One run over them; see `release.Passage`."""

    way: Files
    cohort: Cohort
    write: Write
    encodings: Counter[str] = field(default_factory=Counter)

    def rows(self, left_out: LeavingOut) -> Iterator[Row]:
        return left_out.rest(self._noted(read(self.way.source, sys.stdin.buffer, self.way.how)))

    def _noted(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows; counts those that were not in UTF-8."""
        for row in rows:
            if row.encoding:
                self.encodings[row.encoding] += 1
            yield row

    def name(self, row: Row) -> str | None:
        if self.way.keep_ids or row.id is None:
            return row.id
        return self.cohort.released_id(row.id)

    def rank(self, name: str) -> bytes:
        return name.encode("utf-8", "surrogatepass")

    def piece(self, row: Row, result: Deidentified, name: str) -> Piece:
        keep = self.way.keep
        kept = {key: without_identity(row.extra[key]) for key in keep if key in row.extra}
        if "note_date" in keep:
            kept["note_date"] = result.note_date
        return self.way.target.piece(row, result, name, kept)

    def take(self, row: Row, result: Deidentified | Failure) -> None:
        raise AssertionError("files have no rows aside")

    def told(self) -> Iterator[str]:
        for name, count in self.encodings.items():
            yield f"{counted(count, 'file')} read as {name}"
