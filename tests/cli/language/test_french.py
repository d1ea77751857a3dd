"""The command line speaks the language of its reader, and does the same in both."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer import rich_utils
from typer.testing import CliRunner, Result

from dpdeid.cli.app import GROUPS, app
from dpdeid.cli.language import french
from dpdeid.cli.language.french import Language, asked, error_in_french, rows
from tests.conftest import KEY, RULES

COMMANDS = {path: place for path, place, _ in rows("commands.tsv")}
NOTE = {"id": "a", "text": "Mme Durand, vue le 12/03/2021 à Lyon.", "note_date": "2021-03-12"}
NOWHERE: dict[str, str | None] = dict.fromkeys(
    ("DPDEID_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")
)
IN_FRENCH = {**NOWHERE, "LANG": "fr_FR.UTF-8"}


def invoke(
    *args: object, env: dict[str, str | None] = NOWHERE, columns: int = 200, **more: Any
) -> Result:
    env = {**env, "COLUMNS": str(columns), "DPDEID_KEY": KEY.hex()}
    return CliRunner().invoke(app, [*map(str, args)], env=env, prog_name="dpdeid", **more)


def squeezed(text: str) -> str:
    """Words without the boxes and lines in which they stand."""
    return " ".join(re.sub("[│╭╮╰╯─]", " ", text).split())


def said(name: str, *key: str) -> str:
    """The help of one table under a key, squeezed."""
    found = {tuple(row[: len(key)]): row[-1] for row in rows(name)}
    return squeezed(found[key].replace("\\n", " "))


class TestAsked:
    @pytest.mark.parametrize(
        ("args", "environ", "language"),
        [
            ("run", {}, "en"),
            ("run", {"LANG": "C"}, "en"),
            ("run", {"LANG": "en_GB.UTF-8"}, "en"),
            ("run", {"LANG": "fr_FR.UTF-8"}, "fr"),
            ("run", {"LANG": "fr"}, "fr"),
            ("run", {"LANG": "FR-ch"}, "fr"),
            ("run", {"LANG": "fr@euro"}, "fr"),
            ("run", {"LANG": "frp_IT"}, "en"),  # Franco-Provençal
            ("run", {"LANG": "fr_FR", "LC_MESSAGES": "C"}, "en"),
            ("run", {"LANG": "fr_FR", "LC_MESSAGES": ""}, "fr"),
            ("run", {"LC_ALL": "C.UTF-8", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"}, "en"),
            ("run", {"LC_ALL": "fr_BE", "LC_MESSAGES": "C"}, "fr"),
            ("run", {"DPDEID_LANG": "fr", "LC_ALL": "C"}, "fr"),
            ("run", {"DPDEID_LANG": "en", "LC_ALL": "fr_FR"}, "en"),
            ("run", {"DPDEID_LANG": "", "LC_ALL": "fr_FR"}, "fr"),
            ("--lang fr run", {"DPDEID_LANG": "en"}, "fr"),
            ("--lang=en run", {"LC_ALL": "fr_FR"}, "en"),
            ("-h --lang fr", {}, "fr"),
            ("--lang en --lang fr", {}, "fr"),
            ("--option value --lang fr run", {}, "fr"),
            ("--lang", {"LANG": "fr_FR"}, "fr"),
            ("--lang xx run", {"LANG": "fr_FR"}, "fr"),  # and is refused in French
            ("evaluate report --lang fr", {}, "en"),  # that of the page
            ("serve --lang en", {"LANG": "fr_FR"}, "fr"),
        ],
    )
    def test_the_nearest_wish_counts(
        self, args: str, environ: dict[str, str], language: str
    ) -> None:
        names = {path.split()[0] for path in COMMANDS}
        assert asked(args.split(), environ, names) is Language(language)

    @pytest.mark.parametrize(
        ("args", "environ"), [(("--lang", "xx"), {}), ((), {"DPDEID_LANG": "fr_FR"})]
    )
    @pytest.mark.parametrize("command", [("policies",), ("run", "-h")])
    def test_another_language_is_refused(
        self, args: tuple[str, ...], environ: dict[str, str | None], command: tuple[str, ...]
    ) -> None:
        for place, words in ((NOWHERE, "'fr', 'en'"), (IN_FRENCH, "n'est pas parmi 'fr', 'en'")):
            result = invoke(*args, *command, env={**place, **environ})
            assert result.exit_code == 2
            assert words in squeezed(result.stderr)
            assert "--lang" in result.stderr
            assert not result.stdout


class TestHelp:
    def test_the_program_is_told_in_the_language_of_its_reader(self) -> None:
        english, told = invoke("-h"), invoke("-h", env=IN_FRENCH)
        assert english.exit_code == told.exit_code == 0
        assert "Usage: dpdeid [OPTIONS] COMMAND [ARGS]..." in english.stdout
        assert "Utilisation\xa0: dpdeid [OPTIONS] COMMANDE [ARGS]..." in told.stdout
        assert invoke("--lang", "fr", "-h").stdout == told.stdout
        assert invoke("-h", "--lang", "fr").stdout == told.stdout
        assert invoke("--lang", "en", "-h", env=IN_FRENCH).stdout == english.stdout
        box = told.stdout.split("Commandes")[1].partition("╰")[0]
        names = [line.split()[1] for line in box.splitlines()[1:]]
        assert "Premiers pas" in told.stdout
        assert {*names} == {*GROUPS, *(path for path in COMMANDS if " " not in path)}

    @pytest.mark.parametrize("group", GROUPS)
    def test_groups_are_told_in_french(self, group: str) -> None:
        shown = squeezed(invoke("--lang", "fr", group, "-h").stdout)
        assert f"dpdeid {group} [OPTIONS] COMMANDE [ARGS]..." in shown
        below = [path for path in COMMANDS if path.startswith(f"{group} ")]
        for key in (group, *below):
            assert said("commands.fr.tsv", key).split("\xa0")[0][:30] in shown, key

    @pytest.mark.parametrize("path", COMMANDS)
    def test_every_command_is_told_in_french_and_in_english(self, path: str) -> None:
        shown = [invoke("--lang", of, *path.split(), "-h").stdout for of in ("fr", "en")]
        told, english = map(squeezed, shown)
        assert said("commands.fr.tsv", path) in told
        assert said("commands.tsv", path) in english
        typers = r"Usage: |Show this message|\[required\]|\[default: |╭─ Commands"
        assert re.findall(typers, english)
        assert not re.findall(typers, told)
        assert french._HELP in told
        options = [re.findall(r"^│ \*?\s*(--[\w-]+)", text, re.M) for text in shown]
        assert options[0] == options[1] != []

    def test_options_are_told_in_french(self) -> None:
        shown = squeezed(invoke("run", "-h", env=IN_FRENCH).stdout)
        assert "Utilisation : dpdeid run [OPTIONS] {ENTRÉE}" in shown
        for of, name in (("", "source"), ("", "workers"), ("run", "shard"), ("run", "seal")):
            assert said("options.fr.tsv", of, name) in shown, name
            assert said("options.tsv", of, name) not in shown, name
        assert "[obligatoire]" in shown
        assert "--cohort -c DOSSIER" in shown
        assert "--workers N [x>=1]" in shown
        assert "[défaut : 1]" in shown

    def test_english_stays_what_it_was_once_french_was_spoken(self) -> None:
        before = invoke("run", "-h").stdout, invoke("run").stderr
        own = dict(vars(rich_utils))
        assert invoke("run", "-h", env=IN_FRENCH).stdout != before[0]
        assert invoke("run", env=IN_FRENCH).stderr != before[1]
        assert vars(rich_utils) == own
        assert (invoke("run", "-h").stdout, invoke("run").stderr) == before
        for words in ("Usage: ", "╭─ Options", "INPUT", "[required]", "[default: 1]"):
            assert words in before[0]
        for words in ("Usage: ", "Try 'dpdeid run -h' for help.", "Missing argument 'INPUT'."):
            assert words in before[1]

    @pytest.mark.parametrize("columns", range(60, 100, 5))
    def test_no_line_begins_with_a_colon(self, columns: int) -> None:
        shown = invoke("run", "-h", env=IN_FRENCH, columns=columns).stdout
        assert "\xa0:" in shown
        assert not re.findall(r"^│?\s*[:;?!»].*", shown, re.M)

    def test_typer_has_the_words_that_are_replaced(self) -> None:
        assert french._WORDS.keys() <= vars(rich_utils).keys()

    def test_what_has_no_french_is_told_in_english(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(french, "_commands", dict)
        monkeypatch.setattr(french, "_parameters", dict)
        shown = squeezed(invoke("key", "new", "-h", env=IN_FRENCH).stdout)
        assert shown.startswith("Utilisation : dpdeid key new [OPTIONS] {FILE}")
        assert said("commands.tsv", "key new") in shown

    def test_the_list_of_all_commands_loads_none_of_them(self) -> None:
        code = (
            "import sys; sys.argv = ['dpdeid', '--lang', 'fr', '-h']\n"
            "from dpdeid.cli import main\n"
            "try: main()\n"
            "except SystemExit: pass\n"
            "print(*sys.modules, file=sys.stderr)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert "Désidentifie des notes" in done.stdout.decode()
        loaded = {*done.stderr.decode().split()}
        places = {place.split(":")[0] for place in COMMANDS.values()}
        own = {f"dpdeid.cli.{place}" for place in places if not place.startswith("habits.")}
        assert not loaded & {*own, "numpy", "dpdeid.engine", "dpdeid.gazetteers"}


MISUSES = {
    "run": "Il manque l'argument 'ENTRÉE'.",
    "train transformer": "Il manque l'option '--data'.",
    "--": "Il manque une commande.",
    "rum": "Commande inconnue : 'rum'. Vouliez-vous dire 'run' ?",
    "key nothing": "Commande inconnue : 'nothing'.",
    "run x --nope": "Option inconnue : --nope (options proches : --",
    "--bruit": "Option inconnue : --bruit",
    "run x y z": "Arguments en trop : y z",
    "run x -o": "L'option '-o' demande une valeur.",
    "evaluate report --reveal a": "L'option '--reveal' demande 2 valeurs.",
    "run x --body=1": "L'option '--body' ne prend pas de valeur.",
    "run x --workers a": "Valeur refusée pour '--workers' : il faut un nombre entier",
    "run x --workers 0": "Valeur refusée pour '--workers' : il faut au moins 1",
    "serve --port 70000": "Valeur refusée pour '--port' : il faut au plus 65535",
    "train crf --c1 a": "Valeur refusée pour '--c1' : il faut un nombre",
    "run x --e0 lundi": "Valeur refusée pour '--e0' : 'lundi'"
    " n'est pas une date AAAA-MM-JJ, comme 2030-12-31",
    "--lang xx run": "Valeur refusée pour '--lang' (variable d'environnement DPDEID_LANG) :"
    " 'xx' n'est pas parmi 'fr', 'en'",
}


class TestErrors:
    @pytest.mark.parametrize(("args", "words"), MISUSES.items())
    def test_wrong_usage_is_told_in_french(self, args: str, words: str) -> None:
        result, english = (invoke(*args.split(), env=env) for env in (IN_FRENCH, NOWHERE))
        assert result.exit_code == 2
        assert english.exit_code == 2
        assert words not in squeezed(english.stderr)
        assert words in squeezed(result.stderr)
        assert "Erreur" in result.stderr
        assert not re.findall("Usage|Error|for help", result.stderr)

    def test_every_expression_is_met(self) -> None:
        met = "\n".join(squeezed(invoke(*args.split()).stderr) for args in MISUSES)
        assert len(met.splitlines()) == len(MISUSES)
        unmet = [english for english, _ in rows("errors.fr.tsv") if not seen(english, met)]
        assert unmet == ["Choose from:"]
        assert error_in_french("Missing argument 'A'. Choose from:\n\tb") == (
            "Il manque l'argument 'A'. Choix possibles\xa0:\n\tb"
        )

    def test_help_without_a_command_is_an_error_as_in_english(self) -> None:
        for args in ((), ("key",)):
            results = [invoke(*args, env=env) for env in (NOWHERE, IN_FRENCH)]
            assert [result.exit_code for result in results] == [2, 2]
            assert "Utilisation" in results[1].output
            assert "Erreur" not in results[1].output

    def test_what_is_unknown_stays_english(self) -> None:
        assert error_in_french("The moon is full.") == "The moon is full."

    def test_an_abandoned_question_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def gone() -> None:
            raise EOFError

        monkeypatch.setattr("dpdeid.cli.check.policies", gone)
        for env, word in ((NOWHERE, "Aborted."), (IN_FRENCH, "Abandon.")):
            result = invoke("policies", env=env)
            assert (result.exit_code, result.stderr.strip()) == (1, word)


class TestSame:
    """A command does the same in both languages: bytes, exit codes, errors of ours."""

    @pytest.mark.parametrize(("rows_", "code"), [([NOTE], 0), ([NOTE, {"id": "b"}], 3), ([], 4)])
    def test_a_run_releases_the_same(
        self, rows_: list[dict[str, str]], code: int, tmp_path: Path
    ) -> None:
        source, policy = tmp_path / "notes.jsonl", tmp_path / "rules.yaml"
        policy.write_text(RULES, encoding="utf-8")
        source.write_text("".join(json.dumps(row) + "\n" for row in rows_), encoding="utf-8")
        results = [invoke("run", source, "-p", policy, env=env) for env in (NOWHERE, IN_FRENCH)]
        assert [result.exit_code for result in results] == [code, code]
        assert results[0].stdout_bytes == results[1].stdout_bytes

    def test_as_a_process(self, tmp_path: Path) -> None:
        environ = {key: value for key, value in os.environ.items() if key not in NOWHERE}
        for args, code, words in (
            (("run",), 2, "Il manque l'argument 'ENTRÉE'."),
            (("run", "missing.jsonl"), 2, "dpdeid: "),  # ours, in English
        ):
            done = subprocess.run(
                [sys.executable, "-m", "dpdeid", *args],
                env={**environ, "LANG": "fr_FR.UTF-8", "COLUMNS": "200"},
                cwd=tmp_path,
                capture_output=True,
                check=False,
            )
            assert (done.returncode, words in squeezed(done.stderr.decode())) == (code, True)


def seen(expression: str, text: str) -> bool:
    """Whether an expression is met in a text of many messages."""
    return bool(re.search(expression.strip("^$"), text))
