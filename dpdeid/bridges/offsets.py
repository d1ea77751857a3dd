"""Where the surrogates of a note stand in its released text."""

from __future__ import annotations

from collections.abc import Iterator

from dpdeid.document import Deidentified, Surrogate


def placed(result: Deidentified) -> Iterator[tuple[Surrogate, int, int]]:
    """Each surrogate with its start and end in `result.text`: code points, half-open."""
    longer = 0
    for surrogate in result.surrogates:
        start = surrogate.mention.span.start + longer
        end = start + len(surrogate.text)
        yield surrogate, start, end
        longer = end - surrogate.mention.span.end
