"""What the package depends on: pinned, used, and under a licence that lets it be used anywhere."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = {
    name: [Requirement(line) for line in lines]
    for name, lines in PROJECT["project"]["optional-dependencies"].items()
}
CORE = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
BUILD = [Requirement(line) for line in PROJECT["build-system"]["requires"]]
_ASKED = (*CORE, *BUILD, *chain.from_iterable(EXTRAS.values()))
EVERY = sorted({str(one): one for one in _ASKED}.items())

MODULES = {
    "fhir.resources": "fhir",
    "malac-models-cda": "malac",
    "mkdocs-material": "material",
    "odfpy": "odf",
    "pyannote-core": "pyannote",
    "pdfminer.six": "pdfminer",
    "pillow": "PIL",
    "python-crfsuite": "pycrfsuite",
    "python-docx": "docx",
    "python-oxmsg": "oxmsg",
    "python-stdnum": "stdnum",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
}
"""Packages that are not imported under their own names."""
COMMANDS = {"cyclonedx-bom", "hatchling", "mypy", "pytest-xdist", "ruff", "types-PyYAML"}
"""What is run, and what that runs with."""

ALLOWED = (
    *("mit", "bsd", "apache", "isc", "psf", "python software foundation", "python-2.0", "zlib"),
    *(
        "mpl-2.0",
        "mpl 2.0",
        "mozilla public license 2.0",
        "0bsd",
        "cc0",
        "unlicense",
        "cnri-python",
    ),
)
"""How licences begin that ask for no more than to be named, or for their own files only (MPL)."""
UNTOLD = {"protobuf": "3-Clause BSD License", "pyyaml": "MIT License"}
"""What the text of a licence says where the metadata names it in words of their own, or not."""


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


@cache
def imported(folder: str) -> set[str]:
    """The first names of all modules that a folder imports or asks for."""
    found: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value.partition(".")[0])  # importorskip, import_module
    return found


def licences(name: str) -> list[str]:
    """What an installed package says of its licence, in small letters."""
    about = distribution(name).metadata
    told = about.get("License-Expression") or UNTOLD.get(canonicalize_name(name), "")
    if not told:
        kinds = [one for one in about.get_all("Classifier") or () if one.startswith("License ::")]
        told = " AND ".join(one.rpartition(" :: ")[2] for one in kinds) or about.get("License", "")
    parts = re.split(r"\s+(?:AND|OR|WITH)\s+|[()]", told)
    return [part.strip().lower() for part in parts if part.strip()]


def needed(names: Iterator[str]) -> set[str]:
    """Installed packages that these need, at any distance, themselves among them."""
    found: set[str] = set()
    waiting = [*names]
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        try:
            lines = distribution(name).requires or []
        except PackageNotFoundError:  # of another system or Python
            continue
        found.add(name)
        asked = map(Requirement, lines)
        waiting += [
            one.name for one in asked if not one.marker or one.marker.evaluate({"extra": ""})
        ]
    return found


SHIPPED = sorted(needed(one.name for one in CORE))


@pytest.mark.parametrize("wanted", [one for _, one in EVERY], ids=str)
def test_every_dependency_is_pinned_to_a_version_that_fits(wanted: Requirement) -> None:
    pinned = pins().get(canonicalize_name(wanted.name))
    assert pinned, f"{wanted.name} has no line in constraints.txt"
    assert wanted.specifier.contains(pinned, prereleases=True)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_installed_with_the_package_is_pinned(name: str) -> None:
    assert name in pins()


def module_of(wanted: Requirement) -> str:
    return MODULES.get(wanted.name, wanted.name).replace("-", "_").partition(".")[0]


@pytest.mark.parametrize("wanted", CORE, ids=str)
def test_the_package_uses_what_it_needs(wanted: Requirement) -> None:
    assert module_of(wanted) in imported("dpdeid")


@pytest.mark.parametrize(
    "wanted",
    [one for lines in EXTRAS.values() for one in lines if one.name not in COMMANDS],
    ids=str,
)
def test_no_extra_is_unused(wanted: Requirement) -> None:
    every = imported("dpdeid") | imported("tests") | imported("benchmarks")
    assert module_of(wanted) in every


@pytest.mark.parametrize("name", SHIPPED)
def test_licences_of_what_is_installed_with_the_package_are_allowed(name: str) -> None:
    told = licences(name)
    assert told, f"{name} names no licence"
    assert all(one.startswith((*ALLOWED, "3-clause bsd")) or "llvm" in one for one in told), told


def test_a_licence_that_is_not_allowed_is_seen() -> None:
    assert len(SHIPPED) > 15
    assert not "gpl-3.0-only".startswith(ALLOWED)
    assert not "gnu lesser general public license".startswith(ALLOWED)
    assert "unheard_of_module" not in imported("dpdeid")
