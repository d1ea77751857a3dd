"""Whatever a form writes is read back as what was meant: templates say what they seem to say."""

from __future__ import annotations

import datetime as dt

import pytest

from dpdeid import gazetteers
from dpdeid.gazetteers import place_list_name
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.dates.ages import parse_age
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import PartialDate, parse
from dpdeid.testing.coupled.forms import (
    AGES,
    DATES,
    TOWNS,
    UNKNOWN,
    begins,
    led,
    some_town,
    span_of,
)

DAYS = [dt.date(1991, 1, 1) + dt.timedelta(37 * n) for n in range(360)]


@pytest.mark.parametrize("name", DATES)
def test_a_date_is_read_back(name: str) -> None:
    form = DATES[name]
    for any_day in DAYS:
        day = begins(form.precision, any_day)
        read = parse(form.write(day), in_year=form.precision == "year")
        assert isinstance(read, PartialDate), form.write(day)
        assert read.precision.value == form.precision
        meant = complete(read, day + (span_of(form.precision, day)[1] - day) / 2)
        assert meant is not None
        assert begins(form.precision, meant) == day


@pytest.mark.parametrize("name", DATES)
def test_what_a_form_lacks_is_not_printed(name: str) -> None:
    form = DATES[name]
    read = parse(form.write(begins(form.precision, dt.date(1994, 3, 12))))
    assert isinstance(read, PartialDate)
    assert (read.year is None) == (form.lacks in ("year", "month", "week"))
    if form.precision != "decade":
        assert read.short_year == (form.lacks == "century")
    assert read.bare_day == (form.lacks == "month")
    assert read.bare_weekday == (form.lacks == "week")


@pytest.mark.parametrize("name", AGES)
def test_an_age_is_read_back(name: str) -> None:
    for amount in range(1, 35):
        read = parse_age(AGES[name].write(amount, 3))
        assert read is not None
        assert read.amount == amount
        assert read.unit == AGES[name].unit.partition(" ")[0]


@pytest.mark.parametrize("listed", ["FR", "CH", "BE", "974"])
@pytest.mark.parametrize("form", TOWNS)
def test_a_town_is_the_place_its_name_is_read_as(listed: str, form: str) -> None:
    dice = Stream(bytes(32))
    for _ in range(300):
        place = some_town(listed, dice)
        assert place_list_name(place) == listed
        for lead in ("", "à", "de"):
            word, name = led(lead, place.name)  # type: ignore[arg-type]
            whole = {"au ": "le ", "aux ": "les ", "du ": "le ", "des ": "les "}.get(word, "")
            assert place in gazetteers.places_named(whole + TOWNS[form](name))


def test_no_list_knows_the_unknown() -> None:
    assert not any(gazetteers.places_named(name) for name in UNKNOWN)
    assert len({*UNKNOWN}) > 6


@pytest.mark.parametrize(
    ("lead", "name", "written"),
    [
        ("à", "Lyon", "à Lyon"),
        ("à", "Le Mans", "au Mans"),
        ("à", "Les Ulis", "aux Ulis"),
        ("à", "La Rochelle", "à La Rochelle"),
        ("de", "Lyon", "de Lyon"),
        ("de", "Le Mans", "du Mans"),
        ("de", "Armentières", "d'Armentières"),
        ("de", "Hyères", "d'Hyères"),
        ("en", "printemps 2024", "au printemps 2024"),
        ("en", "été", "en été"),
        ("d", "avril", "d'avril"),
        ("d", "mai", "de mai"),
    ],
)
def test_what_french_puts_before_a_name(lead: str, name: str, written: str) -> None:
    assert "".join(led(lead, name)) == written  # type: ignore[arg-type]
