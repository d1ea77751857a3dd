"""What every note must be: right offsets, every label and type, the same again from the seed."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from dpdeid import gazetteers
from dpdeid.errors import UsageError
from dpdeid.formats.rows import document_of
from dpdeid.french.check_digits import nir_key
from dpdeid.labels import Label, Role
from dpdeid.synth import corpus
from dpdeid.synth.grammar import join, lines

MANY = 400


@cache
def made() -> tuple[corpus.Note, ...]:
    return tuple(corpus.note(7, number) for number in range(MANY))


@cache
def rows() -> tuple[dict[str, Any], ...]:
    return tuple(corpus.row(note, 7) for note in made())


def test_spans_lie_in_the_text_sorted_and_disjoint() -> None:
    for row in rows():
        end = 0
        assert row["entities"]
        for entity in row["entities"]:
            assert end <= entity["start"] < entity["end"] <= len(row["text"])
            assert set(entity) == {"start", "end", "label", "role"}
            assert Label(entity["label"])
            assert Role(entity["role"])
            end = entity["end"]


def test_no_span_begins_or_ends_with_a_space_or_is_a_template() -> None:
    for row in rows():
        for entity in row["entities"]:
            text = row["text"][entity["start"] : entity["end"]]
            assert text == text.strip()
            assert not set("{}«»#") & set(text)


def test_no_template_sign_is_left() -> None:
    for note in made():
        text = "".join(piece.text for piece in note.clean)
        assert "{" not in text
        assert "}" not in text
        assert "«LAST" not in text


def test_every_label_and_every_type_is_reached() -> None:
    assert {e["label"] for row in rows() for e in row["entities"]} == {
        label.value for label in Label
    }
    assert {note.type for note in made()} == set(corpus.TYPES)


def test_only_names_have_a_role() -> None:
    for note in made():
        for piece in note.pieces:
            if piece.label not in (Label.FIRST_NAME, Label.LAST_NAME):
                assert piece.role is Role.UNKNOWN


def test_every_row_is_one_that_detect_reads() -> None:
    for number, row in enumerate(rows(), 1):
        doc = document_of({k: v for k, v in row.items() if k != "entities"}, number)
        assert doc.text == row["text"]


def test_a_note_depends_on_the_seed_and_its_number_alone() -> None:
    again = [corpus.row(corpus.note(7, number), 7) for number in (399, 3, 0)]
    assert json.dumps(again) == json.dumps([rows()[399], rows()[3], rows()[0]])
    assert list(corpus.notes(5, 7)) == list(rows()[:5])
    assert corpus.note(8, 3).pieces != made()[3].pieces


def test_the_types_that_are_asked_for() -> None:
    found = {row["doc_type"] for row in corpus.notes(20, 1, ["cro", "rcp"])}
    assert found == {"cro", "rcp"}
    with pytest.raises(UsageError, match="no document type opera; there are crh"):
        list(corpus.notes(1, 1, ["opera"]))


def test_noise_changes_the_text_of_pieces_and_nothing_else() -> None:
    """The pieces after the noise are the clean ones, and those of page headers between lines."""
    noisy = 0
    for note in made():
        before = [piece.label for piece in note.clean]
        after = [piece.label for piece in note.pieces]
        left = iter(after)
        assert all(any(label == other for other in left) for label in before)
        noisy += note.pieces != note.clean
    assert noisy > MANY / 4


def test_known_facts_are_those_of_the_text() -> None:
    for note in made():
        patient = corpus.row(note, 7)["patient"]
        if patient is not None:
            assert patient["last_name"] == note.scene.patient.last
            assert patient["sex"] in ("F", "M")


def test_postal_codes_are_those_of_their_towns() -> None:
    abroad = {
        (name, code)
        for country in ("CH", "BE", "LU", "CA")
        for name, codes, _ in (line.split("|") for line in lines(f"town.{country}"))
        for code in (codes.split() if country != "CA" else [codes])
    }
    for note in made():
        town = note.scene.home.town
        if town.country == "FR":
            assert town.name in {place.name for place in gazetteers.places_with_zip(town.zip)}
        else:
            assert any(town.name == name and town.zip in codes for name, codes in abroad)


def test_every_french_social_security_number_has_its_key_sex_and_birth() -> None:
    checked = 0
    for note in made():
        number = note.scene.facts.get("ssn", "")
        if note.scene.home.town.country != "FR" or not number:
            continue
        who = note.scene.patient
        assert number[13:] == nir_key(number[:13])
        assert number[0] == ("2" if who.female else "1")
        assert number[1:5] == f"{who.born:%y%m}"
        checked += 1
    assert checked > 20


def test_hard_negatives_stand_outside_spans() -> None:
    text = " ".join(join([p for p in note.pieces if not p.label])[0] for note in made()).lower()
    for sign in ("babinski", "glasgow", "foley", "l4-l5", "g/dl", "1/2", "mmhg"):
        assert sign in text
    for trigger in ("maladie", "syndrome", "signe", "score", "fracture"):
        assert text.count(f"{trigger} d") > MANY / 50
