"""Detection and surrogates inside Presidio: a recogniser, an operator, and the whole way.

Presidio asks an operator about one entity at a time. That is enough for what follows from the key
alone: names, telephone numbers, numbers of a hospital. It is not for dates, births, ages and
towns, whose noise belongs to all notes of a patient at once, nor for what is drawn to go with them:
addresses, e-mails, social security numbers. The operator redacts these, and **no ε is claimed of
what it gives**. `anonymize` goes the whole way of a policy and gives a result of Presidio's type.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dpdeid.bridges.offsets import placed
from dpdeid.document import Document, Mention, Record, Span, as_document
from dpdeid.engine import Deidentifier
from dpdeid.errors import extra
from dpdeid.labels import Label
from dpdeid.policy.policy import Policy
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.protocols import Context, ask

with extra("bridges", "parts for Presidio need presidio-analyzer and presidio-anonymizer"):
    from presidio_analyzer import EntityRecognizer, RecognizerResult
    from presidio_anonymizer.entities import EngineResult, InvalidParamError, OperatorResult
    from presidio_anonymizer.operators import Operator, OperatorType

ENTITIES: Final[Mapping[Label, str]] = {
    **{label: label.value for label in Label},
    **dict.fromkeys((Label.LAST_NAME, Label.FIRST_NAME), "PERSON"),
    **dict.fromkeys((Label.STREET, Label.ZIP, Label.CITY, Label.COUNTRY), "LOCATION"),
    **dict.fromkeys((Label.DATE, Label.BIRTH_DATE, Label.TIME), "DATE_TIME"),
    **dict.fromkeys((Label.PHONE, Label.FAX), "PHONE_NUMBER"),
    Label.EMAIL: "EMAIL_ADDRESS",
    Label.IP: "IP_ADDRESS",
    Label.NATIONALITY: "NRP",
}
"""What Presidio calls each label; what it has no name for keeps ours."""

ALONE: Final = frozenset(
    {
        Label.LAST_NAME,
        Label.FIRST_NAME,
        Label.PHONE,
        Label.FAX,
        Label.IP,
        Label.PATIENT_ID,
        Label.VISIT_ID,
        Label.ORDER_ID,
        Label.PROVIDER_ID,
        Label.OTHER_ID,
    }
)
"""Labels whose surrogate can be given without the rest of the record."""

_LABELS: Final[Mapping[str, Label]] = {
    **{label.value: label for label in ALONE},
    "PHONE_NUMBER": Label.PHONE,
    "IP_ADDRESS": Label.IP,
}
"""Names of entities that mean one label. PERSON means two, which are drawn from other lists."""


class Recognizer(EntityRecognizer):
    """A recogniser for `AnalyzerEngine` that finds what a policy finds, in French.

    Args:
        policy: as `Deidentifier` takes it; its models are loaded once, here.
        own_labels: whether entities have our labels; else they have Presidio's names where there is
            one, among which PERSON and LOCATION say less than ours.
        supported_entities: what is asked for if `analyze` does not say; default: all.
        supported_language: of the engine it is put into.

    Raises:
        PolicyError: the policy is refused.
    """

    def __init__(
        self,
        policy: Policy | str | Path = "dp",
        *,
        own_labels: bool = False,
        supported_entities: list[str] | None = None,
        supported_language: str = "fr",
        name: str = "dpdeid",
    ) -> None:
        self._names = {label: label.value if own_labels else ENTITIES[label] for label in Label}
        self._policy = policy
        entities = supported_entities or sorted(set(self._names.values()))
        super().__init__(entities, name=name, supported_language=supported_language)

    def load(self) -> None:
        """Loads the models of the policy; Presidio calls it once."""
        self._deidentifier = Deidentifier(self._policy)

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """What is found of these entities, sorted and disjoint; offsets in code points.

        The score is that of the detector, not a chance. `nlp_artifacts` are not used. Our own label
        and the role stand in `recognition_metadata`.
        """
        asked = set(entities or self.supported_entities)
        return [
            self._result(span)
            for span in self._deidentifier.detect(text).spans
            if self._names[span.label] in asked
        ]

    def _result(self, span: Span) -> RecognizerResult:
        told = {
            RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
            RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
            "dpdeid_label": span.label.value,
            "dpdeid_role": span.role.value,
        }
        return RecognizerResult(
            self._names[span.label], span.start, span.end, span.score, recognition_metadata=told
        )


class Surrogates(Operator):
    """The operator "dpdeid": keyed surrogates of names and numbers, and [ENTITY] for all else.

    Parameters of its `OperatorConfig`: `deidentifier`, one with a key; and `patient_id`, whose note
    the text is, since the same name gets the same surrogate for one patient, and for none other.
    """

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """A surrogate of one entity, or its name in brackets; never the original."""
        given = params or {}
        entity = str(given.get("entity_type", ""))
        label = _LABELS.get(entity)
        new = None if label is None else _surrogate(label, text, given)
        return f"[{entity}]" if new is None else new

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Nothing, if both parameters are there.

        Raises:
            InvalidParamError: one is missing or of another type.
        """
        given = params or {}
        if not isinstance(given.get("deidentifier"), Deidentifier):
            raise InvalidParamError("the operator dpdeid needs deidentifier, a dpdeid.Deidentifier")
        if not isinstance(given.get("patient_id"), str) or not given["patient_id"]:
            raise InvalidParamError("the operator dpdeid needs patient_id, a text")

    def operator_name(self) -> str:
        """As an `OperatorConfig` calls it."""
        return "dpdeid"

    def operator_type(self) -> OperatorType:
        """It anonymises; nothing here leads back."""
        return OperatorType.Anonymize


def _surrogate(label: Label, text: str, params: Mapping[str, Any]) -> str | None:
    """What the policy's strategy gives for a mention that stands alone, without a loss; else None.

    A strategy that draws with a loss is not asked: nobody would charge it.
    """
    engine: Deidentifier = params["deidentifier"]
    strategies = [s for s in engine.policy.strategies if label in s.labels and s.name != "keep"]
    if not strategies or not text:
        return None
    losses = [one.loss for one in strategies[0].guarantees()]
    if not all(isinstance(loss, NoGuarantee) for loss in losses):
        return None
    mention = Mention(0, Span(0, len(text), label), text)
    streams = engine.cohort.streams("patient", params["patient_id"])
    record = Record(streams.unit, (Document("entity", text, params["patient_id"]),))
    context = Context(streams, engine.cohort.e0, mentions=[mention])
    given = ask(strategies[0], [mention], record, context)
    return given[0].text if given else None


def anonymize(deidentifier: Deidentifier, note: Document | str) -> EngineResult:
    """One note released as its policy says, as Presidio's engine gives a result.

    Items have our labels, and offsets in the released text. Notes of one patient go through
    `Deidentifier.record` or `pipe` together; one alone is a record of its own.

    Raises:
        InputError: the note cannot be processed.
    """
    done = deidentifier(as_document(note))
    items = [
        OperatorResult(
            start, end, one.mention.label.value, one.text, "dpdeid", float(one.mention.span.score)
        )
        for one, start, end in placed(done)
    ]
    return EngineResult(done.text, items)
