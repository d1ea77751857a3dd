"""The policy of docs/dates.md runs and does what the page says."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.testing import other_key

PAGE = (Path(__file__).parents[1] / "docs" / "dates.md").read_text(encoding="utf-8")


def test_the_policy_moves_dates_by_whole_weeks(tmp_path: Path) -> None:
    (policy,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)
    path = tmp_path / "weekdays.yaml"
    path.write_text(policy, encoding="utf-8")
    for key in range(20):
        engine = Deidentifier(path, key=other_key(key))
        out = engine(Document("a", "Vue le 12/03/2021.", "p")).text
        day, month, year = map(int, re.findall(r"\d+", out))
        moved = (dt.date(2021, 3, 12) - dt.date(year, month, day)).days
        assert 30 <= moved <= 730
        assert moved % 7 == 0
