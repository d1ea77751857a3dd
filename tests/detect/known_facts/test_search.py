"""The finder spells targets over any separators."""

from __future__ import annotations

from dpdeid.detect.known_facts.propagate import Finder, Target, name_target, parts, squeeze
from dpdeid.detect.names.name_tokens import View
from dpdeid.document import Document


def hits(text: str, target: Target[int]) -> list[str]:
    view = View(Document("x", text))
    return [
        text[view.starts[first] : view.ends[stop - 1]]
        for first, stop, _ in Finder([target]).find(view)
    ]


def test_a_name_is_parted_between_its_words_only() -> None:
    target = name_target(("le", "goff"), 1)
    assert hits("Le Goff, le-goff, LeGoff, le goffic, l e goff", target) == [
        "Le Goff",
        "le-goff",
        "LeGoff",
    ]


def test_a_number_is_parted_anywhere() -> None:
    assert hits("12 34-56 123456 12.3456 1234567", Target("123456", 1)) == [
        "12 34-56",
        "123456",
        "12.3456",
    ]


def test_parts_and_squeeze() -> None:
    assert parts("d'Arc-Buisson") == ("d", "arc", "buisson")
    assert squeeze("Le Gôff 2A") == "legoff2a"
