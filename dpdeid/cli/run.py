"""`dpdeid run`: rows in, released rows out, private files beside them."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from dpdeid.cli.progress import progress
from dpdeid.cohort import parse_key, read_key
from dpdeid.document import Deidentified, Document, Failure
from dpdeid.engine import Deidentifier
from dpdeid.errors import UsageError
from dpdeid.formats.rows import Row, read
from dpdeid.formats.write import NEVER_KEPT, json_line, mapping_row, open_private, span_row
from dpdeid.manifest import Account, open_cohort
from dpdeid.privacy.ledger import Ledger
from dpdeid.report import ledger_report

DEFAULT_POLICY = "dp"
EXIT_OK, EXIT_SOME_FAILED, EXIT_NONE = 0, 3, 4
_PAID_TOGETHER = 64


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
        policy or DEFAULT_POLICY, key=key, e0=e0.date() if e0 else None, ledger_key=ledger_key
    )


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
) -> int:
    """De-identifies every row of `source`; the exit code says how many failed.

    Args:
        account: of the cohort; a row is released only after its charges are in it.

    Raises:
        UsageError: the source, a kept key or an output file is refused.
    """
    if refused := sorted(set(keep) & NEVER_KEPT):
        raise UsageError(f"--keep {refused[0]}: this key is never released")
    tally = _Tally()
    with ExitStack() as files:
        released = sys.stdout if output is None else files.enter_context(_released_file(output))
        private = {
            kind: files.enter_context(open_private(path))
            for kind, path in (("spans", spans), ("mapping", mapping), ("ledger", ledger))
            if path is not None
        }
        rows = progress(read(source, sys.stdin.buffer), "de-identified")
        results = _results(rows, deidentifier)
        for row, result in results if account is None else _paid(results, account):
            known = None if row.id is None else row.id
            out_id = known if keep_ids or known is None else deidentifier.cohort.released_id(known)
            released.write(json_line(_released(row, result, out_id, keep)))
            if isinstance(result, Failure):
                tally.failed += 1
                continue
            tally.released += 1
            tally.with_patient += row.document is not None and row.document.patient_id is not None
            tally.ledger += result.ledger
            tally.strategies.update((s.mention.label, s.strategy) for s in result.surrogates)
            _write_private(private, result, out_id or "")
        if "ledger" in private:
            report = ledger_report(
                deidentifier,
                tally.ledger,
                tally.strategies,
                tally.failed,
                (tally.released, tally.with_patient),
            )
            private["ledger"].write(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    if tally.failed:
        print(f'dpdeid: {tally.failed} rows failed, see their "error"', file=sys.stderr)
    return tally.exit_code


def _released_file(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
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


def _paid(
    results: Iterator[tuple[Row, Deidentified | Failure]], account: Account
) -> Iterator[tuple[Row, Deidentified | Failure]]:
    """The same after its charges are on the disk: in groups, since a disk is slower than a row."""
    while group := list(islice(results, _PAID_TOGETHER)):
        ledgers = (result.ledger for _, result in group if isinstance(result, Deidentified))
        account.commit(sum(ledgers, Ledger()))
        yield from group


def _unread(row: Row) -> tuple[Row, Failure]:
    return row, Failure(row.id or "", row.error)


def _released(
    row: Row, result: Deidentified | Failure, out_id: str | None, keep: tuple[str, ...]
) -> dict[str, Any]:
    if isinstance(result, Failure):
        where = "" if result.error.startswith(row.where) else f"{row.where}: "
        return {"id": out_id, "error": where + result.error}
    kept = {key: row.extra[key] for key in keep if key in row.extra}
    if "note_date" in keep:
        kept["note_date"] = result.note_date
    return {"id": out_id, "text": result.text, **kept}


def _write_private(private: dict[str, TextIO], result: Deidentified, released_id: str) -> None:
    if "spans" in private:
        entities = [span_row(span) for span in result.spans]
        private["spans"].write(json_line({"id": result.id, "entities": entities}))
    if "mapping" in private:
        private["mapping"].write(json_line(mapping_row(result, released_id)))
