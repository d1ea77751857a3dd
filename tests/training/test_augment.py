"""Versions of a note: spans follow their text, equal names stay equal, the rest is untouched."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.testing import marked
from dpdeid.training.augment import doubted, draw_name, noised, recase, refill, some_lines, vary
from dpdeid.views.plain import reading_of

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
    labels, shown = [s.label for s in SPANS], [s.label for s in spans]
    assert any(labels[at : at + len(shown)] == shown for at in range(len(labels)))
    assert all(s.end <= len(doc.text) for s in spans)
    assert all(doc.text[s.start : s.end].strip() for s in spans)


@given(streams)
def test_what_is_typed_anew_keeps_each_span_and_is_read_as_detectors_read(draws: Stream) -> None:
    doc, spans = noised(DOC, SPANS, draws)
    assert [s.label for s in spans] == [s.label for s in SPANS]
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert doc.text == reading_of(doc.text).text
    for span, old in zip(spans, SPANS, strict=True):
        letters = len([c for c in TEXT[old.start : old.end] if c.isalnum()])
        assert abs(len([c for c in doc.text[span.start : span.end] if c.isalnum()]) - letters) < 3


def test_notes_are_typed_anew_in_many_ways() -> None:
    texts = {noised(DOC, SPANS, Stream(bytes([n] * 4)))[0].text for n in range(80)}
    assert len(texts) > 12
    assert any(text.count(" ") < TEXT.count(" ") - 1 for text in texts)


def test_versions_differ_and_repeat_under_a_seed() -> None:
    versions = [vary(DOC, SPANS, Stream(bytes([n] * 4)))[0].text for n in range(160)]
    assert len(set(versions)) > 100
    assert versions == [vary(DOC, SPANS, Stream(bytes([n] * 4)))[0].text for n in range(160)]
    assert any(text == text.lower() for text in versions)
    assert any(text == text.upper() for text in versions)


@given(streams)
def test_some_lines_are_whole_and_keep_every_mark_inside_them(draws: Stream) -> None:
    text, spans = marked(
        "a\nvu par «LAST_NAME:Morvan»\n\n«STREET:3 rue Haute\nEscalier B»\nfin «DATE:3/4»"
    )
    doc, kept = some_lines(Document("n", text), spans, draws)
    assert f"\n{doc.text}\n" in f"\n{text}\n"
    assert doc.text.count("\n") < 4
    names = [doc.text[s.start : s.end] for s in kept]
    for word in ("Morvan", "3/4", "3 rue Haute", "Escalier B"):
        assert (word in doc.text) == any(word in name for name in names)


def test_lines_of_every_length_are_drawn() -> None:
    draws = Stream(b"lines")
    texts = {some_lines(Document("n", "a\nb\nc"), (), draws)[0].text for _ in range(99)}
    assert texts == {"a", "b", "c", "a\nb", "b\nc", "a\nb\nc"}


def test_a_tagger_is_told_of_fewer_proposals_and_of_some_wrongly() -> None:
    draws = Stream(b"doubt")
    notes = [doubted(SPANS, draws) for _ in range(2_000)]
    assert 500 < sum(not told for told in notes) < 700
    told = [span for note in notes for span in note]
    truth = {(s.start, s.end): s.label for s in SPANS}
    assert all((s.start, s.end) in truth for s in told)
    wrong = [s for s in told if s.label is not truth[s.start, s.end]]
    assert 0.02 < len(wrong) / len(told) < 0.08
    assert all(s.label is not Label.PHONE for s in wrong)
    assert 0.75 < len(told) / sum(len(SPANS) for note in notes if note) < 0.95


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
