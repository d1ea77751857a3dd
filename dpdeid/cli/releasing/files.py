"""Files and folders that `dpdeid run` reads and writes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean
from typing import Final

from dpdeid.cli.options import LeavingOut, tell_skipped
from dpdeid.cli.releasing.way import placed
from dpdeid.cli.terminal import counted, tell
from dpdeid.cohort.cohort import Cohort
from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Piece, Reading, endings, kind_of
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import Found
from dpdeid.formats.tables.kept import Kept
from dpdeid.formats.targets import Target, Write
from dpdeid.formats.write import without_identity

KEPT_ORDER: Final = (
    "--keep-order: rows stand in the order of the input, and that of an export sorted by date "
    "gives their dates away. For evaluation, not for release"
)


@dataclass(frozen=True, slots=True)
class Files:
    """Files and folders of any kind that is known.

    Args:
        keep: columns to release.
        as_it_is: those of them that no detector looks at.
    """

    found: Found
    how: Reading
    inputs: Sequence[Path]
    target: Target
    keep: Sequence[str]
    keep_ids: bool
    keeps_order: bool
    as_it_is: Sequence[str] = ()

    @property
    def output(self) -> Path | None:
        return self.target.path

    @property
    def is_folder(self) -> bool:
        return self.target.kind is None

    def check(self) -> None:
        """Refuses an ending that is not written, and to keep columns where there are none.

        Raises:
            UsageError: names the target.
        """
        if (output := self.output) is not None and not self.is_folder and output.suffix:
            kind = kind_of(output.name)
            if kind is None or not kind.is_written:
                raise UsageError(f"{output}: not written; {endings(written=True)} are")
        if self.keep and not self.target.is_of_rows:
            raise UsageError(
                f"--keep: {self.output} has no columns; rows are .jsonl, .csv or .parquet"
            )

    @contextmanager
    def opened(self, engine: Deidentifier, same: Callable[[str], str]) -> Iterator[_Passage]:
        self.check()
        if self.keeps_order:
            tell(KEPT_ORDER)
        tell_skipped(self.found)
        with self.target.opened() as write:
            yield _Passage(self, engine.cohort, write, self._kept(engine))

    @contextmanager
    def looked(self, engine: Deidentifier, same: Callable[[str], str]) -> Iterator[_Look]:
        self.check()
        tell_skipped(self.found)
        yield _Look(self, self.found.columns(self.how), self._kept(engine))

    def _kept(self, engine: Deidentifier) -> Kept:
        gone = {"note_date", *self.as_it_is}
        return Kept(engine, tuple(name for name in self.keep if name not in gone))


@dataclass(frozen=True, slots=True)
class _Look:
    """see `way.Look`."""

    way: Files
    columns: Mapping[str, str]
    kept: Kept
    seen: Counter[tuple[int, str]] = field(default_factory=Counter)

    def rows(self, left_out: LeavingOut) -> Iterator[Row]:
        how = replace(self.way.how, seen=self.seen)
        rows = self.way.found.rows(sys.stdin.buffer, how, left_out.bare)
        return self.kept.rest(left_out.rest(rows))

    def source(self) -> Iterator[tuple[str, str]]:
        yield "input", self._read()
        for depth in sorted({depth for depth, _ in self.seen}):
            inside = sorted((kind, n) for (at, kind), n in self.seen.items() if at == depth)
            yield f"opened, {depth} deep", ", ".join(f"{n:,} {kind}" for kind, n in inside)
        for name, key in self.columns.items():
            if key:
                yield f"column {name}", f"is read as {key}"
        others = [name for name, key in self.columns.items() if not key]
        if kept := [name for name in others if name in self.way.keep]:
            yield "kept", ", ".join(kept)
        if self.way.as_it_is:
            yield "kept as it is", ", ".join(self.way.as_it_is)
        for told in self.kept.told():
            yield "refused", told
        if gone := [name for name in others if name not in self.way.keep]:
            yield "not released", ", ".join(gone)

    def _read(self) -> str:
        if self.way.found.source == "-":
            return "standard input"
        kinds = Counter(part.kind.name for part in self.way.found.parts)
        told = ", ".join(f"{counted(number, 'file')} of {kind}" for kind, number in kinds.items())
        return f"{self.way.found.source}: {told or 'no files'}"

    def target(self) -> str:
        output, kind = self.way.output, self.way.target.kind
        if output is None:
            return "rows on standard output (JSON lines)"
        if kind is None:
            return f"{output}: a new folder, a file a note"
        told = kind.name if kind_of(output.name) else f"{kind.name}, whatever it is called"
        return f"{placed(output)} ({told})"


@dataclass(frozen=True, slots=True)
class _Passage:
    """One run over them; see `release.Passage`."""

    way: Files
    cohort: Cohort
    write: Write
    kept: Kept
    encodings: Counter[str] = field(default_factory=Counter)
    ocr: list[float] = field(default_factory=list)

    def rows(self, left_out: LeavingOut) -> Iterator[Row]:
        rows = self.way.found.rows(sys.stdin.buffer, self.way.how, left_out.bare)
        return self.kept.rest(left_out.rest(self._noted(rows)))

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
        piece = self.way.target.piece(row, result, name, kept)
        if row.ocr is not None:
            self.ocr.append(row.ocr)
        return piece

    def take(self, row: Row, result: Deidentified | Failure) -> None:
        raise AssertionError("files have no rows aside")

    def told(self) -> Iterator[str]:
        for name, count in self.encodings.items():
            yield f"{counted(count, 'file')} read as {name}"
        if self.ocr:
            yield (
                f"{counted(len(self.ocr), 'note')} read by OCR, with a confidence of "
                f"{mean(self.ocr):.1f} % on average and {min(self.ocr):.1f} % at least"
            )
        yield from self.kept.told()
        for name in self.way.as_it_is:
            yield f"--keep-as-it-is {name}: no detector looked at this column"

    def reported(self) -> Mapping[str, object]:
        kept = {"columns": list(self.way.keep), "as_it_is": list(self.way.as_it_is)}
        found = {name: dict(one) for name, one in self.kept.found.items()}
        refused = {"refused_rows": dict(self.kept.refused), "refused_for": found}
        told: dict[str, object] = {"kept": {**kept, **(refused if found else {})}}
        if self.ocr:
            told["ocr"] = {
                "notes": len(self.ocr),
                "mean": round(mean(self.ocr), 1),
                "lowest": min(self.ocr),
            }
        return told
