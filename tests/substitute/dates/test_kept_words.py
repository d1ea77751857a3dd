"""What dates and ages are of follows from what stays of a note, not from what is replaced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdeid.document import text_before
from dpdeid.substitute.hidden import compact
from tests.substitute.making import context, dates, marked, surrogates

SEEN = "Née le «BIRTH_DATE:03/02/1966», vue le «DATE:12/05/2021». "
LONG = "Villeneuve-la-Garenne-sur-Seine"
PLACED = ", suites simples sans aucun incident notable" * 8


@pytest.mark.parametrize(
    ("note", "values"),
    [
        ("Père décédé le «DATE:{}» à «AGE:41 ans».", ("12 janv. 2018", "12 mai 2018")),
        (
            "Appendicectomie en «DATE:1982» faite au centre hospitalier par le chirurgien de garde "
            "à «CITY:{}», elle avait «AGE:16 ans».",
            ("Lyon", LONG),
        ),
        (
            f"PTH le «DATE:12/03/2008»{PLACED}, vit à «CITY:{{}}», sortie le «DATE:3 avril».",
            ("Lyon", LONG),
        ),
        ("PTH le «DATE:12/03/2008», vit à «CITY:{}», le «DATE:3 avril».", ("Foix", "Revoir")),
        ("Voie basse («LAST_NAME:{}»). Bilan à M2, le «DATE:02/04/2020».", ("Durand", "Apgar")),
    ],
)
def test_what_is_replaced_decides_nothing(note: str, values: tuple[str, str]) -> None:
    costs = []
    for value in values:
        found = surrogates(dates("dp"), SEEN + note.format(value))
        costs.append([[charge.mechanism for charge in one.charges] for one in found])
    assert costs[0] == costs[1]


def test_the_weeks_of_a_corrected_age_are_none_that_are_replaced() -> None:
    note = (
        "Né le «BIRTH_DATE:03/02/2021» à «OTHER_ID:{} SA», vu le «DATE:12/05/2021», âge corrigé "
        "«AGE:2 mois»."
    )
    early, late = (
        [one.text for one in surrogates(dates("dp"), note.format(weeks), key=b"3" * 32)]
        for weeks in (25, 31)
    )
    assert early == late


def test_ages_of_two_people_are_two_however_their_years_of_life_meet() -> None:
    note = (
        "Vue le «DATE:12/05/2021». Née en «BIRTH_DATE:{}», fracture à «AGE:33 ans». Mère née en "
        "«BIRTH_DATE:1942», cancer à «AGE:62 ans», en «DATE:2004»."
    )
    counts = []
    for year in (1971, 1972):
        found = surrogates(dates("dp"), note.format(year))
        counts.append(len({charge.event for one in found for charge in one.charges}))
    assert counts[0] == counts[1]


def test_an_age_that_is_told_again_beside_a_more_exact_birth_is_the_same() -> None:
    first = "Vue le «DATE:12/05/2020», «AGE:54 ans». Fracture à «AGE:12 ans»."
    again = "Vue le «DATE:12/05/2021», née le «BIRTH_DATE:10/12/1965». Fracture à «AGE:12 ans»."
    for key in range(10):
        ctx, told = context(key.to_bytes(32, "big")), []
        for note in (first, again):
            record, mentions = marked(note)
            ctx = replace(ctx, mentions=mentions)
            *_, age = dates("dp").substitute(mentions, record, ctx)
            told.append(age.text)
        assert told[0] == told[1]


def test_what_is_hidden_is_one_sign_however_long_it_is() -> None:
    record, mentions = marked("vit «CITY:Lyon» en «DATE:2004» à «AGE:6» ici")
    found, own, others = compact(record, mentions[1:], mentions)
    assert found.documents[0].text == "vit \ufffc en \ufffc à \1 ici"
    assert [one.span.start for one in (*others, *own)] == [4, 9, 13]
    assert [one.text for one in own] == ["2004", "6"]


@pytest.mark.parametrize(
    ("note", "values"),
    [
        ("né {} le «BIRTH_DATE:03/02/1966», vue", ("à «CITY:Lyon»", "aux «CITY:Ulis»")),
        ("né fin {} puis le «BIRTH_DATE:03/02/1966», vue", ("d'«DATE:avril»", "de «DATE:mai»")),
    ],
)
def test_what_agrees_with_a_value_moves_no_words(note: str, values: tuple[str, str]) -> None:
    head = "Terme prévu, suivi mensuel très régulier sans aucun incident depuis le printemps"
    for end in range(40, len(head)):
        seen = []
        for value in values:
            record, mentions = marked(f"{head[:end]} {note.format(value)}")
            same, (birth,), _ = compact(record, mentions[-1:], mentions)
            seen.append(text_before(same.documents, birth, 70))
        assert seen[0] == seen[1]
