"""What a release is asked to do, where its rows come from and where released ones go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from dpdeid.cli.options import LeavingOut, deidentifier, of_cohort
from dpdeid.cohort.durable import is_stream
from dpdeid.cohort.manifest import own_files
from dpdeid.cohort.shards import Shard
from dpdeid.cohort.vault import Vault
from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import Piece
from dpdeid.formats.rows import Row
from dpdeid.formats.write import keep_apart
from dpdeid.policy.policy import policy_file


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

    def reported(self) -> Mapping[str, object]:
        """What the ledger file says of it beside what every release says."""


class Look(Protocol):
    """An open source, and what would be written; nothing is."""

    def rows(self, left_out: LeavingOut) -> Iterator[Row]:
        """As those of a passage."""

    def source(self) -> Iterator[tuple[str, str]]:
        """What is read, once the rows were gone through: each time its name and what it is."""

    def target(self) -> str:
        """What would be written."""


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

    def looked(
        self, engine: Deidentifier, same: Callable[[str], str]
    ) -> AbstractContextManager[Look]:
        """The same, for a look alone."""


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

    def check(self) -> None:
        """Nothing, if the options go together; before anything is opened.

        Raises:
            UsageError: they do not.
        """
        if self.cohort is None and self.shard:
            raise UsageError("--shard is of a --cohort: under its key and caps parts fit")
        if self.cohort is not None and (self.key_file is not None or self.e0 is not None):
            raise UsageError("a cohort has its own key and e0: leave out --key-file and --e0")

    def engine(self, vault: Vault | None) -> Deidentifier:
        """The de-identifier, with the vault of the cohort if there is one.

        Raises:
            UsageError: the policy, a key or the cohort is refused.
        """
        if self.cohort is None or vault is None:
            return deidentifier(self.policy, self.key_file, self.e0, self.ledger_key_file)
        return of_cohort(self.cohort, self.policy, self.ledger_key_file, vault)

    @property
    def private(self) -> dict[str, Path | None]:
        """The private files beside the release, by what they hold."""
        return {"spans": self.spans, "mapping": self.mapping, "ledger": self.ledger}

    def apart(self, way: Way) -> Path | None:
        """The journal of the run, None if it keeps none; no output destroys what is read.

        Raises:
            UsageError: an output is an input or named twice, or cannot be written.
        """
        keys = (self.key_file, self.ledger_key_file, self.seal, self.seal_key_file)
        own = (self.exclude, policy_file(self.policy), *keys, *own_files(self.cohort))
        resumed = _journal_of(way.output) if self.resume else None
        outputs = (way.output, *self.private.values(), resumed)
        keep_apart((*way.inputs, *own), *outputs, folder=way.is_folder)
        return resumed


def placed(path: Path, *, added: bool = False) -> str:
    """An output, and what becomes of what is there."""
    if is_stream(path):
        return f"{path}: written to"
    return f"{path}: " + ("new" if not path.exists() else "added to" if added else "replaced")


def _journal_of(output: Path | None) -> Path:
    """The journal of a run, beside its output."""
    if output is None or is_stream(output):
        raise UsageError("--resume needs an output that is a file or a folder: name it by -o")
    return output.resolve().with_name(f"{output.name}.resume")
