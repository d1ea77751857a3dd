"""The code of an area goes with its town, whoever found the town."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdeid.detect.places.area_codes import with_areas
from dpdeid.document import Document, Span
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


@pytest.mark.parametrize(
    "text",
    [
        "suivie par le secteur «CITY:69»«UNIT:G14» depuis",
        "Secteur psychiatrique «CITY:59» «UNIT:I 03»",
        "CMP «CITY:13»«UNIT:G07», SECTEUR : «CITY:974»«UNIT:G02»",
        "psychiatrie «CITY:2A»«UNIT:GO1»",
        "secteur 12 g de sucre, pôle 33 Gy, CMP 4 lit 93",
        "secteur 00G12, secteur 96G04",
    ],
)
def test_a_sector_of_psychiatry_tells_its_department(text: str) -> None:
    plain, wanted = marked(text)
    found = with_areas(Document("x", plain), [])
    assert [(s.start, s.end, s.label) for s in found] == [(s.start, s.end, s.label) for s in wanted]


@pytest.mark.parametrize("label", [Label.UNIT, Label.ROOM, Label.OTHER_ID])
def test_whatever_a_sector_was_taken_for(label: Label) -> None:
    doc = Document("x", "au secteur de psychiatrie 13 G 12, seul")
    found = with_areas(doc, [Span(14, 33, label, 0.9, "crf")])
    assert [(s.label, doc.text[s.start : s.end]) for s in found] == [
        (label, "psychiatrie"), (Label.CITY, "13"), (Label.UNIT, "G 12"),
    ]  # fmt: skip


def test_a_name_is_no_sector() -> None:
    doc = Document("x", "secteur 13G12")
    name = Span(8, 13, Label.LAST_NAME, 0.9, "metadata")
    assert with_areas(doc, [name]) == (name,)
