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
PAGES = sorted(
    str(file.relative_to(ROOT))
    for folder in ("docs", "docs/fr")
    for file in (ROOT / folder).glob("*.md")
)
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)", re.M | re.S)
"""Code, and where links lead."""
_CITED = re.compile(r"et al\.|\bpubli(?:shes|e)\b")
"""A paragraph that cites what others measured."""
_FIGURE = re.compile(r"[\d.,]*\d\s?%|\b\d+[.,]\d+ (?:times|fois)\b")
_OF_TABLES = re.compile(r"\|\s*\**\d+[.,]\d+")
_TOLD = re.compile(r"2026-\d\d|November 2026|novembre 2026|publi(?:shed|é)|et al\.|the paper")
"""When something was measured, or whose it is."""
_LEVEL = "95 %"
SETTINGS = {
    ("docs/crf.md", "## Choose, measure"),
    ("docs/evaluation.md", "## Figures"),
    ("docs/policies.md", "#### planar_nearest"),
    ("docs/policies.md", "#### qp_weighted"),
    ("docs/privacy.md", "## Choosing ε"),
    ("docs/report.md", "## Watching every batch"),
    ("docs/review.md", "## The site's own recall"),
    ("docs/synth.md", "## What is drawn"),
    ("docs/transformer.md", "## What it is"),
}
"""Sections whose numbers are options, bounds that follow from a formula, or what a program does."""


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f"{f.page} {f.run} {f.words[:40]}")
def test_a_page_says_what_was_measured(figure: Figure) -> None:
    page = (ROOT / figure.page).read_text(encoding="utf-8")
    said = [match.groups() for match in figure.found(page)]
    assert said == [figure.written(measured()[figure.run]["values"])] * max(1, len(said))


def test_no_figure_is_held_that_no_run_gives() -> None:
    assert {figure.run for figure in FIGURES} == set(runs())
    assert {form for figure in FIGURES for form in figure.forms} <= set(FORMS)


def test_what_was_measured_says_how() -> None:
    assert set(measured()) == set(runs())
    for name, run in measured().items():
        assert run["command"].split()[1] == f"benchmarks/{runs()[name].script}"
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", run["date"])
        assert run["seconds"] >= 0
        assert "cores" in run["machine"]
        assert set(run["values"]) == {key for f in FIGURES if f.run == name for key in f.keys}


@pytest.mark.parametrize("name", READMES)
def test_every_share_in_the_readme_is_held(name: str) -> None:
    """What is cited stands in a paragraph that says so."""
    text, held = prose(name), places_held(name)
    paragraphs = re.finditer(r"(?:.+\n)+", text)
    own = (paragraph for paragraph in paragraphs if not _CITED.search(paragraph[0]))
    assert not [
        match[0]
        for paragraph in own
        for match in _FIGURE.finditer(text, *paragraph.span())
        if match.start() not in held
    ]


@pytest.mark.parametrize("name", PAGES)
def test_what_no_run_gives_is_dated(name: str) -> None:
    """A section that has other figures than those of `make reproduce` says of when or whose."""
    text, held = prose(name), places_held(name)
    for section in re.finditer(r"(?:^#{1,4} .*\n|\A)(?:(?!#{1,4} ).*\n)*", text, re.M):
        head = section[0].partition("\n")[0]
        loose = [
            match[0]
            for pattern in (_FIGURE, _OF_TABLES)
            for match in pattern.finditer(text, *section.span())
            if match[0] != _LEVEL and held.isdisjoint(range(*match.span()))
        ]
        settings = (name, head) in SETTINGS
        assert bool(loose and not _TOLD.search(section[0])) == settings, (head, loose)


def prose(name: str) -> str:
    """A page with code and the ends of links as spaces."""
    page = (ROOT / name).read_text(encoding="utf-8")
    return _CODE.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), page)


def places_held(name: str) -> frozenset[int]:
    """Where the numbers stand that a run gives."""
    page = (ROOT / name).read_text(encoding="utf-8")
    return frozenset(
        at
        for figure in FIGURES
        if figure.page == name
        for match in figure.found(page)
        for group in range(1, len(figure.paths) + 1)
        for at in range(*match.span(group))
    )


def test_figures_are_found_by_the_words_around_them() -> None:
    paths = (("a", "0"), ("b", "p=x; q=3 dates", "found"))
    figure = Figure("a", paths, ("percent", "short"), "x.md", "redacted | # % | **{} %** | {}")
    rows = [{"p": "x", "q": "2 dates"}, {"p": "x", "q": "3 dates", "found": 0.034}]
    report = {"a": [0.5], "b": rows}
    page = "it is redacted | 9.1 % |\n **99.3 %** | 7"
    assert [match.groups() for match in figure.found(page)] == [("99.3", "7")]
    assert not [*figure.found("redacted | **99.3 %** | 7")]
    values = dict(zip(figure.keys, figure.values(report), strict=True))
    assert figure.written(values) == ("50.0", "3.4")
    assert figure.rewritten(page, ("50.0", "3.4")) == "it is redacted | 9.1 % |\n **50.0 %** | 3.4"
    for lacking in ({"c": 1}, {"a": [0.5], "b": rows[:1]}):
        with pytest.raises(LookupError):
            dict(zip(figure.keys, figure.values(lacking), strict=True))


def test_a_row_of_a_table_is_found_whole() -> None:
    figure = Figure("a", (("b",), ("c",)), ("rate", "whole"), "docs/fr/x.md", "| `dp` | {} | {} |")
    page = "| `dp` | 0 (0–1.2) | 3 |\n| `dp` | 0 (0–1.2) | 3 | 4 |\nsee | `dp` | 1 | 3 |\n"
    assert [match.groups() for match in figure.found(page)] == [("0 (0–1.2)", "3")]
    rate = {"found": 0.034, "low": 0.0204, "high": 0.104}
    assert figure.written({"b": rate, "c": -5}) == ("3,4 % (2,0–10)", "−5")
    assert figure.written({"b": {"found": 0, "low": 0, "high": 0.012}, "c": 2})[0] == "0 (0–1,2)"


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
