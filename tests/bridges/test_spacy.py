"""The pipe in spaCy and in edsnlp: spans with nothing lost, the released text, and no key kept."""

from __future__ import annotations

import datetime as dt
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import SecretKeyError, UsageError
from tests.conftest import KEY, OTHER_KEY

spacy = pytest.importorskip("spacy", reason="needs the extra bridges")

from dpdeid.bridges.spacy import Pipe, mark, released  # noqa: E402

TEXT = "Mme DURAND, née le 12/03/1951, vue le 6 novembre 2023. Tél 0612345678."
SPANS = [
    ("DURAND", "LAST_NAME"),
    ("12/03/1951", "BIRTH_DATE"),
    ("6 novembre 2023", "DATE"),
    ("0612345678", "PHONE"),
]


@pytest.fixture(autouse=True)
def the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPDEID_KEY", KEY.hex())


def blank(library: str) -> Any:
    """A pipeline without a pipe."""
    if library == "spacy":
        return spacy.blank("fr")
    edsnlp = pytest.importorskip("edsnlp", reason="needs the extra utility")
    return edsnlp.blank("eds")


def pipeline(policy: Path, library: str = "spacy", **config: object) -> Any:
    nlp = blank(library)
    nlp.add_pipe("dpdeid", config={"policy": str(policy), **config})
    return nlp


def noted(nlp: Any, text: str, note_id: object = None, **given: object) -> Any:
    """A `Doc` with what a caller says of the note."""
    doc = nlp.make_doc(text)
    doc._.note_id = note_id
    for name, value in given.items():
        doc._.set(name, value)
    return doc


LIBRARIES = pytest.mark.parametrize("library", ["spacy", "edsnlp"])


@LIBRARIES
def test_spans_and_released_text(quick: Path, library: str) -> None:
    doc = pipeline(quick, library)(TEXT)
    assert [(span.text, span.label_) for span in doc.spans["dpdeid"]] == SPANS
    assert doc._.dpdeid_text.startswith("Mme ")
    assert doc._.dpdeid_error is None
    assert not any(text in doc._.dpdeid_text for text, _ in SPANS)
    assert not doc.ents


@LIBRARIES
def test_it_gives_what_the_engine_gives(quick: Path, library: str) -> None:
    from dpdeid import Deidentifier, Document

    nlp = pipeline(quick, library, e0="2029-12-31")
    facts = {"last_name": "Le Goff", "sex": "F"}
    note_date = dt.datetime(2023, 11, 6, 8, 30, tzinfo=dt.UTC)
    doc = nlp(noted(nlp, TEXT, 17, patient_id=4, note_date=note_date, dpdeid_patient=facts))
    engine = Deidentifier(quick, key=KEY, e0=dt.date(2029, 12, 31))
    alone = engine(Document(17, TEXT, 4, "2023-11-06"))
    assert (doc._.dpdeid_text, doc._.dpdeid_note_date) == (alone.text, alone.note_date)
    assert doc._.dpdeid_id == engine.cohort.released_id("17")


def test_facts_are_found(quick: Path) -> None:
    nlp = pipeline(quick)
    text = "Vu avec zorglub ce jour."
    assert not nlp(text).spans["dpdeid"]
    doc = nlp(noted(nlp, text, dpdeid_patient={"last_name": "Zorglub"}))
    (span,) = doc.spans["dpdeid"]
    assert (span.text, span._.dpdeid_source, span._.dpdeid_role) == (
        "zorglub", "metadata", "patient",
    )  # fmt: skip


def test_the_date_and_patient_of_edsnlp_and_omop(quick: Path) -> None:
    from spacy.tokens import Doc

    nlp = pipeline(quick, "edsnlp")
    for name in ("note_datetime", "person_id"):
        if not Doc.has_extension(name):
            Doc.set_extension(name, default=None)
    moment = dt.datetime(2023, 11, 6, 8, tzinfo=dt.UTC)
    theirs = nlp(noted(nlp, TEXT, "a", person_id=9, note_datetime=moment))
    ours = pipeline(quick)
    same = ours(noted(ours, TEXT, "a", patient_id=9, note_date="2023-11-06"))
    assert theirs._.dpdeid_text == same._.dpdeid_text
    assert theirs._.dpdeid_note_date == same._.dpdeid_note_date is not None


def test_detect_only(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPDEID_KEY")
    nlp = pipeline(quick, detect_only=True)
    doc, other = nlp.pipe([TEXT, "Rien."])
    assert [(span.text, span.label_) for span in doc.spans["dpdeid"]] == SPANS
    assert not other.spans["dpdeid"]
    assert doc._.dpdeid_text is None
    with pytest.raises(UsageError, match="detect_only"):
        released(nlp, doc)


@LIBRARIES
def test_entities_of_others_stay_where_they_overlap_none_of_ours(quick: Path, library: str) -> None:
    from spacy.tokens import Span

    nlp = pipeline(quick, library, ents=True)
    doc = nlp.make_doc(TEXT)
    doc.ents = [Span(doc, 0, 2, "X"), Span(doc, len(doc) - 1, len(doc), "Y")]
    doc = nlp(doc)
    assert [(ent.text, ent.label_) for ent in doc.ents] == [*SPANS, (".", "Y")]
    assert doc.ents[0]._.dpdeid_source.startswith("patterns")


def test_a_doc_that_is_saved_keeps_its_spans(quick: Path) -> None:
    from spacy.tokens import Doc

    doc = pipeline(quick)(TEXT)
    again = Doc(spacy.blank("fr").vocab).from_bytes(doc.to_bytes())
    known = [[(s.label_, s._.dpdeid_source) for s in d.spans["dpdeid"]] for d in (doc, again)]
    assert known[0] == known[1]
    assert again._.dpdeid_text == doc._.dpdeid_text


def test_a_second_pipe_leaves_nothing_of_the_first(quick: Path) -> None:
    doc = pipeline(quick, detect_only=True)(pipeline(quick)(TEXT))
    assert doc._.dpdeid_text is doc._.dpdeid_id is None
    assert len(doc.spans["dpdeid"]) == len(SPANS)


WORDS = st.sampled_from(["Durand", "12/03/1951", " ", "  ", "\n", "(", "é", "0612345678", "a.b"])


@given(
    st.lists(WORDS, min_size=1, max_size=12).map("".join),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=6),
    st.sampled_from(["spacy", "edsnlp"]),
)
def test_spans_cover_what_was_found_however_tokens_lie(
    text: str, places: list[tuple[int, int]], library: str
) -> None:
    doc = blank(library).make_doc(text)
    found = [
        {"start": start, "end": min(start + length, len(text)), "label": "DATE", "source": str(at)}
        for at, (start, length) in enumerate(places)
        if text[start : start + length].strip()
    ]
    spans = mark(doc, found)
    assert len(spans) == len(found) == len(doc.spans["dpdeid"])
    for span, one in zip(doc.spans["dpdeid"], found, strict=True):
        covered = text[one["start"] : one["end"]]
        left = len(covered) - len(covered.lstrip())
        assert span.start_char <= one["start"] + left
        assert span.end_char >= one["start"] + len(covered.rstrip())
        assert (span._.dpdeid_start, span._.dpdeid_end) == (one["start"], one["end"])
        assert span._.dpdeid_source == one["source"]


def test_two_spans_of_one_token_keep_what_is_known_of_each() -> None:
    doc = spacy.blank("fr").make_doc("DurandBrest est là")
    common = {"label": "X", "source": ""}
    one, two = mark(
        doc, [{"start": 0, "end": 6, "role": "a"} | common, {"start": 6, "end": 11} | common]
    )
    assert one.text == two.text == "DurandBrest"
    assert (one._.dpdeid_end, two._.dpdeid_start, one._.dpdeid_role) == (6, 6, "a")
    assert doc[0:1]._.dpdeid_source is None


def test_released_is_a_doc_of_the_released_text_alone(quick: Path) -> None:
    nlp = pipeline(quick)
    doc = nlp(noted(nlp, TEXT, "17", note_date="2023-11-06"))
    new = released(spacy.blank("fr"), doc)
    assert new.text == doc._.dpdeid_text
    assert new._.note_id == doc._.dpdeid_id != "17"
    assert new._.note_date == doc._.dpdeid_note_date
    spans = list(new.spans["dpdeid"])
    assert [span.label_ for span in spans] == [label for _, label in SPANS]
    assert all(new.text[s._.dpdeid_start : s._.dpdeid_end] == s.text for s in spans)
    saved = new.to_bytes()
    assert not any(text.encode() in saved for text, _ in SPANS)


PATIENT = [("a", "Opérée le 07/03/2023."), ("b", "Opérée le 07/03/2023, va bien.")]


def texts(docs: list[Any]) -> tuple[str, str]:
    first, second = (doc._.dpdeid_text for doc in docs)
    return first.rstrip("."), second.removesuffix(", va bien.")


@LIBRARIES
def test_notes_of_a_patient_fit_in_one_pipe_and_in_single_calls(quick: Path, library: str) -> None:
    nlp = pipeline(quick, library)
    together = list(nlp.pipe(noted(nlp, text, name, patient_id="p") for name, text in PATIENT))
    assert [doc._.note_id for doc in together] == ["a", "b"]
    assert len(set(texts(together))) == 1
    nlp = pipeline(quick, library)
    one_by_one = [nlp(noted(nlp, text, name, patient_id="p")) for name, text in PATIENT]
    assert len(set(texts(one_by_one))) == 1
    others = [nlp(noted(nlp, text, name, patient_id=name)) for name, text in PATIENT]
    assert len(set(texts(others))) == 2


def test_many_docs_come_back_in_their_order(quick: Path) -> None:
    nlp = pipeline(quick)
    docs = [noted(nlp, f"Note {n}. {TEXT}", n, patient_id=n % 3) for n in range(9)]
    done = list(nlp.pipe(docs, batch_size=2))
    assert [doc._.note_id for doc in done] == list(range(9))
    assert all(doc._.dpdeid_text.startswith(f"Note {n}. Mme") for n, doc in enumerate(done))


@LIBRARIES
def test_a_note_that_cannot_be_processed_has_an_error_and_no_text(
    quick: Path, library: str
) -> None:
    nlp = pipeline(quick, library)
    good = noted(nlp, TEXT, "a", patient_id="p")
    bad = noted(nlp, TEXT, "b", patient_id="q", note_date="SECRET")
    late = noted(nlp, TEXT, "c", patient_id="r", note_date="2150-01-01")
    done = list(nlp.pipe([good, bad, late]))
    assert [doc._.dpdeid_text is None for doc in done] == [False, True, True]
    assert "note_date is not a date" in done[1]._.dpdeid_error
    assert "e0" in done[2]._.dpdeid_error
    assert not any("SECRET" in (doc._.dpdeid_error or "") for doc in done)
    assert not done[1].spans["dpdeid"]
    with pytest.raises(UsageError, match="no released text: note_date"):
        released(nlp, done[1])
    again = nlp(noted(nlp, TEXT, "b", note_date="SECRET"))
    assert again._.dpdeid_text is None


@LIBRARIES
def test_no_key_is_saved(
    quick: Path, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "key"
    key.write_text(KEY.hex())
    key.chmod(0o600)
    monkeypatch.delenv("DPDEID_KEY")
    nlp = pipeline(quick, library, key_file=str(key))
    before = nlp(noted(nlp, TEXT, "a"))._.dpdeid_text
    nlp.to_disk(tmp_path / "saved")
    files = [path.read_bytes() for path in (tmp_path / "saved").rglob("*") if path.is_file()]
    assert any(str(key).encode() in data for data in files)
    for data in (*files, str(nlp.config).encode(), pickle.dumps(nlp.get_pipe("dpdeid"))):
        assert KEY not in data
        assert KEY.hex().encode() not in data
    load = spacy.load if library == "spacy" else pytest.importorskip("edsnlp").load
    other = load(tmp_path / "saved")
    assert other(noted(other, TEXT, "a"))._.dpdeid_text == before


def test_without_a_key_it_warns_and_is_not_copied(
    quick: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("DPDEID_KEY")
    pipe = Pipe(policy=str(quick))
    assert "random key" in caplog.text
    with pytest.raises(SecretKeyError, match="key_file"):
        pickle.dumps(pipe)


def test_a_copy_that_would_draw_from_another_key_is_refused(
    by_note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = pickle.dumps(Pipe(policy=str(by_note)))
    looking = pickle.dumps(Pipe(policy=str(by_note), detect_only=True))
    monkeypatch.setenv("DPDEID_KEY", OTHER_KEY.hex())
    with pytest.raises(SecretKeyError, match="another here"):
        pickle.loads(held)
    monkeypatch.delenv("DPDEID_KEY")
    with pytest.raises(SecretKeyError, match="another here"):
        pickle.loads(held)
    pickle.loads(looking)  # draws nothing


def test_a_copy_takes_no_notes_of_patients_under_the_unit_patient(
    quick: Path, by_note: Path
) -> None:
    nlp = blank("spacy")
    copy = pickle.loads(pickle.dumps(Pipe(policy=str(quick))))
    with pytest.raises(UsageError, match="one process"):
        copy(noted(nlp, TEXT, "a", patient_id="p"))
    original = Pipe(policy=str(quick))
    alone = noted(nlp, TEXT, "a"), noted(nlp, TEXT, "a")
    assert copy(alone[0])._.dpdeid_text == original(alone[1])._.dpdeid_text
    streamed = pickle.loads(pickle.dumps(Pipe(policy=str(by_note))))
    assert streamed(noted(nlp, TEXT, "a", patient_id="p"))._.dpdeid_text


@pytest.mark.slow
@pytest.mark.parametrize("patient", [None, "p"])
def test_several_processes(quick: Path, patient: str | None) -> None:
    nlp = pipeline(quick)
    docs = [noted(nlp, TEXT, str(n), patient_id=patient) for n in range(4)]
    if patient:
        with pytest.raises(ValueError, match="one process"):
            list(nlp.pipe(docs, n_process=2, batch_size=1))
    else:
        done = list(nlp.pipe(docs, n_process=2, batch_size=1))
        again = [nlp(noted(nlp, TEXT, str(n)))._.dpdeid_text for n in range(4)]
        assert [doc._.dpdeid_text for doc in done] == again


def test_what_is_asked_for_wrongly_is_refused(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="e0 is not a date"):
        Pipe(policy=str(quick), e0="31/12/2030")
    with pytest.raises(SecretKeyError, match="key file"):
        Pipe(policy=str(quick), key_file="nowhere")
    monkeypatch.setenv("DPDEID_KEY", "short")
    with pytest.raises(SecretKeyError, match="DPDEID_KEY"):
        Pipe(policy=str(quick))
