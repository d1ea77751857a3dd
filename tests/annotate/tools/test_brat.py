"""brat: what is written into its folder, and what an annotator may leave there."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid.annotate.answers import answers
from dpdeid.annotate.exchange import Design, manifest_of, write
from dpdeid.annotate.tools import brat
from dpdeid.annotate.units import Answer, Marked, Unit
from dpdeid.errors import AnnotationError

TEXT = "Vu 🙂 par Anne\nDupont, 63 ans"
UNIT = Unit("n#0", "n", "", 0, TEXT, (Marked(9, 20, "PATIENT_E"), Marked(22, 28, "ÂGE")))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write(tmp_path / "out", [UNIT], Design("brat", "chuv", 0))
    return tmp_path / "out"


def ann(out: Path) -> Path:
    (path,) = (out / "brat").glob("*.ann")
    return path


def read(out: Path) -> Answer:
    (found,), _ = answers(brat.read(out / "brat"), manifest_of(out), "anne", "red")
    return found


def test_a_mark_over_two_lines_has_two_pieces(out: Path) -> None:
    assert ann(out).read_text(encoding="utf-8") == (
        "T1\tPATIENT_E 9 13;14 20\tAnne Dupont\nT2\tAGE 22 28\t63 ans\n"
    )
    assert read(out) == Answer(UNIT, "anne", "red", UNIT.suggested or ())


def test_types_are_ascii_and_shown_as_they_are(out: Path) -> None:
    types = (out / "brat" / "annotation.conf").read_text(encoding="utf-8")
    assert types.isascii()
    assert "\nAGE\n" in types
    looks = (out / "brat" / "visual.conf").read_text(encoding="utf-8")
    assert "AGE | ÂGE\n" in looks
    assert "AGE\tbgColor:#fdffb6, fgColor:black\n" in looks
    keys = (out / "brat" / "kb_shortcuts.conf").read_text(encoding="utf-8")
    assert "G AGE\n" in keys


def test_notes_and_relations_are_not_read_and_a_name_with_accents_is(out: Path) -> None:
    ann(out).write_text("T7\tÂGE 22 28\t63 ans\n#1\tAnnotatorNotes T7\tsûr ?\n*\tEquiv T7 T8\n")
    assert read(out).marked == (Marked(22, 28, "ÂGE"),)


def test_pieces_with_words_between_are_marks_of_their_own(out: Path) -> None:
    ann(out).write_text("T1\tPATIENT_E 9 13;22 24\tAnne 63\n", "utf-8")
    assert read(out).marked == (Marked(9, 13, "PATIENT_E"), Marked(22, 24, "PATIENT_E"))


def test_white_space_at_the_ends_of_a_mark_goes(out: Path) -> None:
    ann(out).write_text("T1\tPATIENT_E 8 14\t Anne \nT2\tAGE 8 9\t \n".replace("8 14", "8 13"))
    assert read(out).marked == (Marked(9, 13, "PATIENT_E"),)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (b"T1\tAGE\t63 ans\n", "damaged"),
        (b"T1\tAGE 22 99\tx\n", "lies outside the text"),
        (b"T1\tAGE 9 13\tMarc\n", "does not hold the text"),
        (b"\xff\xfe", "not UTF-8"),
        (b"T1\tUNHEARD_OF 9 13\tAnne\n", "chuv does not have"),
    ],
)
def test_a_damaged_file_is_named(out: Path, lines: bytes, said: str) -> None:
    ann(out).write_bytes(lines)
    with pytest.raises(AnnotationError, match=said) as raised:
        read(out)
    assert ann(out).name in str(raised.value)
    assert "Anne" not in str(raised.value)


def test_a_text_that_was_changed_is_refused(out: Path) -> None:
    ann(out).with_suffix(".txt").write_text(TEXT.replace("Anne", "Lise"), "utf-8")
    ann(out).write_text("")
    with pytest.raises(AnnotationError, match="the text is not that of unit"):
        read(out)


def test_a_missing_text_is_told(out: Path) -> None:
    ann(out).with_suffix(".txt").unlink()
    with pytest.raises(AnnotationError, match=r"no \.txt file beside it"):
        read(out)
