"""Runs that share a cohort: each takes a part of its units, and none the part of another.

The tag of a unit says to which part it belongs, so that no two runs draw, charge or keep anything
of one patient, and all of them together do what one run would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Self

from dpdeid.cohort import durable
from dpdeid.errors import CohortError, UsageError

_FORM: Final = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})")
_NAME: Final = re.compile(r"\.(\d+)-of-(\d+)\Z")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of some parts of the units of a cohort.

    Args:
        number: from 1.
        of: how many parts there are.
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """The part that "2/4" names: the second of four.

        Raises:
            UsageError: it names none.
        """
        match = _FORM.fullmatch(text)
        if not match or int(match[1]) > int(match[2]):
            raise UsageError(f"--shard {text}: write the second of four parts as 2/4")
        return cls(int(match[1]), int(match[2]))

    def has(self, unit: str) -> bool:
        """Whether the unit of this tag (16 hex digits) is of this part."""
        return int(unit, 16) % self.of == self.number - 1

    def file(self, path: Path) -> Path:
        """The file of this part beside the one of a whole cohort."""
        return path.with_name(f"{path.stem}.{self.number}-of-{self.of}{path.suffix}")


def files(path: Path) -> list[Path]:
    """The file of a cohort and those of all parts that ever were, sorted."""
    parts = path.parent.glob(f"{path.stem}.*-of-*{path.suffix}")
    return [path, *sorted(part for part in parts if _NAME.search(part.stem))]


@contextmanager
def held(path: Path, shard: Shard | None, what: str) -> Iterator[BinaryIO]:
    """The file of a cohort at its end, or that of a part; no run that could take the same unit has
    one meanwhile.

    Raises:
        CohortError: another run has the cohort, this part of it, or one of other parts; or a file
            cannot be written.
    """
    with ExitStack() as open_files:
        if shard is None:
            yield open_files.enter_context(durable.held(path, CohortError, what))
            return
        open_files.enter_context(durable.held(path, CohortError, what, shared=True))
        own = shard.file(path)
        part = f"part {shard.number} of {shard.of} of {what}"
        file = open_files.enter_context(durable.held(own, CohortError, part))
        for other in files(path)[1:]:  # after its own is held: of two that begin at once one sees
            if not other.stem.endswith(f"-of-{shard.of}"):
                with durable.held(other, CohortError, f"{what} in another number of parts"):
                    pass
        yield file
