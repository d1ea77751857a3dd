"""Written dates: read whole or not at all, completed from around them, written back alike."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpdeid.french.calendar import MONTH_OF, MONTHS, SHORT_MONTHS, WEEKDAY_OF, WEEKDAYS
from dpdeid.normalize import fold
from dpdeid.substitute.dates.forward import canonical
from dpdeid.substitute.dates.rendering import fixed, render, render_range
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import DateRange, PartialDate, Precision, parse

NEAR = dt.date(2021, 6, 10)
DATES = st.dates(dt.date(1920, 1, 1), dt.date(2024, 12, 31))


def first(day: int) -> str:
    return "1er" if day == 1 else str(day)


FULL_FORMS: dict[str, Callable[[dt.date], str]] = {
    "d/m/Y padded": lambda d: f"{d:%d/%m/%Y}",
    "d/m/Y bare": lambda d: f"{d.day}/{d.month}/{d.year}",
    "d.m.Y": lambda d: f"{d:%d.%m.%Y}",
    "d-m-Y": lambda d: f"{d:%d-%m-%Y}",
    "d#m#Y": lambda d: f"{d:%d#%m#%Y}",
    "spaced": lambda d: f"{d:%d / %m / %Y}",
    "only spaces": lambda d: f"{d:%d %m %Y}",
    "line break": lambda d: f"{d:%d/%m/}\n{d:%Y}",
    "iso": lambda d: d.isoformat(),
    "glued": lambda d: f"{d:%d%m%Y}",
    "words": lambda d: f"{first(d.day)} {MONTHS[d.month - 1]} {d.year}",
    "words, glued": lambda d: f"{first(d.day)}{MONTHS[d.month - 1]}{d.year}",
    "words, capitals": lambda d: f"{first(d.day)} {MONTHS[d.month - 1]} {d.year}".upper(),
    "words, title": lambda d: f"{first(d.day)} {MONTHS[d.month - 1].title()} {d.year}",
    "words, no-break": lambda d: f"{first(d.day)}\u00a0{MONTHS[d.month - 1]}\u00a0{d.year}",
    "short month": lambda d: f"{first(d.day)} {SHORT_MONTHS[d.month - 1]} {d.year}",
    "weekday": lambda d: f"{WEEKDAYS[d.weekday()]} {d:%d/%m/%Y}",
    "weekday, words": lambda d: (
        f"{WEEKDAYS[d.weekday()].upper()} {first(d.day)} {MONTHS[d.month - 1]} {d.year}"
    ),
    "short weekday": lambda d: f"{WEEKDAYS[d.weekday()][:3]}. {d:%d/%m/%Y}",
}
PARTIAL_FORMS: dict[str, tuple[Callable[[dt.date], str], Precision]] = {
    "d/m": (lambda d: f"{d:%d/%m}", Precision.DAY),
    "d.m": (lambda d: f"{d:%d.%m}", Precision.DAY),
    "semaine W de Y": (lambda d: f"semaine {d.isocalendar().week} de {d:%G}", Precision.WEEK),
    "SW Y": (lambda d: f"S{d.isocalendar().week} {d:%G}", Precision.WEEK),
    "d mois": (lambda d: f"{first(d.day)} {MONTHS[d.month - 1]}", Precision.DAY),
    "dmois": (lambda d: f"{first(d.day)}{MONTHS[d.month - 1]}", Precision.DAY),
    "weekday": (lambda d: WEEKDAYS[d.weekday()], Precision.DAY),
    "weekday d": (lambda d: f"{WEEKDAYS[d.weekday()]} {d.day:02d}", Precision.DAY),
    "mois Y": (lambda d: f"{MONTHS[d.month - 1]} {d.year}", Precision.MONTH),
    "mois": (lambda d: MONTHS[d.month - 1], Precision.MONTH),
    "m/Y": (lambda d: f"{d:%m/%Y}", Precision.MONTH),
    "Y": (lambda d: f"{d.year}", Precision.YEAR),
    "années": (lambda d: f"années {d.year // 10 * 10}", Precision.DECADE),
}


def one(text: str) -> PartialDate:
    found = parse(text)
    assert isinstance(found, PartialDate)
    return found


def read(text: str, near: dt.date = NEAR) -> dt.date | None:
    return complete(one(text), near)


@pytest.mark.parametrize("form", FULL_FORMS)
@given(date=DATES)
def test_a_full_date_is_read_and_written_back(form: str, date: dt.date) -> None:
    text = FULL_FORMS[form](date)
    written = one(text)
    assert complete(written, NEAR) == date
    assert render(date, written.shape, keep_padding=True).lower() == text.lower()


@pytest.mark.parametrize("form", FULL_FORMS)
@given(date=DATES, other=DATES, exact=st.booleans())
def test_a_surrogate_in_any_form_parses_back(
    form: str, date: dt.date, other: dt.date, exact: bool
) -> None:
    out = render(other, one(FULL_FORMS[form](date)).shape, keep_padding=exact)
    assert read(out) == other


@given(date=DATES)
def test_a_week_is_written_with_the_year_of_its_day(date: dt.date) -> None:
    """Whatever year ISO 8601 counts it to, and without a zero that only some weeks can show."""
    shape = fixed(one("semaine 09/2021").shape)
    written = render(date, shape, keep_padding=True)
    back = complete(one(written), NEAR)
    assert back is not None
    assert written.endswith(f"/{date.year}")
    assert abs(back - date) <= dt.timedelta(9)
    assert not written.startswith("semaine 0")


def test_a_year_without_a_53rd_week_is_not_read() -> None:
    assert complete(one("semaine 53 2020"), NEAR) == dt.date(2020, 12, 31)
    assert complete(one("semaine 53 2021"), NEAR) is None
    assert parse("semaine 12") is None


@pytest.mark.parametrize("form", PARTIAL_FORMS)
@given(date=DATES)
def test_a_partial_date_is_completed_near_its_reference(form: str, date: dt.date) -> None:
    write, precision = PARTIAL_FORMS[form]
    text = write(date)
    written = one(text)
    assert written.precision is precision
    day = complete(written, date)
    assert day is not None
    assert render(day, written.shape, keep_padding=True) == text
    if precision is Precision.DAY:
        assert day == date


@given(date=st.dates(dt.date(2000, 1, 1), dt.date(2021, 6, 10)))
def test_a_two_digit_year_is_a_recent_one(date: dt.date) -> None:
    assert read(f"{date:%d/%m/%y}") == date


def test_a_birth_is_never_after_its_reference() -> None:
    assert complete(one("12/03/22"), NEAR, ahead=0) == dt.date(1922, 3, 12)
    assert complete(one("12/03/22"), NEAR) == dt.date(2022, 3, 12)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("12nov", dt.date(2021, 11, 12)),
        ("12.03", dt.date(2021, 3, 12)),
        ("mars 2019", dt.date(2019, 3, 15)),
        ("2007", dt.date(2007, 7, 1)),
        ("été 2019", dt.date(2019, 8, 15)),
        ("hiver 2020", dt.date(2020, 2, 15)),
        ("fin août", dt.date(2021, 8, 25)),
        ("mi-janvier", dt.date(2021, 1, 15)),
        ("début 2019", dt.date(2019, 2, 15)),
        ("Noël", dt.date(2020, 12, 25)),
        ("Noël 2019", dt.date(2019, 12, 25)),
        ("lundi de Pâques", dt.date(2021, 4, 5)),
        ("jeudi de l'Ascension", dt.date(2021, 5, 13)),
        ("Toussaint 2019", dt.date(2019, 11, 1)),
        ("jour de l'An", dt.date(2021, 1, 1)),
        ("st sylvestre", dt.date(2020, 12, 31)),
        ("3.IX.2019", dt.date(2019, 9, 3)),
        ("12-JAN-2019", dt.date(2019, 1, 12)),
        ("mar. 9 oct. 2018", dt.date(2018, 10, 9)),
        ("12 mar 2019", dt.date(2019, 3, 12)),
        ("douze mars deux mille dix-neuf", dt.date(2019, 3, 12)),
        ("huit dix deux mille dix-neuf", dt.date(2019, 10, 8)),
        ("sept octobre 2018", dt.date(2018, 10, 7)),
        ("premier janvier soixante-dix-sept", dt.date(1977, 1, 1)),
        ("29/02", dt.date(2020, 2, 29)),
        ("lundi", dt.date(2021, 6, 7)),
        ("jeudi 20", dt.date(2021, 5, 20)),
        ("06/19", dt.date(2019, 6, 15)),
        ("1er de l'an", dt.date(2021, 1, 1)),
        ("l2/O4/2021", dt.date(2021, 4, 12)),
        ("O3/11/1962", dt.date(1962, 11, 3)),
        ("3O.ll.21", dt.date(2021, 11, 30)),
        ("hiver 2020-2021", dt.date(2021, 2, 15)),
        ("Hiver 2019/20", dt.date(2020, 2, 15)),
    ],
)
def test_forms_with_a_meaning_of_their_own(text: str, day: dt.date) -> None:
    assert read(text) == day


@pytest.mark.parametrize(
    "text",
    [
        "30 février",
        "30/02/2021",
        "31/04",
        "32/01/2020",
        "12/13/2020",
        "00/01/2020",
        "12/03/20232",
        "12/03/1500",
        "12/03/202",
        "1500",
        "12:03",
        "12%",
        "12,5 mg",
        "lundi mardi",
        "J+3",
        "12/S3/2021",
        "OO/ll/2021",
        "lO/Ol",
        "hiver 2019-2022",
        "il y a 3 jours",
        "",
        " ",
        "/",
        "et",
        "99999999",
        "1" * 10_000,
        "mars " * 500,
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse(text) is None


def test_the_29th_of_february_needs_its_year() -> None:
    assert read("29/02/21") is None
    assert read("29/02/2020") == dt.date(2020, 2, 29)


@given(st.text(max_size=90))
def test_no_text_breaks_the_parser(text: str) -> None:
    parse(text)


ALL_FORMS = {**FULL_FORMS, **{name: write for name, (write, _) in PARTIAL_FORMS.items()}}
SLIPS = "0123456789/.-# janvierléudim1er"


@given(
    form=st.sampled_from([*ALL_FORMS.values()]),
    date=DATES,
    at=st.integers(0, 30),
    left_out=st.integers(0, 2),
    put_in=st.text(SLIPS, max_size=2),
)
def test_a_date_with_a_slip_is_no_date_or_written_in_full(
    form: Callable[[dt.date], str], date: dt.date, at: int, left_out: int, put_in: str
) -> None:
    text = form(date)
    found = parse(text[:at] + put_in + text[at + left_out :])
    if not isinstance(found, PartialDate):
        return
    day = complete(found, NEAR)
    if day is None:
        return
    again = parse(render(day, found.shape, keep_padding=True))
    assert isinstance(again, PartialDate)
    printed = (found.day is not None, found.month is not None)
    if found.holiday is not None:
        printed = (True, True)  # a holiday is written as the day it falls on
    assert (again.day is not None, again.month is not None) == printed


@given(date=DATES)
def test_the_weekday_is_that_of_the_surrogate(date: dt.date) -> None:
    shape = one("Lundi 4 mars 2019").shape
    assert render(date, shape, keep_padding=False).startswith(WEEKDAYS[date.weekday()].title())


@given(date=DATES)
def test_under_dp_the_form_of_a_date_does_not_tell_its_value(date: dt.date) -> None:
    numeric = {
        render(date, one(text).shape, keep_padding=False) for text in ("3/4/2020", "03/04/2020")
    }
    assert numeric == {f"{date:%d/%m/%Y}"}
    words = {
        render(date, one(text).shape, keep_padding=False)
        for text in ("1er mai 2020", "12 janv. 2020", "05 fevrier 2020", "1 mai 2020")
    }
    assert words == {f"{first(date.day)} {MONTHS[date.month - 1]} {date.year}"}


def test_under_shift_padding_and_abbreviations_stay() -> None:
    day = dt.date(2020, 2, 1)
    for text, out in [
        ("3/4/21", "1/2/20"),
        ("03/4/2021", "01/2/2020"),
        ("12/3/21", "1/2/20"),
        ("12 janv. 2019", "1er févr. 2020"),
        ("12nov", "1févr"),
        ("12-mars-2019", "01-février-2020"),
        ("12.III.2019", "1.II.2020"),
        ("05 mai", "01 février"),
        ("15 AOUT 2019", "1ER FEVRIER 2020"),
        ("9 sept.2019", "1er févr.2020"),
        ("LUNDI DE PÂQUES 2019", "1ER FÉVRIER 2020"),
        ("Noël", "1er février"),
    ]:
        assert render(day, one(text).shape, keep_padding=True) == out


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("12-16/01/2021", dt.date(2021, 1, 12), dt.date(2021, 1, 16)),
        ("3-4.12.2020", dt.date(2020, 12, 3), dt.date(2020, 12, 4)),
        ("1–3 janvier", dt.date(2021, 1, 1), dt.date(2021, 1, 3)),
        ("1-3/5", dt.date(2021, 5, 1), dt.date(2021, 5, 3)),
        ("8 et 9/06", dt.date(2021, 6, 8), dt.date(2021, 6, 9)),
        ("du 3 au 7 mai 2021", dt.date(2021, 5, 3), dt.date(2021, 5, 7)),
        ("28/12-03/01/2021", dt.date(2020, 12, 28), dt.date(2021, 1, 3)),
        ("12/03/2020 au 14/04/2021", dt.date(2020, 3, 12), dt.date(2021, 4, 14)),
        ("2007-2010", dt.date(2007, 7, 1), dt.date(2010, 7, 1)),
    ],
)
def test_a_range_has_two_days_and_is_written_back(text: str, start: dt.date, end: dt.date) -> None:
    found = parse(text)
    assert isinstance(found, DateRange)
    last = complete(found.last, NEAR)
    assert last == end
    assert complete(found.first, last) == start
    assert render_range(start, end, found, keep_padding=True) == text


def test_a_range_over_two_months_becomes_two_dates() -> None:
    start, end = dt.date(2020, 12, 30), dt.date(2021, 1, 2)
    for text, out in [
        ("12-16/01/2021", "30/12/2020-02/01/2021"),
        ("3-4.12.2020", "30.12.2020-2.1.2021"),
        ("12-16 janvier", "30 décembre-2 janvier"),
        ("3-4-12-2020", "30-12-2020 au 2-1-2021"),
    ]:
        found = parse(text)
        assert isinstance(found, DateRange)
        assert render_range(start, end, found, keep_padding=True) == out


def test_the_canonical_name_tells_printed_days_from_imputed_ones() -> None:
    day = dt.date(2019, 3, 15)
    assert canonical(day, Precision.DAY) != canonical(day, Precision.MONTH)


def test_no_value_shows_in_a_repr() -> None:
    for text in ("12/03/1955", "12-16/01/2021", "Noël 2019"):
        assert not any(part in repr(parse(text)) for part in ("1955", "2021", "2019", "12"))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("l2 rnars 2O19", "12 mars 2019"),
        ("O7 NOV 2018", "07 NOV 2018"),
        ("l2/IO", "12/10"),
        ("2 ju illet 2O25", "2 juillet 2025"),
        ("19 .ll. l93O", "19 .11. 1930"),
        ("O2l11/l966", "02/11/1966"),
        ("sarnedi lO", "samedi 10"),
    ],
)
def test_what_a_scanner_misread_is_read_again(text: str, plain: str) -> None:
    assert parse(text) == parse(plain) is not None


@given(st.sampled_from(MONTHS), st.integers(0, 8), st.sampled_from("0123456789"))
def test_a_digit_that_stands_for_a_letter_of_a_month_hides_none(
    month: str, at: int, digit: str
) -> None:
    at %= len(month)
    head = fold(month[:at])
    assume(head not in MONTH_OF and head not in WEEKDAY_OF)  # "juil5" has its own reading
    spoilt, told = (
        parse(f"23 {word} 2019") for word in (f"{month[:at]}{digit}{month[at + 1 :]}", month)
    )
    assert isinstance(spoilt, PartialDate)
    assert isinstance(told, PartialDate)
    assert spoilt._replace(shape=told.shape) == told
