"""Detection scores on examples small enough to count by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document, Span
from dpdeid.evaluate.counts import Counts, Leak
from dpdeid.evaluate.detection import KEPT, Scores, in_classes, score
from dpdeid.labels import HNFC, Label
from dpdeid.policy.policy import load_policy
from dpdeid.spans import disjoint
from dpdeid.testing import marked
from dpdeid.testing.strategies import spans

TEXT, GOLD = marked("Mme «LAST_NAME:Le Goff» vue le «DATE:12/03»")
DOC = Document("n", TEXT)


def span(text: str, label: Label) -> Span:
    start = TEXT.index(text)
    return Span(start, start + len(text), label)


def test_the_worked_example_of_the_module() -> None:
    predicted = [
        span("Le", Label.LAST_NAME),
        span("Goff", Label.LAST_NAME),
        span("12", Label.AGE),
    ]
    scores = score(DOC, GOLD, predicted)
    assert scores.micro(scores.exact, Label) == Counts(tp=0, fp=3, fn=2)
    assert scores.partial[Label.LAST_NAME] == Counts(tp=1, fp=1, fn=0)
    assert scores.partial[Label.DATE] == Counts(tp=0, fp=0, fn=1)
    assert scores.token[Label.LAST_NAME] == Counts(tp=2, fp=0, fn=0)
    assert scores.token[Label.DATE] == Counts(tp=0, fp=0, fn=2)
    assert scores.micro(scores.token, Label).recall == 2 / 4
    assert (scores.direct + scores.quasi).redacted == 3 / 4
    assert scores.direct == Leak(covered=2, leaked=0, notes=1, clean_notes=1)
    assert scores.quasi == Leak(covered=1, leaked=1, notes=1, clean_notes=0)
    assert scores.every == Leak(covered=3, leaked=1, notes=1, clean_notes=0)
    assert scores.strict == scores.once == Counts(tp=3, fp=0, fn=1)
    assert scores.confusion == {
        ("LAST_NAME", "LAST_NAME"): 2,
        ("DATE", "AGE"): 1,
        ("DATE", "O"): 1,
    }


def test_perfect_prediction() -> None:
    scores = score(DOC, GOLD, GOLD)
    assert scores.micro(scores.exact, Label).f1 == 1
    assert scores.direct.fully_redacted == 1


def test_half_a_token_is_a_leak() -> None:
    scores = score(DOC, GOLD, [span("Gof", Label.LAST_NAME)])
    assert scores.leak[Label.LAST_NAME].covered == 0
    assert scores.token[Label.LAST_NAME].tp == 1


def test_a_label_that_is_kept_does_not_hide_a_name() -> None:
    scores = score(DOC, GOLD, [span("Le Goff", Label.KINSHIP)])
    assert scores.direct.covered == 0
    assert score(DOC, GOLD, [span("Le Goff", Label.CITY)]).direct.covered == 2


def test_the_labels_that_are_kept_are_those_of_the_default_policy() -> None:
    (keep,) = (s for s in load_policy("dp").strategies if s.name == "keep")
    assert set(keep.labels) == KEPT


def test_durations_are_not_scored() -> None:
    scores = score(DOC, GOLD, [*GOLD, span("vue", Label.DURATION)])
    assert Label.DURATION not in scores.exact


def test_a_repeated_error_counts_each_time_or_once() -> None:
    text, gold = marked("«LAST_NAME:Morel» puis «LAST_NAME:MOREL», «LAST_NAME:Petit», vu et vu")
    doc = Document("n", text)
    wrong = [Span(text.index("Petit"), text.index("Petit") + 5, Label.LAST_NAME)]
    wrong += [Span(at, at + 2, Label.CITY) for at in (text.index("vu"), text.rindex("vu"))]
    scores = score(doc, gold, wrong)
    assert scores.strict == Counts(tp=1, fp=2, fn=2)
    assert scores.once == Counts(tp=1, fp=1, fn=1)  # Morel and MOREL are one word


class TestClasses:
    """Counting in the classes of another scheme."""

    TEXT, GOLD = marked("M. «FIRST_NAME:Jean» «LAST_NAME:Le Goff», «ZIP:29000» «CITY:Quimper»")
    DOC = Document("n", TEXT)

    def test_a_full_name_is_one_stretch_where_both_names_have_one_class(self) -> None:
        found = list(in_classes(self.TEXT, self.GOLD, HNFC))
        assert sorted(found) == [(3, 15, "PER"), (17, 22, "LOC"), (23, 30, "LOC")]
        whole = [Span(3, 15, Label.LAST_NAME), *self.GOLD[2:]]
        assert score(self.DOC, self.GOLD, whole, HNFC).exact == {
            "PER": Counts(1, 0, 0),
            "LOC": Counts(2, 0, 0),
        }

    def test_a_comma_parts_two_names(self) -> None:
        text, gold = marked("«LAST_NAME:Morel», «FIRST_NAME:Jean»")
        assert len(list(in_classes(text, gold, HNFC))) == 2

    def test_without_classes_every_span_stands_alone(self) -> None:
        assert list(in_classes(self.TEXT, self.GOLD)) == [
            (s.start, s.end, s.label) for s in self.GOLD
        ]

    def test_a_label_without_a_class_leaks_and_is_not_counted(self) -> None:
        text, gold = marked("chambre «ROOM:12», «CITY:Brest»")
        scores = score(Document("n", text), gold, gold[1:], HNFC)
        assert set(scores.exact) == {"LOC"}
        assert (scores.every.leaked, scores.strict.fn) == (1, 1)


def test_nothing_over_nothing_is_nan() -> None:
    assert math.isnan(Counts().precision)
    assert math.isnan(Leak().redacted)
    assert score(Document("n", "x"), [], []).direct.fully_redacted == 1


@given(st.lists(spans(len(TEXT))).map(disjoint))
def test_counts_add_up(predicted: tuple[Span, ...]) -> None:
    once = score(DOC, GOLD, predicted)
    twice = once + once
    for label, counts in once.exact.items():
        assert twice.exact[label] == counts + counts
        assert counts.tp + counts.fn == sum(s.label == label for s in GOLD)
    assert twice.direct.notes == 2
    assert Scores() + once == once


@pytest.mark.parametrize("missing", [0, 1])
def test_more_prediction_never_redacts_less(missing: int) -> None:
    less = score(DOC, GOLD, GOLD[missing : missing + 1])
    more = score(DOC, GOLD, GOLD)
    assert (less.direct + less.quasi).covered < (more.direct + more.quasi).covered
