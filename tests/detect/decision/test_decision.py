"""What the decision takes and leaves, by whole policies and of any proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid import testing
from dpdeid.detect.decision import evidence
from dpdeid.detect.decision.decision import POINTS, Chance, Decision
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy, parse_policy, policy_text
from tests.conftest import KEY
from tests.detect.merge.test_published import DOC, TEXT, meant, proposals
from tests.linear import LIMIT, Work, growth

NOTES = [doc for doc, _ in testing.notes()][:6]
DP = Deidentifier("dp", key=KEY)


def engine(**options: Any) -> Deidentifier:
    return Deidentifier(replace(load_policy("dp"), merge=Decision(**options)), key=KEY)


def found(text: str, own: Deidentifier = DP) -> list[tuple[str, Label]]:
    return [(text[s.start : s.end], s.label) for s in own.detect(text).spans]


def test_a_name_that_no_list_has_is_replaced_and_a_drug_is_not() -> None:
    released = DP("av zorguelec : ok pr sortie demain, amoxicilline 1g").text
    assert "zorguelec" not in released
    assert "amoxicilline 1g" in released
    assert "[" not in released


def test_a_row_of_boxes_is_replaced_digit_by_digit() -> None:
    text = "Dossier n° | 7 | 4 | 0 | 2 | 9 | 3 | 1 | 8 |\nEVA 3 / 10"
    assert found(text) == [("7 | 4 | 0 | 2 | 9 | 3 | 1 | 8", Label.PATIENT_ID)]


def test_a_given_name_and_a_surname_are_two() -> None:
    assert found("co-signé Aissatou Grondin") == [
        ("Aissatou", Label.FIRST_NAME),
        ("Grondin", Label.LAST_NAME),
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("slt docteur, mon num a changé cest 0693 45 07 71 mtn", "mtn"),
        ("mme payet cest pour son rdv", "cest"),
        ("c kevin payet jpeu passer mercredi", "jpeu"),
        ("kevin payet cest son fils", "cest"),
    ],
)
def test_a_word_of_a_text_message_ends_a_find(text: str, word: str) -> None:
    assert not any(word in own.split() for own, _ in found(text))


def test_an_abbreviation_with_dots_is_left() -> None:
    assert found("C.R. d'hospitalisation de Mme DURAND") == [("DURAND", Label.LAST_NAME)]


def test_a_mutation_is_left() -> None:
    assert not found("Génotype F508del/N1303K, dépistage néonatal")


def test_no_part_of_a_word_is_taken() -> None:
    """ "MoCA" is two tokens; at such a chance of a miss everything is taken that may be."""
    text = "Sous agoniste. MoCA 26/30, eGFR 60, mL, 12h30. NT-proBNP 340 pg/mL, cT3N1M0"
    own = 0
    for view in (text, *(doc.text for doc in NOTES)):
        for taken in engine(miss=Fraction(1, 10_000)).detect(view).spans:
            if taken.source == Decision.name:
                own += 1
                around = view[max(taken.start - 1, 0) : taken.start]
                around += view[taken.end : taken.end + 1]
                assert not any(map(str.isalnum, around))
    assert own


def test_a_misread_word_is_taken_whole() -> None:
    """ "Zorgue1lec" is three tokens, a name, a number and a name."""
    ((name, _),) = found("avis du Dr Zorgue1lec ce jour")
    assert name == "Zorgue1lec"


@pytest.mark.parametrize(
    "text",
    [
        "la CHECK-LIST du bloc",
        "avis Vicryl ce jour",
        "poursuite de la toilette. Valacyclovir, repas mixé",
        "poursuite de la toilette. Acyclovir, repas mixé",
        "poursuite de la toilette. Fluconazol, repas mixé",
        "poursuite de la toilette. Amitriptylin, repas mixé",
        "poursuite de la toilette. Levothyroxin, repas mixé",
        "CEFAZOLINE 2 G I V A L INDUCTION",
        "Sexe F___ M_X_",
        "ISOL. [O] [N] [X]",
        "EVA 4 3 3 2",
    ],
)
def test_things_are_left(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("avis Zorgue-Martin ce jour", "Zorgue"),
        ("NOM : |Z|O|R|G|U|E|L|E|C|", "Z|O|R|G|U|E|L|E|C"),
        ("MME K E R V E L L A", "K E R V E L L A"),
    ],
)
def test_a_name_with_hyphens_or_in_boxes_is_taken(text: str, name: str) -> None:
    assert any(name in word for word, _ in found(text))


@pytest.mark.parametrize(
    "text", ["4 rue du Marché, CH-2900 Porrentruy", "né à Liège, B-4000 Liège"]
)
def test_the_country_before_a_postal_code_stays(text: str) -> None:
    assert f" {text.split('-')[0].split()[-1]}-" in DP(text).text


@pytest.mark.parametrize("point", POINTS)
@given(proposed=proposals("crf", "transformer", "patterns", "lookup", "metadata"))
def test_spans_are_sorted_and_disjoint_and_what_was_told_stays(
    point: str, proposed: Mapping[str, Sequence[Span]]
) -> None:
    said = {name: [replace(s, source=name) for s in some] for name, some in proposed.items()}
    spans = Decision(point)(DOC, said)
    assert all(0 <= s.start < s.end <= len(TEXT) for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    small = {i for word in ("Le ", "d'") for i in range(TEXT.index(word), TEXT.index(word) + 3)}
    assert meant(said.get("metadata", ())) - small <= meant(spans)


@pytest.mark.parametrize("word", ["césarienne", "mardi", "Doliprane"])
def test_what_the_hospital_told_stays_though_nobody_seconds_it(word: str) -> None:
    text = "Vue hier avec zorguelec, césarienne prévue mardi, Doliprane repris"
    at = text.index(word)
    for source, stays in (("metadata", True), ("lookup", word == "mardi"), ("crf", False)):
        named = Span(at, at + len(word), Label.LAST_NAME, 0.5, source)
        said = {"crf": [], "transformer": [], source: [named]}
        spans = Decision()(Document("a", text), said)
        kept = any(s.label is Label.LAST_NAME and s.start == at for s in spans)
        assert kept is stays or (word == "mardi" and source != "metadata")


def test_a_lower_miss_takes_no_less() -> None:
    least = most = 0
    for doc in NOTES:
        proposed = evidence.by_voice(DP.detect(doc).proposals)
        taken = [
            {i for s in Decision(miss=miss)(doc, proposed) for i in range(s.start, s.end)}
            for miss in map(Fraction, ("1", "1/5", "1/20", "1/1000"))
        ]
        letters = [{i for i in part if doc.text[i].isalnum()} for part in taken]
        assert all(few <= more for few, more in pairwise(letters))
        least, most = least + len(letters[0]), most + len(letters[-1])
    assert least < most


CHANCE = st.floats(0, 1)


@given(some=CHANCE, direct=CHANCE, thing=st.booleans(), low=CHANCE, high=CHANCE)
def test_a_word_is_taken_on_less_by_a_lower_miss_and_if_it_names_no_thing(
    some: float, direct: float, thing: bool, low: float, high: float
) -> None:
    low, high = sorted((low or 1.0, high or 1.0))
    one = Chance(some, direct)
    strict, lax = (Decision(miss=Fraction(miss)) for miss in (high, low))
    assert lax.takes(one, thing=thing) >= strict.takes(one, thing=thing)
    assert lax.takes(one, thing=False) >= lax.takes(one, thing=True)
    points = [Decision(point).takes(one, thing=thing) for point in POINTS]
    assert points == sorted(points, reverse=True)


def test_options_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="one of cautious, balanced, keep-medicine"):
        Decision("brave")
    for miss in (Fraction(-1, 10), Fraction(11, 10)):
        with pytest.raises(ValueError, match="miss lies in"):
            Decision(miss=miss)


def test_rules_alone_need_no_tagger(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise AssertionError("a tagger was asked")

    monkeypatch.setattr(evidence, "shipped", none)
    text = policy_text("redact").replace(", crf, transformer", "")
    own = Deidentifier(parse_policy(text))
    assert own("Mme Durand, vue le 12/03/2021").text == "Mme [LAST_NAME], vue le [DATE]"
    with pytest.raises(AssertionError, match="asked"):
        Decision()(DOC, {"crf": []})


def test_its_models_are_named() -> None:
    assert {"trees.tsv", "crf.crfsuite"} <= Decision().model_files().keys()


def test_a_long_note_is_merged_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The taggers apart, which read a long text in parts."""

    def sure(width: int, doc: Document) -> Any:
        names = np.array([[text == "Zorglub"] for text in doc.tokens.texts], np.float32)
        chances = np.zeros((len(doc.tokens), width), np.float32)
        chances[:, :1], chances[:, 1:2] = (names, names) if width == 2 else (1 - names, names)
        return chances

    asked = partial(sure, len(evidence.GROUPS)), partial(sure, 2)
    monkeypatch.setattr(evidence, "shipped", lambda: asked)

    def work(names: int) -> Work:
        doc = Document("n", "vu par Zorglub. " * names)
        spans = [Span(at, at + 7, Label.LAST_NAME) for at in range(7, 16 * names, 16)]
        said = {
            name: [replace(s, source=name) for s in spans] for name in ("patterns", "crf", "flair")
        }
        assert len(Decision()(doc, said)) == names  # and the tokens of the note are made
        return partial(Decision(), doc, said)

    assert growth(work, 250) <= LIMIT
