"""The vault of a cohort: what was released of every patient, encrypted, so that notes may come
one by one.

An SQLite file with a row for each privacy unit (`dpdeid.privacy.memory`) and one for each patient
id that was found to be another's. It is written before a note is released, and holds originals:
rows are encrypted with AES-SIV (RFC 5297) under keys derived from that of the cohort, their names
are keyed tags, and their length tells how much was released to 256 bytes. Whoever has the file and
no key learns how many patients were released, and when each last was if copies are compared.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from dpdeid.cohort.cohort import check_key
from dpdeid.errors import CohortError
from dpdeid.privacy.memory import Memory
from dpdeid.privacy.rng import derive, tag

VAULT: Final = "vault.sqlite"
OLD: Final = (
    "the account knows a patient and the vault does not: it is an older copy (put the latest one "
    "back, or make a new cohort)"
)
OTHER: Final = (
    "a note of this id was released before with another text, which may be another patient's: give "
    "it an id of its own, or both the id of their patient"
)
Unit = tuple[str, str]
"""A privacy unit: "patient" or "note", and the caller's id of it."""

_VERSION: Final = 1
_PAD: Final = 256
_PATIENCE: Final = 300.0
"""Seconds to wait for another process that writes: it does so for parts of one."""
_TABLES: Final = (
    "CREATE TABLE released (row TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE merged (row TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID",
    f"PRAGMA user_version = {_VERSION}",
)


class Vault:
    """The open vault of one cohort; for one thread. Other processes may have it open for units that
    this one has nothing of.

    Args:
        path: of the file, which is made with mode 0600 if there is none; None keeps all of it in
            this process.
        key: that of the cohort.
        look: only to read: the file is left as it is.

    Raises:
        CohortError: it is no vault, of another version, or cannot be written.
        SecretKeyError: see `check_key`.
    """

    def __init__(self, path: Path | None, key: bytes, *, look: bool = False) -> None:
        check_key(key, "the key of the vault")
        self.path = path
        self._rows = derive(key, "vault: rows")
        self._waiting: dict[tuple[str, str], bytes | None] | None = None
        self._cipher = AESSIV(derive(key, "vault: authenticity") + derive(key, "vault: secrecy"))
        try:
            if path is not None and not look:
                path.touch(mode=0o600)
            name = ":memory:" if path is None else path.resolve().as_uri() + "?mode=ro" * look
            self._db = sqlite3.connect(name, _PATIENCE, isolation_level=None, uri=True)
            self._db.execute("PRAGMA secure_delete = ON")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if not version:
                self._make()
        except (OSError, sqlite3.Error) as error:
            raise CohortError(f"{path} cannot be used as a vault: {error}") from None
        if version not in (0, _VERSION):
            raise CohortError(f"{path} has version {version}, this is {_VERSION}")

    def _make(self) -> None:
        with self._transaction():
            for statement in _TABLES:
                self._db.execute(statement)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def recall(self, unit: Unit) -> Memory | None:
        """What was released of a unit; None if nothing ever was.

        Raises:
            CohortError: its row was altered, or is that of another cohort.
        """
        text = self._read("released", *unit)
        return None if text is None else Memory.from_json(text)

    def keep(self, unit: Unit, memory: Memory) -> None:
        """Puts it in the place of what was there; it is on the disk when this returns, or when the
        block `together` ends.

        Raises:
            CohortError: it cannot be written.
        """
        self._write("released", unit, memory.to_json())

    def patient(self, id: str) -> str:  # noqa: A002 - the caller's own name
        """The id under which a patient is released: their own, if it was not merged."""
        found = self._read("merged", id)
        return id if found is None else self.patient(json.loads(found)["into"])

    def same(self, id: str) -> tuple[str, ...]:  # noqa: A002 - as above
        """All ids that are known of the person of one: that of the release first."""
        own = self.patient(id)
        rows = self._db.execute("SELECT row, data FROM merged").fetchall()
        others = [json.loads(self._open("merged", *row))["id"] for row in rows]
        return (own, *(other for other in others if self.patient(other) == own))

    def merge(self, id: str, into: str) -> None:  # noqa: A002 - as above
        """From now on notes of one patient id go on with what was released of another.

        What was released under it stays as it is, and counts in the caps of the other.

        Raises:
            CohortError: nothing was released of the other, or they are one person already.
        """
        id, into = self.patient(id), self.patient(into)  # noqa: A001 - as above
        if id == into:
            raise CohortError("the two ids are one person already")
        memory = self.recall(("patient", into))
        if memory is None:
            raise CohortError("nothing was released under the second id: merge the other way round")
        with self.together():
            if (other := self.recall(("patient", id))) is not None:
                other.unspent(self._row("patient", into))  # of a time when they were one before
                memory.spent(other, self._row("patient", id))
                self.keep(("patient", into), memory)
            held = memory.held()
            self._write("merged", (id,), json.dumps({"id": id, "into": into, "held": held}))

    def split(self, id: str) -> int:  # noqa: A002 - as above
        """From now on notes of an id that was merged are those of a person of its own again.

        They go on with what was released under it before. What was released of both while they
        were one stays with the other id; it counts in the caps of both.

        Returns:
            How many days and towns that is.

        Raises:
            CohortError: the id was not merged into another.
        """
        if (found := self._read("merged", id)) is None:
            raise CohortError("this id was merged into no other: name the first id of the merge")
        own, mark, shared = self.recall(("patient", id)), self._row("patient", id), 0
        with self.together():
            self._drop("merged", id)
            while found is not None:
                merged = json.loads(found)
                if (memory := self.recall(("patient", merged["into"]))) is not None:
                    since = memory.since(merged.get("held", ()))
                    shared += len(since.held())
                    if since.held():
                        own = own or Memory()
                        own.spent(since, self._row("patient", merged["into"]))
                    memory.unspent(mark)
                    self.keep(("patient", merged["into"]), memory)
                found = self._read("merged", merged["into"])
            if own is not None:
                self.keep(("patient", id), own)
        return shared

    def forget(self, patient: str, notes: Iterable[str] = ()) -> None:
        """Takes out a patient with all their ids, and notes that were units of their own."""
        ids = self.same(patient)
        rows = [("released", self._row("note", note)) for note in notes]
        rows += [("released", self._row("patient", own)) for own in ids]
        rows += [("merged", self._row(own)) for own in ids]
        with self._transaction():
            for table, row in rows:
                self._db.execute(f"DELETE FROM {table} WHERE row = ?", [row])

    def counts(self) -> tuple[int, int]:
        """How many units were released, and how many ids were merged."""
        released, merged = (
            self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("released", "merged")
        )
        return released, merged

    def _row(self, *name: str) -> str:
        return tag(self._rows, *name, size=16)

    def _read(self, table: str, *name: str) -> str | None:
        row = self._row(*name)
        if self._waiting and (table, row) in self._waiting:
            waiting = self._waiting[table, row]
            return None if waiting is None else self._open(table, row, waiting)
        got = self._db.execute(f"SELECT data FROM {table} WHERE row = ?", [row]).fetchone()
        return None if got is None else self._open(table, row, got[0])

    def _open(self, table: str, row: str, data: bytes) -> str:
        try:
            plain = self._cipher.decrypt(data, [table.encode(), row.encode()])
        except InvalidTag:
            raise CohortError(
                f"a row of {self.path} was altered, or is of another cohort: put back the copy "
                "that belongs to this one"
            ) from None
        return plain.decode("utf-8", "surrogatepass")

    def _write(self, table: str, name: Iterable[str], text: str) -> None:
        row, data = self._row(*name), text.encode("utf-8", "surrogatepass")
        data += b" " * (-len(data) % _PAD)
        sealed = self._cipher.encrypt(data, [table.encode(), row.encode()])
        if self._waiting is None:
            self._put({(table, row): sealed})
        else:
            self._waiting[table, row] = sealed

    def _drop(self, table: str, *name: str) -> None:
        """Takes a row out when the block `together` ends."""
        assert self._waiting is not None
        self._waiting[table, self._row(*name)] = None

    @contextmanager
    def together(self) -> Iterator[None]:
        """A block whose changes are on the disk when it ends, all or none of them: for many units
        one wait. Until then they are read here alone, and other processes are not held up.

        Raises:
            CohortError: they cannot be written.
        """
        self._waiting = {}
        try:
            yield
            self._put(self._waiting)
        finally:
            self._waiting = None

    def _put(self, rows: Mapping[tuple[str, str], bytes | None]) -> None:
        try:
            with self._transaction():
                for (table, row), data in rows.items():
                    if data is None:
                        self._db.execute(f"DELETE FROM {table} WHERE row = ?", [row])
                        continue
                    self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", [row, data])
        except sqlite3.Error as error:
            raise CohortError(f"cannot write {self.path}: {error}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")
