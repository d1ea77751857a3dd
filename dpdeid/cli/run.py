"""`dpdeid run`: rows in, released rows out, private files beside them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final, TextIO

from dpdeid.assurance.report import ledger_report
from dpdeid.cli.options import (
    LeavingOut,
    deidentifier,
    of_cohort,
    read_patients,
    reading,
    sealed_beside,
    tell_skipped,
)
from dpdeid.cli.terminal import EXIT_OK, counted, exit_code, metering, tell
from dpdeid.cohort.account import Account
from dpdeid.cohort.durable import is_stream
from dpdeid.cohort.manifest import committing, own_files
from dpdeid.cohort.manifest import vault as open_vault
from dpdeid.cohort.sealed import Entry, Sealer
from dpdeid.cohort.vault import Vault
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.external_sort import ChargeFile, ExternalSort
from dpdeid.formats.kinds import Piece
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import read, source_files
from dpdeid.formats.targets import Target
from dpdeid.formats.write import (
    identifying,
    json_line,
    keep_apart,
    mapping_row,
    open_private,
    span_row,
    without_identity,
)
from dpdeid.policy.policy import policy_file
from dpdeid.privacy.ledger import Ledger

_TOGETHER = 64
KEPT_ORDER: Final = (
    "--keep-order: rows stand in the order of the input, and that of an export sorted by date "
    "gives their dates away. For evaluation, not for release"
)

_Record = list[tuple[int, Row, Deidentified | Failure]]
"""The rows of a record, with their places in the input and their results."""


@dataclass(slots=True)
class _Tally:
    """What the run did, for the ledger file, the summary and the exit code."""

    released: int = 0
    with_patient: int = 0
    failed: int = 0
    strategies: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, row: Row, result: Deidentified | Failure, failed: bool) -> None:
        self.failed += failed
        if failed or isinstance(result, Failure):
            return
        self.released += 1
        self.with_patient += row.document is not None and row.document.patient_id is not None
        self.strategies.update((s.mention.label, s.strategy) for s in result.surrogates)


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
    body: bool = False,
) -> int:
    """De-identifies every row of the source; the exit code says how many failed.

    Rows are released in the order of their released ids, which tells nothing: an export sorted by
    date would give the dates away. Rows without an id come last. All files appear when all is done,
    and a row only after its charges are in the cohort's account and its way back is sealed.

    Raises:
        UsageError: the source, a kept key or an output file is refused, or somebody who objects has
            no row here; nothing was released then.
    """
    with ExitStack() as files:
        account = vault = None
        if cohort is None:
            engine = deidentifier(policy, key_file, e0, ledger_key_file)
        elif key_file is not None or e0 is not None:
            raise UsageError("a cohort has its own key and e0: leave out --key-file and --e0")
        else:
            account = files.enter_context(committing(cohort))
            vault = files.enter_context(open_vault(cohort))
            engine = of_cohort(cohort, policy, ledger_key_file, vault)
        own = engine.cohort
        sealer = files.enter_context(sealed_beside(seal, seal_key_file, own))
        if refused := sorted(filter(identifying, keep or ())):
            raise UsageError(f"--keep {refused[0]}: this key is never released")
        how = reading(format, text_column, column, body)
        beside = (policy_file(policy), key_file, ledger_key_file, seal, seal_key_file)
        sources = source_files(source, how)
        inputs = (*sources, exclude, *beside, *own_files(cohort))
        target = Target.of(output, sources, keep or ())
        keep_apart(inputs, output, spans, mapping, ledger, folder=target.kind is None)
        if keep and not target.is_of_rows:
            raise UsageError(f"--keep: {output} has no columns; rows are .jsonl, .csv or .parquet")
        if keep_order:
            tell(KEPT_ORDER)
        tell_skipped(source, how)
        forgotten = account.forgotten if account else ()
        objecting = None if exclude is None else read_patients(exclude)
        if objecting and vault is not None:
            objecting = {own: at for one, at in objecting.items() for own in vault.same(one)}
        left_out = LeavingOut(
            objecting,
            lambda patient: bool(forgotten) and own.unit("patient", patient) in forgotten,
        )

        def out(row: Row) -> str | None:
            return row.id if keep_ids or row.id is None else own.released_id(row.id)

        write = files.enter_context(target.opened())
        private = {
            kind: files.enter_context(open_private(path))
            for kind, path in (("spans", spans), ("mapping", mapping), ("ledger", ledger))
            if path is not None
        }
        meter = files.enter_context(metering("de-identified"))
        released = files.enter_context(closing(ExternalSort(_folder_of(output))))
        charges = ledger and files.enter_context(closing(ChargeFile(_folder_of(ledger))))
        encodings = Counter[str]()
        rows = meter.reading(left_out.rest(_noted(read(source, sys.stdin.buffer, how), encodings)))
        if objecting and not absent_ok:  # before anything is charged, kept or sealed
            rows = iter(list(rows))
            if left_out.absent:
                raise UsageError(_absent(exclude, left_out.absent))
        records = _results(enumerate(rows), engine)
        if account is not None or sealer is not None:
            records = _on_disk(records, account, vault, sealer, out)
        tally = _Tally()
        for record in records:
            if charges:
                charges.add(_ledger(record).charges)
            places = {row.id: row.place or row.where for _, row, _ in record}
            for number, row, result in record:
                out_id = out(row)
                piece = _released(target, row, result, out_id, keep or (), places)
                released.add(_rank(number, out_id, keep_order), json_line(piece).encode())
                tally.add(row, result, "error" in piece)
                if isinstance(result, Deidentified):
                    _write_private(private, result, out_id or "", row.patient_id)
                elif row.place:
                    tell(f"{row.place} is {row.where}")
            meter.finish(len(record))
        write(released)
        if charges:
            report = ledger_report(
                engine,
                tally.strategies,
                tally.failed,
                (tally.released, tally.with_patient),
                left_out.count,
            )
            charges.write(private["ledger"], report)
    for name, count in encodings.items():
        tell(f"{counted(count, 'file')} read as {name}")
    for told in (*left_out.told(), *_told(tally, left_out.count, meter.seconds)):
        tell(told)
    if left_out.count and not tally.failed:
        return EXIT_OK
    return exit_code(tally.released, tally.failed)


def _told(tally: _Tally, gone: int, seconds: float) -> Iterator[str]:
    if tally.failed:
        yield f'{counted(tally.failed, "row")} failed, see their "error"'
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


def _results(rows: Iterable[tuple[int, Row]], engine: Deidentifier) -> Iterator[_Record]:
    """Every row with its result, by records. Rows without a document never reach the engine."""
    unread: list[tuple[int, Row]] = []

    def readable() -> Iterator[tuple[int, Row]]:
        for number, row in rows:
            if row.document is None:
                unread.append((number, row))
            else:
                yield number, row

    for group, results in engine.records(readable(), _note):
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
    vault: Vault | None,
    sealer: Sealer | None,
    out: Callable[[Row], str | None],
) -> Iterator[_Record]:
    """The same, in groups, once what was released, its charges and what leads back from it are on
    the disk.
    """
    while True:
        with nullcontext() if vault is None else vault.together():
            group = list(islice(records, _TOGETHER))
        if not group:
            return
        if account is not None:
            account.commit(Ledger.of(c for record in group for c in _ledger(record).charges))
        if sealer is not None:
            sealer(
                Entry.of(row.document, one, out(row) or "")
                for record in group
                for _, row, one in record
                if row.document and isinstance(one, Deidentified)
            )
        yield from group


def _unread(numbered: tuple[int, Row]) -> _Record:
    number, row = numbered
    return [(number, row, Failure(row.id or "", row.error))]


def _noted(rows: Iterable[Row], encodings: Counter[str]) -> Iterator[Row]:
    """The rows; counts those that were not in UTF-8."""
    for row in rows:
        if row.encoding:
            encodings[row.encoding] += 1
        yield row


def _released(
    target: Target,
    row: Row,
    result: Deidentified | Failure,
    out_id: str | None,
    keep: Sequence[str],
    places: Mapping[str | None, str],
) -> Piece:
    """What is released of a row; `places` of the record by id: an error may lie in another row."""
    if isinstance(result, Failure):
        error = result.error.removeprefix(f"{row.where}: ")
        if result.cause is not None:
            error = f"{error}: {places[result.cause]}"
        return {"id": out_id, "error": f"{row.place or row.where}: {error}"}
    kept = {key: without_identity(row.extra[key]) for key in keep if key in row.extra}
    if "note_date" in keep:
        kept["note_date"] = result.note_date
    try:
        return target.piece(row, result, out_id or "", kept)
    except InputError as error:
        return {"id": out_id, "error": f"{row.place or row.where}: {error}"}


def _write_private(
    private: dict[str, TextIO], result: Deidentified, released_id: str, patient_id: str | None
) -> None:
    if "spans" in private:
        entities = [span_row(span) for span in result.spans]
        private["spans"].write(json_line({"id": result.id, "entities": entities}))
    if "mapping" in private:
        private["mapping"].write(json_line(mapping_row(result, released_id, patient_id)))
