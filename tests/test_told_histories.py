"""The reader of told histories: what is true he takes for true, and each kind of fault he finds."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from made.histories import History, histories, history, template, templates
from made.read_told import MEASURES, faults, read

FAMILIES = tuple(templates())
KEPT = {"unread", "redacted"}
_AGES = (
    "note 2015..2015 jan; born note -14610..-14610 d; a born +3682..+3682 d; b born +7334..+7334 d"
)
_BABY = "note 2015..2015 jan; born note -900..-900 d; a born +100..+100 d; b born +430..+430 d"
_STAY = "a 2019..2019 jan; b a +7..+7 d; c a +1..+1 d; d a +60..+60 d; c - a: 1!"
_WEEKS = "ddr 2019..2019 jan; note ddr +171..+171 d; dpa ddr +287..+287 d; dpa - ddr: 280..287"
_NIGHT = "a 2019..2019 jan; b a +1..+1 d; t 23:40..23:40; u 0:20..0:20"
_IN_OUT = "a 2019..2019 jan; b a +3..+3 d; c b +28..+28 d; b - a: nights; c - b: back"
_LASTS = "born 1950..1950 jan; a born +40..+40 y; b a +400..+400 d; a - born: aged; b - a: taken"
_YEARS = "born 1950..1950 jan; a born +40..+40 y; b a +10..+10 y"
_BEGIN = "A {a|ans|born} en {a|Y}, chute ; {b|ans|born} : IDM."
TEXTS = {
    "born": ("ages", _AGES, "Né le {born|d/m/Y}, vu le {note|d/m/Y}. " + _BEGIN),
    "aged": ("ages", _AGES, "Vu le {note|d/m/Y}, {note|ans|born}. " + _BEGIN),
    "baby": ("ages", _BABY, "Né le {born|d/m/Y}. Reflux à {a|sem|born}, marche à {b|mois|born}."),
    "bare": ("yearless", _STAY, "Opéré le {a|d/m/Y}, sorti le {b|j M}."),
    "head": ("yearless", _STAY, "{a|Y} : PTH le {a|j M}, luxation le {b|d/m}."),
    "range": ("yearless", _STAY, "Du {a|j|<} au {b|j M Y}."),
    "weeks": ("pregnancies", _WEEKS, "DDR {ddr|d/m/Y}. Le {note|d/m/Y} : {note|sa|ddr}."),
    "term": ("pregnancies", _WEEKS, "DDR {ddr|d/m/Y}, DPA {dpa|d/m/Y}."),
    "hidden": ("pregnancies", _WEEKS, "Vue le {note|d/m/Y} à {note|SA|ddr}, DPA {dpa|d/m/Y}."),
    "day": ("distances", _STAY, "Opéré le {a|d/m/Y}. A {b|J+|a} ({b|d/m}), bien."),
    "next": ("distances", _STAY, "Opéré le {a|d/m/Y}. Le lendemain, {c|d/m/Y}, bien."),
    "ago": ("distances", _STAY, "Vu le {b|d/m/Y}, opéré il y a {a|+sem|b} (le {a|d/m|-})."),
    "month": ("distances", _STAY, "Le {a|d/m/Y} ; {d|+mois|a} après, le {d|d/m/Y}."),
    "fever": ("days", _STAY, "Entré le {a|d/m/Y}, fièvre le {b|j}."),
    "name": ("days", _STAY, "Entré le {a|d/m/Y}, sorti {b|W j}."),
    "habit": ("days", _STAY, "Entré le {a|d/m/Y}. {=Dialyse les lundis}."),
    "clock": ("days", _NIGHT, "Le {a|d/m/Y} à {t|clock|a} ; à {u|clock|b}, scanner."),
    "night": ("days", _NIGHT, "Le {a|d/m/Y} à {t|clock|a} ; le {b|j} à {u|clock|b}."),
    "stay": ("stays", _IN_OUT, "Lit occupé du {a|d/m/Y} au {b|d/m/Y}. De retour le {c|d/m/Y}."),
    "years": ("parts", _YEARS, "Homme de {b|ans|born}, IDM à {a|ans|born} en {a|Y}, AVC en {b|Y}."),
    "drug": ("spans", _LASTS, "Née le {born|d/m/Y}. Lithium de {a|M Y} à {b|M Y}."),
}
"""Name → family, what is drawn, and text."""
BOTH = {"contradicted", "inexact"}
FALSE: Sequence[tuple[str, str, str, set[str]]] = (
    ("born", "10 ans en 1985", "12 ans en 1987", set()),
    ("born", "10 ans en 1985", "21 ans en 1996", {"off", "turned"}),
    ("born", "10 ans en 1985", "20 ans en 1995", {"off", "merged"}),
    ("born", "20 ans : IDM", "46 ans : IDM", {"off", "above"}),
    ("born", "en 1985", "en 1986", set()),
    ("born", "en 1985", "en 1987", {"clash"}),
    ("aged", "10 ans en 1985", "10 ans en 1986", set()),
    ("aged", "10 ans en 1985", "10 ans en 1988", {"clash"}),
    ("baby", "14 semaines", "22 semaines", set()),
    ("baby", "14 semaines", "24 semaines", {"off"}),
    ("baby", "14 mois", "1 an", set()),
    ("baby", "14 mois", "2 mois", {"off", "turned"}),
    ("years", "en 2000.", "en 2005.", set()),
    ("years", "en 2000.", "en 2017.", {"broken"}),
    ("years", "en 2000.", "en 1990.", {"broken", "merged"}),
    ("years", "en 2000.", "en 1989.", {"broken", "turned"}),
    ("years", "IDM à 40 ans", "IDM à 49 ans", set()),
    ("years", "IDM à 40 ans", "IDM à 52 ans", {"off", "turned"}),
    ("bare", "8 janvier", "15 janvier", set()),
    ("bare", "8 janvier", "16 janvier", {"broken"}),
    ("bare", "01/01/2019", "20/12/2018", {"broken"}),
    ("bare", "01/01/2019", "20/02/2018", {"broken", "turned"}),
    ("bare", "8 janvier", "31 décembre 2018", {"broken", "turned"}),
    ("head", "2019", "2008", set()),
    ("head", "1er janvier", "9 mars", {"broken", "turned"}),
    ("range", "1er", "28 décembre 2018", set()),
    ("range", "1er", "9", {"broken"}),
    ("weeks", "21/06/2019", "24/06/2019", {"inexact"}),
    ("weeks", "21/06/2019", "25/06/2019", BOTH),
    ("term", "15/10/2019", "08/10/2019", set()),
    ("term", "15/10/2019", "20/10/2019", BOTH),
    ("hidden", "15/10/2019", "12/10/2019", set()),
    ("hidden", "15/10/2019", "05/11/2019", BOTH),
    ("day", "08/01", "11/01", {"inexact"}),
    ("day", "08/01", "12/01", BOTH),
    ("next", "02/01/2019", "03/01/2019", BOTH),
    ("ago", "01/01", "29/12", set()),
    ("ago", "01/01", "28/12", BOTH),
    ("month", "02/03/2019", "11/03/2019", set()),
    ("month", "02/03/2019", "14/03/2019", {"contradicted"}),
    ("fever", "le 8", "le 12", set()),
    ("fever", "le 8", "le 8 février", {"bare", "broken"}),
    ("fever", "le 8", "le 31/12/2018", {"bare", "broken", "turned"}),
    ("name", "mardi 8", "mercredi 9", set()),
    ("name", "mardi 8", "mardi 9", {"weekday"}),
    ("habit", "lundis", "mardis", {"habit"}),
    ("clock", "0h20", "22h05", {"midnight"}),
    ("night", "le 2", "le 1", {"midnight", "broken"}),
    ("night", "le 2", "le 4", {"night"}),
    ("stay", "01/01/2019", "02/01/2019", {"nights", "some", "band"}),
    ("stay", "04/01/2019", "08/01/2019", {"nights", "some", "band"}),
    ("stay", "01/02/2019", "03/02/2019", set()),
    ("stay", "01/02/2019", "04/02/2019", {"back"}),
    ("stay", "01/02/2019", "03/01/2019", {"back"}),
    ("drug", "de janvier 1990", "d'avril 1990", set()),
    ("drug", "de janvier 1990", "d'octobre 1989", set()),
    ("drug", "de janvier 1990", "de juillet 1990", {"taken"}),
    ("drug", "01/01/1950", "01/02/1952", {"aged"}),
    ("night", "01/01/2019", "[DATE]", {"redacted"}),
    ("night", " ; ", ", ", {"unread"}),
)
"""Text, what stands there, what a release may print, and the faults that this is."""


def made(family: str, head: str, text: str) -> History:
    return history(template(family, 0, head, text), random.Random(0))


@pytest.mark.parametrize("family", FAMILIES)
def test_originals_have_no_fault_and_their_days_are_read(family: str) -> None:
    assert len(templates()[family]) >= 10
    seen: set[str] = set()
    for note in histories(family, 4 * len(templates()[family])):
        got = read(note, note.text)
        assert got
        for field, days in zip(got.fields, got.days, strict=True):
            assert field.kind != "date" or (days and days[0] <= note.days[field.day] <= days[1])
        found = list(faults(note, note.text))
        seen |= {measure for measure, _ in found}
        assert not [measure for measure, is_wrong in found if is_wrong], note.text
    assert seen == set(MEASURES[family])


def test_equal_seeds_give_equal_notes() -> None:
    one, same, other = (list(histories("days", 12, seed)) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(("name", "old", "new", "wrong"), FALSE)
def test_each_fault_is_found_and_no_other(name: str, old: str, new: str, wrong: set[str]) -> None:
    note = made(*TEXTS[name])
    assert note.text.count(old) == 1, note.text
    for text, faulty in ((note.text, set[str]()), (note.text.replace(old, new), wrong)):
        assert {measure for measure, is_wrong in faults(note, text) if is_wrong} == faulty


def test_every_measure_can_fail() -> None:
    failed = {(TEXTS[name][0], measure) for name, *_, wrong in FALSE for measure in wrong}
    every = {(family, one) for family, each in MEASURES.items() for one in each if one not in KEPT}
    assert every <= failed


def test_a_line_that_draws_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no draw"):
        made("days", "a 2019", "Le {a|d/m/Y}.")
    with pytest.raises(ValueError, match="no such order"):
        made("days", "a 2019..2019; b a +1..+2 d; b < a", "Le {a|d/m/Y}.")
