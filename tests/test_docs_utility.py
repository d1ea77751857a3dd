"""docs/utility.md names every key and coder there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid.evaluate.coding.codes import Code, Terminology
from dpdeid.evaluate.medicine.changes import NoteChanges
from dpdeid.evaluate.medicine.figures import figures
from dpdeid.evaluate.medicine.kinds import Kind
from dpdeid.evaluate.utility import compare

PAGE = (Path(__file__).parents[1] / "docs" / "utility.md").read_text(encoding="utf-8")
REPORT = compare([Code(0, 1, "E11", Terminology.ICD10)], []).as_json()


def paths(tree: object) -> set[str]:
    """The paths of the innermost objects, "a.b"; lists are leaves."""
    if not isinstance(tree, dict):
        return {""}
    return {f"{key}.{rest}".strip(".") for key, value in tree.items() for rest in paths(value)}


@pytest.mark.parametrize("path", sorted(paths(REPORT)))
def test_every_key_is_documented(path: str) -> None:
    last = path.rpartition(".")[2]
    if path.startswith("codes."):
        path = f"codes.<class>.{last}"
    assert f"`{path}`" in PAGE or f".{last}`" in PAGE or f"…_{last.split('_')[-1]}`" in PAGE, path


@pytest.mark.parametrize("coder", ["full", "labels", "light"])
def test_every_coder_is_named(coder: str) -> None:
    assert f"| `{coder}`" in PAGE


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_change_is_explained(kind: Kind) -> None:
    assert any(line.startswith("| ") and f"`{kind}`" in line for line in PAGE.splitlines())


def test_every_key_of_changed_medicine_is_documented() -> None:
    found = figures([NoteChanges(1)])
    for key in {*found, *found["medicine"]} - {"kinds", "taken_for"}:
        assert f"`{key}`" in PAGE or f"`changed.{key}`" in PAGE, key
    for key in ("kinds", "taken_for"):
        assert f"`changed.{key}.<" in PAGE
