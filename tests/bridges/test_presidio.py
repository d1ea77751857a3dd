"""Presidio: what its recogniser finds, what its operator may replace, and the whole way."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid import Deidentifier, Document, Label
from dpdeid.testing import notes
from tests.conftest import KEY, OTHER_KEY

pytest.importorskip("presidio_analyzer", reason="needs the extra bridges")
pytest.importorskip("presidio_anonymizer", reason="needs the extra bridges")

from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, RecognizerResult
from presidio_analyzer.nlp_engine import NoOpNlpEngine
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import (
    EngineResult,
    InvalidParamError,
    OperatorConfig,
)

from dpdeid.bridges.presidio import ALONE, ENTITIES, Recognizer, Surrogates, anonymize

TEXT = (
    "Mme Sophie DURAND, née le 12/03/1951, vue le 6 novembre 2023. Tél 0612345678, "
    "sophie.durand@orange.fr, IPP 8001234567, IP 10.2.3.4, NIR 2 51 03 29 019 123 45."
)
FOUND = [
    ("Sophie", "PERSON", "FIRST_NAME"),
    ("DURAND", "PERSON", "LAST_NAME"),
    ("12/03/1951", "DATE_TIME", "BIRTH_DATE"),
    ("6 novembre 2023", "DATE_TIME", "DATE"),
    ("0612345678", "PHONE_NUMBER", "PHONE"),
    ("sophie.durand@orange.fr", "EMAIL_ADDRESS", "EMAIL"),
    ("8001234567", "PATIENT_ID", "PATIENT_ID"),
    ("10.2.3.4", "IP_ADDRESS", "IP"),
    ("2 51 03 29 019 123 45", "SSN", "SSN"),
]


def analyzer(policy: Path, *, own_labels: bool = False) -> AnalyzerEngine:
    nlp = NoOpNlpEngine(models=[{"lang_code": "fr", "model_name": "none"}])
    nlp.load()
    registry = RecognizerRegistry(
        recognizers=[Recognizer(policy, own_labels=own_labels)], supported_languages=["fr"]
    )
    return AnalyzerEngine(registry=registry, nlp_engine=nlp, supported_languages=["fr"])


def found(policy: Path, *, own_labels: bool = False) -> list[RecognizerResult]:
    results = analyzer(policy, own_labels=own_labels).analyze(TEXT, language="fr")
    return sorted(results, key=lambda result: result.start)


def replaced(
    results: list[RecognizerResult], deidentifier: Deidentifier, patient: str = "p"
) -> EngineResult:
    engine = AnonymizerEngine()
    engine.add_anonymizer(Surrogates)
    params = {"deidentifier": deidentifier, "patient_id": patient}
    return engine.anonymize(TEXT, results, {"DEFAULT": OperatorConfig("dpdeid", params)})


def by_entity(result: EngineResult) -> dict[str, str]:
    return {item.entity_type: item.text for item in result.items}


def test_entities_have_the_names_of_presidio_where_there_are_some(quick: Path) -> None:
    results = found(quick)
    assert [
        (TEXT[r.start : r.end], r.entity_type, r.recognition_metadata["dpdeid_label"])
        for r in results
    ] == FOUND
    assert {r.recognition_metadata["recognizer_name"] for r in results} == {"dpdeid"}


def test_own_labels(quick: Path) -> None:
    assert [r.entity_type for r in found(quick, own_labels=True)] == [own for _, _, own in FOUND]


def test_only_what_is_asked_for(quick: Path) -> None:
    engine = analyzer(quick)
    (result,) = engine.analyze(TEXT, language="fr", entities=["PHONE_NUMBER"])
    assert TEXT[result.start : result.end] == "0612345678"
    assert set(engine.get_supported_entities("fr")) == set(ENTITIES.values())
    assert not engine.analyze("", language="fr")


def test_every_label_has_an_entity() -> None:
    assert set(ENTITIES) == set(Label)


def test_the_operator_gives_what_the_whole_way_gives_of_names_and_numbers(quick: Path) -> None:
    engine = Deidentifier(quick, key=KEY)
    whole = by_entity(anonymize(engine, Document("a", TEXT, "p")))
    alone = by_entity(replaced(found(quick, own_labels=True), engine))
    drawn = {"FIRST_NAME", "LAST_NAME", "PHONE", "PATIENT_ID", "IP"}
    assert {label: alone[label] for label in drawn} == {label: whole[label] for label in drawn}
    assert {Label(label) for label in drawn} <= ALONE
    rest = set(alone) - drawn
    assert rest == {"BIRTH_DATE", "DATE", "EMAIL", "SSN"}
    assert all(alone[label] == f"[{label}]" for label in rest)


def test_what_an_entity_does_not_tell_apart_is_redacted(quick: Path) -> None:
    given = replaced(found(quick), Deidentifier(quick, key=KEY))
    assert given.text.startswith("Mme [PERSON], née le [DATE_TIME], vue le [DATE_TIME]. Tél 0")
    assert not any(text in given.text for text, _, _ in FOUND)


def test_surrogates_follow_from_the_key_and_the_patient(quick: Path) -> None:
    results = found(quick, own_labels=True)
    first = replaced(results, Deidentifier(quick, key=KEY)).text
    assert first == replaced(results, Deidentifier(quick, key=KEY)).text
    assert first != replaced(results, Deidentifier(quick, key=OTHER_KEY)).text
    assert first != replaced(results, Deidentifier(quick, key=KEY), "q").text


def test_a_draw_with_a_loss_and_a_kept_label_are_redacted(tmp_path: Path, quick: Path) -> None:
    policy = tmp_path / "other.yaml"
    text = quick.read_text(encoding="utf-8")
    kept = text.replace("labels: [DURATION, COUNTRY]", "labels: [DURATION, COUNTRY, PROVIDER_ID]")
    policy.write_text(kept.replace("[PATIENT_ID, VISIT_ID, SSN]", "[VISIT_ID, SSN]"))
    operator = Surrogates()
    params = {"deidentifier": Deidentifier(policy, key=KEY), "patient_id": "p"}
    for entity in ("PROVIDER_ID", "PATIENT_ID", "DATE", "SOMETHING"):
        given = operator.operate("10001234567", {**params, "entity_type": entity})
        assert given == f"[{entity}]"


@pytest.mark.parametrize("missing", ["deidentifier", "patient_id"])
def test_the_operator_needs_its_parameters(quick: Path, missing: str) -> None:
    params = {"deidentifier": Deidentifier(quick, key=KEY), "patient_id": "p"}
    del params[missing]
    engine = AnonymizerEngine()
    engine.add_anonymizer(Surrogates)
    with pytest.raises(InvalidParamError, match=missing):
        engine.anonymize(TEXT, found(quick), {"DEFAULT": OperatorConfig("dpdeid", params)})


def test_the_whole_way_is_that_of_the_engine(deidentifiers: dict[str, Deidentifier]) -> None:
    engine = deidentifiers["dp"]
    for doc, _ in notes():
        given = anonymize(engine, doc)
        assert given.text == engine(doc).text
        assert given.items
        assert all(given.text[i.start : i.end] == i.text for i in given.items)
