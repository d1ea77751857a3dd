from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from dpdeid.labels import Label, Role
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.substitute.without_draws import Keep, Redact
from tests.substitute.making import context, marked, surrogates, texts

NOTE = "Mme «FIRST_NAME:Anne» «LAST_NAME:Durand», «CITY:Brest», 14 h : «TIME:14h30»"


def test_redact_leaves_the_label() -> None:
    assert texts(Redact(), NOTE) == ["[FIRST_NAME]", "[LAST_NAME]", "[CITY]", "[TIME]"]


def test_a_mask_does_not_tell_the_length() -> None:
    assert len(set(texts(Redact(form="mask"), NOTE))) == 1


def test_chuv_tells_patients_from_staff() -> None:
    record, mentions = marked("«LAST_NAME:Durand» «LAST_NAME:Rey»")
    mentions[1] = mentions[1]._replace(span=replace(mentions[1].span, role=Role.STAFF))
    out = [s.text for s in Redact(form="chuv").substitute(mentions, record, context())]
    assert out == ["[PATIENT_E]", "[PERSONNEL_MÉDICAL]"]


def test_redact_spends_nothing() -> None:
    assert all(not s.charges for s in surrogates(Redact(), NOTE))
    assert Redact().guarantees() == ()


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="form is one of label, chuv, mask"):
        Redact(form="stars")  # type: ignore[arg-type]


def test_keep_leaves_the_text_and_counts_each_value_once() -> None:
    notes = ("à «TIME:14h30» puis «TIME:15h» et «TIME:14H30»", "«TIME:15h»")
    given = surrogates(Keep(labels=(Label.TIME,)), *notes)
    assert [s.text for s in given] == ["14h30", "15h", "14H30", "15h"]
    charges = {charge for s in given for charge in s.charges}
    assert len(charges) == 2
    assert all(isinstance(charge.loss, NoGuarantee) for charge in charges)


def test_keep_must_name_its_labels() -> None:
    with pytest.raises(TypeError):
        Keep()  # type: ignore[call-arg]


@pytest.mark.parametrize("strategy", [Redact(), Keep(labels=(Label.TIME,))])
def test_contract(strategy: Redact | Keep) -> None:
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    with pytest.raises(TypeError):
        type(strategy)(nonsense=1)  # type: ignore[call-arg]
