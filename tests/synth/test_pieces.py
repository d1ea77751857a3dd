"""Joining pieces: the text and the spans of labelled ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.labels import Label, Role
from dpdeid.synth.grammar import Entity, Piece, join


def test_offsets_are_counted_in_code_points() -> None:
    text, entities = join(
        [
            Piece("É "),
            Piece("Lœb", Label.LAST_NAME, Role.STAFF, "s1"),
            Piece("", Label.CITY),
            Piece("!"),
        ]
    )
    assert text == "É Lœb!"
    assert entities == [Entity(2, 5, Label.LAST_NAME, Role.STAFF, "s1")]


@given(st.lists(st.builds(Piece, st.text(max_size=5), st.sampled_from([None, Label.CITY]))))
def test_every_labelled_piece_is_read_again(pieces: list[Piece]) -> None:
    text, entities = join(pieces)
    assert [text[e.start : e.end] for e in entities] == [
        p.text for p in pieces if p.label and p.text
    ]
    assert text == "".join(p.text for p in pieces)
