"""`dpdeid evaluate report` from files to a page; a browser opens it."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.charts import template
from tests.evaluate.report import making

BROWSER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["evaluate", "report", *map(str, arguments)])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    found = {
        "gold.detection.json": making.detection(),
        "aphp.utility.json": making.utility(),
        "dp.robustness.json": making.robustness(),
    }
    for name, data in found.items():
        (tmp_path / name).write_text(json.dumps(data), encoding="utf-8")
    return [tmp_path / name for name in found]


def test_one_page_and_the_same_numbers_as_json(files: list[Path], tmp_path: Path) -> None:
    html, figures = tmp_path / "out.html", tmp_path / "out.json"
    result = call(*files, "--html", html, "--json", figures, "--lang", "fr", "-p", "dp")
    assert result.exit_code == 0, result.output
    data = json.loads(figures.read_text(encoding="utf-8"))
    assert {"summary", "found-gold", "types-gold", "kept", "jaccard-aphp", "moved-dp"} <= set(data)
    text = html.read_text(encoding="utf-8")
    assert 'lang="fr"' in text
    assert "gold.detection.json" in text
    assert {stat.S_IMODE(path.stat().st_mode) for path in (html, figures)} == {0o600}


@pytest.mark.parametrize("policy", ["aphp", "redact"])
def test_a_page_without_a_measurement_is_refused(policy: str, tmp_path: Path) -> None:
    html = tmp_path / "out.html"
    result = call("--html", html, "-p", policy)
    assert isinstance(result.exception, UsageError)
    assert "nothing was measured" in str(result.exception)
    assert not html.exists()


def test_without_jinja_no_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(_path: Path) -> None:
        pytest.fail("the page is not there yet")

    template.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.setattr("dpdeid.cli.evaluate.report.open_private", opened)
    notes, html = tmp_path / "notes.jsonl", tmp_path / "out.html"
    notes.write_text(json.dumps({"id": "1", "text": "Rien.", "entities": []}), encoding="utf-8")
    result = call("--reveal", notes, notes, "--html", html, "-p", "redact")
    assert isinstance(result.exception, UsageError)
    assert "Jinja2" in str(result.exception)
    assert not html.exists()


def test_notes_without_anything_can_be_reported_on(tmp_path: Path) -> None:
    notes, figures = tmp_path / "notes.jsonl", tmp_path / "figures.json"
    notes.write_text(json.dumps({"id": "1", "text": "Rien.", "entities": []}), encoding="utf-8")
    found = CliRunner().invoke(
        app, ["evaluate", "detection", str(notes), str(notes), "--json", str(figures)]
    )
    assert found.exit_code == 0, found.output
    result = call(figures, "--html", tmp_path / "out.html", "-p", "dp")
    assert result.exit_code == 0, result.output


def test_text_of_notes_only_where_it_is_asked_for(files: list[Path], tmp_path: Path) -> None:
    gold, found = tmp_path / "g.jsonl", tmp_path / "p.jsonl"
    span = {"start": 4, "end": 9, "label": "LAST_NAME"}
    gold.write_text(json.dumps({"id": "1", "text": "Mme Zyxwv va", "entities": [span]}))
    found.write_text(json.dumps({"id": "1", "entities": []}))
    shown, hidden = tmp_path / "shown.html", tmp_path / "hidden.html"
    assert call(*files, "--html", hidden, "-p", "aphp").exit_code == 0
    result = call(*files, "--html", shown, "-p", "aphp", "--reveal", gold, found)
    assert result.exit_code == 0, result.output
    assert "Zyxwv" not in hidden.read_text(encoding="utf-8")
    assert "⟦Zyxwv⟧" in shown.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("{}", "no evaluation"),
        ('{"kept": 1}', "no evaluation"),
        ("[]", "no"),
    ],
)
def test_another_file_is_refused_by_name(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    result = call(path, "--html", tmp_path / "out.html")
    assert isinstance(result.exception, UsageError)
    assert why in str(result.exception)
    assert "other.json" in str(result.exception)


def test_two_files_of_one_name_are_refused(files: list[Path], tmp_path: Path) -> None:
    twin = tmp_path / "twin" / files[0].name
    twin.parent.mkdir()
    shutil.copy(files[0], twin)
    result = call(*files, twin, "--html", tmp_path / "out.html")
    assert "rename one" in str(result.exception)


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_browser_shows_it(files: list[Path], tmp_path: Path, lang: str) -> None:
    html, shot = tmp_path / "out.html", tmp_path / "out.png"
    assert call(*files, "--html", html, "--lang", lang).exit_code == 0
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         "--window-size=900,2400", f"--screenshot={shot}", "--dump-dom", html.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.count("<svg") == html.read_text(encoding="utf-8").count("<svg")
    assert "CONSOLE" not in done.stderr  # nothing was refused by the page's own policy
    assert shot.stat().st_size > 50_000
