"""Every figure of the README comes from a run, and every page says what its run gave last."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.figures import FORMS, ROOT, Figure, Run, figures, measured, runs

FIGURES = figures()
READMES = ("README.md", "README.fr.md")
_APART = re.compile(
    r"^```.*?^```|`[^`]*`|\]\([^)]*\)|(?:^.+\n)*^.*et al\..*\n(?:^.+\n)*", re.M | re.S
)
"""Code, where links lead, and paragraphs that cite a paper."""
_FIGURE = re.compile(r"[\d.,]*\d\s?%|\b\d+[.,]\d+ (?:times|fois)\b")


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f"{f.page} {f.run} {f.key}")
def test_a_page_says_what_was_measured(figure: Figure) -> None:
    page = (ROOT / figure.page).read_text(encoding="utf-8")
    value = measured()[figure.run]["values"][figure.key]
    said = {match[1].replace(",", ".") for match in figure.found(page)}
    assert said == {FORMS[figure.form](value)}


def test_no_figure_is_held_that_no_run_gives() -> None:
    assert {figure.run for figure in FIGURES} <= set(runs())
    assert {figure.form for figure in FIGURES} <= set(FORMS)


def test_what_was_measured_says_how() -> None:
    for name, run in measured().items():
        assert run["command"].split()[1] == f"benchmarks/{runs()[name].script}"
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", run["date"])
        assert run["seconds"] >= 0
        assert "cores" in run["machine"]
        assert set(run["values"]) == {f.key for f in FIGURES if f.run == name}


@pytest.mark.parametrize("name", READMES)
def test_every_share_in_the_readme_is_held(name: str) -> None:
    """What is cited from a paper stands in a paragraph that names it: "et al."."""
    page = (ROOT / name).read_text(encoding="utf-8")
    held = {m.start(1) for figure in FIGURES if figure.page == name for m in figure.found(page)}
    prose = _APART.sub(lambda part: " " * len(part[0]), page)
    loose = [match[0] for match in _FIGURE.finditer(prose) if match.start() not in held]
    assert not loose


def test_a_figure_is_found_by_the_words_around_it() -> None:
    figure = Figure("a", ("b", "0"), "percent", "x.md", "redacted | # % | **{} %**")
    assert [m[1] for m in figure.found("it is redacted | 9.1 % |\n **99.3 %** of")] == ["99.3"]
    assert not list(figure.found("redacted | **99.3 %**"))
    assert figure.value({"b": [0.5]}) == 0.5
    with pytest.raises(LookupError):
        figure.value({"c": 1})


def test_a_run_that_lacks_its_notes_is_named(tmp_path: Path) -> None:
    needing = next(run for run in runs().values() if run.data)
    done = subprocess.run(
        [sys.executable, "benchmarks/reproduce.py", "--only", needing.name, "--data", tmp_path],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0
    assert f"{needing.name}: left out, without {needing.data[0]}" in done.stderr


def test_a_run_names_its_data() -> None:
    """Whatever stands under {data} in the arguments, and nothing else."""
    for run in runs().values():
        assert tuple(_under_data(run)) == run.data


def _under_data(run: Run) -> list[str]:
    return [part.removeprefix("{data}/") for part in run.arguments if part.startswith("{data}/")]


def test_measured_values_are_plain_numbers() -> None:
    text = json.dumps(measured())
    assert "NaN" not in text
