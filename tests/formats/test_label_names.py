"""Label names of other schemes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdeid.document import Span
from dpdeid.errors import AnnotationError
from dpdeid.formats.annotations import read_annotations
from dpdeid.formats.label_names import CLASSES, SCHEMES, key, read_labels, scheme_of, shown
from dpdeid.labels import APHP, CATEGORIES, CHUV, Label


def noted(folder: Path, *labels: str) -> Path:
    path = folder / "n.jsonl"
    row = {"id": "n", "text": "x" * 40, "label": [[i, i + 1, x] for i, x in enumerate(labels)]}
    path.write_text(json.dumps(row))
    return path


@pytest.mark.parametrize(
    ("labels", "scheme", "ours"),
    [
        (["LAST_NAME", "Birth date"], "ours", [Label.LAST_NAME, Label.BIRTH_DATE]),
        (["DATE", "AGE"], "ours", [Label.DATE, Label.AGE]),
        (["NOM", "VILLE", "TEL"], "aphp", [Label.LAST_NAME, Label.CITY, Label.PHONE]),
        (["PATIENT ID", "NSS"], "aphp", [Label.PATIENT_ID, Label.SSN]),
        (["ÂGE", "PATIENT_E", "RUE"], "chuv", [Label.AGE, Label.LAST_NAME, Label.STREET]),
        (["DOCTOR", "LOCATION-OTHER"], "i2b2", [Label.LAST_NAME, Label.CITY]),
        (["NAME_DOCTOR", "DATE"], "partages", [Label.LAST_NAME, Label.DATE]),
        (["PRENOM_PATIENT", "NOM_SOIGNANT"], "partages", [Label.FIRST_NAME, Label.LAST_NAME]),
        (["PER", "LOC", "DATE"], "hnfc", [Label.LAST_NAME, Label.CITY, Label.DATE]),
    ],
)
def test_a_file_is_read_in_the_first_scheme_that_knows_all_its_labels(
    labels: list[str], scheme: str, ours: list[Label], tmp_path: Path
) -> None:
    read = read_annotations(noted(tmp_path, *labels))
    assert read.scheme == scheme == scheme_of(labels)
    assert read.notes[0].spans == tuple(Span(i, i + 1, label) for i, label in enumerate(ours))


def test_unknown_labels_are_refused_with_their_notes(tmp_path: Path) -> None:
    with pytest.raises(AnnotationError) as caught:
        read_annotations(noted(tmp_path, "NOM", "Zyxwvut", "POIDS"))
    assert str(caught.value).splitlines()[1:] == [
        "  unknown label (1 not in capitals; give it a meaning with --labels): 1 (n)",
        "  unknown label (POIDS; give it a meaning with --labels): 1 (n)",
    ]


def test_own_names_come_first_and_what_they_leave_out_is_counted(tmp_path: Path) -> None:
    own = tmp_path / "labels.yaml"
    own.write_text("NOM: CITY\nPoids: null\nN° dossier: VISIT_ID\n")
    read = read_annotations(
        noted(tmp_path, "NOM", "VILLE", "POIDS", "poids", "n dossier"), own=read_labels(own)
    )
    assert [s.label for s in read.notes[0].spans] == [Label.CITY, Label.CITY, Label.VISIT_ID]
    assert (read.scheme, read.left_out) == ("aphp", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "lines 'NAME: LABEL'"),
        ("1: CITY", "lines 'NAME: LABEL'"),
        ("{", "cannot be read as YAML"),
        ("NOM: TOWN", "NOM: not a label; allowed: null, LAST_NAME, FIRST_NAME"),
        ("NOM: [CITY]", "not a label"),
    ],
)
def test_a_wrong_label_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.yaml"
    path.write_text(text)
    with pytest.raises(AnnotationError, match=message.replace("(", r"\(")):
        read_labels(path)


def test_names_are_compared_without_case_accents_and_marks() -> None:
    assert key("Âge (années)") == "AGE_ANNEES"
    for scheme, names in SCHEMES.items():
        assert all(key(name) == name for name in names), scheme


def test_every_class_reads_back_as_one_of_its_labels() -> None:
    for scheme, classes in (("aphp", APHP), ("chuv", CHUV)):
        for name in classes.values():
            assert classes[SCHEMES[scheme][key(name)]] == name


def test_every_label_has_a_category_and_classes_are_of_labels() -> None:
    assert set(CATEGORIES) == set(Label)
    assert set(CLASSES["i2b2"]) == set(CATEGORIES) - {
        Label.DURATION, Label.TIME, Label.NATIONALITY, Label.MARITAL_STATUS, Label.KINSHIP,
    }  # fmt: skip


def test_names_that_are_no_labels_are_only_counted() -> None:
    assert shown(["Zyxwvut", "CITY", "vu le 12"]) == "CITY, 2 not in capitals"
