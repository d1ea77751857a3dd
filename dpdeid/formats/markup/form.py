"""Markup from bytes and back: in its encoding, with surrogates that cannot be taken for markup."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from dpdeid.document import Deidentified, Document
from dpdeid.errors import InputError
from dpdeid.formats.encodings import NAMES, decoded, encoding_of
from dpdeid.formats.kinds import Origin
from dpdeid.formats.markup.elements import check
from dpdeid.formats.markup.fields import Known
from dpdeid.formats.rows import Row
from dpdeid.views.written import open_tags

_LABELS: Final = {
    **dict.fromkeys(("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be"), "utf-8"),
    **dict.fromkeys(("windows-1252", "cp1252", "x-cp1252"), "cp1252"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1"), "latin-1"),
    **dict.fromkeys(("us-ascii", "ascii"), "ascii"),
    **dict.fromkeys(("iso-8859-15", "iso8859-15", "latin-9", "latin9"), "iso8859-15"),
    **dict.fromkeys(("macintosh", "x-mac-roman"), "mac-roman"),
}
"""What files call their encodings. One in bytes that says UTF-16 is in UTF-8, as in browsers."""
_DECLARED: Final = re.compile(
    rb"""(?i)<\?xml\s[^<>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']"""
    rb"""|<meta\s[^<>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{1,40})"""
)
_HEAD: Final = 4096
_NAMES: Final = {**NAMES, "latin-1": "ISO 8859-1", "iso8859-15": "ISO 8859-15", "ascii": "ASCII"}
_C1: Final = re.compile("[\x80-\x9f]")
_TOKEN: Final = re.compile(
    r"""<!\[CDATA\[.*?\]\]>|</?[A-Za-z_](?:[^<>"']|"[^"]*"|'[^']*')*+>""", re.DOTALL
)
_QUOTED: Final = re.compile(r""""[^"]*"|'[^']*'""")
_BARE: Final = re.compile(r"&(?!(?:[A-Za-z]\w{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)")
_IS_PAGE: Final = re.compile(r"</?[A-Za-z]|&#?\w{1,8};")


@dataclass(frozen=True, slots=True)
class Opened:
    """The text of a file of markup.

    Args:
        codec: in which it is written again.
        mark: the byte order mark that it began with.
        encoding: how it was read, for people; "" if as UTF-8.
    """

    text: str = field(repr=False)
    codec: str
    mark: bytes = b""
    encoding: str = ""


def opened(data: bytes, *, is_xml: bool) -> Opened:
    """A file, by its byte order mark, what it declares, or its bytes.

    Letters of Windows-1252 in a file that says ISO 8859-1 are read, as browsers do. A file that
    says UTF-8, or XML that says nothing, and is not, is written in UTF-8.

    Raises:
        ValueError: it is no text, or in another encoding; repeats nothing of it.
    """
    found, start = encoding_of(data, whole=True)
    declared = _DECLARED.search(data[:_HEAD])
    if start or found.startswith("utf-16"):
        text, _ = decoded(data)
        return Opened(text, found, data[:start], _NAMES.get(found, ""))
    if declared is None:
        text, encoding = decoded(data)
        return Opened(text, "utf-8" if is_xml else found, b"", encoding)
    label = (declared[1] or declared[2]).decode("ascii", "replace").lower()
    if (codec := _LABELS.get(label)) is None:
        raise ValueError(f"an encoding other than {', '.join(sorted({*_LABELS}))}")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        text, encoding = decoded(data)
        return Opened(text, codec, b"", encoding)
    if codec in ("latin-1", "ascii") and (not is_xml or _C1.search(text)):
        text, codec = data.decode("cp1252", "replace"), "cp1252"
    return Opened(text, codec, b"", "" if codec == "utf-8" else _NAMES.get(codec, codec))


@dataclass(frozen=True, slots=True)
class Marked:
    """A released file of markup.

    Args:
        text: the markup that was read as the note, without what must not pass.
        facts: stretches of `text` that hold what identifies by their field: they are emptied where
            nothing was found in them.
        mended: the whole as its format wants it, once surrogates stand in it.
    """

    ending: str
    text: str = field(repr=False)
    codec: str
    mark: bytes = b""
    facts: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    mended: Callable[[str], str] = str

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The whole file; the names of its elements and its allowed attributes are the original's.

        Raises:
            InputError: it would be no XML.
        """
        tokens = [match.span() for match in _TOKEN.finditer(self.text)]
        starts = [start for start, _ in tokens]
        safe = []
        for one in result.surrogates:
            span = one.mention.span
            at = bisect_right(starts, span.start) - 1
            inside = tokens[at] if at >= 0 and span.start < tokens[at][1] else None
            new = self._safe(one.text, one.mention.text, inside, span.start)
            safe.append((span.start, span.end, new))
        for start, end in self.facts:
            if all(stop <= start or end <= first for first, stop, _ in safe):
                safe.append((start, end, ""))
        pieces, done = [], 0
        for start, end, new in sorted(safe):
            pieces += [self.text[done:start], new]
            done = end
        whole = self.mended("".join((*pieces, self.text[done:])))
        if self.ending == ".xml":
            try:
                check(whole)
            except ValueError:
                raise InputError("what is released would be no well-formed XML") from None
        return self.mark + whole.encode(self.codec, "xmlcharrefreplace")

    def _safe(self, new: str, old: str, inside: tuple[int, int] | None, at: int) -> str:
        """A surrogate as text or value of the markup, with the tags that it was given back."""
        tags = "".join(open_tags(old))
        head, tags, tail = new.rpartition(tags) if tags else (new, "", "")
        is_data = inside is not None and self.text.startswith("<![CDATA[", inside[0])
        if self.ending == ".xml" and not is_data:
            head = html.escape(html.unescape(head), quote=False)
        elif not is_data or (inside and _IS_PAGE.search(self.text, inside[0] + 9, inside[1])):
            head = _BARE.sub("&amp;", head).replace("<", "&lt;").replace(">", "&gt;")
        if inside and not is_data:
            before = _QUOTED.sub("", self.text[inside[0] : at])
            quote = next((sign for sign in reversed(before) if sign in "\"'"), '"')
            head = head.replace(quote, html.escape(quote))
        return head + tags + tail


def row_of(origin: Origin, told: Known, page: Opened, form: Marked) -> Row:
    """The row of a file of markup, with what its fields say."""
    whose = (told.patient_id, told.note_date, told.facts, told.sex)
    note = Document(origin.note, form.text, *whose, others=told.others)
    of = (origin.file, origin.note, note)
    return Row(*of, patient_id=note.patient_id, place="file 1", form=form, encoding=page.encoding)
