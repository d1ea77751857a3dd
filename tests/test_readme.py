"""Every command and every line of Python in the README and beside it does what the page says."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from dpdeid.testing import notes

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FRENCH = (ROOT / "README.fr.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
PYTHON = ["README.md", "docs/use.md"]
SHELL = [
    "README.md",
    "docs/tutorial.md",
    "docs/use.md",
    "docs/results.md",
    "docs/commands.md",
    "docs/fr/eds.md",
]


def blocks(page: str) -> list[tuple[str, str]]:
    """The kind and the text of each fenced block, as they stand."""
    return re.findall(r"^```(\w*)\n(.*?)^```", page, re.M | re.S)


def commands(page: str) -> list[list[str]]:
    """The words of each `dpdeid` command, behind its name."""
    lines = "\n".join(text for kind, text in blocks(page) if kind == "sh").splitlines()
    words = (shlex.split(line, comments=True) for line in lines if line)
    return [rest for name, *rest in words if name in ("dpdeid", ".venv/bin/dpdeid")]


@pytest.mark.usefixtures("key_file")
@pytest.mark.parametrize("name", PYTHON)
def test_python_blocks(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    code = "\n".join(text for kind, text in blocks(page) if kind == "python")
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(code, {}, name, name, 0)
    report: list[str] = []
    ran = doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert not report, "".join(report)
    assert ran.attempted > 3


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wanted = set(re.findall(r"\bmake ([\w-]+)", README))
    assert {"demo", "test", "test-all", "docs"} <= wanted
    for target in wanted:
        assert re.search(rf"^{target}:", makefile, re.M), target


@pytest.mark.parametrize(
    "name", [SHELL[0], *(pytest.param(page, marks=pytest.mark.slow) for page in SHELL[1:])]
)
def test_commands_run_in_order(name: str, tmp_path: Path) -> None:
    rows = [
        {
            "id": doc.id,
            "text": doc.text,
            "patient_id": doc.patient_id,
            "note_date": doc.note_date.isoformat() if doc.note_date else None,
        }
        for doc, _ in notes()
    ]
    given = tmp_path / "notes.jsonl"
    given.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "1.txt").write_text(rows[0]["text"] or "", encoding="utf-8")
    table = f'NOTE_ID;NOTE;service\n1;"{rows[0]["text"]}";cardio\n'
    (tmp_path / "notes.csv").write_text(table, encoding="utf-8")
    lines = commands((ROOT / name).read_text(encoding="utf-8"))
    assert len(lines) > 2
    for words in lines:
        done = subprocess.run(
            [sys.executable, "-m", "dpdeid", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (words, done.stderr)
    if any("released.jsonl" in words for words in lines):
        released = (tmp_path / "released.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(released) == len(given.read_text(encoding="utf-8").splitlines())
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["1.txt"]


def test_three_commands_lead_to_a_folder_of_released_notes() -> None:
    (block,) = (text for kind, text in blocks(README) if "letters" in text)
    assert [line.split()[0] for line in block.splitlines()] == ["make", *[".venv/bin/dpdeid"] * 2]


def test_the_readme_is_short_and_leads_to_the_commands() -> None:
    assert len(README.split()) <= 1300
    assert all("](docs/commands.md)" in page for page in (README, FRENCH))


def test_every_command_is_on_the_page_of_commands_and_has_help() -> None:
    from typer.main import get_command

    from dpdeid.cli.app import app

    group = get_command(app)
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        assert f"`dpdeid {name}" in COMMANDS, name
        assert command.help, name


def numbers(page: str, *, french: bool) -> Counter[str]:
    """The numbers outside code and links, without the marks of thousands, with a decimal point."""
    prose = re.sub(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)", " ", page, flags=re.M | re.S)
    if french:
        prose = re.sub(r"(?<=\d)[\u00a0\u202f](?=\d{3}\b)", "", prose)
        prose = re.sub(r"(?<=\d),(?=\d)", ".", prose)
    else:
        prose = re.sub(r"(?<=\d),(?=\d{3}\b)", "", prose)
    return Counter(re.findall(r"\d+(?:\.\d+)?", prose))


class TestFrench:
    """README.fr.md is README.md: the same commands, the same figures, the same links."""

    def test_blocks(self) -> None:
        def bare(page: str) -> list[tuple[str, str]]:
            return [(kind, re.sub(r" *# .*", "", text)) for kind, text in blocks(page)]

        assert bare(FRENCH) == bare(README)

    def test_numbers(self) -> None:
        assert numbers(FRENCH, french=True) == numbers(README, french=False)
        assert len(numbers(README, french=False)) > 25

    def test_links(self) -> None:
        def links(page: str) -> Counter[str]:
            return Counter(re.findall(r"\]\(([^)\s]+)\)", page))

        other = {"README.md": 1, "README.fr.md": 1}
        assert links(FRENCH) - Counter(other) == links(README) - Counter(other)

    def test_words_in_code(self) -> None:
        """What stands in code (policies, commands, options) is named as often."""

        def words(page: str) -> Counter[str]:
            prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
            return Counter(re.findall(r"`([^`\n]+)`", prose))

        assert words(FRENCH) == words(README)

    def test_a_number_that_differs_is_seen(self) -> None:
        assert numbers("4\u202f000 lettres, 99,9 %", french=True) == Counter(["4000", "99.9"])
        assert numbers("4,000 letters, 99.9 %", french=False) == Counter(["4000", "99.9"])
        assert numbers("3,0 %", french=True) != numbers("3.1 %", french=False)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_of_every_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#\s]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


BESIDE = {
    "dpd": ["results", "attacks", "privacy", "dates", "review", "omop"],
    "eds": ["daily", "use", "formats", "omop", "report"],
    "relecture": ["review", "fasdim"],
}
"""Where the figures of a French page come from."""


@pytest.mark.parametrize("name", BESIDE)
def test_figures_of_french_pages_are_those_of_english_ones(name: str) -> None:
    """Shares, and whatever else has a decimal."""

    def read(page: str) -> str:
        return (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")

    told = {one for one in numbers(read(f"fr/{name}"), french=True) if "." in one}
    known = Counter[str]()
    for page in BESIDE[name]:
        known += numbers(read(page), french=False)
    assert told
    assert told - set(known) == set()


def test_the_officer_is_told_what_the_readme_tells() -> None:
    """Whole numbers and numbers in words, which the test above does not see."""
    officer = " ".join((ROOT / "docs" / "fr" / "dpd.md").read_text(encoding="utf-8").split())
    readme = " ".join(FRENCH.split())
    (towns,) = re.findall(r"les deux villes, par vraisemblance \| (\d+)", readme)
    (dates,) = re.findall(r"trois dates connues, par vraisemblance \| (\d+,\d) %", readme)
    assert f"{dates} %, et {towns} % s'il connaît aussi les deux villes" in officer
    for dense, messy in re.findall(r"denses sur (\w+), et (\w+ sur \w+) des plus", readme):
        assert f"deux sur {dense} montrent" in officer
        assert f"les plus désordonnés, {messy}" in officer
        break
    else:
        raise AssertionError("the README tells no shares")
