"""Clock times: the hour stays, the minutes do not, the form does."""

from __future__ import annotations

import re
from collections import Counter
from statistics import mean

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from

from dpdeid.labels import Label
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.dates.times import Times, redraw
from tests.substitute.making import KEY, surrogates, texts

STREAMS = Streams(KEY, "u1")
TIMES = Times()


@pytest.mark.parametrize(
    "text",
    [
        "10h30",
        "8H05",
        "10:30",
        "10:30:45",
        "10:30:45Z",
        "10 h 30",
        "10.30",
        "9 heures 30",
        "10h30min",
    ],
)
def test_hour_and_form_stay_and_minutes_are_a_clock(text: str) -> None:
    drawn = redraw(text, STREAMS)
    assert drawn is not None
    out = drawn[0]
    assert re.sub(r"\d", "9", out) == re.sub(r"\d", "9", text)
    numbers = [int(n) for n in re.findall(r"\d+", out)]
    assert numbers[0] == int(re.findall(r"\d+", text)[0])
    assert all(n < 60 for n in numbers[1:])


@pytest.mark.parametrize("text", ["10h", "10 h", "midi", "vingt-deux heures", "minuit"])
def test_a_bare_hour_stays(text: str) -> None:
    assert redraw(text, STREAMS) is not None
    assert redraw(text, STREAMS)[0] == text  # type: ignore[index]


@pytest.mark.parametrize("text", ["083412", "0834", "1530+0100"])
def test_a_stamp_stays_one(text: str) -> None:
    drawn = redraw(text, STREAMS)
    assert drawn is not None
    out, zone = drawn[0][: len(text.partition("+")[0])], text.partition("+")[1:]
    assert drawn[0] == out + "".join(zone)
    assert out.isdigit()
    assert out[:2] == text[:2]
    assert all(int(out[at : at + 2]) < 60 for at in range(2, len(out), 2))


def test_letters_stay_letters() -> None:
    (out,) = texts(TIMES, "à «TIME:six heures et demie»")
    assert out.startswith("six heures ")
    assert not re.search(r"\d", out)


@pytest.mark.parametrize("text", ["25", "25h", "10:75", "10:", "259999", "bientôt", "", "1" * 1000])
def test_what_is_no_time_has_no_surrogate(text: str) -> None:
    assert redraw(text, STREAMS) is None


def _minute(time: str, streams: Streams) -> int:
    drawn = redraw(time, streams)
    assert drawn is not None
    return int(drawn[0][-2:])


UNITS = [Streams(KEY, f"u{n}") for n in range(300)]


def test_minutes_move_and_may_stay() -> None:
    drawn = Counter(_minute("10h32", unit) for unit in UNITS)
    assert 32 in drawn
    assert len(drawn) > 12


@pytest.mark.parametrize("minute", range(0, 60, 5))
def test_who_rounds_goes_on_rounding(minute: int) -> None:
    drawn = Counter(_minute(f"10h{minute:02d}", unit) for unit in UNITS)
    assert not [one for one in drawn if one % 5]
    assert len(drawn) > 1


@pytest.mark.parametrize("minute", [0, 15, 30, 45, 59])
def test_a_minute_moves_by_a_few(minute: int) -> None:
    moved = [abs(_minute(f"10h{minute:02d}", unit) - minute) for unit in UNITS]
    assert mean(moved) < 4
    assert max(moved) < 20


@given(
    hour=integers(0, 23),
    minutes=lists(integers(0, 59), min_size=2, max_size=6),
    unit=sampled_from(UNITS),
)
def test_times_of_an_hour_keep_their_order(hour: int, minutes: list[int], unit: Streams) -> None:
    drawn = [_minute(f"{hour}h{minute:02d}", unit) for minute in sorted(minutes)]
    assert drawn == sorted(drawn)


def test_a_stated_delay_stays_about_what_it_is_called() -> None:
    delays = [_minute("11h05", unit) + 60 - _minute("10h45", unit) for unit in UNITS]
    assert 19 < mean(delays) < 21
    assert sum(abs(delay - 20) <= 10 for delay in delays) > 0.95 * len(UNITS)


def test_the_order_holds_over_notes_that_are_released_apart() -> None:
    (one,), (other,) = (texts(TIMES, f"à «TIME:{time}»") for time in ("10h20", "10h40"))
    assert [one, other] == texts(TIMES, "à «TIME:10h20» puis «TIME:10h40»")
    assert one < other


def test_one_time_of_a_record_has_one_surrogate_and_one_charge() -> None:
    given = surrogates(TIMES, "à «TIME:10h30», puis «TIME:10:30»", "à «TIME:10h30»")
    assert len({s.text.replace(":", "h") for s in given}) == 1
    assert len({charge for s in given for charge in s.charges}) == 1


def test_the_key_decides() -> None:
    note = " ".join(f"«TIME:{hour}h30»" for hour in range(10, 20))
    assert texts(TIMES, note) == texts(TIMES, note)
    assert texts(TIMES, note) != texts(TIMES, note, key=b"j" * 32)
    assert texts(TIMES, note) != texts(TIMES, note, unit="u2")


def test_other_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="TIME"):
        Times(labels=(Label.DATE,))


@pytest.mark.parametrize(("text", "out"), [("15", "15"), ("2O", "20")])
def test_a_bare_hour_stays_as_hours_do(text: str, out: str) -> None:
    assert texts(TIMES, f"à «TIME:{text}»") == [out]


def test_misread_digits_are_read() -> None:
    (out,) = texts(TIMES, "à «TIME:I6:O4»")
    assert out.startswith("16:")


@given(integers(0, 23), lists(integers(0, 3599), min_size=2), sampled_from(UNITS))
def test_seconds_keep_the_order_of_minutes(hour: int, moments: list[int], unit: Streams) -> None:
    texts = [f"{hour:02d}:{one // 60:02d}:{one % 60:02d}" for one in sorted(moments)]
    drawn = [redraw(text, unit) for text in texts]
    out = [one[0] for one in drawn if one is not None]
    assert len(out) == len(texts)
    assert out == sorted(out)


def test_minutes_that_become_one_have_seconds_in_their_order() -> None:
    texts = [f"20:{minute:02d}:{59 - minute:02d}" for minute in range(60)]
    out = [one[0] for text in texts if (one := redraw(text, STREAMS)) is not None]
    assert len({one[:5] for one in out}) < len(out) == 60  # some minutes become one
    assert out == sorted(out)
