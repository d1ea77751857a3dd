"""Clock times: what is read, the day they belong to, and the form they are written in."""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction

import pytest

from dpdeid.labels import Label
from dpdeid.policy.policy import load_policy
from dpdeid.substitute.dates.times import Times, nights, read
from tests.substitute.making import dates, marked, surrogates, texts

TIMES = Times()
DATES = next(s for s in load_policy("dp").strategies if s.name == "dates")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("10h30", "99h99"), ("8H05", "99H99"), ("10:30", "99:99"), ("10:30:45", "99:99:99"),
        ("10:30:45Z", "99:99:99Z"), ("10.30", "99.99"), ("10h30min", "99h99min"),
        ("083412", "999999"), ("0834", "9999"), ("1530+0100", "9999+9999"), ("10h", "99h"),
    ],
)  # fmt: skip
def test_the_form_stays_and_all_is_a_clock(text: str, shape: str) -> None:
    (out,) = texts(TIMES, f"à «TIME:{text}»")
    assert re.sub(r"\d", "9", out.replace("+0100", "+9999")) == shape
    pairs = re.findall(r"\d\d", out.partition("+")[0])
    assert int(pairs[0]) < 24
    assert all(int(pair) < 60 for pair in pairs[1:])


@pytest.mark.parametrize("text", ["9 heures 30", "10 h 30", "9 h"])
def test_a_word_or_a_blank_behind_the_hour_stays(text: str) -> None:
    (out,) = texts(TIMES, f"à «TIME:{text}»")
    assert re.sub(r"\d+", "9", out) == re.sub(r"\d+", "9", text)


@pytest.mark.parametrize("text", ["six heures et demie", "vingt-deux heures", "midi", "une heure"])
def test_letters_stay_letters(text: str) -> None:
    for unit in range(20):
        (out,) = texts(TIMES, f"à «TIME:{text}»", unit=f"u{unit}")
        assert not re.search(r"\d", out)
        assert out in ("midi", "minuit") or "heure" in out or "midi" in out or "minuit" in out
        assert read(out) is not None


@pytest.mark.parametrize("text", ["25", "25h", "10:75", "10:", "259999", "bientôt", "", "1" * 1000])
def test_what_is_no_time_has_no_surrogate(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("unit", range(30))
def test_acts_of_an_arrival_keep_their_order_and_about_their_distances(unit: int) -> None:
    note = "Arrivée à «TIME:08h54». Vu à «TIME:10h06». Scanner à «TIME:10h08»."
    first, second, third = (_minutes(t) for t in texts(TIMES, note, unit=f"u{unit}"))
    assert first < second < third
    assert second - first < 5 * 72
    assert third - second < 40


def test_hours_move() -> None:
    out = {texts(TIMES, "à «TIME:08h54»", unit=f"u{unit}")[0][:2] for unit in range(40)}
    assert len(out) > 3


@pytest.mark.parametrize("minute", [0, 10, 55])
def test_who_rounds_goes_on_rounding(minute: int) -> None:
    for unit in range(30):
        assert _minutes(texts(TIMES, f"à «TIME:10h{minute:02d}»", unit=f"u{unit}")[0]) % 5 == 0


def test_equal_times_of_a_day_stay_equal_and_cost_once() -> None:
    given = surrogates(TIMES, "à «TIME:10h30», puis «TIME:10:30»")
    assert len({s.text.replace(":", "h") for s in given}) == 1
    assert len({charge for s in given for charge in s.charges}) == 1


def test_a_day_beside_a_time_parts_it_from_those_of_another() -> None:
    note = "Le «DATE:12/03/2021» à «TIME:08h54» ; le «DATE:12/05/2021» à «TIME:08h54»."
    moved = set()
    for unit in range(20):
        out = [s.text for s in surrogates([DATES, TIMES], note, unit=f"u{unit}")]
        moved.add(_minutes(out[1]) - _minutes(out[3]))
    assert len(moved) > 8


def test_notes_of_one_day_share_its_times() -> None:
    note = "Le «DATE:12/03/2021» à «TIME:08h54»."
    out = [s.text for s in surrogates([DATES, TIMES], note, note)]
    assert out[:2] == out[2:]


def test_an_old_date_in_another_sentence_is_not_the_day_of_a_time() -> None:
    note = (
        "Le «DATE:12/03/2021» : arrivée à «TIME:08h54». Opérée le «DATE:05/02/2009». "
        "Vue à «TIME:08h58»."
    )
    for unit in range(30):
        out = [s.text for s in surrogates([DATES, TIMES], note, unit=f"u{unit}")]
        assert 0 < _minutes(out[3]) - _minutes(out[1]) < 40


def test_what_falls_back_by_half_a_day_lies_behind_midnight() -> None:
    for unit in range(30):
        note = "Vu à «TIME:22h41», puis à «TIME:01h12», puis à «TIME:03h33»."
        first, second, third = (_minutes(t) for t in texts(TIMES, note, unit=f"u{unit}"))
        assert second < third
        assert first > second


@pytest.mark.parametrize("unit", range(20))
def test_words_behind_a_time_hold(unit: int) -> None:
    evening, morning = texts(
        TIMES, "à «TIME:8 h» du soir", "à «TIME:8 h» du matin", unit=f"u{unit}"
    )
    assert 5 <= int(evening.split()[0]) <= 11
    assert 0 <= int(morning.split()[0]) <= 11


def test_the_key_decides() -> None:
    note = " ".join(f"«TIME:{hour}h30»" for hour in range(10, 20))
    assert texts(TIMES, note) == texts(TIMES, note)
    assert texts(TIMES, note) != texts(TIMES, note, key=b"j" * 32)
    assert texts(TIMES, note) != texts(TIMES, note, unit="u2")


def test_other_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="TIME"):
        Times(labels=(Label.DATE,))


def test_a_share_of_its_budget_is_more_noise() -> None:
    half = TIMES.scaled(Fraction(1, 2))
    assert half.clock.first.least == 2 * TIMES.clock.first.least
    assert half.gap == (Fraction(1, 2), Fraction(6))


def test_misread_digits_are_read() -> None:
    (out,) = texts(TIMES, "à «TIME:I6:O4»")
    assert re.fullmatch(r"\d\d:\d\d", out)


def _minutes(text: str) -> int:
    hour, minute = re.findall(r"\d+", text)
    return 60 * int(hour) + int(minute)


@pytest.mark.parametrize(
    "town", ["Lyon", "St. Gallen", "Saint-Remy-en-Bouzemont-Saint-Genest-et-Isson"]
)
def test_what_day_a_time_is_of_follows_no_town_between_them(town: str) -> None:
    """Of a long name, or one with a point, it had been another day."""
    day, time = "«DATE:12/03/2024»", "«TIME:8h54»"
    note = f"Vue le {day} à «CITY:{town}» à {time}. Le {day} à {time}."
    for unit in range(9):
        first, last = (s.text for s in surrogates([DATES, TIMES], note, unit=f"u{unit}")[1::2])
        assert first == last


def test_noon_and_an_hour_behind_it_are_written_alike() -> None:
    """12 h had been written from midnight, and 13 h behind it told that it was one."""
    for hour in ("12 h 31", "1 h 31", "6 h 31"):
        for unit in range(30):
            (out,) = texts(TIMES, f"à «TIME:{hour}» de l'après-midi", unit=f"u{unit}")
            assert int(out.split()[0]) in (12, *range(1, 8)), (hour, out)


NIGHTS = (
    "Chute le «DATE:03/05/2021» à «TIME:22h40», vue à «TIME:0h15», bloc le «DATE:04/05/2021».",
    "Appel le «DATE:3 mai 2021» à «TIME:23h50». Arrivée le «DATE:4» à «TIME:0h20».",
    "Prise vers «TIME:23h10» le «DATE:03/05/2021», trouvée à «TIME:1h05» le «DATE:04/05/2021».",
    "Le «DATE:3 mai 2021», travail à «TIME:22h30», né le «DATE:4 mai 2021» à «TIME:2h10».",
    "Confus dans la nuit du «DATE:03/05/2021» au «DATE:04/05/2021».",
    "Agité la nuit du «DATE:3 au 4 mai 2021».",
)


@pytest.mark.parametrize("policy", ["dp", "dp-strict", "hnfc-strict"])
@pytest.mark.parametrize("note", NIGHTS)
def test_a_night_stays_one(note: str, policy: str) -> None:
    for unit in range(20):
        given = surrogates([dates(policy), TIMES], note, unit=f"u{unit}")
        told = " ".join(s.text for s in given if s.mention.label is Label.DATE)
        first, last = map(int, re.findall(r"(?<![\d/])(\d{1,2})(?:er)?(?!\d)", told)[:2])
        assert last - first == 1 or (last == 1 and first >= 28)


@pytest.mark.parametrize(
    "note",
    [
        "Chute le «DATE:03/05/2021» à «TIME:12h40», vue à «TIME:14h15», bloc le «DATE:04/05/2021».",
        "Chute le «DATE:03/05/2021» à «TIME:22h40», vue à «TIME:0h15», bloc le «DATE:06/05/2021».",
        "Vu les nuits du «DATE:03/05/2021» au «DATE:04/05/2021».",
    ],
)
def test_no_other_two_days_are_tied_by_a_clock(note: str) -> None:
    gaps = set()
    for unit in range(30):
        days = [s.value for s in surrogates([DATES, TIMES], note, unit=f"u{unit}")]
        first, last = (day for day in (days[0], days[-1]) if isinstance(day, dt.date))
        gaps.add((last - first).days)
    assert len(gaps) > 1


def test_days_of_a_night_are_read_in_the_words_and_clocks_alone() -> None:
    one, other = marked(NIGHTS[0]), marked(NIGHTS[0].replace("04/05", "05/05"))
    for (record, mentions), told in ((one, 1), (other, 0)):
        days = {m: (m.text, int(m.text[:2])) for m in mentions if m.label is Label.DATE}
        assert len([*nights(days, [m for m in mentions if m not in days], record)]) == told
