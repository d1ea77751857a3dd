"""One person has one surrogate in the linked notes of the benchmark, their spans given."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("faker")
sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
from coreference import LINKED, Tally, given, judge, read_linked, released

LEAST = {"found": 1.0, "agree": 0.99, "apart": 1.0, "kin": 1.0, "sex": 1.0}
PATIENTS = list(read_linked(LINKED))


def test_one_person_one_surrogate() -> None:
    tally, engine = Tally(), given("dp", PATIENTS)
    for patient in PATIENTS:
        judge(patient, list(released(engine, patient)), tally)
    figures = tally.figures()
    assert tally.of["agree"] > 700
    assert figures.keys() == LEAST.keys()
    assert [name for name, least in LEAST.items() if figures[name] < least] == []


def test_the_judge_sees_who_has_two_surrogates_or_another_sex() -> None:
    """Originals as they are agree; with each mention drawn for itself they do not."""
    kept, broken = Tally(), Tally()
    for patient in PATIENTS:
        judge(patient, [(mark, f"{mark.text}{at}x") for at, mark in enumerate(patient.marks)], kept)
        names = ("Zoé", "Paul", "Léa")
        judge(patient, [(mark, names[at % 3]) for at, mark in enumerate(patient.marks)], broken)
    assert broken.figures()["agree"] < 0.7
    assert broken.figures()["sex"] < 0.7
    assert broken.figures()["apart"] < 0.7
