"""What `check` expects of a policy, and what it warns of."""

from __future__ import annotations

import re
import time
from dataclasses import replace

from dpdeid.assurance.forecast import forecast, timeline_of
from dpdeid.policy.policy import load_policy, parse_policy, policy_text
from dpdeid.privacy import expected_error as outlook
from dpdeid.privacy.expected_error import DateOutlook, days
from dpdeid.privacy.timeline.modes import Metric
from dpdeid.substitute.people.surnames import odds
from dpdeid.substitute.places.earlier import list_sizes
from dpdeid.substitute.places.strategy import Places, place_outlook


def dates(name: str) -> tuple[DateOutlook, ...]:
    policy = load_policy(name)
    mode = timeline_of(policy)
    assert mode is not None
    return outlook.dates(mode, by_patient=policy.unit == "patient")


def warned(name: str, *changes: tuple[str, str]) -> str:
    text = policy_text(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return " | ".join(forecast(parse_policy(text)).wasted)


def test_the_default_buys_intervals_births_and_places() -> None:
    """Days move by the secret shift, five years on average; what it leaves alone is measured
    without it.
    """
    policy = load_policy("dp")
    mode = timeline_of(policy)
    assert isinstance(mode, Metric)
    still = replace(mode, shift_days=0)
    for one, alone in zip(dates("dp"), outlook.dates(still, by_patient=True), strict=True):
        assert one.dates == one.released
        assert 1_720 < one.date < 2_680  # 2,200 on average over 400; three standard errors of 48
        assert alone.date < 0.5 * alone.free_date
        for interval in (one.interval, alone.interval):
            assert 0.05 < interval / one.free_interval < 0.6  # the less, the closer the dates
    born, free = outlook.birth(still)
    assert 100 < born < 300 < free  # 1 / 0.005 days
    assert 1_400 < outlook.birth(mode)[0] < 2_300
    place = place_outlook(next(s for s in policy.strategies if isinstance(s, Places)))
    assert 25 < place.km < 50 < place.free_km  # 2 / 0.05 km, snapped


def test_a_budget_of_twelve_buys_dates_in_one_note_and_in_several() -> None:
    five, fifteen, forty = dates("dp-strict")
    assert five.buys
    assert fifteen.buys
    assert forty.date < 1.02 * forty.free_date  # five draws among forty dates: about 5 % better


def test_dates_over_the_cap_are_no_worse_than_without_a_budget() -> None:
    """Twenty of forty are drawn from public knowledge: a chain of them must not run away."""
    mode = timeline_of(load_policy("dp"))
    assert isinstance(mode, Metric)
    *_, forty = outlook.dates(replace(mode, cap=20, shift_days=0), by_patient=True)
    assert forty.released == 40
    assert forty.date < forty.free_date
    assert forty.interval < forty.free_interval


def test_the_published_mechanism_buys_hardly_anything_at_its_share() -> None:
    """Read through its posterior, five draws of one are worth five per cent, fifteen less."""
    for one in dates("hnfc-strict"):
        assert 0.93 < one.date / one.free_date < 1.02
        assert 0.9 < one.interval / one.free_interval < 1.2


def test_a_shift_keeps_intervals_and_one_of_up_to_two_years_moves_a_year() -> None:
    for one in dates("aphp"):
        assert one.interval == 0
        assert 305 < one.date < 425  # 365.5 on average; the standard error of 48 records is 30


def test_nothing_drawn_nothing_expected() -> None:
    expected = forecast(parse_policy(policy_text("redact")))
    assert (expected.errors, expected.lines, expected.wasted) == ((), (), ())
    assert warned("redact") == ""


def test_a_draw_that_is_no_better_than_a_constant_is_named() -> None:
    assert "no better than a constant" not in warned("dp")
    assert "no better than a constant" not in warned("dp-strict")
    assert "window(epsilon=0.3" in warned("dp-strict", ("epsilon: share/7.5", "epsilon: 0.3"))
    assert "bounded-laplace(epsilon=1" in warned("hnfc-strict")


def test_a_budget_that_buys_nothing_is_said_to() -> None:
    nothing = "buys nothing on dates"
    assert nothing not in warned("dp")  # it buys intervals: days are moved by a secret shift
    assert nothing not in warned("aphp")
    assert f"{nothing}, on records with 15 or 40 of them" in warned("hnfc-strict")
    assert f"{nothing}, on records with 40 of them" in warned("dp-strict")
    assert "buys nothing on births" in warned("hnfc")


def test_no_list_is_small() -> None:
    assert all(places >= 20 and people >= 100_000 for _, places, people in list_sizes())


def forget() -> None:
    for cached in (forecast, outlook.dates, outlook.birth, outlook.rank_error, place_outlook):
        cached.cache_clear()


def test_it_is_quick_and_the_same_again() -> None:
    policy = parse_policy(policy_text("dp-strict"))
    forget()
    start = time.process_time()
    first = forecast(policy)
    assert time.process_time() - start < 10
    forget()
    assert forecast(policy) == first


def test_days_are_readable() -> None:
    assert (days(17.2), days(3_650)) == ("17 days", "10 years")


def told_of_names(options: str, name: str = "aphp", scope: str = "record") -> str:
    text = policy_text(name)
    assert f"scope: {scope}" in text
    policy = parse_policy(text.replace(f"scope: {scope}", options))
    return " | ".join(forecast(policy).lines)


def test_chances_of_equal_surrogate_names_are_told() -> None:
    told = told_of_names("scope: record")
    plain, elided = odds()
    assert f"{plain.names + elided.names} surnames" in told
    assert f"1/{plain.repeat} (1/{elided.repeat}" in told
    assert "two surnames of one patient never" in told
    assert "two surnames of one note never" in told_of_names("scope: document")
    assert "markov" not in told
    assert "caregivers" not in told


def test_the_places_that_hide_least_are_told() -> None:
    told = " | ".join(forecast(parse_policy(policy_text("dp"))).lines)
    shares = [int(one) for one in re.findall(r"(\d+) %", told.partition("far more often")[2])]
    assert len(shares) >= 10
    assert shares == sorted(shares[:10], reverse=True) + shares[10:]
    assert shares[0] > 50 > 20 < shares[9]
    assert "far more often" not in told_of_names("scope: record")


def test_what_markov_and_staff_by_cohort_cost_is_told() -> None:
    told = told_of_names("scope: record, markov: 0.2, staff: cohort")
    assert "probability 0.80, the first and the tenth with 0.13" in told
    assert "who saw the same one can be told" in told
