"""Days as hospital systems give them: one reader for births and notes, the day always first."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.french.calendar import day_of, is_missing


class NotATime(dt.datetime):
    """What pandas calls NaT: a datetime that equals nothing, itself neither."""

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    __hash__ = dt.datetime.__hash__


NAT = NotATime(1970, 1, 1)


@given(st.dates(dt.date(1000, 1, 1)))
def test_every_writing_of_a_day_is_that_day(day: dt.date) -> None:
    for form in ("%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%Y 10:30", "%d/%m/%Y 10:30:05"):
        assert day_of(day.strftime(form).replace(f"{day.year}", f"{day.year:04}")) == day
    assert day_of(day) == day_of(day.isoformat()) == day_of(f" {day.isoformat()}T23:59:59Z ") == day
    assert day_of(dt.datetime.combine(day, dt.time(23, 59))) == day


def test_the_day_stands_before_the_month() -> None:
    assert day_of("06/11/2023") == dt.date(2023, 11, 6)
    assert day_of("6/1/2023") == dt.date(2023, 1, 6)


@pytest.mark.parametrize(
    "value",
    ["", "11/2023", "13/13/2023", "06/11/23", "06/11-2023", "2021-02-30", "Durand", 3.5, True,
     float("nan"), NAT, None],
)  # fmt: skip
def test_what_is_no_day_is_none(value: object) -> None:
    assert day_of(value) is None


def test_missing_values_are_known_without_pandas() -> None:
    assert is_missing(NAT)
    assert is_missing(float("nan"))
    assert not any(map(is_missing, (None, "", 0.0, dt.datetime(2020, 1, 1), dt.date.max)))  # noqa: DTZ001
