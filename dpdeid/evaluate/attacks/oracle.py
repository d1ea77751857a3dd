"""What somebody learns who may submit notes for a patient, without any key.

Under a key equal values have equal surrogates, so the attacker submits a note for every day of a
range and looks which of them give the surrogate that was released. No policy stops this but
`randomness: system`; what does is that nobody else may submit notes (docs/privacy.md).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from statistics import mean
from typing import Any, Final

from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.attacks.planted import planted
from dpdeid.evaluate.attacks.rates import Rate
from dpdeid.policy import Policy
from dpdeid.privacy.rng import Stream
from dpdeid.testing import marked

KEY: Final = bytes(range(32))
_NOTED: Final = dt.date(2024, 6, 14)


@dataclass(frozen=True, slots=True)
class Oracle:
    """What the submissions left.

    Args:
        submitted: notes that were submitted for one patient, one for each day of the range.
        held: how often the true day was among those that fit.
        left: on average how many days fit.
        named: how often the true day was named, one of those that fit at random.
    """

    submitted: int
    held: Rate
    left: float
    named: Rate

    def to_json(self) -> dict[str, Any]:
        return {
            "submitted": self.submitted,
            "held": self.held.to_json(),
            "left": self.left,
            "named": self.named.to_json(),
        }


def oracle(policy: Policy, stream: Stream, *, days: int = 60, patients: int = 50) -> Oracle:
    """Attacks one date of each patient, known to lie within so many days before a note."""
    tried = [_NOTED - dt.timedelta(back) for back in range(1, days + 1)]
    notes = {day: marked(f"Opéré le «DATE:{day:%d/%m/%Y}».") for day in tried}
    engine = Deidentifier(planted(policy, dict(notes.values())), key=KEY)
    held, named, left = [], [], []
    for patient in range(patients):
        secret = stream.choice(tried)
        shown = {
            day: engine(Document("x", text, patient_id=f"{patient}", note_date=_NOTED)).text
            for day, (text, _) in notes.items()
        }
        released = engine(Document("x", notes[secret][0], f"{patient}", _NOTED)).text
        fitting = [day for day, text in shown.items() if text == released]
        held.append(secret in fitting)
        named.append(bool(fitting) and stream.choice(fitting) == secret)
        left.append(len(fitting))
    return Oracle(days, Rate.of(held), mean(left), Rate.of(named))
