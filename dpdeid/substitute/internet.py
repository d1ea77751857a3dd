"""E-mail, web and network addresses that lead nowhere: reserved domains and documentation ranges.

RFC 2606 and RFC 6761 reserve the domains, RFC 5737 and RFC 3849 the networks. The part of an e-mail
address before the @ follows the surrogate names of the record; no word of an address is kept, for
"secretariat.dr-dupont" and "dupont-sa.fr" name people and places.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.shapes import first_free, like_case, redraw, runs

DOMAINS: Final = ("example.org", "courriel.test", "boite.invalid", "domaine.test", "site.test")
_DOMAIN_RUNS: Final = {name: set().union(*map(runs, name.split("."))) for name in DOMAINS}
_PATH_WORDS: Final = ("dossier", "page", "portail", "fiche", "rubrique", "espace", "notice", "menu")
_PATH_RUNS: Final = {word: runs(word) for word in _PATH_WORDS}
_NETWORKS: Final = ("192.0.2", "198.51.100", "203.0.113")
NETWORK: Final = len("2001:db8:")
"""Characters of an address that the documentation range gives."""

_LONGEST: Final = 40
"""Letters up to which a word is searched for two names written as one."""
_AT: Final = re.compile(
    r"\s{0,3}(?:@|[\[({<]\s?(?:at|arobase|a|@)\s?[])}>])\s{0,3}|\s{1,3}(?:at|arobase)\s{1,3}",
    re.IGNORECASE,
)
"""An "@", or what is written for it so that no robot reads it."""
_RUN: Final = re.compile(r"[^\W\d_]+|\d+")
_URL: Final = re.compile(r"(?i)((?:[a-z]{2,6}://)?(?:www\.)?)([^/?#\s]+)(.*)", re.DOTALL)
_IPV4: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_MAC: Final = re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}")
_GROUP: Final = re.compile(r"[0-9A-Fa-f]{1,4}")


def domain(original: str) -> str:
    """A reserved domain that has no four letters in a row of `original`."""
    old = runs(fold(original))
    return next((name for name, its in _DOMAIN_RUNS.items() if its.isdisjoint(old)), DOMAINS[-1])


def email(
    text: str, names: Mapping[str, str], firsts: Mapping[str, str], pool: Sequence[str], s: Stream
) -> str:
    """A surrogate e-mail address.

    Args:
        names: folded names of the record and their surrogates, in plain small letters.
        firsts: first letters of first names of the record and those of their surrogates.
        pool: names for words that are no name of the record.
    """
    local, at, host = _parted(text)
    plain = fold(local)
    drawn = _RUN.sub(lambda m: _word(m[0], names, firsts, pool, s), plain)
    old = runs(plain)
    for _ in range(8):
        if all(old.isdisjoint(runs(word)) for word in _RUN.findall(drawn)):
            break
        drawn = _RUN.sub(lambda m: _word(m[0], {}, {}, pool, s), plain)
    return like_case(drawn + at + domain(host), text)


def _parted(text: str) -> tuple[str, str, str]:
    """What stands before the last "@", however it is written, it, and the host."""
    at = deque(_AT.finditer(text), maxlen=1)
    if not at:
        return text, "@", ""
    return text[: at[0].start()], at[0][0], text[at[0].end() :]


def _word(
    word: str, names: Mapping[str, str], firsts: Mapping[str, str], pool: Sequence[str], s: Stream
) -> str:
    if word.isdigit():
        return redraw(word, s)
    if word in names:
        return names[word]
    if len(word) == 1:
        return firsts.get(word) or redraw("A", s).lower()
    for cut in range(1, len(word) if len(word) <= _LONGEST else 0):
        head, tail = word[:cut], word[cut:]
        if tail in names and (cut == 1 or head in names):
            return _word(head, names, firsts, pool, s) + names[tail]
        if head in names and len(tail) == 1:
            return names[head] + _word(tail, names, firsts, pool, s)
    return redraw("A" * len(word), s).lower() if len(word) < 4 else s.choice(pool)


def url(text: str, stream: Stream) -> str:
    """A web address of the same shape on a reserved domain; its words are replaced."""
    match = _URL.fullmatch(text)
    if match is None:
        return domain(text)
    scheme, host, rest = match.groups()
    old = runs(fold(text))
    words = [word for word, its in _PATH_RUNS.items() if its.isdisjoint(old)] or ["x"]
    path = _RUN.sub(lambda m: _path_word(m[0], words, stream), rest)
    return scheme + like_case(domain(host), host) + path


def _path_word(word: str, words: Sequence[str], stream: Stream) -> str:
    if word.isdigit():
        return first_free(lambda: redraw("0" * len(word), stream), word, ()) or "0"
    if len(word) < 4:
        return like_case(redraw("A" * len(word), stream), word)
    return like_case(stream.choice(words), word)


def network(text: str, stream: Stream) -> str:
    """A network address of a documentation range; a hardware address is one locally administered.

    Other texts keep their shape only.
    """
    if found := _IPV4.search(text):
        drawn = f"{stream.choice(_NETWORKS)}.{1 + stream.randbelow(254)}"
        return text[: found.start()] + drawn + text[found.end() :]
    if _MAC.fullmatch(text):
        pairs = ["02", *(f"{stream.randbelow(256):02x}" for _ in range(5))]
        return like_case((":" if ":" in text else "-").join(pairs), text)
    if ":" in text:
        groups = max(1, len(_GROUP.findall(text)) - 2)
        drawn = ":".join(f"{stream.randbelow(1 << 16):x}" for _ in range(min(groups, 6)))
        return like_case(f"2001:db8:{':' if groups < 6 else ''}{drawn}", text)
    return redraw(text.upper(), stream) if text.isalnum() else "192.0.2.1"
