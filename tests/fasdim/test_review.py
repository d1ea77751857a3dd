"""The review as a function of keys: no terminal is needed to try a whole one."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.fasdim.extract import Found
from dpdeid.fasdim.lists import ANY, Entry
from dpdeid.fasdim.review import Review, press
from dpdeid.fasdim.starting import Verdict

WAITING = (
    Found(("omi",), 9, 4),
    Found(("kervadec",), 5, 1),
    Found(("fc", "bpm"), 3, 2),
    Found((ANY, "zorgs"), 1, 1),
)
KEYS = st.text(alphabet="alf<> cuqz", max_size=12)


def after(keys: str) -> Review:
    return reduce(press, keys, Review(WAITING))


def test_a_whole_review() -> None:
    done = after("af>a")
    assert done.asked is None
    assert list(done.entries("", "ours")) == [
        Entry(("omi",), Verdict.AUTHORIZED, "", "ours"),
        Entry(("kervadec",), Verdict.FORBIDDEN, "", "ours"),
        Entry((ANY, "bpm"), Verdict.AUTHORIZED, "", "ours"),
        Entry((ANY, "zorgs"), Verdict.AUTHORIZED, "", "ours"),
    ]


def test_context_is_shown_on_demand_and_gone_with_the_next_word() -> None:
    assert after("c").shows_context
    assert not after("cc").shows_context
    assert not after("ca").shows_context


def test_keys_of_words_mean_nothing_for_patterns_and_the_other_way_round() -> None:
    assert after("<") == after(">") == after("")
    assert after("   <") == after("   ")
    assert after("  l") == after("  ")
    assert next(after("l").entries()).verdict is Verdict.LOWER


def test_what_is_left_open_makes_no_entry() -> None:
    assert not list(after("    ").entries())


def test_quitting_ends_it() -> None:
    assert after("aq").asked is None
    assert after("aqf") == after("aq")


@given(KEYS)
def test_undo_takes_back_the_last_decision_and_nothing_else(keys: str) -> None:
    review = after(keys)
    if review.asked is None:
        assert press(review, "a") == review
        return
    decided = press(review, "f")
    assert press(decided, "u").decisions == review.decisions
    assert press(decided, "u").asked == review.asked
