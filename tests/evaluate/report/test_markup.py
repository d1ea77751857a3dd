"""Elements escape what they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.report.markup import tag, text_of
from tests.evaluate.report.reading import Page

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)


@given(WORDS, WORDS)
def test_any_text_comes_back_as_text(inside: str, attribute: str) -> None:
    page = Page.of(text_of(tag("p", inside, tag("b"), inside, title=attribute)))
    assert page.texts == [inside, inside]
    assert [name for name, _ in page.tags] == ["p", "b"]
    assert page.tags[0][1] == {"title": attribute}


def test_keywords_stand_for_attributes() -> None:
    text = text_of(tag("text", "x", class_="a", text_anchor="end", x=1.0, y=2))
    assert text == '<text class="a" text-anchor="end" x="1" y="2">x</text>'


def test_a_control_character_of_a_note_does_not_stand_in_the_page() -> None:
    page = text_of(tag("p", "a\x00b\x07c\n\ud800d\té"))
    assert page == "<p>a\ufffdb\ufffdc\n\ufffdd\té</p>"
    assert page.encode()
