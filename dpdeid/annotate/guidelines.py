"""Annotation guidelines made from the definitions of a scheme: in French or English, as Markdown or
as one page of HTML without script or link to elsewhere.

Like those of Loftsson (CHUV 2022, section 3.1.2): the colours of the tool, a table of contents, how
the tool is used, and of every category in alphabetical order what it is, with examples of what is
marked and of what is not. Examples are French in both languages: so are the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

from dpdeid.annotate.schemes import Category, Scheme, pieces, table
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.page import texts_in

LANGUAGES: Final = ("en", "fr")
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")
_STYLE: Final = (
    "body{font:1rem/1.5 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#000;"
    "background:#fff}mark{color:#000;padding:0 .2em;border-radius:.2em}"
    "code{padding:0 .3em;border:1px solid #777;border-radius:.2em}"
)


class Block(NamedTuple):
    """A piece of the manual.

    Args:
        kind: "h1" to "h3", "p" (words), "yes" and "no" (an example), "toc" (a line of contents).
        colour: of the marks, "" for the page's own.
        anchor: where a line of contents leads, or what it is called.
        key: the shortcut of a category, behind its name.
    """

    kind: str
    text: str
    colour: str = ""
    anchor: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Manual:
    """The guidelines of one scheme.

    Args:
        language: one of `LANGUAGES`.
        tool: whose use is told, None of none.

    Raises:
        UsageError: there is no such language.
    """

    scheme: Scheme
    language: str = "fr"
    tool: str | None = None

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            allowed = ", ".join(LANGUAGES)
            raise UsageError(f"no such language: {self.language}; allowed: {allowed}")

    def blocks(self) -> Iterator[Block]:
        """The manual in order."""
        words = texts_in("dpdeid.annotate", self.language)
        categories = sorted(self.scheme.categories.values(), key=_by_alphabet)
        yield Block("h1", words["title"])
        yield Block("p", words["purpose"])
        yield Block("h2", words["contents"])
        if self.tool is not None:
            yield Block("toc", words["tool"], anchor="tool")
        yield Block("toc", words["rules"], anchor="rules")
        for one in categories:
            yield Block("toc", one.name, one.colour, one.plain.lower())
        if self.tool is not None:
            yield Block("h2", words["tool"], anchor="tool")
            yield from self._rules(self.tool)
        yield Block("h2", words["rules"], anchor="rules")
        yield from self._rules("all", self.scheme.name)
        for group, own in groupby(categories, lambda one: one.group):
            yield Block("h2", group)
            for one in own:
                yield from self._category(one)

    def markdown(self) -> str:
        """As Markdown (CommonMark); what is to be marked is bold."""
        words = texts_in("dpdeid.annotate", self.language)
        return "".join(_markdown(block, words) for block in self.blocks())

    def html(self) -> str:
        """As one page of HTML, in the colours of the tool."""
        words = texts_in("dpdeid.annotate", self.language)
        body = "".join(_html(block, words) for block in self.blocks())
        return (
            f'<!DOCTYPE html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{escape(words['title'])}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
            f"{body}</body>\n</html>\n"
        )

    def _rules(self, *of: str) -> Iterator[Block]:
        head, *lines = table("rules.tsv")
        column = head.index({"en": "english", "fr": "french"}[self.language])
        for line in lines:
            if line[0] in of:
                yield Block("p", line[column])
                yield from (Block("yes", one) for one in line[-1].split(" | ") if one)

    def _category(self, one: Category) -> Iterator[Block]:
        yield Block("h3", one.name, one.colour, one.plain.lower(), one.key)
        yield Block("p", one.french if self.language == "fr" else one.english)
        yield from (Block("yes", example, one.colour) for example in one.examples)
        yield from (Block("no", example) for example in one.never)


def _by_alphabet(one: Category) -> tuple[str, str]:
    return one.group, one.plain


def _markdown(block: Block, words: dict[str, str]) -> str:
    text = "".join(
        f"**{_plain(piece)}**" if marked else _plain(piece) for piece, marked in pieces(block.text)
    )
    if block.kind == "toc":
        return f"- [{text}](#{block.anchor})\n"
    if block.kind in ("yes", "no"):
        return f"- {words[block.kind]} {text}\n"
    if block.kind == "p":
        return f"\n{text}\n\n"
    anchor = f'<a id="{block.anchor}"></a>' if block.anchor else ""
    key = f" ({words['key']} `{block.key}`)" if block.key else ""
    return f"\n{'#' * int(block.kind[1])} {anchor}{text}{key}\n\n"


def _plain(text: str) -> str:
    """The text in Markdown: no sign of it means anything."""
    return _SPECIAL.sub(r"\\\1", text)


def _html(block: Block, words: dict[str, str]) -> str:
    look = f' style="background:{block.colour}"' if block.colour else ""
    text = "".join(
        f"<mark{look}>{escape(piece)}</mark>" if marked else escape(piece)
        for piece, marked in pieces(block.text)
    )
    if block.kind == "toc":
        return f'<p><a href="#{block.anchor}"><mark{look or _BARE}>{text}</mark></a></p>\n'
    if block.kind in ("yes", "no"):
        return f"<p>{escape(words[block.kind])} {text}</p>\n"
    if block.kind == "p":
        return f"<p>{text}</p>\n"
    anchor = f' id="{block.anchor}"' if block.anchor else ""
    if block.key:
        text = f"<mark{look}>{text}</mark> <code>{escape(block.key)}</code>"
    return f"<{block.kind}{anchor}>{text}</{block.kind}>\n"


_BARE: Final = ' style="background:none"'
