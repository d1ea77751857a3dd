"""Windows cover the note, keep their bounds, and judge each token once, away from the edges."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.sequences import sentence_starts, windows
from dpdeid.tokens import tokenize

sizes = st.lists(st.integers(0, 12), max_size=200)
starts = st.sets(st.integers(0, 199), max_size=40).map(sorted)


def opened(text: str) -> list[str]:
    tokens = tokenize(text)
    return [tokens.texts[index] for index in sentence_starts(tokens, text)]


def test_a_sentence_starts_after_a_mark_or_a_line_break() -> None:
    assert opened("Revu ce jour. Va bien !\nsortie demain") == ["Revu", "Va", "sortie"]


def test_a_decimal_an_initial_and_an_abbreviation_start_none() -> None:
    assert opened("K 4.5 vu par J.Morin puis ttt. habituel") == ["K"]


@given(sizes, starts, st.integers(2, 60), st.integers(1, 80), st.data())
def test_every_token_is_judged_once_inside_its_window(
    sizes: list[int], starts: list[int], words: int, room: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, words - 1))
    cuts = list(windows(starts, sizes, words=words, room=room, overlap=overlap))
    judged = [token for cut in cuts for token in range(cut.own_start, cut.own_end)]
    assert judged == list(range(len(sizes)))
    for cut in cuts:
        assert cut.start <= cut.own_start <= cut.own_end <= cut.end
        assert cut.end - cut.start <= words
        assert sum(sizes[cut.start : cut.end]) <= room or cut.end - cut.start == 1


def test_windows_begin_and_end_at_sentences_and_overlap() -> None:
    every_ten = list(range(0, 1000, 10))
    cuts = list(windows(every_ten, [1] * 1000, words=384, room=510, overlap=48))
    assert len(cuts) == 3
    for before, after in itertools.pairwise(cuts):
        assert after.start % 10 == 0
        assert before.end % 10 == 0
        assert 48 <= before.end - after.start <= 96
        assert before.own_end - after.start >= 24
        assert before.end - before.own_end >= 24


def test_a_short_note_is_one_window() -> None:
    (only,) = windows([0], [2] * 9, words=384, room=510, overlap=48)
    assert (only.start, only.end, only.own_start, only.own_end) == (0, 9, 0, 9)
