"""Mutations: what a damaged, truncated or malicious file is, made of a valid one by seeded dice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

LARGEST: Final = 1 << 15
"""Bytes of a mutated file, and letters of a text: what is longer is cut."""
_DEEP: Final = 1_500
"""Elements or lists inside each other, more than Python goes down."""

BYTES: Final = (
    *(b"\x00", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1f\x8b\x08\x00", b"\x1a"),
    *(b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\x85"),
    *(b'"', b'""', b"'", b"\\", b"\\u", b"\\ud800", b",", b";", b"\t", b"\r", b"\n", b"\r\n\r\n"),
    *(b"{", b"}", b"[", b"]", b":", b"null", b"NaN", b"-1e999", b"9" * 400, b"1" * 5_000, b"-0"),
    *(b"<", b">", b"</", b"/>", b"<p>", b"</p>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x"),
    *(b"&", b"&#0;", b"&#xD800;", b"&#x110000;", b"&#99999999999;", b"&x;", b"&nbsp", b"<!DOCTYPE"),
    *(b'<!DOCTYPE a [<!ENTITY a "b">]>', b'<?xml version="1.0" encoding="utf-7"?>', b"<script>"),
    *(b"|", b"^", b"~", b"&&", b"\\T\\", b"\\X41\\", b"\\.br\\", b"\\XZZ\\", b"\x0b", b"\x1c\r"),
    *(b"MSH|^~\\&|", b"PID|", b"OBX|1|TX|", b"FHS|", b"BTS|", b"\x0bMSH", b"endobj", b"stream"),
    *(b"0 0 R", b"<<", b">>", b"xref", b"%%EOF", b"BT", b"Tj", b"= +1", b"@SUM", b"PAR1", b"PK"),
    *(b"<p>" * _DEEP, b"[" * _DEEP, b'{"a":' * _DEEP, b"<<" * _DEEP, b"(" * _DEEP),
)
"""What readers stumble over: other encodings, open ends, entities, signs that part, depth."""

LETTERS: Final = (
    *("\x00", "\ufeff", "\ud800", "\udfff", "\u2028", "\u202e", "\u200b", "\u0301", "\x85", "ﬁ"),
    *("İ", "ẞ", "ǆ", "𝟎𝟏", "٣", "²", "½", "Ⅳ", "\xa0", "\u3000", "🧑‍⚕️", "\x1b[2J", "\r", "\x0c"),
    *("«", "»", "[", "]", "☐", "☒", "\\", "&amp;", "&#233;", "<b>", "</b>", "<br/>", "|", "¦"),
    *("0", "00", "9" * 30, "1" * 5_000, "-", "/", ".", ":", "°", "@", "é", "e\u0301", "virgule"),
    *(
        "point",
        "à la ligne",
        "31/02/2021",
        "00/00/0000",
        "29.2.1900",
        "l'an 9999",
        "13h75",
        "né le",
    ),
    *("Dr ", "M. ", "Mme ", "CHU", "75000", "+33 (0)6", "1 85 02", "ans", "J-1", "il y a 0 jour"),
)
"""What readings, rules and strategies stumble over."""

VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1 << 70, 1e308, float("nan"), float("inf"), "", " ", "x", "\x00"),
    *([], {}, [[]], [None], [{}], {"": ""}, {"a": None}, [1, "a", None], "\ud800", "2021-13-45"),
    *(
        "9999-12-31",
        "0001-01-01",
        "Patient/",
        "#",
        "urn:uuid:",
        "text/html",
        "Bundle",
        "=",
        "data:,",
    ),
)
"""What may stand where JSON has something else."""

_PARTS: Final = re.compile(rb"<[^<>]*>|[^<>\s|^~,;{}\[\]:\"]+|.", re.DOTALL)
"""A file in parts: tags, words, signs."""


def of_bytes(data: bytes, dice: Random) -> bytes:
    """The file with one to four mutations."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4))):
        data = dice.choice(_CHANGES)(data, dice)[:LARGEST]
    return data


def of_text(text: str, dice: Random) -> str:
    """The text with up to three mutations."""
    for _ in range(dice.choice((0, 1, 1, 2, 3))):
        at, end = _stretch(len(text), dice)
        piece = text[at:end]
        new = dice.choice(
            ("", piece * 2, piece[::-1], piece.upper(), piece.lower(), dice.choice(LETTERS))
        )
        text = (text[:at] + new + text[end:])[:LARGEST]
    return text


def of_json(value: Any, dice: Random) -> Any:
    """The same tree with up to three changes: another value, a copy of another part, or a gap."""
    tree = json.loads(json.dumps(value))
    for _ in range(dice.choice((1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            return tree
        held, key = dice.choice(places)
        change = dice.randrange(4)
        if change == 0:
            del held[key]
        elif change == 1:
            held[key] = [held[key]] * dice.randint(1, 3)
        elif change == 2:
            other, there = dice.choice(places)
            held[key] = json.loads(json.dumps(other[there]))
        else:
            held[key] = deepcopy(dice.choice(VALUES))
    return tree


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where something stands in a tree: what holds it, and its key there."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _stretch(length: int, dice: Random) -> tuple[int, int]:
    at = dice.randint(0, length)
    return at, min(length, at + dice.choice((0, 0, 1, 2, 5, 20, 100)))


def _inserted(data: bytes, dice: Random) -> bytes:
    at, end = _stretch(len(data), dice)
    return data[:at] + dice.choice(BYTES) + data[end:]


def _cut(data: bytes, dice: Random) -> bytes:
    at, end = _stretch(len(data), dice)
    return data[:at] + data[end:]


def _ended(data: bytes, dice: Random) -> bytes:
    return data[: dice.randint(0, len(data))]


def _flipped(data: bytes, dice: Random) -> bytes:
    if not data:
        return data
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]


def _repeated(data: bytes, dice: Random) -> bytes:
    at, end = _stretch(len(data), dice)
    return data[:at] + data[at:end] * dice.choice((2, 3, 50)) + data[end:]


def _of_parts(data: bytes, dice: Random) -> bytes:
    """One part is lost, stands twice, or changes its place with another."""
    parts = _PARTS.findall(data)
    if not parts:
        return data
    one, other = dice.randrange(len(parts)), dice.randrange(len(parts))
    change = dice.randrange(3)
    if change == 0:
        del parts[one]
    elif change == 1:
        parts.insert(other, parts[one])
    else:
        parts[one], parts[other] = parts[other], parts[one]
    return b"".join(parts)


def _recoded(data: bytes, dice: Random) -> bytes:
    encoding = dice.choice(("utf-16", "utf-16-be", "cp1252", "utf-8-sig", "utf-7"))
    return data.decode("utf-8", "replace").encode(encoding, "replace")


_CHANGES: Final[tuple[Callable[[bytes, Random], bytes], ...]] = (
    *(_inserted, _inserted, _cut, _ended, _flipped, _flipped, _repeated),
    *(_of_parts, _of_parts, _recoded),
)
