"""Rows for names that no space sets apart: in the name of a file, or after a parted title."""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.patterns.table import Row
from dpdeid.labels import Role
from dpdeid.normalize import fold


def _given_last(match: re.Match[str]) -> bool:
    """A given name stands second, and before it what may be a surname."""
    first, last = voc.TRAITS[fold(match["FIRST_NAME"])], voc.TRAITS[fold(match["LAST_NAME"])]
    return bool(first & voc.FIRST and not last & (voc.STOP | voc.ROLE | voc.TITLE)) and bool(
        (not last & voc.WORD and len(match["LAST_NAME"]) > 3)
        or (last & voc.COMMON and first & voc.FREQUENT)
    )


def _given_first(match: re.Match[str]) -> bool:
    """A given name stands first, and after it what may be a surname."""
    first, last = voc.TRAITS[fold(match["FIRST_NAME"])], voc.TRAITS[fold(match["LAST_NAME"])]
    return bool(first & voc.FREQUENT) and bool(last & voc.LAST and not last & voc.WORD)


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "people.title_parted",
        voc.words("d p m"),
        r"(?:D r|P r|M (?:me|lle|r))\b\.? ?(?P<LAST_NAME>[A-ZÀ-Þ][\w'-]{2,24})",
        "D r «LAST_NAME:Montségur» a vu",
        score=0.9,
        check=lambda match: not voc.TRAITS[fold(match["LAST_NAME"])] & (voc.STOP | voc.FIRST),
        never=("D r a vu",),
    ),
    Row(
        "people.file",
        "_",
        r"(?<![^\W_])(?P<LAST_NAME>[A-ZÀ-Þ]{2}[A-ZÀ-Þ'-]{1,24})_"
        r"(?P<FIRST_NAME>[A-ZÀ-Þ][\wà-þ-]{1,20}?)(?=_|\.\w{3}|$)",
        "CR_«LAST_NAME:TARDIVEAU»_«FIRST_NAME:Lena»_v2.pdf",
        score=0.85,
        check=_given_last,
        never=("CR_OPERATOIRE_Final.pdf", "SCORE_IADE_"),
        role=Role.PATIENT,
    ),
    Row(
        "people.file_turned",
        "_",
        r"(?<![^\W_])(?P<FIRST_NAME>[A-ZÀ-Þ][a-zà-þ]{1,20}(?:-[A-ZÀ-Þ][a-zà-þ]{1,20})?)_"
        r"(?P<LAST_NAME>[A-ZÀ-Þ][^\W_]{1,24})(?=_|\.\w{3}|$)",
        "«FIRST_NAME:Lena»_«LAST_NAME:Tardiveau».docx",
        score=0.85,
        check=_given_first,
        never=("Examen_Final.docx",),
        role=Role.PATIENT,
    ),
)
