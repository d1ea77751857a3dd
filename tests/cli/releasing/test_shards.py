"""Runs that share a cohort release, charge and keep together what one run would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.cohort import account
from dpdeid.cohort.cohort import read_key
from dpdeid.cohort.vault import VAULT, Vault
from dpdeid.errors import UsageError
from dpdeid.policy.policy import policy_text

PARTS = 3
PATIENTS = 24


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A cohort, its copy, and notes of patients: two of each, one row without a text."""
    policy = tmp_path / "policy.yaml"
    policy.write_text(policy_text("dp").replace(", crf, transformer]", "]"))
    made = CliRunner().invoke(
        app,
        ["cohort", "new", str(tmp_path / "cohort"), "-p", str(policy)],
        env={"DPDEID_KEY": None},
    )
    assert made.exit_code == 0
    shutil.copytree(tmp_path / "cohort", tmp_path / "alone")
    rows: list[dict[str, Any]] = [
        {
            "id": f"{number}-{of}",
            "patient_id": f"p{of}",
            "text": f"Mme Kervadec{of}, vue le {number + 3}/05/2021 à Nîmes, revue le 17/06/2021.",
        }
        for number in range(2)
        for of in range(PATIENTS)
    ]
    rows[5].pop("text")
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def start(site: Path, cohort: str, out: str, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dpdeid", "run", "notes.jsonl", "-c", cohort, "-o", out, *more]
    told = {key: value for key, value in os.environ.items() if key != "DPDEID_KEY"}
    return subprocess.Popen(command, cwd=site, env=told, stderr=subprocess.PIPE)


def end(run: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, said = run.communicate(timeout=300)
    return run.returncode, said.decode()


def kept(folder: Path) -> dict[int, str | None]:
    with Vault(folder / VAULT, read_key(folder / "key")) as vault:
        memories = {of: vault.recall(("patient", f"p{of}")) for of in range(PATIENTS)}
        return {of: memory and memory.to_json() for of, memory in memories.items()}


def test_parts_at_once_are_one_run(site: Path) -> None:
    assert end(start(site, "alone", "all.jsonl"))[0] == 3
    runs = [
        start(site, "cohort", f"{k}.jsonl", "--shard", f"{k}/{PARTS}", "--ledger", f"{k}.ledger")
        for k in range(1, PARTS + 1)
    ]
    assert [end(run)[0] for run in runs] == [3, 0, 0], "what cannot be read is of the first part"
    parts = [(site / f"{k}.jsonl").read_text().splitlines() for k in range(1, PARTS + 1)]
    assert all(len(lines) > 4 for lines in parts)
    whole = (site / "all.jsonl").read_text().splitlines()
    assert sorted(line for lines in parts for line in lines) == sorted(whole)
    assert account.read(site / "cohort").ledger == account.read(site / "alone").ledger
    assert kept(site / "cohort") == kept(site / "alone")
    assert end(start(site, "cohort", "again.jsonl"))[0] == 3, "later by one run, and the same"
    assert (site / "again.jsonl").read_bytes() == (site / "all.jsonl").read_bytes()
    assert account.read(site / "cohort").ledger == account.read(site / "alone").ledger


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("-c", "cohort", "--shard", "3/2"), "2/4"),
        (("-p", "redact", "--shard", "1/2"), "--cohort"),
        (("-c", "cohort", "--shard", "1/2", "-o", "out.txt"), "rows"),
        (("-p", "redact", "--shard", "1/2", "--engine", "spark", "-o", "out"), "--shard"),
    ],
)
def test_a_part_of_what_has_none_is_refused(
    more: tuple[str, ...], told: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site)
    result = CliRunner().invoke(app, ["run", "notes.jsonl", "-o", "out.jsonl", *more])
    assert isinstance(result.exception, UsageError)
    assert told in str(result.exception)
    assert not [*site.glob("out*")]
