"""Dictated numbers and addresses as they are typed: "deux mille quinze" is 2015."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.evaluate.coherence.cues import any_of
from dpdeid.evaluate.coherence.reading.flat import flat
from dpdeid.french import numerals

WORD: Final = any_of(numerals.WORDS | {"une"})
_YEAR: Final = re.compile(
    rf"(?<![\w-])(?:deux mille|"
    rf"mil(?:le)? neuf cents?)(?:[ -](?:et[ -])?(?:{WORD})){{1,5}}(?![\w-])"
    r"|(?<=\ben )deux mille(?= ?[,.;])"
)
_RUN: Final = re.compile(
    rf"(?<![\w-])(?:{WORD})(?:(?:, |[ -])(?:et[ -])?(?:{WORD})){{5,30}}(?![\w-])"
)
_KEY: Final = re.compile(
    rf"(?<=\bcle )(?P<k>(?:{WORD})(?:[ -](?:et[ -])?(?:{WORD})){{0,4}})(?![\w-])"
)
_ZIP: Final = re.compile(
    rf"(?<=, )(?P<z>(?:{WORD})(?:[ -](?:et[ -])?(?:{WORD})){{0,3}} mille)(?= [a-z])"
)
_MAIL: Final = re.compile(
    r"[a-z]+(?: (?:point|tiret|underscore) [a-z]+){0,3} arobase [a-z]+(?: (?:point|"
    r"tiret) [a-z]+){1,4}"
)
_SIGN: Final = re.compile(
    r"(?:,| ) ?(?:virgule|point final|point a la ligne|point|a la ligne)(?=[,.;]|$)", re.M
)
_SIGNS: Final = {" point ": ".", " tiret ": "-", " underscore ": "_", " arobase ": "@"}


def typed(text: str) -> Iterator[tuple[int, int, str]]:
    """Digits for dictated years, numbers and keys, signs for their words, and "oe" in two letters,
    by where they stand.
    """
    low = flat(text)
    found = list[tuple[int, int, str]]()
    for match in _YEAR.finditer(low):
        number = numerals.read(_words(match[0].replace("cents", "cent")))
        if number is not None and 1900 <= number < 2040:
            found.append((*match.span(), str(number)))
    for match in _RUN.finditer(low):
        digits = "".join(_digits(_words(match[0])))
        if 8 <= len(digits) <= 15:
            found.append((*match.span(), digits))
    for match in _KEY.finditer(low):
        if (number := numerals.read(_words(match["k"]))) is not None:
            found.append((*match.span("k"), f"{number:02}"))
    for match in _ZIP.finditer(low):
        front = numerals.read(_words(match["z"])[:-1])
        if front is not None and front < 99 and text[match.end() + 1].isupper():
            found.append((*match.span("z"), f"{front:02}000"))
    for match in _MAIL.finditer(low):
        shown = match[0]
        for word, sign in _SIGNS.items():
            shown = shown.replace(word, sign)
        found.append((*match.span(), shown))
    if "virgule" in low or "a la ligne" in low or ", point" in low:
        found += [(*match.span(), "") for match in _SIGN.finditer(low)]
    found += [
        (at, at + 1, "OE" if text[at] == "Œ" else "oe") for at, c in enumerate(text) if c in "œŒ"
    ]
    yield from sorted(found)


def _words(run: str) -> list[str]:
    return ["un" if word == "une" else word for word in re.split("[ ,-]+", run) if word]


def _digits(words: Sequence[str]) -> Iterator[str]:
    """The digits of numbers spelled one after the other, each as long as it may be."""
    at = 0
    while at < len(words):
        if words[at] == "zero":
            yield "0"
            at += 1
            continue
        for end in range(min(len(words), at + 7), at, -1):
            number = numerals.read(words[at:end])
            if number is not None and number < 1000 and words[end - 1] != "et":
                break
        else:
            at += 1
            continue
        yield str(number)
        at = end
