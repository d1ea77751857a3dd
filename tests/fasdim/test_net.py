"""The net: without a veto it takes more, never less, and nothing where a policy has none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from dpdeid import testing
from dpdeid.detect.merge.published import VETO
from dpdeid.document import Document, Finding, Span
from dpdeid.engine import Deidentifier
from dpdeid.errors import PolicyError
from dpdeid.fasdim.net import Net, _is_row, _is_thing
from dpdeid.fasdim.orders import is_order, is_ticked
from dpdeid.fasdim.risk import Word
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy, parse_policy, policy_text
from tests.conftest import KEY

NOTES = [doc for doc, _ in testing.notes()][:6]
WITHOUT = Deidentifier(replace(load_policy("dp"), net=None), key=KEY)
SURNAME = "av zorguelec : ok pr sortie demain, amoxicilline 1g"


def engine(risk: str) -> Deidentifier:
    return Deidentifier(replace(load_policy("dp"), net=Net(Fraction(risk))), key=KEY)


def test_a_name_that_detection_left_is_replaced_and_a_drug_is_not() -> None:
    assert "zorguelec" in WITHOUT(SURNAME).text
    released = engine("0.2")(SURNAME).text
    assert "zorguelec" not in released
    assert "amoxicilline 1g" in released
    assert "[" not in released


def test_a_row_of_boxes_is_replaced_digit_by_digit() -> None:
    text = "Dossier n° | 7 | 4 | 0 | 2 | 9 | 3 | 1 | 8 |\nEVA 3 / 10"
    (found,) = engine("0.2").detect(text).spans
    assert text[found.start : found.end] == "7 | 4 | 0 | 2 | 9 | 3 | 1 | 8"
    assert found.label is Label.PATIENT_ID


def test_no_part_of_a_word_is_taken() -> None:
    """ "MoCA" is two tokens; at such a risk everything is taken that may be."""
    text = "Sous agoniste. MoCA 26/30, eGFR 60, mL, 12h30. NT-proBNP 340 pg/mL, cT3N1M0"
    for doc in (text, *NOTES):
        found = engine("0.0001").detect(doc)
        view = doc if isinstance(doc, str) else doc.text
        own = [span for span in found.spans if span.source == "net"]
        assert own or doc is not text
        for span in own:
            around = view[max(span.start - 1, 0) : span.start] + view[span.end : span.end + 1]
            assert not any(map(str.isalnum, around))


def test_a_given_name_and_a_surname_are_two() -> None:
    text = "co-signé Aissatou Grondin"
    found = engine("0.2").detect(text).spans
    assert [(text[s.start : s.end], s.label, s.source) for s in found] == [
        ("Aissatou", Label.FIRST_NAME, "net"),
        ("Grondin", Label.LAST_NAME, "net"),
    ]


def test_an_abbreviation_with_dots_is_left() -> None:
    text = "C.R. d'hospitalisation de Mme DURAND"
    found = engine("0.2").detect(text).spans
    assert [text[s.start : s.end] for s in found] == ["DURAND"]


def test_a_mutation_is_left() -> None:
    code = "F508del/N1303K"
    assert not engine("0.01").detect(f"Génotype {code}, dépistage néonatal").spans
    assert engine("0.01").detect(f"Pochette {code}, dépistage néonatal").spans


def test_a_misread_word_is_taken_whole() -> None:
    """ "Zorgue1lec" is three tokens, a name, a number and a name."""
    doc = Document("a", "avis Zorgue1lec ce jour")
    (found,) = Net(Fraction("0.0001"))([doc], [Finding((), ())])
    assert any(span.start <= 5 and span.end >= 15 for span in found.spans)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Pose d'un PICC-zorgue ce jour", "zorgue"),
        ("la CHECK-LIST du bloc", "CHECK"),
        ("service : |C|A|R|D|I|O|L|O|G|I|E|", "C A R D I O L G E"),
    ],
)
def test_parts_of_compounds_and_boxes_of_a_word_are_left(text: str, left: str) -> None:
    doc = Document("a", text)
    (found,) = Net(Fraction("0.0001"))([doc], [Finding((), ())])
    own = {word for span in found.spans for word in doc.text[span.start : span.end].split("|")}
    assert own.isdisjoint(left.split())


@pytest.mark.parametrize("text", ["la CHECK-LIST", "le check-list", "vue au rendez-vous"])
def test_a_word_with_hyphens_is_left_whatever_its_risk(text: str) -> None:
    doc = Document("a", text)
    first, last = doc.tokens.over(text.index("-") - 1, text.index("-"))[0], len(doc.tokens) - 1
    assert _is_thing(doc, Word(first, first + 1, 0.9))
    assert _is_thing(doc, Word(last, last + 1, 0.9))


def test_a_name_beside_a_hyphen_is_no_compound() -> None:
    doc = Document("a", "avis Zorgue-Martin ce jour, puis |Z|O|R|G|U|E|L|E|C|")
    (found,) = Net(Fraction("0.0001"))([doc], [Finding((), ())])
    taken = " ".join(doc.text[span.start : span.end] for span in found.spans)
    assert "Zorgue" in taken
    assert "Z|O|R" in taken


@pytest.mark.parametrize(
    "text",
    [
        "avis Vicryl ce jour",
        "une croix de Zorguelec ce jour",
        "le score de Zorguelec",
        "davier de Zorguelec",
        "Dr. med",
    ],
)
def test_devices_and_eponyms_are_left(text: str) -> None:
    doc = Document("a", text)
    (found,) = Net(Fraction("0.0001"))([doc], [Finding((), ())])
    own = {doc.text[span.start : span.end] for span in found.spans}
    assert not own & {"Vicryl", "Zorguelec", "med"}


def vetoed(
    veto: str, word: str, source: str, label: Label = Label.LAST_NAME
) -> tuple[list[str], list[float]]:
    """The words that stay of what a detector says of a note, and the chances of those let go."""
    text = "Vue hier avec zorguelec, césarienne prévue mardi, Doliprane repris"
    start = text.index(word)
    span = Span(start, start + len(word), label, 0.5, source)
    net = Net(Fraction(1), Fraction(veto))
    (found,) = net([Document("a", text)], [Finding((span,), (span,))])
    assert span in found.proposals
    gone = [p.score for p in found.proposals if p.source == VETO]
    return [text[s.start : s.end] for s in found.spans], gone


@pytest.mark.parametrize("source", ["transformer", "crf", "lookup"])
@pytest.mark.parametrize("word", ["césarienne", "Doliprane"])
def test_what_is_hardly_likely_and_said_by_one_alone_is_let_go(word: str, source: str) -> None:
    spans, (chance,) = vetoed("0.3", word, source)
    assert not spans
    assert chance < 0.3


def test_a_name_that_no_list_has_is_not_let_go() -> None:
    assert vetoed("0.3", "zorguelec", "transformer") == (["zorguelec"], [])


@pytest.mark.parametrize("source", ["patterns/people", "metadata", "propagate", "site/staff"])
def test_what_a_rule_or_a_hospital_says_is_never_let_go(source: str) -> None:
    assert vetoed("1", "césarienne", source) == (["césarienne"], [])


def test_what_stays_in_a_release_is_not_judged() -> None:
    assert vetoed("1", "césarienne", "crf", Label.PROFESSION) == (["césarienne"], [])


def test_a_higher_veto_lets_more_go() -> None:
    def gone(veto: str) -> int:
        net = Net(Fraction(1), Fraction(veto))
        finds = [WITHOUT.detect(doc) for doc in NOTES]
        after = [net([doc], [one])[0] for doc, one in zip(NOTES, finds, strict=True)]
        assert all(set(a.spans) <= set(b.spans) for a, b in zip(after, finds, strict=True))
        return sum(span.source == VETO for one in after for span in one.proposals)

    told = [gone(veto) for veto in ("0", "0.95", "1")]
    assert told == sorted(told)
    assert told[0] == 0 < told[-1]


@pytest.mark.parametrize("doc", NOTES, ids=lambda doc: doc.id)
def test_nothing_that_was_found_is_lost(doc: object) -> None:
    before = WITHOUT.detect(doc)  # type: ignore[arg-type]
    after = engine("0.001").detect(doc)  # type: ignore[arg-type]
    more = set(after.spans) - set(before.spans)
    assert set(before.spans) <= set(after.spans)
    assert set(before.proposals) <= set(after.proposals)
    assert {span.source for span in more} <= {"net"}
    ends = [at for span in sorted(after.spans) for at in (span.start, span.end)]
    assert ends == sorted(ends)


def test_a_lower_risk_takes_more() -> None:
    taken = [
        sum(len(span) for doc in NOTES for span in engine(risk).detect(doc).spans)
        for risk in ("1", "0.1", "0.001")
    ]
    assert taken == sorted(taken)
    assert taken[0] < taken[-1]


def test_a_net_that_takes_nothing_releases_the_same() -> None:
    assert [engine("1")(doc).text for doc in NOTES] == [WITHOUT(doc).text for doc in NOTES]


def test_in_a_policy_file() -> None:
    text = policy_text("redact")
    policy = parse_policy(f"{text}net: {{risk: 0.125}}\n")
    assert policy.net == load_policy("dp").net == Net(Fraction(1, 8))
    assert parse_policy(text).net is None
    vetoed = parse_policy(f"{text}net: {{risk: 0.2, veto: 0.3}}\n")
    assert vetoed.net == Net(Fraction(1, 5), Fraction(3, 10))
    for wrong in ("{risk: 0}", "{risk: 1.5}", "{risk: 0.2, veto: 2}", "{}", "{chance: 0.2}", "0.2"):
        with pytest.raises(PolicyError, match="line"):
            parse_policy(f"{text}net: {wrong}\n")


def test_its_models_are_named() -> None:
    assert {"risk.tsv", "crf.crfsuite"} <= Net(Fraction(1, 2)).model_files().keys()


@pytest.mark.parametrize(
    "text",
    [
        "CEFAZOLINE 2 G I V A L INDUCTION",
        "HEPARINE 5000 U I S C",
        "LEVER A J 2 PUIS T H R A J 8",
        "AUGMENTIN 1 G X 3 / J P O",
    ],
)
def test_a_dose_whose_letters_stand_apart_is_left(text: str) -> None:
    doc = Document("a", text)
    for at in (at for at, word in enumerate(doc.tokens.texts) if len(word) == 1):
        assert is_order(doc, at, at + 1)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("MME K E R V E L L A", "K"),
        ("NOM : S C", "S"),
        ("DR P O", "P"),
        ("DOSSIER 7 4 0 2 9 3 1 8", "7"),
        ("VUE PAR A B", "A"),
    ],
)
def test_a_name_or_number_in_boxes_is_no_dose(text: str, word: str) -> None:
    doc = Document("a", text)
    at = doc.tokens.texts.index(word)
    assert not is_order(doc, at, at + 1)


@pytest.mark.parametrize(
    "text",
    [
        "Sexe : F_X_ M___   Canton",
        "Sexe F___ M_X_",
        "sexe |H|X|F|",
        "REA O_X_ N___",
        "ISOL. [O] [N] [X]",
    ],
)
def test_the_cross_in_one_of_two_boxes_is_no_name(text: str) -> None:
    doc = Document("a", text)
    letters = [at for at, word in enumerate(doc.tokens.texts) if len(word) == 1 and word.isalpha()]
    for at in letters:
        assert is_ticked(doc, doc.tokens.starts[at], doc.tokens.ends[at])
    released = Deidentifier("dp", key=KEY)(text).text
    assert text[-9:] in released


@pytest.mark.parametrize(
    "text", ["NOM F_O_X_ M_A_X_", "F X Moreau", "Mme X M O", "N_O_M D_U_P_O_N_T"]
)
def test_a_name_in_boxes_is_no_cross(text: str) -> None:
    doc = Document("a", text)
    for start, end in zip(doc.tokens.starts, doc.tokens.ends, strict=True):
        assert not is_ticked(doc, start, end)


@pytest.mark.parametrize(
    "drug", ["Valacyclovir", "Acyclovir", "Fluconazol", "Amitriptylin", "Levothyroxin"]
)
def test_a_drug_in_another_spelling_stays(drug: str) -> None:
    text = f"poursuite de la toilette. {drug}, repas mixé"
    assert Deidentifier("dp", key=KEY)(text).text == text


@pytest.mark.parametrize(
    "text", ["4 rue du Marché, CH-2900 Porrentruy", "né à Liège, B-4000 Liège"]
)
def test_the_country_before_a_postal_code_stays(text: str) -> None:
    released = Deidentifier("dp", key=KEY)(text).text
    assert f" {text.split('-')[0].split()[-1]}-" in released


@pytest.mark.parametrize(
    ("text", "row"), [("2 1 0 3", True), ("12 7", True), ("4417", False), ("06 41 17", False)]
)
def test_a_few_short_values_in_a_row_are_no_number(text: str, *, row: bool) -> None:
    assert _is_row(text) is row
