"""A page and a .docx file of one tree: the same sentences, in order, for everybody to read."""

from __future__ import annotations

import sys
from io import BytesIO
from itertools import pairwise

import pytest
from docx import Document
from docx.oxml.ns import qn

from dpdeid.dossier.docx import docx
from dpdeid.dossier.html import html
from dpdeid.dossier.tree import Annex, Blanks, Grid, Part, Said, Ticks
from dpdeid.errors import UsageError
from dpdeid.evaluate.report.charts import template
from dpdeid.evaluate.report.page import LANGS
from tests.dossier.making import POLICIES, made
from tests.evaluate.report.reading import Page


def plain(text: str) -> str:
    return " ".join(text.replace("`", "").replace("☐", "").split())


def in_page(of: Annex) -> str:
    return plain("".join(Page.of(html(of)).texts))


def in_file(of: Annex) -> list[str]:
    """Paragraphs and cells in their order."""
    body = Document(BytesIO(docx(of))).element.body
    found = [
        plain("".join(text.text or "" for text in paragraph.iter(qn("w:t"))))
        for paragraph in body.iter(qn("w:p"))
    ]
    return [text for text in found if text]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("policy", POLICIES)
def test_both_say_all_of_the_tree(policy: str, lang: str) -> None:
    of = made(policy, lang, True)
    page, file = in_page(of), in_file(of)
    told = [plain(text) for text in of.texts()]
    assert [text for text in file if text != of.blank] == [t for t in told if t != of.blank]
    at = page.index(told[0], page.index(told[1]) - len(told[0]) - 2)  # behind the title
    for text in told:
        at = page.index(text, at)


@pytest.mark.parametrize("lang", LANGS)
def test_headings_are_in_order_and_tables_have_heads(lang: str) -> None:
    read = Page.of(html(made("dp", lang, True)))
    levels = [int(name[1]) for name, _ in read.tags if name in ("h1", "h2", "h3")]
    assert levels[:2] == [1, 2]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert read.all("html")[0]["lang"] == lang
    assert all(th["scope"] in ("row", "col") for th in read.all("th"))
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert {link["href"] for link in read.all("a")} <= {f"#{one}" for one in ids}


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    read = Page.of(html(made("dp", "fr", True)))
    assert not {name for name, _ in read.tags} & {"script", "link", "img", "iframe", "form"}
    assert "default-src 'none'" in str(read.all("meta"))
    assert not any(key.startswith("on") for _, given in read.tags for key in given)


def test_the_file_has_headings_a_language_and_no_author() -> None:
    of = made("dp", "fr", True)
    file = Document(BytesIO(docx(of)))
    styles = [paragraph.style.name for paragraph in file.paragraphs]
    assert styles.count("Heading 1") == len(of.parts)
    assert styles[0] == "Title"
    language = file.styles.element.find(f".//{qn('w:lang')}")
    assert language is not None
    assert language.get(qn("w:val")) == "fr-FR"
    assert (file.core_properties.author, file.core_properties.title) == ("", of.title)
    heads = list(file.element.body.iter(qn("w:tblHeader")))
    assert len(heads) == sum(isinstance(b, Grid) for part in of.parts for b in part.blocks)


def test_what_only_the_site_knows_is_marked_in_both() -> None:
    blocks = (Blanks(("Nom", "Finalité")), Ticks(("relu",)), Grid(("a", "b"), (("x", "[ici]"),)))
    of = Annex("fr", "t", "a", "c", "[ici]", (Part("k", "p", blocks),))
    assert html(of).count('<span class="blank">[ici]</span>') == 3
    assert in_file(of).count("[ici]") == 3


def test_a_name_is_text_and_never_markup() -> None:
    of = Annex("fr", "t", "a", "c", "[ici]", (Part("k", "p", (Said("<b>x</b> `<i>`"),)),))
    assert "&lt;b&gt;x&lt;/b&gt; <code>&lt;i&gt;</code>" in html(of)
    assert "<b>x</b> <i>" in in_file(of)


@pytest.mark.parametrize(("package", "write"), [("jinja2", html), ("docx", docx)])
def test_a_missing_package_is_told_with_its_extra(
    package: str, write: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    template.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    of = Annex("fr", "t", "a", "c", "[ici]", ())
    with pytest.raises(UsageError, match=r"\.\[dossier\]"):
        write(of)  # type: ignore[operator]
