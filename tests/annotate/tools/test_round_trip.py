"""Out to a tool and back: no mark moves, whatever the text."""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from dpdeid.annotate.answers import answers
from dpdeid.annotate.exchange import TOOLS, Design, manifest_of, write
from dpdeid.annotate.tools.returned import shown
from dpdeid.annotate.units import Unit
from dpdeid.errors import AnnotationError, UsageError
from tests.annotate.strategies import texts, units
from tests.annotate.tools.simulated import RETURNS


def through(tool: str, asked: list[Unit], folder: Path, scheme: str = "chuv") -> dict[str, Unit]:
    """The units as they come back when every annotator accepts what is suggested."""
    write(folder / "out", asked, Design(tool, scheme, 0))
    came = RETURNS[tool](folder / "out" / tool, folder)
    manifest = manifest_of(folder / "out")
    found, counts = answers(TOOLS[tool].read(came), manifest, "anne")
    assert counts.blank == counts.unanswered == counts.again == 0
    for answer in found:
        assert answer.marked == answer.unit.suggested
    return {answer.unit.id: answer.unit for answer in found}


@pytest.mark.parametrize("tool", TOOLS)
@given(asked=units())
def test_no_mark_moves(tool: str, asked: list[Unit]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert through(tool, asked, Path(folder)) == {unit.id: unit for unit in asked}


@pytest.mark.parametrize("tool", TOOLS)
@given(asked=units("dpdeid"))
def test_nor_in_our_labels(tool: str, asked: list[Unit]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert len(through(tool, asked, Path(folder), "dpdeid")) == len(asked)


@given(texts)
def test_what_is_shown_has_the_width_of_the_text(text: str) -> None:
    assert len(shown(text)) == len(text)
    assert [c > "\uffff" for c in shown(text)] == [c > "\uffff" for c in text]
    shown(text).encode("utf-8")
    assert not set(shown(text)) & set("\r\x00\x0c\u2028")


@pytest.mark.parametrize("tool", TOOLS)
def test_all_files_are_private_and_only_the_manifest_names_notes(tool: str, tmp_path: Path) -> None:
    unit = Unit("note-of-anne#0", "note-of-anne", "letter-type", 0, "Vu le 12/03", ())
    write(tmp_path / "out", [unit], Design(tool, "chuv", 0))
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    naming = [p.name for p in files if "note-of-anne" in p.read_text() + p.name]
    assert naming == ["manifest.jsonl"]


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        write(tmp_path, [Unit("n#0", "n", "", 0, "x")], Design("brat", "chuv", 0))
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("lost", [0, 1, -1])
def test_a_manifest_that_lost_a_row_is_refused(tmp_path: Path, lost: int) -> None:
    asked = [Unit(f"n#{number}", "n", "", 0, "secret") for number in range(4)]
    write(tmp_path / "out", asked, Design("brat", "chuv", 0))
    path = tmp_path / "out" / "manifest.jsonl"
    lines = path.read_text().splitlines()
    del lines[lost]
    path.write_text("\n".join(lines))
    with pytest.raises(AnnotationError, match=r"manifest\.jsonl") as raised:
        manifest_of(tmp_path / "out")
    assert "secret" not in str(raised.value)


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AnnotationError, match="is not there: name the folder"):
        manifest_of(tmp_path)


def test_the_references_of_two_exports_differ(tmp_path: Path) -> None:
    for name, marks in (("a", ()), ("b", None)):
        unit = Unit("n#0", "n", "", 0, "x", marks)
        write(tmp_path / name, [unit], Design("brat", "chuv", 0))
    one, other = (set(manifest_of(tmp_path / name).sent) for name in "ab")
    assert not one & other
