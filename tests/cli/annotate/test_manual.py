"""`dpdeid annotate manual` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, ["annotate", "manual", *map(str, args)])


def test_french_markdown_and_english_html(tmp_path: Path) -> None:
    assert invoke("-o", tmp_path / "guide.md", "-f", "prodigy").exit_code == 0
    text = (tmp_path / "guide.md").read_text(encoding="utf-8")
    assert text.lstrip().startswith("# Guide d'annotation")
    assert "CTRL+S" in text
    asked = ("--scheme", "chuv", "--language", "en")
    assert invoke("-o", tmp_path / "guide.html", *asked).exit_code == 0
    page = (tmp_path / "guide.html").read_text(encoding="utf-8")
    assert "<title>Annotation guidelines</title>" in page
    assert "EMPLACEMENT_GÉOGRAPHIQUE" in page


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("-o", "guide.pdf"), "a manual ends with .md or .html"),
        (("-o", "guide.md", "--scheme", "x"), "no such scheme"),
        (("-o", "guide.md", "--language", "de"), "no such language"),
        (("-o", "guide.md", "-f", "word"), "no such format"),
    ],
)
def test_what_is_asked_wrongly_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke(*args)
    assert isinstance(result.exception, UsageError)
    assert said in str(result.exception)
    assert list(tmp_path.iterdir()) == []
