"""The code of an area goes with its town, whoever found the town."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdeid.detect.places.area_codes import with_areas
from dpdeid.document import Document
from dpdeid.labels import Label
from dpdeid.testing import marked


@pytest.mark.parametrize(
    "text",
    [
        "née à «CITY:Kervazen» («CITY:35»)",
        "née à «CITY:Kervazen»(«CITY:2A»)",
        "née à «CITY:Kervazen» [dép. «CITY:974»]",
        "suivi à l'«HOSPITAL:hôpital de Morges» («CITY:VD») depuis",
        "«STREET:12 rue Haute, Kervazen» («CITY:35»)",
        "à «CITY:Redon», «CITY:35».",
        "à «CITY:Redon» - «CITY:35»\nle",
        "à «CITY:Morges» «CITY:VD», seule",
    ],
)
def test_the_code_behind_a_place_is_found(text: str) -> None:
    plain, spans = marked(text)
    *places, code = spans
    *others, found = with_areas(Document("n", plain), places)
    assert others == places
    assert (found.start, found.end, found.label) == (code.start, code.end, code.label)


@pytest.mark.parametrize(
    "text",
    ["«CITY:Redon» («CITY:35»)", "vit à «CITY:Bourg en Bresse» («CITY:01»)",
     "«CITY:redon» («CITY:35»)", "de «CITY:L'Île-d'Elle» («CITY:85»)", "«CITY:Mer» («CITY:41»)",
     "Morvan «CITY:Crest» [«CITY:26»]"],
)  # fmt: skip
def test_who_stands_before_the_code_of_its_own_area_is_a_town(text: str) -> None:
    plain, spans = marked(text)
    town, code = spans
    doc = Document("n", plain)
    for before in ((), (replace(town, label=Label.LAST_NAME),)):
        found = with_areas(doc, before)
        assert [(s.start, s.end, s.label) for s in found] == [
            (s.start, s.end, s.label) for s in spans
        ]
    inside = (replace(town, start=town.end - 2, label=Label.UNIT),)
    assert [(s.start, s.end) for s in with_areas(doc, inside)] == [
        (town.end - 2, town.end), (code.start, code.end)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "«CITY:Redon», 35 ans",
        "«CITY:Redon» 35 mL",
        "«CITY:Redon», 56.",
        "«CITY:Redon» 35 %",
        "«CITY:Redon» (350)",
        "«CITY:Redon» (35,5)",
        "«CITY:Redon» (00)",
        "«CITY:Redon» (CT)",
        "«HOSPITAL:CHU» 35.",
        "«DATE:mai» (35)",
        "«CITY:Brest», «AGE:29»",
        "«CITY:Brest» («AGE:29 ans»)",
        "bilan (35)",
        "Redon (56)",
        "bar (19)",
        "un redon\n(35)",
    ],
)
def test_other_numbers_are_none(text: str) -> None:
    plain, spans = marked(text)
    assert with_areas(Document("n", plain), spans) == tuple(spans)


def test_a_code_in_brackets_that_was_taken_for_a_number_is_one() -> None:
    plain, (town, code) = marked("née à «CITY:Kervazen» («ROOM:35»), vue")
    found = with_areas(Document("n", plain), (town, code))
    assert [(s.start, s.end, s.label) for s in found] == [
        (town.start, town.end, Label.CITY),
        (code.start, code.end, Label.CITY),
    ]
