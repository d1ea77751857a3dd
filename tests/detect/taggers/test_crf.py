"""The CRF detector: what it finds with a model trained here, and which models it refuses."""

from __future__ import annotations

import builtins
import logging
import pickle
import sys
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.merge.published import LEARNED
from dpdeid.detect.taggers import crf
from dpdeid.detect.taggers.card import ModelCard, card_path, read_card, write_card
from dpdeid.detect.taggers.crf import Crf, Tagger, windows
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError, PolicyError
from dpdeid.labels import Label
from dpdeid.policy.policy import parse_policy
from dpdeid.testing import marked, notes
from dpdeid.testing.strategies import texts
from dpdeid.tokens import tokenize

NOTES = (
    "vu avec «LAST_NAME:zorblax» ce jour",
    "vue avec «LAST_NAME:quindrel» hier soir",
    "vu avec «LAST_NAME:trelvane» puis avec le mari",
    "ok avec le mari, la toux passe",
    "vu ce jour pour la toux",
)
"""Surnames that no list has, after a word that says so."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of a few made-up lines."""
    from dpdeid.training.crf import Options, train_crf

    path = tmp_path_factory.mktemp("crf") / "small.crfsuite"
    pairs = [(Document(text, text), spans) for text, spans in map(marked, NOTES)]
    options = Options(c1=0.01, c2=0.01, rarest=1)
    train_crf(pairs, path, options=options, identified=False)
    return path


def copy(model: Path, target: Path, **change: object) -> Path:
    """The model in another folder, with another card."""
    path = target / model.name
    path.write_bytes(model.read_bytes())
    write_card(path, replace(read_card(model), **change))  # type: ignore[arg-type]
    return path


def test_it_finds_what_its_notes_taught(model: Path) -> None:
    text = "vu avec fermolin ce jour"
    (span,) = Crf(str(model))(Document("n", text))
    assert (text[span.start : span.end], span.label) == ("fermolin", Label.LAST_NAME)
    assert span.source == Crf.name in LEARNED
    assert 0.5 < span.score <= 1


def test_the_surer_it_must_be_of_the_outside_the_more_it_tags(model: Path) -> None:
    docs = [Document(text, marked(text)[0].upper()) for text in NOTES]
    found = [
        {(doc.id, s.start) for doc in docs for s in Crf(str(model), Fraction(outside))(doc)}
        for outside in ("1/2", "9/10", "1")
    ]
    assert found[0] <= found[1] <= found[2]
    assert len(found[2]) > len(found[0])


def test_only_direct_identifiers_are_tagged_on_suspicion() -> None:
    from dpdeid.training.crf import Options, fit

    lines = ["vu à «CITY:zorblax» ici"] * 6 + ["vu à «LAST_NAME:zorblax» ici"] * 3 + ["vu ici"] * 9
    learned = [(Document("n", text), spans) for text, spans in map(marked, lines)]
    tagger, _ = fit(learned, Options(c1=0.01, c2=0.5, rarest=1), name="m")
    doc = Document("n", "vu à zorblax ici")
    assert {span.label for span in tagger.spans(doc, 0.5)} == {Label.CITY}
    assert {span.label for span in tagger.spans(doc, 1.0)} == {Label.CITY, Label.LAST_NAME}


def test_with_recall_first_the_chances_of_the_card_decide(model: Path, tmp_path: Path) -> None:
    doc = Document("n", "vu avec fermolin ce jour")
    sure = copy(model, tmp_path, settings={"recall/LAST_NAME": 0.9999})
    assert list(Crf(str(sure))(doc))
    assert not list(Crf(str(sure), recall_first=True)(doc))


def test_a_kind_of_word_is_read_by_its_own_line(model: Path, tmp_path: Path) -> None:
    doc = Document("n", "vu avec fermolin ce jour")
    words = copy(model, tmp_path, settings={"slope/word": 1.0, "shift/word": -9.0})
    assert list(Crf(str(words))(doc))
    unlisted = copy(model, tmp_path, settings={"slope/unlisted": 1.0, "shift/unlisted": -9.0})
    crf.loaded.cache_clear()
    assert not list(Crf(str(unlisted))(doc))


@pytest.mark.parametrize("outside", ["0.49", "1.01", "-1"])
def test_a_chance_that_is_none_is_refused(outside: str) -> None:
    with pytest.raises(ValueError, match=r"outside lies in \[0.5, 1\]"):
        Crf(outside=Fraction(outside))


def test_its_spans_lie_in_the_text(model: Path) -> None:
    detector = Crf(str(model), Fraction(1))

    @given(texts())
    def check(text: str) -> None:
        for span in detector(Document("n", text)):
            assert 0 <= span.start < span.end <= len(text)
            assert 0 < span.score <= 1

    check()


def test_the_shipped_model_is_what_a_policy_gets_by_default() -> None:
    crf.loaded.cache_clear()
    doc, gold = notes()[0]
    names = {s for s in gold if s.label in (Label.FIRST_NAME, Label.LAST_NAME)}
    found = list(Crf()(doc))
    assert all(any(f.start <= s.start and s.end <= f.end for f in found) for s in names)
    assert crf.loaded("shipped").card.trained_on_identified is False


def test_a_policy_names_the_model_and_its_caution() -> None:
    text = (
        "name: x\nunit: note\ndetectors:\n  - crf: {{model: here.crfsuite, outside: {0}}}\n"
        "merge: union\nstrategies: []\ndefault: redact\n"
    )
    assert parse_policy(text.format(0.7)).detectors == (Crf("here.crfsuite", Fraction(7, 10)),)
    (first,) = parse_policy(text.format("0.7, recall_first: true")).detectors
    assert first == Crf("here.crfsuite", Fraction(7, 10), recall_first=True)
    with pytest.raises(PolicyError, match="outside"):
        parse_policy(text.format(3))


def test_it_travels_to_other_processes_without_its_model(model: Path) -> None:
    detector = Crf(str(model))
    list(detector(Document("n", "vu")))
    assert len(pickle.dumps(detector)) < 500
    assert pickle.loads(pickle.dumps(detector)) == detector


# windows


@given(st.text(alphabet="ab \n", max_size=6000))
def test_windows_cover_every_token_once_and_in_order(text: str) -> None:
    tokens = tokenize(text)
    cuts = list(windows(tokens, text))
    assert [i for start, stop in cuts for i in range(start, stop)] == list(range(len(tokens)))


def test_a_book_is_tagged_in_parts(model: Path) -> None:
    line = "vu avec fermolin ce jour\n"
    tagger = Tagger.read(model)
    alone = tagger.spans(Document("1", line), 0.9)
    assert alone
    text = line + "....\n" * 6_000 + line
    book = tagger.spans(Document("2", text), 0.9)
    assert [text[s.start : s.end] for s in book] == 2 * [line[s.start : s.end] for s in alone]
    assert book[-1].start == alone[-1].start + len(text) - len(line)


def test_a_long_note_is_cut_at_lines_where_there_are_lines() -> None:
    lines = "\n".join("un deux trois" for _ in range(500))
    tokens = tokenize(lines)
    cuts = list(windows(tokens, lines))
    assert len(cuts) > 2
    assert all(tokens.texts[start] == "un" for start, _ in cuts)
    flat = lines.replace("\n", " ")
    assert [b - a for a, b in windows(tokenize(flat), flat)] == [1000, 500]


# what is refused


def test_a_missing_model_and_a_missing_card(tmp_path: Path, model: Path) -> None:
    with pytest.raises(ModelError, match=r"no model at .*absent"):
        list(Crf(str(tmp_path / "absent"))(Document("n", "x")))
    bare = tmp_path / "bare"
    bare.write_bytes(model.read_bytes())
    with pytest.raises(ModelError, match="has no card"):
        Tagger.read(bare)
    folder = tmp_path / "folder"
    folder.mkdir()
    write_card(folder, read_card(model))
    with pytest.raises(ModelError, match="is a folder"):
        Tagger.read(folder)


@pytest.mark.parametrize("keep", [0, 100, 1000])
def test_a_torn_file_is_refused_before_it_is_read(tmp_path: Path, model: Path, keep: int) -> None:
    path = copy(model, tmp_path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ModelError, match="damaged or not the one of its card"):
        Tagger.read(path)


def test_another_file_under_a_true_card_is_refused(tmp_path: Path, model: Path) -> None:
    data = b"not a model of any kind " * 40
    path = copy(model, tmp_path, files={model.name: sha256(data).hexdigest()})
    path.write_bytes(data)
    with pytest.raises(ModelError, match="is no CRF model"):
        Tagger.read(path)


def test_a_card_of_another_kind_or_of_other_labels_is_refused(tmp_path: Path, model: Path) -> None:
    with pytest.raises(ModelError, match="of the kind transformer, not crf"):
        Tagger.read(copy(model, tmp_path, kind="transformer"))
    with pytest.raises(ModelError, match="other labels than its card: B-LAST_NAME"):
        Tagger.read(copy(model, tmp_path, labels=(Label.DATE,)))


def test_a_chance_on_the_card_that_is_no_number_is_refused(tmp_path: Path, model: Path) -> None:
    with pytest.raises(ModelError, match=r"small\.crfsuite: a chance on its card is no number"):
        Tagger.read(copy(model, tmp_path, settings={"recall/LAST_NAME": "often"}))


def test_without_crfsuite_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, model: Path) -> None:
    true_import = builtins.__import__

    def absent(name: str, *rest: object) -> object:
        if name == "pycrfsuite":
            raise ImportError(name)
        return true_import(name, *rest)  # type: ignore[arg-type]

    monkeypatch.delitem(sys.modules, "pycrfsuite")
    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ModelError, match="pip install python-crfsuite"):
        Tagger.read(model)


@pytest.mark.parametrize("identified", [True, False])
def test_a_model_of_identified_notes_is_logged(
    tmp_path: Path, model: Path, caplog: pytest.LogCaptureFixture, identified: bool
) -> None:
    path = copy(model, tmp_path, trained_on_identified=identified)
    with caplog.at_level(logging.WARNING):
        list(Crf(str(path))(Document("n", "vu avec fermolin")))
        list(Crf(str(path))(Document("m", "vu avec zorblax")))
    logged = [r.message for r in caplog.records if "identified notes" in r.message]
    assert len(logged) == identified
    assert not any("zorblax" in message for message in logged)


def test_the_card_lies_beside_the_file(model: Path) -> None:
    card = read_card(model)
    assert isinstance(card, ModelCard)
    assert card_path(model).name == "small.crfsuite.card.json"
    assert card.labels == (Label.LAST_NAME,)
    assert not card.trained_on_identified


def test_spans_of_a_note_are_disjoint(model: Path) -> None:
    spans = list(Crf(str(model), Fraction(1))(Document("n", "vu avec un deux trois")))
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(isinstance(span, Span) for span in spans)
