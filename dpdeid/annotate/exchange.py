"""A folder that goes out: DIR/TOOL has what annotators get, DIR/manifest.jsonl what is known of it.

The manifest says of which note a unit is, and stays: with it lines are joined to notes again. It is
written last, so that a folder without it was not finished. All files have mode 0600.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from dpdeid.annotate.schemes import Scheme, scheme_called
from dpdeid.annotate.tools import brat, doccano, label_studio, prodigy
from dpdeid.annotate.tools.returned import Sent, Tool
from dpdeid.annotate.units import Answer, Unit
from dpdeid.errors import AnnotationError, UsageError
from dpdeid.formats.json_lines import rows
from dpdeid.formats.write import json_line, open_private

TOOLS: Final[Mapping[str, Tool]] = MappingProxyType(
    {"brat": brat, "doccano": doccano, "label-studio": label_studio, "prodigy": prodigy}
)
MANIFEST: Final = "manifest.jsonl"
_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class Design:
    """What was asked of an export; the manifest's first row has it.

    Args:
        tool: a key of `TOOLS`.
        seed: of the order and of all draws. Whoever knows it and the ids of notes knows the order.
        suggested: who suggests: "gold", the name of a policy, or "" if nobody does.
        retention: the chance of a suggestion to be shown.
        perturbation: the chance of one that is shown to be altered, `perturbs` how.
    """

    tool: str
    scheme: str
    seed: int
    suggested: str = ""
    retention: float = 1.0
    perturbation: float = 0.0
    perturbs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What went out: the design, and every unit by its reference."""

    design: Design
    sent: Mapping[str, Sent]

    @property
    def scheme(self) -> Scheme:
        return scheme_called(self.design.scheme)


def tool_called(name: str) -> Tool:
    """The tool of that name.

    Raises:
        UsageError: there is none; has the names.
    """
    if name not in TOOLS:
        raise UsageError(f"no such format: {name}; allowed: {', '.join(TOOLS)}")
    return TOOLS[name]


def write(folder: Path, units: Sequence[Unit], design: Design) -> None:
    """Writes what the tool opens, and the manifest.

    Args:
        folder: a new or empty one.
        units: in the order in which they are shown.

    Raises:
        UsageError: the folder holds something, or cannot be written.
    """
    tool, scheme = tool_called(design.tool), scheme_called(design.scheme)
    sent = numbered(units)
    inner = folder / design.tool
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty: export to a new folder")
        for made in (folder, inner):
            made.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    for name, text in tool.files(sent, scheme):
        with open_private(inner / name) as file:
            file.write(text)
    with open_private(folder / MANIFEST) as file:
        file.write(json_line({**asdict(design), "units": len(sent)}))
        for one in sent:
            file.write(json_line({"ref": one.ref, "unit": Answer(one.unit, "").row()["unit"]}))


def numbered(units: Sequence[Unit]) -> list[Sent]:
    """The units under references of this export: no other one has them."""
    told = "".join(f"{unit.digest}{unit.id!a}{unit.suggested}" for unit in units)
    mark = hashlib.sha256(told.encode()).hexdigest()[:8]
    return [Sent(f"{mark}-{number:0{_DIGITS}}", unit) for number, unit in enumerate(units, 1)]


def manifest_of(folder: Path) -> Manifest:
    """The manifest of a folder.

    Raises:
        AnnotationError: there is none, or it is damaged; names the row.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise AnnotationError(f"{path} is not there: name the folder that `annotate export` wrote")
    (_, head), *lines = [*rows(path, AnnotationError)] or [(1, {})]
    sent = {}
    for number, row in lines:
        where = f"{path}, row {number}"
        unit = Answer.of_row({"unit": row.get("unit"), "annotator": ""}, where).unit
        sent[str(row.get("ref"))] = Sent(str(row.get("ref")), unit)
    if len(sent) != head.get("units"):
        raise AnnotationError(f"{path}: damaged: it does not hold as many units as it says")
    return Manifest(_design(head, path), sent)


def _design(head: Mapping[str, Any], path: Path) -> Design:
    told = {name: head.get(name) for name in Design.__dataclass_fields__}
    if not isinstance(told["tool"], str) or not isinstance(told["scheme"], str):
        raise AnnotationError(f"{path}, row 1: no tool or scheme")
    return Design(**{**told, "perturbs": tuple(head.get("perturbs") or ())})  # type: ignore[arg-type]
