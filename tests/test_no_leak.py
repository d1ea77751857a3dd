"""A planted word that must show up nowhere: not in errors, logs, reprs, ledgers or tracebacks."""

from __future__ import annotations

import datetime as dt
import json
import logging
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.assurance.report import ledger_report
from dpdeid.cli.app import app
from dpdeid.document import Document, Failure, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import DpdeidError
from dpdeid.evaluate.attacks.names import Naming
from dpdeid.evaluate.attacks.residual import paired
from dpdeid.evaluate.report.page import Table
from dpdeid.formats.annotation_files import Mark
from dpdeid.labels import Label
from dpdeid.policy.policy import names
from dpdeid.synth.dice import Dice
from dpdeid.synth.refill import Identities
from tests.conftest import KEY

CANARY = "Zyxwvutel"
TEXT = (
    f"Mme {CANARY.upper()} {CANARY}, née le 02/11/1958, 17 rue {CANARY}, 29000 {CANARY}\n"
    f"Hôpital {CANARY}, tél 06 39 98 41 27, {CANARY}@{CANARY}.fr, http://{CANARY}.fr\n"
    f"IPP {CANARY}123 bon n° {CANARY}9, vue le 30 février 20232 par le Dr {CANARY}"
)
DOC = Document("n", TEXT, CANARY, known=dict.fromkeys(Label, (CANARY, "")))


def clean(text: str) -> bool:
    return CANARY.lower() not in text.lower()


@pytest.mark.parametrize("name", names())
def test_it_is_replaced_and_nothing_else_shows_it(
    name: str, deidentifiers: dict[str, Deidentifier], caplog: pytest.LogCaptureFixture
) -> None:
    engine = deidentifiers[name]
    with caplog.at_level(logging.DEBUG):
        result = engine(DOC)
    kept = [s.text for s in result.surrogates if s.strategy == "keep"]
    assert kept == ([f"Hôpital {CANARY}"] if name == "aphp" else [])  # it keeps hospitals by design
    assert result.text.lower().count(CANARY.lower()) == len(kept)
    assert clean(repr(result))
    assert clean(result.ledger.to_json())
    assert clean(repr(result.ledger))
    assert clean(repr(engine))
    assert clean(repr(engine.detect(DOC)))
    assert clean(caplog.text)
    report = ledger_report(engine, Counter(), 0)
    assert clean(json.dumps(report))


def test_no_repr_of_what_evaluations_and_refills_hold_shows_it() -> None:
    (pair,) = paired([DOC], [Document("n", TEXT)], {"n": (Span(4, 13, Label.LAST_NAME),)})
    refilled = Identities(Dice.of(0))
    assert clean(refilled.last(CANARY) + refilled.town(CANARY).name)
    holders = (
        pair,
        Naming(CANARY, CANARY, CANARY),
        Table(("context",), ((CANARY,),)),
        Mark(((0, 1),), CANARY, CANARY),
        refilled,
    )
    assert all(clean(repr(one)) for one in holders)


def boom(*args: object) -> Iterable[object]:
    raise RuntimeError(repr(args) + TEXT)


@pytest.mark.parametrize("part", ["detector", "propagator", "merge", "strategy", "default"])
def test_every_failing_part_fails_closed(
    part: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    engine = Deidentifier("dp", key=KEY)
    policy = engine.policy
    place = {
        "detector": (type(policy.detectors[0]), "__call__"),
        "propagator": (type(policy.propagators[0]), "__call__"),
        "merge": (type(policy.merge), "__call__"),
        "strategy": (type(policy.strategy_for(Label.LAST_NAME)), "substitute"),
        "default": (type(policy.default), "substitute"),
    }[part]
    monkeypatch.setattr(*place, boom)
    with caplog.at_level(logging.DEBUG):
        (result,) = engine.pipe([DOC])
    assert isinstance(result, Failure) == (part != "strategy")
    assert clean(repr(result))
    assert clean(getattr(result, "text", "") + getattr(result, "error", ""))
    assert clean(caplog.text)


BAD_ROWS: Sequence[bytes] = (
    f'{{"id": "a", "text": "{CANARY}'.encode(),
    f'["{CANARY}"]'.encode(),
    f'{{"id": "b", "text": ["{CANARY}"]}}'.encode(),
    f'{{"id": "c", "text": "x", "note_date": "{CANARY}"}}'.encode(),
    f'{{"id": "d", "text": "x", "patient": {{"{CANARY}": "y"}}}}'.encode(),
    f'{{"id": "e", "text": "x", "patient": "{CANARY}"}}'.encode(),
    b'{"id": "f", "text": "' + CANARY.encode() + b'\xff"}',
    f'{{"id": "g", "text": "x", "note_date": "2099-01-01", "w": "{CANARY}"}}'.encode(),
)


@pytest.mark.parametrize("command", ["run", "detect", "explain"])
def test_no_command_repeats_a_bad_row(command: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"\n".join(BAD_ROWS))
    result = CliRunner().invoke(app, [command, str(path)], env={"DPDEID_KEY": KEY.hex()})
    assert clean(result.output)
    assert result.exit_code in (3, 4)
    assert result.output.count("row") >= len(BAD_ROWS) - 1


def test_no_traceback_shows_the_text() -> None:
    engine = Deidentifier("dp", key=KEY)
    try:
        engine(Document("n", TEXT, note_date=dt.date(2099, 1, 1)))
    except DpdeidError:
        assert clean(traceback.format_exc())
    else:
        pytest.fail("a note date after e0 must be refused")


def test_neither_sealed_files_nor_logs_nor_messages_of_going_back_show_it(tmp_path: Path) -> None:
    """A patient, a note and an excluded patient all bear the word."""
    row = {"id": CANARY, "text": TEXT, "patient_id": CANARY}
    other = {"id": "o", "text": TEXT, "patient_id": f"{CANARY} 2"}
    (tmp_path / "n.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(other) + "\n")
    (tmp_path / "no.txt").write_text(f"{CANARY} 2\n")
    cohort, seal, key = tmp_path / "c", tmp_path / "s", tmp_path / "k"
    sealed = ("--seal", str(seal), "--seal-key-file", str(key))

    def invoke(*args: str) -> str:
        done = CliRunner().invoke(app, args)
        assert clean(done.output)
        assert clean(str(done.exception))
        assert clean("".join(traceback.format_exception(done.exception)) if done.exception else "")
        return done.output

    invoke("cohort", "new", str(cohort), "-p", "redact")
    invoke("key", "new", str(key))
    options = ("-c", str(cohort), "--exclude", str(tmp_path / "no.txt"))
    released = tmp_path / "r.jsonl"
    run = ("run", str(tmp_path / "n.jsonl"), *options, *sealed, "-o", str(released))
    assert "1 row of 1 patient left out" in invoke(*run)
    restore = ("restore", str(released), *sealed, "-o", str(tmp_path / "back"))
    invoke(*restore)
    assert not clean((tmp_path / "back").read_text())
    whole = seal.read_bytes()
    changed = released.read_text()
    released.write_text(changed.replace("Mme", "M."))
    invoke(*restore)
    released.write_text(changed)
    seal.write_bytes(whole[:-50] + b"AAAA" + whole[-46:])
    invoke(*restore)
    invoke("forget", CANARY, *sealed)
    seal.write_bytes(whole)
    (tmp_path / "m").write_text(json.dumps(row) + "\n")
    invoke("forget", CANARY, "--mapping", str(tmp_path / "m"))
    invoke("restore", str(released), "--seal", str(seal), "--seal-key-file", str(cohort / "key"))
    invoke("forget", CANARY, "-c", str(cohort), *sealed)
    invoke(*run)
    files = [seal, tmp_path / "s.log", released, *cohort.iterdir()]
    assert len(files) == 8
    assert all(clean(path.read_text(errors="replace")) for path in files)
