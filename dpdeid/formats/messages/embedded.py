"""Files in results of HL7 v2: ED, and what senders put into RP, TX, FT and ST in Base64."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dpdeid.formats.encodings import decoded
from dpdeid.formats.envelopes.parts import MEDIA, UNNAMED, Part, unpacked
from dpdeid.formats.kinds import kind_of
from dpdeid.formats.messages.segments import Marks, value

_HOLDING: Final = ("ED", "RP", "TX", "FT", "ST")
_PACKED: Final = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_NUMBER: Final = re.compile(r"\d{1,4}")


def embedded(marks: Marks, result: Sequence[str]) -> list[Part]:
    """The files that a result holds, a repetition each; none if it is a value or text."""
    kind, given = value(result, 2), value(result, 5)
    if kind not in _HOLDING or not given:
        return []
    number = value(result, 1)
    path = f"OBX {number}" if _NUMBER.fullmatch(number) else "OBX"
    if kind not in ("ED", "RP") and (data := _bare(marks.plain(given))):
        return [Part(path, data)]
    found = [
        _part(marks.repeated(one)[0], path, kind) for one in marks.split(given, marks.repetition)
    ]
    return [one for one in found if one]


def _part(components: list[str], path: str, kind: str) -> Part | None:
    """A file by source, type, subtype, encoding and data; of a pointer, if it is packed itself."""
    source, one, two, encoding, *rest = (*components, *[""] * 4)
    encoding, data = encoding.strip().upper(), "^".join(rest).strip("^")
    if encoding != "BASE64" and kind == "RP":
        if not _bare(source):
            return None  # where a file lies, which is not looked for
        one, two, encoding, data = two, encoding, "BASE64", source
    elif encoding != "BASE64" and kind != "ED":
        return None
    content, wrong = b"", ""
    try:
        if encoding == "HEX":
            content = bytes.fromhex(data)
        elif encoding == "BASE64" or _PACKED.fullmatch("".join(data.split())):
            content = unpacked(data)
        else:
            content = data.encode()
    except ValueError as error:
        wrong = str(error)
    name = f"part.{two}".lower()
    part = Part(path, content, f"{one}/{two}".lower(), name if kind_of(name) else "", wrong)
    return part if content or wrong else None


def _bare(text: str) -> bytes:
    """What a text that is nothing but Base64 holds, empty if it is none, or of no known kind."""
    packed = "".join(text.split())
    if not _PACKED.fullmatch(packed):
        return b""
    try:
        data = unpacked(packed)
        return data if Part("", data).ending != ".txt" or not decoded(data)[1] else b""
    except ValueError:
        return b""


def typed(ending: str, mark: str) -> tuple[str, str, str]:
    """The type and subtype of a file that is written, with the mark between them."""
    kind, _, sub = MEDIA.get(ending, UNNAMED).partition(";")[0].partition("/")
    return ("text", mark, "XML") if ending == ".xml" else (kind, mark, sub)
