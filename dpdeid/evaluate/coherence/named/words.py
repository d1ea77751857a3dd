"""The gender of words that are said of people."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dpdeid.evaluate.coherence.cues import table
from dpdeid.evaluate.coherence.reading.flat import flat
from dpdeid.labels import Sex

F, M, U = Sex.FEMALE, Sex.MALE, Sex.UNKNOWN

_ONE_PART: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_NOUNS: Final = re.compile(r"(?:.*(?:ite|ance|ence|sse)|annee|journee|soiree|matinee|duree|idee)")


@cache
def _table() -> dict[str, Sex]:
    male = {flat(row[0]): M for row in table("genders") if row[0]}
    return male | {flat(row[1]): F for row in table("genders") if row[1]}


def gender(word: str) -> Sex:
    """What an adjective or participle agrees with, as it is typed; UNKNOWN if it does not tell.

    A masculine without its accent tells nothing: it may be a feminine typed in haste.

    >>> gender("opéré"), gender("OPEREE"), gender("opere"), gender("calme")
    (<Sex.MALE: 'M'>, <Sex.FEMALE: 'F'>, <Sex.UNKNOWN: 'U'>, <Sex.UNKNOWN: 'U'>)
    """
    bare = flat(word)
    if not _ONE_PART.fullmatch(word) or _NOUNS.fullmatch(bare):
        return U
    if re.search("[éÉ][eE]$", word) or (bare.endswith("ee") and word.isascii()):
        return F
    return M if word[-1] in "éÉ" and len(word) > 2 else _table().get(bare, U)
