"""A date without its year is of the one that one reads on from, before and after."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import pytest

from dpdeid.french.calendar import MONTHS as MONTH_NAMES
from dpdeid.labels import Label
from dpdeid.privacy.timeline.chain import Chain, _Plan
from dpdeid.substitute.dates.reading import habits, read_dates
from dpdeid.substitute.hidden import compact
from tests.substitute.making import dates, marked, surrogates

NOTE = "Vu le «DATE:14/05/2019». "
POLICIES = ("dp", "dp-strict", "hnfc-strict", "aphp")


def read(text: str) -> list[str]:
    """The days of the dates of a note, without that of its head."""
    record, mentions = marked(text)
    dated = [m for m in mentions if m.label in (Label.DATE, Label.BIRTH_DATE)]
    reads, _ = read_dates(dated, record, dt.date(2030, 1, 1))
    return [day.isoformat() for one in reads[1:] for day in one.days]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        (
            "Accouchement le «DATE:03/04/2016» (voie basse, sortie le «DATE:7 avril»).",
            ["2016-04-03", "2016-04-07"],
        ),
        (
            "Chirurgie le «DATE:05/02/09». RT du «DATE:20 juillet» au «DATE:4 septembre».",
            ["2009-02-05", "2009-07-20", "2009-09-04"],
        ),
        (
            "Infarctus le «DATE:22/11/2010», épreuve le «DATE:3 mars», bilan le «DATE:2/5».",
            ["2010-11-22", "2011-03-03", "2011-05-02"],
        ),
        (
            "\n«DATE:2012» : PTH le «DATE:12 mars», luxation le «DATE:3 février»\n"
            "«DATE:2014» :\n- chute le «DATE:1er juin»",
            ["2012-07-01", "2012-03-12", "2012-02-03", "2014-07-01", "2014-06-01"],
        ),
        (
            "\n«DATE:12/03/2015» | 45\n«DATE:14/04» | 22",
            ["2015-03-12", "2015-04-14"],
        ),
        ("TVP en «DATE:08/2012», séjour du «DATE:02/08».", ["2012-08-15", "2012-08-02"]),
        (
            "Entré le «DATE:21/12/2013» pour fièvre, hémocultures positives à deux germes le "
            "«DATE:26», puis de nouveau, malgré le traitement bien conduit, le «DATE:1er».",
            ["2013-12-21", "2013-12-26", "2014-01-01"],
        ),
        (
            "Séjour du «DATE:20/12/2015» au «DATE:08/01/2016». Opéré le «DATE:22/12», revu le "
            "«DATE:03/02».",
            ["2015-12-20", "2016-01-08", "2015-12-22", "2016-02-03"],
        ),
        (
            "Séjour du «DATE:20 décembre 2015 au 8 janvier 2016». Sonde retirée à «DATE:Noël».",
            ["2015-12-20", "2016-01-08", "2015-12-25"],
        ),
        (  # the month of the note leads nothing behind it, whichever its day
            "En «DATE:mai 2019» fièvre. En «DATE:mai» toux. En «DATE:mars» rhume.",
            ["2019-05-15", "2019-05-15", "2019-03-15"],
        ),
        ("Vaccin le «DATE:18/09», rappel le «DATE:6 janvier».", ["2019-09-18", "2020-01-06"]),
        ("Cure du «DATE:11 octobre» au «DATE:26 novembre».", ["2019-10-11", "2019-11-26"]),
        # what is drawn to the note
        ("PTH le «DATE:12/03/2008». Prochain rendez-vous le «DATE:3 juin».", "2019-06-03"),
        ("PTH le «DATE:12/03/2008». Vu le «DATE:mardi 7 mai».", "2019-05-07"),
        ("PTH en «DATE:2008». Revu le «DATE:3 mai».", "2019-05-03"),
        ("PTH le «DATE:12/03/2008».\n\nDouleurs depuis le «DATE:3 mai».", "2019-05-03"),
        ("Opéré le «DATE:12/03/2019». Contrôle le «DATE:3 juin».", "2019-06-03"),
        # what a birth does not lead, whatever its year
        ("Né le «BIRTH_DATE:07/12/99». Zona («DATE:septembre»).", "2019-09-15"),
        ("Né le «BIRTH_DATE:07/12/00». Zona («DATE:septembre»).", "2019-09-15"),
    ],
)
def test_the_year_is_that_of_the_date_before(text: str, days: list[str] | str) -> None:
    found = read(NOTE + text)
    assert (found if isinstance(days, list) else found[-1]) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("CR du «DATE:28/03/2021». Transfusé les «DATE:3», «DATE:12» et «DATE:24».", "2021-03-03"),
        ("Lettre du «DATE:26/03/2021». Fièvre les «DATE:1er» et «DATE:20».", "2021-03-01"),
        ("Vu le «DATE:28/03/2021». Chute le «DATE:22», scanner le «DATE:24».", "2021-03-22"),
        ("Vu le «DATE:15/01/2021». Chute le «DATE:22/12».", "2020-12-22"),
    ],
)
def test_the_first_date_of_a_note_leads_no_bare_day_behind_it(text: str, days: str) -> None:
    """The next of its number would lie behind the note."""
    assert days in read(text)


FORWARD = [
    "Accouchement le «DATE:03/04/2016» (suites simples, sortie le «DATE:7 avril»).",
    "Chirurgie le «DATE:05/12/09», scanner le «DATE:20 janvier», bilan le «DATE:4 mars».",
    "TVP en «DATE:11/2012», séjour dès le «DATE:28/11», arrêt le «DATE:9/02».",
]


def forward(days: list[dt.date], *, month: bool) -> list[dt.date]:
    """The days as one reads them without their years: each the next of its name."""
    found, least = [days[0]], days[0].replace(day=1) if month else days[0]
    for day in days[1:]:
        same = (day.replace(year=least.year), day.replace(year=least.year + 1))
        found.append(least := next(one for one in same if one >= least))
    return found


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("text", FORWARD)
def test_what_comes_out_is_read_so_again(policy: str, text: str) -> None:
    for key in range(25):
        found = surrogates(dates(policy), NOTE + text, key=key.to_bytes(32, "big"))[1:]
        days = [s.value for s in found if isinstance(s.value, dt.date)]
        if any((day.month, day.day) == (2, 29) for day in days):
            continue  # which has no next of its name for years
        assert forward(days, month="«DATE:11/" in text) == days


@pytest.mark.parametrize("policy", POLICIES)
def test_what_stands_under_a_year_stays_in_it(policy: str) -> None:
    text = (
        NOTE + "\n«DATE:2012» :\n- PTH le «DATE:12 mars»\n- luxation le «DATE:3 juin»\n"
        "- reprise le «DATE:10 novembre»\n«DATE:2014» : chute le «DATE:2 mai»"
    )
    for key in range(25):
        _, *found = surrogates(dates(policy), text, key=key.to_bytes(32, "big"))
        years = [s.value.year for s in found if isinstance(s.value, dt.date)]
        head, *under, other, chute = years
        assert set(under) == {head} or policy == "aphp"
        assert other == chute or policy == "aphp"


MONTHS = (
    "«DATE:Mars 2018» :\n- «DATE:3» : chute, puis une radiographie qui ne montre pas de fracture\n"
    "- «DATE:5» : douleurs, une deuxième radiographie est faite\n- «DATE:12» : scanner\n"
    "«DATE:Avril 2018» :\n- «DATE:9» : cyphoplastie"
)


@pytest.mark.parametrize("note", [f"{NOTE}\n", "Histoire\n"])
def test_days_below_a_month_are_of_it(note: str) -> None:
    *days, _, last = read(note + MONTHS)[-5:]
    assert [*days, last] == ["2018-03-03", "2018-03-05", "2018-03-12", "2018-04-09"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("note", [f"{NOTE}\n", "Histoire\n"])
def test_a_month_above_days_is_that_of_the_first(policy: str, note: str) -> None:
    for key in range(25):
        found = surrogates(dates(policy), note + MONTHS, key=key.to_bytes(32, "big"))[-6:]
        mars, first, second, third, april, last = (s.value for s in found)
        assert isinstance(mars, dt.date)
        assert isinstance(first, dt.date)
        assert (mars.year, mars.month) == (first.year, first.month)
        assert first < second < third < last  # type: ignore[operator]
        assert (april.year, april.month) == (last.year, last.month)  # type: ignore[union-attr]


@pytest.mark.parametrize("dated", [True, False])
def test_which_days_stand_below_a_month_is_nothing_of_the_skeleton(
    dated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only their order is, which the rows show."""
    dice, skeletons, told = random.Random(7), [], _Plan.chain

    def heard(plan: _Plan, *given: Any) -> Chain:
        skeletons.append((made := told(plan, *given)).skeleton)
        return made

    monkeypatch.setattr(_Plan, "chain", heard)
    for _ in range(100):
        first = dice.randrange(12 * 12)
        second = first + dice.randint(1, 20)
        (y, m), (year, month), (last, seen) = (
            (2000 + at // 12, at % 12 + 1) for at in (first, second, second + 1)
        )
        one, two, three = sorted(dice.sample(range(1, 29), 3))
        surrogates(
            dates("dp"),
            f"Vu le «DATE:14/{seen:02d}/{last}».\n" * dated + f"«DATE:{MONTH_NAMES[m - 1]} {y}» :\n"
            f"- «DATE:{one}» : chute\n- «DATE:{two}» : scanner\n- «DATE:{three}» : sortie\n"
            f"«DATE:{MONTH_NAMES[month - 1]} {year}» :\n- «DATE:{dice.randint(1, 28)}» : opérée",
        )
    assert len(skeletons) == 100
    assert all(other == skeletons[0] for other in skeletons)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_bare_day_stays_bare(policy: str) -> None:
    text = NOTE + "Entré le «DATE:21/12/2013». Fièvre le «DATE:26», apyrexie le «DATE:1er»."
    for key in range(25):
        *_, fever, none = surrogates(dates(policy), text, key=key.to_bytes(32, "big"))
        assert fever.text.removesuffix("er").isdecimal()
        assert none.text.removesuffix("er").isdecimal()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Aide à domicile du «DATE:lundi» au «DATE:vendredi».", 2),
        ("Kiné le «DATE:lundi», le «DATE:mercredi» et le «DATE:vendredi».", 3),
        ("Hôpital de jour le «DATE:mardi».", 1),
        ("Tous les «DATE:lundis».", 1),
        ("Sorti le «DATE:mardi».", 0),
        ("Hospitalisé du «DATE:mardi» au «DATE:vendredi».", 0),
    ],
)
def test_weekdays_of_habits_stay(text: str, count: int) -> None:
    record, mentions = marked(text)
    record, mentions, _ = compact(record, mentions, ())
    assert len(habits(mentions, record)) == count


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("SPDT le «DATE:11/03/2023». Courrier du «DATE:06/04/2023».", "2023-04-06"),
        ("Mariés le «DATE:15/12/2018». Admise le «DATE:19/01/2021».", "2021-01-19"),
        ("Né à terme. DDR «DATE:04/05/2022». Vue le «DATE:13/02/2023».", "2023-02-13"),
        ("«CITY:Brest», le «DATE:06/04/2023»\nOpéré le «DATE:01/02/2023».", "2023-04-06"),
        ("Merci de votre courrier du «DATE:06/04/2021». Vu le «DATE:07/05/2021».", "2021-04-06"),
        ("Opéré le «DATE:01/02/2023». Revu le «DATE:06/04/2023».", "2023-02-01"),
    ],
)
def test_the_day_of_a_note_is_the_first_unless_words_tell_another(text: str, day: str) -> None:
    record, mentions = marked(text)
    dated = [m for m in mentions if m.label is Label.DATE]
    _, (reference,) = read_dates(dated, record, dt.date(2030, 1, 1))
    assert reference.day.isoformat() == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Deux fois, «DATE:février» puis «DATE:septembre 2023».", "2023-02-15"),
        ("Vu le «DATE:3 février», puis le «DATE:9 septembre 2023».", "2023-02-03"),
        ("Vu en «DATE:novembre» et «DATE:janvier 2023».", "2022-11-15"),
        ("Vu les «DATE:12 mai» et «DATE:3 avril 2023».", "2023-05-12"),
        ("Vu «DATE:3 janvier», opéré «DATE:15 décembre 2022».", "2023-01-03"),
    ],
)
def test_the_year_that_ends_a_list_is_that_of_all(text: str, day: str) -> None:
    record, mentions = marked(f"Le «DATE:21 novembre 2023». {text}")
    (_, read, _), _ = read_dates(mentions, record, dt.date(2030, 1, 1))
    assert read.days[0].isoformat() == day


@pytest.mark.parametrize("policy", ["dp", "dp-strict"])
def test_a_day_of_a_stay_is_read_before_the_letter_that_tells_it(policy: str) -> None:
    text = (
        "SPDT le «DATE:11/03/2023». Sortie le «DATE:5 avril 2023». Injection le «DATE:4/04». "
        "Lettre du «DATE:06/04/2023»."
    )
    for unit in range(20):
        days = [s.value for s in surrogates(dates(policy), text, unit=f"u{unit}")]
        assert days[0] < days[2] < days[1] < days[3]  # type: ignore[operator]
