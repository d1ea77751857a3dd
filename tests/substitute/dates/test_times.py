"""Clock times: the hour stays, the minutes do not, the form does."""

from __future__ import annotations

import re

import pytest

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


def test_letters_stay_letters() -> None:
    (out,) = texts(TIMES, "à «TIME:six heures et demie»")
    assert out.startswith("six heures ")
    assert not re.search(r"\d", out)


@pytest.mark.parametrize("text", ["25h", "10:75", "10:", "10", "bientôt", "", "1" * 1000])
def test_what_is_no_time_has_no_surrogate(text: str) -> None:
    assert redraw(text, STREAMS) is None


def test_minutes_are_drawn_from_all_sixty_the_original_among_them() -> None:
    streams = [Streams(KEY, f"u{n}") for n in range(1500)]
    drawn = {redraw("10h30", s)[0] for s in streams}  # type: ignore[index]
    assert drawn == {f"10h{minute:02d}" for minute in range(60)}


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
