"""How ordinary a word is in German, Dutch, Italian or English: "Ruptur", "Hope"."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.languages.tables import READ, words_of, zipf
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE, Evidence
from dpdeid.french.calendar import MONTH_OF_ABROAD, WEEKDAY_OF_ABROAD
from dpdeid.lexicon import Memo


class Rank(IntEnum):
    """How much speaks against a word being a name."""

    FREE = 0
    SHARED = 1
    """Usual in the language, and somebody is called so."""
    ORDINARY = 2
    NEVER = 3


USUAL: Final = 4
"""The Zipf value from which a word of a language is usual, though somebody is called so."""
SURNAME: Final = 2
"""How usual a surname must be, in the levels of `Evidence`."""
_HEAD: Final = 4
"""Letters of a compound before its head, at least, and of a head of more than an ending."""
_LONG: Final = 9
_LONGEST_HEAD: Final = 14
_COMPOUND: Final = 8
_SHORTEST: Final = {"de": 6, "nl": 6, "it": 7, "en": 7}
"""Letters that a word with an ending has more than so many."""
_CAPITALS: Final = 5
_TRAVELS: Final = 3
_PART: Final = 2
_FREQUENT: Final = 3


def rank(text: str, word: str, language: str) -> Rank:
    """How ordinary a word is, by its text and its folded form."""
    return _RANKS[text, word, language]


def _rank(asked: tuple[str, str, str]) -> Rank:
    text, word, language = asked
    if not text.isalpha() or any(word in words_of(language, x) for x in _NEVER):
        return Rank.NEVER
    if word in MONTH_OF_ABROAD[language] or word in WEEKDAY_OF_ABROAD[language]:
        return Rank.NEVER if len(word) > _HEAD or not text[0].isupper() else Rank.SHARED
    known, usual = EVIDENCE[word], zipf(word, language)
    named = known.first_name or known.surname >= SURNAME
    if word in words_of(language, "heads") and len(word) >= _HEAD:
        return Rank.ORDINARY
    if usual >= USUAL:
        strongly = voc.TRAITS[word] & voc.FREQUENT or travels(word, language)
        shared = named and ((known.first_name and strongly) or usual == USUAL)
        return Rank.SHARED if shared else Rank.ORDINARY
    if usual:
        shared = (named or text[0].isupper()) and not _is_compound(word, language)
        return Rank.SHARED if shared else Rank.ORDINARY
    if known.drug or (known.medical and not named) or (text.isupper() and _is_acronym(text, known)):
        return Rank.ORDINARY
    if known.shorthand and (text.isupper() or not named):
        return Rank.ORDINARY
    if named:
        return Rank.FREE
    french = len(word) > _HEAD and word in gazetteers.words()
    return Rank.ORDINARY if french or _is_compound(word, language) else Rank.FREE


_NEVER: Final = ("function", "never", "clinical", "titles", "kin")
_RANKS: Final = Memo(_rank)


def _is_acronym(text: str, known: Evidence) -> bool:
    """Whether a word in capitals is too short to be a name that no list has."""
    return len(text) <= _CAPITALS and not known.first_name and known.surname < SURNAME


def _is_compound(word: str, language: str) -> bool:
    """Whether a word ends as words of the language do: "Kniearthrose", "drempelwaarde"."""
    heads = words_of(language, "heads")
    if len(word) > _SHORTEST[language]:
        for size in range(_PART, min(len(word) - _PART - 1, _LONGEST_HEAD)):
            if word[-size:] in heads and (size >= _HEAD or len(word) >= _LONG):
                return True
    if language not in ("de", "nl") or len(word) < _COMPOUND:
        return False
    for cut in range(_HEAD, len(word) - _HEAD + 1):
        first, rest = word[:cut].removesuffix("s"), word[cut:]
        if zipf(rest, language) > _PART and zipf(first, language) > _PART:
            return EVIDENCE[rest].surname <= _FREQUENT or rest not in words_of(
                "any", "surname_ends"
            )
    return False


def travels(word: str, language: str) -> bool:
    """Whether a word is about as usual in another language, as names are: "giovanni"."""
    others = max(zipf(word, other) for other in READ if other != language)
    return others >= max(zipf(word, language) - 1, _TRAVELS)


def is_only_a_name(word: str, language: str) -> bool:
    """Whether a given name is usual in its own language alone, and nowhere a word."""
    others = max(zipf(word, other) for other in READ if other != language)
    most = USUAL + (language != "en")
    return zipf(word, language) <= most and others <= USUAL and travels(word, language)
