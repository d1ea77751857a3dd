"""The planted sentences, and how a coder is scored on them."""

from __future__ import annotations

from collections.abc import Iterable

from dpdeid.document import Document
from dpdeid.evaluate.coding.coders import LightCoder
from dpdeid.evaluate.coding.codes import Code, Terminology, terminology_of
from dpdeid.evaluate.coding.planted import on_planted, planted_notes, sentences
from dpdeid.evaluate.counts import Counts


class Knowing:
    """A coder that finds what is planted, one level below, and adds a wrong code on demand."""

    name = "knowing"

    def __init__(self, *, wrong: bool = False, skip: bool = False) -> None:
        self._truth = {doc.text: places for doc, places in planted_notes()}
        self._wrong, self._skip = wrong, skip

    def __call__(self, doc: Document) -> Iterable[Code]:
        for start, sentence in self._truth[doc.text]:
            for first, last, allowed in () if self._skip else sentence.codes:
                value = allowed[0] + "9" * (len(allowed[0]) == 3)
                yield Code(start + first, start + last, value, Terminology.ICD10)
            if self._wrong:
                yield Code(start, start + 1, "Q99", Terminology.ICD10)


def test_the_marks_are_read() -> None:
    first = sentences()[0]
    start, end, allowed = first.codes[0]
    assert first.text[start:end] == "diabète de type 2"
    assert allowed == ("E11",)
    assert not any(mark in s.text for s in sentences() for mark in "«»")
    assert all(terminology_of(c) for s in sentences() for *_, codes in s.codes for c in codes)


def test_every_sentence_stands_in_a_note() -> None:
    stood = [
        (doc.text[start : start + len(sentence.text)], sentence.text)
        for doc, places in planted_notes()
        for start, sentence in places
    ]
    assert len(stood) == len(sentences())
    assert all(there == text for there, text in stood)


def test_scores() -> None:
    every = sum(len(s.codes) for s in sentences())
    assert on_planted(Knowing())["all"] == Counts(every, 0, 0)
    assert on_planted(Knowing(skip=True))["all"] == Counts(0, 0, every)
    wrong = on_planted(Knowing(wrong=True, skip=True))
    assert wrong["all"] == Counts(0, len(sentences()), every)
    assert wrong["traps"].fp == sum(s.section == "traps" for s in sentences())


def test_the_light_coder_on_them() -> None:
    found = on_planted(LightCoder({}))
    assert found["traps"].fp == 0
    assert found["eponyms"].recall == 1
    assert found["wordings"].recall > 0.9
    assert found["qualified"].fp > 0  # it knows no negation, and the figures say so
