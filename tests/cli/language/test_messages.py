"""What commands say on standard error is told in French, with what the English put into it."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from typer.testing import CliRunner

import dpdeid.cli
from dpdeid.cli.app import app
from dpdeid.cli.language.french import message_in_french, rows
from dpdeid.cli.terminal import Listening, listen
from dpdeid.errors import UsageError
from tests.conftest import KEY

ROOT = Path(__file__).parents[3]
MESSAGES = [(english, french) for english, french in rows("messages.fr.tsv")]
SPLIT = r"\{[a-z_]+\}|\(s\)|(?<=\.) "
HELD = re.compile(r"\{[a-z_]+\}")


def said_somewhere() -> str:
    """All texts of the package, those of an f-string without what is put in."""
    paths = (ROOT / "dpdeid").rglob("*.py")
    nodes = chain.from_iterable(ast.walk(ast.parse(path.read_text("utf-8"))) for path in paths)
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return "\n".join(value for value in constants if isinstance(value, str))


SAID = said_somewhere()
PIECED = {"has no table", "has two tables", "unknown detector", "unknown strategy"}
"""What a module puts together of two words."""
BY_THE_SYSTEM = {
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Not a directory",
    "File exists",
    "No space left on device",
    "Read-only file system",
}


@pytest.mark.parametrize(("english", "french"), MESSAGES)
def test_both_hold_the_same(english: str, french: str) -> None:
    assert english != french
    assert Counter(HELD.findall(english)).keys() == Counter(HELD.findall(french)).keys()
    for names in (r"--[a-z]+(?:-[a-z]+)*", r"`[^`]+`", r"\.[a-z]+\b", r"DPDEID_\w+"):
        assert {*re.findall(names, english)} == {*re.findall(names, french)}, names


def test_no_message_stands_twice() -> None:
    assert len(dict(MESSAGES)) == len(MESSAGES) > 100


@pytest.mark.parametrize("english", [english for english, _ in MESSAGES])
def test_every_message_is_said_by_a_module(english: str) -> None:
    if english in BY_THE_SYSTEM:
        return
    own = [piece.strip(" :;,.'()") for piece in re.split(SPLIT, english)]
    assert any(own) or "{told}" in english
    assert [piece for piece in own if piece not in SAID and piece not in PIECED] == []


def test_a_message_that_nobody_says_is_seen() -> None:
    assert "the moon is full of " + "policies" not in SAID


@pytest.mark.parametrize(("english", "french"), MESSAGES)
def test_every_message_finds_its_own_line(english: str, french: str) -> None:
    """Whatever is put in comes out, numbers as French writes them."""

    def put(hole: re.Match[str], number: str, told: str) -> str:
        name = hole[0].strip("{}")
        return number if re.match("n(_|$)", name) else told if name == "told" else "ici"

    given = HELD.sub(lambda hole: put(hole, "1,234.5", "not valid JSON"), english)
    wanted = HELD.sub(lambda hole: put(hole, "1\xa0234,5", "JSON non valide"), french)
    assert message_in_french(given.replace("(s)", "s")) == wanted
    assert message_in_french(given.replace("(s)", "")) == wanted


def test_a_line_of_which_a_part_is_unknown_stays_english_as_a_whole() -> None:
    for said in ("The moon is full.", "p.yaml, line 2: the moon is full"):
        assert message_in_french(said) == said
    told = "n.jsonl is refused, nothing is scored\n  not valid JSON: 1 (a)\n  moon: 2 (b)"
    assert message_in_french(told).splitlines() == [
        "n.jsonl est refusé, rien n'est mesuré",
        "  JSON non valide\xa0: 1 (a)",
        "  moon: 2 (b)",
    ]


COMMON = [
    "run missing.jsonl",
    "run table.csv -p hnfc",
    "run table.csv -p hnfc --text-column TEXTE",
    "run table.csv -p hnfc --text-column NOTE --column nom=ID",
    "run table.csv -p hnfc --text-column NOTE --column id",
    "run notes.jsonl -p dpp",
    "run notes.jsonl -p odd.yaml",
    "run notes.jsonl -k none.key",
    "run notes.jsonl -k open.key",
    "run notes.jsonl -c none",
    "run notes.jsonl -p hnfc -o full",
    "run notes.jsonl -p hnfc -o none/out.jsonl",
    "run notes.jsonl -p hnfc -o notes.jsonl",
    "run notes.jsonl -p hnfc --keep text",
    "run notes.jsonl -p hnfc --resume",
    "run notes.jsonl -p hnfc --seal sealed",
    "run notes.jsonl -p hnfc --shard 1/2",
    "run notes.xyz -p hnfc",
    "key new open.key",
    "cohort show none",
    "check dpp",
    "check odd.yaml",
    "check broken.yaml",
    "forget P1",
    "ledger add notes.jsonl",
    "restore notes.jsonl --seal none --seal-key-file private.key",
    "evaluate detection notes.jsonl none.jsonl",
    "evaluate attack",
    "evaluate report --html page.html none.json",
    "monitor notes.jsonl -b none.json",
    "omop none -o out",
    "dossier dp -o annex.pdf",
    "annotate export notes.jsonl -o full -f brat",
    "annotate import full -o answers.jsonl",
    "model show none",
    "synth --types none",
    "review notes.jsonl -a answers.jsonl",
    "--log . policies",
]
RUN = ["run", "full", "-p", "hnfc"]
WORD = "Zzplanted"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what somebody may get wrong; its notes hold a word."""
    note = {"id": "a", "text": f"Mme {WORD}", "note_date": "2021-03-12"}
    for name, text in {
        "notes.jsonl": json.dumps(note) + "\n",
        "notes.xyz": WORD,
        "table.csv": f"ID;NOTE\n1;{WORD}\n",
        "open.key": KEY.hex(),
        "private.key": KEY.hex(),
        "odd.yaml": "detectors:\n  - nothing\n",
        "broken.yaml": "a: [b\n",
        "full/1.txt": WORD,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "open.key").chmod(0o644)
    (tmp_path / "private.key").chmod(0o600)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("place")
class TestCommon:
    @pytest.mark.parametrize("args", COMMON)
    def test_a_common_refusal_is_told_in_french(self, args: str) -> None:
        env = {"DPDEID_KEY": None if " -k " in args else KEY.hex()}
        result = CliRunner().invoke(app, ["--lang", "fr", *args.split()], env=env)
        assert isinstance(result.exception, UsageError), result.output
        english = str(result.exception)
        assert english
        assert WORD not in english
        for line in english.splitlines():
            assert message_in_french(line) != line

    def test_a_process_is_told_in_the_language_of_its_reader(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for lang, words in (
            ("fr", "fichier ou dossier introuvable\xa0: x"),
            ("en", "no such file"),
        ):
            monkeypatch.setattr(sys, "argv", ["dpdeid", "--lang", lang, "detect", "x"])
            with pytest.raises(SystemExit, match="2"):
                dpdeid.cli.main()
            assert f"dpdeid: {words}" in capsys.readouterr().err

    def test_a_log_keeps_the_words_of_the_program(self, capsys: pytest.CaptureFixture[str]) -> None:
        result = CliRunner().invoke(app, ["--lang", "fr", "--log", "log", *RUN])
        listen(Listening())
        assert result.exit_code in (0, 3)
        assert "1 row released, 0 failed" in Path("log").read_text(encoding="utf-8")
        assert "lignes diffusées\xa0: 1" in result.stderr + capsys.readouterr().err


def glossary() -> list[tuple[str, str]]:
    """French words, and what stands for none of them, of docs/language.md."""
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (.*) \| (.*) \| *(.*?) *\|$", page, re.M)
    return [(french, other) for _, french, other in cells]


FRENCH_TEXTS = [
    *sorted((ROOT / "dpdeid" / "cli").glob("*.fr.tsv")),
    ROOT / "README.fr.md",
    *sorted((ROOT / "docs" / "fr").glob("*.md")),
]


@pytest.mark.parametrize("path", FRENCH_TEXTS, ids=lambda path: path.name)
def test_one_french_word_stands_for_one_thing(path: Path) -> None:
    others = [other for _, other in glossary() if other and other != "and not"]
    assert len(others) > 5
    page = path.read_text(encoding="utf-8")
    said = " ".join(re.sub(r"`[^`]*`|^#.*", " ", page, flags=re.M).split())
    assert [other for other in others if re.search(rf"\b{other}s?\b", said)] == []
