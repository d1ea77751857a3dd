"""Files and folders that `dpdeid run` reads and writes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dpdeid.cli.options import LeavingOut, tell_skipped
from dpdeid.cli.terminal import counted, tell
from dpdeid.cohort.cohort import Cohort
from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Piece, Reading
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import read
from dpdeid.formats.targets import Target, Write
from dpdeid.formats.write import without_identity

KEPT_ORDER: Final = (
    "--keep-order: rows stand in the order of the input, and that of an export sorted by date "
    "gives their dates away. For evaluation, not for release"
)


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
