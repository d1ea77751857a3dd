"""Hand-made notes whose changed words can be counted by hand, and properties of any note.

In a note before, «…» is a gold span and ⟦…⟧ a word that has changed.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpdeid.document import Document, Span
from dpdeid.errors import UsageError
from dpdeid.evaluate.medicine.changes import Change, How, NoteChanges, atoms, compare_note
from dpdeid.evaluate.medicine.kinds import Kind
from dpdeid.labels import Label

SILENT, MASKED, REMOVED = How.SILENT, How.MASKED, How.REMOVED


def marked(line: str) -> tuple[Document, list[Span], list[tuple[int, int]]]:
    """A note without its marks, its gold spans, and the places of the words that changed."""
    text, gold, words = "", list[Span](), list[tuple[int, int]]()
    for piece in re.split(r"([«⟦][^»⟧]*[»⟧])", line):
        inside = piece.strip("«»⟦⟧")
        place = len(text), len(text) + len(inside)
        if piece.startswith("«"):
            gold.append(Span(*place, Label.LAST_NAME))
        elif piece.startswith("⟦"):
            words.append(place)
        text += inside
    return Document("n", text), gold, words


def changed(line: str, after: str) -> tuple[Change, ...]:
    doc, gold, _ = marked(line)
    return compare_note(doc, after, gold).changed


CASES = [
    ("Hb ⟦12,3⟧, vu par M. «Petit»", "Hb 14,3, vu par M. Roux", [(Kind.VALUE, SILENT)]),
    ("créatinine ⟦412⟧ µmol/L", "créatinine [ROOM] µmol/L", [(Kind.VALUE, MASKED)]),
    ("pesée à ⟦72⟧ kg, «Paris»", "pesée à kg, Lyon", [(Kind.DOSE, REMOVED)]),
    ("sous ⟦Keppra⟧ ⟦500⟧ mg", "sous Martin 700 mg", [(Kind.DRUG, SILENT), (Kind.DOSE, SILENT)]),
    ("adénocarcinome ⟦pT2N0⟧", "adénocarcinome XXXX", [(Kind.CODE, MASKED)]),
    ("le «12/03/2021», TA ⟦12/8⟧", "le 15/04/2021, TA 12/9", [(Kind.VALUE, SILENT)]),
    ("«Petit» ⟦BPCO⟧ connue", "Roux ***** connue", [(Kind.ABBREVIATION, MASKED)]),
    ("⟦BPCO⟧ «Petit», vu", "[NOM] Roux, vu", [(Kind.ABBREVIATION, MASKED)]),
    ("vient de la ⟦montagne⟧", "vient de la plage", [(Kind.WORD, SILENT)]),
    ("le dossier ⟦4512⟧ est clos", "le dossier 7731 est clos", [(Kind.NUMBER, SILENT)]),
    ("né ⟦à⟧ «Paris»", "né au Mans", [(Kind.GRAMMAR, SILENT)]),
    ("CHU ⟦d⟧⟦'⟧«Angers»", "CHU de Lyon", [(Kind.GRAMMAR, SILENT), (Kind.FORMAT, SILENT)]),
    ("près de ⟦la⟧ ⟦montagne⟧ «Paris»", "près de l eau Lyon",
     [(Kind.GRAMMAR, SILENT), (Kind.WORD, SILENT)]),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "wanted"), CASES)
def test_changed_words_by_kind_and_what_stands_there(
    before: str, after: str, wanted: list[tuple[Kind, How]]
) -> None:
    found = changed(before, after)
    assert [(change.start, change.end) for change in found] == marked(before)[2]
    assert [(change.kind, change.how) for change in found] == wanted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("«12» mg de «Keppra»", "40 mg de [NOM]"),  # what the gold marks may be anything
        ("vu le «12/03» par «Mme Petit»", "vu le par"),
        ("Hb 12,3 «Petit»", "Hb 12,3 Hb 14,3"),  # and may become what stands beside it
        ("le «3» mars 3 fois", "le 5 mars 3 fois"),
        ("TA  12/8\nvu", "TA 12/8 vu"),  # white space is no word
        ("", ""),
    ],
)
def test_what_had_to_change_is_not_counted(before: str, after: str) -> None:
    assert changed(before, after) == ()


def test_a_grammar_word_that_leads_to_nothing_changed_is_a_word() -> None:
    (one,) = changed("né ⟦à⟧ terme, «Paris»", "né au terme, Lyon")
    assert one.kind is Kind.WORD


def test_a_run_of_one_kind_is_one_place() -> None:
    found = changed("hernie ⟦inguinale⟧ ⟦gauche⟧ puis ⟦asthme⟧", "hernie abc def puis ghi")
    assert [change.place for change in found] == [0, 0, 1]


def test_words_added_where_nothing_stood() -> None:
    doc, gold, _ = marked("pas de fièvre, «Petit»")
    note = compare_note(doc, "pas de forte fièvre, Roux Martin", gold)
    assert note == NoteChanges(words=4, inserted=1)


def test_the_replaced_spans_tell_what_was_taken_for_what() -> None:
    doc, gold, _ = marked("créatinine 412 puis 412, «Petit»")
    second = doc.text.index("412", 15)
    replaced = [*gold, Span(second, second + 3, Label.ROOM)]
    (one,) = compare_note(doc, "créatinine 412 puis 673, Roux", gold, replaced).changed
    assert (one.start, one.taken_for, one.after) == (second, "ROOM", "673")


def test_a_span_whose_surrogate_is_its_original_has_changed_nothing() -> None:
    doc, gold, _ = marked("Hb 12,3 vu par «Petit»")
    replaced = [Span(3, 7, Label.DATE), *gold]
    assert compare_note(doc, "Hb 12,3 vu par Roux", gold, replaced).changed == ()


def test_spans_of_another_release_are_refused_without_its_text() -> None:
    doc, gold, _ = marked("Hb 12,3 vu par «Petit»")
    with pytest.raises(UsageError, match="note n: a word outside") as error:
        compare_note(doc, "Hb 14,3 vu par Roux", gold, gold)
    assert "14" not in str(error.value)


def test_what_is_glued_to_a_span_may_become_one_word_with_its_surrogate() -> None:
    doc, gold, _ = marked("vu le «12»nov, Hb «(12)»g")
    after = "vu le treizenov, Hb Rouxg"
    for replaced in (None, gold):
        assert compare_note(doc, after, gold, replaced).changed == ()


def test_no_text_in_a_repr() -> None:
    (one,) = changed("sous ⟦Keppra⟧", "sous Zyxwv")
    assert "Zyxwv" not in repr(one)


WORDS = st.lists(st.sampled_from("le Hb 12,3 de 12 mg Keppra à / , 3".split()), min_size=1)  # noqa: SIM905


@given(WORDS)
def test_the_same_text_has_no_change(words: list[str]) -> None:
    text = " ".join(words)
    assert compare_note(Document("n", text), text, []).changed == ()


@given(WORDS, st.data())
def test_changes_inside_gold_are_none(words: list[str], data: st.DataObject) -> None:
    doc, gold, after = released(words, data, due=True)
    for replaced in (None, gold):
        assert compare_note(doc, after, gold, replaced).changed == ()


@given(WORDS, st.data())
def test_each_planted_change_is_counted_once(words: list[str], data: st.DataObject) -> None:
    doc, spans, after = released(words, data, due=False)
    planted = {(span.start, span.end) for span in spans}
    exact = compare_note(doc, after, [], spans).changed
    assert [(change.start, change.end) for change in exact] == sorted(planted)
    # which of two equal atoms it was cannot be told from the texts alone, but how many can
    changed_atoms = sum(len(atoms(doc.text[a:b])) for a, b in planted)
    by_texts = compare_note(doc, after, []).changed
    assert 0 < len(by_texts) <= changed_atoms if planted else not by_texts


def released(
    words: list[str], data: st.DataObject, *, due: bool
) -> tuple[Document, list[Span], str]:
    """A note, spans of some of its words, and the note with something else in their place: of
    words that stand in the note if they had to change, else of one that does not.
    """
    picked = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    assume(any(picked) or not due)
    instead = st.lists(st.sampled_from(words), max_size=3).map(" ".join) if due else st.just("Zyx")
    text, after, spans = "", "", []
    for word, is_picked in zip(words, picked, strict=True):
        text, after = f"{text} ", f"{after} "
        if is_picked:
            spans.append(Span(len(text), len(text) + len(word), Label.LAST_NAME))
        after += data.draw(instead) if is_picked else word
        text += word
    return Document("n", text), spans, after
