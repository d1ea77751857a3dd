"""Policy files: what is not known is refused with its line and the allowed names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar, Literal

import pytest
import yaml

from dpdeid.errors import PolicyError
from dpdeid.policy.loader import Loader, choice_name


class Colour(StrEnum):
    RED = "RED"
    BLUE = "BLUE"


@dataclass(frozen=True)
class Plain:
    size: int = 1


@dataclass(frozen=True)
class TwoWords:
    amount: Fraction


@dataclass(frozen=True)
class Thing:
    name: ClassVar[str] = "thing"
    colours: tuple[Colour, ...] = ()
    part: Plain | TwoWords | None = None
    mode: Literal["a", "b"] = "a"
    on: bool = False
    day: dt.date | None = None
    table: Mapping[Colour, str] = field(default_factory=dict)
    pair: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if self.pair[0] > self.pair[1]:
            raise ValueError("pair must rise")


REGISTRY = {"thing": lambda: Thing, "two_words": lambda: TwoWords}


def build(text: str, budget: str = "") -> object:
    loader = Loader("file.yaml")
    given = loader.budget(yaml.compose(budget)) if budget else None
    return loader.choice(yaml.compose(text), REGISTRY, "part", given)


def test_names_in_a_file() -> None:
    assert (choice_name(Thing), choice_name(TwoWords)) == ("thing", "two_words")


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("thing", Thing()),
        ("{thing: }", Thing()),
        ("{thing: {colours: [RED, BLUE]}}", Thing(colours=(Colour.RED, Colour.BLUE))),
        ("{thing: {part: plain}}", Thing(part=Plain())),
        ("{thing: {part: {plain: {size: 3}}}}", Thing(part=Plain(3))),
        ("{thing: {part: {two_words: {amount: 0.05}}}}", Thing(part=TwoWords(Fraction(1, 20)))),
        ("{thing: {part: {two_words: {amount: 3/4}}}}", Thing(part=TwoWords(Fraction(3, 4)))),
        ("{thing: {part: null, mode: b, on: true}}", Thing(mode="b", on=True)),
        ("{thing: {day: 2026-12-31}}", Thing(day=dt.date(2026, 12, 31))),
        ("{thing: {table: {RED: x}}}", Thing(table={Colour.RED: "x"})),
        ("{thing: {pair: [1, 2]}}", Thing(pair=(1, 2))),
    ],
)
def test_a_rule_is_a_constructor_call(text: str, thing: Thing) -> None:
    assert build(text) == thing


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("thin", 1, "unknown part 'thin'; allowed: thing, two_words"),
        ("thing:\n  colour: [RED]", 2, "unknown key 'colour'; allowed: colours, part"),
        ("thing:\n  colours:\n    - GREEN", 3, "unknown colour 'GREEN'; allowed: RED, BLUE"),
        ("thing:\n  mode: c", 2, "'c' is not one of a, b"),
        ("thing:\n  on: maybe", 2, "neither true nor false"),
        ("thing:\n  day: tomorrow", 2, "not a date"),
        ("thing:\n\n  part: {plain: {size: 1.5}}", 3, "'1.5' is not a whole number"),
        ("thing:\n  part: other", 2, "unknown choice 'other'; allowed: plain, two_words"),
        ("thing:\n  part: two_words", 2, "two_words needs amount"),
        ("thing:\n  part: {two_words: {amount: a lot}}", 2, "'a lot' is not a number"),
        ("thing:\n  part: {two_words: {amount: share}}", 2, "the budget has no part"),
        ("thing:\n  pair: [2, 1]", 1, "thing: pair must rise"),
        ("thing:\n  pair: [1]", 2, "2 values are expected"),
        ("thing:\n  on: true\n  on: true", 3, "stands twice"),
        ("{thing: {}, two_words: {}}", 1, "one part is expected"),
        ("[thing]", 1, "a mapping"),
        ("thing: [1]", 1, "a mapping"),
        ("thing:\n  colours: RED", 2, "a list"),
    ],
)
def test_what_is_not_known_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        build(text)
    assert str(caught.value).startswith(f"file.yaml, line {line}: ")
    assert message in str(caught.value)


class TestBudget:
    def test_a_share_is_exact(self) -> None:
        thing = build(
            "two_words: {amount: share}", "{epsilon: 8, split: {two_words: 3/4, thing: 1/4}}"
        )
        assert thing == TwoWords(Fraction(6))

    def test_a_part_of_a_share_is_exact(self) -> None:
        thing = build("two_words: {amount: share/20}", "{epsilon: 8, split: {two_words: 1}}")
        assert thing == TwoWords(Fraction(2, 5))

    @pytest.mark.parametrize(
        "budget",
        [
            "{epsilon: 8}",
            "{epsilon: 8, split: {a: 1/2}}",
            "{epsilon: 0, split: {a: 1}}",
            "{epsilon: 8, split: {a: 2, b: -1}}",
            "{epsilon: 8, split: {a: 1}, other: 1}",
            "{epsilon: inf, split: {a: 1}}",
        ],
    )
    def test_a_budget_that_does_not_add_up_is_refused(self, budget: str) -> None:
        with pytest.raises(PolicyError, match="line 1"):
            build("thing", budget)
