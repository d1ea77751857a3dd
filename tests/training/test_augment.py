"""Versions of a note: spans follow their text, equal names stay equal, the rest is untouched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.testing import marked
from dpdeid.training.augment import draw_name, recase, refill, vary

LINE = (
    "Mme «LAST_NAME:KERDONCUFF» «FIRST_NAME:Solenn», de «CITY:Plouzané», le «DATE:12/03/2021»\n"
    "revue : «LAST_NAME:Kerdoncuff», par «FIRST_NAME:J.» «LAST_NAME:le gall»"
)
TEXT, SPANS = marked(LINE)
DOC = Document("n", TEXT)
streams = st.binary(min_size=4, max_size=8).map(Stream)


def between(text: str, spans: object) -> list[str]:
    out, done = [], 0
    for span in spans:  # type: ignore[attr-defined]
        out.append(text[done : span.start])
        done = span.end
    return [*out, text[done:]]


@given(streams)
def test_new_names_stand_where_the_old_ones_stood(draws: Stream) -> None:
    doc, spans = refill(DOC, SPANS, draws)
    assert between(doc.text, spans) == between(TEXT, SPANS)
    assert [s.label for s in spans] == [s.label for s in SPANS]
    texts = [doc.text[s.start : s.end] for s in spans]
    upper, first, city, date, again, initial, lower = texts
    assert upper.lower() == again.lower()
    assert upper.isupper()
    assert lower == lower.lower()
    assert (date, initial) == ("12/03/2021", "J.")
    assert all(texts)
    assert (first, city) != ("Solenn", "Plouzané")


@given(streams)
def test_every_version_keeps_the_spans_in_the_text(draws: Stream) -> None:
    doc, spans = vary(DOC, SPANS, draws)
    assert [s.label for s in spans] == [s.label for s in SPANS]
    assert all(s.end <= len(doc.text) for s in spans)
    assert all(doc.text[s.start : s.end].strip() for s in spans)


def test_versions_differ_and_repeat_under_a_seed() -> None:
    versions = [vary(DOC, SPANS, Stream(bytes([n] * 4)))[0].text for n in range(40)]
    assert len(set(versions)) > 25
    assert versions == [vary(DOC, SPANS, Stream(bytes([n] * 4)))[0].text for n in range(40)]
    assert any(text == text.lower() for text in versions)
    assert any(text == text.upper() for text in versions)


@given(st.text(max_size=20))
def test_changing_the_case_keeps_the_length(text: str) -> None:
    for change in (str.upper, str.lower):
        assert len(recase(Document("n", text), change).text) == len(text)


def test_some_names_are_in_no_list() -> None:
    from dpdeid import gazetteers
    from dpdeid.normalize import fold

    draws = Stream(b"names")
    drawn = [fold(draw_name(Label.LAST_NAME, draws)) for _ in range(400)]
    unknown = sum(name not in gazetteers.surnames() for name in drawn)
    assert 10 < unknown < 200
