"""Surnames that end otherwise for the women and the men of one family: "Kowalska", "Kowalski".

Their family is looked up by the form of men, whatever else is in the record, so that a note that
comes later agrees. The table (`gendered_surnames.tsv`) has only endings that are safe: a wrong one
does harm where both forms are in one record and are two families.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from dpdeid.french.tables import rows
from dpdeid.normalize import fold

_ENDINGS: Final = tuple((women, men) for women, men in rows("gendered_surnames"))
_LEAST: Final = 3
"""Letters before an ending."""
_LAST: Final = frozenset(women[-1] for women, _ in _ENDINGS)


@cache
def _of_men() -> dict[str, str]:
    """Ending of men → that of women."""
    return {men: women for women, men in sorted(_ENDINGS, key=lambda pair: len(pair[0]))[::-1]}


def family(key: str) -> str:
    """A folded surname as the men of its family bear it.

    >>> family("kowalska"), family("ivanova"), family("marina"), family("nova")
    ('kowalski', 'ivanov', 'marina', 'nova')
    """
    if key[-1:] in _LAST:
        for women, men in _ENDINGS:
            if key.endswith(women) and len(key) >= len(women) + _LEAST:
                return key[: -len(women)] + men
    return key


def of_woman(surname: str) -> str:
    """A surname as the women of its family bear it, if they bear another one.

    >>> of_woman("Kowalski"), of_woman("Morel")
    ('Kowalska', 'Morel')
    """
    key = fold(surname)
    for men, women in _of_men().items():
        if key.endswith(men) and len(key) >= len(men) + _LEAST and len(key) == len(surname):
            return surname[: -len(men)] + women
    return surname
