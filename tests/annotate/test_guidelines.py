"""The manual: every category with its examples, in both languages and both forms."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

from dpdeid.annotate.exchange import TOOLS
from dpdeid.annotate.guidelines import LANGUAGES, Manual
from dpdeid.annotate.schemes import pieces, schemes, table
from dpdeid.errors import UsageError

MANUALS = [
    pytest.param(Manual(scheme, language, tool), id=f"{scheme.name}-{language}-{tool}")
    for scheme in schemes().values()
    for language in LANGUAGES
    for tool in (None, *TOOLS)
]


class Page(HTMLParser):
    """What stands in a page of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.marked: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        assert tag not in ("script", "img", "link", "iframe")
        if tag != "meta":
            self.open.append(tag)
        self.ids += [str(told["id"])] if "id" in told else []
        self.links += [str(told["href"])] if "href" in told else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["mark"]:
            self.marked.append(data)
        self.words.append(data)


def to_mark(manual: Manual) -> list[str]:
    """What the examples of all categories mark."""
    every = manual.scheme.categories.values()
    examples = (example for one in every for example in one.examples)
    return [piece for example in examples for piece, marked in pieces(example) if marked]


@pytest.mark.parametrize("manual", MANUALS)
def test_the_page_has_every_category_and_leads_nowhere_else(manual: Manual) -> None:
    page = Page(manual.html())
    assert f'<html lang="{manual.language}">' in manual.html()
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links} == set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert {one.plain.lower() for one in manual.scheme.categories.values()} <= set(page.ids)
    assert set(to_mark(manual)) <= set(page.marked)
    assert "«" not in "".join(page.words)


@pytest.mark.parametrize("manual", MANUALS)
def test_markdown_says_what_the_page_says(manual: Manual) -> None:
    """Read by a parser of CommonMark: no sign in an example is taken for one of Markdown."""
    tokens = [
        inner for token in MarkdownIt().parse(manual.markdown()) for inner in token.children or ()
    ]
    bold = [after.content for one, after in pairwise(tokens) if one.type == "strong_open"]
    assert set(to_mark(manual)) <= set(bold)
    said = "".join(one.content for one in tokens if one.type in ("text", "code_inline"))
    page = Page(manual.html())
    title = page.words.index(next(word for word in page.words if "nnotation" in word))
    for word in page.words[title:]:
        assert " ".join(word.split()) in " ".join(said.split()) or "{" in word


@pytest.mark.parametrize("manual", MANUALS)
def test_categories_come_by_group_and_alphabet(manual: Manual) -> None:
    heads = [block for block in manual.blocks() if block.kind == "h3"]
    categories = manual.scheme.categories
    assert [one.text for one in heads] == sorted(
        categories, key=lambda name: (categories[name].group, categories[name].plain)
    )
    assert all(one.key == categories[one.text].key for one in heads)
    assert all(one.colour == categories[one.text].colour for one in heads)


def test_each_tool_has_its_rules_and_no_other() -> None:
    for tool in TOOLS:
        own = [line[1] for line in table("rules.tsv") if line[0] == tool]
        assert own
        told = Manual(schemes()["chuv"], "en", tool).markdown()
        assert all(rule in told for rule in own)
        assert not any(rule in Manual(schemes()["chuv"], "en").markdown() for rule in own)


def test_each_scheme_has_rules_of_its_own() -> None:
    lines = table("rules.tsv")
    assert {line[0] for line in lines[1:]} == {"all", *schemes(), *TOOLS}
    french = Manual(schemes()["dpdeid"]).markdown()
    assert all(line[2] in french for line in lines if line[0] in ("all", "dpdeid"))
    assert not any(line[2] in french for line in lines if line[0] == "chuv")


@pytest.mark.parametrize("row", table("rules.tsv"), ids=lambda row: row[1][:20])
def test_a_rule_is_complete(row: list[str]) -> None:
    assert len(row) == 4
    assert row[1]
    assert row[2]
    assert not re.search("[«»]", row[1] + row[2])


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="no such language: de; allowed: en, fr"):
        Manual(schemes()["chuv"], "de")
