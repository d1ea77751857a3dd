"""The site of docs/: built without a warning, whole, and asking nobody for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

import dpdeid

ROOT = Path(__file__).parents[1]
CONFIG = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


def build(config: Path, site: Path) -> subprocess.CompletedProcess[str]:
    for name in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(name, reason="needs the extra docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    options = ["--config-file", str(config), "--site-dir", str(site)]
    return subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, cwd=ROOT
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    done = build(ROOT / "mkdocs.yml", target)
    assert done.returncode == 0, done.stderr
    assert "WARNING -" not in done.stderr + done.stdout
    return target


class Loaded(HTMLParser):
    """What a browser asks for by itself when it shows a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = dict(attrs)
        if tag == "link" and at.get("rel") in ("canonical", "prev", "next"):
            return
        name = "href" if tag == "link" else "src"
        if tag in ("link", "script", "img", "iframe", "source") and at.get(name):
            self.found.append(at[name] or "")


def text(site: Path, page: str) -> str:
    html = (site / page / "index.html").read_text(encoding="utf-8")
    return re.sub(r"<[^>]+>", "", html[html.index("<article") :])


def nav(entry: object) -> Iterator[str]:
    """The pages of an entry of the navigation."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        for value in entry.values():
            yield from nav(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from nav(value)


def test_it_asks_nobody(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        loaded = Loaded()
        loaded.feed(page.read_text(encoding="utf-8"))
        assert len(loaded.found) > 3, page
        assert [one for one in loaded.found if re.match(r"(\w+:)?//", one)] == [], page
    for sheet in site.rglob("*.css"):
        urls = re.findall(r"url\([\"']?((?:\w+:)?//[^)]*)", sheet.read_text(encoding="utf-8"))
        assert urls == []


def test_every_page_of_docs_is_in_the_navigation() -> None:
    listed = list(nav(CONFIG["nav"]))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    assert pages <= set(listed)
    assert len(listed) == len(set(listed))


def test_every_command_and_option_is_in_the_reference(site: Path) -> None:
    page = text(site, "reference/options")
    table = (ROOT / "dpdeid/cli/commands.tsv").read_text(encoding="utf-8")
    names = [line.split("\t")[0] for line in table.splitlines() if not line.startswith("#")]
    assert len(names) > 40
    assert [name for name in names if f"dpdeid {name}" not in page] == []
    table = (ROOT / "dpdeid/cli/options.tsv").read_text(encoding="utf-8")
    options = set(re.findall(r"\t(--[\w-]+)", table))
    assert len(options) > 20
    assert [option for option in options if option not in page] == []
    assert "INPUT" in page


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    page = text(site, "reference/api")
    assert [name for name in dpdeid.__all__ if not re.search(rf"\b{name}\b", page)] == []
    for value in (dpdeid.Deidentifier, dpdeid.deidentify, dpdeid.load_policy):
        first = (value.__doc__ or "").splitlines()[0].split("`")[0].strip()
        assert first, value
        assert first in page, value


def test_every_model_has_its_card(site: Path) -> None:
    page = text(site, "reference/models")
    assert all(word in page for word in ("transformer", "crf", "parhaf.jsonl", "CC BY 4.0", "base"))


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    config = {"site_name": "x", "plugins": [], "validation": CONFIG["validation"]}
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    page = tmp_path / "docs" / "index.md"
    for link, code in (("#here", 0), ("other.md", 1), ("#there", 1)):
        page.write_text(f"# Here\n\n[a]({link})\n", encoding="utf-8")
        assert build(tmp_path / "mkdocs.yml", tmp_path / "site").returncode == code, link
