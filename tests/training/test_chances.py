"""What calibration gives on its notes: chances that come true, and a recall that is reached."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.crf import Tagger
from dpdeid.document import Document
from dpdeid.testing import marked
from dpdeid.training.calibration import calibrate, fit_line, seen
from dpdeid.training.corpus import Note
from dpdeid.training.crf import Options, fit, train_crf

OPTIONS = Options(c1=0.01, c2=0.01, rarest=1, forgotten=0)


def note(line: str) -> Note:
    text, spans = marked(line)
    return Document(line, text), spans


NAMED, PLAIN = note("vu avec «LAST_NAME:zorblax» ici"), note("vu avec zorblax ici")


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    """Learned that the word is a name in three of four notes."""
    return fit([NAMED] * 30 + [PLAIN] * 10, OPTIONS, name="m")[0]


@given(st.floats(0.3, 2), st.floats(-2, 2))
def test_a_line_is_found_again(slope: float, shift: float) -> None:
    pairs = []
    for step in range(-8, 9):
        chance = 1 / (1 + math.exp(-(slope * step / 4 + shift)))
        pairs += [(step / 4, i + 0.5 < chance * 400) for i in range(400)]
    assert fit_line(pairs) == pytest.approx((slope, shift), abs=0.07)


@given(st.lists(st.tuples(st.floats(-7, 7), st.booleans())))
def test_a_line_is_finite_whatever_came_true(pairs: list[tuple[float, bool]]) -> None:
    slope, shift = fit_line(pairs)
    assert math.isfinite(slope)
    assert math.isfinite(shift)


def test_nothing_seen_changes_nothing() -> None:
    assert fit_line([]) == (1, 0)


@pytest.mark.parametrize(("right", "wrong"), [(30, 10), (10, 30)])
def test_a_chance_comes_true_as_often_as_it_says(tagger: Tagger, right: int, wrong: int) -> None:
    held = [NAMED] * right + [PLAIN] * wrong
    read = calibrate(tagger, held, target=0.9)
    (name,) = [token for token in seen(tagger, PLAIN) if token.chances]
    assert name.kind == "unlisted"
    said = read.of("unlisted", name.chances["LAST_NAME"])
    assert said == pytest.approx(right / (right + wrong), abs=0.07)


def test_the_least_chance_reaches_the_target_and_no_more(tagger: Tagger) -> None:
    read = calibrate(tagger, [NAMED] * 10 + [PLAIN] * 30, target=0.99)
    doc = NAMED[0]
    again = tagger.with_calibration(read)
    assert not again.spans(doc, 0.5)  # said to be a name one time in four
    assert len(again.spans(doc, 0.5, recall_first=True)) == 1
    assert read.recall["LAST_NAME"] == pytest.approx(0.25, abs=0.07)


def test_a_label_that_cannot_be_found_is_not_tagged_everywhere(tagger: Tagger) -> None:
    hopeless = note("«LAST_NAME:ici» le mari")
    read = calibrate(tagger, [hopeless] * 20, target=0.99)
    assert read.recall["LAST_NAME"] == 0.02


def test_a_card_carries_the_calibration(tmp_path: Path) -> None:
    path = tmp_path / "m"
    held = [NAMED] * 10 + [PLAIN] * 30
    train_crf([NAMED] * 30 + [PLAIN] * 10, path, options=OPTIONS, held=held, recall=0.9)
    mine = Tagger.read(path)
    read = calibrate(mine, held, target=0.9)
    assert read.settings().items() <= mine.card.settings.items()
    (name,) = [token for token in seen(mine, NAMED) if token.gold]
    (span,) = mine.spans(NAMED[0], 0.9)
    assert span.score == pytest.approx(read.of("unlisted", name.chances["LAST_NAME"]))
