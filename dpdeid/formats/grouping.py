"""Items of one group together, in memory that does not grow with their number.

So the notes of a patient are one record wherever they stand in the input. What does not fit into
memory waits in an encrypted file without a name, see `ExternalSort`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

from dpdeid.formats.external_sort import ExternalSort

T = TypeVar("T")


def grouped(
    items: Iterable[T], group: Callable[[T], str | None], folder: Path | None
) -> Iterator[list[T]]:
    """The items in groups: those of one name are together and in their order; groups are in that of
    their names, and an item without one stands alone, before them.

    Args:
        group: the name of the group of an item, None if it has none.
        folder: where they wait; None takes the system's place for such files.
    """
    with closing(ExternalSort(folder)) as waiting:
        for number, item in enumerate(items):
            name = group(item)
            key = b"\1" + _bytes(name) if name is not None else b"\0" + number.to_bytes(8, "big")
            waiting.add(key, pickle.dumps((key, item)))
        keyed = map(pickle.loads, waiting)  # what this process wrote, under a key of its own
        for _, members in groupby(keyed, itemgetter(0)):
            yield [item for _, item in members]


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
