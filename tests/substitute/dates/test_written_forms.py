"""Ten thousand dates in every written form: there and back, under a shift and under privacy.

And beside `dateparser`, the general parser that one would use: what it reads rightly of these forms
is read here, and most of what it reads otherwise is wrong.
"""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.french.calendar import LATIN_MONTHS, MONTHS, SHORT_MONTHS, WEEKDAYS
from dpdeid.french.numerals import spell
from dpdeid.substitute.dates.rendering import fixed, render, render_range
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import DateRange, PartialDate, Shape, parse
from tests.substitute.dates.test_date_parser import DATES, FULL_FORMS, PARTIAL_FORMS, first, one

FEW: Final = 10_000


def some_days(count: int) -> list[dt.date]:
    rng = random.Random(4)
    start = dt.date(1900, 1, 1).toordinal()
    return [dt.date.fromordinal(start + rng.randrange(45_000)) for _ in range(count)]


def abbreviated(month: int) -> str:
    short = SHORT_MONTHS[month - 1]
    return short if short == MONTHS[month - 1] else f"{short}."


FORMS: Final[dict[str, Callable[[dt.date], str]]] = {
    **FULL_FORMS,
    "d/m/y": lambda d: f"{d:%d/%m/%y}",
    "d mois y": lambda d: f"{first(d.day)} {MONTHS[d.month - 1]} {d:%y}",
    "glued short": lambda d: f"{d.day}{SHORT_MONTHS[d.month - 1]}{d.year}",
    "short with dot": lambda d: f"{first(d.day)} {abbreviated(d.month)} {d.year}",
    "hyphens": lambda d: f"{d:%d}-{SHORT_MONTHS[d.month - 1]}-{d.year}",
    "latin": lambda d: f"{d.day}.{LATIN_MONTHS[d.month - 1]}.{d.year}",
    "letters": lambda d: f"{spell(d.day)} {MONTHS[d.month - 1]} {spell(d.year)}",
    "month first": lambda d: f"{MONTHS[d.month - 1]} {d.day} {d.year}",
    **{f"partial {name}": write for name, (write, _) in PARTIAL_FORMS.items()},
}

RANGES: Final[dict[str, Callable[[dt.date, dt.date], str]]] = {
    "d-d/m/Y": lambda a, b: f"{a:%d}-{b:%d/%m/%Y}",
    "d-d.m.Y": lambda a, b: f"{a.day}-{b.day}.{b.month}.{b.year}",
    "du d au d mois Y": lambda a, b: (
        f"du {first(a.day)} au {first(b.day)} {MONTHS[b.month - 1]} {b.year}"
    ),
    "d–d mois": lambda a, b: f"{a.day}–{b.day} {MONTHS[b.month - 1]}",
    "d/m au d/m": lambda a, b: f"{a:%d/%m} au {b:%d/%m}",
    "d et d/m": lambda a, b: f"{a.day} et {b:%d/%m}",
    "whole": lambda a, b: f"{a:%d/%m/%Y} - {b:%d/%m/%Y}",
    "weekdays": lambda a, b: f"du {WEEKDAYS[a.weekday()]} au {WEEKDAYS[b.weekday()]}",
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_ten_thousand_dates_come_back_from_every_form(form: str) -> None:
    write = FORMS[form]
    days = some_days(FEW)
    for day, other in zip(days, reversed(days), strict=True):
        written = one(write(day))
        assert complete(written, day) is not None
        for exact in (True, False):
            shown = render(other, written.shape, keep_padding=exact)
            again = one(shown)
            assert again.precision is written.precision, shown
            found = complete(again, other)
            assert found is not None
            assert render(found, again.shape, keep_padding=exact) == shown


@pytest.mark.parametrize("form", RANGES)
@given(DATES, st.integers(1, 20), DATES, st.integers(0, 40))
def test_a_range_in_any_form_moves_and_comes_back(
    form: str, day: dt.date, length: int, other: dt.date, other_length: int
) -> None:
    if form == "weekdays":
        length, other_length = length % 5 + 1, other_length % 5 + 1
    end, other_end = (d + dt.timedelta(days=n) for d, n in ((day, length), (other, other_length)))
    if day.month != end.month and "au d/m" not in form and form not in ("whole", "weekdays"):
        return
    found = parse(RANGES[form](day, end))
    assert isinstance(found, DateRange)
    for exact in (True, False):
        shown = parse(render_range(other, other_end, found, keep_padding=exact))
        if isinstance(shown, DateRange):
            last = complete(shown.last, other_end)
            assert last == other_end
            start = complete(shown.first, last - dt.timedelta(days=other_length))
            assert start == other
        else:
            assert isinstance(shown, PartialDate)
            assert other_length % 7 == 0 or (form == "weekdays")
            assert complete(shown, other_end) == other_end


# --- hole 2: the form holds nothing of the value --------------------------------------------------


def classes(write: Callable[[dt.date], str], days: list[dt.date]) -> Counter[Shape]:
    return Counter(fixed(one(write(day)).shape) for day in days)


@pytest.mark.parametrize("form", FORMS)
def test_under_privacy_all_days_of_a_form_have_one_form(form: str) -> None:
    """So every day could have been printed wherever any was: the supports are equal."""
    assert len(classes(FORMS[form], some_days(400))) == 1


# --- beside a general parser ----------------------------------------------------------------------

ORDERED: Final = {"DATE_ORDER": "DMY", "RELATIVE_BASE": dt.datetime(2021, 6, 10)}  # noqa: DTZ001


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_general_parser_reads_nothing_rightly_that_is_not_read_here() -> None:
    dateparser = pytest.importorskip("dateparser", reason="the peer dateparser is not installed")
    near = dt.date(2021, 6, 10)
    days = [day for day in some_days(40) if 1925 <= day.year <= 2020]
    rightly: Counter[str] = Counter()
    for form in (form for form in FORMS if not form.startswith("partial")):
        for day in days:
            text = FORMS[form](day)
            assert complete(one(text), near, ahead=0) == day
            theirs = dateparser.parse(text, languages=["fr"], settings=ORDERED)
            rightly[form] += theirs is not None and theirs.date() == day
    assert rightly["d/m/Y padded"] == rightly["words"] == len(days)
    assert rightly["glued"] == rightly["latin"] == rightly["letters"] == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [("12.03", "a time"), ("mars 2019", "the 10th of that month"), ("12-16/01/2021", "one day")],
)
def test_what_a_general_parser_makes_of_clinical_forms(text: str, wrong: str) -> None:
    dateparser = pytest.importorskip("dateparser", reason="the peer dateparser is not installed")
    theirs = dateparser.parse(text, languages=["fr"], settings=ORDERED)
    ours = parse(text)
    assert ours is not None, wrong
    if isinstance(ours, PartialDate):
        assert theirs is None or theirs.date() != complete(ours, dt.date(2021, 6, 10))
