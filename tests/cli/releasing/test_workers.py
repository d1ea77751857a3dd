"""Several processes give what one gives, and none that dies takes anything with it unseen."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.cli.releasing import workers
from dpdeid.cli.releasing.workers import done
from dpdeid.cohort.vault import Vault
from dpdeid.detect.merge.published import LEARNED
from dpdeid.document import Deidentified, Document, Failure, Span, Task
from dpdeid.engine import Deidentifier
from dpdeid.policy.policy import Policy, load_policy
from dpdeid.running import bounded
from dpdeid.running.bounded import HUNG
from tests.conftest import KEY

RECORDS = [
    [
        Document(f"{p}-{n}", f"Mme Kervadec, vue le {n + 1:02}/03/2021 à Nîmes.", f"p{p}")
        for n in range(1 + p % 3)
    ]
    for p in range(40)
]


def rules() -> Policy:
    policy = load_policy("dp")
    return policy.found_by(*(d for d in policy.detectors if d.name not in LEARNED))


def itself(doc: Document) -> Document:
    return doc


def all_of(count: int, records: Sequence[Sequence[Document]] = RECORDS) -> list[object]:
    with Vault(None, KEY) as vault:
        engine = Deidentifier(rules(), key=KEY, vault=vault)
        results = [
            (list(docs), list(given)) for docs, given in done(records, itself, engine, count)
        ]
        return [results, vault.counts(), [vault.recall(("patient", f"p{p}")) for p in range(40)]]


def test_two_processes_give_what_one_gives_and_the_vault_remembers_it() -> None:
    assert all_of(2) == all_of(1)


def test_a_run_of_two_workers_is_that_of_one(tmp_path: Path) -> None:
    source = tmp_path / "notes.jsonl"
    rows = [{"id": d.id, "text": d.text, "patient_id": d.patient_id} for r in RECORDS for d in r]
    rows[3].pop("text")
    source.write_text("\n".join(map(json.dumps, sorted(rows, key=lambda row: row["id"][::-1]))))
    outcomes = []
    for count in ("1", "2"):
        for kind in ("out", "spans", "ledger"):
            (tmp_path / kind).unlink(missing_ok=True)
        key = tmp_path / "key"
        key.write_bytes(KEY)
        key.chmod(0o600)
        private = ("--spans", tmp_path / "spans", "--ledger", tmp_path / "ledger")
        files = ("-k", key, "-o", tmp_path / "out", *private)
        options = ("-p", "aphp", "--workers", count)
        arguments = [*map(str, ("run", source, *files, *options))]
        assert CliRunner().invoke(app, arguments).exit_code == 3
        outcomes.append([(tmp_path / kind).read_bytes() for kind in ("out", "spans", "ledger")])
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0].count(b"\n") == len(rows)


def test_a_record_that_fails_is_told_at_its_place() -> None:
    strangers = [Document("x", "Vue.", "a"), Document("y", "Vue.", "b")]
    engine = Deidentifier(rules(), key=KEY)
    late = [Document("z", "Vue.", note_date="2999-01-01")]  # type: ignore[arg-type]
    given = list(done([strangers, late, RECORDS[0]], itself, engine, 2))
    kinds = [[type(one) for one in results] for _, results in given]
    assert kinds == [[Failure, Failure], [Failure], [Deidentified]]


def test_no_more_is_read_than_workers_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_TOGETHER", 1)
    read = 0

    def records() -> Iterator[list[Document]]:
        nonlocal read
        for record in RECORDS:
            read += 1
            yield record

    results = done(records(), itself, Deidentifier(rules(), key=KEY), 2)
    next(results)
    assert read <= 2 * 3 + 1
    results.close()


@dataclass(frozen=True)
class Endless:
    """A detector that never ends on some notes, in Python or inside an expression."""

    name: ClassVar[str] = "endless"

    def __call__(self, doc: Document) -> Iterator[Span]:
        if "boucle" in doc.text:
            while True:
                pass
        if "retour" in doc.text:
            re.match(r"(a+)+$", "a" * 60 + "b")
        return iter(())


@pytest.mark.parametrize("word", ["boucle", "retour"])
def test_a_record_that_never_ends_is_an_error_of_its_own(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setattr(bounded, "LEAST_SECONDS", 0.5)
    engine = Deidentifier(rules().found_by(Endless()), key=KEY)
    hangs = [Document("h1", f"Mme Kervadec, {word}.", "q"), Document("h2", "Vue.", "q")]
    before = signal.getsignal(signal.SIGALRM)
    given = [results for _, results in done([RECORDS[0], hangs, RECORDS[1]], itself, engine)]
    assert [[type(one) for one in results] for results in given] == [
        [Deidentified], [Failure, Failure], [Deidentified, Deidentified]
    ]  # fmt: skip
    assert given[1] == [Failure("h1", HUNG), Failure("h2", HUNG)]
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_run_says_that_a_record_never_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "LEAST_SECONDS", 0.3)
    attempt = Deidentifier.attempt

    def endless(engine: Deidentifier, task: Task) -> object:
        while "boucle" in task.documents[0].text:
            pass
        return attempt(engine, task)

    monkeypatch.setattr(Deidentifier, "attempt", endless)
    source, ledger = tmp_path / "notes.jsonl", tmp_path / "ledger"
    rows = [{"id": "a", "text": "En boucle."}, {"id": "b", "text": "Vu."}]
    source.write_text("\n".join(map(json.dumps, rows)))
    files = ("-o", str(tmp_path / "out.jsonl"), "--ledger", str(ledger))
    told = CliRunner().invoke(app, ["run", str(source), "-p", "redact", *files])
    assert told.exit_code == 3
    assert f"1 row {HUNG}: another run may give other rows" in told.output
    assert json.loads(ledger.read_text())["hung_rows"] == 1
    released = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert sorted(row.get("error", "") for row in released) == ["", f"row 1: {HUNG}"]


def test_a_worker_that_is_killed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_TOGETHER", 1)
    results = done(RECORDS, itself, Deidentifier(rules(), key=KEY), 2)
    next(results)
    import multiprocessing

    for child in multiprocessing.active_children():
        os.kill(child.pid or 0, signal.SIGKILL)
    with pytest.raises(ChildProcessError, match="a worker was killed"):
        list(results)
