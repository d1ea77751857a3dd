"""What is documented as an attack works, so that nobody takes the warning for caution."""

from __future__ import annotations

import datetime as dt

from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from tests.conftest import KEY


def test_whoever_may_submit_notes_finds_the_date_without_the_key() -> None:
    engine = Deidentifier("dp", key=KEY)
    noted, secret = dt.date(2024, 6, 14), dt.date(2024, 5, 27)

    def released(day: dt.date) -> str:
        doc = Document("x", f"Opéré le {day:%d/%m/%Y}.", patient_id="p", note_date=noted)
        return engine(doc).text

    target = released(secret)
    tried = [noted - dt.timedelta(back) for back in range(1, 60)]
    found = [day for day in tried if released(day) == target]
    assert secret in found
    assert len(found) < 10
