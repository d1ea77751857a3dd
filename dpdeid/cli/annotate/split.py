"""`dpdeid annotate split`: gold in three parts, alike in their categories."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from dpdeid.annotate.agreement.plots import plots as drawn
from dpdeid.annotate.agreement.split import LEAST, WAYS, Part, Sample, read_gold
from dpdeid.annotate.agreement.split import split as parted
from dpdeid.cli.terminal import Console, table
from dpdeid.errors import AnnotationError, UsageError
from dpdeid.formats.write import json_line, keep_apart, open_private, write_json

_OTHERS: Final = ("published", "random")


def split(
    files: list[Path],
    out: Path,
    test: float = 0.15,
    validation: float = 0.15,
    way: str = "rarest",
    least: int = LEAST,
    whole: bool = False,
    plots: bool = False,
    seed: int = 0,
    output: Path | None = None,
) -> None:
    """Writes `test.jsonl`, `validation.jsonl` and `train.jsonl`, with the rows as they were.

    Raises:
        UsageError: a file, the folder, the way or a share is refused.
    """
    if way not in WAYS:
        raise UsageError(f"--way {way}: choose one of {', '.join(WAYS)}")
    keep_apart(files, out, output, folder=True)
    samples = read_gold(files, whole=whole)
    if not samples:
        raise AnnotationError("there is no gold in these files")

    def by(other: str) -> list[Part]:
        return parted(samples, (test, validation), other, least=least, seed=seed)

    parts, beside = by(way), {other: by(other) for other in _OTHERS if other != way}
    pictures = [*drawn(parts, beside)] if plots else []
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty: give a new folder")
    out.mkdir(mode=0o700, exist_ok=True)
    for part in parts:
        with open_private(out / f"{part.name}.jsonl") as file:
            file.writelines(json_line(dict(row)) for row in _rows(part.samples))
    for name, picture in pictures:
        with open_private(out / f"{name}.svg") as file:
            file.write(picture)
    _show(parts, beside)
    if output is not None:
        every = {way: parts, **beside}
        told = {name: {part.name: part.row() for part in one} for name, one in every.items()}
        write_json(output, {"way": way, "ways": told})


def _rows(samples: Sequence[Sample]) -> list[Any]:
    return [row for one in samples for row in one.rows]


def _show(parts: Sequence[Part], beside: dict[str, list[Part]]) -> None:
    console = Console()
    rows = (
        (
            part.name,
            f"{len(part.samples):,}",
            f"{part.expected:,}",
            _number(part.gamma),
            _number(part.annotators),
            f"{len(part.off)} of {len(part.targets)}",
            *(str(len(other[at].off)) for other in beside.values()),
        )
        for at, part in enumerate(parts)
    )
    heads = ("", "samples", "expected", "gamma", "annotators", "categories over 10 % off", *beside)
    console.print(table(heads, rows))
    labels = (
        (label, *(f"{part.reached[label]:,} / {part.targets[label]:,}" for part in parts))
        for label in sorted(parts[0].targets)
    )
    console.print(table(("category: reached / target", *(part.name for part in parts)), labels))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
