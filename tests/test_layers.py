"""A module imports only from its own room and from rooms above it, and heavy tools only inside."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "dpdeid"

ROOMS = (
    ("errors", "labels", "normalize", "lexicon"),
    ("french", "tokens"),
    ("privacy",),
    ("document",),
    ("spans", "protocols", "gazetteers"),
    ("detect", "substitute", "views"),
    ("policy",),
    ("cohort",),
    ("engine",),
    ("formats", "running"),
    ("testing", "synth", "omop"),
    ("assurance",),
    ("evaluate",),
    ("fasdim", "training", "bridges"),
    ("annotate",),
    ("serve", "dossier"),
    ("cli",),
    ("__main__", "__init__"),
)
"""From top to bottom. Rooms of one line do not see each other."""

LEVEL = {room: level for level, line in enumerate(ROOMS) for room in line}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """Rooms of this package that a module imports anywhere, type checking included."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            base = node.module or ""
            names = [base] if base != "dpdeid" else [f"dpdeid.{a.name}" for a in node.names]
        rooms |= {n.split(".")[1] for n in names if n.startswith("dpdeid.")}
    return rooms


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_up_only(path: Path) -> None:
    own = room_of(path)
    assert own in LEVEL, f"{own} has no place in the rooms"
    if own == "__init__":
        return
    for room in imported_rooms(path) - {own}:
        assert LEVEL[room] < LEVEL[own], f"{own} imports {room}, which is not above it"


def test_every_room_exists() -> None:
    assert {room_of(path) for path in MODULES} == set(LEVEL)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_randomness_has_one_source(path: Path) -> None:
    if path.name == "rng.py" or room_of(path) == "testing":
        return
    banned = {"random", "secrets", "numpy.random"} - ({"secrets"} if own_keys(path) else set())
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not banned & {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module not in banned


def own_keys(path: Path) -> bool:
    """Keys are made from the system's randomness in one place only."""
    return room_of(path) == "cohort"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['dpdeid', '--help']\n"
        "from dpdeid.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'torch', 'pyspark', 'transformers', 'numpy', 'onnxruntime', 'tokenizers',\n"
        "         'pycrfsuite', 'flair', 'dateparser', 'dpdeid.gazetteers', 'dpdeid.engine'}\n"
        "heavy &= set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
