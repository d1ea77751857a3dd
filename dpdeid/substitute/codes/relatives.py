"""The birth that a relative's number tells: so much older than the released patient as kin are.

A number is a relative's if no birth of its record fits it and a word for kin stands before it ("NIR
de la mère : …"), or behind it in brackets. Both are of the skeleton; what is drawn depends on the
released birth alone, and not on how much older the true relative is.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

from dpdeid.document import Document, Mention
from dpdeid.french.titles import KIN
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import HIDDEN

_OLDER: Final = {fold(word): older for word, _, older in KIN}
_OF_PATIENTS: Final = ("femme", "fille")
"""What a patient may be called too: "femme de 34 ans". Behind "sa" they are kin."""
_ALTERNATIVES: Final = "|".join(
    re.escape(word).replace("\\-", "[- ]")
    for word in sorted(_OLDER.keys() - {*_OF_PATIENTS}, key=lambda word: (-len(word), word))
)
_KIN: Final = re.compile(rf"\b({_ALTERNATIVES}|(?<=\bsa )(?:{'|'.join(_OF_PATIENTS)}))s?\b")
_BEHIND: Final = re.compile(
    rf"\s?[(,]\s?(?:de |du )?(?:la |le |l['’]|sa |son )?({_ALTERNATIVES})\b"
)
_PATIENT: Final = re.compile(r"\b(?:patiente?|enfant|bebe|beneficiaire|interessee?)\b")
"""Whose number comes next, if a word for kin stands farther away."""
_VALUE: Final = re.compile(f"{HIDDEN}+")
_BEFORE: Final = 60
_LINES: Final = 2
_SPREAD: Final = 8
"""Years around the usual difference."""


def years_older(mention: Mention, documents: Sequence[Document]) -> int | None:
    """How much older than the patient a relative usually is whose number this is; None if no word
    says that it is a relative's.

    Args:
        documents: with values hidden, so that the length of none decides what is near.
    """
    text = documents[mention.document].text if mention.where == "text" else ""
    lines = _VALUE.sub(HIDDEN, text[: mention.span.start]).split("\n")[-_LINES:]
    before = fold("\n".join(lines))
    behind = _BEHIND.match(fold(text[mention.span.end : mention.span.end + _BEFORE]))
    words = [*_KIN.finditer(before, max(len(before) - _BEFORE, 0))]
    if behind is not None:
        return _OLDER[behind[1].replace(" ", "-")]
    if not words or _PATIENT.search(before, words[-1].end()):
        return None
    return _OLDER[words[-1][1].replace(" ", "-")]


def birth_of_relative(patient: dt.date, older: int, latest: dt.date, stream: Stream) -> dt.date:
    """A birth that many years before the patient's, give or take eight; not after a day."""
    born = patient - dt.timedelta(days=round(365.2425 * older))
    spread = round(365.2425 * _SPREAD)
    return min(born + dt.timedelta(days=stream.randbelow(2 * spread + 1) - spread), latest)
