"""Alignment, gamma, kappa, F1, votes, quality: on cases made by hand and on laws."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.annotate.agreement.alignment import aligned
from dpdeid.annotate.agreement.pairs import kappa, pairs
from dpdeid.annotate.agreement.quality import scoreboard
from dpdeid.annotate.agreement.reference import references, votes_of, weights_of
from dpdeid.annotate.agreement.report import disagreements, gold_row, report
from dpdeid.annotate.units import Answer, Marked
from tests.annotate.agreement.answers import DAY, NAME, SITE, TEXT, mark, said

FIRST = mark("Anne", "NOM")


class TestAlignment:
    def test_who_is_alone_has_no_gamma(self) -> None:
        assert aligned({"a": (NAME,)}).gamma is None
        assert aligned({"a": (NAME,)}).columns == ({"a": NAME},)

    def test_where_nobody_marks_there_is_no_gamma(self) -> None:
        assert aligned({"a": (), "b": ()}) == aligned({})

    def test_who_mark_alike_agree_wholly(self) -> None:
        both = aligned({"a": (NAME, DAY), "b": (NAME, DAY)})
        assert both.gamma == 1
        assert both.columns == ({"a": NAME, "b": NAME}, {"a": DAY, "b": DAY})


class TestWithTheLibrary:
    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        pytest.importorskip("pygamma_agreement")

    def test_near_marks_are_one_thing_and_far_ones_two(self) -> None:
        found = aligned({"a": (FIRST, SITE), "b": (NAME,), "c": (NAME, SITE)})
        assert found.columns == (
            {"a": FIRST, "b": NAME, "c": NAME},
            {"a": SITE, "b": None, "c": SITE},
        )
        assert found.gamma is not None
        assert found.gamma < 1

    def test_gamma_is_the_librarys(self) -> None:
        from pyannote.core import Segment
        from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

        votes = {"a": (NAME, DAY), "b": (FIRST,), "c": (NAME, SITE)}
        continuum = Continuum()
        for name, marks in votes.items():
            for start, end, category in marks:
                continuum.add(name, Segment(start, end), category)
        np.random.seed(5)
        own = continuum.compute_gamma(CombinedCategoricalDissimilarity(), n_samples=30).gamma
        assert aligned(votes, seed=5).gamma == pytest.approx(own)

    def test_a_seed_repeats_it_and_leaves_the_shared_generator_alone(self) -> None:
        votes = {"a": (NAME,), "b": (FIRST, DAY)}
        np.random.seed(1)
        before = np.random.random()
        np.random.seed(1)
        one = aligned(votes, seed=3)
        assert np.random.random() == before
        assert aligned(votes, seed=3) == one

    def test_without_samples_there_is_an_alignment_and_no_gamma(self) -> None:
        votes = {"a": (FIRST,), "b": (NAME,)}
        found = aligned(votes, samples=0)
        assert found.gamma is None
        assert found.columns == aligned(votes).columns

    def test_a_whole_note_by_five_is_aligned(self) -> None:
        marks = tuple(Marked(at, at + 5, "NOM") for at in range(0, 600, 20))
        votes = {name: marks[at:] for at, name in enumerate("abcde")}
        found = aligned(votes, samples=2)
        assert len(found.columns) == len(marks)

    def test_every_mark_is_in_one_column(self) -> None:
        @settings(max_examples=25)
        @given(st.dictionaries(st.sampled_from("abc"), MARKS, min_size=2))
        def holds(votes: dict[str, tuple[Marked, ...]]) -> None:
            columns = aligned(votes, samples=0).columns
            for name, marks in votes.items():
                assert sorted(c[name] for c in columns if c.get(name)) == sorted(marks)  # type: ignore[type-var]

        holds()


MARKS = st.lists(
    st.builds(
        lambda start, size, category: Marked(start, start + size, category),
        st.integers(0, 40),
        st.integers(1, 10),
        st.sampled_from(("NOM", "DATE")),
    ),
    max_size=3,
    unique=True,
).map(lambda marks: tuple(sorted(marks)))


class TestVotes:
    def test_more_than_half_decide(self) -> None:
        pytest.importorskip("pygamma_agreement")
        voted = votes_of([said("a", NAME, DAY), said("b", NAME), said("c", NAME, DAY)], samples=0)
        (known,) = references(voted)
        assert known.gold == (NAME, DAY)
        assert known.undecided == 0

    def test_half_decides_nothing(self) -> None:
        pytest.importorskip("pygamma_agreement")
        voted = votes_of([said("a", NAME), said("b")], samples=0)
        (known,) = references(voted)
        assert (known.gold, known.undecided) == ((), 1)

    def test_segment_and_category_are_two_votes(self) -> None:
        """The thesis's third example: the category is decided, its segment is not."""
        pytest.importorskip("pygamma_agreement")
        whole, rest = mark("Anne Morel", "NOM"), mark("Morel", "NOM")
        answers = [said("a", whole), said("b", FIRST), said("c", rest)]
        (known,) = references(votes_of(answers, samples=0))
        (judged,) = known.columns
        assert (judged.segment.decided, judged.category.value) == (False, "NOM")
        assert known.gold == ()

    def test_a_correction_is_the_whole_truth(self) -> None:
        answers = [said("a", NAME), said("b", NAME), said("boss", FIRST, SITE, corrects=True)]
        (known,) = references(votes_of(answers))
        assert known.gold == (FIRST, SITE)
        assert known.corrected == "boss"
        assert known.people == ("a", "b")
        assert known.undecided == 0
        assert [judged.gold for judged in known.columns] == [FIRST, SITE]

    def test_the_later_answer_counts_and_what_is_passed_over_does_not(self) -> None:
        answers = [said("a", DAY, at="2026-01-02"), said("a", NAME, at="2026-01-01"),
                   said("b", DAY), said("b", NAME, at="2026-01-03", ignored=True)]  # fmt: skip
        (known,) = references(votes_of(answers))
        assert known.gold == (DAY,)

    def test_gold_marks_do_not_overlap(self) -> None:
        answers = [said(who, NAME, FIRST) for who in "ab"]
        (known,) = references(votes_of(answers))
        assert known.gold == (NAME,)

    def test_a_better_annotator_outvotes_two(self) -> None:
        pytest.importorskip("pygamma_agreement")
        answers = [said(who, NAME, of=f"n#{at}") for at in range(9) for who in "abc"]
        answers += [said("a", NAME, of=f"m#{at}") for at in range(9)]
        answers += [said("d", NAME, of=f"m#{at}") for at in range(9)]
        answers += [said("b", *([DAY] if at % 2 else []), of=f"m#{at}") for at in range(9)]
        answers += [said("a", NAME, of="x#0"), said("b", of="x#0"), said("e", of="x#0")]
        voted = votes_of(answers, samples=0)
        weights = weights_of(voted)
        assert weights["a"] > weights["b"]
        weights = {"a": 3.0, "b": 1.0, "e": 1.0}
        assert references(voted)[-1].gold == ()
        assert references(voted, weights)[-1].gold == (NAME,)

    def test_of_weighted_votes_the_greatest_decides_and_a_tie_nothing(self) -> None:
        pytest.importorskip("pygamma_agreement")
        others = [mark("Morel", "NOM"), mark("Anne Morel", "ORG")]
        answers = [said("a", NAME), said("b", others[0]), said("c", others[1]), said("d")]
        voted = votes_of(answers, samples=0)
        assert references(voted, {"a": 2.0, "b": 1.2, "c": 0.7, "d": 0.5})[0].gold == (NAME,)
        (known,) = references(voted, {"a": 0.5, "b": 1.0, "c": 0.5, "d": 1.0})
        assert not known.columns[0].segment.decided
        assert not references(votes_of([said("a", NAME)]), {"a": 0.0})[0].gold

    @given(st.permutations([said("a", NAME), said("b", NAME, DAY), said("c", NAME, DAY)]))
    @settings(max_examples=6)
    def test_the_order_of_answers_is_nothing(self, answers: list[Answer]) -> None:
        pytest.importorskip("pygamma_agreement")
        (known,) = references(votes_of(answers, samples=0))
        assert known.gold == (NAME, DAY)


class TestPairs:
    def test_kappa_is_cohens(self) -> None:
        """Cohen 1960: 20 of 50 yes by both, 15 no by both, 5 and 10 apart."""
        table = Counter({("y", "y"): 20, ("n", "n"): 15, ("y", "n"): 5, ("n", "y"): 10})
        assert kappa(table) == pytest.approx(0.4)

    def test_where_chance_agrees_always_there_is_none(self) -> None:
        assert kappa(Counter({("", ""): 9})) is None
        assert kappa(Counter()) is None

    def test_f1_is_of_marks_and_of_tokens(self) -> None:
        pytest.importorskip("pygamma_agreement")
        (pair,) = pairs(votes_of([said("a", NAME, DAY), said("b", FIRST, DAY)], samples=0))
        assert (pair.one, pair.other, pair.units) == ("a", "b", 1)
        assert pair.exact_f1 == pytest.approx(1 / 2)
        assert pair.token_f1 == pytest.approx(2 * 3 / 7)

    def test_who_share_no_unit_are_no_pair(self) -> None:
        assert pairs(votes_of([said("a", NAME), said("b", NAME, of="m#0")])) == []


class TestQuality:
    def answers(self) -> list[Answer]:
        return [
            said("a", NAME, seconds=6.0), said("b", NAME, seconds=12.0), said("c", FIRST),
            said("a", of="m#0", seconds=6.0), said("b", of="m#0"), said("c", DAY, of="m#0"),
            said("c", DAY, of="k#0", ignored=True),
        ]  # fmt: skip

    def test_one_penalty_a_disagreement_and_none_without_reference(self) -> None:
        pytest.importorskip("pygamma_agreement")
        answers = self.answers()
        board = scoreboard(answers, references(votes_of(answers, samples=0)))
        quality = {one.annotator: one for one in board}
        assert quality["a"].index == 1
        assert quality["c"].segments == (0, 2)
        assert quality["c"].categories == (1, 2)
        assert quality["c"].penalties == (1.0, 0.5)
        assert quality["a"].rate == 10
        assert quality["c"].rate is None
        assert quality["c"].tasks == 2

    def test_ranks_weigh_20_20_20_40(self) -> None:
        pytest.importorskip("pygamma_agreement")
        answers = self.answers()
        board = scoreboard(answers, references(votes_of(answers, samples=0)))
        assert [(one.rank, one.annotator) for one in board] == [(1, "a"), (2, "b"), (3, "c")]
        assert [one.score for one in board] == pytest.approx(
            [0.2 + 0.2 * 2 / 3 + 0.2 + 0.4, 0.2 + 0.2 * 2 / 3 + 0.2 * 2 / 3 + 0.4,
             0.2 + 0.2 + 0.2 / 3 + 0.4 / 3]
        )  # fmt: skip

    def test_without_a_reference_there_is_no_index(self) -> None:
        pytest.importorskip("pygamma_agreement")
        answers = [said("a", NAME), said("b")]
        board = scoreboard(answers, references(votes_of(answers, samples=0)))
        assert [one.index for one in board] == [None, None]


class TestReport:
    def test_empty_units_count_as_one_in_the_second_figure(self) -> None:
        pytest.importorskip("pygamma_agreement")
        answers = [said("a", NAME), said("b", FIRST), said("a", of="m#0"), said("b", of="m#0"),
                   said("a", of="k#0")]  # fmt: skip
        voted = votes_of(answers)
        found = report(answers, voted)
        gamma = voted[-1].aligned.gamma
        assert gamma is not None
        assert (found.units, found.several, found.empty) == (3, 2, 2)
        assert found.gamma == gamma
        assert found.gamma_with_empty == pytest.approx((gamma + 1) / 2)

    def test_figures_hold_no_text_and_disagreements_do(self) -> None:
        pytest.importorskip("pygamma_agreement")
        answers = [said("a", NAME), said("b", FIRST), said("c", FIRST)]
        voted = votes_of(answers, samples=0)
        assert "Anne" not in repr(report(answers, voted).row())
        (row,) = disagreements(references(voted))
        assert row["reference"]["text"] == "Anne"
        assert row["marks"]["a"]["text"] == "Anne Morel"

    def test_gold_is_a_row_with_its_quality(self) -> None:
        (known,) = references(votes_of([said("a", NAME), said("b", NAME)]))
        assert gold_row(known) == {
            "id": "n#0", "document": "n", "doc_type": "letter", "text": TEXT,
            "entities": [{"start": 7, "end": 17, "label": "NOM"}], "gamma": 1.0,
            "annotators": 2, "corrected": False, "undecided": 0,
        }  # fmt: skip

    def test_columns_of_a_unit_are_in_its_order(self) -> None:
        (known,) = references(votes_of([said(who, SITE, NAME, DAY) for who in "ab"]))
        starts = [judged.gold.start for judged in known.columns if judged.gold]
        assert all(one < two for one, two in pairwise(starts))
