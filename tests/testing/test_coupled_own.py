"""Templates of one's own notes: which spans become slots, other values in them, leaks put back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest

from dpdeid.document import Document
from dpdeid.engine import Finding
from dpdeid.gazetteers import place_key
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.testing import marked, notes
from dpdeid.testing.coupled.own import Own, own_template
from dpdeid.testing.coupled.refill import MOST_CHARACTERS, refill, varied
from dpdeid.testing.coupled.skeleton import Pair, is_sound
from dpdeid.testing.coupled.template import Fixed, Slot
from tests.testing import test_coupled_leaks as leaks
from tests.testing.test_coupled import STATED, policies

DAY = dt.date(2024, 6, 14)


def own(line: str, *, day: dt.date | None = DAY, born: str = "") -> Own:
    text, spans = marked(line)
    known = {Label.BIRTH_DATE: (born,)} if born else {}
    return own_template([Document("1", text, "p", day, known)], [Finding(spans, ())])


def slots(made: Own) -> list[Slot]:
    return [slot for _, slot in made.template.slots if not isinstance(slot, Fixed)]


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("Vu le «DATE:12/03/2024», en «DATE:été 2019», opéré le «DATE:3 mai».", "Date Date"),
        ("Vu le «DATE:12/03/2024», opéré le «DATE:3 mai».", "Date Date"),
        ("Du «DATE:6» au «DATE:13 mars 2023», cure («DATE:12-16/03/2024»).", "Date Date Range"),
        ("Né le «BIRTH_DATE:12/03/1961» («BIRTH_DATE:1961»), «AGE:63 ans».", "Date Date Age"),
        ("Âge : «AGE:63 ans». Opéré à «AGE:12 ans».", "Age"),
        ("Vit au «CITY:Mans», né à «CITY:KERFEUNTEIN-IZELLA».", "Town Town"),
        ("«ZIP:72000» «CITY:LE MANS», puis «CITY:Lyon» («CITY:69»).", "Zip Town Town Area"),
        ("Vu au «HOSPITAL:CHU de Rennes». «CITY:Rennes», ce jour.", "Institution Town"),
        ("Le «DATE:12», «DATE:32/03/2024», «DATE:12/03/2024 10:00».", ""),
        ("Sa mère, née le «BIRTH_DATE:12/03/1941», et lui, né le «BIRTH_DATE:5 mai 1961».", "Date"),
        ("Dans le «CITY:Rhône», à «CITY:Lyon 3ème».", ""),
        ("M. «LAST_NAME:Durand», «PHONE:04 72 11 00 37».", ""),
    ],
)
def test_what_a_slot_writes_becomes_one(line: str, made: str) -> None:
    assert [type(slot).__name__.removesuffix("Slot") for slot in slots(own(line))] == made.split()


def test_a_date_that_another_one_completes_has_its_year_from_there_or_stays_text() -> None:
    first, _ = slots(own("du «DATE:6» au «DATE:13 mars 2023»"))
    assert getattr(first, "beside") is not None  # noqa: B009
    assert len(slots(own("les «DATE:6», «DATE:9» et «DATE:13 mars 2023»"))) == 2


def test_a_known_birth_is_that_of_the_patient() -> None:
    made = own("Né le «BIRTH_DATE:12/03/1961», «AGE:63 ans».", born="1961-03-12")
    assert {slot.var for slot in slots(made)} == {made.template.notes[0].known}
    assert slots(own("Né le «BIRTH_DATE:12/03/1961», «AGE:63 ans».", born="1990-03-12")) == []


def test_equal_values_are_one_variable() -> None:
    made = own("Vu le «DATE:14/06/2024», «DATE:14 juin 2024», à «CITY:LYON», né à «CITY:Lyon».")
    one, other, here, there = (slot.var for slot in slots(made))
    assert one == other == made.template.notes[0].date
    assert here == there


def test_the_own_values_write_the_note() -> None:
    """But for postal codes: the first one of a town stands for all."""
    seen = 0
    for doc, spans in notes():
        made = own_template([doc], [Finding(spans, ())])
        ((filled, _),) = made.template.fill(made.filling)
        assert len(slots(made)) + made.left == len(spans)
        differing = [
            at for at, (a, b) in enumerate(zip(filled.text, doc.text, strict=True)) if a != b
        ]
        codes = [span for span in spans if span.label is Label.ZIP]
        assert all(any(code.start <= at < code.end for code in codes) for at in differing)
        seen += len(slots(made))
    assert seen > 25


def test_other_values_are_of_one_skeleton_and_name_nothing_fixed() -> None:
    line = "Né à «CITY:Sore» («CITY:40»), vu au «ORGANIZATION:SAMU 86» le «DATE:12/03/2024»"
    made, dice = own(line), Stream(bytes(32))
    for _ in range(60):
        one, other = (varied(made.template, made.filling, dice) for _ in range(2))
        assert one is not None
        assert other is not None
        assert is_sound(Pair(made.template, one, other))
        assert one != other
        assert "86" not in {getattr(value, "department", "") for value in one.values()}


NOTES = (
    "Vu le 14/06/2024. Opéré le 12 mars 2024, revu le 20 mars 2024. Contrôle le 02/09/2024.",
    "M. Canarinique habite à Lyon, né à SAINT-ETIENNE. Suivi au CHU de Lyon depuis mars 2019.",
    "Mme Canarinique, née le 12/03/1961, 63 ans, vit près d'Orléans. Zona en avril 2021.",
)


def mine() -> list[tuple[str, Document]]:
    each = enumerate(NOTES, 1)
    return [(f"row {at}", Document(f"{at}", text, "p", DAY)) for at, text in each]


@pytest.mark.parametrize("name", STATED)
def test_own_and_shipped_notes_are_released_alike(name: str) -> None:
    found = refill(policies()[name], mine())
    assert (found.notes, found.records, found.discarded, found.differences) == (3, 1, 0, ())
    assert found.slots > 9
    shipped = refill(policies()[name], [(doc.id, doc) for doc, _ in notes()])
    assert (shipped.discarded, shipped.differences) == (0, ())


@pytest.mark.parametrize("leak", [leaks.place_of_a_true_gap, leaks.kind_of_the_true_town])
def test_a_leak_that_is_put_back_is_caught_and_told_without_text(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    found = refill(policies()["dp"], mine())
    (line,) = found.differences
    assert line.startswith("row ")
    words = {word for text in NOTES for word in place_key(text).split() if len(word) > 4}
    assert not words & {*place_key(line).split()}


def test_a_leak_is_laid_to_the_values_it_hangs_on(monkeypatch: pytest.MonkeyPatch) -> None:
    leaks.kind_of_the_true_town(monkeypatch)
    text = "Opéré le 12/03/2024. Originaire de Lyon."
    rows = [(f"row {at}", Document(f"{at}", text, None, DAY)) for at in range(12)]
    found = refill(policies()["dp-strict"], rows)
    assert found.differences
    for line in found.differences:
        row, _, rest = line.partition(" text: by ")
        assert rest == f"{row} CITY at 35"


def test_what_fails_is_a_difference_and_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise ValueError(NOTES[1])

    monkeypatch.setattr("dpdeid.testing.coupled.refill.own_template", failing)
    found = refill(policies()["dp"], mine())
    assert found.differences == ("row 1: internal error (ValueError)",)


def test_of_a_long_note_the_beginning_is_taken() -> None:
    row, doc = mine()[0]
    long = replace(doc, text="Rien. " * (MOST_CHARACTERS // 6) + doc.text)
    assert refill(policies()["dp"], [(row, long)]).slots == 0


def test_nothing_of_a_note_is_in_a_repr() -> None:
    made = own("M. «LAST_NAME:Canarinique», né à «CITY:Kerfeuntein» le «BIRTH_DATE:12/03/1961».")
    pair = Pair(made.template, made.filling, made.filling)
    told = f"{made}{pair}{made.template}"
    assert "Note(date=" in told
    assert not any(word in told for word in ("Canarinique", "Kerfeuntein", "1961"))
