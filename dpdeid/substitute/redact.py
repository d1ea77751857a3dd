"""Redaction, and its opposite said aloud: `Redact` leaves a label or a mask, `Keep` the original.

`Redact` draws nothing and spends nothing. `Keep` exists so that a policy must name what it keeps
and the ledger counts it: a kept value is one without any guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.labels import Label, chuv_name
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.protocols import Context, Guarantee

Form = Literal["label", "chuv", "mask"]
MASK: Final = "*****"
"""One length for all, so that the mask does not tell how long the value was."""

_KEPT: Final = NoGuarantee("kept as it stands")


@dataclass(frozen=True, slots=True)
class Redact:
    """Replaces a mention by what it was.

    Args:
        labels: what it redacts.
        form: "label" ([LAST_NAME]), "chuv" (the CHUV category, patients and staff apart) or "mask"
            (five asterisks).
    """

    name: ClassVar[str] = "redact"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...] = tuple(Label)
    form: Form = "label"

    def __post_init__(self) -> None:
        if self.form not in get_args(Form):
            raise ValueError(f"form is one of {', '.join(get_args(Form))}")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        for mention in mentions:
            yield Surrogate(mention, self.text(mention), self.name)

    def text(self, mention: Mention) -> str:
        """What stands in the place of one mention."""
        if self.form == "mask":
            return MASK
        if self.form == "chuv":
            return f"[{chuv_name(mention.label, mention.span.role)}]"
        return f"[{mention.label}]"

    def guarantees(self) -> tuple[Guarantee, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Keep:
    """Leaves mentions as they stand, one charge without guarantee for each distinct value.

    Args:
        labels: what it keeps; there is no default, so that nothing is kept unnamed.
    """

    name: ClassVar[str] = "keep"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...]

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        streams = context.streams
        costs: dict[tuple[Label, str], tuple[Charge]] = {}
        for mention in mentions:
            text = mention.text
            value = (mention.span.label, fold(text))
            cost = costs.get(value)
            if cost is None:
                event = streams.event("keep", *value)
                cost = costs[value] = (Charge(streams.unit, event, "keep", _KEPT),)
            yield Surrogate(mention, text, self.name, cost)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, "keep", _KEPT),)
