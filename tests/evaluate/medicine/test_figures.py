"""Counts, rates and intervals of notes whose changes are few enough to count."""

from __future__ import annotations

import json

import pytest

from dpdeid.evaluate.medicine.changes import Change, How, NoteChanges
from dpdeid.evaluate.medicine.figures import SUMS, figures
from dpdeid.evaluate.medicine.kinds import Kind


def note(words: int, *kinds: Kind, how: How = How.SILENT, taken_for: str = "") -> NoteChanges:
    """A note with a change of each kind, each a place of its own."""
    changed = (Change(at, at + 1, kind, how, at, "x", taken_for) for at, kind in enumerate(kinds))
    return NoteChanges(words, tuple(changed))


NOTES = [
    note(400, Kind.DRUG, Kind.DRUG, Kind.WORD, Kind.GRAMMAR, taken_for="LAST_NAME"),
    note(100, Kind.VALUE, Kind.FORMAT, how=How.MASKED),
    note(500),
]


def test_the_counts_and_rates_of_a_kind() -> None:
    found = figures(NOTES)
    assert (found["notes"], found["words"]) == (3, 1000)
    drug = {key: of for key, of in found["kinds"]["drug"].items() if key != "interval"}
    counts = {"words": 2, "places": 2, "notes": 1, "silent": 2, "masked": 0, "removed": 0}
    assert drug == {**counts, "per_10k": 20.0}


def test_grammar_and_marks_are_in_no_sum() -> None:
    found = figures(NOTES)
    assert (found["medicine"]["words"], found["all"]["words"]) == (3, 4)
    assert (found["medicine"]["silent"], found["medicine"]["masked"]) == (2, 1)
    assert found["kinds"]["grammar"]["words"] == found["kinds"]["format"]["words"] == 1


def test_what_words_were_taken_for_leaves_out_grammar() -> None:
    assert figures(NOTES)["taken_for"] == {"LAST_NAME": {"drug": 2, "word": 1}}


def test_an_interval_holds_the_rate_and_comes_from_notes() -> None:
    found = figures(NOTES, resamples=200)
    for name in SUMS:
        low, high = found[name]["interval"]
        assert low <= found[name]["per_10k"] <= high
        assert [round(10 * end, 6) % 1 for end in (low, high)] == [0, 0]  # as it is shown
    # a sample without the first note has no drug, one of it alone has 2 in 400
    assert found["kinds"]["drug"]["interval"] == [0, 50]


def test_a_kind_that_never_changed_has_no_interval() -> None:
    assert figures(NOTES)["kinds"]["code"]["interval"] is None


@pytest.mark.parametrize("notes", [[note(0)], [note(0), note(1, Kind.WORD)]])
def test_empty_notes_have_no_rate_of_their_own(notes: list[NoteChanges]) -> None:
    found = figures(notes)
    assert found["all"]["per_10k"] == (None if len(notes) == 1 else 10_000)


def test_all_of_it_is_plain_data() -> None:
    assert json.loads(json.dumps(figures(NOTES))) == figures(NOTES)
