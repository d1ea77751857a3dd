"""Cuts a long note into overlapping windows, for taggers that read a bounded stretch at a time.

AP-HP's way: at most 384 words, cut at sentence starts (Tannier et al. 2024). Windows overlap, and
each token is judged in the window where it stands farthest from an edge; the tags are then decoded
over the whole note at once, so that no span is lost at a seam.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpdeid.tokens import Tokens

_ENDS = frozenset(".!?…")


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens [start, end) of a note; those in [own_start, own_end) are judged here."""

    start: int
    end: int
    own_start: int
    own_end: int


def sentence_starts(tokens: Tokens, text: str) -> list[int]:
    """Indices of tokens that begin a line, or follow the mark that ends a sentence."""
    starts = []
    done = 0
    for index, (start, end) in enumerate(tokens):
        opens = "\n" in text[done:start]
        if not opens and index and tokens.texts[index - 1] in _ENDS:
            opens = done < start and not tokens.texts[index][:1].islower()
        if opens or not index:
            starts.append(index)
        done = end
    return starts


def windows(
    starts: Sequence[int], sizes: Sequence[int], *, words: int, room: int, overlap: int
) -> Iterator[Window]:
    """Windows that cover all tokens; each token is judged in exactly one of them.

    Args:
        starts: tokens at which a window may begin or end; where none fits, it is cut anywhere.
        sizes: how many pieces each token has.
        words: most tokens in a window, at least 1.
        room: most pieces in a window; a token with more has a window of its own.
        overlap: tokens that two neighbours share, where sentences allow; less than `words`.
    """
    total = [0]
    for size in sizes:
        total.append(total[-1] + size)
    count = len(sizes)
    cuts: list[tuple[int, int]] = []
    start = 0
    while start < count:
        fits = bisect_right(total, total[start] + room) - 1
        end = min(start + words, max(fits, start + 1))
        if end < count:
            end = _at_sentence(starts, (start + end + 1) // 2, end)
        cuts.append((start, min(end, count)))
        if end >= count:
            break
        start = _at_sentence(
            starts, max(start + 1, end - 2 * overlap), max(start + 1, end - overlap)
        )
    own = 0
    for place, (start, end) in enumerate(cuts):
        last = place + 1 == len(cuts)
        own_end = count if last else (cuts[place + 1][0] + end) // 2
        yield Window(start, end, own, own_end)
        own = own_end


def _at_sentence(starts: Sequence[int], low: int, high: int) -> int:
    """The last sentence start in [low, high], `high` if there is none."""
    at = bisect_right(starts, high)
    return starts[at - 1] if at and starts[at - 1] >= low else high
