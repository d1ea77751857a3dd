"""What other schemes' label names are among ours, and in which classes they count.

A file is read in the first scheme that knows all its labels: ours, `aphp`, `chuv`, `i2b2`,
`partages`, `hnfc`. Names are compared without case, accents and marks ("PATIENT ID", "Patient_Id").
A scheme that does not tell our labels apart gives the broader one: PATIENT is LAST_NAME. Then the
classes of `--scheme` are what can be compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

import yaml

from dpdeid.errors import AnnotationError
from dpdeid.labels import APHP, CHUV, HNFC, Label

_KEY: Final = re.compile(r"[\W_]+")
_SAFE: Final = re.compile(r"[A-ZÀ-Þ][A-ZÀ-Þ0-9_:/ -]{0,31}")
"""Names that a message repeats. A damaged file may hold anything where a label should be: what is
not written like one is only counted."""


def key(name: str) -> str:
    """The name without case, accents and marks.

    >>> key("Date de naissance")
    'DATE_DE_NAISSANCE'
    """
    plain = unicodedata.normalize("NFD", name).upper()
    return _KEY.sub("_", "".join(c for c in plain if not unicodedata.combining(c))).strip("_")


def _reversed(classes: Mapping[Label, str]) -> dict[str, Label]:
    return {key(name): label for label, name in reversed(tuple(classes.items()))}


_BESIDE: Final[Mapping[str, Mapping[Label, str]]] = {"aphp": APHP, "chuv": CHUV}
_FILE: Final = yaml.safe_load(
    (files("dpdeid.formats") / "label_names.yaml").read_text(encoding="utf-8")
)

SCHEMES: Final[Mapping[str, Mapping[str, Label]]] = {
    "ours": {label.value: label for label in Label},
    **{
        scheme: _reversed(_BESIDE.get(scheme, {}))
        | {name: Label(label) for label, names in labels.items() for name in names}
        for scheme, labels in _FILE["schemes"].items()
    },
}
"""Label names by scheme, as `key` writes them."""

CLASSES: Final[Mapping[str, Mapping[Label, str]]] = {
    "aphp": APHP,
    "hnfc": HNFC,
    "chuv": CHUV,
    "i2b2": {Label(x): name for name, labels in _FILE["i2b2_classes"].items() for x in labels},
}
"""Classes to count in. A label that a scheme does not have is left out of its counts."""

COARSE: Final = frozenset({"chuv", "i2b2", "partages", "hnfc"})
"""Schemes that have one class for surnames and first names."""


def scheme_of(names: Iterable[str]) -> str:
    """The first scheme that knows all names, else the one that knows most of them."""
    keys = {key(name) for name in names}
    return max(SCHEMES, key=lambda scheme: len(keys & SCHEMES[scheme].keys()))


def shown(names: Iterable[str]) -> str:
    """Label names for a message; one that does not look like a label is only counted."""
    names = sorted(names)
    safe = [name for name in names if _SAFE.fullmatch(name)]
    hidden = len(names) - len(safe)
    return ", ".join(safe + ([f"{hidden} not in capitals"] if hidden else []))


def read_labels(path: Path) -> dict[str, Label | None]:
    """A hospital's own label names, by `key`: a label of ours, or None to leave it out.

    Raises:
        AnnotationError: the file is no YAML mapping of names to labels or null.
    """
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        raise AnnotationError(f"{path}: cannot be read as YAML") from None
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in loaded):
        raise AnnotationError(f"{path}: lines 'NAME: LABEL' are expected")
    if wrong := [n for n, label in loaded.items() if label not in (None, *Label)]:
        allowed = ", ".join(Label)
        raise AnnotationError(f"{path}: {shown(wrong)}: not a label; allowed: null, {allowed}")
    return {key(name): None if label is None else Label(label) for name, label in loaded.items()}
