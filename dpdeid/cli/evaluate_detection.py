"""`dpdeid evaluate detection`: found spans against gold ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def detection(
    gold: Path,
    predicted: Sequence[Path],
    *,
    against: Sequence[Path] = (),
    form: str | None = None,
    labels: Path | None = None,
    scheme: str | None = None,
    resamples: int = 1_000,
    seed: int = 0,
    output: Path | None = None,
) -> None:
    """Prints the figures of `predicted` against `gold` and writes them to `output`."""
    raise NotImplementedError
