"""What the site has beside these pages: README, files that pages lead to, generated reference.

`mkdocs.yml` names this file. Nothing here asks a network.
"""

from __future__ import annotations

import inspect
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from typer.main import get_command

import dpdeid
from dpdeid.cli.app import app

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(\]\()(?!\w+:|#)([^)#\s]+)")
FROM_ROOT = {"index.md": "README.md"}
"""Pages of the site and the files of the repository that they are."""
ALWAYS = ("README.fr.md", "CONTRIBUTING.md", "CHANGELOG.md")


def home(source: str) -> str:
    """Where a page of the site stands in the repository."""
    if source.startswith("repository/"):
        return source.removeprefix("repository/")
    return FROM_ROOT.get(source, f"docs/{source}")


def place(path: str) -> str:
    """Where a file of the repository stands on the site."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return {there: here for here, there in FROM_ROOT.items()}.get(path, f"repository/{path}")


def target(source: str, link: str) -> str:
    """The file of the repository that a link on a page of the site leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(home(source)), link))


def led_to(names: Iterator[str]) -> Iterator[str]:
    """Files outside docs that these pages, and the pages they lead to, lead to."""
    waiting = [*names]
    seen = set(waiting)
    while waiting:
        source = waiting.pop()
        text = (ROOT / home(source)).read_text(encoding="utf-8")
        for _, link in LINK.findall(text):
            path = target(source, link)
            if path.startswith("docs/") or place(path) in seen or not (ROOT / path).is_file():
                continue
            seen.add(place(path))
            yield path
            if path.endswith(".md"):
                waiting.append(place(path))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds README, what pages lead to, and the generated pages.

    Args:
        files: those of docs.
        config: the site's.
    """
    sources = [file.src_uri for file in files.documentation_pages()]
    for path in dict.fromkeys(("README.md", *ALWAYS, *led_to(iter(["index.md", *sources])))):
        added = File.generated(config, place(path), abs_src_path=str(ROOT / path))
        added.inclusion = InclusionLevel.NOT_IN_NAV  # or where the navigation has it
        files.append(added)
    for name, text in (("options", options()), ("api", api()), ("models", models())):
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads links out of docs to where the site has the file; folders and the rest stay text."""
    source = page.file.src_uri
    if source.startswith("reference/"):
        return markdown

    def moved(match: re.Match[str]) -> str:
        path = place(target(source, match[2]))
        return match[1] + posixpath.relpath(path, posixpath.dirname(source) or ".")

    parts = re.split(r"(^```.*?^```|`[^`\n]*`)", markdown, flags=re.M | re.S)
    return "".join(p if p.startswith("`") and "](" not in p else LINK.sub(moved, p) for p in parts)


def options() -> str:
    """All commands with their arguments and options, from the tables of the command line."""
    lines = ["# Options of all commands", "", "From the tables of `dpdeid -h`.", ""]
    for name, command in commands(get_command(app), "dpdeid"):
        lines += [f"## {name}", "", escaped(inspect.cleandoc(command.help or "")), ""]
        whole = command.make_context(name, [], resilient_parsing=True).command
        rows = [row for param in whole.params for row in described(param)]
        if rows:
            lines += ["| | value | default | |", "|---|---|---|---|", *rows, ""]
    return "\n".join(lines)


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its full name."""
    inner = getattr(command, "commands", None)
    if not inner:
        yield name, command
        return
    for key, one in inner.items():
        yield from commands(one, f"{name} {key}")


def described(param: Any) -> Iterator[str]:
    """The row of an argument or option; none for help itself."""
    if param.name == "help":
        return
    argument = param.param_type_name == "argument"
    names = [param.metavar or param.name.upper()] if argument else param.opts
    shown = ", ".join(f"`{name}`" for name in names)
    value = f"`{param.metavar}`" if param.metavar and not argument else ""
    told = isinstance(param.default, str | int | float) and not isinstance(param.default, bool)
    default = f"`{param.default}`" if told and param.default != "" else ""
    said = escaped(param.help or "").replace("\n", " ")
    yield f"| {shown} | {value} | {default} | {said} |"


def escaped(text: str) -> str:
    """A text of the terminal as Markdown."""
    return re.sub(r"([|<\[\]{}*_])", r"\\\1", text)


def api() -> str:
    """The public names of the package, each from its docstring."""
    names = "\n\n".join(f"::: dpdeid.{name}" for name in dpdeid.__all__)
    return f"# Python API\n\nThe names of `dir(dpdeid)`; all but them may change.\n\n{names}\n"


def models() -> str:
    """The cards of the shipped models."""
    lines = [
        "# Model cards",
        "",
        "As `dpdeid model show` prints them, of the models in the package.",
        "",
    ]
    for path in sorted((ROOT / "dpdeid" / "models").rglob("*card.json")):
        card = json.loads(path.read_text(encoding="utf-8"))
        seen = "yes: it must stay inside" if card["trained_on_identified"] else "none"
        lines += [
            f"## {card['name']}",
            "",
            f"A {card['kind']} of {card['date']}. Identified notes: {seen}.",
        ]
        lines += ["", f"It finds {', '.join(card['labels'])}.", ""]
        lines += ["| learned from | notes | licence |", "|---|---|---|"]
        lines += [
            f"| {one['name']} | {one['notes']:,} | {one['licence']} |" for one in card["data"]
        ]
        lines += ["", "| scores | |", "|---|---|"]
        lines += [f"| {key} | {value} |" for key, value in card["scores"].items()]
        lines.append("")
    base = (ROOT / "dpdeid" / "models" / "base" / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\A---\n.*?^---\n", "", base, flags=re.M | re.S)
    return "\n".join(lines) + "\n" + re.sub(r"^#", "##", text.lstrip(), flags=re.M)
