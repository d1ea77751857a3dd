"""Annotated notes: read, refused with their row, and split without a patient on both sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document, Span
from dpdeid.errors import TrainingError
from dpdeid.labels import Label
from dpdeid.training.corpus import labels_in, read_corpus, split

ROW = {"id": "a", "text": "vue le 12/03", "entities": [{"start": 7, "end": 12, "label": "DATE"}]}


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_a_note_comes_with_its_spans(tmp_path: Path) -> None:
    ((doc, spans),) = read_corpus([write(tmp_path / "a.jsonl", ROW)])
    assert doc.text == "vue le 12/03"
    assert spans == (Span(7, 12, Label.DATE),)


def test_marked_notes_stand_behind_their_heads_or_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("===== mot\nvue le\n«DATE:12/03»\n===== avis\nvu\n\n", encoding="utf-8")
    (first, spans), (second, none) = read_corpus([path])
    assert (first.text, spans) == ("vue le\n12/03", (Span(7, 12, Label.DATE, source="gold"),))
    assert (second.text, none) == ("vu", ())
    assert first.id != second.id
    path.write_text("vue le «DATE:12/03»\n\nATCD :\n", encoding="utf-8")
    assert [doc.text for doc, _ in read_corpus([path])] == ["vue le 12/03", "ATCD :"]


@pytest.mark.parametrize(
    ("line", "said"),
    [("le «DAY:12»", "note 2: a mark has no label"), ("le «DATE:12", "note 2: a mark is not")],
)
def test_a_wrong_mark_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"vu\n{line}\n", encoding="utf-8")
    with pytest.raises(TrainingError, match=said):
        read_corpus([path])
    path.write_bytes(b"\xff")
    with pytest.raises(TrainingError, match="damaged file"):
        read_corpus([path])


def test_of_two_spans_that_overlap_the_larger_stays_whole(tmp_path: Path) -> None:
    inner = {"start": 7, "end": 9, "label": "AGE"}
    row = {**ROW, "entities": [inner, *ROW["entities"]]}  # type: ignore[misc]
    ((_, spans),) = read_corpus([write(tmp_path / "a.jsonl", row)])
    assert spans == (Span(7, 12, Label.DATE),)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"entities": [{"start": 7, "end": 12, "label": "PER"}]}, "row 2: not a note with"),
        ({"entities": [{"start": 7, "end": 7, "label": "DATE"}]}, "row 2: not a note with"),
        ({"entities": [{"start": 7, "label": "DATE"}]}, "row 2: not a note with"),
        ({"entities": [{"start": 7.5, "end": 9, "label": "DATE"}]}, "row 2: not a note with"),
        ({"entities": [{"start": True, "end": 9, "label": "DATE"}]}, "row 2: not a note with"),
        ({"entities": [{"start": 7, "end": 13, "label": "DATE"}]}, "row 2: an entity lies outside"),
        ({"entities": None}, "row 2: not a note with"),
        ({"text": None}, "row 2: .*no text"),
        ({"patient": {"shoe": 1}}, "row 2: .*unknown key 'shoe'"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = write(tmp_path / "a.jsonl", ROW, {**ROW, **change})
    with pytest.raises(TrainingError, match=rf"a\.jsonl, {said}") as caught:
        read_corpus([path])
    assert "12/03" not in str(caught.value)


def test_nothing_to_train_on_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no such file"):
        read_corpus([tmp_path / "absent.jsonl"])
    (tmp_path / "a.jsonl").write_text("")
    with pytest.raises(TrainingError, match="no note"):
        read_corpus([tmp_path / "a.jsonl"])


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=30), st.floats(0.05, 0.5), st.integers(0, 9)
)
def test_a_patient_stands_on_one_side(patients: list[int], share: float, seed: int) -> None:
    notes = [(Document(str(n), "x", f"p{p}"), ()) for n, p in enumerate(patients)]
    if len(set(patients)) < 2:
        with pytest.raises(TrainingError, match="too few"):
            split(notes, share=share, seed=seed)
        return
    rest, held = split(notes, share=share, seed=seed)
    assert held
    assert rest
    assert {d.id for d, _ in (*rest, *held)} == {d.id for d, _ in notes}
    assert not {d.patient_id for d, _ in rest} & {d.patient_id for d, _ in held}
    assert (rest, held) == split(notes, share=share, seed=seed)


def test_people_of_one_name_are_taken_for_one() -> None:
    known = {Label.LAST_NAME: ("Kerdoncuff",), Label.FIRST_NAME: ("Loïc",)}
    notes = [(Document(str(n), "x", known=known if n < 9 else {}), ()) for n in range(10)]
    for seed in range(5):
        rest, held = split(notes, share=0.3, seed=seed)
        assert sorted((len(rest), len(held))) == [1, 9]


def test_labels_come_in_their_usual_order_and_notes_without_a_span_are_refused() -> None:
    spans = (Span(0, 1, Label.DATE), Span(2, 3, Label.LAST_NAME), Span(4, 5, Label.DATE))
    assert labels_in([(Document("n", "a b c"), spans)]) == (Label.LAST_NAME, Label.DATE)
    with pytest.raises(TrainingError, match="no span"):
        labels_in([(Document("n", "vue"), ())])
