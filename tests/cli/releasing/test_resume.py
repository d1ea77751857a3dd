"""A run that is killed at any moment goes on: nothing lost, nothing twice, no half line."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cohort.cohort import Cohort
from dpdeid.cohort.journal import journal
from dpdeid.detect.merge.published import LEARNED
from dpdeid.document import Document, Task
from dpdeid.engine import Deidentifier
from dpdeid.errors import SecretKeyError, UsageError
from dpdeid.policy.policy import Policy, load_policy, policy_text
from tests.conftest import KEY, OTHER_KEY

POINTS = int(os.environ.get("DPDEID_KILL_POINTS", "100"))
"""Moments at which a run is killed; a nightly run asks for more."""
PATIENTS = 18


def rules() -> Policy:
    policy = load_policy("dp")
    return policy.found_by(*(d for d in policy.detectors if d.name not in LEARNED))


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, [str(a) for a in args], env={"DPDEID_KEY": None})


class Ward:
    """A cohort and the notes of some patients; what a run writes lies in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source, self.released = folder / "notes.jsonl", folder / "out.jsonl"
        self.journal = folder / "out.jsonl.resume"
        self.cohort, self.key = folder / "cohort", folder / "seal.key"
        rows = [
            {
                "id": f"{p}-{n}",
                "patient_id": f"p{p}",
                "text": f"Mme Kervadec{p}, née le 0{1 + p % 9}/03/1950, vue le {n + 1}/05/2021 "
                f"puis le {n + 20}/06/2021 à Nîmes, 71 ans. Tél 06 12 34 56 {p:02}.",
            }
            for p in range(PATIENTS)
            for n in range(1 + p % 3)
        ]
        rows[7].pop("text")
        self.source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        policy = folder / "policy.yaml"  # the rules alone: the models take time to load
        policy.write_text(policy_text("dp").replace(", crf, transformer]", "]"))
        assert "transformer]" not in policy.read_text()
        assert invoke("cohort", "new", self.cohort, "-p", policy).exit_code == 0
        assert invoke("key", "new", self.key).exit_code == 0

    def run(self, *more: object) -> int:
        return self.runs(*more).exit_code

    def runs(self, *more: object) -> Result:
        files = ("-o", self.released, "--ledger", self.folder / "ledger")
        sealing = ("--seal", self.folder / "sealed", "--seal-key-file", self.key)
        given = ("run", self.source, "-c", self.cohort, *files, *sealing, "--resume", *more)
        return invoke(*given)

    def outcome(self) -> dict[str, object]:
        """All that a run leaves, in an order of its own where the order says nothing."""
        ledger = json.loads((self.folder / "ledger").read_text())
        lines = {
            name: sorted((self.folder / name).read_bytes().splitlines())
            for name in ("sealed", "cohort/charges.jsonl")
        }
        assert all(len({*own}) == len(own) for own in lines.values())
        assert sorted(p.name for p in self.folder.iterdir()) == sorted(
            ["notes.jsonl", "policy.yaml", "cohort", "seal.key", "out.jsonl", "ledger", "sealed"]
        )
        return {
            "released": self.released.read_bytes(),
            "charges": ledger["charges"],
            "totals": ledger["totals"],
            **lines,
        }


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Ward:
    return Ward(tmp_path_factory.mktemp("ward"))


@pytest.fixture(scope="module")
def whole(ward: Ward, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a run that nobody kills leaves."""
    other = copied(ward, tmp_path_factory.mktemp("whole") / "ward")
    assert other.run() == 3
    return other.outcome()


def copied(ward: Ward, folder: Path) -> Ward:
    shutil.copytree(ward.folder, folder)
    other = object.__new__(Ward)
    other.folder = folder
    other.source, other.released = folder / "notes.jsonl", folder / "out.jsonl"
    other.journal, other.cohort = folder / "out.jsonl.resume", folder / "cohort"
    other.key = folder / "seal.key"
    return other


def in_child(work: Callable[[], object], seconds: float | None = None) -> bool:
    """Does something in a process of its own; whether kill -9 ended it, after so many seconds."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        work()
        os._exit(0)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)  # who ended before waits to be asked for: nobody else is hit
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.slow
def test_a_run_killed_anywhere_goes_on_to_the_same_end(
    ward: Ward, whole: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpdeid.cli.releasing.release._TOGETHER", 4)
    draws = random.Random(20)
    for name in ("warm", "timed"):
        began = time.monotonic()
        in_child(copied(ward, tmp_path / name).run)
        longest = time.monotonic() - began
    kills = went_on = 0
    for point in range(POINTS):
        other = copied(ward, tmp_path / str(point))
        for _ in range(draws.choice((1, 1, 2))):  # one that goes on may be killed too
            kills += in_child(other.run, draws.uniform(0.01, longest))
            if other.released.exists():  # nothing of it is there before all of it
                assert other.released.read_bytes() == whole["released"]
            went_on += other.journal.exists() and other.journal.read_bytes().count(b"\n") > 1
        assert not in_child(other.run)
        assert not [*other.folder.glob("*.part")]  # what a killed process was writing
        assert other.outcome() == whole, f"point {point}"
        shutil.rmtree(other.folder)
    assert kills > POINTS / 2
    assert went_on > POINTS / 10


def interrupt(ward: Ward, after: int) -> None:
    """A run whose disk is full after so many records."""
    attempt, done = Deidentifier.attempt, []

    def failing(engine: Deidentifier, task: Task) -> object:
        done.append(task)
        if len(done) > after:
            raise OSError(28, "No space left on device")
        return attempt(engine, task)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpdeid.cli.releasing.release._TOGETHER", 4)
        patch.setattr(Deidentifier, "attempt", failing)
        ended = ward.runs()
    assert isinstance(ended.exception, OSError)
    assert not ward.released.exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_done_is_not_done_again(
    ward: Ward,
    whole: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
) -> None:
    other = copied(ward, tmp_path / "ward")
    interrupt(other, after=13)
    records = other.journal.read_bytes().count(b"\n") - 1  # behind a head
    assert records == 4 * 3 - 1  # groups of four, less the row that could not be read
    asked = []
    task = Deidentifier.task

    def counting(engine: Deidentifier, docs: Sequence[Document]) -> object:
        asked.append(docs)
        return task(engine, docs)

    monkeypatch.setattr(Deidentifier, "task", counting)
    assert other.run("--workers", workers) == 3
    assert len(asked) == PATIENTS - records
    assert other.outcome() == whole


def test_a_record_that_changed_is_done_anew(ward: Ward, tmp_path: Path) -> None:
    other = copied(ward, tmp_path / "ward")
    interrupt(other, after=PATIENTS - 1)
    rows = [*map(json.loads, other.source.read_text().splitlines())]
    rows[0]["text"] = "Rien à signaler."
    other.source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert other.run() == 3
    released = [json.loads(line) for line in other.released.read_text().splitlines()]
    assert sum(row.get("text") == "Rien à signaler." for row in released) == 1


def test_it_says_what_it_goes_on_from_and_needs_a_key_and_a_file(
    ward: Ward, tmp_path: Path
) -> None:
    other = copied(ward, tmp_path / "ward")
    interrupt(other, after=8)
    files = ("-o", other.released, "--resume")
    told = invoke("run", other.source, "-c", other.cohort, *files)
    assert told.exit_code == 3
    assert "7 records done before" in told.output
    told = invoke("run", other.source, "-p", "redact", "-o", tmp_path / "o.jsonl", "--resume")
    assert isinstance(told.exception, SecretKeyError)
    assert "--resume" in str(told.exception)
    told = invoke("run", other.source, "-c", other.cohort, "--resume")
    assert isinstance(told.exception, UsageError)
    assert "-o" in str(told.exception)


COHORT = Cohort(KEY)
DOCS = [[Document(f"n{n}", f"Mme Kervadec, vue le {n + 1}/03/2021.", f"p{n}")] for n in range(4)]


def kept(path: Path) -> None:
    """A journal of the first three of `DOCS`, left as a run that was killed leaves it."""
    engine = Deidentifier(rules(), key=KEY)
    with suppress(KeyboardInterrupt), journal(path, engine.policy, COHORT) as begun:
        begun.add((docs, engine.results(docs)) for docs in DOCS[:3])
        raise KeyboardInterrupt


def test_a_journal_gives_back_what_it_took_and_hides_it(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept(path)
    engine = Deidentifier(rules(), key=KEY)
    held = path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    assert b"Kervadec" not in held
    assert b"n1" not in held.split(b"\n", 1)[1][:40]
    with journal(path, engine.policy, COHORT) as begun:
        for docs in DOCS[:3]:
            assert begun.find(docs) == engine.results(docs)
        assert begun.find(DOCS[3]) is None
        assert begun.find([DOCS[0][0], DOCS[1][0]]) is None
        assert begun.find([replace(DOCS[0][0], note_date=dt.date(2021, 3, 1))]) is None
        begun.add([(DOCS[0], engine.results(DOCS[0]))])
        assert path.read_bytes() == held
    assert not path.exists()


def test_failures_are_not_kept(tmp_path: Path) -> None:
    engine = Deidentifier(rules(), key=KEY)
    late = [Document("z", "Vue.", note_date=dt.date(2999, 1, 1))]
    with journal(tmp_path / "journal", engine.policy, COHORT) as begun:
        begun.add([(late, engine.results(late))])
        assert begun.find(late) is None


def test_a_line_cut_short_is_as_none(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept(path)
    path.write_bytes(path.read_bytes()[:-5])
    with journal(path, rules(), COHORT) as begun:
        assert [begun.find(docs) is not None for docs in DOCS] == [True, True, False, False]
        assert begun.path == path


def test_a_line_that_was_altered_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept(path)
    head, one, *others = path.read_bytes().splitlines(keepends=True)
    middle = len(one) // 2
    swapped = b"A" if one[middle : middle + 1] != b"A" else b"B"
    path.write_bytes(head + one[:middle] + swapped + one[middle + 1 :] + b"".join(others))
    with (
        pytest.raises(UsageError, match="damaged at byte"),
        journal(path, rules(), COHORT) as begun,
    ):
        begun.find(DOCS[0])
    assert path.exists()


def test_the_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept(path)
    others: list[tuple[Policy, Cohort, str]] = [
        (load_policy("redact"), COHORT, "policy"),
        (rules(), Cohort(OTHER_KEY), "key and ledger key"),
        (rules(), Cohort(KEY, dt.date(2031, 1, 1)), "e0"),
    ]
    for policy, cohort, differs in others:
        with pytest.raises(UsageError, match=f"another .*{differs}"), journal(path, policy, cohort):
            pytest.fail("it was opened")
    path.write_text("id,text\n")
    with pytest.raises(UsageError, match="no journal"), journal(path, rules(), COHORT):
        pytest.fail("it was opened")
    assert path.read_text() == "id,text\n"


def test_two_runs_do_not_share_one(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with (
        journal(path, rules(), COHORT),
        pytest.raises(UsageError, match="another run is using"),
        journal(path, rules(), COHORT),
    ):
        pytest.fail("it was opened")


def test_what_nobody_can_draw_again_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SecretKeyError), journal(tmp_path / "j", rules(), Cohort.fresh()):
        pytest.fail("it was opened")
    assert not (tmp_path / "j").exists()
