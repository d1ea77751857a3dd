"""Where initials may stand: at ends of lines and cells, and of names of the same note."""

from __future__ import annotations

import pytest

from dpdeid.detect.decision.initials import short_words
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def told(text: str, *names: str) -> dict[str, list[float]]:
    doc = Document("n", text)
    votes = [
        Span(text.index(part), text.index(part) + len(part), label)
        for name in names
        for part, label in zip(name.split(), (Label.FIRST_NAME, Label.LAST_NAME), strict=False)
    ]
    found, asked = short_words(doc, votes)
    return {doc.tokens.texts[at]: found[at].tolist() for at in asked}


@pytest.mark.parametrize(
    "text",
    ["pansement refait cd", "12h cd |ok dit", "12h cd  | 8 UI", "dit cd.\nLe soir", "cd\tdit"],
)
def test_a_short_word_at_an_end_may_be_initials(text: str) -> None:
    assert told(text)["cd"] == [1, 1, 0]


def test_one_in_the_middle_is_asked_if_it_stands_at_an_end_elsewhere() -> None:
    doc = Document("n", "vu par cd ce jour\n8 UI cd\nrevu cd")
    found, asked = short_words(doc, ())
    ours = [at for at in asked if doc.tokens.texts[at] == "cd"]
    assert [found[at, 0] for at in ours] == [0, 1, 1]
    assert found[ours[0], 1] == pytest.approx(2 / 3)
    assert "ce" not in {doc.tokens.texts[at] for at in asked}


@pytest.mark.parametrize(
    ("initials", "own"), [("IOT", 1), ("TIO", 1), ("IT", 1), ("TI", 1), ("OIT", 0)]
)
def test_letters_that_begin_the_parts_of_a_name(initials: str, own: int) -> None:
    text = f"garde {initials} puis autre, Ismaël Ould-Taleb poste 12 ce soir là, bien dit"
    found = told(text, "Ismaël Ould-Taleb")
    assert found.get(initials, [0, 0, 0])[2] == own


def test_a_single_word_and_two_letters_are_no_name_with_initials() -> None:
    assert "du" not in told("du lit, Durand vu", "Durand")
    assert told("") == {}
