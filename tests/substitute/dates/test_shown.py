"""What is told of the skeleton of dates and ages is that by which they are released."""

from __future__ import annotations

import datetime as dt

import pytest

from dpdeid.labels import Label
from tests.substitute.making import dates, marked


@pytest.mark.parametrize(
    ("note", "told"),
    [
        (
            "Née le «BIRTH_DATE:03/02/1960», vue le «DATE:12/05/2021», IDM à «AGE:48 ans» en "
            "«DATE:2008».",
            ("2008", "as the text says"),
        ),
        (
            "Née le «BIRTH_DATE:03/02/1960», vue le «DATE:12/05/2021». Tabac à «AGE:18-35 ans».",
            ("18-35 ans", "; age of"),
        ),
        ("\n«DATE:2012» :\n- PTH le «DATE:3 mars»\nAge «AGE:40 ans»", ("40 ans", "at e0")),
    ],
)
def test_it_is_told_as_it_is_released(note: str, told: tuple[str, str]) -> None:
    record, mentions = marked(note)
    dated = [m for m in mentions if m.label in (Label.DATE, Label.BIRTH_DATE, Label.AGE)]
    lines = {m.text: line for m, line in dates("dp").shows(dated, record, dt.date(2030, 1, 1))}
    assert told[1] in lines[told[0]]
