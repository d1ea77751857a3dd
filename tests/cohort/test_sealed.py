"""Sealed entries: exact there and back for any text, and closed to everybody else."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.cohort.sealed import Entry, Seal
from dpdeid.document import Deidentified, Document, Mention, Span, Surrogate, rewrite
from dpdeid.errors import InputError
from dpdeid.labels import Label
from dpdeid.testing.strategies import texts
from tests.conftest import KEY, OTHER_KEY

SEAL = Seal.of(KEY)


@st.composite
def releases(draw: st.DrawFn) -> tuple[Document, Deidentified]:
    """A note of any text, any disjoint spans of it, any surrogates."""
    text = draw(st.one_of(texts(), st.text(st.characters(), max_size=30)))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    surrogates = tuple(
        Surrogate(
            Mention(0, Span(start, end, draw(st.sampled_from(Label))), text[start:end]),
            draw(st.one_of(texts(), st.text(st.characters(), max_size=9))),
            "any",
        )
        for start, end in pairwise(cuts)
        if draw(st.booleans())
    )
    patient = draw(st.none() | texts())
    date = draw(st.none() | st.dates())
    doc = Document(draw(texts()), text, patient, date)
    return doc, Deidentified(doc.id, rewrite(text, surrogates), surrogates=surrogates)


def entry(text: str, released_id: str = "r") -> Entry:
    """A note of which "Kervadec" was replaced."""
    at = text.index("Kervadec")
    mention = Mention(0, Span(at, at + 8, Label.LAST_NAME), "Kervadec")
    surrogates = (Surrogate(mention, "Ollivrin", "any"),)
    result = Deidentified("n", rewrite(text, surrogates), surrogates=surrogates)
    return Entry.of(Document("n4471", text, "p4471"), result, released_id)


class TestThereAndBack:
    @given(releases())
    def test_any_text_comes_back_exactly(self, release: tuple[Document, Deidentified]) -> None:
        doc, result = release
        entry = Entry.of(doc, result, "r")
        line = json.loads(SEAL.close(entry))
        opened = SEAL.open(line["row"], line["data"])
        assert opened == entry
        back = opened.restore(result.text)
        assert back == doc.text
        assert back.encode("utf-8", "surrogatepass") == doc.text.encode("utf-8", "surrogatepass")
        assert (opened.id, opened.patient_id) == (doc.id, doc.patient_id)
        assert opened.note_date == (doc.note_date and doc.note_date.isoformat())

    def test_halves_of_a_character_do_not_join(self) -> None:
        """Written as JSON escapes, two halves side by side would read as one character."""
        text = "a\ud83d\ude00b"
        assert len(text) == 4
        surrogates = (Surrogate(Mention(0, Span(1, 3, Label.CITY), text[1:3]), "x", "any"),)
        doc = Document("n", text)
        entry = Entry.of(doc, Deidentified("n", "axb", surrogates=surrogates), "r")
        line = json.loads(SEAL.close(entry))
        opened = SEAL.open(line["row"], line["data"])
        assert opened is not None
        assert opened.restore("axb") == text

    @given(releases(), texts())
    def test_no_other_text_is_taken_for_the_released_one(
        self, release: tuple[Document, Deidentified], other: str
    ) -> None:
        doc, result = release
        entry = Entry.of(doc, result, "r")
        assert entry.fits(other) == (other == result.text)
        for changed in (result.text + " ", "x" + result.text):
            with pytest.raises(InputError, match="not the one that was released"):
                entry.restore(changed)


class TestClosed:
    def test_without_the_key_a_line_shows_nothing_of_the_note(self) -> None:
        line = SEAL.close(entry("Vue par Kervadec.", "r4471")).decode()
        for word in ("Kervadec", "Ollivrin", "4471"):
            assert word not in line
            assert word not in repr(entry("Vue par Kervadec."))
        assert KEY.hex() not in line + repr(SEAL)

    def test_lengths_show_little(self) -> None:
        """Also of a long id, or of several originals: steps of 256 bytes are all that shows."""
        sizes = {len(SEAL.close(entry("Kervadec", "r" * n))) for n in range(1, 400)}
        assert len(sizes) == 3

    def test_another_key_opens_nothing(self) -> None:
        line = json.loads(SEAL.close(entry("Kervadec")))
        assert SEAL.open(line["row"], line["data"]) == entry("Kervadec")
        assert Seal.of(OTHER_KEY).open(line["row"], line["data"]) is None
        assert Seal.of(OTHER_KEY).row("r") != SEAL.row("r")

    def test_an_entry_opens_for_its_own_note_only(self) -> None:
        lines = [json.loads(SEAL.close(entry("Kervadec", name))) for name in ("r1", "r2")]
        assert SEAL.open(lines[0]["row"], lines[1]["data"]) is None

    @pytest.mark.parametrize("data", ["", "AAAA", "é", "not base64", "A" * 400])
    def test_what_is_no_entry_opens_to_nothing(self, data: str) -> None:
        assert SEAL.open(SEAL.row("r"), data) is None
