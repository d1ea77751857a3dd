"""Lines and part-lines: they stand in the note as they are, with their spans and no cut one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.privacy.rng import Stream
from dpdeid.testing import marked, notes
from dpdeid.training.augment import fragments
from dpdeid.training.corpus import Note

TEXT = """Service de chirurgie

Nom : «LAST_NAME:LE GOFF»  Prénom : «FIRST_NAME:Anne», vue le «DATE:12/03»
ATCD : néant. Vit à «CITY:Saint-Malo» - seule
   «LAST_NAME:Tassin»
"""


def note(line: str) -> Note:
    text, spans = marked(line)
    return Document("n", text), spans


def drawn(seed: str, each: int, line: str = TEXT) -> list[Note]:
    return fragments([note(line)], Stream(seed.encode()), each=each)


@given(st.text(max_size=4), st.integers(0, 9))
def test_a_fragment_stands_in_a_line_with_the_spans_it_has_there(seed: str, each: int) -> None:
    (doc, gold), cut = note(TEXT), drawn(seed, each)
    assert len(cut) == min(each, 4)
    for part, spans in cut:
        assert part.text.strip() == part.text != ""
        assert "\n" not in part.text
        start = doc.text.index(part.text)
        stood = [
            (s.start - start, s.end - start, s.label)
            for s in gold
            if start <= s.start < start + len(part.text)
        ]
        assert [(s.start, s.end, s.label) for s in spans] == stood
        assert all(s.end <= len(part.text) for s in spans)


def test_whole_lines_and_parts_of_them_come_out() -> None:
    every = {doc.text for seed in range(40) for doc, _ in drawn(str(seed), 4)}
    assert {"Service de chirurgie", "Service de", "ATCD :", "Tassin"} <= every
    assert any(text.startswith("Vit à") for text in every)
    assert not any(text.startswith("Anne") for text in every)
    assert not any(text.endswith("LE") for text in every)


def test_each_line_is_cut_once_and_fewer_may_be_asked_for() -> None:
    assert len({doc.id for doc, _ in drawn("s", 9)}) == 4
    assert len(drawn("s", 2)) == 2
    assert drawn("s", 9, " \n\n ") == []


def test_the_same_seed_gives_the_same_fragments() -> None:
    assert drawn("a", 9) == drawn("a", 9)
    shipped = notes()
    texts = [
        [doc.text for doc, _ in fragments(shipped, Stream(seed), each=5)] for seed in (b"a", b"b")
    ]
    assert texts[0] != texts[1]


def test_a_span_over_two_lines_is_cut_between_them() -> None:
    ((doc, (span,)),) = drawn("s", 1, "«STREET:3 rue\n»")
    assert doc.text[span.start : span.end] == "3 rue"
