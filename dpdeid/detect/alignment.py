"""Word pieces of a note and the clinical tokens they belong to.

A tagger judges a token by its first piece, and every piece knows the classes of its token. Offsets
are code points of the raw text on both sides, so any tokenizer with offsets will do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dpdeid.detect.word_classes import CLASSES, word_classes
from dpdeid.document import Document, Span
from dpdeid.tokens import Tokens

if TYPE_CHECKING:
    import numpy as np
    from tokenizers import Tokenizer

    Array = np.ndarray[Any, np.dtype[Any]]

AROUND: Final = (0, -2, -1, 1, 2)
"""A piece knows the classes of its token and of the tokens at these distances."""
WIDTH: Final = len(AROUND) * len(CLASSES)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of one note.

    Args:
        ids: (P,) int64.
        first: (N + 1,) first piece of each token, then P. Never falls.
        silent: (N,) bool; tokens that no piece shows.
        owner: (P,) token of each piece, -1 for what lies between tokens (line breaks).
    """

    ids: Array
    first: Array
    silent: Array
    owner: Array

    def sizes(self) -> list[int]:
        """How many pieces belong to each token, those before the next one counted."""
        import numpy as np

        sizes: list[int] = np.diff(self.first).tolist()
        return sizes


def cut(text: str, tokens: Tokens, tokenizer: Tokenizer) -> Pieces:
    """The pieces of a text, without special ones."""
    import numpy as np

    encoded = tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)
    offsets = np.array(encoded.offsets, np.int64).reshape(-1, 2)
    shown = offsets[:, 0] < offsets[:, 1]
    ids = np.array(encoded.ids, np.int64)[shown]
    begins, ends = offsets[shown].T
    ends = np.maximum.accumulate(ends) if len(ends) else ends
    starts, stops = np.array(tokens.starts, np.int64), np.array(tokens.ends, np.int64)
    first = np.append(np.searchsorted(ends, starts, side="right"), len(ids))
    silent = np.ones(len(starts), bool)
    real = first[:-1] < len(ids)
    silent[real] = begins[first[:-1][real]] >= stops[real]
    owner = np.searchsorted(stops, ends - 1, side="right")
    inside = owner < len(stops)
    inside[inside] = starts[owner[inside]] < ends[inside]
    return Pieces(ids, first, silent, np.where(inside, owner, -1))


def class_rows(doc: Document, rules: Iterable[Span], pieces: Pieces) -> Array:
    """The classes of each piece's token and of its neighbours: (P, WIDTH) float32 of 0 and 1.

    Args:
        rules: what the rules propose in the note.
    """
    import numpy as np

    bits = np.array(word_classes(doc, rules), np.int64)
    own = ((bits[:, None] >> np.arange(len(CLASSES))) & 1).astype(np.float32)  # (N, C)
    reach = max(AROUND)
    padded = np.pad(own, ((reach, reach + 1), (0, 0)))
    count = len(own)
    rows = np.concatenate([padded[reach + d : reach + d + count + 1] for d in AROUND], 1)
    rows[count:] = 0  # the last is for pieces between tokens
    found: Array = rows[pieces.owner]
    return found
