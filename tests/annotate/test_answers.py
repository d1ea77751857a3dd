"""Answers: the last of each annotator, and durations by the rules of the thesis."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.annotate.answers import LONGEST, Counts, answers
from dpdeid.annotate.exchange import Design, Manifest, numbered
from dpdeid.annotate.tools.returned import Returned
from dpdeid.annotate.units import Answer, Marked, Unit, read_answers
from dpdeid.errors import AnnotationError
from dpdeid.formats.write import json_line

UNITS = [Unit(f"n#{number}", "n", "", 0, f"Vu par Anne {number}") for number in range(4)]
SENT = numbered(UNITS)
MANIFEST = Manifest(Design("prodigy", "chuv", 0), {one.ref: one for one in SENT})
NAME = Marked(7, 11, "PATIENT_E")


def came(number: int, at: int | None = None, **told: object) -> Returned:
    """An answer on a unit, so many seconds after ten o'clock."""
    time = "" if at is None else f"2026-03-01T{10 + at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}Z"
    one = SENT[number]
    keys = {"marks": (NAME,), "annotator": "anne", "at": time, **told}
    return Returned(f"row {number}", one.ref, one.text, **keys)  # type: ignore[arg-type]


def read(*rows: Returned, who: str | None = None) -> tuple[list[Answer], Counts]:
    return answers(rows, MANIFEST, who, "red")


def seconds(*rows: Returned) -> list[float | None]:
    return [answer.seconds for answer in read(*rows)[0]]


def test_a_duration_leads_from_one_answer_to_the_next_in_time() -> None:
    assert seconds(came(2, 19), came(0, 0), came(1, 9)) == [None, 9, 10]


def test_a_break_is_none_and_what_comes_after_it_is() -> None:
    found, counts = read(came(0, 0), came(1, 301), came(2, 601), came(3, 602))
    assert [one.seconds for one in found] == [None, None, 300, 1]
    assert (counts.measured, counts.first, counts.over_5_minutes) == (2, 1, 1)


def test_each_annotator_begins_anew() -> None:
    rows = came(0, 0), came(1, 4), came(0, 6, annotator="bob"), came(1, 8, annotator="bob")
    found, counts = read(*rows)
    told = [(one.annotator, one.seconds) for one in found]
    assert told == [("anne", None), ("anne", 4), ("bob", None), ("bob", 2)]
    assert counts.first == 2
    assert counts.unanswered == 2


def test_of_two_answers_the_later_stays_and_has_no_duration() -> None:
    found, counts = read(came(0, 0), came(1, 9, marks=()), came(2, 12), came(1, 5))
    assert [(one.unit.id, one.marked) for one in found] == [
        ("n#0", (NAME,)),
        ("n#1", ()),
        ("n#2", (NAME,)),
    ]
    assert [one.seconds for one in found] == [None, None, 3]
    assert (counts.answers, counts.again, counts.answered_twice) == (3, 1, 1)


def test_without_times_the_one_further_down_stays() -> None:
    found, counts = read(came(0), came(0, marks=()))
    assert [one.marked for one in found] == [()]
    assert (counts.again, counts.answered_twice, counts.measured) == (1, 1, 0)


def test_what_is_passed_over_has_no_duration_but_ends_one() -> None:
    found, counts = read(came(0, 0), came(1, 9, ignored=True), came(2, 12))
    assert [one.seconds for one in found] == [None, None, 3]
    assert [one.marked for one in found] == [(NAME,), (), (NAME,)]
    assert (counts.ignored, counts.passed_over) == (1, 1)


def test_a_time_that_the_tool_measured_is_believed_up_to_five_minutes() -> None:
    found, counts = read(came(0, 0, seconds=4.5), came(1, 500, seconds=LONGEST + 1))
    assert [one.seconds for one in found] == [4.5, None]
    assert (counts.measured, counts.over_5_minutes) == (1, 1)


def test_no_time_is_told() -> None:
    _, counts = read(came(0), came(1))
    assert (counts.without_time, counts.measured) == (2, 0)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 7000), st.booleans()), max_size=12))
def test_every_answer_is_counted_once(rows: list[tuple[int, int, bool]]) -> None:
    found, counts = read(*(came(unit, at, ignored=no) for unit, at, no in rows))
    assert counts.answers == len(found) == len({unit for unit, *_ in rows})
    assert counts.answers + counts.again == len(rows)
    assert counts.answers + counts.unanswered == len(UNITS)
    whys = ("measured", "without_time", "first", "over_5_minutes", "answered_twice", "passed_over")
    assert sum(getattr(counts, why) for why in whys) == len(found)
    assert sum(one.seconds is not None for one in found) == counts.measured
    assert all(one.seconds is None or 0 <= one.seconds <= LONGEST for one in found)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    found, _ = read(came(0, 0), came(1, 9), who="anne")
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json_line(one.row()) for one in found))
    assert read_answers([path]) == found
    assert {one.team for one in found} == {"red"}


def test_one_name_for_several_annotators_is_refused() -> None:
    rows = came(0), came(1, annotator="bob")
    with pytest.raises(AnnotationError, match="2 annotators are named"):
        read(*rows, who="anne")
    assert {one.annotator for one in read(*rows)[0]} == {"anne", "bob"}


def test_nobody_is_refused() -> None:
    with pytest.raises(AnnotationError, match=f"row 0: names no annotator .* {SENT[0].ref}$"):
        read(came(0, annotator=""))
    assert read(came(0, annotator=""), who="eve")[0][0].annotator == "eve"


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(AnnotationError, match="row 0: the time of the answer is no time"):
        read(came(0, 0), came(0).__class__("row 0", SENT[0].ref, SENT[0].text, (), "anne", "noon"))


def test_blank_marks_are_left_out_and_counted_and_equal_ones_are_one() -> None:
    marks = (Marked(2, 3, "DATE"), NAME, NAME, Marked(6, 12, "PATIENT_E"))
    (found,), counts = read(came(0, marks=marks))
    assert found.marked == (NAME,)
    assert counts.blank == 1


TITLE = Marked(4, 11, "PERSONNEL_MÉDICAL")


@pytest.mark.parametrize("other", [TITLE, NAME._replace(category="DATE"), Marked(8, 9, "DATE")])
def test_marks_that_overlap_are_refused_with_all_their_units(other: Marked) -> None:
    rows = came(1, 0, marks=(NAME, other)), came(2, 5), came(3, 9, marks=(other, NAME))
    with pytest.raises(AnnotationError) as raised:
        read(*rows)
    assert str(raised.value) == (
        f"row 1: marks overlap in unit {SENT[1].ref}\nrow 3: marks overlap in unit {SENT[3].ref}"
    )


def test_of_an_answer_that_does_not_count_no_overlap_is_told() -> None:
    both = NAME, TITLE
    rows = came(0, 0, marks=both), came(0, 5), came(1, 9, marks=both, ignored=True)
    assert [one.marked for one in read(*rows)[0]] == [(NAME,), ()]


def test_marks_that_touch_are_two() -> None:
    marks = Marked(7, 9, "DATE"), Marked(9, 11, "PATIENT_E")
    assert read(came(0, marks=marks))[0][0].marked == marks


def test_all_texts_that_were_changed_are_named() -> None:
    rows = [Returned(f"row {at}", one.ref, "another", ()) for at, one in enumerate(SENT)]
    with pytest.raises(AnnotationError, match="not that of unit") as raised:
        read(*rows)
    assert all(one.ref in str(raised.value) for one in SENT)


def test_of_very_many_the_first_are_named_and_the_others_counted() -> None:
    rows = [Returned(f"row {at}", SENT[0].ref, "another", ()) for at in range(18)]
    with pytest.raises(AnnotationError, match=r"row 15: .*\nand 2 more$"):
        read(*rows)
