"""The best sequence of BIO tags that is valid: no I- without its B- or I- before it.

Exact. Where the tags that win token by token are already valid they are the best sequence, and
nothing is searched; where they are not, Viterbi runs over the few tokens that are in doubt. Scores
of steps that a CRF head learned need it over the whole note. `marginals` says how sure each tag is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpdeid.document import Span
from dpdeid.tags import decode
from dpdeid.tokens import Tokens

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

FORBIDDEN = -1e4
"""The log score of a step that BIO does not allow."""

_FAINTEST = -300.0
"""A tag further behind the best of its token counts as if it were so far: its share is not zero."""


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
        scores: (N, K) log scores of the tags at each token, in the order of `bio_tags`.
        start: (K,) log scores of the first tag.
        steps: (K, K) log scores of steps from one tag to the next.
    """
    import numpy as np

    learned = ((steps != 0) & (steps > FORBIDDEN / 2)).any() or (start > FORBIDDEN / 2)[
        start != 0
    ].any()
    if learned or not len(scores):
        return _search(scores, start, steps)
    tags: Array = scores.argmax(1)
    broken = np.append(start[tags[:1]], steps[tags[:-1], tags[1:]]) < 0
    if not broken.any():
        return tags
    # Turning each orphan I- of a stretch into its B- is valid and loses this much; so the best tags
    # lose no more, and a token whose second tag is further behind has the tag that wins there. A
    # stretch between two such tokens stands for itself.
    two = np.partition(scores, -2, axis=1)[:, -2:]
    margins = two[:, 1] - two[:, 0]
    orphans = np.flatnonzero(broken)
    losses = scores[orphans, tags[orphans]] - scores[orphans, tags[orphans] - 1]
    doubtful = [(0, len(tags))]
    while doubtful:
        begin, end = doubtful.pop()
        inside = (orphans >= begin) & (orphans < end)
        if not inside.any():
            continue
        open_ = begin + np.flatnonzero(margins[begin:end] <= losses[inside].sum())
        if len(open_) < end - begin:
            runs = np.split(open_, np.flatnonzero(np.diff(open_) > 1) + 1)
            doubtful += [(int(run[0]), int(run[-1]) + 1) for run in runs if len(run)]
            continue
        part = scores[begin:end].copy()
        if end < len(tags):
            part[-1] += steps[:, tags[end]]
        tags[begin:end] = _search(part, steps[tags[begin - 1]] if begin else start, steps)
    return tags


def _search(scores: Array, start: Array, steps: Array) -> Array:
    """Viterbi over all tokens."""
    import numpy as np

    count = len(scores)
    tags = np.empty(count, np.int64)
    if not count:
        return tags
    back = np.empty((count, scores.shape[1]), np.int64)
    total = scores[0] + start
    into = np.ascontiguousarray(steps.T)  # (to, from)
    columns = np.arange(scores.shape[1])
    for at in range(1, count):
        ways = into + total  # (K, K)
        best = ways.argmax(1)
        back[at] = best
        total = ways[columns, best] + scores[at]
    tags[-1] = total.argmax()
    for at in range(count - 1, 0, -1):
        tags[at - 1] = back[at, tags[at]]
    return tags


def marginals(scores: Array, start: Array, steps: Array) -> Array:
    """The probability of each tag at each token among the valid sequences: (N, K) float64, rows sum
    to 1. Forward-backward (Baum et al. 1970); for the arguments see `best_tags`.
    """
    import numpy as np

    own = np.exp(np.maximum(scores - scores.max(1, keepdims=True), _FAINTEST), dtype=np.float64)
    step = np.exp(steps - steps.max(), dtype=np.float64)  # what BIO does not allow becomes 0
    before, after = np.empty_like(own), np.ones_like(own)
    row = np.exp(start - start.max(), dtype=np.float64)
    for at in range(len(own)):
        row = own[at] * (row @ step if at else row)
        row /= row.sum()
        before[at] = row
    for at in range(len(own) - 1, 0, -1):
        row = step @ (own[at] * after[at])
        after[at - 1] = row / row.sum()
    found: Array = before * after
    found /= found.sum(1, keepdims=True)
    return found


def spans_of(
    tags: Array, chances: Array, names: Sequence[str], tokens: Tokens, *, source: str
) -> tuple[Span, ...]:
    """The spans of decoded tags; a score is the least chance of the label over the tokens.

    Args:
        tags: (N,) numbers of tags.
        chances: (N, K) of each tag at each token.
        names: of the tags: "O", then B- and I- of each label, side by side.
    """
    import numpy as np

    both = chances[:, 1::2] + chances[:, 2::2]
    inside = np.arange(len(tags)), np.maximum(tags - 1, 0) // 2
    sure = np.clip(np.where(tags > 0, both[inside], 1.0), 1e-6, 1.0)
    return decode([names[tag] for tag in tags], tokens, source=source, scores=sure.tolist())
