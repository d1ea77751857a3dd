"""The reader of told histories: what is true he takes for true, and each kind of fault he finds."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from made.histories import History, histories, history, template, templates  # noqa: E402
from made.read_told import MEASURES, faults, read  # noqa: E402

FAMILIES = tuple(templates())
KEPT = {"unread", "redacted"}
BORN = "note 2015..2015 jan; born note -14610..-14610 d; a born +3682..+3682 d; b born +7334..+7334 d"
OPERATED = "a 2019..2019 jan; b a +7..+7 d; c a +1..+1 d; c - a: 1!"
PREGNANT = "ddr 2019..2019 jan; note ddr +171..+171 d; dpa ddr +287..+287 d; dpa - ddr: 280..287"
NIGHT = "a 2019..2019 jan; b a +1..+1 d; t 23:40..23:40; u 0:20..0:20"
AGES = "Né le {born|d/m/Y}, vu le {note|d/m/Y}. A {a|ans|born} en {a|Y}, chute ; {b|ans|born} : IDM."
TOLD = "Vu le {note|d/m/Y}, {note|ans|born}. A {a|ans|born} en {a|Y}, chute ; {b|ans|born} : IDM."


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


FALSE: Sequence[tuple[str, str, str, str, str, set[str]]] = [
    ("ages", BORN, AGES, "10 ans en 1985", "12 ans en 1987", set()),
    ("ages", BORN, AGES, "10 ans en 1985", "21 ans en 1996", {"off", "turned"}),
    ("ages", BORN, AGES, "10 ans en 1985", "20 ans en 1995", {"off", "merged"}),
    ("ages", BORN, AGES, "20 ans : IDM", "46 ans : IDM", {"off", "above"}),
    ("ages", BORN, AGES, "en 1985", "en 1986", set()),
    ("ages", BORN, AGES, "en 1985", "en 1987", {"clash"}),
    ("ages", BORN, TOLD, "40 ans. A 10 ans en 1985", "40 ans. A 10 ans en 1986", set()),
    ("ages", BORN, TOLD, "40 ans. A 10 ans en 1985", "40 ans. A 10 ans en 1988", {"clash"}),
    (
        "ages",
        "note 2015..2015 jan; born note -900..-900 d; a born +100..+100 d; b born +430..+430 d",
        "Né le {born|d/m/Y}. Reflux à {a|sem|born}, marche à {b|mois|born}, vu le {note|d/m/Y}.",
        "à 14 semaines, marche à 14 mois",
        "à 24 semaines, marche à 19 mois",
        {"off"},
    ),
    ("yearless", OPERATED, "Opéré le {a|d/m/Y}, sorti le {b|j M}.", "8 janvier", "15 janvier", set()),
    ("yearless", OPERATED, "Opéré le {a|d/m/Y}, sorti le {b|j M}.", "8 janvier", "16 janvier", {"broken"}),
    ("yearless", OPERATED, "Opéré le {a|d/m/Y}, sorti le {b|j M}.", "01/01/2019", "20/12/2018", {"broken"}),
    ("yearless", OPERATED, "Opéré le {a|d/m/Y}, sorti le {b|j M}.", "01/01/2019", "20/02/2018", {"broken", "turned"}),
    ("yearless", OPERATED, "{a|Y} : PTH le {a|j M}, luxation le {b|d/m}.", "2019", "2008", set()),
    ("yearless", OPERATED, "{a|Y} : PTH le {a|j M}, luxation le {b|d/m}.", "1er janvier", "9 mars", {"broken", "turned"}),
    ("yearless", OPERATED, "Du {a|j|<} au {b|j M Y}.", "Du 1er au", "Du 28 décembre 2018 au", set()),
    ("yearless", OPERATED, "Du {a|j|<} au {b|j M Y}.", "Du 1er au", "Du 9 au", {"broken"}),
    ("pregnancies", PREGNANT, "DDR {ddr|d/m/Y}. Le {note|d/m/Y} : {note|sa|ddr}.", "21/06/2019", "24/06/2019", set()),
    ("pregnancies", PREGNANT, "DDR {ddr|d/m/Y}. Le {note|d/m/Y} : {note|sa|ddr}.", "21/06/2019", "25/06/2019", {"contradicted", "plainly"}),
    ("pregnancies", PREGNANT, "DDR {ddr|d/m/Y}, DPA {dpa|d/m/Y}.", "15/10/2019", "20/10/2019", {"contradicted", "plainly"}),
    ("pregnancies", PREGNANT, "Vue le {note|d/m/Y} à {note|SA|ddr}, DPA {dpa|d/m/Y}.", "15/10/2019", "05/11/2019", {"contradicted", "plainly"}),
    ("distances", OPERATED, "Opéré le {a|d/m/Y}. A {b|J+|a} ({b|d/m}), bien.", "08/01", "11/01", set()),
    ("distances", OPERATED, "Opéré le {a|d/m/Y}. A {b|J+|a} ({b|d/m}), bien.", "08/01", "12/01", {"contradicted", "plainly"}),
    ("distances", OPERATED, "Opéré le {a|d/m/Y}. Le lendemain, {c|d/m/Y}, bien.", "02/01/2019", "03/01/2019", {"contradicted", "plainly"}),
    ("distances", OPERATED, "Opéré le {a|d/m/Y}, {a|+sem|b} avant le {b|d/m/Y}.", "08/01/2019", "12/01/2019", {"contradicted", "plainly"}),
    ("distances", "a 2019..2019 jan; b a +60..+60 d", "Le {a|d/m/Y} ; {b|+mois|a} après, le {b|d/m/Y}.", "02/03/2019", "14/03/2019", {"contradicted"}),
    ("days", OPERATED, "Entré le {a|d/m/Y}, fièvre le {b|j}.", "le 8", "le 8 février", {"bare"}),
    ("days", OPERATED, "Entré le {a|d/m/Y}, fièvre le {b|j}.", "le 8", "le 12", set()),
    ("days", OPERATED, "Entré le {a|d/m/Y}, sorti {b|W j}.", "mardi 8", "mercredi 9", set()),
    ("days", OPERATED, "Entré le {a|d/m/Y}, sorti {b|W j}.", "mardi 8", "mardi 9", {"weekday"}),
    ("days", OPERATED, "Entré le {a|d/m/Y}. {=Dialyse les lundis}.", "lundis", "mardis", {"habit"}),
    ("days", NIGHT, "Le {a|d/m/Y} à {t|clock|a} ; à {u|clock|b}, scanner.", "0h20", "22h05", {"midnight"}),
    ("days", NIGHT, "Le {a|d/m/Y} à {t|clock|a} ; le {b|j} à {u|clock|b}.", "le 2", "le 1", {"midnight"}),
    ("days", NIGHT, "Le {a|d/m/Y} à {t|clock|a} ; le {b|j} à {u|clock|b}.", "le 2", "le 4", {"night"}),
    ("days", NIGHT, "Le {a|d/m/Y} à {t|clock|a} ; le {b|j} à {u|clock|b}.", "01/01/2019", "[DATE]", {"redacted"}),
    ("days", NIGHT, "Le {a|d/m/Y} à {t|clock|a} ; le {b|j} à {u|clock|b}.", " ; ", ", ", {"unread"}),
]  # fmt: skip


@pytest.mark.parametrize(("family", "head", "text", "old", "new", "wrong"), FALSE)
def test_each_fault_is_found_and_no_other(
    family: str, head: str, text: str, old: str, new: str, wrong: set[str]
) -> None:
    note = made(family, head, text)
    assert note.text.count(old) == 1, note.text
    released = note.text.replace(old, new)
    assert {measure for measure, is_wrong in faults(note, note.text) if is_wrong} == set()
    assert {measure for measure, is_wrong in faults(note, released) if is_wrong} == wrong


def test_every_measure_can_fail() -> None:
    failed = {(family, measure) for family, *_, wrong in FALSE for measure in wrong}
    every = {(family, one) for family, each in MEASURES.items() for one in each if one not in KEPT}
    assert every <= failed


def test_a_line_that_draws_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no draw"):
        made("days", "a 2019", "Le {a|d/m/Y}.")
    with pytest.raises(ValueError, match="no such order"):
        made("days", "a 2019..2019; b a +1..+2 d; b < a", "Le {a|d/m/Y}.")
