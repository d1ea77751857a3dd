"""Dates that kept words tie together stay tied, whatever the days were, and cost nothing."""

from __future__ import annotations

import datetime as dt

import pytest

from dpdeid.document import Mention
from dpdeid.labels import Label
from dpdeid.substitute.dates.births import read_births
from dpdeid.substitute.dates.reading import read_dates
from dpdeid.substitute.dates.told import read_told
from tests.substitute.making import context, dates, marked, surrogates

NOTE = "Note du «DATE:20/06/2020». "
YEARS = range(5_479, 5_662)
TIED = {
    "Opéré le «DATE:12/03/2005» (il y a 15 ans).": (1, 0, YEARS),
    "Il y a quinze ans, le «DATE:12/03/2005», opéré.": (1, 0, YEARS),
    "Fracture il y a 3 semaines (le «DATE:30/05»).": (1, 0, range(21, 25)),
    "Contrôle dans 6 semaines, le «DATE:03/08».": (0, 1, range(42, 46)),
    "Vu hier, le «DATE:19/06».": (1, 0, [1]),
    "À revoir demain «DATE:dimanche 21/06».": (0, 1, [1]),
    "Opéré le «DATE:02/06/2020» (J0). Redon retiré à J5 («DATE:07/06»).": (1, 2, [5]),
    "J1 «DATE:13/03», J8 «DATE:20/03».": (1, 2, [7]),
    "«DATE:13/03» J1, «DATE:20/03» J8.": (1, 2, [7]),
    "Le «DATE:14/06» (J+5), bloc le «DATE:09/06» (J0).": (2, 1, [5]),
    "Fièvre le «DATE:14/06», partie le lendemain («DATE:15/06»).": (1, 2, [1]),
    "Intervention le «DATE:4 mai», entrée la veille («DATE:3 mai»).": (2, 1, [1]),
    "Admis le «DATE:04/05». Malaise le «DATE:03/05», veille de son admission.": (2, 1, [1]),
    "Opéré le «DATE:4 mai», contrôle à 48h, le «DATE:6 mai».": (1, 2, [2]),
    "DDR «DATE:12/01/2020», 22+6 SA.": (1, 0, [160]),
    "Drainage le «DATE:09/05». J+2 du drainage («DATE:11/05»).": (1, 2, [2]),
    "Greffe le «DATE:12/03/2018». Un an après la greffe, le «DATE:14/03/2019», bilan.": (
        1,
        2,
        range(360, 560),
    ),
    "PTH le «DATE:04/05/2020». J+4 («DATE:08/05/2020») : marche.": (1, 2, [4]),
    "Colectomie le «DATE:04/05/2020». Sortie le «DATE:09/05», J5.": (1, 2, [5]),
    "Entrée en salle de naissance le «DATE:14/06» à 39 SA + 1, césarienne le «DATE:16/06» à 39 SA"
    " + 3.": (1, 2, [2]),
    "Vue le «DATE:11/06» pour MAP, soit 31 SA. Écho à 29 SA + 1 le «DATE:29/05».": (
        2,
        1,
        [*range(13, 20)],
    ),
    "26+3 SA ce jour, terme le «DATE:30/09/2020».": (0, 1, [102]),
    "DDR «DATE:12/01/2020». DPA : «DATE:25/10/2020».": (1, 2, [287]),
    "Terme prévu le «DATE:25/10/2020», écho à 32 SA, le «DATE:26/08/2020».": (2, 1, range(57, 64)),
}
"""A note, and how many days its n-th date comes before another."""


@pytest.mark.parametrize("policy", ["dp", "dp-strict"])
@pytest.mark.parametrize("text", TIED)
def test_what_words_tell_is_true_of_the_surrogates(policy: str, text: str) -> None:
    first, last, apart = TIED[text]
    for key in range(12):
        found = surrogates(dates(policy), NOTE + text, key=key.to_bytes(32, "big"))
        days = [s.value for s in found]
        assert (days[last] - days[first]).days in apart  # type: ignore[operator]
        assert sum(not s.charges for s in found) == 1, "what is told is not drawn"


@pytest.mark.parametrize("policy", ["dp", "dp-strict"])
def test_a_year_comes_out_as_long_ago_as_is_said(policy: str) -> None:
    off = 0
    for key in range(100):
        text = NOTE + "Diabète depuis 15 ans («DATE:2005»)."
        note, year = surrogates(dates(policy), text, key=key.to_bytes(32, "big"))
        assert isinstance(note.value, dt.date)
        apart = note.value.year - int(year.text)
        assert 14 <= apart <= 16
        off += apart == 14 or (apart == 16 and note.value.month > 3)
    assert off <= 8  # a year comes out one too near under one key in twenty-five


@pytest.mark.parametrize("policy", ["dp", "dp-strict"])
def test_words_are_taken_for_true_and_the_day_is_not_looked_at(policy: str) -> None:
    """Days of one order, which the words fit or not, come out alike but for what is drawn."""
    told = [
        surrogates(dates(policy), NOTE + f"Opéré le «DATE:{day}» (il y a 15 ans).")
        for day in ("12/03/2005", "12/03/2019", "01/01/1970")
    ]
    for note, day in told:
        assert (note.value - day.value).days in YEARS  # type: ignore[operator]


def read(text: str, *replaced: Label) -> dict[str, tuple[str, int, int]]:
    record, mentions = marked(text)
    dated = [m for m in mentions if m.label in (Label.DATE, Label.BIRTH_DATE)]
    hidden = [m for m in mentions if m in dated or m.label in replaced]
    reads, against = read_dates(dated, record, dt.date(2030, 1, 1))
    births = read_births(record, reads, (), against)
    found = read_told(record, reads, births, against, hidden)
    return {name: tuple(ties[0]) for name, ties in found.items()}


def test_what_is_replaced_tells_nothing() -> None:
    text = NOTE + "Opéré le «DATE:12/03/2005» («DURATION:il y a 15 ans»)."
    assert read(text)
    assert not read(text, Label.DURATION)
    age = NOTE + "Opéré il y a «AGE:15 ans» («DATE:12/03/2005»)."
    assert read(age)
    assert not read(age, Label.AGE)
    given = surrogates(dates("dp"), age)
    assert {s.mention.label for s in given if s.charges} >= {Label.AGE}, "nor to the strategy"


@pytest.mark.parametrize(
    "text",
    [
        NOTE + "Vu hier, le «DATE:20/06/2020».",  # the date of the note itself
        NOTE + "Surveillance J3 («DATE:23/06»).",  # of which nobody knows the day J0
        NOTE + "Né le «BIRTH_DATE:12/03/1960». Le lendemain («DATE:13/06») fièvre.",
        NOTE + "AVB à 39 SA le «DATE:03/05/2016», puis à 38 SA le «DATE:01/02/2018».",
        NOTE + "Chute le «DATE:01/06»." + " mot" * 20 + " Le lendemain («DATE:13/06») fièvre.",
        "Hospitalisé hier «DATE:12/03».",  # without any year
    ],
)
def test_what_ties_no_dates(text: str) -> None:
    assert not {name: one for name, one in read(text).items() if one[0] != "2020-06-20/day"}
    assert "2020-06-20/day" not in read(text)


def test_the_first_words_count_for_a_date_that_is_told_twice() -> None:
    text = NOTE + "Vu hier, le «DATE:19/06/2020». Opéré le «DATE:19/06/2020» (il y a 3 jours)."
    assert read(text) == {"2020-06-19/day": ("2020-06-20/day", -1, -1, 0)}


def test_words_that_contradict_the_order_of_dates_tie_nothing() -> None:
    text = NOTE + "Revu demain, le «DATE:12/03/2020»."
    for key in range(12):
        found = surrogates(dates("dp"), text, key=key.to_bytes(32, "big"))
        assert found[1].value < found[0].value  # type: ignore[operator]
        assert all(s.charges for s in found)


@pytest.mark.parametrize("policy", ["aphp", "hnfc"])
def test_a_shift_and_the_published_chain_read_no_words(policy: str) -> None:
    plain = NOTE + "Opéré le «DATE:12/03/2019» avec succès."
    told = NOTE + "Opéré le «DATE:12/03/2019» (il y a 15 ans)."
    found = [[s.text for s in surrogates(dates(policy), text)] for text in (plain, told)]
    assert found[0] == found[1]


def test_a_strategy_is_told_what_is_replaced() -> None:
    """Beside its own mentions, which it always has."""
    record, mentions = marked(NOTE + "Opéré le «DATE:12/03/2005» («DURATION:il y a 15 ans»).")
    own: list[Mention] = [m for m in mentions if m.label is Label.DATE]
    bare = context()
    hidden = type(bare)(bare.streams, bare.e0, mentions=tuple(mentions))
    charges = [
        [bool(s.charges) for s in dates("dp").substitute(own, record, known)]
        for known in (bare, hidden)
    ]
    assert charges == [[True, False], [True, True]]


def test_days_are_counted_from_the_operation_and_not_from_an_act_of_its_course() -> None:
    text = (
        NOTE
        + "Opéré le «DATE:04/05». J3 («DATE:07/05»). Drainage le «DATE:09/05». J8 («DATE:12/05»)."
    )
    assert read(text)["2020-05-12/day"][:3] == ("2020-05-07/day", 5, 5)
    text = text.replace("Drainage", "Réopéré").replace("Réopéré", "Opéré").replace("J8", "J3")
    assert read(text)["2020-05-12/day"][:3] == ("2020-05-09/day", 3, 3)


LONG = " ".join(f"Vu le «DATE:{day:02}/06/2024»." for day in range(1, 29, 2))
"""So many dates that words tie only those next to each other, and what has a clock of its own."""


@pytest.mark.parametrize("policy", ["dp", "dp-strict"])
def test_a_pregnancy_has_one_clock_in_a_long_history_too(policy: str) -> None:
    text = (
        "Le «DATE:20/07/2024»\n"
        "DDR «DATE:01/11/2023», terme le «DATE:14/08/2024». Test le «DATE:2 décembre», à 4 SA + 3"
        " : positif. Datation le «DATE:28/12» (8 SA + 1). T2 le «DATE:03/04», 22 SA + 0 : normale. "
        f"{LONG} Le «DATE:10/07», à 36 SA + 0, rupture des membranes."
    )
    for key in range(8):
        given = surrogates(dates(policy), text, key=key.to_bytes(32, "big"))
        _, first, term, test, scan, second, *_, last = [s.value for s in given]
        assert isinstance(first, dt.date)
        away = [
            (d - first).days for d in (term, test, scan, second, last) if isinstance(d, dt.date)
        ]
        assert away == [287, 31, 57, 154, 252]


@pytest.mark.parametrize("policy", ["dp", "dp-strict"])
@pytest.mark.parametrize(
    "born",
    [
        "Née le «BIRTH_DATE:28/05/2024», Apgar 9.",
        "Le «DATE:28/05/2024», vers midi, naissance par voie basse d'une fille.",
    ],
)
def test_so_have_the_days_of_a_newborn(policy: str, born: str) -> None:
    text = f"{born} Guthrie à J3 («DATE:31/05/2024»), sortie le «DATE:28/06/2024» (J31). {LONG}"
    for key in range(8):
        first, third, last, *_ = [
            s.value for s in surrogates(dates(policy), text, key=key.to_bytes(32, "big"))
        ]
        assert isinstance(first, dt.date)
        assert isinstance(third, dt.date)
        assert isinstance(last, dt.date)
        assert ((third - first).days, (last - first).days) == (3, 31)


COURSES = (
    "Carboplatine toutes les 3 semaines. C1 J1 : «DATE:08/01/2024». C2 : «DATE:29/01/2024». "
    "Fièvre à C2 J8 («DATE:05/02/2024»). C4 le «DATE:11/03/2024»."
)


@pytest.mark.parametrize("policy", ["dp", "dp-strict"])
@pytest.mark.parametrize("around", ["", LONG])
def test_courses_lie_as_far_apart_as_words_say(policy: str, around: str) -> None:
    for key in range(8):
        text = f"{COURSES} {around}"
        given = surrogates(dates(policy), text, key=key.to_bytes(32, "big"))[:4]
        days = [s.value.toordinal() for s in given if isinstance(s.value, dt.date)]
        assert days[1] - days[0] in range(20, 24)
        assert days[2] - days[1] == 7
        assert days[3] - days[1] in range(41, 46)


def test_a_course_that_was_put_off_is_not_tied() -> None:
    told = read(COURSES.replace("C4 le", "reportée : C4 le"))
    assert "2024-03-11/day" not in told
    assert told["2024-02-05/day"][:3] == ("2024-01-29/day", 7, 7)


@pytest.mark.parametrize(
    "every", ["tous les 28 jours", "/ 4 sem", "5 jours sur 28", "(J1 = J29)", "q28j"]
)
def test_how_often_courses_come_is_told_in_many_ways(every: str) -> None:
    told = read(f"Témozolomide {every} : C1 «DATE:05/01/2023», C2 «DATE:02/02/2023».")
    assert told["2023-02-02/day"][:3] == ("2023-01-05/day", 27, 30)


def test_another_treatment_begins_its_courses_anew() -> None:
    told = read(COURSES + " FOLFIRI : C1 le «DATE:02/09/2024», C2 le «DATE:23/09/2024».")
    assert "2024-09-02/day" not in told
    assert told["2024-09-23/day"][:3] == ("2024-09-02/day", 20, 23)


def test_a_vertebra_is_no_course() -> None:
    assert read(NOTE + "IRM C5-C6 le «DATE:01/06/2020», hernie C6 vue le «DATE:08/06/2020».") == {}


def test_a_list_says_behind_a_day_what_happened_on_it() -> None:
    told = read("«DATE:12/10/2021» – Hémicolectomie droite. Sortie le «DATE:21/10/2021» (J+9).")
    assert told["2021-10-21/day"][:3] == ("2021-10-12/day", 9, 9)


def test_weeks_of_a_sister_are_of_another_pregnancy() -> None:
    text = (
        "Note du «DATE:20/06/2020». Une sœur, Romane, née le «BIRTH_DATE:12/08/2017» à 38 SA. "
        "DDG «DATE:26/09/2019», écho le «DATE:05/03/2020» (25 SA + 0)."
    )
    ties = read(text)
    assert ties["2020-03-05/day"][:3] == ("2019-09-26/day", 161, 161)
    assert "2019-09-26/day" not in ties
