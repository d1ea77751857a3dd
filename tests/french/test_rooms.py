"""What one room knows of French, the others know: found is placed, written and made alike."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

import pytest

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary
from dpdeid.detect.rules import Patterns
from dpdeid.document import Document
from dpdeid.french import check_digits, titles
from dpdeid.french.areas import Use, area_words, state_areas
from dpdeid.french.calendar import (
    CUT_MONTHS,
    MONTHS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    TINY_WEEKDAYS,
    WEEKDAYS,
    feast_names,
    holiday,
)
from dpdeid.french.phones import Range, ranges
from dpdeid.french.tables import rows
from dpdeid.gazetteers import Place
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.codes import phones
from dpdeid.substitute.dates.written.parser import EARLIEST, LATEST, PartialDate, parse
from dpdeid.substitute.people.sexes import _title
from dpdeid.substitute.places.lists.areas import area_of
from dpdeid.substitute.places.localities import codes_of
from dpdeid.substitute.places.rendering import introduced
from dpdeid.synth import numbers
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Form, lines
from dpdeid.synth.places import Town

YEARS = range(EARLIEST, LATEST + 1)
RULES = Patterns()


def found(text: str, label: Label) -> set[str]:
    """The spans of a label that the rules find in a text."""
    return {text[s.start : s.end] for s in RULES(Document("n", text)) if s.label is label}


FEASTS = (
    "Noël", "Toussaint", "Ascension", "Assomption", "carnaval", "réveillon", "Pâques", "Pâque",
    "Pentecôte", "Chandeleur", "Épiphanie", "armistice", "ramadan", "Halloween", "fête nationale",
    "fête-dieu", "fête de la musique", "fête du travail", "fête des voisins", "fête de la science",
    "fête des mères", "fête des grands-mères", "fête des pères", "immaculée",
    "immaculée conception", "jeûne fédéral", "jeûne genevois", "action de grâce", "rameaux", "Aïd",
    "Aïd el Kebir", "Aïd-el-Fitr", "aïd el adha", "jour de l'an", "nouvel an", "premier de l'an",
    "Saint-Jean", "Saint-Martin", "Saint-Étienne", "Saint-Patrick", "Saint-Nicolas",
    "Saint-Sylvestre", "Saint-Valentin", "Saint-Joseph", "Saint-Michel", "Saint-Blaise",
    "Sainte-Catherine", "Sainte-Barbe",
)  # fmt: skip
"""Every feast that a row of the date rules names."""
MOVABLE = (
    "saint", "gras", "des cendres", "des rameaux", "des roses", "de Pâques", "de Pentecôte",
    "de la Pentecôte", "de l'Ascension", "de l'action de grâce", "du jeûne",
)  # fmt: skip
"""What the rules find behind a weekday."""


@pytest.mark.parametrize("feast", FEASTS)
def test_every_feast_that_the_rules_find_is_placed_in_every_year(feast: str) -> None:
    lead = "la " if feast.startswith("Saint") else "le "
    assert found(f"chute avant {lead}{feast} 2020, puis", Label.DATE), feast
    read = parse(f"{feast} 2020")
    assert isinstance(read, PartialDate)
    assert read.holiday is not None
    assert {read.holiday.on(year).year for year in YEARS} == set(YEARS)


@pytest.mark.parametrize("weekday", WEEKDAYS)
@pytest.mark.parametrize("feast", MOVABLE)
def test_every_weekday_of_a_feast_is_that_weekday(weekday: str, feast: str) -> None:
    assert f"{weekday} {feast}" in found(f"revu le {weekday} {feast}, puis", Label.DATE)
    read = parse(f"{weekday} {feast}")
    assert isinstance(read, PartialDate)
    assert read.holiday is not None
    assert {read.holiday.on(year).weekday() for year in YEARS} == {WEEKDAYS.index(weekday)}


@pytest.mark.parametrize("name", feast_names())
def test_every_feast_of_the_table_has_a_day_in_every_year(name: str) -> None:
    feast = holiday(name)
    assert feast is not None
    assert {feast.on(year).year for year in YEARS} == set(YEARS)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("ramadan", dt.date(2020, 4, 24)),
        ("aid", dt.date(2020, 5, 24)),
        ("aid el kebir", dt.date(2020, 7, 31)),
        ("kippour", dt.date(2020, 9, 28)),
        ("pessah", dt.date(2020, 4, 9)),
        ("hanouka", dt.date(2020, 12, 11)),
        ("fete meres", dt.date(2020, 6, 7)),
        ("fete meres", dt.date(2021, 5, 30)),
        ("fete peres", dt.date(2020, 6, 21)),
        ("fete grands meres", dt.date(2020, 3, 1)),
        ("fete voisins", dt.date(2020, 5, 29)),
        ("jeune federal", dt.date(2020, 9, 20)),
        ("jeune genevois", dt.date(2020, 9, 10)),
        ("action grace", dt.date(2020, 10, 12)),
        ("lundi jeune", dt.date(2020, 9, 21)),
        ("jeudi gras", dt.date(2020, 2, 20)),
        ("vendredi saint", dt.date(2020, 4, 10)),
        ("vendredi ascension", dt.date(2020, 5, 22)),
    ],
)
def test_published_days(name: str, day: dt.date) -> None:
    feast = holiday(name)
    assert feast is not None
    assert feast.on(day.year) == day


def test_every_holiday_of_a_fictitious_note_is_a_date() -> None:
    assert len(lines("holiday")) > 20
    for line in lines("holiday"):
        text = re.sub(r".*«DATE:([^»]*)».*", r"\1", line)
        assert isinstance(parse(text), PartialDate), line


@pytest.mark.parametrize("month", [*MONTHS, *CUT_MONTHS, *SHORT_MONTHS])
def test_every_month_is_found_and_read(month: str) -> None:
    for text in (f"12 {month} 2019", f"12 {fold(month)} 2019", f"12 {month.upper()} 2019"):
        assert text in found(f"vu le {text} par", Label.DATE)
        read = parse(text)
        assert isinstance(read, PartialDate)
        assert (read.day, read.year) == (12, 2019)
        assert read.month in [
            n for n, name in enumerate(MONTHS, 1) if name[:3] == month[:3].replace("jul", "jui")
        ]


@pytest.mark.parametrize("weekday", [*WEEKDAYS, *SHORT_WEEKDAYS, *TINY_WEEKDAYS])
def test_every_weekday_is_found_and_read(weekday: str) -> None:
    text = f"{weekday} 12/03"
    assert text in found(f"retrait {text} à 9 h", Label.DATE)
    read = parse(text)
    assert isinstance(read, PartialDate)
    assert WEEKDAYS[read.weekday or 0].startswith(weekday[:2])


@pytest.mark.parametrize("one", [one for one in ranges() if one.use == "drawn"], ids=str)
def test_every_range_is_found_and_gets_a_surrogate_of_its_kind(one: Range) -> None:
    digits = one.prefix + "483726159"[: one.length - len(one.prefix)]
    country = one.plan if one.plan in ("CH", "LU") else "FR"
    place = Place("Vallon", country, "", "", "", (), 0, 0, 0, "")
    text = f"+{one.code} {digits[1:3]} {digits[3:]}"
    assert text in found(f"Tél. : {text}", Label.PHONE)
    read = phones.read(text, place)
    assert read is not None
    assert read.country == one.plan
    drawn = phones.draw(read, place, Stream(bytes(32)))
    assert _kind(drawn, one) & _kind(digits, one)
    written = phones.write(text, read, drawn)
    assert re.sub(r"\D", "", written).startswith(one.code) or one.plan == "OM"


def _kind(national: str, like: Range) -> set[tuple[str, str]]:
    """Plan and kind of the ranges that a number lies in."""
    return {(r.plan, r.kind) for r in ranges(like.plan) if national.startswith(r.prefix)}


@pytest.mark.parametrize("department", ["971", "972", "973", "974", "976"])
@pytest.mark.parametrize("mobile", [False, True])
def test_overseas_numbers_of_notes_and_surrogates_have_one_code(
    department: str, mobile: bool
) -> None:
    """Mayotte dials +262 as La Réunion does; +269 is another country."""
    codes = {"971": "590", "972": "596", "973": "594", "974": "262", "976": "262"}
    town = Town("Vallon", "97600", "FR", department, "")
    abroad = 0
    for seed in range(120):
        text = numbers.phone(Dice.of(seed, "sea"), town, mobile)
        assert text in found(f"Tél. : {text}", Label.PHONE), text
        read = phones.read(text, None)
        assert read is not None
        assert read.country == "OM", text
        if read.code:
            assert read.code == codes[department]
            abroad += 1
    assert abroad > 3


@pytest.mark.parametrize(
    ("country", "department"),
    [
        ("FR", "35"),
        ("FR", "2A"),
        ("CH", "VD"),
        ("CH", "ZH"),
        ("BE", "WAL"),
        ("LU", "LU"),
        ("CA", "QC"),
    ],
)
def test_every_number_of_a_note_is_found_and_gets_a_surrogate(
    country: str, department: str
) -> None:
    town = Town("Vallon", "00000", country, department, "")
    for seed in range(120):
        text = numbers.phone(Dice.of(seed, "home"), town, mobile=seed % 2 == 0)
        assert text in found(f"Tél. : {text}", Label.PHONE), text
        read = phones.read(text, None)
        assert read is not None
        drawn = phones.draw(read, None, Stream(bytes(32)))
        written = phones.write(text, read, drawn)
        assert re.sub(r"\d", "0", written) == re.sub(r"\d", "0", text)


@pytest.mark.parametrize(
    ("number", "check"),
    [
        (lambda dice: numbers.with_luhn(dice, "10", 8), check_digits.luhn),
        (lambda dice: numbers.with_ean(dice, "756"), check_digits.avs),
        (lambda dice: numbers.niss(dice, dt.date(1971, 6, 30)), check_digits.niss),
        (lambda dice: numbers.niss(dice, dt.date(2011, 6, 30)), check_digits.niss),
        (
            lambda dice: numbers.nir(dice, Sex.FEMALE, dt.date(1971, 6, 30), "2A004"),
            check_digits.nir,
        ),
        (lambda dice: numbers.iban(dice, "BE"), check_digits.iban),
    ],
)
def test_every_number_that_is_made_is_one_that_is_found(
    number: Callable[[Dice], str], check: Callable[[str], bool]
) -> None:
    for seed in range(60):
        assert check(number(Dice.of(seed, "check")))


def test_areas_that_a_place_is_generalised_to_have_their_words() -> None:
    written = {area for place in gazetteers.places() if (area := area_of(place))}
    assert written == set(state_areas().values())
    for area in written:
        assert {introduced(area, use) for use in Use} == set(area_words()[area].values())


def test_towns_of_the_postal_codes_are_places() -> None:
    known = {(p.country, p.department, p.name): p for p in gazetteers.places()}
    towns = [row for row in rows("postcodes") if tuple(row[:3]) in known]
    assert len(towns) > 0.98 * len(rows("postcodes"))
    for country, area, town, codes in towns:
        assert set(codes_of(known[country, area, town])) <= set(codes.split())


def test_titles_are_titles_in_every_room() -> None:
    assert set(vocabulary.TITLES) == titles.CIVILITIES | titles.DEGREES
    made = {
        fold(word).rstrip(".")
        for line in lines("who.M")
        for word in re.findall(r"[A-Za-z.]+", line)
    }
    assert made <= titles.CIVILITIES
    for word, sex in titles.TITLE_SEX.items():
        assert _title(f"vu {word} ") is sex
    for seed in range(60):
        for female, sex in ((True, Sex.FEMALE), (False, Sex.MALE)):
            text = Form(Dice.of(seed, "title"), {}, female).text("who.M")
            assert titles.TITLE_SEX[fold(text).rstrip(".")] is sex


@pytest.mark.parametrize("word", [word for word, _, _ in titles.KIN])
def test_every_relative_of_a_note_is_found_and_has_a_sex(word: str) -> None:
    head = word.split()[0]
    owner = "son" if titles.KIN_SEX[fold(word)] is Sex.MALE else "sa"
    assert found(f"venu avec {owner} {head}, qui l'aide", Label.KINSHIP), word
    if head == word:
        assert _title(f"avec {owner} {word} ") is titles.KIN_SEX[fold(word)]
