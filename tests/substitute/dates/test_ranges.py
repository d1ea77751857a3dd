"""Ranges come out in order, whatever was drawn, and nothing else is moved."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.labels import Label
from dpdeid.policy.policy import parse_policy, policy_text
from dpdeid.privacy.timeline.modes import Kind, Point, Released
from dpdeid.substitute.dates.ordering import in_order, through_the_week
from dpdeid.substitute.dates.strategy import Dates
from tests.substitute.making import dates, marked, surrogates

NOISY = ("dp", "dp-strict", "hnfc", "hnfc-strict")
TOLD = (
    "du «DATE:12/03/2020» au «DATE:18/03/2020»",
    "du «DATE:3» au «DATE:7 mai 2021»",
    "du «DATE:12/03/2020» jusqu'au «DATE:18/03/2020»",
    "entre le «DATE:12» et le «DATE:18 mars 2020»",
    "Entrée le «DATE:12/03/2020», sortie le «DATE:18/03/2020»",
    "Hospitalisée : «DATE:12/03/2020» - Date de sortie : «DATE:18/03/2020»",
    "du «DATE:12/03» au «DATE:18/03»",
    "Entrée : «DATE:12/03/2020» 18:42 — Sortie : «DATE:18/03/2020» 10h",
    "Prévue le «DATE:12 mars», reportée au «DATE:18 mars»",
    "du «DATE:12» au «DATE:l8 mars 2020», puis du «DATE:12 mars» au «DATE:18 mars»",
    "Vue le «DATE:12/03/2020», à revoir le «DATE:18»",
    "Vue le «DATE:12/03/2020» à 9h, puis par sa fille le «DATE:18/03/2020»",
)
STAYS = (
    "Arrivée le «DATE:12/03/2020» pour un zona. Aciclovir, fièvre disparue. Elle rentre chez elle "
    "le «DATE:18/03/2020».",
    "«DATE:12/03/2020» : admission en gériatrie\n«DATE:14/03/2020» : scanner\n«DATE:18/03/2020» : "
    "sortie",
    "Début de séjour «DATE:12/03/2020»\nLit 12\nFin de séjour «DATE:18/03/2020»",
    "nom|DATE_ENTREE|DATE_SORTIE\nx|«DATE:12/03/2020»|«DATE:18/03/2020»",
    "unité,admission,départ\nx,«DATE:12/03/2020»,«DATE:18/03/2020»",
    "ADMIS LE «DATE:12/03/2020», transféré en réanimation le «DATE:14/03/2020», décès constaté le "
    "«DATE:18/03/2020».",
    "Admise à «CITY:Gap» le «DATE:12/03/2020». Retour à «CITY:Die» le «DATE:18/03/2020».",
    "Séjours : «DATE:3 mars» au «DATE:12mars» puis du «DATE:12mars» au «DATE:18 mars»",
)
OTHERS = (
    "Sortie le «DATE:12/03/2020». Réadmise le «DATE:18/03/2020».",
    "Vue entre le repas et la sieste le «DATE:12/03/2020», sortie au parc le «DATE:18/03/2020».",
    "Hospitalisé du «DATE:3» au «DATE:12/03/2020». Toux, sortie de crise le «DATE:18/03/2020».",
    "nom;venue;sortie\nx;«DATE:12/03/2020»;«DATE:18/03/2020»",
)
LISTS = (
    "les «DATE:10», «DATE:12» et «DATE:14 mars 2020»",
    "les «DATE:02», «DATE:09» et «DATE:16/03/2020»",
    "en «DATE:mars 2020», les «DATE:10», «DATE:12» et «DATE:14»",
    "vue «DATE:mardi 10», «DATE:jeudi 12» et «DATE:samedi 14 mars 2020»",
    "les «DATE:10», «DATE:12», puis le «DATE:14 mars»",
)
HABITS = (
    "dialyse les «DATE:lundi», «DATE:mercredi» et «DATE:vendredi»",
    "«DATE:lundi» matin, «DATE:mercredi» soir, «DATE:samedi»",
    "de garde du «DATE:mardi» au «DATE:vendredi»",
)


def days(strategy: Dates, note: str, key: int) -> list[dt.date]:
    found = [s.value for s in surrogates(strategy, note, key=key.to_bytes(32, "big"))]
    assert all(isinstance(day, dt.date) for day in found)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("policy", NOISY)
@pytest.mark.parametrize("note", TOLD)
def test_the_first_day_of_a_range_comes_before_its_last(policy: str, note: str) -> None:
    strategy = dates(policy)
    for key in range(20):
        first, last, *again = days(strategy, note, key)
        assert first < last
        assert again in ([], [first, last])


@pytest.mark.parametrize(
    ("note", "stay"), [(n, True) for n in STAYS] + [(n, False) for n in OTHERS]
)
def test_a_stay_is_one_however_it_is_told(note: str, stay: bool) -> None:
    record, mentions = marked(f"Lettre du «DATE:25/03/2020»\n{note}")
    dated = [mention for mention in mentions if mention.label is Label.DATE]
    lines = [line for _, line in dates("dp").shows(dated, record, dt.date(2030, 1, 1))]
    assert ("role stay" in lines[-2]) is stay


def test_nights_up_to_seven_are_exact_where_noise_begins_behind_them() -> None:
    """As docs/dates.md tells whoever needs them."""
    own = parse_policy(policy_text("dp").replace("stay: [0.36, 0.6, 0]", "stay: [0.36, 0.05, 7]"))
    (exact,) = (s for s in own.strategies if isinstance(s, Dates))
    for key in range(20):
        entry, act, leaving = days(
            exact,
            "Admise le «DATE:02/01/2020», biopsie le «DATE:04/01/2020». Départ le "
            "«DATE:09/01/2020».",
            key,
        )
        assert (act - entry).days == 2
        assert (leaving - entry).days == 7


@pytest.mark.parametrize("policy", NOISY)
@pytest.mark.parametrize("note", LISTS)
def test_days_of_a_list_come_one_after_the_other(policy: str, note: str) -> None:
    strategy = dates(policy)
    for key in range(20):
        listed = days(strategy, note, key)[-3:]
        assert listed == sorted(set(listed))


@pytest.mark.parametrize("policy", NOISY)
@pytest.mark.parametrize("note", HABITS)
def test_weekdays_of_a_list_stay_different_and_in_the_order_of_the_week(
    policy: str, note: str
) -> None:
    strategy = dates(policy)
    for key in range(20):
        weekdays = [day.weekday() for day in days(strategy, note, key)]
        assert weekdays == sorted(set(weekdays))


def test_a_shift_keeps_the_distance_of_weekdays() -> None:
    for key in range(20):
        first, second, third = days(dates("aphp"), HABITS[0], key)
        assert (second - first, third - second) == (dt.timedelta(2), dt.timedelta(2))


@pytest.mark.parametrize("policy", ["aphp", *NOISY])
def test_parts_of_months_and_years_that_are_a_range_come_out_as_others(policy: str) -> None:
    note = "de «DATE:fin février» à «DATE:début mars 20», entre «DATE:mi-2015» et «DATE:fin 2015»"
    for key in range(40):
        first, last, early, late = surrogates(dates(policy), note, key=key.to_bytes(32, "big"))
        assert first.text != last.text.rpartition(" ")[0]
        assert early.text != late.text


@pytest.mark.parametrize("policy", ["dp", "dp-strict", "hnfc-strict"])
@pytest.mark.parametrize("first", ["février", "fin février", "début avril"])
def test_a_month_whose_year_the_next_one_tells_lies_within_a_year_of_it(
    policy: str, first: str
) -> None:
    note = f"hospitalisé de «DATE:{first}» à «DATE:mai 2020»"
    for key in range(60):
        early, late = days(dates(policy), note, key)
        assert dt.timedelta() < late - early < dt.timedelta(360)


@pytest.mark.parametrize("policy", NOISY)
def test_so_it_does_where_both_were_told_before(policy: str) -> None:
    note = "Le «DATE:18/03/2020», vue. Le «DATE:12/03/2020», vue. " + TOLD[0]
    for key in range(20):
        *_, first, last = days(dates(policy), note, key)
        assert first < last


def test_ranges_one_after_the_other_are_all_in_order() -> None:
    note = f"{TOLD[0]}, puis du «DATE:18/03/2020» au «DATE:20/03/2020»"
    for key in range(40):
        a, b, c, d = days(dates("dp"), note, key)
        assert a < b == c < d


def test_dates_that_no_word_joins_stay_in_the_order_that_they_have() -> None:
    """The skeleton holds it, and a chain needs it: noise no longer turns two dates round."""
    for policy in NOISY[:2]:
        for one, other in (("12/03/2020", "18/03/2020"), ("18/03/2020", "12/03/2020")):
            note = f"Le «DATE:{one}», vue, et le «DATE:{other}», revue"
            for key in range(40):
                a, b = days(dates(policy), note, key)
                assert (a < b) == (one < other)
                assert a != b


def point(name: str, kind: Kind = Kind.EVENT, note: int = 0) -> Point:
    return Point(name, 0, kind, note, first=kind is Kind.BIRTH)


def put(ranges: list[tuple[str, str]], born: int | None = None, **drawn: int) -> dict[str, int]:
    points = [point(name, Kind.NOTE if name == "note" else Kind.EVENT) for name in drawn]
    if born is not None:
        points.append(point("birth", Kind.BIRTH))
        drawn["birth"] = born
    released = {p.key: Released(drawn[p.name]) for p in points}
    moved = in_order(released, points, ranges)
    return {name: given.day or 0 for (_, name), given in moved.items() if name != "birth"}


def test_the_last_day_moves() -> None:
    assert put([("a", "b")], note=0, a=9, b=5) == {"note": 0, "a": 9, "b": 10}


def test_before_an_anchor_the_first_day_moves_and_not_before_the_birth() -> None:
    assert put([("a", "note")], note=5, a=9) == {"note": 5, "a": 4}
    assert put([("a", "note")], born=5, note=5, a=9) == {"note": 5, "a": 5}


def test_what_stands_before_what_was_moved_before_an_anchor_moves_too() -> None:
    assert put([("a", "b"), ("b", "note")], note=25, a=30, b=20) == {"note": 25, "a": 23, "b": 24}
    assert put([("a", "b"), ("b", "note")], note=25, a=30, b=24) == {"note": 25, "a": 23, "b": 24}


@given(st.lists(st.dates(dt.date(1990, 1, 1), dt.date(2021, 6, 10)), min_size=1, max_size=9))
def test_a_list_of_weekdays_goes_through_the_week(drawn: list[dt.date]) -> None:
    spread = through_the_week(drawn)
    if len(drawn) > 7:
        assert list(spread) == drawn
        return
    weekdays = [day.weekday() for day in spread]
    assert weekdays == sorted(set(weekdays))
    assert all(0 <= (late - early).days < 7 for early, late in zip(drawn, spread, strict=True))
    asked = [day.weekday() for day in drawn]
    assert set(weekdays) >= set(asked)
    if asked == weekdays:
        assert list(spread) == drawn


def test_months_and_years_that_are_printed_alone_come_out_as_others() -> None:
    note = "de «DATE:mai» à «DATE:juin 2020», entre «DATE:2015» et «DATE:2016»"
    for key in range(40):
        may, june, early, late = days(dates("dp"), note, key)
        assert (may.year, may.month) < (june.year, june.month)
        assert early.year < late.year


def test_what_is_not_released_is_left() -> None:
    points = [point("note", Kind.NOTE), point("a"), point("b")]
    released = {p.key: Released(9 - at) for at, p in enumerate(points)}
    released["date", "b"] = Released(None)
    assert in_order(released, points, [("a", "b")]) == released


@given(
    st.lists(st.integers(0, 30), min_size=6, max_size=6),
    st.lists(
        st.sets(st.integers(0, 5), min_size=2, max_size=2).map(sorted), min_size=1, max_size=6
    ),
)
def test_any_ranges_of_one_timeline_come_out_in_order(
    drawn: list[int], pairs: list[list[int]]
) -> None:
    """The numbers of the days are their true order; the first is the anchor."""
    ranges = [(str(a), str(b)) for a, b in pairs]
    points = [point(str(at)) for at in range(len(drawn))]
    released = {p.key: Released(day) for p, day in zip(points, drawn, strict=True)}
    moved = in_order(released, points, ranges)
    for first, last in ranges:
        assert (moved["date", first].day or 0) < (moved["date", last].day or 0)
    named = {name for pair in ranges for name in pair}
    assert all(moved[p.key] == released[p.key] for p in points if p.name not in named)
    assert moved["date", "0"] == released["date", "0"]


def test_a_range_costs_what_it_did() -> None:
    for policy in ("dp", "dp-strict"):
        given_here = surrogates(dates(policy), TOLD[0])
        assert [s.mention.label for s in given_here] == [Label.DATE] * 2
        assert len({c for s in given_here for c in s.charges}) == 2
