"""Every command of docs/omop.md does what the page says, on DuckDB and on a real PostgreSQL."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.omop.conftest import PASSWORD
from tests.omop.sites import Site, cells

pytest.importorskip("duckdb", reason="needs the extra omop")

PAGE = (Path(__file__).parents[2] / "docs" / "omop.md").read_text(encoding="utf-8")
(SQL,) = re.findall(r"^```sql\n(.*?)^```", PAGE, re.M | re.S)
DUCKDB, POSTGRES = (
    block.splitlines() for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
)
SECRETS = ("Zorguelec", "ZORGUELEC", "Quembreval", "8004417237", "2021-02-08", "12/03/1951",
           "05/02/2021", "CRH", "S-71")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cdm.sql").write_text(SQL, encoding="utf-8")
    return tmp_path


def run(folder: Path, lines: list[str], **environment: str) -> str:
    """What the commands of a block say."""
    said = []
    for line in lines:
        command = shlex.split(line)
        own = {"dpdeid": [sys.executable, "-m", "dpdeid"], "python": [sys.executable]}
        command = [*own.get(command[0], command[:1]), *command[1:]]
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (line, done.stderr)
        said.append(done.stdout)
    return "".join(said)


def check(out: dict[str, list[dict[str, Any]]]) -> None:
    assert len(out["note"]) == 3
    assert len(out["person"]) == 2
    assert out["note_errors"] == []
    assert [secret for secret in SECRETS if secret in cells(out)] == []


def test_from_create_table_to_the_released_note_in_duckdb(folder: Path) -> None:
    said = run(folder, DUCKDB)
    assert "note_text" in said
    out = Site("duckdb", folder).read("released")
    check(out)
    assert len(out["visit_occurrence"]) == 2
    assert None not in out["visit_occurrence"][0].values()


@pytest.mark.postgres
def test_the_same_in_postgres(folder: Path, server: Any) -> None:
    server.execute(
        f"CREATE ROLE omop LOGIN PASSWORD '{PASSWORD}'", "CREATE DATABASE hospital OWNER omop"
    )
    path = f"{server.tools}{os.pathsep}{os.environ['PATH']}"
    run(folder, [line for line in DUCKDB if "cohort new" in line])
    said = run(folder, POSTGRES, PGPASSWORD=PASSWORD, PGPORT=str(server.port), PATH=path)
    assert "note_text" in said
    out = Site("parquet", folder).read("released")
    check(out)
    assert all(row["note_text"] in said for row in out["note"])  # the same in the same cohort
