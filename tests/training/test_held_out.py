"""Notes that quote a held-out note are not trained on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.training.corpus import Note, without_copies

RUN = [f"mot{number}" for number in range(25)]


def note(words: list[str]) -> Note:
    return Document("a", " ".join(words)), ()


def kept(words: list[str], *held_out: list[str]) -> bool:
    return bool(without_copies([note(words)], [note(each) for each in held_out]))


words = st.lists(st.sampled_from(["le", "foie", "est", "souple"]), max_size=30)


@given(words, words, words, words)
def test_a_run_of_25_words_anywhere_is_a_copy(
    a: list[str], b: list[str], c: list[str], d: list[str]
) -> None:
    assert not kept([*a, *RUN, *b], ["autre"], [*c, *RUN, *d])
    assert kept([*a, *RUN, *b], [*RUN[1:], "fin"], [*RUN[:-1], "fin"])


def test_case_accents_and_layout_hide_no_copy() -> None:
    plain = [*RUN, "opere", "a", "ete"]
    assert not kept([*RUN[1:], "OPÉRÉ,\n"], plain)
    assert not kept([*RUN[3:], "Opéré -", "à", "été."], plain)


def test_without_held_out_notes_all_are_kept_in_order() -> None:
    notes = [note(["un"]), note([]), note(RUN)]
    assert without_copies(notes, []) == notes
    assert without_copies(notes, [note(RUN)]) == notes[:2]
