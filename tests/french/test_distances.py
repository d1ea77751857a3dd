"""What words beside a date tell of its distance, and what they do not."""

from __future__ import annotations

import re
from itertools import product

import pytest

from dpdeid.french.distances import _BEHIND, MARK, told_before, told_behind, weeks_today
from dpdeid.normalize import fold


def before(words: str) -> tuple[str, int, int] | None:
    found = told_before(fold(words))
    return found and (found.since, found.least, found.most)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Contrôle dans 6 semaines, le ", ("note", 42, 45)),
        ("Opéré il y a quinze ans (", ("note", -5_661, -5_479)),
        ("Vue il y a 3 à 4 mois, en ", ("note", -136, -92)),
        ("il y a 2 ans et demi (", ("note", -1_095, -914)),
        ("revenir dans 48 h, le ", ("note", 2, 2)),
        ("Diabète depuis 15 ans (", ("note", -5_661, -5_479)),
        ("Vu hier ", ("note", -1, -1)),
        ("et avant-hier, le ", ("note", -2, -2)),
        ("Vu ce jour, ", ("note", 0, 0)),
        ("sorti le lendemain (", ("date", 1, 1)),
        ("entrée l'avant-veille, le ", ("date", -2, -2)),
        ("vingt et un jours plus tard, le ", ("date", 21, 21)),
        ("10 jours après (", ("date", 10, 10)),
        ("contrôle à 3 mois le ", ("event", 92, 106)),
        ("fils à J+15 soit le ", ("j", 15, 15)),
        ("C2J8 : ", ("j", 8, 8)),
        ("J-1 (", ("j", -1, -1)),
        ("Écho à 32 SA, le ", ("pregnancy", 224, 230)),
        ("26+3 SA ce ", ("pregnancy", 185, 185)),
        ("39 SA 2/7, le ", ("pregnancy", 275, 275)),
        ("39 semaines d'aménorrhée et 2 jours le ", ("pregnancy", 275, 275)),
        ("date des dernières règles : ", ("pregnancy", 0, 0)),
        ("Terme prévu le ", ("pregnancy", 287, 287)),
    ],
)
def test_what_stands_before_a_date(words: str, told: tuple[str, int, int]) -> None:
    assert before(words) == told
    assert before(f"Texte d'avant. {words}") == told


@pytest.mark.parametrize(
    "words",
    [
        "fièvre depuis 3 jours le ",  # is said of that day
        "la veille du ",
        "3 jours avant le ",
        "10 jours après le ",
        "dans 6 semaines. Le ",
        "dans le service le ",
        "né à terme le ",
        "cure de J1 à J5 (",
        "de 2 à 3 mois le ",
        "hernie L5-S1 opérée le ",
        "2 cp/j5 le ",
        "dans 3 semaines, bilan et consultation le ",
    ],
)
def test_what_says_nothing_of_the_date_behind_it(words: str) -> None:
    assert before(words) is None


@pytest.mark.parametrize(
    ("words", "since", "least"),
    [
        (" (il y a 15 ans) sans suite", "note", -5_661),
        (", il y a 3 semaines.", "note", -24),
        (" (depuis 15 ans)", "note", -5_661),
        (" (le lendemain)", "date", 1),
        (" (J+5) ", "j", 5),
        (" J5 apyrétique", "j", 5),
        (" : 32 SA", "pregnancy", 224),
        (" à 39+2 SA", "pregnancy", 275),
    ],
)
def test_what_stands_behind_a_date(words: str, since: str, least: int) -> None:
    found, length = told_behind(fold(words))
    assert found is not None
    assert (found.since, found.least) == (since, least)
    assert 0 < length <= len(words)


@pytest.mark.parametrize(
    "words", [", le lendemain fièvre", ", J3 sans fièvre", " de J1 à J5", " (J1 à J5)"]
)
def test_what_begins_something_else(words: str) -> None:
    assert told_behind(fold(words))[0] is None


@pytest.mark.parametrize(
    ("note", "days"),
    [
        (f"DDR {MARK}, 22+6 SA", 160),
        (f"39+2 SA (DDR : {MARK})", 275),
        ("Enceinte de 32 SA", 224),
        (f"Terme prévu le {MARK}, actuellement 31 SA + 4", 221),
        (f"Césarienne à 39 SA le {MARK}", None),
        (f"26+3 SA ce {MARK} (terme le {MARK})", None),
    ],
)
def test_weeks_of_the_day_of_the_note(note: str, days: int | None) -> None:
    found = weeks_today(fold(note))
    assert (found and found.least) == days


def test_no_expression_matches_what_begins_otherwise_than_told() -> None:
    starts = ["".join(signs) for more in range(4) for signs in product(" (:=,;", repeat=more)]
    for begins, text in _BEHIND:
        tried = [start + said for start in starts for said in ("le lendemain)", "hier,", "j+5 )")]
        tried += [" pour map, soit 29 sa", " devant une map a 29 sa", "pour map, soit 29 sa"]
        found = [words for words in tried if re.match(text, words)]
        assert found
        assert all(words.startswith(begins) for words in found)
