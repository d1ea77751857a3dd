"""Planted stays: their truth is what the days say, and a shift keeps it."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path

from dpdeid.evaluate.coding.codes import Terminology
from dpdeid.evaluate.coding.timed import RULES, TimedCoder

SPEC = importlib.util.spec_from_file_location(
    "timed_stays", Path(__file__).parents[1] / "benchmarks" / "made" / "timed_stays.py"
)
assert SPEC is not None
assert SPEC.loader is not None
made = sys.modules["timed_stays"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(made)
planted_stays = made.planted_stays
COUNT = 5 * len(RULES)


def test_the_coder_finds_what_is_planted() -> None:
    coder = TimedCoder()
    for one in planted_stays(COUNT):
        found = {(c.terminology, c.value) for c in coder(one.document)}
        assert found == one.codes, one.document.text


def test_both_sides_of_every_rule_are_planted() -> None:
    codes = Counter(
        value
        for one in planted_stays(12 * len(RULES))
        for kind, value in one.codes
        if kind is Terminology.ICD10
    )
    assert {rule.early for rule in RULES} | {rule.late for rule in RULES} == set(codes)


def test_equal_seeds_give_equal_stays() -> None:
    texts = [[one.document.text for one in planted_stays(6, seed)] for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]
