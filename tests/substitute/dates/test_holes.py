"""What dates under differential privacy must not show by their form, order or number."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpdeid.document import Surrogate
from dpdeid.labels import Label
from dpdeid.privacy.ledger import Ledger
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.timeline.modes import Kind, Metric, Strict
from dpdeid.substitute.dates.ages import read_ages
from dpdeid.substitute.dates.births import read_births
from dpdeid.substitute.dates.reading import read_dates
from dpdeid.substitute.dates.strategy import Dates
from dpdeid.substitute.dates.timeline_points import printed, read_points
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import PartialDate, parse
from tests.substitute.dates.test_strategy import (
    ALL,
    METRIC,
    NOTED,
    PAPER,
    SHIFT,
    in_text,
    record_of,
)
from tests.substitute.dates.test_strategy import released as released_by
from tests.substitute.making import context

TIMELINE = Strict(
    mechanism="prior_window",
    epsilon=Fraction(8, 5),
    birth_epsilon=Fraction(4),
    cap=5,
    over_cap="prior",
)
STRICT = Dates(labels=ALL, timeline=TIMELINE)
PRIVATE = pytest.mark.parametrize("strategy", [STRICT, METRIC], ids=["strict", "metric"])
KEYS = [bytes([n]) * 32 for n in range(40)]


def epsilon(given: list[Surrogate]) -> Fraction:
    """What a release costs, each charge once."""
    charges = Ledger.of(charge for s in given for charge in s.charges).charges
    return sum((c.loss.amount for c in charges if isinstance(c.loss, Epsilon)), Fraction(0))


def points(
    *notes: str, dates: tuple[dt.date | None, ...] = (NOTED,)
) -> list[tuple[Kind, str, str]]:
    """Kind, name and start of each point of a record."""
    record, mentions = record_of(*notes, dates=dates)
    reads, against = read_dates([m for m in mentions if m.label is not Label.AGE], record, E0)
    births = read_births(record, reads, [], against)
    return [(p.kind, p.name, p.start) for p in read_points(record, reads, births, against, {})]


E0 = context().e0


# --- the anchor of a note -------------------------------------------------------------------------


@pytest.mark.parametrize("days", [-400, -1, 0, 1, 400])
def test_the_anchor_of_a_note_without_a_date_is_its_first_whole_date_whenever_that_is(
    days: int,
) -> None:
    """FINDINGS A4: "contrôle le 31/12/2026" was the anchor and "01/01/2027" was not."""
    day = E0 + dt.timedelta(days=days)
    found = points(f"contrôle le «DATE:{day:%d/%m/%Y}», vu le «DATE:03/02/2019»", dates=(None,))
    assert [name for _, name, _ in found] == [f"{day}/day", "2019-02-03/day"]
    found = points(f"vu en «DATE:mai 2019», contrôle le «DATE:{day:%d/%m/%Y}»", dates=(None,))
    assert [name for _, name, _ in found] == [f"{day}/day", "2019-05-15/month"]


def test_which_of_its_dates_is_the_latest_does_not_show_by_the_anchor() -> None:
    for first, second in (("03/02/2019", "05/06/2021"), ("05/06/2021", "03/02/2019")):
        found = points(f"«DATE:{first}», «DATE:{second}»", dates=(None,))
        wanted = [f"{dt.datetime.strptime(d, '%d/%m/%Y').date()}/day" for d in (first, second)]  # noqa: DTZ007
        assert [name for _, name, _ in found] == wanted


def test_a_note_without_any_date_is_read_against_the_first_one_of_the_record() -> None:
    whole = ("né à 62 ans", "vu le «DATE:05/06/2021», en «DATE:12/03»", "vu le «DATE:03/02/2023»")
    record, mentions = record_of(*whole, dates=(None,) * 3)
    _, against = read_dates(mentions, record, E0)
    assert [one.day.year for one in against] == [2021, 2021, 2023]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("juin 2023", "2023-06-01", "2023-06-30"),
        ("février 2024", "2024-02-01", "2024-02-29"),
        ("2009", "2009-01-01", "2009-12-31"),
        ("début mars 2021", "2021-03-01", "2021-03-10"),
        ("mi-mars 2021", "2021-03-11", "2021-03-20"),
        ("fin mars 2021", "2021-03-21", "2021-03-31"),
        ("hiver 2021", "2020-12-01", "2021-03-31"),
        ("fin 2021", "2021-09-01", "2021-12-31"),
        ("années 80", "1980-01-01", "1989-12-31"),
        ("12/03/2021", "2021-03-12", "2021-03-12"),
    ],
)
def test_what_is_printed_of_a_date_holds_the_day_it_is_taken_for(
    text: str, first: str, last: str
) -> None:
    written = parse(text)
    assert isinstance(written, PartialDate)
    day = complete(written, NOTED)
    assert day is not None
    begins, ends = printed(day, written.precision)
    assert (begins.isoformat(), ends.isoformat()) == (first, last)
    assert begins <= day <= ends


# --- hole 2: format is data -----------------------------------------------------------------------


@PRIVATE
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3/4/2019", "03/04/2019"),
        ("1er mai 2019", "1 mai 2019"),
        ("12 nov. 2019", "12 novembre 2019"),
    ],
)
def test_padding_and_abbreviations_are_those_of_the_class(
    strategy: Dates, one: str, other: str
) -> None:
    assert in_text(strategy, f"«DATE:{one}»") == in_text(strategy, f"«DATE:{other}»")


@pytest.mark.parametrize(
    "note",
    [
        "du «DATE:3» au «DATE:7 mai 2021»",
        "«DATE:3-7 mai 2021»",
        "«DATE:03/05/2021» – «DATE:07/05/2021»",
        "du «DATE:3 au» «DATE:7 mai 2021»",
        "du «DATE:3» «DATE:au 7 mai 2021»",
    ],
)
def test_the_end_of_a_range_knows_its_start_however_it_is_marked(note: str) -> None:
    found = points(note)
    assert [kind for kind, _, _ in found] == [Kind.NOTE, Kind.EVENT, Kind.EVENT]
    assert [start for _, _, start in found] == ["", "", found[1][1]]


def test_a_range_whose_end_a_note_is_read_against_is_one_too() -> None:
    note = "du «DATE:3» au «DATE:7 mai 2021», vu le «DATE:12/04/2020»"
    (kind, end, start), (_, begin, none), (_, _, nor) = points(note, dates=())
    assert (kind, end, begin) == (Kind.EVENT, "2021-05-07/day", "2021-05-03/day")
    assert (start, none, nor) == (begin, "", "")


def test_an_order_that_words_tell_is_no_stay() -> None:
    """ "Vu le 3, puis le 7" tells which comes later, and no stay whose noise would be of hours."""
    for note in (
        "vu le «DATE:3/05/2021», puis le «DATE:7/05/2021»",
        "prévu le «DATE:3 mai», reporté au «DATE:7 mai»",
    ):
        assert [start for _, _, start in points(note)] == ["", "", ""]


@PRIVATE
def test_the_ends_of_a_range_in_a_note_without_a_date_stay_in_order(strategy: Dates) -> None:
    for key in KEYS:
        given = released_by(strategy, "du «DATE:3» au «DATE:7 mai 2021»", dates=(), key=key)
        days = [s.value for s in given]
        assert days == sorted(days)  # type: ignore[type-var]


def test_whole_dates_side_by_side_are_no_range_and_days_under_one_month_are() -> None:
    """A day without a month lies within a month of the next one: the text tells that much."""
    assert [start for *_, start in points("«DATE:03/05/2021», «DATE:07/05/2021»")] == ["", "", ""]
    (*_, none), (*_, nor), (*_, start) = points("les «DATE:3» et «DATE:7 mai 2021»")
    assert (none, nor, start) == ("", "", "2021-05-03/day")


@PRIVATE
def test_a_range_over_two_months_prints_both(strategy: Dates) -> None:
    seen = set()
    for key in KEYS:
        start, end = in_text(strategy, "du «DATE:3» au «DATE:7 mai 2021»", key=key)
        month = re.search(r"[a-zéû]{3,}", start)
        seen.add(month is not None)
        assert month is None or month[0] not in end or re.search(r"\d{4}", start)
    assert True in seen


# --- hole 4: a later note changes no share --------------------------------------------------------


def test_the_cost_of_a_record_does_not_grow_over_its_cap() -> None:
    dates = [f"«DATE:{n:02d}/03/2018»" for n in range(1, 20)]
    costs = [
        epsilon(released_by(STRICT, "né le «BIRTH_DATE:12/03/1955» " + " ".join(dates[:n])))
        for n in range(12)
    ]
    assert costs == sorted(costs)
    assert max(costs) == 12
    (alone,), (among,) = (
        released_by(STRICT, note)[1].charges for note in (dates[0], " ".join(dates))
    )
    assert (among.mechanism, among.loss) == (alone.mechanism, alone.loss)


def test_a_date_further_away_changes_no_draw_and_one_between_only_the_next() -> None:
    """A chain runs outwards from the first date: a gap is named by both its ends."""
    far, near, between = "«DATE:05/03/2018»", "«DATE:20/03/2018»", "«DATE:11/03/2018»"
    for strategy in (STRICT, METRIC):

        def charges(*dates: str) -> dict[str, set[object]]:
            found = released_by(strategy, " ".join(dates))  # noqa: B023
            return {s.mention.text: set(s.charges) for s in found}

        one, two, three = charges(near), charges(near, far), charges(near, far, between)
        assert one.items() <= two.items()
        assert {text for text in two if two[text] != three[text]} == {"05/03/2018"}


def test_what_is_over_the_cap_is_free_and_still_a_date() -> None:
    note = " ".join(f"«DATE:{n:02d}/03/2018»" for n in range(1, 20))
    given = released_by(STRICT, note)
    assert len(given) == 20
    assert sum(bool(s.charges) for s in given) == 5
    redacting = Dates(labels=ALL, timeline=replace(TIMELINE, over_cap="redact"))
    assert len(released_by(redacting, note)) == 5


# --- hole 5: e0 is the cohort's -------------------------------------------------------------------


@PRIVATE
def test_the_first_gap_is_counted_from_the_cohort_and_never_from_a_note(strategy: Dates) -> None:
    """The same patient with one more, later note draws the first note anew from nothing."""
    one = released_by(strategy, "rien", dates=(NOTED,))
    more = released_by(strategy, "rien", "rien", dates=(NOTED, dt.date(2029, 12, 30)))
    assert one[0].charges == more[0].charges
    if strategy is METRIC:
        assert one[0].text == more[0].text


# --- hole 6: order --------------------------------------------------------------------------------


def test_the_order_of_dates_is_kept_over_notes() -> None:
    notes = ("vu le «DATE:01/03/2019», le «DATE:05/05/2021»", "opéré le «DATE:04/02/2020»")
    for key in KEYS:
        given = released_by(STRICT, *notes, dates=(NOTED, dt.date(2021, 9, 1)), key=key)
        by_text = {s.mention.text: s.value for s in given}
        order = ["01/03/2019", "04/02/2020", "05/05/2021", "2021-06-10", "2021-09-01"]
        days = [by_text[text] for text in order]
        assert days == sorted(days)  # type: ignore[type-var]


# --- hole 8: ages ---------------------------------------------------------------------------------


def test_an_age_of_the_past_is_a_date_and_not_a_second_birth() -> None:
    note = "né le «BIRTH_DATE:12/03/1955», «AGE:66 ans», opéré à l'âge de «AGE:12 ans»"
    given = released_by(STRICT, note)
    births = {c for s in given if s.mention.label is Label.BIRTH_DATE for c in s.charges}
    now, then = (s for s in given if s.mention.label is Label.AGE)
    assert births < set(then.charges)
    assert births < set(now.charges)
    assert len(set(then.charges) - births) == 1
    assert epsilon(given) == 4 + 2 * Fraction(8, 5)  # the birth, the note, the operation


def test_an_age_of_the_past_is_left_out_where_its_birth_is() -> None:
    """The birth of a patient after that of a relative, where one birth has a budget and the others
    are not released: nothing is left to count the day of the operation from.
    """
    mode = METRIC.timeline
    assert isinstance(mode, Metric)
    one = Dates(labels=ALL, timeline=replace(mode, birth_cap=1))
    notes = (
        "son fils, né en «BIRTH_DATE:1980»",
        "né le «BIRTH_DATE:12/03/1955», opéré à l'âge de «AGE:12 ans»",
    )
    out = released_by(one, *notes, dates=(NOTED, NOTED))
    assert [s.mention.text for s in out if s.mention.where == "text"] == ["1980"]


def test_a_relative_pays_from_the_cap_of_dates() -> None:
    given = released_by(STRICT, "«AGE:66 ans», sa mère a «AGE:91 ans»")
    assert epsilon(given) == 4 + 2 * Fraction(8, 5)


@pytest.mark.parametrize(
    ("text", "largest"), [("3 mois", 36), ("10 jours", 90), ("5 semaines", 104)]
)
def test_an_age_stays_in_the_domain_of_its_unit(text: str, largest: int) -> None:
    for key in KEYS:
        (out,) = in_text(STRICT, f"«AGE:{text}»", key=key)
        assert 0 <= int(out.split()[0]) <= largest
    assert len({in_text(STRICT, f"«AGE:{text}»", key=key)[0] for key in KEYS}) > 1


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Mme V., née le «BIRTH_DATE:12/03/1955»", [True]),
        ("Homme de «AGE:64 ans»", [True]),
        ("Nourrisson de «AGE:3 mois», né le «BIRTH_DATE:04/03/2021»", [False]),
        ("Née le «BIRTH_DATE:12/03/1955», un voisin de «AGE:20 ans»", [True, False]),
    ],
)
def test_only_a_patients_birth_comes_before_all_dates(text: str, first: list[bool]) -> None:
    """Notes of a newborn tell of the pregnancy; another person's birth bounds nothing."""
    record, mentions = record_of(text)
    dated = [m for m in mentions if m.label is not Label.AGE]
    reads, against = read_dates(dated, record, dt.date(2030, 1, 1))
    ages = read_ages([m for m in mentions if m.label is Label.AGE], record)
    births = read_births(record, reads, ages, against)
    assert [point.first for point in births.points] == first


@PRIVATE
def test_nothing_happens_before_the_patient_is_born(strategy: Dates) -> None:
    text = "né le «BIRTH_DATE:12/03/2010», opéré le «DATE:20/03/2010», revu le «DATE:05/01/2021»"
    for key in KEYS:
        born, operated, seen = (parse(day) for day in in_text(strategy, text, key=key))
        days = [complete(d, NOTED) for d in (born, operated, seen) if isinstance(d, PartialDate)]
        assert len(days) == 3
        assert min(day for day in days if day is not None) == days[0]


def test_births_alone_still_state_what_relatives_may_cost() -> None:
    alone = Dates(labels=(Label.BIRTH_DATE, Label.AGE), timeline=TIMELINE).guarantees()
    assert sum(g.loss.amount * (g.cap or 0) for g in alone) == 12  # type: ignore[union-attr]


# --- hole 9: partial dates ------------------------------------------------------------------------


@PRIVATE
@given(st.dates(dt.date(1990, 1, 1), dt.date(2060, 1, 1)), st.integers(1, 120))
def test_days_without_any_year_come_out_in_their_order(
    strategy: Dates, day: dt.date, later: int
) -> None:
    days = [day + dt.timedelta(n) for n in (0, later, later + 1)]
    assume(all((day.month, day.day) != (2, 29) for day in days))
    note = "du «DATE:{:%d/%m}» au «DATE:{:%d/%m}», revu le «DATE:{:%d/%m}»".format(*days)
    out = released_by(strategy, note, dates=())
    found = [s.value for s in out]
    assert sorted({*found}) == found
    assert [s.text for s in out] == [f"{day:%d/%m}" for day in found]


def test_the_first_day_without_any_year_is_the_last_before_e0() -> None:
    note = "vu le «DATE:lundi 12/03», le «DATE:14 mars» et à «DATE:Noël», le «DATE:29/02»"
    days = [name.removesuffix("/day") for _, name, _ in points(note, dates=())]
    assert days == ["2029-03-12", "2029-03-14", "2028-12-25", "2028-02-29"]


def test_a_year_nearby_or_a_note_date_gives_the_year() -> None:
    assert [kind for kind, _, _ in points("«DATE:12/03»")] == [Kind.NOTE, Kind.EVENT]
    with_year = points("«DATE:05/05/2019», revu le «DATE:12/03»", dates=())
    assert [kind for kind, _, _ in with_year] == [Kind.EVENT, Kind.EVENT]


@PRIVATE
def test_dates_are_equal_only_where_their_printed_fields_are(strategy: Dates) -> None:
    note = "«DATE:15/03/2019», «DATE:15 mars 2019», «DATE:mars 2019», «DATE:03/2019»"
    for key in KEYS:
        whole, words, month, digits = (
            s.value for s in released_by(strategy, note, key=key) if s.mention.where == "text"
        )
        assert whole == words
        assert month == digits
    assert len({name for _, name, _ in points(note)}) == 3


def test_a_lone_weekday_is_that_of_its_surrogate() -> None:
    for key in KEYS[:10]:
        (given,) = (
            s for s in released_by(STRICT, "«DATE:lundi»", key=key) if s.mention.where == "text"
        )
        names = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"]
        assert isinstance(given.value, dt.date)
        assert given.text == names[given.value.weekday()]


@pytest.mark.parametrize("strategy", [SHIFT, METRIC, PAPER, STRICT])
def test_the_same_day_in_two_notes_has_one_surrogate(strategy: Dates) -> None:
    notes = ("opéré le «DATE:04/02/2020»", "opéré du «DATE:4 février 2020» au «DATE:10/02/2020»")
    given = released_by(strategy, *notes, dates=(NOTED, dt.date(2021, 9, 1)))
    values = {s.mention.text: s.value for s in given}
    assert values["04/02/2020"] == values["4 février 2020"]
