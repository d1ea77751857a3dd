"""A scene: people stay who they are within a note, and facts what they are."""

from __future__ import annotations

import pytest

from dpdeid.labels import Label, Role
from dpdeid.synth import corpus
from dpdeid.synth.scene import Scene


@pytest.fixture
def scene() -> Scene:
    return corpus.note(3, 5).scene


def test_people_stay_and_new_ones_come(scene: Scene) -> None:
    assert scene.person("p") is scene.patient
    assert scene.person("s1") is scene.person("s1")
    before = scene.person("x")
    assert scene.person("+x") is not before
    assert scene.person("x") is not before
    keys = {scene.person(key).key for key in ("p", "r1", "x", "+x", "s1", "+s1")}
    assert len(keys) == 6
    roles = {key: scene.person(key).role for key in ("p", "r1", "b", "x", "o1", "s1", "n1")}
    assert roles == {
        "p": Role.PATIENT,
        "r1": Role.RELATIVE,
        "b": Role.RELATIVE,
        "x": Role.PATIENT,
        "o1": Role.UNKNOWN,
        "s1": Role.STAFF,
        "n1": Role.STAFF,
    }


def test_facts_stay_the_same_within_a_note(scene: Scene) -> None:
    for rule in ("ipp", "nda", "hosp", "zip", "city", "street"):
        assert scene.write(rule) == scene.write(rule)
    assert scene.write("ipp.new") != scene.write("ipp")
    assert len({tuple(scene.write("order")) for _ in range(9)}) > 5


def test_the_stay_is_before_the_note(scene: Scene) -> None:
    assert scene.stay.begin < scene.stay.end <= scene.day


def test_an_unknown_slot_is_a_key_error(scene: Scene) -> None:
    with pytest.raises(KeyError):
        list(scene.fill("moon", ()))
    with pytest.raises(KeyError):
        list(scene.fill("s1.moon", ()))


def test_labels_of_slots(scene: Scene) -> None:
    for slot, label in (("d", Label.DATE), ("dob", Label.BIRTH_DATE), ("unit", Label.UNIT)):
        assert [piece.label for piece in scene.fill(slot, ())] == [label]
    assert [piece.label for piece in scene.write("iban")] == [Label.OTHER_ID]
