"""Extending a CRF: its file in and out, what moves and what stays, what is said of the gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpdeid.detect.taggers.card import Source, read_card
from dpdeid.detect.taggers.crf import Crf, Tagger, loaded
from dpdeid.document import Document
from dpdeid.errors import TrainingError
from dpdeid.labels import Label
from dpdeid.testing import marked
from dpdeid.training.corpus import Note
from dpdeid.training.crf import Options as Scratch
from dpdeid.training.crf import train_crf
from dpdeid.training.extending.chain import moved, with_tags
from dpdeid.training.extending.crf import Options, extend_crf
from dpdeid.training.extending.crf_weights import Weights, read_weights, write_weights

SCRATCH = Scratch(c1=0.01, c2=0.01, rarest=1, iterations=40, forgotten=0)
QUICK = Options(steps=30, replayed=0, forgotten=0, pull=0.1)
OLD = ("zorblax", "quindrel", "trelvane", "olbrick", "fermolin", "yastrube")
NEW = ("borvanel", "castrune", "delquist", "emprolat", "fluvarne", "gristode")


def notes(names: Sequence[str], line: str) -> list[Note]:
    found = []
    for name in names:
        text, spans = marked(line.format(name))
        found.append((Document(f"{line[:3]}-{name}", text), spans))
    return found


KNOWN = [
    *notes(OLD, "vu avec «LAST_NAME:{}» ce jour"),
    *notes(("la toux", "le pied"), "vu ce jour pour {}"),
]
SITE = notes(NEW, "pancarte {}".replace("{}", "«LAST_NAME:{}»") + " ok sans plus")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("start") / "start.crfsuite"
    train_crf(KNOWN, path, options=SCRATCH, identified=False)
    return path


def found(tagger: Tagger, note: Note) -> list[str]:
    return [note[0].text[s.start : s.end] for s in tagger.spans(note[0], 0.5)]


def names_of(weights: Weights) -> dict[tuple[str, str], float]:
    rows, columns = np.nonzero(weights.state)
    return {
        (weights.attributes[a], weights.tags[t]): weights.state[a, t]
        for a, t in zip(rows, columns, strict=True)
    }


def test_a_file_of_given_weights_has_those_weights(start: Path) -> None:
    weights = read_weights(start.read_bytes())
    other = replace(weights, state=weights.state * 2, steps=weights.steps * 3)
    again = read_weights(write_weights(other))
    assert names_of(again) == names_of(other)
    assert again.tags != ()
    assert np.count_nonzero(again.steps) == np.count_nonzero(other.steps)
    assert sorted(again.steps[again.steps != 0]) == sorted(other.steps[other.steps != 0])


def test_the_slope_is_that_of_the_likelihood() -> None:
    """Of a chain of two tags by hand: the chance of a tag moves as its weight says."""
    start = Weights(("a", "b"), ("O", "I"), np.zeros((2, 2)), np.zeros((2, 2)))
    chains = [([["a"], ["b"]], ["O", "I"]), ([["a"]], ["O"])]
    after = moved(start, chains, pull=1e-6, steps=200)
    assert after.state[0, 0] > after.state[0, 1] == 0  # "a" never stood under I
    assert after.state[1, 1] > 0 < after.steps[0, 1]
    held = moved(start, chains, pull=1e6, steps=200)
    assert np.abs(held.state).max() < 1e-3


def test_what_the_notes_do_not_say_stays_to_the_bit(start: Path) -> None:
    before = read_weights(start.read_bytes())
    known = before.attributes[0]
    after = moved(before, [([["new"], [known]], ["O", "O"])], pull=0.1, steps=5)
    assert np.array_equal(after.state[1:-1], before.state[1:])
    assert not np.array_equal(after.state[0], before.state[0])
    assert after.attributes == (*before.attributes, "new")
    assert after.state[-1].any()


def test_a_tag_that_the_file_lacks_gets_a_column(start: Path) -> None:
    before = read_weights(start.read_bytes())
    wider = with_tags(before, {"B-CITY", *before.tags})
    assert wider.tags == (*before.tags, "B-CITY")
    assert not wider.state[:, -1].any()
    assert not wider.steps[-1].any()


def test_the_site_is_learned_and_the_old_notes_keep_their_tags(start: Path, tmp_path: Path) -> None:
    out = tmp_path / "site.crfsuite"
    before = loaded(str(start))
    assert not any(found(before, note) for note in SITE[:1])
    card, gain = extend_crf(str(start), SITE[1:], out, dev=SITE[:1], options=QUICK)
    after = Tagger.read(out)
    assert found(after, SITE[0]) == [NEW[0]]
    assert after.data != before.data
    assert [found(after, note) for note in KNOWN] == [found(before, note) for note in KNOWN]
    assert any(found(after, note) for note in KNOWN)
    assert (gain.notes, gain.better, gain.worse, gain.pays) == (1, 1, 0, True)
    assert "better here: fewer wrong words on 1 of 1 notes" in gain.verdict
    assert [s.label for s in Crf(model=str(out))(SITE[0][0])] == [Label.LAST_NAME]
    assert card == read_card(out)


def test_its_card_says_what_it_came_from_and_that_it_is_identified(
    start: Path, tmp_path: Path
) -> None:
    out = tmp_path / "site.crfsuite"
    data = [Source("ward.jsonl", "own", len(SITE))]
    card, gain = extend_crf(
        str(start), SITE, out, parts=2, data=data, options=replace(QUICK, replayed=2)
    )
    before = read_card(start)
    assert card.trained_on_identified
    assert not before.trained_on_identified
    assert card.settings["extends"] == f"start, {before.date}"
    assert card.settings["extends/start.crfsuite"] == before.files["start.crfsuite"]
    assert [source.name for source in card.data] == ["ward.jsonl", "dpdeid synth, seed 0"]
    assert gain.notes == len(SITE)  # each was held out once
    assert card.scores["the site's notes, extended/recall"] == gain.extended["recall"]
    assert not any(name in card.to_json() for name in (*OLD, *NEW))
    kept, _ = extend_crf(
        str(start), SITE, tmp_path / "b", dev=SITE, identified=False, options=QUICK
    )
    assert not kept.trained_on_identified
    again, _ = extend_crf(str(out), SITE, tmp_path / "c", dev=SITE, identified=False, options=QUICK)
    assert again.trained_on_identified  # what it came from was


def test_what_is_no_better_is_told(start: Path, tmp_path: Path) -> None:
    wrong = notes(OLD, "vu avec {} «LAST_NAME:ce» jour")
    _, gain = extend_crf(str(start), wrong, tmp_path / "m", dev=KNOWN, options=QUICK)
    assert not gain.pays
    assert gain.worse > gain.better
    assert gain.verdict.endswith("keep the one it started from.")
    _, same = extend_crf(str(start), KNOWN, tmp_path / "m", dev=KNOWN, options=QUICK)
    assert not same.pays  # nothing was left to gain


def test_labels_it_does_not_know_are_refused_but_for_those_of_the_rules(
    start: Path, tmp_path: Path
) -> None:
    out = tmp_path / "m"
    towns = [*SITE, *notes(("Brest",), "né à «CITY:{}»")]
    with pytest.raises(TrainingError, match=r"start\.crfsuite does not know CITY"):
        extend_crf(str(start), towns, out, options=QUICK)
    assert not out.exists()
    closed = [*SITE, *notes(("mari",), "avec son «KINSHIP:{}»")]
    card, _ = extend_crf(str(start), closed, out, dev=SITE, options=QUICK)
    assert card.labels == (Label.LAST_NAME,)


def test_one_patient_measures_nothing(start: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="give --dev"):
        extend_crf(str(start), SITE[:1], tmp_path / "m", options=QUICK)


def test_the_same_notes_give_the_same_bytes(start: Path, tmp_path: Path) -> None:
    files = [tmp_path / "a", tmp_path / "b"]
    for out in files:
        extend_crf(str(start), SITE, out, dev=SITE, options=replace(QUICK, replayed=2))
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.model
def test_the_shipped_file_comes_back_whole() -> None:
    data = loaded("shipped").data
    weights = read_weights(data)
    assert names_of(read_weights(write_weights(weights))) == names_of(weights)
    assert len(write_weights(weights)) == len(data)
