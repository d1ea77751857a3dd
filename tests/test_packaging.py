"""The wheel holds the lists and the policies, and works unpacked and as a zip file."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import dpdeid

ROOT = Path(__file__).parents[1]
SCRIPT = (
    "import dpdeid, dpdeid.gazetteers as g; from dpdeid.policy.policy import names\n"
    "assert {place!r} in dpdeid.__file__, dpdeid.__file__\n"
    "assert len(g.surnames()) > 100_000 and g.places_named('brest')\n"
    "assert 'dp' in names()\n"
    "print(dpdeid.Deidentifier('redact')('Mme Durand, vue à Brest.').text)\n"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(target)]
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in the source distribution."""
    target = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
    done = subprocess.run(
        [*command, "--directory", str(target)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    (built,) = target.glob("*.tar.gz")
    with tarfile.open(built) as files:
        return {name.partition("/")[2] for name in files.getnames()}


def released(path: Path) -> str:
    """What a fresh interpreter prints that finds the package at `path` only."""
    script = f"import sys; sys.path.insert(0, {str(path)!r})\n" + SCRIPT.format(place=str(path))
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_wheel_as_a_zip(wheel: Path) -> None:
    assert released(wheel) == "Mme [LAST_NAME], vue à [CITY]."


def test_the_wheel_unpacked(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "site")
    assert released(tmp_path / "site") == "Mme [LAST_NAME], vue à [CITY]."


def test_the_wheel_carries_its_licences(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.endswith("LICENSE") for name in names)
    assert any(name.endswith("NOTICE") for name in names)
    assert any(name.endswith("SOURCES.md") for name in names)


def test_the_wheel_is_the_package_alone(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not re.fullmatch(r"dpdeid-[\d.]+\.dist-info", top)} == {"dpdeid"}


def test_the_wheel_carries_the_models_and_their_cards(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tagger = ("model.onnx", "tagger.json", "tokenizer.json", "card.json", "README.md")
    base = ("model.safetensors", "config.json", "tokenizer.json", "origins.json", "README.md")
    assert {"dpdeid/models/crf.crfsuite", "dpdeid/models/crf.crfsuite.card.json"} <= names
    assert {f"dpdeid/models/transformer/{name}" for name in tagger} <= names
    assert {f"dpdeid/models/base/{name}" for name in base} <= names


def test_the_wheel_stays_small(wheel: Path) -> None:
    """25 MB, the words of four other languages (300 kB), and the trees of the decision (90 kB)."""
    assert wheel.stat().st_size < 25_390_000


def test_spacy_finds_the_pipe_of_the_wheel(wheel: Path) -> None:
    pytest.importorskip("spacy", reason="needs the extra bridges")
    script = (
        f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
        "import spacy; nlp = spacy.blank('fr')\n"
        "pipe = nlp.add_pipe('dpdeid', config={'policy': 'redact', 'detect_only': True})\n"
        "import dpdeid; print(dpdeid.__file__, pipe)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=wheel.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{wheel}/dpdeid/__init__.py Pipe('dpdeid', policy='redact')\n"


def test_the_sdist_carries_its_papers(sdist: set[str]) -> None:
    papers = {"README.md", "README.fr.md", "CITATION.cff", "CHANGELOG.md", "LICENSE", "NOTICE"}
    assert papers <= sdist
    assert {"docs/commands.md", "docs/fr/dpd.md", "docs/hooks.py", "mkdocs.yml"} <= sdist
    assert {"constraints.txt", "dpdeid/policies/dp.yaml", "gazetteers/SOURCES.md"} <= sdist
    assert not any(name.startswith(("site/", ".venv", "deploy/")) for name in sdist)


def test_who_cites_it_finds_the_version() -> None:
    cite = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert cite["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(cite)  # what CFF asks for
    assert set(cite) <= FIELDS_OF_CFF
    assert cite["authors"] == [{"name": "The dpdeid authors"}]
    assert cite["type"] in ("software", "dataset")
    assert (cite["title"], cite["version"]) == (project["name"], project["version"])
    assert cite["license"] == project["license"]
    assert cite["version"] == dpdeid.__version__


def test_the_studies_it_stands_on_are_cited_with_it() -> None:
    """The four systems of the README, and the sources of the mechanisms, by author and year."""
    references = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    assert all({"type", "title", "authors", "year"} <= set(one) for one in references)
    cited = {(one["authors"][0]["family-names"], one["year"]) for one in references}
    readme, privacy = ((ROOT / name).read_text() for name in ("README.md", "docs/privacy.md"))
    grown = readme.partition("grows out of four published systems")[2].partition(".\n")[0]
    sources = privacy.partition("\nSources: ")[2]
    named = re.findall(r"([A-Z]\w+)(?: et al\.)? (20\d\d)", f"{grown} {sources}")
    assert len(named) >= 12
    assert {(name, int(year)) for name, year in named} <= cited


FIELDS_OF_CFF = {
    *("abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi"),
    *("identifiers", "keywords", "license", "license-url", "message", "preferred-citation"),
    *("references", "repository", "repository-artifact", "repository-code", "title", "type"),
    *("url", "version"),
}
"""Every key that version 1.2.0 of the format knows."""

MODULE_OF = {
    "odfpy": "odf",
    "pdfminer.six": "pdfminer",
    "pillow": "PIL",
    "pyannote-core": "pyannote",
    "python-crfsuite": "pycrfsuite",
    "python-docx": "docx",
    "python-oxmsg": "oxmsg",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
}
"""Packages whose module is not called as they are."""


def imported(path: Path) -> set[str]:
    """The packages that a module imports anywhere."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.split(".")[0] for name in names}


def test_the_package_imports_what_it_declares_and_nothing_that_happens_to_be_there() -> None:
    """Another package may bring a module here that no stranger's machine has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[<>=!;[ ]", one)[0].lower() for group in groups for one in group}
    known = {MODULE_OF.get(name, name.replace("-", "_")) for name in names}
    found = set().union(*map(imported, (ROOT / "dpdeid").rglob("*.py")))
    assert found - known - sys.stdlib_module_names == {"dpdeid"}
