"""The template language, and that every template can be written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpdeid.labels import Label
from dpdeid.synth import corpus, grammar
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece, Rule, TemplateError, rules
from dpdeid.synth.scene import SLOTS

PLAIN_LISTS = (
    "first.", "last.", "part.", "town.", "hospital.", "org.", "street.", "mail.",
    "birthtown", "areas", "saint", "nature", "hamlet", "flat", "unit.name",
)  # fmt: skip
"""Lists that Python reads line by line; they are no templates."""
BY_VALUES = (
    "who.", "date.", "birth.", "stay.", "clock", "age.", "phone.FR", "phone.OM", "phone.CH",
    "phone.BE", "phone.LU", "phone.CA", "net.domain", "mail.user", "mail.staff", "odonym",
)  # fmt: skip
"""Templates of names, dates and numbers, filled by values and not by a scene."""


class Small:
    """A scene with one slot."""

    def __init__(self, seed: int, female: bool = False) -> None:
        self.dice = Dice.of(seed, "grammar")
        self.female = female
        self.said: dict[str, set[int]] = {}

    def fill(self, slot: str, arguments: tuple[str, ...]) -> Iterator[Piece]:
        if slot != "name":
            raise KeyError(slot)
        yield Piece("-".join(("Roland", *arguments)), Label.FIRST_NAME)


def written(*lines: str, seed: int = 0, female: bool = False) -> list[Piece]:
    rule = Rule("r")
    for line in lines:
        rule.add(line, 1)
    out: list[Piece] = []
    rule.write(Small(seed, female), out)
    return out


def text(*lines: str, seed: int = 0, female: bool = False) -> str:
    return "".join(piece.text for piece in written(*lines, seed=seed, female=female))


def test_slots_and_marks_carry_their_labels() -> None:
    assert written("vu par {name:a,b} au «UNIT:SSR [Est|Est]»") == [
        Piece("vu par "),
        Piece("Roland-a-b", Label.FIRST_NAME),
        Piece(" au "),
        Piece("SSR Est", Label.UNIT),
    ]


def test_gender_options_escapes_and_line_breaks() -> None:
    assert text("né</e> <le/la>") == "né le"
    assert text("né</e> <le/la>", female=True) == "née la"
    assert {text("a[b|c|]d", seed=n) for n in range(40)} == {"abd", "acd", "ad"}
    assert {text("a[b]", seed=n) for n in range(40)} == {"a", "ab"}
    assert text(r"\[x\]\nTA < 14 « oui »") == "[x]\nTA < 14 « oui »"
    assert {text("a\n? b\nc", seed=n) for n in range(40)} == {"a\nb\nc", "a\nc"}


def test_all_alternatives_are_drawn() -> None:
    assert {text("a", "b", "c", seed=n) for n in range(60)} == {"a", "b", "c"}


@pytest.mark.parametrize("line", ["{name", "«TOWN:x»", "[a|b", "<a/b/c>"])
def test_a_broken_template_is_refused_with_its_rule(line: str) -> None:
    with pytest.raises(TemplateError, match="template r: cannot read"):
        written(line)


def test_every_template_can_be_written() -> None:
    """Every rule with its every slot: an unknown name would be a KeyError."""
    scene = corpus.note(1, 1).scene
    for name, rule in rules().items():
        if name.startswith(PLAIN_LISTS + BY_VALUES):
            continue
        for line in rule.lines:
            alone = Rule(name)
            alone.add(line, 1)
            for _ in range(8):
                alone.write(scene, [])


def test_every_document_type_has_its_rule_and_no_rule_is_left_over() -> None:
    documents = {name.removeprefix("doc.") for name in rules() if name.startswith("doc.")}
    assert documents == set(corpus.TYPES)
    assert len(documents) >= 15


def test_no_rule_hides_a_slot() -> None:
    assert not set(rules()) & set(SLOTS)


def test_lists_are_read_as_they_stand() -> None:
    assert "Lausanne|1003 1004 1005 1010|VD" in grammar.lines("town.CH")
