"""Frames of Spark: one in, one out, by as many processes as the cluster has.

Values come to Python as Arrow and not as pandas, which rounds whole numbers of a column that has
gaps and holds no day after 2262. The key stands in no plan: it goes by a broadcast, or every
executor reads it from a file. A record is one task's, and all draws follow from the key, so that a
task that Spark does again gives the same and charges nothing twice.
"""

from __future__ import annotations

import datetime as dt
import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from dpdeid.cohort.cohort import Cohort, read_key
from dpdeid.document import Deidentified, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError, extra
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.columns import Columns, cells
from dpdeid.formats.write import identifying
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.privacy.ledger import Charge

with extra("spark", "frames of Spark need pyspark, pandas and pyarrow"):
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyspark.sql import DataFrame, Window, functions
    from pyspark.sql.types import (
        ArrayType,
        MapType,
        StringType,
        StructField,
        StructType,
        VariantType,
    )
    from pyspark.sql.utils import is_remote

CHARGE: Final = ("unit", "event", "mechanism", "loss")
"""The columns of `ledger`: texts, the last one JSON."""

_NESTED: Final = (ArrayType, MapType, StructType, VariantType)
_TWICE: Final = "another row has this id"


def deidentify(
    df: DataFrame,
    policy: Policy | str | Path = "dp",
    *,
    key: bytes | Path,
    e0: dt.date | None = None,
    text: str = "text",
    id: str = "id",  # noqa: A002 - the key of a row
    patient: str = "patient_id",
    note_date: str = "note_date",
    keep: Sequence[str] = (),
    ledger_key: bytes | Path | None = None,
    account: bool = False,
) -> DataFrame:
    """A frame with the columns id, text, those that are kept, and error; a row for each row.

    Texts are those that `Deidentifier.pipe` gives of the same rows under the same key, however they
    are partitioned. As for `dpdeid.deidentify`, columns that are called as a key of a row
    (last_name, birth_date …) are that key. Rows lie by their released ids, which tells nothing.
    What fails has its message in "error" and nothing else beside its id; so have all rows that
    share an id. Nothing is done before the frame is used, and all may be done again for every use:
    write it first.

    Args:
        df: under a policy whose unit is the patient, all notes of each, which go through the memory
            of one process.
        policy: as `Deidentifier` takes it; a file is read here, and by no executor.
        key: the cohort's secret, at least 32 bytes; or the path of a key file that every executor
            has, see `dpdeid.cohort.cohort.read_key`.
        e0: the cohort's public reference date.
        text, id, patient, note_date: the columns of the notes, their ids, whose they are and their
            days. There may be none of days, nor of patients if the unit is the note.
        keep: columns to release as they are, with their types; "note_date" is the surrogate's.
        ledger_key: as `key`; tags units in `ledger` and changes no text.
        account: add a last column of that name, see `Account`; private, and not to be released.

    Raises:
        UsageError: a column is missing or may not be kept, the policy cannot be repeated in another
            process, or the key is refused.
    """
    columns = {"text": text, "id": id, "patient_id": patient, "note_date": note_date}
    table = _table(df, columns)
    kept = {name: _kept(df, table, name) for name in keep}
    every = [*keep, "account"] if account else keep
    if len({name.lower() for name in every}) != len(every):
        raise UsageError("keep: a column stands twice")
    job, plain = _job(df, table, kept, policy, (key, ledger_key), e0)
    job = replace(job, accounts=account)
    types = {
        name: StringType() if at is None else df.schema[at].dataType for name, at in kept.items()
    }
    fields = {"id": StringType(), "text": StringType(), **types, "error": StringType()}
    if account:
        fields["account"] = StringType()
    schema = StructType([StructField(name, kind) for name, kind in fields.items()])
    return _done(plain, job, job.released, schema).repartition("id").sortWithinPartitions("id")


def ledger(
    df: DataFrame,
    policy: Policy | str | Path = "dp",
    *,
    key: bytes | Path,
    e0: dt.date | None = None,
    text: str = "text",
    id: str = "id",  # noqa: A002 - the key of a row
    patient: str = "patient_id",
    note_date: str = "note_date",
    ledger_key: bytes | Path | None = None,
) -> DataFrame:
    """The charges of what `deidentify` releases under the same arguments, each once: `CHARGE`.

    A charge is called by what was drawn and not by when: the union of such frames, of whatever
    attempts, has `distinct()` rows whose sum is what was spent. It is work of its own, as much as
    releasing. Private: whoever has the ledger key can tell whether a known patient is in it.

    Raises:
        UsageError: as for `deidentify`.
    """
    columns = {"text": text, "id": id, "patient_id": patient, "note_date": note_date}
    job, plain = _job(df, _table(df, columns), {}, policy, (key, ledger_key), e0)
    schema = StructType([StructField(name, StringType()) for name in CHARGE])
    return _done(plain, job, job.charged, schema).distinct()


class Account(NamedTuple):
    """What a released row tells of the run, in its column `account` as JSON; null if it failed.

    The charges of a record stand with one of its rows at least.

    Args:
        charges: as `Charge.to_json` gives them.
        mentions: label, strategy and how many mentions it replaced.
        patient: whether the row has a patient.
    """

    charges: Sequence[Mapping[str, Any]]
    mentions: Sequence[tuple[str, str, int]]
    patient: bool


class _Rows(Origin):
    """Rows that have no numbers."""

    def row(self, number: int) -> str:
        return "this row"


def _table(df: DataFrame, columns: Mapping[str, str]) -> Columns:
    """What the columns of a frame are; one of patients or days that has no other name may miss."""
    given = {key: name for key, name in columns.items() if key != name or key in ("text", "id")}
    return Columns.of(df.columns, _Rows("", "frame"), Reading("", given))


def _kept(df: DataFrame, table: Columns, name: str) -> int | None:
    """The place of a column to keep; None for the surrogate of the note's date."""
    if name == "note_date" and name in table.own:
        return None
    if identifying(name) or (name in df.columns and name not in table.others):
        raise UsageError(f"keep: {name} is read as a key of its row and never released")
    if name not in table.others:
        raise UsageError(f"keep: no column is called {name}")
    at = table.others[name]
    if isinstance(df.schema[at].dataType, _NESTED):
        raise UsageError(f"keep: {name} holds values in values; select those that may be released")
    return at


@dataclass(frozen=True, slots=True)
class _Job:
    """What every task is told. It stands in the plan; where the key is found does, and no key.

    Args:
        policy: pickled.
        keys: a broadcast or a path of the cohort's key, and of the ledger key if there is one.
        table: the places of the columns that are read, in the caller's frame.
        kept: the places of those that are kept; None for the surrogate of the note's date.
        by_patient: whether that is the unit.
        accounts: whether rows have an `Account`.
    """

    policy: bytes
    keys: tuple[Any, ...]
    e0: dt.date | None
    table: Columns
    kept: Mapping[str, int | None]
    by_patient: bool
    accounts: bool = False

    def released(self, rows: Any) -> Any:
        """The output rows of a table or batch of Arrow."""
        results = list(self._results(rows))
        cohort = self._engine().cohort
        told = {
            "id": [None if row.id is None else cohort.released_id(row.id) for row, _ in results],
            "text": [getattr(result, "text", None) for _, result in results],
            "note_date": [getattr(result, "note_date", None) for _, result in results],
            "error": [self._error(result) for _, result in results],
        }
        good = pa.array([isinstance(result, Deidentified) for _, result in results], pa.bool_())
        out = {}
        for name in ("id", "text", *self.kept, "error"):
            if (at := self.kept.get(name)) is None:
                out[name] = pa.array(told[name], pa.string())
            else:
                column = rows.column(f"_{at}")
                out[name] = pc.if_else(good, column, pa.scalar(None, column.type))
        if self.accounts:
            out["account"] = pa.array(_accounts(results), pa.string())
        return pa.table(out)

    def charged(self, rows: Any) -> Any:
        """The charges of a table or batch of Arrow."""
        every = {
            charge
            for _, result in self._results(rows)
            if isinstance(result, Deidentified)
            for charge in result.ledger.charges
        }
        told = [charge.to_json() for charge in every]
        for one in told:
            one["loss"] = json.dumps(one["loss"], sort_keys=True)
        return pa.table(
            {name: pa.array([one[name] for one in told], pa.string()) for name in CHARGE}
        )

    def _engine(self) -> Deidentifier:
        key, ledger_key = map(_secret, self.keys)
        return _engine(self.policy, key, ledger_key, self.e0)

    def _results(self, rows: Any) -> Iterator[tuple[Row, Deidentified | Failure]]:
        """Each row with what comes of it, in their order."""
        read = {*self.table.own.values(), *self.table.facts.values()}
        values = {at: cells(rows.column(f"_{at}")) for at in read}
        none = [None] * rows.num_rows
        read_rows = zip(*(values.get(at, none) for at in range(max(read) + 1)), strict=True)
        made = [self.table.row(one, 1) for one in read_rows]
        faults = [
            row.error or (_TWICE if twice else "")
            for row, twice in zip(made, rows.column("_twice").to_pylist(), strict=True)
        ]
        pairs = list(zip(made, faults, strict=True))
        notes = (row.document for row, fault in pairs if row.document is not None and not fault)
        done = self._engine().pipe(notes)
        for row, fault in pairs:
            yield row, Failure("", fault) if fault else next(done)

    def _error(self, result: Deidentified | Failure) -> str | None:
        """A message; the other note that a record failed for is called by its released id."""
        if isinstance(result, Deidentified):
            return None
        if result.cause is None:
            return result.error
        return f"{result.error}: {self._engine().cohort.released_id(result.cause)}"


def _accounts(results: Iterable[tuple[Row, Deidentified | Failure]]) -> Iterator[str | None]:
    """The `Account` of each row; a charge stands with the first row that has it."""
    told: set[Charge] = set()
    for row, result in results:
        if isinstance(result, Failure):
            yield None
            continue
        new = result.ledger.charges - told
        told.update(new)
        counts = Counter((s.mention.label, s.strategy) for s in result.surrogates)
        mentions = [(*kind, count) for kind, count in counts.items()]
        charges = [charge.to_json() for charge in new]
        yield json.dumps(Account(charges, mentions, row.patient_id is not None))


def _job(
    df: DataFrame,
    table: Columns,
    kept: Mapping[str, int | None],
    policy: Policy | str | Path,
    keys: tuple[bytes | Path | None, bytes | Path | None],
    e0: dt.date | None,
) -> tuple[_Job, DataFrame]:
    """What tasks are told, and the frame of what they read."""
    if isinstance(policy, Deidentifier):
        raise UsageError(
            "a Deidentifier holds its key and maybe a vault, which one process has: give Spark its "
            "policy, and the key by itself"
        )
    loaded = policy if isinstance(policy, Policy) else load_policy(policy)
    as_drawn = replace(Cohort.fresh(), linkable=True, randomness=loaded.randomness)
    as_drawn.check_repeatable("a task of Spark")
    whose = table.own.get("patient_id")
    if loaded.unit == "patient" and whose is None:
        raise UsageError("the policy's unit is the patient: say whose notes are, patient=COLUMN")
    shared = tuple(None if one is None else _shared(df, one) for one in keys)
    read = {*table.own.values(), *table.facts.values()}
    every = df.toDF(*(f"_{at}" for at in range(len(df.columns))))
    own_id = f"_{table.own['id']}"
    same_id = Window.partitionBy(own_id)
    twice = functions.count(functions.lit(1)).over(same_id) > 1
    needed = sorted(read | {at for at in kept.values() if at is not None})
    cut = _cut(every.select(*(f"_{at}" for at in needed)), own_id)
    plain = cut.withColumn("_twice", twice)
    told = replace(table, others={})
    return _Job(pickle.dumps(loaded), shared, e0, told, kept, loaded.unit == "patient"), plain


def _shared(df: DataFrame, key: object) -> Any:
    """What tells an executor a key: a broadcast, or a path.

    Raises:
        UsageError: it is neither bytes nor a path, or Spark Connect would send it in the plan.
        SecretKeyError: it is too short, or can be guessed.
    """
    if isinstance(key, Path):
        return key
    if not isinstance(key, bytes):
        raise UsageError("a key is bytes, or the Path of a key file that every executor has")
    Cohort(key)
    if is_remote():
        raise UsageError("Spark Connect would send a key in the plan: give the Path of a key file")
    return df.sparkSession.sparkContext.broadcast(key)


def _secret(shared: Any) -> bytes | None:
    """The key that `_shared` tells of."""
    if isinstance(shared, Path):
        return read_key(shared)
    key: bytes | None = None if shared is None else shared.value
    return key


@lru_cache(maxsize=4)
def _engine(
    policy: bytes, key: bytes, ledger_key: bytes | None, e0: dt.date | None
) -> Deidentifier:
    """That of a process, for all its tasks."""
    return Deidentifier(pickle.loads(policy), key=key, e0=e0, ledger_key=ledger_key)


def _done(plain: DataFrame, job: _Job, step: Callable[[Any], Any], schema: StructType) -> DataFrame:
    """What a step makes of a frame: in batches, or of all notes of a patient at once. A note of
    nobody is a group of its own.
    """
    if not job.by_patient:
        return plain.mapInArrow(lambda batches: _each(step, batches), schema)
    whose = functions.col(f"_{job.table.own['patient_id']}")
    named = functions.coalesce(functions.trim(whose.cast("string")) != "", functions.lit(False))
    alone = functions.when(~named, functions.col(f"_{job.table.own['id']}"))
    parted = plain.withColumns({"_patient": functions.when(named, whose), "_note": alone})
    groups = _cut(parted, "_patient", "_note").groupBy("_patient", "_note")
    return groups.applyInArrow(lambda rows: step(rows), schema)


def _cut(df: DataFrame, *columns: str) -> DataFrame:
    """A frame, cut by columns into as many parts as the session's setting says: of itself Spark
    joins parts of few bytes, and a few bytes are much work here.
    """
    parts: Any = df.sparkSession.conf.get("spark.sql.shuffle.partitions")
    return df.repartition(int(parts), *columns)


def _each(step: Callable[[Any], Any], batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield from step(batch).to_batches()
