"""The words of other languages, by language and list, and what is usual in each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from dpdeid import gazetteers
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.french.calendar import ABROAD, MONTH_OF_ABROAD, WEEKDAY_OF_ABROAD
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

READ: Final = ABROAD
"""Languages whose paragraphs are read, in the order of the digits of `gazetteers.abroad`."""
_HEADING: Final = re.compile(r"(?m)^\[([^\]]+)\]")


@cache
def _lists(name: str) -> dict[str, frozenset[str]]:
    text = (files("dpdeid") / "detect" / "languages" / name).read_text(encoding="utf-8")
    parts = _HEADING.split(re.sub("(?m)^#.*\n", "", text))[1:]
    return {
        heading: frozenset(fold(words).split())
        for heading, words in zip(parts[::2], parts[1::2], strict=True)
    }


@cache
def words_of(language: str, which: str) -> frozenset[str]:
    """The folded words of a list of a language: `words_of("de", "titles")`."""
    return _lists("words.txt")[f"{language} {which}"]


@cache
def forms() -> Mapping[str, Mapping[str, Any]]:
    """Language, or "any" → the expressions of forms.yaml."""
    source = files("dpdeid") / "detect" / "languages" / "forms.yaml"
    text = source.read_text(encoding="utf-8").replace("<<CAP>>", CAPITAL.replace("'", "''"))
    found: Mapping[str, Mapping[str, Any]] = yaml.safe_load(text.replace("<<NO>>", _HOUSE))
    return found


@cache
def forms_of(name: str) -> re.Pattern[str]:
    """An expression of any of the four languages: "greeted", "field", "called_after"."""
    return re.compile(forms()["any"][name])


CAPITAL: Final = r"[A-ZÀ-ÖØ-Þ][\w'’-]{0,30}"
"""A word with a capital."""
_HOUSE: Final = r"\d{1,4}(?: ?[a-zA-Z](?![\w]))?(?:[/-]\d{1,3})?"


@cache
def unread(which: str) -> frozenset[str]:
    """The "months" or "streets" of languages that are not read, folded."""
    return _lists("others.txt")[which]


@cache
def telling() -> dict[str, frozenset[str]]:
    """Language → the words by which it is told, those of French under "fr"."""
    told = {
        lang: words_of(lang, "function") | words_of(lang, "clinical") | _of_time(lang)
        for lang in READ
    }
    others = {lang: words for lang, words in _lists("others.txt").items() if len(lang) <= _CODE}
    return {"fr": words_of("fr", "function"), **told, **others}


def _of_time(language: str) -> frozenset[str]:
    words = (*MONTH_OF_ABROAD[language], *WEEKDAY_OF_ABROAD[language])
    return frozenset(word for word in words if len(word) > _CODE)


_CODE: Final = 3
"""Letters of the code of a language, at most."""


@cache
def strange() -> dict[str, tuple[str, ...]]:
    """Word that is none of French and no abbreviation → the languages that it tells."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in telling().items():
        for word in words if language != "fr" else ():
            found[word] = (*found.get(word, ()), language)
    return {word: langs for word, langs in found.items() if not _is_ours(word)}


def _is_ours(word: str) -> bool:
    known = EVIDENCE[word]
    french = word in words_of("fr", "function") or known.word or known.name_word
    return len(word) < _SHORTEST or french or known.shorthand


_SHORTEST: Final = 2


def _usual(word: str) -> int:
    found = gazetteers.abroad().get(word)
    if found is None and any(pair in word for pair in ("ae", "oe", "ue")):
        plain = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
        found = gazetteers.abroad().get(plain)
    return found or 0


_USUAL: Final = Memo(_usual)
_PLACE: Final = dict(zip(READ, (1000, 100, 10, 1), strict=True))


def zipf(word: str, language: str) -> int:
    """How usual a folded word is in a language that is read, 0 for hardly: see `abroad`."""
    return _USUAL[word] // _PLACE[language] % 10
