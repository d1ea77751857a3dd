"""`dpdeid run --engine spark`: rows of files in, a folder of released rows out, by the processes of
a session of Spark.

Tasks read the files with the readers of this package, one file a task, so that a row is the same
note to any engine; then they are cut by patient, as `dpdeid.bridges.spark` does it. Every worker
must see the files and the folder under their paths.
"""

from __future__ import annotations

import errno
import json
import os
import pickle
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpdeid.assurance.report import ledger_report
from dpdeid.cli.options import deidentifier, tell_skipped
from dpdeid.cli.releasing.way import Asked
from dpdeid.cli.terminal import counted, exit_code, tell
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.external_sort import ChargeFile
from dpdeid.formats.kinds import Reading
from dpdeid.formats.sources import Found, look
from dpdeid.formats.targets import new_folder
from dpdeid.formats.write import keep_apart, open_private
from dpdeid.policy.policy import policy_file
from dpdeid.privacy.ledger import Charge

if TYPE_CHECKING:
    from dpdeid.bridges.spark_files import Reader

_PARTS: Final = 4
"""Parts of the work for each core, in a session that says nothing of them."""
_ONE_FILE: Final = "many processes would write one private file; a run of --engine local has it"
_ABSENT: Final = (
    "whether somebody who objects has a row is known to none of many processes; filter the rows "
    "before, or use --engine local"
)
_WHY: Final = {
    "--cohort": "its account and vault are files of one process, and no other may draw meanwhile",
    "--spans": _ONE_FILE,
    "--mapping": _ONE_FILE,
    "--seal": _ONE_FILE,
    "--seal-key-file": _ONE_FILE,
    "--exclude": _ABSENT,
    "--absent-ok": _ABSENT,
    "--workers": "Spark has workers of its own; its session says how many",
    "--shard": "Spark parts the work itself",
    "--resume": "Spark does lost tasks again, and what a lost session did is nowhere kept",
    "--keep-ids": "rows lie by their keyed ids, so that their order tells nothing",
    "--keep-order": "the parts of a frame have no order",
    "--body": "it is of documents, and Spark reads rows",
    "--dry-run": "its session reads for itself: look without --engine, the rows are the same",
}


@dataclass(frozen=True, slots=True)
class Frames:
    """What is read and what is released.

    Args:
        source: a file of rows or a folder of them.
        output: the new folder.
        keep: columns to release.
        as_it_is: those of them that no detector looks at.
    """

    source: str
    how: Reading
    output: Path | None
    keep: Sequence[str] = ()
    as_it_is: Sequence[str] = ()


def release(asked: Asked, frames: Frames, others: Mapping[str, object]) -> int:
    """De-identifies every row; the exit code says how many failed.

    Args:
        others: options that `asked` has not, by their names, with what was given for them.

    Raises:
        UsageError: what was asked for cannot be had with Spark, Spark cannot be started, or the
            source, a key or an output is refused; nothing was released then.
        ChildProcessError: a task failed; nothing was released.
    """
    found, output = _checked(asked, frames, others)
    from dpdeid.bridges.spark_files import Reader, kept_types

    engine = deidentifier(asked.policy, asked.key_file, asked.e0, asked.ledger_key_file)
    keys = (asked.key_file, asked.ledger_key_file)
    inputs = (Path(frames.source), policy_file(asked.policy), *keys)
    keep_apart(inputs, output, asked.ledger, folder=True)
    tell_skipped(found)
    began = time.monotonic()
    with ExitStack() as stack:
        folder = stack.enter_context(new_folder(output))
        ledger = asked.ledger and stack.enter_context(open_private(asked.ledger))
        charges = stack.enter_context(closing(ChargeFile(output.resolve().parent)))
        session = stack.enter_context(_session())
        with _failing():
            looked = tuple(name for name in frames.keep if name not in frames.as_it_is)
            types = kept_types(found.parts, frames.keep)
            reader = Reader(found.parts, frames.how, types, looked, pickle.dumps(engine.policy))
            done = stack.enter_context(_held(_released(session, reader, engine, keys)))
            _write(done, output, folder)
            failed = done.where("error is not null").count()
            tally = _Tally()
            for (told,) in done.where("account is not null").select("account").toLocalIterator():
                one = json.loads(told)
                tally.add(*one[1:])
                if ledger:
                    charges.add(map(Charge.from_json, one[0]))
        if ledger:
            notes = (tally.released, tally.with_patient)
            report = ledger_report(engine, tally.strategies, failed, notes)
            kept = {"columns": list(frames.keep), "as_it_is": list(frames.as_it_is)}
            # no clock gives a note up here
            charges.write(ledger, {**report, "hung_rows": 0, "kept": kept})
    seconds = max(time.monotonic() - began, 1e-3)
    if failed:
        tell(f'{counted(failed, "row")} failed, see their "error"')
    for name in frames.as_it_is:
        tell(f"--keep-as-it-is {name}: no detector looked at this column")
    tell(
        f"{counted(tally.released, 'row')} released, {failed:,} failed in {seconds:,.1f} s "
        f"({(tally.released + failed) / seconds:,.0f} notes/s)"
    )
    return exit_code(tally.released, failed)


@dataclass(slots=True)
class _Tally:
    """What released rows tell of the run."""

    released: int = 0
    with_patient: int = 0
    strategies: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, mentions: Iterable[tuple[str, str, int]], patient: bool) -> None:
        """Counts a released row, by its `dpdeid.bridges.spark.Account`."""
        self.released += 1
        self.with_patient += patient
        for label, strategy, count in mentions:
            self.strategies[label, strategy] += count


def _checked(asked: Asked, frames: Frames, others: Mapping[str, object]) -> tuple[Found, Path]:
    """What is read and the folder that is written."""
    given = {
        "--cohort": asked.cohort,
        "--spans": asked.spans,
        "--mapping": asked.mapping,
        "--seal": asked.seal,
        "--seal-key-file": asked.seal_key_file,
        "--exclude": asked.exclude,
        "--absent-ok": asked.absent_ok,
        "--workers": asked.workers > 1,
        "--resume": asked.resume,
        "--shard": asked.shard is not None,
        **others,
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"{name} is not for --engine spark: {_WHY[name]}")
    output = frames.output
    if frames.source == "-" or output is None:
        raise UsageError("--engine spark reads files and writes a folder: name INPUT and --output")
    if output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise UsageError(f"{output} is there: name a new folder")
    if output.suffix not in ("", ".parquet", ".jsonl"):
        raise UsageError(
            f"{output}: Spark writes a folder of Parquet files, or one of JSON lines if its name "
            "ends with .jsonl"
        )
    found = look(frames.source, frames.how)
    for part in found.parts:
        if part.kind.releases:
            raise UsageError(
                f"--engine spark reads rows (.jsonl, .csv, .tsv, .parquet), and there is a file of "
                f"{part.kind.name}: a document is released as one, which a frame cannot hold"
            )
        next(part.rows(frames.how), None)  # a column that is missing is told before all begins
    return found, output


@contextmanager
def _session() -> Iterator[Any]:
    """The active session; else one of the environment's settings, ended with the block."""
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    if (active := SparkSession.getActiveSession()) is not None:
        yield active
        return
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        session = SparkSession.builder.appName("dpdeid").getOrCreate()
    except PySparkRuntimeError:
        raise UsageError("Spark cannot be started: it needs Java 17 or later") from None
    setting = "spark.sql.shuffle.partitions"
    if not session.sparkContext.getConf().contains(setting):
        session.conf.set(setting, str(_PARTS * session.sparkContext.defaultParallelism))
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _failing() -> Iterator[None]:
    """A block in which Spark works; what it says of a failure may hold more than words of ours."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError):
        told = "a task of Spark failed, nothing is released: see the log of Spark"
        raise ChildProcessError(errno.ECHILD, told) from None


@contextmanager
def _held(frame: Any) -> Iterator[Any]:
    """The frame, on the disks of the session once it was made: it is used more than once."""
    from pyspark import StorageLevel

    frame.persist(StorageLevel.DISK_ONLY)
    try:
        yield frame
    finally:
        frame.unpersist()


def _released(
    session: Any, reader: Reader, engine: Deidentifier, keys: Sequence[Path | None]
) -> Any:
    """The released rows with their accounts. A row without a note goes through as an empty one of
    nobody, for its released id.
    """
    from pyspark.sql import Window, functions

    from dpdeid.bridges.spark import deidentify

    own, ledger_key = (None if path is None else path.resolve() for path in keys)
    under = partial(
        deidentify,
        policy=engine.policy,
        key=own or engine.cohort.key,
        e0=engine.cohort.e0,
        ledger_key=ledger_key,
        account=True,
    )
    read = reader.frame(session)
    same = Window.partitionBy("id").orderBy("file", "row")
    notes = read.where("wrong is null").withColumns(
        {"nth": functions.row_number().over(same), "first": functions.first("place").over(same)}
    )
    done = under(notes.where("nth = 1"), keep=reader.columns)
    names = ("id", "text", *reader.kept, "error", "account")
    wrong = (
        read.where("wrong is not null")
        .select("place", "id", "wrong")
        .union(notes.where("nth > 1").selectExpr("place", "id", "'same id as ' || first"))
        .selectExpr("id", "place || ': ' || wrong as why", "'' as text", "null as patient_id")
    )
    if wrong.isEmpty():
        return done.toDF(*names)
    named = under(wrong.where("id is not null"), keep=["why"])
    types = [one.dataType.simpleString() for one in done.schema[2:-2]]
    empty = [f"cast(null as {kind})" for kind in types]
    why = named.selectExpr("id", "null", *empty, "coalesce(why, error)", "null")
    nameless = wrong.where("id is null").selectExpr("null", "null", *empty, "why", "null")
    return done.union(why).union(nameless).toDF(*names)


def _write(done: Any, output: Path, folder: Path) -> None:
    """Writes the rows; files of JSON lines are called so, and can be read again."""
    writer = done.drop("account").write.mode("overwrite")
    if output.suffix != ".jsonl":
        writer.parquet(f"file://{folder}")
        return
    writer.json(f"file://{folder}")
    for file in folder.glob("part-*.json"):
        file.rename(file.with_suffix(".jsonl"))
    for checks in folder.glob(".*.crc"):
        checks.unlink()
