"""`dpdeid evaluate attack` as a data-protection officer runs it."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from dpdeid.testing import marked

LINES = (
    "M. «LAST_NAME:Kerval», vu le «DATE:12/03/2021» et le «DATE:20/03/2021» à «CITY:Quimper».",
    "M. «LAST_NAME:Tanguyot», vu le «DATE:02/05/2019» et le «DATE:09/11/2019» à «CITY:Lyon».",
)


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, ["evaluate", "attack", *map(str, args)])


def files(folder: Path) -> tuple[Path, Path]:
    """Originals, and themselves as their release."""
    before, after = folder / "before.jsonl", folder / "after.jsonl"
    rows, released = [], []
    for at, line in enumerate(LINES):
        text, spans = marked(line)
        entities = [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]
        rows.append(json.dumps({"id": f"{at}", "text": text, "entities": entities}))
        released.append(json.dumps({"id": f"{at}", "text": text}))
    before.write_text("\n".join(rows) + "\n", encoding="utf-8")
    after.write_text("\n".join(released) + "\n", encoding="utf-8")
    return before, after


def test_a_release_and_its_originals(tmp_path: Path) -> None:
    before, after = files(tmp_path)
    report = tmp_path / "report.json"
    result = invoke(before, after, "--known", 2, "--json", report)
    assert result.exit_code == 0, result.output
    assert "lower bounds on risk" in result.output
    assert "no bound" in result.output
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["kind"].startswith("lower bounds on risk")
    assert found["linkage"][0]["found"]["share"] == 1
    assert found["residual"]["labels"]["LAST_NAME"]["whole"]["share"] == 1
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    for name in ("Kerval", "Tanguyot", "Quimper"):
        assert name not in result.output
        assert name not in report.read_text(encoding="utf-8")


def test_a_policy_on_made_up_patients(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    result = invoke("--simulate", 100, "--policy", "aphp", "--known", 1, "--json", report)
    assert result.exit_code == 0, result.output
    for said in ("lower bounds on risk", "no bound", "made-up patients", "Averaging"):
        assert said in result.output
    found = json.loads(report.read_text(encoding="utf-8"))
    assert (found["policy"], found["records"]) == ("aphp", 100)


def test_games_say_whether_a_town_was_known(tmp_path: Path) -> None:
    """No two rows of one table say the same of different games."""
    result = invoke("--simulate", 100, "--policy", "dp", "--known", 1)
    _, *tables = result.output.split("Linkage of records that read alike")
    assert len(tables) == 2
    for table in tables:
        rows = re.findall(r"^\s+(20 \w+)\s{2,}(\d.*?)\s{2,}", table.split("Averaging")[0], re.M)
        assert len(set(rows)) == len(rows)
        for known in ("1 date", "1 date, 1 town"):
            assert {("20 originals", known), ("20 releases", known)} <= set(rows)


def test_standard_input_is_refused_since_files_are_read_again(tmp_path: Path) -> None:
    before, after = files(tmp_path)
    for args in (("-", after), (before, "-"), (before, after, "--spans", "-")):
        result = invoke(*args)
        assert isinstance(result.exception, UsageError), args
        assert "by name" in str(result.exception)


def test_files_or_simulate_and_not_both(tmp_path: Path) -> None:
    before, after = files(tmp_path)
    for args in ((), (before, after, "--simulate", 100), (before,)):
        result = invoke(*args)
        assert isinstance(result.exception, UsageError), args
