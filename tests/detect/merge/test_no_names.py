"""Fields, machines, abbreviations and misread words, which are nobody's name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.merge.no_names import (
    SPELT_DRUGS,
    THINGS,
    is_misread_word,
    is_no_name,
    is_only_medicine,
    is_thing,
)
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.columns import is_field
from dpdeid.document import Document, Span
from dpdeid.labels import Label


@pytest.mark.parametrize(
    ("word", "behind"),
    [("debranche", ": "), ("technique", " :"), ("to", ":"), ("conclusion", ":")],
)
def test_a_word_before_a_colon_names_a_field(word: str, behind: str) -> None:
    assert is_field(word, behind)


@pytest.mark.parametrize(
    ("word", "behind"),
    [("technique", ", "), ("kervella", ": "), ("petit", ": "), ("rose", " :"), ("technique", "")],
)
def test_names_and_words_without_a_colon_name_none(word: str, behind: str) -> None:
    assert not is_field(word, behind)


@pytest.mark.parametrize("run", ["0PERAT0IRE", "H0PITAL", "DlAGNOSTIC", "ma1ade"])
def test_a_misread_word_is_told(run: str) -> None:
    assert is_misread_word(run)


@pytest.mark.parametrize("run", ["KERVE11A", "MART1NEAU", "KERVELLA", "hopital", "12", "", "S0"])
def test_a_misread_name_is_no_word(run: str) -> None:
    assert not is_misread_word(run)


@given(st.text(max_size=20))
def test_a_run_of_plain_letters_is_never_misread(run: str) -> None:
    if not any(mark in run for mark in "015l"):
        assert not is_misread_word(run)


def test_nothing_in_the_lists_is_a_usual_name() -> None:
    for word in voc.ABBREVIATIONS | THINGS:
        assert EVIDENCE[word].surname < 3, word
        assert not voc.TRAITS[word] & voc.FREQUENT, word


@pytest.mark.parametrize(
    ("text", "word", "thing"),
    [
        ("dosée par Zorgulec ® ce jour", "Zorgulec", True),
        ("un surjet de Vicryl 3/0", "Vicryl", True),
        ("positif sur Zorgulia luciliae", "Zorgulia", True),
        ("Pes cavus à droite", "Pes", True),
        ("relais par Entresto ce jour", "Entresto", True),
        ("32e p. Hadlock ce jour", "Hadlock", True),
        ("VSL Ambul. de garde", "Ambul", True),
        ("HEURE  PATIENT    DN      IPP     VALID", "VALID", True),
        ("MSH|^~\\&|QXLAB|CHU|DPI|CHU|2025||ORU^R01|8|P|2.5", "R01", True),
        ("PID|1||A7||KERVELLA^Anne", "KERVELLA", False),
        ("vue par Zorgulec ce jour", "Zorgulec", False),
        ("vue par Zorgulec Vicryl", "Zorgulec Vicryl", False),
        ("sur Sysmex Zorgulec ce jour", "Zorgulec", True),
        ("examen Fugl-Meyer ce jour", "Fugl-Meyer", True),
        ("Bakri en place, propre", "Bakri", True),
        ("prostatectomie Da Vinci ce jour", "Da Vinci", True),
        ("Fortimel x2 par jour", "Fortimel", True),
        ("ne parle que shimaoré", "shimaoré", True),
        ("mère Ag HBs - ce jour", "Ag HBs", True),
        ("relayé par vanco ce jour", "vanco", True),
    ],
)
def test_a_brand_a_maker_or_a_genus_is_no_person(text: str, word: str, thing: bool) -> None:
    start = text.index(word)
    span = Span(start, start + len(word), Label.LAST_NAME, 0.9, "crf")
    assert is_thing(Document("a", text), span) is thing


def test_a_species_is_a_word_and_no_part_of_a_name() -> None:
    assert voc.TRAITS["luciliae"] & voc.STOP
    assert not any(voc.TRAITS[word] & voc.STOP for word in voc.LATIN if EVIDENCE[word].surname)


@pytest.mark.parametrize("name", ["bernard", "roussel", "merieux", "pellegrino", "langlebert"])
def test_a_name_that_is_also_a_brand_is_no_drug_in_another_spelling(name: str) -> None:
    assert not SPELT_DRUGS[name]
    assert SPELT_DRUGS["valacyclovir"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("avant cholécystectomie", True), ("sa septoplastie", True), ("vue par Kervella", False)],
)
def test_an_act_is_nobody_whatever_a_tagger_says(text: str, name: bool) -> None:
    start = text.rindex(" ") + 1
    span = Span(start, len(text), Label.LAST_NAME, 0.9, "crf")
    assert is_thing(Document("n", text), span) is name


def test_the_letter_of_a_field_is_no_given_name() -> None:
    for text, none in (("N.Naiss: DUPONT", True), ("N.Roy: DUPONT", False)):
        assert is_no_name(Document("a", text), 0, 0.9) is none


@pytest.mark.parametrize(
    ("word", "medicine"),
    [
        ("MEOPA", True),
        ("FAV", True),
        ("ROS1", True),
        ("QXB1", False),
        ("AP", False),
        ("LEGRAND", False),
        ("meopa", False),
        ("Parkinson", True),
        ("PARKINSON", False),
        ("Raynaud", False),
        ("Prén", True),
        ("IDE", True),
        ("Idriss", False),
        ("JF", False),
    ],
)
def test_a_long_abbreviation_beside_a_name_is_none(word: str, medicine: bool) -> None:
    text = f"PAR DR QUESNEL {word}"
    span = Span(len(text) - len(word), len(text), Label.FIRST_NAME, 0.9, "crf")
    assert is_only_medicine(Document("n", text), span) is medicine
