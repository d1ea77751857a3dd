"""What a language model was trained on, in a file beside it, so that its taggers can say so too."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from dpdeid.detect.card import Source
from dpdeid.errors import TrainingError

FILE: Final = "origins.json"


@dataclass(frozen=True, slots=True)
class Origins:
    """Corpora, and whether a note of a real person was among them; `a + b` is both."""

    data: tuple[Source, ...] = ()
    trained_on_identified: bool = False

    def __add__(self, other: Origins) -> Origins:
        return Origins(
            (*self.data, *(source for source in other.data if source not in self.data)),
            self.trained_on_identified or other.trained_on_identified,
        )


def write_origins(folder: Path, origins: Origins) -> None:
    """Writes them into the folder of a language model."""
    (folder / FILE).write_text(json.dumps(asdict(origins), indent=1) + "\n", encoding="utf-8")


def read_origins(base: str | None) -> Origins:
    """Those of a base: its own file, else only its name; nothing for a model from nothing.

    Raises:
        TrainingError: the file is damaged.
    """
    if base is None:
        return Origins()
    path = Path(base) / FILE
    if not path.is_file():
        return Origins((Source(Path(base).name, "see its own card", 0),))
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        data = tuple(Source(**source) for source in row["data"])
        return Origins(data, bool(row["trained_on_identified"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise TrainingError(f"{path} is damaged: copy it again") from None
