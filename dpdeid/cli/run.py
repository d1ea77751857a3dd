"""`dpdeid run`: rows in, released rows out, private files beside them."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final, TextIO

from dpdeid.account import Account
from dpdeid.cli.counted import counted
from dpdeid.cli.exits import EXIT_NONE, EXIT_OK, EXIT_SOME_FAILED
from dpdeid.cli.leaving_out import LeavingOut, read_patients
from dpdeid.cli.progress import metering
from dpdeid.cli.skipped import tell_skipped
from dpdeid.cohort import Cohort, fingerprint, parse_key, read_key
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.durable import is_stream
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.apart import keep_apart
from dpdeid.formats.charges import ChargeFile
from dpdeid.formats.external_sort import ExternalSort
from dpdeid.formats.rows import Row, read, source_files
from dpdeid.formats.write import (
    identifying,
    json_line,
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
KEPT_ORDER: Final = (
    "--keep-order: rows stand in the order of the input, and that of an export sorted by date "
    "gives their dates away. For evaluation, not for release"
)

_Record = list[tuple[int, Row, Deidentified | Failure]]
"""The rows of a record, with their places in the input and their results."""


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
    """What the run did, for the ledger file, the summary and the exit code."""

    released: int = 0
    with_patient: int = 0
    failed: int = 0
    strategies: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, row: Row, result: Deidentified | Failure) -> None:
        if isinstance(result, Failure):
            self.failed += 1
            return
        self.released += 1
        self.with_patient += row.document is not None and row.document.patient_id is not None
        self.strategies.update((s.mention.label, s.strategy) for s in result.surrogates)

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
    keep_order: bool = False,
    keep: tuple[str, ...] = (),
    spans: Path | None = None,
    mapping: Path | None = None,
    ledger: Path | None = None,
    account: Account | None = None,
    sealer: Sealer | None = None,
    exclude: Path | None = None,
    absent_ok: bool = False,
    beside: tuple[Path | None, ...] = (),
) -> int:
    """De-identifies every row of `source`; the exit code says how many failed.

    Rows are released in the order of their released ids, which tells nothing: an export sorted by
    date would give the dates away. Rows without an id come last. All files appear when all is done.

    Args:
        keep_order: release them in the order of the input instead, and warn.
        account: of the cohort; a row is released only after its charges are in it.
        sealer: the same for what leads back to the original.
        exclude: ids of patients who object, one a line; their rows are left out, and counted.
        absent_ok: whether some of them may have no row here.
        beside: what else the command reads or adds to; no output may be one of it, or lie in it.

    Raises:
        UsageError: the source, a kept key or an output file is refused, or somebody who objects has
            no row here; nothing was released then.
    """
    if refused := sorted(filter(identifying, keep)):
        raise UsageError(f"--keep {refused[0]}: this key is never released")
    keep_apart((*source_files(source), exclude, *beside), output, spans, mapping, ledger)
    if keep_order:
        print(f"dpdeid: {KEPT_ORDER}", file=sys.stderr)
    tell_skipped(source)
    tally, own = _Tally(), deidentifier.cohort
    forgotten = account.forgotten if account else ()
    left_out = LeavingOut(
        None if exclude is None else read_patients(exclude),
        lambda patient: bool(forgotten) and own.unit("patient", patient) in forgotten,
    )

    def out(row: Row) -> str | None:
        return row.id if keep_ids or row.id is None else own.released_id(row.id)

    with ExitStack() as files:
        target = sys.stdout if output is None else files.enter_context(open_text(output))
        private = {
            kind: files.enter_context(open_private(path))
            for kind, path in (("spans", spans), ("mapping", mapping), ("ledger", ledger))
            if path is not None
        }
        meter = files.enter_context(metering("de-identified"))
        released = files.enter_context(ExternalSort(_folder_of(output)))
        charges = ledger and files.enter_context(ChargeFile(_folder_of(ledger)))
        rows = enumerate(meter.reading(left_out.rest(read(source, sys.stdin.buffer))))
        records = _results(rows, deidentifier)
        if account is not None or sealer is not None:
            records = _on_disk(records, account, sealer, out)
        for record in records:
            if charges:
                charges.add(_ledger(record).charges)
            places = {row.id: row.place or row.where for _, row, _ in record}
            for number, row, result in record:
                out_id = out(row)
                line = json_line(_released(row, result, out_id, keep, places))
                released.add(_rank(number, out_id, keep_order), line.encode())
                tally.add(row, result)
                if isinstance(result, Failure):
                    if row.place:
                        print(f"dpdeid: {row.place} is {row.where}", file=sys.stderr)
                else:
                    _write_private(private, result, out_id or "", row.patient_id)
            meter.finish(len(record))
        if left_out.absent and not absent_ok:
            raise UsageError(_absent(exclude, left_out.absent))
        target.writelines(line.decode() for line in released)
        if charges:
            report = ledger_report(
                deidentifier,
                tally.strategies,
                tally.failed,
                (tally.released, tally.with_patient),
                left_out.rows + left_out.forgotten_rows,
            )
            charges.write(private["ledger"], report)
    for told in (*left_out.told(), *_told(tally, left_out, meter.seconds)):
        print(f"dpdeid: {told}", file=sys.stderr)
    if left_out.any and not tally.failed:
        return EXIT_OK
    return tally.exit_code


def _told(tally: _Tally, left_out: LeavingOut, seconds: float) -> Iterator[str]:
    """What the run did, in counts."""
    if tally.failed:
        yield f'{counted(tally.failed, "row")} failed, see their "error"'
    gone = left_out.rows + left_out.forgotten_rows
    speed = (tally.released + tally.failed) / max(seconds, 1e-3)
    yield (
        f"{counted(tally.released, 'row')} released, {tally.failed:,} failed, {gone:,} left out in "
        f"{seconds:,.1f} s ({speed:,.0f} notes/s)"
    )


def _absent(exclude: Path | None, lines: Sequence[int]) -> str:
    more = f" and of {counted(len(lines) - 1, 'line')} more" if len(lines) > 1 else ""
    return (
        f"{exclude}: no row is of the patient of line {lines[0]}{more}. A typing error would "
        "release somebody who objects, so nothing is released; if the file is a standing list, "
        "add --absent-ok"
    )


def _folder_of(path: Path | None) -> Path | None:
    """Where what is meant for a file waits: beside it, or in the system's place if it is none."""
    return None if path is None or is_stream(path) else path.resolve().parent


def _rank(number: int, out_id: str | None, keep_order: bool) -> bytes:
    """Sorts released rows by their released ids, those without one last; or as they came."""
    place = number.to_bytes(8, "big")
    if keep_order:
        return place
    if out_id is None:
        return b"\1" + place
    return b"\0" + out_id.encode("utf-8", "surrogatepass") + place


def _results(rows: Iterable[tuple[int, Row]], deidentifier: Deidentifier) -> Iterator[_Record]:
    """Every row with its result, by records. Rows without a document never reach the engine."""
    unread: list[tuple[int, Row]] = []

    def readable() -> Iterator[tuple[int, Row]]:
        for number, row in rows:
            if row.document is None:
                unread.append((number, row))
            else:
                yield number, row

    for group, results in deidentifier.records(readable(), _note):
        yield [(*one, result) for one, result in zip(group, results, strict=True)]
        yield from map(_unread, unread)
        unread.clear()
    yield from map(_unread, unread)


def _note(numbered: tuple[int, Row]) -> Document:
    document = numbered[1].document
    assert document is not None
    return document


def _ledger(record: _Record) -> Ledger:
    """What a record has spent: each of its notes has all of it."""
    return next((one.ledger for _, _, one in record if isinstance(one, Deidentified)), Ledger())


def _on_disk(
    records: Iterator[_Record],
    account: Account | None,
    sealer: Sealer | None,
    out: Callable[[Row], str | None],
) -> Iterator[_Record]:
    """The same after their charges and what leads back from them are on the disk: in groups, since
    a disk is slower than a row.
    """
    while group := list(islice(records, _TOGETHER)):
        if account is not None:
            account.commit(Ledger.of(c for record in group for c in _ledger(record).charges))
        if sealer is not None:
            sealer.add(
                Entry.of(row.document, one, out(row) or "")
                for record in group
                for _, row, one in record
                if row.document and isinstance(one, Deidentified)
            )
        yield from group


def _unread(numbered: tuple[int, Row]) -> _Record:
    number, row = numbered
    return [(number, row, Failure(row.id or "", row.error))]


def _released(
    row: Row,
    result: Deidentified | Failure,
    out_id: str | None,
    keep: tuple[str, ...],
    places: Mapping[str | None, str],
) -> dict[str, Any]:
    """What is released of a row.

    Args:
        places: of the rows of the same record by their ids, for an error that lies in another one.
    """
    if isinstance(result, Failure):
        error = result.error.removeprefix(f"{row.where}: ")
        if result.cause is not None:
            error = f"{error}: {places[result.cause]}"
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
