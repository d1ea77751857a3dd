"""The timeline of a record: what agrees, what is kept, what is charged, what is left out."""

from __future__ import annotations

import datetime as dt
import pickle
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Mention, Record, Span, Surrogate, rewrite
from dpdeid.french.calendar import WEEKDAYS
from dpdeid.labels import Label, Role
from dpdeid.privacy.losses import EpsilonPerStep, NoGuarantee
from dpdeid.privacy.mechanisms.proportional import PER_STEP
from dpdeid.privacy.timeline.chain import Role as GapRole
from dpdeid.privacy.timeline.modes import Metric, Paper, Shift
from dpdeid.privacy.timeline.proved import CURVES
from dpdeid.substitute.dates.strategy import Dates
from dpdeid.substitute.dates.written.completing import complete
from dpdeid.substitute.dates.written.parser import PartialDate, parse
from tests.linear import LIMIT, Work, growth
from tests.substitute.making import KEY, context, marked, surrogates

ALL = (Label.DATE, Label.BIRTH_DATE, Label.AGE)
NOTED = dt.date(2021, 6, 10)
SHIFT = Dates(labels=ALL, timeline=Shift(days=365))
METRIC = Dates(
    labels=ALL,
    timeline=Metric(
        epsilon_per_day=Fraction(1, 20),
        cap=20,
        shift_days=365,
    ),
)
PAPER = Dates(labels=ALL, timeline=Paper(epsilon=Fraction(6)))
EVERY = pytest.mark.parametrize(
    "strategy", [SHIFT, METRIC, PAPER], ids=["shift", "metric", "paper"]
)
DAYS = st.dates(dt.date(1990, 1, 1), dt.date(2021, 6, 10))
BIRTH = next(g.mechanism for g in METRIC.guarantees() if Label.AGE in g.labels)


def record_of(
    *notes: str, dates: Sequence[dt.date | None] = (NOTED,), **facts: Any
) -> tuple[Record, list[Mention]]:
    """Marked notes with their dates, as the engine hands them over."""
    plain, found = marked(*notes, **facts)
    given_dates = [*dates, *[None] * len(notes)]
    documents = tuple(
        replace(d, patient_id="p", note_date=date)
        for d, date in zip(plain.documents, given_dates, strict=False)
    )
    heads = [
        Mention(
            i, Span(0, 10, Label.DATE, source="note_date"), d.note_date.isoformat(), "note_date"
        )
        for i, d in enumerate(documents)
        if d.note_date is not None
    ]
    mentions = sorted([*heads, *found], key=lambda m: (m.document, m.where == "text", m.span))
    return Record(plain.unit, documents), mentions


def released(strategy: Dates, *notes: str, key: bytes = KEY, **options: Any) -> list[Surrogate]:
    record, mentions = record_of(*notes, **options)
    return list(strategy.substitute(mentions, record, context(key)))


def in_text(strategy: Dates, *notes: str, **options: Any) -> list[str]:
    """Surrogate texts of the notes, in text order."""
    given_here = [s for s in released(strategy, *notes, **options) if s.mention.where == "text"]
    given_here.sort(key=lambda s: (s.mention.document, s.mention.span))
    return [s.text for s in given_here]


def rewritten(strategy: Dates, *notes: str, **options: Any) -> list[str]:
    record, mentions = record_of(*notes, **options)
    out = list(strategy.substitute(mentions, record, context()))
    return [
        rewrite(doc.text, [s for s in out if s.mention.document == i and s.mention.where == "text"])
        for i, doc in enumerate(record.documents)
    ]


def day(text: str, near: dt.date = NOTED) -> dt.date:
    found = parse(text)
    assert isinstance(found, PartialDate)
    date = complete(found, near)
    assert date is not None
    return date


# --- consistency over notes -----------------------------------------------------------------------


@EVERY
def test_one_day_has_one_surrogate_in_every_form_and_note(strategy: Dates) -> None:
    out = in_text(
        strategy,
        "le «DATE:12/03/2019», «DATE:12 mars 2019»",
        "«DATE:2019-03-12» puis «DATE:mardi 12/03/2019»",
        dates=(NOTED, dt.date(2022, 1, 5)),
    )
    assert len({day(text) for text in out}) == 1


@EVERY
def test_the_note_date_in_the_text_is_that_of_the_note(strategy: Dates) -> None:
    given_here = released(strategy, "Lyon, le «DATE:10/06/2021», revu «DATE:jeudi 10 juin»")
    assert len({s.value for s in given_here}) == 1
    (head,) = [s for s in given_here if s.mention.where == "note_date"]
    assert head.text == f"{head.value}"


@EVERY
@given(st.lists(DAYS, min_size=1, max_size=6, unique=True))
def test_the_key_decides_and_nothing_else(strategy: Dates, days: list[dt.date]) -> None:
    note = " ".join(f"«DATE:{d:%d/%m/%Y}»" for d in days)
    assert in_text(strategy, note) == in_text(strategy, note)


@EVERY
def test_another_key_draws_anew(strategy: Dates) -> None:
    note = " ".join(f"«DATE:1{n}/03/2018»" for n in range(9))
    assert in_text(strategy, note) != in_text(strategy, note, key=b"j" * 32)


@EVERY
def test_a_strategy_pickles_and_refuses_unknown_options(strategy: Dates) -> None:
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    with pytest.raises(TypeError):
        Dates(labels=ALL, timeline=strategy.timeline, unknown=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="labels"):
        Dates(labels=(Label.TIME,), timeline=strategy.timeline)
    with pytest.raises(ValueError, match="labels"):
        Dates(labels=(), timeline=strategy.timeline)


# --- shift ----------------------------------------------------------------------------------------


@given(st.lists(DAYS, min_size=2, max_size=8))
def test_a_shift_keeps_every_interval_to_the_day(days: list[dt.date]) -> None:
    out = in_text(SHIFT, " ".join(f"«DATE:{d:%d/%m/%Y}»" for d in days))
    moved = [day(text) for text in out]
    assert {new - old for new, old in zip(moved, days, strict=True)} == {moved[0] - days[0]}
    assert moved[0] != days[0]


@pytest.mark.parametrize("note", ["28/02/2020", "29/02/2020", "01/03/2020", "31/12/2019"])
def test_a_shift_crosses_leap_days_and_year_ends(note: str) -> None:
    for offset in (1, -1, 59, -366, 366):
        strategy = Dates(labels=ALL, timeline=Shift(days=366, offset=offset))
        (out,) = in_text(strategy, f"«DATE:{note}»")
        assert day(out) - day(note) == dt.timedelta(days=offset)


@pytest.mark.parametrize(
    "text",
    ["12/10/2019", "18#10#2019", "12.10.19", "2019-10-12", "15 octobre 2019", "12 / 11", "2007",
     "11/2019", "12-16/10/2020", "samedi 12 octobre", "15 OCTOBRE 2019", "20191012"],
)  # fmt: skip
def test_a_shift_keeps_the_form(text: str) -> None:
    def form(date: str) -> str:
        digits = re.sub(r"\d+", lambda m: "9" * len(m[0]), date)
        return re.sub(r"[a-zéûè]+", "mot", re.sub(r"[A-ZÉÛÈ]{2,}", "MOT", digits))

    for key in (b"a" * 32, b"b" * 32, b"c" * 32):
        (out,) = in_text(SHIFT, f"«DATE:{text}»", key=key)
        longer = re.sub(r"\b(\d)(?= |er )", r"9\1", out).replace("1er", "91")
        assert form(longer) == form(text) or "-" in text


def test_the_caller_may_give_the_shift_of_a_patient() -> None:
    note = "né le «BIRTH_DATE:12/03/1955», vu le «DATE:01/02/2020»"
    given_here = released(SHIFT, note, "rien", dates=(NOTED, NOTED), date_shift=-90)
    assert {s.value for s in given_here if s.mention.where == "note_date"} == {
        NOTED - dt.timedelta(days=90)
    }
    assert in_text(METRIC, note, date_shift=-90) == in_text(METRIC, note)


def test_the_end_of_a_range_is_what_a_note_is_read_against() -> None:
    """Where no other date is whole; "mercredi 6" was read in the month of e0."""
    note = (
        "du «DATE:lundi 4 au vendredi 8 janvier 2021», sous surveillance, examen «DATE:mercredi 6»"
    )
    for n in range(8):
        first, day = (s.value for s in released(SHIFT, note, dates=(None,), key=bytes([n]) * 32))
        assert isinstance(first, dt.date)
        assert isinstance(day, dt.date)
        assert (day - first).days == 2


def test_a_bare_day_continues_no_season() -> None:
    note = "Vu le «DATE:08/01/2021». Malade depuis l'«DATE:hiver 2010», examen «DATE:mercredi 6»"
    for n in range(8):
        seen, _, day = (s.value for s in released(SHIFT, note, dates=(None,), key=bytes([n]) * 32))
        assert isinstance(seen, dt.date)
        assert isinstance(day, dt.date)
        assert (seen - day).days == 2


def test_the_first_day_of_a_range_or_list_takes_the_month_of_the_last() -> None:
    seen = "Vu le «DATE:09/11/2020». "
    for n in range(30):
        key = bytes([n]) * 32
        for note, apart in (
            ("du «DATE:14» au «DATE:30 novembre»", 16),
            ("les «DATE:3» et «DATE:24 mai 2021»", 21),
            ("du «DATE:3 janvier» au «DATE:28 décembre 2020»", 360),
            ("du «DATE:10» au «DATE:3 mai 2021»", 23),
            ("le «DATE:3 mai 2021», puis le «DATE:24»", 21),
            ("le «DATE:16» ou le «DATE:14 mai 2021»", -2),
            ("le «DATE:28/01/2021», puis le «DATE:3»", 6),
        ):
            first, last = released(SHIFT, seen + note, key=key)[-2:]
            assert isinstance(first.value, dt.date)
            assert isinstance(last.value, dt.date)
            assert (last.value - first.value).days == apart, note


@pytest.mark.parametrize(
    ("note", "out"),
    [
        ("opéré en «DATE:94»", "92"),
        ("opéré en «DATE:03»", "01"),
        ("fin «DATE:12», récidive", "10"),
        ("depuis «DATE:98»", "96"),
        ("vu le «DATE:03»", "04"),  # a day of March 2021, and of a year with a 29 February
    ],
)
def test_two_digits_are_a_year_where_no_day_can_stand(note: str, out: str) -> None:
    first, _ = in_text(SHIFT, f"{note}, puis vu le «DATE:12/03/2021»", date_shift=-730)
    assert first == out


def test_a_birth_in_two_digits_is_a_year() -> None:
    births = released(SHIFT, "née en «BIRTH_DATE:48», fils né en «BIRTH_DATE:02»", dates=(NOTED,))
    years = [s.value.year for s in births if isinstance(s.value, dt.date)][-2:]
    assert all(abs(year - true) <= 5 for year, true in zip(years, (1948, 2002), strict=True))


@pytest.mark.parametrize(("shift", "out"), [(-700, "années 80"), (-3_650, "années 70")])
def test_a_decade_is_that_of_its_shifted_middle(shift: int, out: str) -> None:
    decade, _ = in_text(SHIFT, "«DATE:années 80», vu le «DATE:12/03/2021»", date_shift=shift)
    assert decade == out


def test_a_shift_keeps_every_day_of_a_newborns_life() -> None:
    note = (
        "Née le «BIRTH_DATE:03/05/2021», entrée le «DATE:03/05/2021», ictère le «DATE:05/05/2021», "
        "vue à «AGE:24 jours»"
    )
    for n in range(40):
        key = bytes([n]) * 32
        *written, age = in_text(SHIFT, note, dates=(dt.date(2021, 5, 27),), key=key)
        birth, entry, sign = (dt.date(*map(int, reversed(day.split("/")))) for day in written)
        assert birth == entry != dt.date(2021, 5, 3)
        assert (sign - birth).days == 2
        assert age == "24 jours"


def test_two_given_shifts_in_one_record_are_refused() -> None:
    record, mentions = record_of("rien", "rien", dates=(NOTED, NOTED), date_shift=-90)
    documents = (record.documents[0], replace(record.documents[1], date_shift=-91))
    with pytest.raises(ValueError, match="date_shift"):
        SHIFT.substitute(mentions, replace(record, documents=documents), context())


def test_a_shift_recomputes_the_weekday() -> None:
    strategy = Dates(labels=ALL, timeline=Shift(days=30, offset=1))
    assert in_text(strategy, "«DATE:lundi 7 juin 2021», «DATE:lundi», «DATE:lundis»") == [
        "mardi 8 juin 2021",
        "mardi",
        "lundis",
    ]


@pytest.mark.parametrize(
    ("offset", "out"),
    [
        (1, "du 4 au 8 mai 2021, 13-17/05/2021"),
        (26, "du 29 mai au 2 juin 2021, 07-11/06/2021"),
        (-124, "du 30 décembre 2020 au 3 janvier 2021, 08-12/01/2021"),
        (-136, "du 18 au 22 décembre 2020, 27-31/12/2020"),
        (17, "du 20 au 24 mai 2021, 29/05-02/06/2021"),
    ],
)
def test_a_range_gets_two_months_when_it_has_two(offset: int, out: str) -> None:
    strategy = Dates(labels=ALL, timeline=Shift(days=365, offset=offset))
    note = "du «DATE:3» au «DATE:7 mai 2021», «DATE:12-16/05/2021»"
    assert rewritten(strategy, note) == [out]
    assert rewritten(strategy, note.replace("«DATE:3» au", "«DATE:3 au»")) == [out]


@EVERY
@pytest.mark.parametrize("note", ["«DATE:3» au «DATE:7 mai 2021»", "«DATE:3 au» «DATE:7 mai 2021»"])
def test_the_ends_of_a_range_stay_in_order_and_under_a_shift_as_far_apart(
    strategy: Dates, note: str
) -> None:
    for n in range(40):
        given_here = released(strategy, note, key=bytes([n]) * 32)
        start, end = (s.value for s in given_here if s.mention.where == "text")
        assert isinstance(start, dt.date)
        assert isinstance(end, dt.date)
        assert start <= end
        assert strategy is not SHIFT or end - start == dt.timedelta(days=4)


def test_days_of_a_list_share_the_month_that_ends_it() -> None:
    strategy = Dates(labels=ALL, timeline=Shift(days=365, offset=-14))
    note = "les «DATE:12», «DATE:14» et «DATE:16 mars»"
    assert rewritten(strategy, note) == ["les 26, 28 février et 2 mars"]


def test_a_bare_day_continues_the_date_before_it() -> None:
    strategy = Dates(labels=ALL, timeline=Shift(days=365, offset=1))
    note = "dicté le «DATE:13/11/2020», tapé le «DATE:14»"
    given_here = [s.value for s in released(strategy, note) if s.mention.where == "text"]
    assert given_here == [dt.date(2020, 11, 14), dt.date(2020, 11, 15)]


def test_a_bare_day_does_not_continue_a_birth() -> None:
    strategy = Dates(labels=ALL, timeline=Shift(days=365, offset=-1))
    note = "né le «BIRTH_DATE:27/07/1943», vu «DATE:lundi 7», «DATE:8»"
    values = [s.value for s in released(strategy, note) if s.mention.label is Label.DATE]
    assert values[1:] == [dt.date(2021, 6, 6), dt.date(2021, 6, 7)]


def test_a_note_without_a_date_is_read_against_its_latest_full_date() -> None:
    strategy = Dates(labels=ALL, timeline=Shift(days=365, offset=1))
    note = "Vu le «DATE:20/12», opéré le «DATE:05/01/2018»"
    values = [s.value for s in released(strategy, note, dates=())]
    assert values == [dt.date(2017, 12, 21), dt.date(2018, 1, 6)]


@EVERY
def test_a_note_without_a_date_may_begin_with_an_appointment_after_e0(strategy: Dates) -> None:
    note = "prochain rendez-vous le «DATE:12/03/2032», vu le «DATE:03/02/2029»"
    then, seen = (s.value for s in released(strategy, note, dates=(None,)))
    assert isinstance(then, dt.date)
    assert isinstance(seen, dt.date)
    assert seen < then


# --- what cannot be read --------------------------------------------------------------------------


@EVERY
@pytest.mark.parametrize(
    "text",
    ["30 février", "30/02/1950", "12/03/20232", "12/03/1582", "00/00/1950", "un jour", "31/04"],
)
def test_what_cannot_be_read_has_no_surrogate(strategy: Dates, text: str) -> None:
    assert in_text(strategy, f"le «DATE:{text}»") == []
    assert in_text(strategy, f"né le «BIRTH_DATE:{text}»") == []
    assert in_text(strategy, "«AGE:vieux»") == []


@EVERY
@pytest.mark.parametrize("known", ["1999-02-30", "pas une date", "2035-01-01", "1540-03-12", ""])
def test_contradictory_facts_leave_nothing_as_it_was(strategy: Dates, known: str) -> None:
    """A birth after the note, an operation before the birth, another age: all of it moves."""
    note = (
        "né le «BIRTH_DATE:12/03/2030», puis le «BIRTH_DATE:12/03/1955», «AGE:40 ans», "
        "opéré le «DATE:01/01/1940», revu le «DATE:12/03/2035»"
    )
    facts = {Label.BIRTH_DATE: (known,)}
    given_here = [s for s in released(strategy, note, known=facts) if s.mention.where == "text"]
    assert len(given_here) == 5
    for s in given_here:
        if s.mention.label is Label.AGE:
            assert 0 <= int(s.text.split()[0]) <= 120
        elif strategy is SHIFT:
            assert s.text != s.mention.text


@EVERY
@given(st.text(min_size=1, max_size=30).filter(lambda t: t.strip() and not set(t) & set("«»")))
def test_no_span_breaks_a_record(strategy: Dates, text: str) -> None:
    out = released(strategy, f"le «DATE:{text}», né le «BIRTH_DATE:{text}», «AGE:{text}»")
    assert all(s.text and s.text != "None" for s in out)


_MENTIONS = st.sampled_from(
    (
        "«DATE:12/03/2019»",
        "«DATE:12/03»",
        "«DATE:14»",
        "«DATE:mars 2019»",
        "«DATE:lundi»",
        "«DATE:10-12/06/2021»",
        "«DATE:01/01/2035»",
        "«BIRTH_DATE:12/03/1955»",
        "«BIRTH_DATE:12/03»",
        "«AGE:66 ans»",
        "«AGE:3 jours»",
    )
)


@EVERY
@given(
    st.lists(st.lists(_MENTIONS, max_size=5), min_size=1, max_size=4),
    st.lists(st.none() | DAYS, min_size=4, max_size=4),
)
def test_every_mix_of_notes_is_released(
    strategy: Dates, notes: list[list[str]], dates: list[dt.date | None]
) -> None:
    texts = [" ".join(note) for note in notes]
    record, mentions = record_of(*texts, dates=dates[: len(texts)])
    out = list(strategy.substitute(mentions, record, context()))
    unread = {"12/03"}  # a birthday alone says no birth
    expected = [m for m in mentions if m.label is not Label.BIRTH_DATE or m.text not in unread]
    answered = [s.mention for s in out]
    assert len(set(map(id, answered))) == len(answered)
    if strategy is SHIFT:
        assert {id(m) for m in expected} <= {id(m) for m in answered}


def test_a_record_of_very_many_mentions_takes_linear_time() -> None:
    def work(count: int) -> Work:
        record, mentions = record_of(" ".join(["«DATE:14»"] * count))
        return lambda: list(SHIFT.substitute(mentions, record, context()))

    assert growth(work, 1000) <= LIMIT


# --- births and ages ------------------------------------------------------------------------------


@EVERY
def test_ages_agree_with_the_surrogate_birth_and_note_dates(strategy: Dates) -> None:
    notes = (
        "né le «BIRTH_DATE:12/03/1955», «AGE:66 ans»",
        "née en «BIRTH_DATE:1955», «AGE:67 ans»",
    )
    given_here = released(strategy, *notes, dates=(NOTED, dt.date(2022, 4, 1)))
    heads = {s.mention.document: s.value for s in given_here if s.mention.where == "note_date"}
    births = {s.value for s in given_here if s.mention.label is Label.BIRTH_DATE}
    assert len(births) == 1
    (birth,) = births
    for s in given_here:
        if s.mention.label is Label.AGE:
            then = heads[s.mention.document]
            assert isinstance(then, dt.date)
            assert isinstance(birth, dt.date)
            years = then.year - birth.year - ((then.month, then.day) < (birth.month, birth.day))
            assert s.text == f"{min(max(years, 0), 120)} ans"


def test_one_person_is_one_birth_and_one_charge() -> None:
    note = "né le «BIRTH_DATE:12/03/1955» («BIRTH_DATE:12.3.55»), «AGE:66 ans», «AGE:66a»"
    given_here = released(METRIC, note)
    charges = {c for s in given_here if s.mention.where == "text" for c in s.charges}
    births = {c for c in charges if c.mechanism == BIRTH}
    assert len(births) == 1


def test_the_hospitals_birth_date_is_the_event() -> None:
    known = {Label.BIRTH_DATE: ("1955-03-12",)}
    from_facts = released(METRIC, "«AGE:66 ans»", known=known)
    from_text = released(METRIC, "né le «BIRTH_DATE:12/03/1955», «AGE:66 ans»", known=known)
    assert from_facts[-1].text == from_text[-1].text
    assert set(from_facts[-1].charges) == set(from_text[-1].charges)


def test_another_age_is_another_birth() -> None:
    note = "né le «BIRTH_DATE:12/03/1955», «AGE:66 ans», sa mère «AGE:91 ans»"
    given_here = released(METRIC, note)
    births = {c for s in given_here for c in s.charges if c.mechanism == BIRTH}
    assert len(births) == 2


def test_a_relative_has_a_birth_of_her_own() -> None:
    record, mentions = record_of("«AGE:66 ans», sa sœur «AGE:66 ans»")
    sister = mentions[-1]
    relative = Span(sister.span.start, sister.span.end, Label.AGE, role=Role.RELATIVE)
    mentions[-1] = Mention(sister.document, relative, sister.text)
    given_here = list(METRIC.substitute(mentions, record, context()))
    births = [{c.event for c in s.charges} for s in given_here if s.mention.label is Label.AGE]
    assert len(births[0] & births[1]) == 1  # the note date alone is shared


@EVERY
@given(st.integers(0, 120))
def test_surrogate_ages_are_human(strategy: Dates, years: int) -> None:
    (out,) = in_text(strategy, f"«AGE:{years} ans»")
    assert 0 <= int(out.split()[0]) <= 120


def test_a_birth_moves_apart_from_the_other_dates() -> None:
    moves = set()
    for n in range(12):
        key = bytes([n]) * 32
        given_here = released(SHIFT, "né le «BIRTH_DATE:12/03/1955», vu «DATE:01/02/2020»", key=key)
        birth, seen = (s.value for s in given_here if s.mention.where == "text")
        assert isinstance(birth, dt.date)
        assert isinstance(seen, dt.date)
        moves.add((birth - dt.date(1955, 3, 12)) == (seen - dt.date(2020, 2, 1)))
    assert False in moves


# --- privacy --------------------------------------------------------------------------------------


def test_every_draw_is_charged_once() -> None:
    note = "«DATE:12/03/2019», «DATE:12/3/19», «DATE:mars 2019», «DATE:14-16/05/2020»"
    charges = {c for s in released(METRIC, note) for c in s.charges}
    assert len(charges) == 5  # the note date, a day, a month, two ends of a range
    assert {c.loss for c in charges} == {EpsilonPerStep(PER_STEP)}


def test_a_date_is_charged_by_the_table_of_what_its_words_say_it_is() -> None:
    """The first of all, a stay, an appointment, the history, a month; each has a noise of its own.

    A gap is that of the date further away from the first one: the note.
    """
    note = (
        "«DATE:02/02/2015», en «DATE:mars 2019», hospitalisée du «DATE:03/05/2021» au "
        "«DATE:07/05/2021», à revoir le «DATE:12/07/2021»"
    )
    mode = METRIC.timeline
    assert isinstance(mode, Metric)
    noises = {str(mode.noise(role)): role for role in (GapRole.FIRST, *CURVES, GapRole.ROUGH)}
    by_text = {
        s.mention.text: noises[charge.mechanism]
        for s in released(METRIC, note)
        for charge in s.charges
    }
    assert by_text == {
        "2021-06-10": GapRole.FIRST,
        "07/05/2021": GapRole.STAY,  # from the end of the stay to its note
        "03/05/2021": GapRole.STAY,
        "02/02/2015": GapRole.BEFORE,
        "mars 2019": GapRole.ROUGH,
        "12/07/2021": GapRole.AHEAD,
    }


def test_days_within_a_stay_are_told_more_exactly_than_the_history() -> None:
    """Under any key the noise is in proportion to the gap: hours here, months there."""
    note = "opéré le «DATE:10/06/2017», hospitalisé du «DATE:03/06/2021» au «DATE:07/06/2021»"
    stays, history = [], []
    for n in range(100):
        head, operated, entered, left = (
            s.value for s in released(METRIC, note, key=bytes([n]) * 32)
        )
        assert isinstance(head, dt.date)
        assert isinstance(operated, dt.date)
        assert isinstance(entered, dt.date)
        assert isinstance(left, dt.date)
        stays += [abs((left - entered).days - 4), abs((head - left).days - 3)]
        history.append(abs((entered - operated).days - 1_454))
    assert median(stays) <= 2
    assert 100 < median(history) < 1_000


def test_births_and_dates_share_one_secret_shift_towards_the_past() -> None:
    mode = METRIC.timeline
    assert isinstance(mode, Metric)
    shifting = Dates(labels=ALL, timeline=replace(mode, shift_days=3_650))
    moves, apart = [], []
    for n in range(60):
        given_here = released(shifting, "né le «BIRTH_DATE:12/03/1955»", key=bytes([n]) * 32)
        seen, born = (s.value for s in given_here)
        assert isinstance(seen, dt.date)
        assert isinstance(born, dt.date)
        moves.append((seen - NOTED).days)
        apart.append(abs((born - dt.date(1955, 3, 12)).days - moves[-1]))
    assert max(moves) < 150  # the noise of the first date, of 20 days, alone
    assert -3_800 < min(moves) < -3_000
    assert abs(median(moves) + 1_825) < 600
    assert median(apart) < 400  # the noise of the birth, of 200 days


def test_over_the_cap_nothing_is_released() -> None:
    timeline = Metric(epsilon_per_day=Fraction(1, 2), cap=3)
    note = " ".join(f"«DATE:1{n}/03/2018»" for n in range(9))
    assert len(in_text(Dates(labels=ALL, timeline=timeline), note)) == 2


def test_the_original_may_be_drawn() -> None:
    timeline = Metric(epsilon_per_day=Fraction(1, 2), cap=5)
    strategy = Dates(labels=ALL, timeline=timeline)
    drawn = {in_text(strategy, "«DATE:09/06/2021»", key=bytes([n]) * 32)[0] for n in range(40)}
    assert "09/06/2021" in drawn
    assert len(drawn) > 1


def test_under_dp_padding_abbreviations_and_glue_do_not_follow_the_value() -> None:
    pairs = [
        ("3/4/2019", "03/04/2019"),
        ("1er mai 2019", "1 mai 2019"),
        ("12 nov. 2019", "12 novembre 2019"),
    ]
    for one, other in pairs:
        assert in_text(METRIC, f"«DATE:{one}»") == in_text(METRIC, f"«DATE:{other}»")


@EVERY
@given(st.integers(0, 255))
def test_a_range_keeps_its_order(strategy: Dates, seed: int) -> None:
    note = "«DATE:12/03/2019-14/03/2019»"
    (out,) = in_text(strategy, note, key=bytes([seed]) * 32)
    ends = [day(text) for text in re.split("-| au ", out)]
    assert ends == sorted(ends)
    assert len(ends) == 2 or strategy is not SHIFT


@EVERY
@given(
    st.integers(0, 255),
    st.lists(st.dates(dt.date(2000, 1, 1), dt.date(2029, 12, 31)), min_size=1, max_size=4),
)
def test_no_note_is_dated_after_e0(strategy: Dates, seed: int, dates: list[dt.date]) -> None:
    notes = ["rien"] * len(dates)
    given_here = released(strategy, *notes, dates=sorted(dates), key=bytes([seed]) * 32)
    assert all(s.value <= context().e0 for s in given_here)  # type: ignore[operator]


@pytest.mark.parametrize("labels", [ALL, (Label.DATE,), (Label.BIRTH_DATE, Label.AGE)])
def test_guarantees_name_the_labels_they_serve(labels: tuple[Label, ...]) -> None:
    for strategy in (SHIFT, METRIC, PAPER):
        entries = Dates(labels=labels, timeline=strategy.timeline).guarantees()
        assert {label for entry in entries for label in entry.labels} == set(labels)
    losses = {type(entry.loss) for entry in SHIFT.guarantees()}
    assert losses == {NoGuarantee}
    assert {(type(entry.loss), entry.labels) for entry in METRIC.guarantees()} == {
        (EpsilonPerStep, (Label.DATE,)),
        (EpsilonPerStep, (Label.BIRTH_DATE, Label.AGE)),
    }


def test_charges_are_of_the_mechanisms_that_were_announced() -> None:
    note = "né le «BIRTH_DATE:12/03/1955», le «DATE:12/03/2019»"
    for strategy in (SHIFT, METRIC, PAPER):
        announced = {entry.mechanism for entry in strategy.guarantees()}
        assert {c.mechanism for s in released(strategy, note) for c in s.charges} <= announced


def test_many_notes_stay_in_order_under_a_shift() -> None:
    dates = [dt.date(2015 + n, 3, 1) for n in range(6)]
    heads = [s.value for s in released(SHIFT, *["rien"] * 6, dates=dates)]
    assert all(a < b for a, b in pairwise(heads))  # type: ignore[operator]


@pytest.mark.parametrize("strategy", [SHIFT, METRIC])
def test_weekdays_of_habits_stay(strategy: Dates) -> None:
    note = "tous les «DATE:lundis», chaque «DATE:jeudi», les «DATE:mardis», vu le «DATE:12/03/2021»"
    given = {s.mention.text: s.text for s in surrogates(strategy, note)}
    day = given.pop("12/03/2021")
    assert given == {"lundis": "lundis", "jeudi": "jeudi", "mardis": "mardis"}
    assert day != "12/03/2021"


@pytest.mark.parametrize("between", [", ", " (", " - ", " ", ", soit le ", ", le "])
@pytest.mark.parametrize(("feast", "case"), [("Pâques", str.lower), ("LUNDI DE PÂQUES", str.upper)])
def test_a_feast_beside_its_date_is_a_weekday(
    between: str, feast: str, case: Callable[[str], str]
) -> None:
    day = "31/03/2024" if feast == "Pâques" else "01/04/2024"
    first, second = surrogates(METRIC, f"Vue à «DATE:{feast}»{between}«DATE:{day}»")
    assert first.value == second.value
    assert first.text == case(WEEKDAYS[first.value.weekday()])


def test_a_feast_alone_is_a_day_of_its_month() -> None:
    first, second = surrogates(METRIC, "Vue à «DATE:Pâques 2024», revue le «DATE:12/06/2024»")
    assert re.search(r"\d", first.text)
    assert first.value != second.value


def test_a_feast_behind_its_date_is_a_weekday() -> None:
    day, feast = surrogates(METRIC, "Vue le «DATE:25/12/2023» («DATE:Noël»), sortie à «AGE:4 ans»")[
        :2
    ]
    assert day.value == feast.value
    assert feast.text.endswith("di") or feast.text == "Dimanche"
