r"""Characters written as escapes: "&eacute;", "\'e9", "\u00e9", "=C3=A9", "Ã©", "\.br\".

Each family has what shows that a text is written so, its escapes, and the way back, so that
surrogates can be written in the same way.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.entities import codepoint2name
from itertools import groupby
from typing import Final

from dpdeid.views.reading import Edit


@dataclass(frozen=True, slots=True)
class Family:
    """One way of writing characters.

    Args:
        sign: what a text must hold to be read so.
        escape: one character, or a few.
        decode: what an escape stands for; "" if for nothing that is read.
        encode: a plain text so written.
    """

    sign: re.Pattern[str]
    escape: re.Pattern[str]
    decode: Callable[[str], str]
    encode: Callable[[str], str]


_ENTITY: Final = re.compile(r"&(?:amp;){0,3}(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,5}|[A-Za-z]\w{1,7});")
_NUMBERED: Final = re.compile(r"&#(?:19[2-9]|2\d\d);")
_HEXADECIMAL: Final = re.compile(r"&#[xX][c-fC-F][0-9a-fA-F];")
_HL7: Final = re.compile(
    r"\\(?:\.(?:br|sp|in|ti|ce)[+-]?\d{0,3}|X[0-9A-F]{2,8}|[C-F][0-9A-F]|[EFRSTHN])\\"
)
_RTF: Final = re.compile(
    r"\\'[0-9a-fA-F]{2}|\\(?:rtf|ansi|ansicpg|deff|deflang|uc|viewkind|pard?|line|tab|cell|row|trowd"
    r"|intbl|plain|b|i|ul|ulnone|strike|sub|super|nosupersub|f|fs|cf|highlight|lang|q[clrj]|li|ri|fi"
    r"|s[abl]|slmult|widctlpar|nowidctlpar)-?\d{0,6}(?![A-Za-z]) ?"
)
_JSON: Final = re.compile(r'\\[uU][0-9a-fA-F]{4}|\\[nrt"/\\]')
_QUOTED: Final = re.compile(
    r"=\r?\n|=3D|=20(?=\r?\n)"
    r"|(?:=C[23]=[89AB][0-9A-F]|=E2=8[0-2]=[89AB][0-9A-F]|=C5=9[23])|=E[0-9A-F](?![0-9])"
)
_PERCENT: Final = re.compile(r"%C[23]%[89AB][0-9A-F]|%20|%2C|%0A")


def _entity(text: str) -> str:
    while (plain := html.unescape(text)) != text:
        text = plain
    return html.unescape(text.lower()).upper() if text.isupper() and text[-1:] == ";" else text


def _hl7(text: str) -> str:
    inner = text[1:-1]
    if len(inner) > 1 and not inner.startswith("."):  # X and bytes; a letter without its X
        codes = inner.removeprefix("X")
        return bytes.fromhex(codes[: len(codes) // 2 * 2]).decode("latin-1")
    marks = {"E": "\\", "F": "|", "R": "~", "S": "^", "T": "&"}
    return marks.get(inner, "\n" if inner.startswith(".") else "")


def _rtf(text: str) -> str:
    if text.startswith("\\'"):
        return bytes.fromhex(text[2:]).decode("cp1252", "replace")
    return {"par": "\n", "line": "\n", "row": "\n", "tab": "\t", "cell": "\t"}.get(
        text[1:].rstrip(" "), ""
    )


def _json(text: str) -> str:
    if text[1] in "uU":
        letter = chr(int(text[2:], 16))
        return letter.upper() if text[1] == "U" else letter
    return {"n": "\n", "r": "", "t": "\t"}.get(text[1], text[1])


def _quoted(text: str) -> str:
    if text.endswith("\n"):
        return ""
    data = bytes.fromhex(text.replace("=", ""))
    return data.decode("utf-8") if len(data) > 1 else data.decode("latin-1")


def _percent(text: str) -> str:
    return bytes.fromhex(text.replace("%", "")).decode("utf-8")


def _wrong(character: str) -> str:
    """The bytes of a character in UTF-8, read as Windows-1252."""
    return "".join(
        bytes([b]).decode("cp1252") if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(b)
        for b in character.encode()
    )


_MISREAD: Final = {_wrong(c): c for c in (*map(chr, range(0xA1, 0x180)), *"€–—‘’“”…•")} | {
    "\u00c3\u00a0": "à",
    "\u00c2\u00a0": " ",
    "\u00c2\u00b0": "°",
    "\u00c3 ": "à ",
}
_AGAIN: Final = {plain: wrong for wrong, plain in _MISREAD.items() if plain != " "}
_LATIN: Final = {c: c.encode().decode("latin-1") for c in _AGAIN}
_EITHER: Final = {wrong: c for c, wrong in _LATIN.items()} | _MISREAD
_MOJIBAKE: Final = re.compile("|".join(map(re.escape, sorted(_EITHER, key=len, reverse=True))))
_ONLY_LATIN: Final = re.compile("[ÂÃÄÅ][\x80-\x9f]|â[\x80-\x82][\x80-\xbf]")
"""What UTF-8 read as Latin-1 has, and as Windows-1252 hardly ever."""


def _each(encode: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "".join(encode(c) if ord(c) > 127 else c for c in text)


def _numbered(text: str) -> str:
    return _each(lambda c: f"&#{ord(c)};")(html.escape(text, quote=False))


def _hexadecimal(text: str) -> str:
    return _each(lambda c: f"&#x{ord(c):X};")(html.escape(text, quote=False))


def _named(text: str) -> str:
    text = html.escape(text, quote=False)
    return "".join(
        f"&{codepoint2name[ord(c)]};" if ord(c) > 127 and ord(c) in codepoint2name else c
        for c in text
    )


FAMILIES: Final = (
    Family(_NUMBERED, _ENTITY, _entity, _numbered),
    Family(_HEXADECIMAL, _ENTITY, _entity, _hexadecimal),
    Family(_ENTITY, _ENTITY, _entity, _named),
    Family(_HL7, _HL7, _hl7, lambda text: text),
    Family(
        re.compile(r"\{\\rtf|\\par(?=[ \r\n\\}]|\Z)|\\'[0-9a-f]{2}"),
        _RTF,
        _rtf,
        _each(lambda c: "".join(f"\\'{b:02x}" for b in c.encode("cp1252", "replace"))),
    ),
    Family(
        re.compile(r"\\[uU]00[0-9a-fA-F]{2}|\\n(?=[A-ZÀ-Þ\\•-])"),
        _JSON,
        _json,
        _each(lambda c: f"\\u{ord(c):04x}"),
    ),
    Family(
        re.compile(r"=C[23]=[89AB][0-9A-F]|=E[0-9A-F][a-z]"),
        _QUOTED,
        _quoted,
        _each(lambda c: "".join(f"={b:02X}" for b in c.encode())),
    ),
    Family(
        re.compile(r"%C[23]%[89AB][0-9A-F]"),
        _PERCENT,
        _percent,
        _each(lambda c: "".join(f"%{b:02X}" for b in c.encode())),
    ),
    Family(_ONLY_LATIN, _MOJIBAKE, _EITHER.__getitem__, _each(lambda c: _LATIN.get(c, c))),
    Family(_MOJIBAKE, _MOJIBAKE, _EITHER.__getitem__, _each(lambda c: _AGAIN.get(c, c))),
)
_ANY: Final = re.compile("[&\\\\=%ÂÃÄÅâ]")
"""Without one of these no text is written in any of these ways."""


def edits(text: str) -> Iterator[Edit]:
    """The escapes of a text, read as the characters that they stand for.

    Of the families that begin with one character the first that has signs in a text is read.
    """
    if not _ANY.search(text):
        return
    found = dict[tuple[int, int], str]()
    for _, alike in groupby(FAMILIES, key=lambda family: family.escape.pattern[0]):
        if family := next((one for one in alike if one.sign.search(text)), None):
            found |= {m.span(): family.decode(m[0]) for m in family.escape.finditer(text)}
    for (start, end), plain in sorted(found.items()):
        if plain != text[start:end]:
            yield Edit(start, end, plain, hollow=not plain.strip())


def way(text: str) -> Callable[[str], str]:
    """How letters are written in most escapes of a text, as a function of plain texts."""
    said = [family for family in FAMILIES if _ANY.search(text) and family.sign.search(text)]
    letters = [sum(f.decode(m[0]).isalpha() for m in f.escape.finditer(text)) for f in said]
    most = max(letters, default=0)
    return said[letters.index(most)].encode if most else str
