"""The best sequence of BIO tags that is valid: no I- without its B- or I- before it.

Exact. Where the tags that win token by token are already valid, they are the best sequence, and
nothing needs to be searched; else Viterbi runs over the note.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

FORBIDDEN = -1e4
"""The log score of a step that BIO does not allow."""


def constraints(tags: Sequence[str]) -> tuple[Array, Array]:
    """Log scores of what BIO allows, 0 or `FORBIDDEN`: of the first tag (K,), of steps (K, K).

    `steps[i, j]` is from tag i to tag j.
    """
    import numpy as np

    start = np.zeros(len(tags), np.float32)
    steps = np.zeros((len(tags), len(tags)), np.float32)
    for j, tag in enumerate(tags):
        if tag.startswith("I-"):
            start[j] = FORBIDDEN
            steps[:, j] = FORBIDDEN
            for i, before in enumerate(tags):
                if before[2:] == tag[2:]:
                    steps[i, j] = 0.0
    return start, steps


def best_tags(scores: Array, start: Array, steps: Array) -> Array:
    """The tags (N,) int of the best sequence.

    Args:
        scores: (N, K) log scores of the tags at each token.
        start: (K,) log scores of the first tag.
        steps: (K, K) log scores of steps from one tag to the next.
    """
    import numpy as np

    count = len(scores)
    if not count:
        return np.zeros(0, np.int64)
    plain: Array = scores.argmax(1)
    free = not ((steps != 0) & (steps > FORBIDDEN / 2)).any()
    if free and start[plain[0]] == 0 and not steps[plain[:-1], plain[1:]].any():
        return plain
    back = np.empty((count, scores.shape[1]), np.int64)
    total = scores[0] + start
    into = np.ascontiguousarray(steps.T)  # (to, from)
    columns = np.arange(scores.shape[1])
    for at in range(1, count):
        ways = into + total  # (K, K)
        best = ways.argmax(1)
        back[at] = best
        total = ways[columns, best] + scores[at]
    tags = np.empty(count, np.int64)
    tags[-1] = total.argmax()
    for at in range(count - 1, 0, -1):
        tags[at - 1] = back[at, tags[at]]
    return tags
