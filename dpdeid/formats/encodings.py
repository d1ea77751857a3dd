"""The text of bytes, and how they were encoded: UTF-8, UTF-16 or Windows-1252; offsets in UTF-16.

A file in one byte a letter is read as Windows-1252, of which ISO 8859-1 is a part wherever it has
letters. What has control characters in any of them is no text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import BinaryIO, Final

_MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"))
_MARKED: Final = (*_MARKS, (codecs.BOM_UTF16_BE, "utf-16-be"))
_SAMPLE: Final = 1 << 16
_CHUNK: Final = 1 << 20
_LETTERS: Final = re.compile(rb"[\x80-\xfe]")
"""Bytes of letters and signs; the last one fills what holds no text."""
NO_TEXT: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Characters that no text has; the form feed and the escape of printers pass."""
NAMES: Final = {"utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "cp1252": "Windows-1252"}
"""Encodings other than UTF-8, as messages call them."""

_WIDE: Final = "\U00010000"
"""The first character of two code units in UTF-16."""


def encoding_of(data: bytes, *, whole: bool) -> tuple[str, int]:
    """The encoding of the first bytes of a text, or of all of it, and the length of their mark."""
    for mark, name in _MARKED:
        if data.startswith(mark):
            return name, len(mark)
    sample = data[:_SAMPLE]
    if sample.count(0) * 4 > len(sample):  # every second byte of Latin letters in UTF-16
        even = sample[::2].count(0)
        return ("utf-16-be" if even * 2 > sample.count(0) else "utf-16-le"), 0
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, whole)
    except UnicodeDecodeError:
        return "cp1252", 0
    return "utf-8", 0


def decoded(data: bytes) -> tuple[str, str]:
    """The text of bytes, and what its encoding is called, "" if it is UTF-8.

    Raises:
        ValueError: it is no text in any of the encodings; says where, and repeats nothing of it.
    """
    encoding, start = encoding_of(data, whole=True)
    try:
        text = data[start:].decode(encoding)
    except UnicodeDecodeError as error:
        at = start + error.start
        raise ValueError(f"neither UTF-8 nor UTF-16 nor Windows-1252 (byte {at})") from None
    if encoding != "utf-8" and (found := NO_TEXT.search(text)):
        raise ValueError(f"no text: a control character stands at {found.start()}")
    return text, NAMES.get(encoding, "")


def file_encoding(file: BinaryIO) -> str:
    """The codec of a file of rows. One with letters in UTF-8, and more of them than bytes that are
    none, is in UTF-8, but for the rows that hold such bytes; only what has none, and letters among
    them, is in Windows-1252.
    """
    chunk = file.read(_CHUNK)
    encoding, mark = encoding_of(chunk, whole=False)
    if mark:
        return "utf-8-sig" if encoding == "utf-8" else "utf-16"
    if encoding.startswith("utf-16"):
        return encoding
    decoder, good = codecs.getincrementaldecoder("utf-8")("replace"), 0
    while chunk:
        if not chunk.isascii():
            text = decoder.decode(chunk)
            bad = text.count("\ufffd")
            good += len(text) - len(text.encode("ascii", "ignore")) - bad
            if bad:
                return "utf-8" if good > bad or not _LETTERS.search(chunk) else "cp1252"
        chunk = file.read(_CHUNK)
    return "utf-8"


def told(codec: str) -> str:
    """What messages call a codec, "" if it is UTF-8."""
    return "UTF-16" if codec.startswith("utf-16") else NAMES.get(codec, "")


def to_utf16(text: str) -> Sequence[int]:
    """Of each character and of the end its offset in UTF-16 code units, as JavaScript counts.

    >>> list(to_utf16("a🙂b"))
    [0, 1, 3, 4]
    """
    if text.isascii() or max(text) < _WIDE:
        return range(len(text) + 1)
    return [0, *accumulate(1 + (sign >= _WIDE) for sign in text)]


def from_utf16(text: str) -> Mapping[int, int]:
    """The other way round; no offset inside a character is in it."""
    return {unit: point for point, unit in enumerate(to_utf16(text))}
