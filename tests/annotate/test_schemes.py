"""Schemes: every category is complete, told apart by each tool, and our spans find theirs."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from dpdeid.annotate.schemes import Category, pieces, scheme_called, schemes, suggestion
from dpdeid.annotate.units import Marked, Unit
from dpdeid.document import Span
from dpdeid.errors import UsageError
from dpdeid.formats.label_names import SCHEMES, key
from dpdeid.labels import Label, Role

EVERY = [
    pytest.param(one, id=f"{name}-{one.plain}")
    for name, scheme in schemes().items()
    for one in scheme.categories.values()
]


def test_one_has_all_our_labels_and_one_the_25_categories() -> None:
    assert list(schemes()) == ["dpdeid", "chuv"]
    assert set(schemes()["dpdeid"].categories) == set(Label)
    assert len(schemes()["chuv"].categories) == 25 + 1


@pytest.mark.parametrize("category", EVERY)
def test_a_category_is_complete(category: Category) -> None:
    assert re.fullmatch("#[0-9a-f]{6}", category.colour)
    assert re.fullmatch("[a-z0-9]", category.key)
    assert category.key not in "ax"  # Prodigy's own: accept and reject
    assert re.fullmatch("[A-Z_]+", category.plain)
    assert category.english.endswith(".")
    assert category.french.endswith(".")
    assert category.examples
    assert all(any(marked for _, marked in pieces(one)) for one in category.examples)
    assert not any("«" in one or "»" in one for one in category.never)


@pytest.mark.parametrize("category", EVERY)
def test_black_letters_can_be_read_on_its_colour(category: Category) -> None:
    """A contrast of 7 to 1, as WCAG 2.1 wants at its highest level (1.4.6)."""
    shares = [int(category.colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
    assert (0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] + 0.05) / 0.05 >= 7


@pytest.mark.parametrize("name", schemes())
def test_no_two_share_a_key_or_a_plain_name_and_groups_have_one_colour(name: str) -> None:
    every = schemes()[name].categories.values()
    assert len({one.key for one in every}) == len({one.plain for one in every}) == len(every)
    colours = defaultdict(set)
    for one in every:
        colours[one.group].add(one.colour)
    assert all(len(found) == 1 for found in colours.values())
    assert len({min(found) for found in colours.values()}) == len(colours)


@pytest.mark.parametrize("name", schemes())
def test_what_is_confused_is_a_category(name: str) -> None:
    scheme = schemes()[name]
    for one in scheme.categories.values():
        assert set(one.confused) < set(scheme.categories)


@pytest.mark.parametrize("name", schemes())
def test_evaluation_reads_every_name(name: str) -> None:
    known = SCHEMES["ours" if name == "dpdeid" else name]
    assert {key(one) for one in schemes()[name].categories} <= known.keys()


def test_the_pairs_of_the_thesis_are_similar_both_ways() -> None:
    similar = schemes()["chuv"].similar
    assert "DATE" in similar("ÂGE")
    assert "ÂGE" in similar("DATE")
    assert "PAYS" in similar("NATIONALITÉ")
    assert "NATIONALITÉ" in similar("PAYS")
    assert "TEMPS" in similar("DATE")
    assert "RUE" not in similar("DATE")


def test_what_is_like_nothing_may_be_anything() -> None:
    assert len(schemes()["chuv"].similar("AUTRES")) == 25


def marks(text: str, label: Label, scheme: str = "chuv", role: Role = Role.UNKNOWN) -> list[str]:
    """What one span over a whole text becomes."""
    found = scheme_called(scheme).marks(Span(0, len(text), label, role=role), text)
    return [f"{m.category}:{text[m.start : m.end]}" for m in found]


@pytest.mark.parametrize(
    ("text", "label", "found"),
    [
        ("3 bis quai Nord", Label.STREET, ["NUMÉRO_HABITATION:3 bis", "RUE:quai Nord"]),
        ("12, rue du Bac", Label.STREET, ["NUMÉRO_HABITATION:12", "RUE:rue du Bac"]),
        ("quai Nord 28b", Label.STREET, ["RUE:quai Nord", "NUMÉRO_HABITATION:28b"]),
        ("rue du Bac, 7", Label.STREET, ["RUE:rue du Bac", "NUMÉRO_HABITATION:7"]),
        ("5 rue du 8 mai 1945", Label.STREET, ["NUMÉRO_HABITATION:5", "RUE:rue du 8 mai 1945"]),
        ("rue du 8 mai 1945", Label.STREET, ["RUE:rue du 8 mai 1945"]),
        ("quai Nord 3 quater", Label.STREET, ["RUE:quai Nord", "NUMÉRO_HABITATION:3 quater"]),
        ("rue du 11 novembre", Label.STREET, ["RUE:rue du 11 novembre"]),
        ("VD", Label.CITY, ["CODE_CANTON:VD"]),
        ("Pully VD", Label.CITY, ["EMPLACEMENT_GÉOGRAPHIQUE:Pully", "CODE_CANTON:VD"]),
        ("Saint-Prex (VD)", Label.CITY, ["EMPLACEMENT_GÉOGRAPHIQUE:Saint-Prex", "CODE_CANTON:VD"]),
        ("Redon (35)", Label.CITY, ["EMPLACEMENT_GÉOGRAPHIQUE:Redon (35)"]),
        ("LOEVD", Label.CITY, ["EMPLACEMENT_GÉOGRAPHIQUE:LOEVD"]),
        ("Brest", Label.CITY, ["EMPLACEMENT_GÉOGRAPHIQUE:Brest"]),
        ("il y a 3 jours", Label.DURATION, []),
        ("12/05/1944", Label.BIRTH_DATE, ["DATE:12/05/1944"]),
        ("10.12.0.7", Label.IP, ["AUTRES:10.12.0.7"]),
        ("CHUV", Label.HOSPITAL, ["ORGANISATION:CHUV"]),
        ("Durand", Label.LAST_NAME, ["PATIENT_E:Durand"]),
    ],
)  # fmt: skip
def test_a_span_in_the_categories_of_the_chuv(text: str, label: Label, found: list[str]) -> None:
    assert marks(text, label) == found


def test_names_of_staff_are_told_by_their_role() -> None:
    assert marks("Xu", Label.LAST_NAME, role=Role.STAFF) == ["PERSONNEL_MÉDICAL:Xu"]
    assert marks("Xu", Label.LAST_NAME, role=Role.RELATIVE) == ["PATIENT_E:Xu"]


@pytest.mark.parametrize("label", Label)
def test_our_scheme_takes_every_label_as_it_is(label: Label) -> None:
    assert marks("28b rue x", label, "dpdeid") == [f"{label}:28b rue x"]


@pytest.mark.parametrize("label", [x for x in Label if x is not Label.DURATION])
def test_every_label_but_durations_is_something_at_the_chuv(label: Label) -> None:
    assert marks("1 rue x", label)


def test_a_span_over_two_lines_marks_both() -> None:
    text = "né à Saint-\n  Malo"
    spans = (Span(5, 18, Label.CITY),)
    first = Unit("n#0", "n", "", 0, text[:11])
    second = Unit("n#1", "n", "", 14, text[14:])
    scheme = scheme_called("dpdeid")
    assert suggestion(first, spans, text, scheme) == [Marked(5, 11, "CITY")]
    assert suggestion(second, spans, text, scheme) == [Marked(0, 4, "CITY")]


def test_of_spans_that_overlap_the_first_and_longest_stays() -> None:
    text = "CHU de Nantes Nord"
    spans = (Span(0, 6, Label.UNIT), Span(0, 13, Label.HOSPITAL), Span(7, 18, Label.CITY))
    found = suggestion(Unit("n#0", "n", "", 0, text), spans, text, scheme_called("dpdeid"))
    assert found == [Marked(0, 13, "HOSPITAL")]


def test_marks_hold_no_white_space_at_their_ends() -> None:
    text = "à  Brest \n"
    unit = Unit("n#0", "n", "", 0, text)
    spans = (Span(1, 10, Label.CITY), Span(8, 10, Label.ZIP))
    assert suggestion(unit, spans, text, scheme_called("dpdeid")) == [Marked(3, 8, "CITY")]


def test_an_unknown_scheme_is_told_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="no such scheme: x; allowed: dpdeid, chuv"):
        scheme_called("x")
