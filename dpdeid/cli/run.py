"""`dpdeid run`: rows in, released rows out, private files beside them."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from dpdeid.account import Account
from dpdeid.cli.counted import counted
from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.cli.leaving_out import LeavingOut, read_patients
from dpdeid.cli.progress import progress
from dpdeid.cohort import Cohort, fingerprint, parse_key, read_key
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.rows import Row, read, source_files
from dpdeid.formats.write import (
    identifying,
    json_line,
    json_text,
    mapping_row,
    open_private,
    open_text,
    span_row,
    without_identity,
)
from dpdeid.manifest import open_cohort
from dpdeid.privacy.ledger import Ledger
from dpdeid.report import ledger_report
from dpdeid.sealed import Entry, Seal
from dpdeid.sealed_file import Sealer, sealing

DEFAULT_POLICY = "dp"
_TOGETHER = 64


def deidentifier(
    policy: str | None,
    key_file: Path | None = None,
    e0: datetime | None = None,
    *,
    ledger_key_file: Path | None = None,
    cohort: Path | None = None,
) -> Deidentifier:
    """The de-identifier the options ask for; says so when its key is a fresh random one.

    Raises:
        UsageError: the policy, a key or the cohort is refused.
    """
    if cohort is not None:
        if key_file is not None or e0 is not None:
            raise UsageError("a cohort has its own key and e0: leave out --key-file and --e0")
        opened = open_cohort(cohort, policy, ledger_key_file)
        own = opened.cohort
        return Deidentifier(
            opened.policy, key=own.key, e0=own.e0, ledger_key=own.ledger_key, spent=opened.spent
        )
    key = None
    if key_file is not None:
        key = read_key(key_file)
    elif "DPDEID_KEY" in os.environ:
        key = parse_key(os.environ["DPDEID_KEY"].encode(), "DPDEID_KEY")
    else:
        print(
            "dpdeid: no --cohort, --key-file or DPDEID_KEY: a random key is used for this run "
            "only. Other runs will give other surrogates, and this one cannot be resumed.",
            file=sys.stderr,
        )
    ledger_key = None if ledger_key_file is None else read_key(ledger_key_file)
    return Deidentifier(
        DEFAULT_POLICY if policy is None else policy,
        key=key,
        e0=e0.date() if e0 else None,
        ledger_key=ledger_key,
    )


@contextmanager
def sealed_beside(path: Path | None, key_file: Path | None, own: Cohort) -> Iterator[Sealer | None]:
    """The sealed mapping that the options ask for, if they do.

    Raises:
        UsageError: one option without the other, the key of the cohort, or a file is refused.
    """
    if path is None and key_file is None:
        yield None
        return
    if path is None or key_file is None:
        raise UsageError("--seal FILE and --seal-key-file KEY go together")
    key = read_key(key_file)
    if fingerprint(key) == own.fingerprint:
        raise UsageError(
            "the key of the cohort cannot seal: make another (dpdeid key new FILE), and let "
            "somebody else keep it"
        )
    with sealing(path, Seal.of(key)) as sealer:
        yield sealer


@dataclass(slots=True)
class _Tally:
    """What the run did, for the ledger file and the exit code."""

    released: int = 0
    with_patient: int = 0
    failed: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    strategies: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def exit_code(self) -> int:
        if not self.released:
            return EXIT_NONE
        return EXIT_SOME_FAILED if self.failed else EXIT_OK


def run(
    source: str,
    *,
    deidentifier: Deidentifier,
    output: Path | None = None,
    keep_ids: bool = False,
    keep: tuple[str, ...] = (),
    spans: Path | None = None,
    mapping: Path | None = None,
    ledger: Path | None = None,
    account: Account | None = None,
    sealer: Sealer | None = None,
    exclude: Path | None = None,
    beside: tuple[Path | None, ...] = (),
) -> int:
    """De-identifies every row of `source`; the exit code says how many failed.

    Args:
        account: of the cohort; a row is released only after its charges are in it.
        sealer: the same for what leads back to the original.
        exclude: ids of patients who object, one a line; their rows are left out, and counted.
        beside: what else the command reads or adds to; no output may be one of it, or lie in it.

    Raises:
        UsageError: the source, a kept key or an output file is refused.
    """
    if refused := sorted(filter(identifying, keep)):
        raise UsageError(f"--keep {refused[0]}: this key is never released")
    keep_apart((*source_files(source), exclude, *beside), output, spans, mapping, ledger)
    tally, own = _Tally(), deidentifier.cohort
    forgotten = account.forgotten if account else ()
    left_out = LeavingOut(
        None if exclude is None else read_patients(exclude),
        lambda patient: bool(forgotten) and own.unit("patient", patient) in forgotten,
    )
    with ExitStack() as files:
        released = sys.stdout if output is None else files.enter_context(_released_file(output))
        private = {
            kind: files.enter_context(open_private(path))
            for kind, path in (("spans", spans), ("mapping", mapping), ("ledger", ledger))
            if path is not None
        }
        rows = progress(left_out.rest(read(source, sys.stdin.buffer)), "de-identified")

        def out(row: Row) -> str | None:
            return row.id if keep_ids or row.id is None else own.released_id(row.id)

        results = _results(rows, deidentifier)
        if account is not None or sealer is not None:
            results = _on_disk(results, account, sealer, out)
        for row, result in results:
            out_id = out(row)
            released.write(json_line(_released(row, result, out_id, keep)))
            if isinstance(result, Failure):
                tally.failed += 1
                if row.place:
                    print(f"dpdeid: {row.place} is {row.where}", file=sys.stderr)
                continue
            tally.released += 1
            tally.with_patient += row.document is not None and row.document.patient_id is not None
            tally.ledger += result.ledger
            tally.strategies.update((s.mention.label, s.strategy) for s in result.surrogates)
            _write_private(private, result, out_id or "", row.patient_id)
        if "ledger" in private:
            report = ledger_report(
                deidentifier,
                tally.ledger,
                tally.strategies,
                tally.failed,
                (tally.released, tally.with_patient),
                left_out.rows + left_out.forgotten_rows,
            )
            private["ledger"].write(json_text(report))
    for line in left_out.told():
        print(f"dpdeid: {line}", file=sys.stderr)
    if tally.failed:
        told = counted(tally.failed, "row")
        print(f'dpdeid: {told} failed, see their "error"', file=sys.stderr)
    if left_out.any and not tally.failed:
        return EXIT_OK
    return tally.exit_code


def _released_file(path: Path) -> TextIO:
    try:
        return open_text(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _results(
    rows: Iterable[Row], deidentifier: Deidentifier
) -> Iterator[tuple[Row, Deidentified | Failure]]:
    """Each row with its result, in order. Rows without a document never reach the engine."""
    waiting: list[Row] = []

    def documents() -> Iterator[Document]:
        for row in rows:
            waiting.append(row)
            if row.document is not None:
                yield row.document

    for result in deidentifier.pipe(documents()):
        while waiting[0].document is None:
            yield _unread(waiting.pop(0))
        yield waiting.pop(0), result
    yield from map(_unread, waiting)


def _on_disk(
    results: Iterator[tuple[Row, Deidentified | Failure]],
    account: Account | None,
    sealer: Sealer | None,
    out: Callable[[Row], str | None],
) -> Iterator[tuple[Row, Deidentified | Failure]]:
    """The same after their charges and what leads back from them are on the disk: in groups, since
    a disk is slower than a row.
    """
    while group := list(islice(results, _TOGETHER)):
        done = [(row, one) for row, one in group if isinstance(one, Deidentified)]
        if account is not None:
            account.commit(sum((one.ledger for _, one in done), Ledger()))
        if sealer is not None:
            sealer.add(
                Entry.of(row.document, one, out(row) or "") for row, one in done if row.document
            )
        yield from group


def _unread(row: Row) -> tuple[Row, Failure]:
    return row, Failure(row.id or "", row.error)


def _released(
    row: Row, result: Deidentified | Failure, out_id: str | None, keep: tuple[str, ...]
) -> dict[str, Any]:
    if isinstance(result, Failure):
        error = result.error.removeprefix(f"{row.where}: ")
        return {"id": out_id, "error": f"{row.place or row.where}: {error}"}
    kept = {key: without_identity(row.extra[key]) for key in keep if key in row.extra}
    if "note_date" in keep:
        kept["note_date"] = result.note_date
    return {"id": out_id, "text": result.text, **kept}


def _write_private(
    private: dict[str, TextIO], result: Deidentified, released_id: str, patient_id: str | None
) -> None:
    if "spans" in private:
        entities = [span_row(span) for span in result.spans]
        private["spans"].write(json_line({"id": result.id, "entities": entities}))
    if "mapping" in private:
        private["mapping"].write(json_line(mapping_row(result, released_id, patient_id)))
