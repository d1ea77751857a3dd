"""What every release does, wherever its rows come from and go: rows in, released rows out, private
files beside them.

Everything appears when all is done, and a row only after its charges are in the cohort's account
and its way back is sealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Final, TextIO

from dpdeid.assurance.report import ledger_report
from dpdeid.cli.options import LeavingOut, read_patients, sealed_beside
from dpdeid.cli.releasing.way import Asked, Passage, Way
from dpdeid.cli.releasing.workers import done, unknown
from dpdeid.cli.terminal import counted, metering, tell
from dpdeid.cohort.account import Account
from dpdeid.cohort.durable import is_stream
from dpdeid.cohort.journal import Journal, journal
from dpdeid.cohort.manifest import committing
from dpdeid.cohort.manifest import vault as open_vault
from dpdeid.cohort.sealed import Entry, Sealer
from dpdeid.cohort.shards import Shard
from dpdeid.cohort.vault import Vault
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.external_sort import ChargeFile, ExternalSort, grouped
from dpdeid.formats.kinds import MARK, Piece
from dpdeid.formats.rows import Row
from dpdeid.formats.write import json_line, mapping_row, open_private, span_row
from dpdeid.gazetteers import place_key
from dpdeid.labels import Label
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.running.bounded import HUNG

_TOGETHER: Final = 64

_Record = list[tuple[int, Row, Deidentified | Failure]]
"""The rows of a record, with their places in the input and their results."""


@dataclass(slots=True)
class _Tally:
    """What the run did, for the ledger file, the summary and the exit code."""

    released: int = 0
    with_patient: int = 0
    failed: int = 0
    hung: int = 0
    unread: int = 0
    strategies: Counter[tuple[str, str]] = field(default_factory=Counter)
    towns: int = 0
    same_towns: int = 0

    def add_towns(self, results: Iterable[Deidentified | Failure]) -> None:
        """The towns of a record that a mechanism drew, and those that it drew as they are."""
        drawn: dict[str, str] = {}
        for result in results:
            for one in result.surrogates if isinstance(result, Deidentified) else ():
                if one.mention.label is Label.CITY and is_drawn(one.charges):
                    drawn[place_key(one.mention.text)] = place_key(one.text)
        self.towns += len(drawn)
        self.same_towns += sum(old == new for old, new in drawn.items())

    def add(self, row: Row, result: Deidentified | Failure, failed: bool) -> None:
        self.failed += failed
        if failed or isinstance(result, Failure):
            self.hung += isinstance(result, Failure) and result.error == HUNG
            return
        self.released += 1
        self.unread += result.unread
        self.with_patient += row.document is not None and row.document.patient_id is not None
        self.strategies.update((s.mention.label, s.strategy) for s in result.surrogates)


def release(asked: Asked, way: Way) -> int:
    """De-identifies every row that comes that way; the exit code says how many failed.

    Rows are released in the order of their released ids, which tells nothing: an export sorted by
    date would give the dates away. Rows without an id come last.

    Raises:
        UsageError: a kept key or an output file is refused, or somebody who objects has no row
            here; nothing was released then.
    """
    with ExitStack() as files:
        account = vault = None
        asked.check()
        if asked.cohort is not None:
            account = files.enter_context(committing(asked.cohort, asked.shard))
            vault = files.enter_context(open_vault(asked.cohort))
        engine = asked.engine(vault)
        own = engine.cohort
        sealer = files.enter_context(sealed_beside(asked.seal, asked.seal_key_file, own))
        resumed = asked.apart(way)
        before = None
        if resumed is not None:
            before = files.enter_context(journal(resumed, engine.policy, own))
        if before and before.places:
            tell(f"{counted(len(before.places), 'record')} done before, by {before.path}")
        forgotten = account.forgotten if account else ()
        left_out = leaving_out(asked.exclude, engine, forgotten, vault)
        passage = files.enter_context(way.opened(engine, vault.patient if vault else str))
        private = {
            kind: files.enter_context(open_private(path))
            for kind, path in asked.private.items()
            if path is not None
        }
        meter = files.enter_context(metering("de-identified"))
        released = files.enter_context(closing(ExternalSort(_folder_of(way.output))))
        charges = asked.ledger and files.enter_context(
            closing(ChargeFile(_folder_of(asked.ledger)))
        )
        rows = meter.reading(passage.rows(left_out))
        waiting = _folder_of(way.output)
        if left_out.objecting and not asked.absent_ok:  # before anything is charged, kept or sealed
            every = grouped(rows, lambda row: None, waiting)
            rows = chain(next(every, ()), chain.from_iterable(every))
            check_absent(asked.exclude, left_out)
        same = vault.patient if vault else str
        numbered = of_shard(enumerate(rows), engine, asked.shard)
        records = _results(numbered, engine, same, waiting, asked.workers, before)
        if account is not None or sealer is not None or before is not None:
            records = _on_disk(records, account, vault, sealer, before, passage.name)
        tally = _Tally()
        for record in records:
            if charges:
                charges.add(_ledger(record).charges)
            tally.add_towns(result for *_, result in record)
            places = {row.id: row.place or row.where for _, row, _ in record}
            for number, row, result in record:
                if row.aside:
                    passage.take(row, result)
                    continue
                name = passage.name(row)
                piece = _released(passage, row, result, name, places)
                place = number.to_bytes(8, "big")
                rank = place if way.keeps_order else _rank(passage, name, place)
                released.add(rank, json_line(piece).encode())
                tally.add(row, result, "error" in piece)
                if isinstance(result, Deidentified):
                    _write_private(private, result, name or "", row.patient_id)
                elif row.place:
                    tell(f"{row.place} is {row.where}")
            meter.finish(len(record))
        passage.write(released)
        if charges:
            report = ledger_report(
                engine,
                tally.strategies,
                tally.failed,
                (tally.released, tally.with_patient),
                left_out.count,
            )
            told = {**report, "hung_rows": tally.hung, **passage.reported()}
            charges.write(private["ledger"], told)
    for said in (*passage.told(), *left_out.told(), *_told(tally, left_out.count, meter.seconds)):
        tell(said)
    return left_out.exit_code(tally.released, tally.failed)


def is_drawn(charges: Iterable[Charge]) -> bool:
    """Whether one of them is for noise that has a guarantee."""
    return any(not isinstance(charge.loss, NoGuarantee) for charge in charges)


def leaving_out(
    exclude: Path | None, engine: Deidentifier, forgotten: Collection[str], vault: Vault | None
) -> LeavingOut:
    """Whose rows are left out.

    Args:
        forgotten: tags of the patients whom the cohort forgot.

    Raises:
        UsageError: the file cannot be read.
    """
    objecting = None if exclude is None else read_patients(exclude)
    if objecting and vault is not None:
        objecting = {own: at for one, at in objecting.items() for own in vault.same(one)}
    return LeavingOut(
        objecting,
        lambda patient: bool(forgotten) and engine.cohort.unit("patient", patient) in forgotten,
    )


def _told(tally: _Tally, gone: int, seconds: float) -> Iterator[str]:
    if tally.failed:
        yield f'{counted(tally.failed, "row")} failed, see their "error"'
    if tally.hung:
        yield f"{counted(tally.hung, 'row')} {HUNG}: another run may give other rows"
    if tally.same_towns:
        yield (
            f"{tally.same_towns:,} of {counted(tally.towns, 'town')} came out unchanged, as the "
            "draw may: tell this count to nobody whom the release is for"
        )
    if tally.unread:
        yield (
            f"{counted(tally.unread, 'paragraph')} in a language that is not read: what looks like "
            "a name, a date or a number there was redacted"
        )
    speed = (tally.released + tally.failed) / max(seconds, 1e-3)
    yield (
        f"{counted(tally.released, 'row')} released, {tally.failed:,} failed, {gone:,} left out in "
        f"{seconds:,.1f} s ({speed:,.0f} notes/s)"
    )


def check_absent(exclude: Path | None, left_out: LeavingOut) -> None:
    """Nothing, if everybody who objects has a row; once all rows were read.

    Raises:
        UsageError: somebody has none.
    """
    if not (lines := left_out.absent):
        return
    more = f" and of {counted(len(lines) - 1, 'line')} more" if len(lines) > 1 else ""
    raise UsageError(
        f"{exclude}: no row is of the patient of line {lines[0]}{more}. A typing error would "
        "release somebody who objects, so nothing is released; if the file is a standing list, "
        "add --absent-ok"
    )


def _folder_of(path: Path | None) -> Path | None:
    """Where what is meant for a file waits: beside it, or in the system's place if it is none."""
    return None if path is None or is_stream(path) else path.resolve().parent


def _rank(passage: Passage, name: str | None, place: bytes) -> bytes:
    """Sorts released rows by their released ids, those without one last."""
    return b"\1" + place if name is None else b"\0" + passage.rank(name) + place


def of_shard(
    rows: Iterable[tuple[int, Row]],
    engine: Deidentifier,
    shard: Shard | None,
) -> Iterator[tuple[int, Row]]:
    """The rows of a part of the units; what cannot be read is of the first part."""
    for number, row in rows:
        if shard is None:
            yield number, row
        elif row.document is None:
            if shard.number == 1:
                yield number, row
        elif shard.has(engine.cohort.unit(*engine.unit([row.document]))):
            yield number, row


def _results(
    rows: Iterable[tuple[int, Row]],
    engine: Deidentifier,
    same: Callable[[str], str],
    folder: Path | None,
    workers: int,
    before: Journal | None,
) -> Iterator[_Record]:
    """Every row with its result, by records; what was done before is not done again. Rows without a
    document never reach the engine.
    """
    unread: list[tuple[int, Row]] = []

    def readable() -> Iterator[tuple[int, Row]]:
        for number, row in rows:
            if row.document is None:
                unread.append((number, row))
            else:
                yield number, row

    def patient(numbered: tuple[int, Row]) -> str | None:
        found = _note(numbered).patient_id
        return None if found is None else same(found)

    groups: Iterable[Sequence[tuple[int, Row]]] = ([one] for one in readable())
    if engine.policy.unit == "patient":
        groups = grouped(readable(), patient, folder)
    known = before.find if before else unknown
    for group, results in done(groups, _note, engine, workers, known):
        yield [(*one, result) for one, result in zip(group, results, strict=True)]
        yield from map(_unread, unread)
        unread.clear()
    yield from map(_unread, unread)


def _note(numbered: tuple[int, Row]) -> Document:
    document = numbered[1].document
    assert document is not None
    return document


def _notes(record: _Record) -> list[Document]:
    return [row.document for _, row, _ in record if row.document]


def _ledger(record: _Record) -> Ledger:
    """What a record has spent: each of its notes has all of it."""
    return next((one.ledger for _, _, one in record if isinstance(one, Deidentified)), Ledger())


def _on_disk(
    records: Iterator[_Record],
    account: Account | None,
    vault: Vault | None,
    sealer: Sealer | None,
    before: Journal | None,
    name: Callable[[Row], str | None],
) -> Iterator[_Record]:
    """The same, in groups, once what was released, its charges and what leads back from it are on
    the disk; then that they are done.
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
                Entry.of(row.document, one, name(row) or "")
                for record in group
                for _, row, one in record
                if row.document and not row.aside and isinstance(one, Deidentified)
            )
        if before is not None:
            before.add((_notes(record), [one for *_, one in record]) for record in group)
        yield from group


def _unread(numbered: tuple[int, Row]) -> _Record:
    number, row = numbered
    return [(number, row, Failure(row.id or "", row.error))]


def _released(
    passage: Passage,
    row: Row,
    result: Deidentified | Failure,
    name: str | None,
    places: Mapping[str | None, str],
) -> Piece:
    """What is released of a row; `places` of the record by id: an error may lie in another row."""
    if isinstance(result, Failure):
        error = result.error.removeprefix(row.where).removeprefix(": ")
        if result.cause is not None:
            error = f"{error}: {places[result.cause]}"
    else:
        try:
            return passage.piece(row, result, name or "")
        except InputError as wrong:
            error = str(wrong)
    where = row.place or row.where
    return {"id": name, "error": f"{where}{'' if error.startswith(MARK) else ': '}{error}"}


def _write_private(
    private: dict[str, TextIO], result: Deidentified, released_id: str, patient_id: str | None
) -> None:
    if "spans" in private:
        entities = [span_row(span) for span in result.spans]
        private["spans"].write(json_line({"id": result.id, "entities": entities}))
    if "mapping" in private:
        private["mapping"].write(json_line(mapping_row(result, released_id, patient_id)))
