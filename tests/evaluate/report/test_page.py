"""The page: complete, self-contained, escaped, with a table for each chart."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import UsageError
from dpdeid.evaluate.report.charts import template
from dpdeid.evaluate.report.inputs import Evaluations
from dpdeid.evaluate.report.measured import errors
from dpdeid.evaluate.report.page import LANGS, Section, Table, page, words
from dpdeid.evaluate.report.sections import sections
from dpdeid.policy.policy import load_policy
from tests.evaluate.report import making
from tests.evaluate.report.reading import Page, drawn

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)


def made(lang: str) -> tuple[tuple[Section, ...], str]:
    """The sections of made-up evaluations and their page."""
    found = Evaluations({"gold <x>": making.detection()}, {"aphp": making.utility()}, {}, {})
    parts = sections(found, [load_policy("aphp")], words(lang))
    return parts, page(parts, words(lang), title="A title", foot=("the foot",))


@pytest.fixture(scope="module", params=LANGS)
def read(request: pytest.FixtureRequest) -> tuple[tuple[Section, ...], Page]:
    parts, text = made(request.param)
    return parts, Page.of(text)


def test_every_section_has_a_link_a_heading_and_a_table(
    read: tuple[tuple[Section, ...], Page],
) -> None:
    parts, html = read
    keys = [part.key for part in parts]
    assert len(set(keys)) == len(keys) >= 6
    assert [section["id"] for section in html.all("section")] == keys
    assert [link["href"] for link in html.all("a")] == [f"#{key}" for key in keys]
    assert len(html.all("table")) == len(html.all("details")) == len(parts)
    assert len(html.all("h1")) == 1


def test_every_chart_has_its_words_and_every_id_is_one(
    read: tuple[tuple[Section, ...], Page],
) -> None:
    parts, html = read
    assert len(html.all("svg")) == sum(part.chart != "" for part in parts)
    ids = [attributes["id"] for _, attributes in html.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for chart in html.all("svg"):
        assert set((chart["aria-labelledby"] or "").split()) <= set(ids)


def test_nothing_is_loaded_and_nothing_runs(read: tuple[tuple[Section, ...], Page]) -> None:
    _, html = read
    names = {name for name, _ in html.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "form"}
    for name, attributes in html.tags:
        for key, value in attributes.items():
            assert not key.startswith("on")
            if key in ("href", "src", "marker-end"):
                assert (value or "").lstrip("url(").startswith("#"), name
    assert "default-src 'none'" in str(html.all("meta"))


def test_the_language_is_said(read: tuple[tuple[Section, ...], Page]) -> None:
    _, html = read
    assert html.all("html")[0]["lang"] in LANGS


def test_a_file_name_is_text_and_never_markup() -> None:
    _, text = made("en")
    assert "gold &lt;x&gt;" in text
    assert "<x>" not in text


def test_cells_are_written_as_the_language_does_and_the_unknown_as_a_dash() -> None:
    table = Table(("label", "redacted_share"), (("A", 0.5), ("B", float("nan")), ("C", None)))
    html = Page.of(page([Section("k", "t", (), table)], words("fr"), title="t", foot=()))
    assert html.texts.count("50,0 %") == 1
    assert html.texts.count("–") == 2
    assert table.data()[1] == {"label": "B", "redacted_share": None}


@given(WORDS, WORDS, WORDS)
def test_any_text_comes_back_as_text(title: str, said: str, cell: str) -> None:
    parts = [Section("k", title, (said,), Table(("context",), ((cell,),)))]
    texts = Page.of(page(parts, words("en"), title=title, foot=(said,))).texts
    assert texts.count(title) >= 4
    assert {said, cell} <= set(texts)


def test_a_control_character_of_a_note_does_not_stand_in_the_page() -> None:
    part = Section("k", "t", ("a\x00b\x07c\n\ud800d\té",), Table((), ()))
    text = page([part], words("en"), title="t", foot=())
    assert "<p>a\ufffdb\ufffdc\n\ufffdd\té</p>" in text
    assert text.encode()


def test_without_jinja_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    template.cache_clear()
    with pytest.raises(UsageError, match=r"\.\[evaluate\]"):
        page([], words("en"), title="t", foot=())


def test_the_same_evaluations_give_the_same_page() -> None:
    assert made("fr")[1] == made("fr")[1]


def test_errors_are_all_of_them_with_their_text() -> None:
    gold, found = making.gold(), making.found()
    section = errors(gold, found, words("en"))
    rows = section.table.data()
    missed = sum(
        span.label.value != "DURATION" and span not in spans
        for note, spans in zip(gold, found, strict=True)
        for span in note.spans
    )
    assert len([row for row in rows if row["error"] == "left"]) == missed > 0
    assert all("⟦" in str(row["context"]) for row in rows)
    perfect = errors(gold, [note.spans for note in gold], words("en"))
    assert perfect.table.rows == ()


def test_the_style_names_every_class_that_is_drawn() -> None:
    style = Path(__file__).parents[3] / "dpdeid" / "evaluate" / "report" / "charts.css"
    known = style.read_text(encoding="utf-8")
    parts, _ = made("en")
    classes = {
        name
        for part in parts
        if part.chart
        for element in drawn(part.chart).iter()
        for name in (element.get("class") or "").split()
    }
    assert classes
    assert all(f".{name}" in known for name in classes)
