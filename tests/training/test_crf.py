"""Training a CRF: the same notes give the same model, and figures come from held-out notes."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.card import Source, read_card
from dpdeid.detect.taggers.crf import Tagger
from dpdeid.document import Document
from dpdeid.errors import TrainingError
from dpdeid.labels import Label
from dpdeid.testing import marked
from dpdeid.training.corpus import Note
from dpdeid.training.crf import Options, cross_validate, evaluate, fit, folds, train_crf

OPTIONS = Options(c1=0.01, c2=0.01, rarest=1, iterations=40, forgotten=0)
NAMES = ("zorblax", "quindrel", "trelvane", "olbrick", "fermolin", "yastrube")


def note(name: str, line: str) -> Note:
    text, spans = marked(line)
    return Document(name, text), spans


NOTES = [
    pair
    for number, name in enumerate(NAMES)
    for pair in (
        note(f"a{number}", f"vu avec «LAST_NAME:{name}» ce jour"),
        note(f"b{number}", "vu ce jour pour la toux"),
    )
]


def test_the_same_notes_give_the_same_bytes() -> None:
    assert fit(NOTES, OPTIONS, name="m")[1] == fit(NOTES, OPTIONS, name="m")[1]


def test_a_card_says_what_was_trained_and_how(tmp_path: Path) -> None:
    path = tmp_path / "wards.crfsuite"
    sources = [Source("wards", "own", len(NOTES))]
    card = train_crf(NOTES, path, options=OPTIONS, dev=NOTES, data=sources)
    assert read_card(path) == card
    assert card.name == "wards"
    assert card.labels == (Label.LAST_NAME,)
    assert card.data == tuple(sources)
    assert card.trained_on_identified
    assert card.settings == {"c1": 0.01, "c2": 0.01, "rarest": 1, "iterations": 40, "forgotten": 0}
    assert card.scores["direct/redacted"] == 1
    assert "quasi/redacted" not in card.scores
    assert Tagger.read(path).card == card


def test_no_word_of_a_note_is_in_the_card(tmp_path: Path) -> None:
    path = tmp_path / "m"
    card = train_crf(NOTES, path, options=Options(c1=0, rarest=1))
    assert not any(name in card.to_json() for name in NAMES)
    assert any(name.encode() in path.read_bytes() for name in NAMES)  # which the card warns of


def test_a_stronger_penalty_gives_a_smaller_file() -> None:
    small = Options(c1=2.0, c2=0.01, rarest=1)
    assert len(fit(NOTES, small, name="m")[1]) < len(fit(NOTES, OPTIONS, name="m")[1])


def test_figures_are_of_the_notes_given() -> None:
    tagger, _ = fit(NOTES, OPTIONS, name="m")
    assert evaluate(tagger, NOTES)["direct/token recall"] == 1
    wrong = [note("x", "«LAST_NAME:toux» le matin")]
    assert evaluate(tagger, wrong)["direct/redacted"] == 0
    assert evaluate(tagger, []) == {}


def test_nothing_to_learn_and_nowhere_to_write_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no span to learn from"):
        train_crf([note("a", "vu ce jour")], tmp_path / "m", options=OPTIONS)
    with pytest.raises(TrainingError, match="cannot write the model"):
        train_crf(NOTES, tmp_path / "absent" / "m", options=OPTIONS)


def test_closed_lists_are_left_to_the_rules() -> None:
    notes = [*NOTES, note("k", "avec son «KINSHIP:mari» «DURATION:depuis 3 jours»")]
    tagger, _ = fit(notes, OPTIONS, name="m")
    assert tagger.card.labels == (Label.LAST_NAME,)
    assert {s.label for doc, _ in notes for s in tagger.spans(doc, 1.0)} == {Label.LAST_NAME}
    with pytest.raises(TrainingError, match="no span to learn from"):
        fit([note("k", "avec son «KINSHIP:mari»")], OPTIONS, name="m")


def test_spans_that_touch_are_told_apart() -> None:
    pairs = [("zorblax", "quindrel"), ("trelvane", "olbrick"), ("fermolin", "yastrube")]
    notes = [
        note(a, f"vu avec «FIRST_NAME:{a}» «FIRST_NAME:{b}» salle «ROOM:12 B» ce jour")
        for a, b in pairs
    ]
    tagger, _ = fit(notes, OPTIONS, name="m")
    for doc, gold in notes:
        found = [(s.start, s.end, s.label) for s in tagger.spans(doc, 0.5)]
        assert found == [(s.start, s.end, s.label) for s in gold]


def test_labels_that_never_touch_need_one_tag() -> None:
    lines = ["salle «ROOM:12 B» ce jour", "salle «ROOM:4 C» hier", "vu ce jour"]
    tagger, _ = fit([note(line, line) for line in lines], OPTIONS, name="m")
    (span,) = tagger.spans(Document("n", "salle 9 B ce jour"), 0.5)
    assert (span.start, span.end, span.label) == (6, 9, Label.ROOM)


def test_what_is_forgotten_is_learned_without(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [
        note(f"{i}", f"vu par le Dr «LAST_NAME:{name.title()}»") for i, name in enumerate(NAMES)
    ]
    all_, none = (fit(notes, replace(OPTIONS, forgotten=share), name="m")[1] for share in (100, 0))
    monkeypatch.setattr(sys.modules[fit.__module__], "rule_spans", lambda _: ())
    assert fit(notes, OPTIONS, name="m")[1] == all_ != none


def test_cross_validation_scores_unseen_notes() -> None:
    scores = list(cross_validate(NOTES, 3, OPTIONS))
    assert len(scores) == 3
    assert all(0 <= value <= 1 for figures in scores for value in figures.values())


patients = st.lists(st.sampled_from([None, "p", "q", "r", "s"]), min_size=6, max_size=12)


@given(patients, st.integers(2, 3))
def test_every_note_is_held_out_once_and_patients_stay_together(
    owners: list[str | None], count: int
) -> None:
    notes: list[Note] = [
        (Document(str(i), "vu", owner), ()) for i, owner in enumerate([None, None, None, *owners])
    ]
    parts = list(folds(notes, count))
    assert sorted(d.id for _, held in parts for d, _ in held) == sorted(d.id for d, _ in notes)
    for rest, held in parts:
        assert len(rest) + len(held) == len(notes)
        mine = {d.patient_id for d, _ in held} - {None}
        assert not mine & {d.patient_id for d, _ in rest}


@pytest.mark.parametrize("count", [0, 1, 99])
def test_folds_need_patients(count: int) -> None:
    with pytest.raises(TrainingError, match="cannot be parted"):
        list(folds(NOTES, count))
