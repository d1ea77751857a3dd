"""A task is all that decides beside the policy and the key: any process may do it."""

from __future__ import annotations

import pickle

import pytest

from dpdeid.cohort.vault import Vault
from dpdeid.document import Deidentified, Document, Failure, Task
from dpdeid.engine import Deidentifier
from tests.conftest import KEY

NOTES = (
    Document("1", "Mme Kervadec, née le 3 mai 1950, vue à Nîmes le 4/5/2021.", "p"),
    Document("2", "Revue le 18/05/2021 à Uzès.", "p"),
)


def elsewhere(engine: Deidentifier, task: Task) -> Deidentifier:
    """Another process: nothing of this one but what can be sent."""
    del engine
    own: Deidentifier = pickle.loads(pickle.dumps(Deidentifier("dp", key=KEY)))
    assert pickle.loads(pickle.dumps(task)) == task
    return own


def test_another_process_gives_the_same() -> None:
    engine = Deidentifier("dp", key=KEY)
    task = engine.task(NOTES)
    assert isinstance(task, Task)
    results, memory = elsewhere(engine, task).attempt(task)
    assert list(results) == list(engine.record(NOTES))
    assert memory is not None


def test_with_a_vault_what_was_released_goes_with_the_task() -> None:
    texts = []
    for far in (False, True):
        with Vault(None, KEY) as vault:
            engine = Deidentifier("dp", key=KEY, vault=vault)
            for note in NOTES:
                task = engine.task([note])
                assert isinstance(task, Task)
                does = elsewhere(engine, task) if far else engine
                (result,), memory = does.attempt(pickle.loads(pickle.dumps(task)))
                engine.keep(task, memory)
                assert isinstance(result, Deidentified)
                texts.append(result.text)
    assert texts[:2] == texts[2:]


def test_what_is_no_record_fails_before_it_is_a_task() -> None:
    engine = Deidentifier("dp", key=KEY)
    strangers = [NOTES[0], Document("3", "Vu ce jour.", "q")]
    failed = engine.task(strangers)
    assert not isinstance(failed, Task)
    assert [type(one) for one in failed] == [Failure, Failure]
    assert engine.results(strangers) == failed


def test_a_task_shows_no_text() -> None:
    task = Deidentifier("dp", key=KEY).task(NOTES)
    assert "Kervadec" not in repr(task)
    assert "'p'" not in repr(task)


@pytest.mark.parametrize("day", ["2021-05-04", "2999-01-01"])
def test_a_failure_keeps_nothing(day: str) -> None:
    with Vault(None, KEY) as vault:
        engine = Deidentifier("dp", key=KEY, vault=vault)
        engine.results([Document("1", "Vue à Nîmes.", "p", note_date=day)])  # type: ignore[arg-type]
        assert vault.counts()[0] == (day < "2100")
