"""What `check` warns of: the weaker a policy protects, the more is said, and never less."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from dpdeid.assurance.forecast import cautions
from dpdeid.policy.policy import parse_policy, policy_text

Change = tuple[str, str]


FEW_TIMES = ("- times: {labels: [TIME]}", "- times: {labels: [TIME], cap: 2}")


READ, AS_STAY = "read: [0.18, 1, 0]", "read: [0.36, 1, 0]"


def warned(name: str, *changes: Change) -> list[str]:
    text = policy_text(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return list(cautions(parse_policy(text)))


@pytest.mark.parametrize(
    ("name", "written", "weaker"),
    [
        ("dp", " epsilon_per_day: 0.05", "0.001 0.01 0.05 0.2 0.42 0.5 0.8"),
        (
            "dp",
            "birth: [0.36, 0.6, 200]",
            "[0.5,0.6,400] [0.36,0.6,200] [0.1,0.6,200] [0.01,0.25,200]",
        ),
        ("dp", "epsilon_per_km: 0.05", "0.01 0.04 0.05 0.1 0.2 0.3 1 3 6.9"),
        ("dp", "cap: 200", "1 5 20 200 500"),
        ("dp", "cap: 1}", "1 2 5 10 50"),
        ("dp", "shift_days: 3650", "7300 3650 365 30 0"),
        ("dp-strict", " epsilon: share/7.5", "0.5 1.6"),
    ],
)
def test_weaker_is_never_warned_of_less(name: str, written: str, weaker: str) -> None:
    key = written.partition(":")[0]
    tail = "}" if written.endswith("}") else ""
    told = [len(warned(name, (written, f"{key}: {value}{tail}"))) for value in weaker.split()]
    assert told == sorted(told)


STAY = "stay: [0.36, 0.6, 0]"


def test_a_quarter_of_a_day_is_hardly_any_protection() -> None:
    told = warned("dp", (STAY, "stay: [0.01, 0.25, 0]"))
    assert any("even neighbouring days may be told apart" in line for line in told)


def test_births_that_are_hardly_protected_are_named() -> None:
    told = warned("dp", ("birth: [0.36, 0.6, 200]", "birth: [0.01, 0.25, 200]"))
    assert any("even neighbouring days may be told apart" in line for line in told)


@pytest.mark.parametrize(
    ("share", "told"), [("0.36", False), ("0.25", False), ("0.23", True), ("0.1", True)]
)
def test_weeks_that_can_be_told_apart_are_named(share: str, told: bool) -> None:
    """ln 2 over the share is at least ln 19 from .2354 on."""
    lines = " | ".join(warned("dp", (READ, AS_STAY), (STAY, f"stay: [{share}, 0.6, 0]")))
    assert ("of two intervals of 7 and 14 days" in lines) == told
    assert ("may be told with 95 %" in lines) == told


def test_gaps_to_dates_without_a_year_are_named_in_dp_itself() -> None:
    """They are noised by 18 %, so that a reader reads on as was meant: its price is said."""
    assert any("share=0.18" in line and "7 and 14 days" in line for line in warned("dp"))


@pytest.mark.parametrize(("rate", "told"), [("0.05", False), ("0.42", False), ("0.43", True)])
def test_first_dates_a_week_apart_that_can_be_told_apart_are_named(rate: str, told: bool) -> None:
    """ln 19 over the rate: .42 takes 7.01 days, .43 6.8."""
    first = " epsilon_per_day: 0.05", f" epsilon_per_day: {rate}"
    lines = " | ".join(warned("dp", (READ, AS_STAY), first))
    assert ("of two intervals of 7 and 14 days" in lines) == told


@pytest.mark.parametrize(
    ("rate", "apart"), [("0.1", None), ("0.29", None), ("0.3", "10 km"), ("3", "1 km")]
)
def test_towns_nearby_that_can_be_told_apart_are_named(rate: str, apart: str | None) -> None:
    told = " | ".join(warned("dp", ("epsilon_per_km: 0.05", f"epsilon_per_km: {rate}")))
    assert (f"of two values {apart} apart" in told) == (apart is not None)


def test_a_total_that_names_one_of_ten_thousand_is_told() -> None:
    """e^12 / (e^12 + 9,999) is 94.2 %; 9.2 would be 49.7 %."""
    line, of_times = (line for line in warned("dp-strict") if "together" in line)
    assert "L = 12 " in line
    assert "94 %" in line
    assert "L = 200 (32 steps off in every value)" in of_times
    quiet = ("{epsilon: 12,", "{epsilon: 9.2,"), FEW_TIMES
    assert not [line for line in warned("dp-strict", *quiet) if "together" in line]


def test_two_hundred_intervals_off_by_their_noise_are_told_to_name_a_record() -> None:
    (line,) = (line for line in warned("dp") if "together" in line)
    assert "L = 440 (32 steps off in every value)" in line
    assert "more than 99.9 %" in line
    assert not [
        line
        for line in warned(
            "dp", ("cap: 200", "cap: 3"), ("birth_cap: 40", "birth_cap: 4"), FEW_TIMES
        )
        if "together" in line
    ]


def test_an_epsilon_of_six_on_one_date_is_hardly_protection() -> None:
    loud = "the true value comes out nearly always"
    assert loud not in " ".join(warned("dp-strict"))
    rich = ("{epsilon: 12,", "{epsilon: 60,"), ("birth_epsilon: share/3", "birth_epsilon: 4")
    assert loud in " ".join(warned("dp-strict", *rich, (" epsilon: share/7.5", " epsilon: 6")))
    less = warned("dp-strict", *rich, (" epsilon: share/7.5", " epsilon: 5.9"))
    assert loud not in " ".join(less)


@pytest.mark.parametrize(("rate", "unchanged"), [("6.9", True), ("0.1", False)])
def test_an_epsilon_per_km_that_changes_nothing_is_named(rate: str, unchanged: bool) -> None:
    told = " ".join(warned("dp", ("epsilon_per_km: 0.05", f"epsilon_per_km: {rate}")))
    assert ("come out unchanged" in told) == unchanged


def test_a_shift_alone_is_told_to_keep_intervals() -> None:
    (line,) = warned("aphp")
    shift = json.loads((files("dpdeid") / "measured.json").read_text())["linkage"]["shift_alone"]
    assert f"found {100 * shift:.0f} % of 4,000 made-up patients" in line


def test_without_a_draw_there_is_nothing_to_warn_of() -> None:
    assert warned("redact") == []
