"""The label of each token by vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpdeid.detect.decision.vote import voted
from dpdeid.detect.merge.published import finish
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from tests.detect.merge.test_published import DOC, TEXT, meant, proposals, span


def vote(doc: Document, proposed: Mapping[str, Sequence[Span]]) -> tuple[Span, ...]:
    every = [one for some in proposed.values() for one in some]
    return finish(doc, voted(doc, proposed, every), every)


CITY = span("Brest", Label.CITY, "lookup", 0.6)
NAME = span("Brest", Label.LAST_NAME, "crf", 0.9)


def test_two_voices_beat_one() -> None:
    agreeing = span("Brest", Label.LAST_NAME, "transformer", 0.5)
    (merged,) = vote(DOC, {"lookup": [CITY], "crf": [NAME], "transformer": [agreeing]})
    assert (merged.label, merged.source, merged.score) == (Label.LAST_NAME, "crf", 0.9)


def test_the_rules_are_one_voice_and_win_a_tie() -> None:
    again = span("Brest", Label.CITY, "patterns", 0.5)
    for rules in ({"lookup": [CITY]}, {"lookup": [CITY], "patterns": [again]}):
        (merged,) = vote(DOC, {**rules, "crf": [NAME]})
        assert merged.label is Label.CITY
    others = {"crf": [NAME], "transformer": [replace(NAME, source="transformer")]}
    (merged,) = vote(DOC, {"lookup": [CITY], "patterns": [again], **others})
    assert merged.label is Label.LAST_NAME


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("d'", ["12 rue d'Arcole"]),
        ("Arcole", ["12 rue d'", "Arcole"]),
        ("12 rue d'Arcole", ["12 rue d'Arcole"]),
    ],
)
def test_what_the_rules_find_is_not_broken_in_the_middle(text: str, parts: list[str]) -> None:
    street = span("12 rue d'Arcole", Label.STREET, "patterns")
    both = {name: [span(text, Label.HOSPITAL, name)] for name in ("crf", "transformer")}
    merged = vote(DOC, {"patterns": [street], **both})
    assert [TEXT[s.start : s.end] for s in merged] == parts
    assert (merged[-1].label is Label.HOSPITAL) == (text != "d'")


def test_a_form_of_dates_does_not_say_that_nobody_was_born() -> None:
    """Taggers alone decide between a date and a birth; where none speaks of one, it is none."""
    form = span("12", Label.DATE, "patterns", 0.9)
    born = span("12", Label.BIRTH_DATE, "transformer", 0.87)
    seen = span("12", Label.DATE, "crf", 0.63)
    for crf, label in ((seen, Label.BIRTH_DATE), (replace(seen, score=0.9), Label.DATE)):
        (merged,) = vote(DOC, {"patterns": [form], "crf": [crf], "transformer": [born]})
        assert merged.label is label


def test_between_taggers_the_better_score_decides() -> None:
    sure = span("Brest", Label.CITY, "transformer", 0.95)
    (merged,) = vote(DOC, {"crf": [NAME], "transformer": [sure]})
    assert merged == sure


def test_the_rules_say_which_name_initials_stand_for() -> None:
    doc = Document("n", "PYT/ml")
    rules = [Span(4, 6, Label.LAST_NAME, 0.9, "patterns")]
    both = {name: [Span(4, 6, Label.FIRST_NAME, 0.9, name)] for name in ("crf", "transformer")}
    (merged,) = vote(doc, {"patterns": rules, **both})
    assert merged.label is Label.LAST_NAME


def test_the_file_says_which_name_of_the_patient_it_is() -> None:
    doc = Document("n", "Zorglub va bien")
    both = {name: [Span(0, 7, Label.FIRST_NAME, 0.9, name)] for name in ("crf", "transformer")}
    for source, score, label in (
        ("metadata", 1.0, Label.LAST_NAME),
        ("lookup", 0.9, Label.FIRST_NAME),
    ):
        named = [Span(0, 7, Label.LAST_NAME, score, source)]
        (merged,) = vote(doc, {source: named, **both})
        assert merged.label is label


def test_a_sure_organization_keeps_its_town() -> None:
    doc = Document("n", "barreau de Brest")
    both = {name: [Span(11, 16, Label.CITY, 0.9, name)] for name in ("crf", "transformer")}
    for score, kept in ((0.97, 1), (0.85, 2)):
        body = Span(0, 16, Label.ORGANIZATION, score, "patterns")
        assert len(vote(doc, {"patterns": [body], **both})) == kept


def test_a_department_with_its_article_is_no_surname() -> None:
    for before, name, label, inside in (
        ("vit dans ", "LE LOIRET", Label.CITY, "LOIRET"),
        ("département : ", "LES YVELINES", Label.CITY, "YVELINES"),
        ("dans ", "LA HAUTE-LOIRE", Label.CITY, "HAUTE-LOIRE"),
        ("vu par ", "LE LOIRET", Label.LAST_NAME, "LE LOIRET"),
    ):
        text, start = before + name, len(before)
        doc = Document("n", text)
        both = {
            tagger: [Span(start, len(text), Label.LAST_NAME, 0.9, tagger)]
            for tagger in ("crf", "transformer")
        }
        (merged,) = vote(doc, both)
        assert (merged.label, text[merged.start : merged.end]) == (label, inside)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Dr Zorbec\nRoanne, le 12 mars 2021\nCher confrère", Label.CITY),
        ("Roanne le lundi 3/04/2022", Label.CITY),
        ("Dr Zorbec\nRoanne, le 12 mars 2021, va mieux", Label.FIRST_NAME),
        ("vue par Roanne, le 12 mars 2021", Label.FIRST_NAME),
        ("Zorblic, le 12 mars 2021", Label.FIRST_NAME),
    ],
)
def test_a_town_that_heads_a_letter_is_no_given_name(text: str, label: Label) -> None:
    name = "Roanne" if "Roanne" in text else "Zorblic"
    start = text.index(name)
    span = Span(start, start + len(name), Label.FIRST_NAME, 0.9, "crf")
    (merged,) = vote(Document("a", text), {"patterns": (), "crf": [span]})
    assert merged.label is label


def test_the_article_of_a_department_alone_is_no_surname() -> None:
    doc = Document("n", "vit dans LE LOIRET")
    proposed = {
        "crf": [Span(12, 18, Label.CITY, 0.7, "crf")],
        "transformer": [Span(9, 11, Label.LAST_NAME, 0.7, "transformer")],
    }
    (merged,) = vote(doc, proposed)
    assert (merged.label, merged.start) == (Label.CITY, 12)


@pytest.mark.parametrize("on", [" au", "-", " /", " à", " et", " ou", " – "])
def test_what_leads_on_is_not_the_end_of_a_span(on: str) -> None:
    doc = Document("n", f"du 9{on} 15 mai")
    (merged,) = vote(doc, {"crf": [Span(3, 4 + len(on), Label.DATE, 0.9, "crf")]})
    assert (merged.start, merged.end) == (3, 4)


@pytest.mark.parametrize(
    ("text", "known", "label", "parts"),
    [
        ("mi-avril 2022", "avril 2022", Label.DATE, ["mi-avril 2022"]),
        ("fin 2019", "2019", Label.DATE, ["fin 2019"]),
        ("Basse-Goulaine", "Goulaine", Label.CITY, ["Basse-Goulaine"]),
        ("26-27 mai", "27 mai", Label.DATE, ["26", "27 mai"]),
        ("3 et 5 ans", "5 ans", Label.AGE, ["3", "5 ans"]),
        ("3 à 5 ans", "5 ans", Label.AGE, ["3", "5 ans"]),
        ("lun-mer", "lun mer", Label.DATE, ["lun", "mer"]),
    ],
)
def test_the_rules_do_not_tear_what_taggers_see_as_one(
    text: str, known: str, label: Label, parts: list[str]
) -> None:
    doc = Document("n", text)
    rules = [Span(len(text) - len(known), len(text), label, 0.9, "patterns")]
    if known == "lun mer":
        rules = [Span(0, 3, label, 0.9, "patterns"), Span(4, 7, label, 0.9, "patterns")]
    whole = [Span(0, len(text), label, 0.9, "crf")]
    merged = vote(doc, {"patterns": rules, "crf": whole})
    assert [text[s.start : s.end] for s in merged] == parts


def test_two_that_a_tagger_sees_as_two_stay_two() -> None:
    doc = Document("n", "Le Goff Tanguy")
    rules = [Span(3, 14, Label.LAST_NAME, 0.9, "patterns")]
    two = [Span(0, 7, Label.LAST_NAME, 0.9, "crf"), Span(8, 14, Label.LAST_NAME, 0.9, "crf")]
    assert len(vote(doc, {"crf": two})) == 2
    assert len(vote(doc, {"crf": two, "patterns": rules})) == 1


def test_two_dates_side_by_side_stay_two() -> None:
    doc = Document("n", "le 12/03 13/03")
    spans = [Span(3, 8, Label.DATE, 0.9, "crf"), Span(9, 14, Label.DATE, 0.9, "crf")]
    assert len(vote(doc, {"crf": spans, "patterns": [], "transformer": []})) == 2


@given(proposed=proposals(), random=st.randoms(use_true_random=False))
@example(
    proposed={
        "crf": [
            Span(0, 1, Label.DATE, 0.5, "crf"),
            Span(1, 2, Label.LAST_NAME, 0.5, "crf"),  # in the same token
        ]
    },
    random=Random(0),
)
def test_all_that_was_proposed_is_voted_on_in_any_order(
    proposed: dict[str, list[Span]], random: Random
) -> None:
    every = [one for some in proposed.values() for one in some]
    spans = vote(DOC, proposed)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert meant(every) <= meant(spans)
    items = [(name, random.sample(some, len(some))) for name, some in proposed.items()]
    random.shuffle(items)
    assert vote(DOC, dict(items)) == spans
