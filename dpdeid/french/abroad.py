"""What French notes quote of German, Dutch, Italian and English: the words of their dates, and the
mark by which what was found in such a paragraph is known further on.

Keys are folded words; months are numbered from 1, weekdays from Monday = 0.
"""

from __future__ import annotations

from typing import Final

from dpdeid.french.tables import rows
from dpdeid.normalize import fold

LANGUAGES: Final = ("de", "nl", "it", "en")

_MONTHS: Final = {
    lang: [row for row in rows("abroad_months") if row[0] == lang] for lang in LANGUAGES
}
_WEEKDAYS: Final = {
    lang: [row for row in rows("abroad_weekdays") if row[0] == lang] for lang in LANGUAGES
}
MONTHS: Final = {lang: tuple(row[1] for row in found) for lang, found in _MONTHS.items()}
"""Language → the names of its months as it writes them."""
SHORT_MONTHS: Final = {lang: tuple(row[2] for row in found) for lang, found in _MONTHS.items()}
WEEKDAYS: Final = {lang: tuple(row[1] for row in found) for lang, found in _WEEKDAYS.items()}
SHORT_WEEKDAYS: Final = {lang: tuple(row[2] for row in found) for lang, found in _WEEKDAYS.items()}
MONTH_OF: Final = {
    lang: {
        fold(word): number
        for number, row in enumerate(found, 1)
        for word in (row[1], row[2], *row[3].split())
    }
    for lang, found in _MONTHS.items()
}
"""Language → folded name or abbreviation → number of the month."""
WEEKDAY_OF: Final = {
    lang: {fold(word): number for number, row in enumerate(found) for word in row[1:]}
    for lang, found in _WEEKDAYS.items()
}

_SOURCE: Final = "languages/"
UNREAD: Final = f"{_SOURCE}unread"
"""Source of what stands in a paragraph of a language that is not read: no strategy is asked for a
surrogate, and what a policy falls back on stands there."""


def source_of(language: str) -> str:
    """The source of a span in a paragraph of a language: "languages/de"."""
    return f"{_SOURCE}{language}"


def language_of(source: str) -> str:
    """The language in whose paragraph a span was found, "" for French and any other.

    >>> language_of("languages/de"), language_of("patterns/date.full")
    ('de', '')
    """
    language = source.removeprefix(_SOURCE) if source.startswith(_SOURCE) else ""
    return language if language in LANGUAGES else ""
