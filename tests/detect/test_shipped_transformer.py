"""The transformer that comes with the package: it loads, finds what it must, and may be shared."""

from __future__ import annotations

from itertools import pairwise

from dpdeid.detect.taggers.card import check_files, read_card
from dpdeid.detect.taggers.transformer import SHIPPED, Transformer, find_folder
from dpdeid.document import Document
from dpdeid.labels import Label
from dpdeid.policy.policy import parse_policy
from dpdeid.testing import marked

NOTE = """Mme «LAST_NAME:KERVOAZEC» «FIRST_NAME:Maëlle», née le «BIRTH_DATE:04/02/1957»
Domiciliée à «CITY:Landerneau». Tél. «PHONE:02 98 41 07 63»

Patiente revue le «DATE:12 mars 2021» par le Dr «LAST_NAME:Tassin» pour une toux sans fièvre.
Maladie de Parkinson connue. Pas de modification du traitement.
"""
POLICY = "name: x\nunit: note\ndetectors: [{0}]\nmerge: union\nstrategies: []\ndefault: redact\n"


def test_it_finds_each_span_of_a_note_and_no_other_name() -> None:
    text, gold = marked(NOTE)
    found = list(Transformer()(Document("n", text)))
    exact = {(s.start, s.end, s.label) for s in found}
    assert {(s.start, s.end, s.label) for s in gold} <= exact
    names = {Label.FIRST_NAME, Label.LAST_NAME}
    assert sum(s.label in names for s in found) == sum(s.label in names for s in gold)
    assert all(0 < s.score <= 1 and s.source == Transformer.name for s in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_small_letters_and_no_title_do_not_hide_a_name() -> None:
    text, gold = marked("vu avec «FIRST_NAME:patrick» puis le dr «LAST_NAME:guézennec»")
    found = list(Transformer()(Document("n", text)))
    assert all(any(f.start <= s.start and s.end <= f.end for f in found) for s in gold)


def test_a_policy_gets_it_by_default() -> None:
    assert parse_policy(POLICY.format("transformer")).detectors == (Transformer(SHIPPED),)


def test_its_card_is_that_of_its_files_and_it_may_be_shared() -> None:
    folder = find_folder(SHIPPED)
    card = read_card(folder)
    check_files(folder, card)
    assert card.kind == "transformer"
    assert card.trained_on_identified is False
    assert all(source.licence not in ("", "not stated") for source in card.data)
    assert sum(file.stat().st_size for file in folder.iterdir()) < 8_000_000


def test_a_book_is_read_in_parts_and_a_token_that_is_no_word_is_left() -> None:
    text, gold = marked("vu par le Dr «LAST_NAME:Guézennec» ce jour. ")
    book = "Toux sans fièvre. " * 6_000 + "a" * 2_000 + " " + text + "." * 120_000 + " " + text
    found = {s.start for s in Transformer()(Document("n", book)) if s.label is Label.LAST_NAME}
    (name,) = gold
    first = book.index(text)
    assert {first + name.start, book.rindex(text) + name.start} <= found
