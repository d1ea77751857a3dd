"""What a release is asked to do, where its rows come from and where released ones go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from dpdeid.cli.options import LeavingOut
from dpdeid.cohort.shards import Shard
from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.formats.kinds import Piece
from dpdeid.formats.rows import Row


class Passage(Protocol):
    """An open source and its target."""

    def rows(self, left_out: LeavingOut) -> Iterator[Row]:
        """The rows of those who are not left out."""

    def name(self, row: Row) -> str | None:
        """The id under which a row is released, None if it has none."""

    def rank(self, name: str) -> bytes:
        """Sorts released rows by their ids."""

    def piece(self, row: Row, result: Deidentified, name: str) -> Piece:
        """What is released of a note.

        Raises:
            InputError: nothing can be; names no value of it.
        """

    def take(self, row: Row, result: Deidentified | Failure) -> None:
        """Takes the result of a row that is aside."""

    def write(self, lines: Iterable[bytes]) -> None:
        """Writes the lines of all pieces, in their order; they may be gone through again."""

    def told(self) -> Iterator[str]:
        """What is said of the release at its end."""


class Way(Protocol):
    """Where rows come from and where released ones go."""

    @property
    def inputs(self) -> Sequence[Path]:
        """Files and folders that are read."""

    @property
    def output(self) -> Path | None:
        """The file or folder that is written, None if it is neither."""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""

    @property
    def keeps_order(self) -> bool:
        """Whether rows are released in the order of the input."""

    def opened(
        self, engine: Deidentifier, same: Callable[[str], str]
    ) -> AbstractContextManager[Passage]:
        """The passage; what it wrote appears when its block ends well.

        Args:
            same: the id of a patient under which they are released: another where two were merged.

        Raises:
            UsageError: it cannot be written, or the policy has nothing to release there.
        """


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of every command that releases; what they mean is in `options.tsv`."""

    policy: str | None = None
    cohort: Path | None = None
    key_file: Path | None = None
    e0: datetime | None = None
    ledger_key_file: Path | None = None
    spans: Path | None = None
    mapping: Path | None = None
    ledger: Path | None = None
    exclude: Path | None = None
    absent_ok: bool = False
    seal: Path | None = None
    seal_key_file: Path | None = None
    workers: int = 1
    resume: bool = False
    shard: Shard | None = None
