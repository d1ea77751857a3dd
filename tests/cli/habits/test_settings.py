"""`dpdeid.toml`: what it says counts where the command has such an option and was not told
otherwise, and what it may not say is refused by name.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.habits.settings import FILE, KEYS
from dpdeid.cohort.cohort import Cohort
from dpdeid.errors import UsageError
from tests.conftest import KEY, OTHER_KEY

RULES = """
name: site-rules
unit: note
detectors: [patterns]
merge: union
strategies: []
default: {redact: {form: label}}
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with notes, a policy and two keys."""
    monkeypatch.chdir(tmp_path)
    Path("notes.jsonl").write_text('{"id": "a", "text": "Vu le 12/03/2021."}\n')
    Path("rules.yaml").write_text(RULES)
    for name, key in (("own.key", KEY), ("other.key", OTHER_KEY)):
        Path(name).write_text(key.hex())
        Path(name).chmod(0o600)
    return tmp_path


def invoke(*args: object, config: str | None = None) -> Result:
    env = {"DPDEID_KEY": None, "DPDEID_CONFIG": config, "COLUMNS": "200"}
    return CliRunner().invoke(app, [str(one) for one in args], env=env)


def released_by(result: Result) -> str:
    assert result.exit_code == 0, (result.output, result.exception)
    return str(json.loads(result.stdout)["id"])


def settings(**values: object) -> None:
    Path(FILE).write_text("".join(f"{key} = {json.dumps(v)}\n" for key, v in values.items()))


def test_what_it_says_counts_and_is_told(site: Path) -> None:
    settings(policy="rules.yaml", key_file="own.key", workers=1)
    result = invoke("run", "notes.jsonl")
    assert released_by(result) == Cohort(KEY).released_id("a")
    assert "Vu le [DATE]." in result.stdout
    assert "dpdeid: dpdeid.toml: policy, key_file, workers\n" in result.stderr


def test_the_command_line_wins(site: Path) -> None:
    settings(policy="no such policy", key_file="own.key")
    result = invoke("run", "notes.jsonl", "-p", "rules.yaml", "-k", "other.key")
    assert released_by(result) == Cohort(OTHER_KEY).released_id("a")
    assert "dpdeid.toml" not in result.stderr


def test_a_check_without_a_policy_is_of_that_of_the_site(site: Path) -> None:
    assert invoke("check").exit_code == 2
    settings(policy="rules.yaml")
    result = invoke("check")
    assert result.stdout.startswith("policy site-rules")
    assert "dpdeid: dpdeid.toml: policy\n" in result.stderr


def test_a_dry_run_says_what_it_read(site: Path) -> None:
    assert invoke("cohort", "new", "c", "-p", "rules.yaml").exit_code == 0
    settings(cohort="c")
    result = invoke("run", "notes.jsonl", "--dry-run")
    assert "of the cohort" in result.stdout
    assert "dpdeid: dpdeid.toml: cohort\n" in result.stderr


@pytest.mark.parametrize(("set_", "option"), [("cohort", "-k"), ("key_file", "-c")])
def test_a_key_that_is_named_stands_for_the_cohort_and_the_other_way(
    set_: str, option: str, site: Path
) -> None:
    assert invoke("cohort", "new", "c", "-p", "rules.yaml").exit_code == 0
    settings(**{set_: {"cohort": "c", "key_file": "own.key"}[set_], "policy": "rules.yaml"})
    result = invoke("run", "notes.jsonl", option, {"-k": "other.key", "-c": "c"}[option])
    key = bytes.fromhex(Path("c/key").read_text()) if option == "-c" else OTHER_KEY
    assert released_by(result) == Cohort(key).released_id("a")
    assert result.stderr.startswith("dpdeid: dpdeid.toml: policy\n")


def test_paths_start_where_the_file_lies(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings(policy="rules.yaml", key_file="own.key")
    other = site / "elsewhere"
    other.mkdir()
    monkeypatch.chdir(other)
    result = invoke("run", site / "notes.jsonl", config=str(site / FILE))
    assert released_by(result) == Cohort(KEY).released_id("a")


def test_a_built_in_policy_is_no_path(site: Path) -> None:
    (site / "deep").mkdir()
    (site / "deep" / "s.toml").write_text('policy = "redact"')
    assert invoke("check", config="deep/s.toml").stdout.startswith("policy redact")


def test_an_empty_variable_reads_none(site: Path) -> None:
    settings(policy="rules.yaml")
    assert invoke("check", config="").exit_code == 2


def test_lists_are_those_of_the_option_of_that_name(site: Path) -> None:
    settings(lists="no-lists")
    assert "no-lists" in str(invoke("fasdim", "extract", "notes.jsonl").exception)


def test_a_flag_is_not_set_by_the_path_of_a_model() -> None:
    """`annotate site --crf FILE` is a model; `train transformer --crf` is another thing."""
    from dpdeid.cli.habits.settings import Settings

    class Flag:
        name, opts, multiple, nargs, is_flag = "crf", ["--crf"], False, 1, True

    class Option(Flag):
        is_flag = False

    assert Settings(Path(FILE), {"crf": "m"}).of([Flag()]) == {}
    assert Settings(Path(FILE), {"crf": "m"}).of([Option()]) == {"crf": "m"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('polcy = "dp"', f"dpdeid.toml: unknown key polcy; allowed: {', '.join(KEYS)}"),
        ('[run]\npolicy = "dp"', "dpdeid.toml: unknown key run"),
        ("workers = 0", "dpdeid.toml: workers is no whole number"),
        ("workers = true", "dpdeid.toml: workers is no whole number"),
        ("policy = 3", "dpdeid.toml: policy is no text"),
        ('cohort = "c"\nkey_file = "k"', "dpdeid.toml: cohort and key_file"),
        ("policy", "dpdeid.toml is no TOML"),
    ],
)
def test_what_is_refused_names_file_and_key(text: str, why: str, site: Path) -> None:
    Path(FILE).write_text(text)
    error = invoke("run", "notes.jsonl").exception
    assert isinstance(error, UsageError)
    assert why in str(error)
    assert invoke("run", "--help").exit_code == 0


def test_a_file_that_is_named_must_be_there(site: Path) -> None:
    error = invoke("check", "redact", config="none.toml").exception
    assert "cannot read the settings none.toml: No such file" in str(error)
