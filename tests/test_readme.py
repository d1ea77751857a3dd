"""Every command and every line of Python in the README does what the README says."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dpdeid.testing import notes

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.M | re.S)
SHELL = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines() if line]


def test_python_blocks() -> None:
    code = "\n".join(text for kind, text in BLOCKS if kind == "python")
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(code, {}, "README.md", "README.md", 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert not report, "".join(report)


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wanted = set(re.findall(r"\bmake ([\w-]+)", README))
    assert {"demo", "test", "test-all"} <= wanted
    for target in wanted:
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_commands_run_in_order(tmp_path: Path) -> None:
    rows = [
        {
            "id": doc.id,
            "text": doc.text,
            "patient_id": doc.patient_id,
            "note_date": doc.note_date.isoformat() if doc.note_date else None,
        }
        for doc, _ in notes()
    ]
    (tmp_path / "notes.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "1.txt").write_text(rows[0]["text"] or "", encoding="utf-8")
    table = f'NOTE_ID;NOTE;service\n1;"{rows[0]["text"]}";cardio\n'
    (tmp_path / "notes.csv").write_text(table, encoding="utf-8")
    commands = [shlex.split(line, comments=True) for line in SHELL if line.startswith("dpdeid ")]
    assert commands
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", "dpdeid", *command[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
    assert len((tmp_path / "released.jsonl").read_text(encoding="utf-8").splitlines()) == len(rows)


def test_every_command_is_in_the_readme_and_has_help() -> None:
    from typer.main import get_command

    from dpdeid.cli.app import app

    group = get_command(app)
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        assert f"`dpdeid {name}" in README, name
        assert command.help, name


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")], ids=lambda p: p.name
)
def test_links_of_every_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#\s]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
