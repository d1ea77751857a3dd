"""A lexicon answers as a dictionary of the same words would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.lexicon import Lexicon

WORDS = st.text(alphabet="abcé'- zœ", min_size=1, max_size=7)


def lexicon(words: dict[str, int]) -> Lexicon:
    lines = sorted(f"{word}\t{number}\n".encode() for word, number in words.items())
    return Lexicon(b"".join(sorted(lines, key=lambda line: line.partition(b"\t")[0])))


@given(st.dictionaries(WORDS, st.integers(0, 10**6), min_size=1), st.lists(WORDS))
def test_it_answers_as_a_dictionary(words: dict[str, int], asked: list[str]) -> None:
    packed = lexicon(words)
    assert len(packed) == len(words)
    assert dict(packed) == words
    for word in (*words, *asked, *(word[:-1] for word in words), *(word + "a" for word in words)):
        assert packed.get(word) == words.get(word)
        assert (word in packed) == (word in words)


@given(st.sets(WORDS, min_size=1))
def test_words_without_a_number_have_zero(words: set[str]) -> None:
    packed = Lexicon(b"".join(word + b"\n" for word in sorted(w.encode() for w in words)))
    assert set(packed) == words
    assert all(packed[word] == 0 for word in words)
    assert "" not in packed


@pytest.mark.parametrize("odd", ["\ud800", "a\nb", "a\t", "\x00", "A"])
def test_odd_words_are_simply_not_there(odd: str) -> None:
    assert odd not in lexicon({"a": 1, "b": 2})
    with pytest.raises(KeyError):
        lexicon({"a": 1})[odd]


@pytest.mark.parametrize("lines", [b"b\na\n", b"", b"a"])
def test_what_is_not_sorted_lines_is_refused(lines: bytes) -> None:
    with pytest.raises(ValueError, match="sorted lines"):
        Lexicon(lines)
