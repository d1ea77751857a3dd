"""The contract of envelopes: an envelope opens into parts, a part is read, and written again.

A part says what it is by its media type, its name or its first bytes; where they disagree it is
refused. It is read by the kind of file that it is, which may be an envelope, and its words stand in
the note of the envelope; each form writes its own stretch of what is released. How deep, how many
and how large is bounded by `Reading.deeper`. Errors name parts by their places, never by names that
a sender gave them.
"""

from __future__ import annotations

import datetime as dt
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate
from typing import Final

from dpdeid.document import Deidentified, Document
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.encodings import NO_TEXT, decoded
from dpdeid.formats.kinds import KINDS, Kind, Origin, PartError, Reading, kind_of
from dpdeid.formats.messages.facts import Patient
from dpdeid.formats.messages.stretches import stretch
from dpdeid.formats.rows import Form, Row

MEDIA: Final = {
    ".txt": "text/plain; charset=utf-8",
    ".html": "text/html",
    ".xml": "application/xml",
    ".pdf": "application/pdf",
    ".rtf": "application/rtf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".json": "application/fhir+json",
    ".hl7": "application/hl7-v2",
    ".zip": "application/zip",
    ".eml": "message/rfc822",
}
"""What files are called in an attachment, by their endings."""
UNNAMED: Final = "application/octet-stream"
"""What a file of any other kind is called."""
_ENDINGS: Final = {media.partition(";")[0]: ending for ending, media in MEDIA.items()} | {
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/xhtml+xml": ".html",
    "text/xml": ".xml",
    "text/rtf": ".rtf",
    "text/x-hl7-text+xml": ".xml",
    "application/json": ".json",
    "application/x-hl7": ".hl7",
    "x-application/hl7-v2+er7": ".hl7",
    "application/x-zip-compressed": ".zip",
    "application/x-hl7-cda-level-one": ".xml",
    "application/vnd.ms-outlook": ".msg",
    "image/tiff": ".tif",
    "image/tif": ".tif",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/jpg": ".jpg",
    "image/pjpeg": ".jpg",
}
_MARKS: Final = (
    *((b"%PDF-", ".pdf"), (b"PK\x03\x04", ".zip"), (b"{\\rtf", ".rtf"), (b"\x89PNG", ".png")),
    *((b"\xff\xd8\xff", ".jpg"), (b"II*\0", ".tif"), (b"MM\0*", ".tif")),
    (b"\xd0\xcf\x11\xe0", ".doc"),
)
_FAMILIES: Final = {".zip": (".docx", ".odt", ".ods", ".xlsx"), ".doc": (".msg",)}
"""Kinds whose files begin as those of another."""
_SAME: Final = {".htm": ".html", ".tiff": ".tif", ".jpeg": ".jpg"}
_MARKUP: Final = (".xml", ".html")
_BYTE_ORDER: Final = b"\xef\xbb\xbf\xff\xfe \r\n\t"
_IS_OPEN: Final = re.compile(r"\Z|/|text/|application/(?:octet-stream|)\Z")
"""Types that do not say what a part is."""
_IS_XML: Final = re.compile(rb"<\?xml\s|<(?:\w{1,20}:)?ClinicalDocument[\s>]")
_IS_PAGE: Final = re.compile(rb"(?i)<(?:!doctype\s|html[\s>])")
_NOBODY: Final = Patient()
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]+")


@dataclass(frozen=True, slots=True)
class Part:
    """What an envelope holds.

    Args:
        path: its place there, as "OBX 3".
        media: its type as "text/xml", "" if nothing is said.
        name: what its sender called it; told to nobody.
        wrong: why its bytes could not be had.
    """

    path: str
    data: bytes = field(repr=False)
    media: str = ""
    name: str = field(default="", repr=False)
    wrong: str = ""

    @property
    def ending(self) -> str:
        """What a file of its kind ends with, as ".xml".

        Raises:
            ValueError: its type, its name and its first bytes are of several kinds.
        """
        said, head = self._said(), self.data[:1024].lstrip()
        found = next((ending for mark, ending in _MARKS if head.startswith(mark)), "")
        if found and said and found != said and said not in _FAMILIES.get(found, ()):
            raise ValueError(f"said to be {said}, and its first bytes are of {found}")
        if found or said not in ("", ".txt", *_MARKUP):
            return said or found
        if not said and not _IS_OPEN.match(self.media.strip().lower()):
            raise ValueError("of a type that is not known")
        head = head.replace(b"\0", b"").lstrip(_BYTE_ORDER)
        if said in _MARKUP:
            return said if head.startswith(b"<") else ".txt"
        if not said and NO_TEXT.search(decoded(self.data)[0]):
            raise ValueError("of a kind that is not known")
        return ".xml" if _IS_XML.match(head) else ".html" if _IS_PAGE.match(head) else ".txt"

    def _said(self) -> str:
        typed = _ENDINGS.get(self.media.partition(";")[0].strip().lower(), "")
        name = self.name.lower().strip()
        named = next((end for kind in KINDS for end in kind.endings if name.endswith(end)), "")
        if not named and kind_of(name.rpartition(".")[0]):
            raise ValueError("its name has two endings")
        named = _SAME.get(named, named)
        if typed not in ("", ".txt", named) and named:
            raise ValueError(f"said to be {typed}, and called {named}")
        return named or typed


@dataclass(frozen=True, slots=True)
class Held:
    """A part that was read: its words, what it tells, and how it is written."""

    note: Document
    form: Form | None = None
    lost: Counter[str] = field(default_factory=Counter)
    ocr: float | None = None

    @property
    def ending(self) -> str:
        return self.form.ending if self.form else ".txt"

    def written(self, start: int, result: Deidentified, released_id: str) -> bytes:
        """The part as a file, by what was released of the note in which it begins at `start`."""
        own = stretch(result, self.note.text, start)
        if self.form is None:
            return own.text.encode("utf-8", "replace")
        return self.form.written(own, released_id)


def held(part: Part, how: Reading) -> Held:
    """A part, read.

    Raises:
        PartError: it cannot be; has its place, and that inside it.
    """
    try:
        if part.wrong:
            raise ValueError(part.wrong)
        inside = how.deeper(len(part.data))
        kind = kind_of(f"part{(ending := part.ending)}")
        is_table = kind is not None and not kind.releases and not ending.endswith(".gz")
        cells_of = kind.cells_of if kind and is_table else None
        if kind is None or not (kind.releases or cells_of):
            raise ValueError(f"of a kind that is not read here ({ending})")
        if how.seen is not None:
            how.seen[inside.depth, kind.name] += 1
        if cells_of:
            return Held(Document("part", cells_of(part.data)))
        rows = [*kind.reader(BytesIO(part.data), Origin("", "part"), inside)]
    except (ValueError, InputError, UsageError) as error:
        raise PartError(part.path, str(error)) from None
    rows = [row for row in rows if not row.bare]
    for row in rows:
        if row.document is None:
            raise PartError(part.path, row.error.removeprefix(row.where).removeprefix(": "))
    if not rows:
        raise PartError(part.path, "holds no note")
    return _joined(kind, rows) if len(rows) > 1 else _only(*rows)


def _only(row: Row) -> Held:
    assert row.document is not None
    return Held(row.document, row.form, row.lost, row.ocr)


def _joined(kind: Kind, rows: Sequence[Row]) -> Held:
    """The notes of one part, as messages of one file."""
    parts = [_only(row) for row in rows]
    text, placed = laid(parts)
    who = Patient()
    for number, part in enumerate(parts, 1):
        who = together(who, f"note {number}", part)
    lost = missing(parts)
    return Held(
        who.document("part", text), _Several(kind, placed), lost, least(p.ocr for p in parts)
    )


def envelope(
    origin: Origin,
    parts: Iterable[Part],
    how: Reading,
    form: Callable[[Placed], Form],
    facts: Patient = _NOBODY,
    day: dt.date | None = None,
) -> Row:
    """The row of a file that holds nothing but files.

    Args:
        form: how it is written, by its parts and where they stand in the note.
        facts: what it says of the patient, which the parts must not contradict, and of others.

    Raises:
        PartError: a part cannot be read, and no half of the envelope is asked for; or all cannot.
    """
    how, found, wrong, who = how.opening(), list[Held](), list[PartError](), facts
    for part in parts:
        try:
            one = held(part, how)
            who = together(who, part.path, one)
            found.append(one)
        except PartError as error:
            wrong.append(error)
            if not how.partial:
                break
    if wrong and not (how.partial and found):
        raise wrong[0]
    if not found:
        raise ValueError("holds no document")
    text, placed = laid(found)
    day = day or next((one.note.note_date for one in found if one.note.note_date), None)
    note = who.document(origin.note, text, day)
    lost = missing(found, len(wrong))
    return Row(
        origin.file, origin.note, note, "", {}, note.patient_id, "file 1", form(placed), lost=lost,
        ocr=least(one.ocr for one in found),
    )  # fmt: skip


def missing(parts: Iterable[Held], unread: int = 0) -> Counter[str]:
    """What is not released of an envelope, by why: inside its parts, and so many of them."""
    return sum(
        (part.lost for part in parts), +Counter({"left out: cannot be read (--partial)": unread})
    )


def least(sure: Iterable[float | None]) -> float | None:
    """How sure OCR is of the part of which it is least sure, None if it read none."""
    return min((one for one in sure if one is not None), default=None)


Placed = tuple[tuple[int, Held], ...]
"""Parts, and where each begins in the note."""


def laid(parts: Sequence[Held]) -> tuple[str, Placed]:
    """The words of parts, one below the other."""
    starts = [0, *accumulate(len(part.note.text) + 2 for part in parts)]
    return "\n\n".join(part.note.text for part in parts), tuple(zip(starts, parts, strict=False))


@dataclass(frozen=True, slots=True)
class _Several:
    """How a part with several notes is written: as a file of its kind."""

    kind: Kind
    parts: Placed

    @property
    def ending(self) -> str:
        return self.kind.releases

    def written(self, result: Deidentified, released_id: str) -> bytes:
        pieces = (
            {
                "id": f"{released_id}-{number}",
                "content": part.written(start, result, f"{released_id}-{number}"),
                "ending": part.ending,
            }
            for number, (start, part) in enumerate(self.parts, 1)
        )
        self.kind.writer(pieces, file := BytesIO())
        return file.getvalue()


def together(patient: Patient, path: str, part: Held) -> Patient:
    """What is known of a patient with what a part says.

    Raises:
        PartError: it is of another one.
    """
    if not patient.may_be(part.note):
        raise PartError(path, "of another patient than what stands before it")
    return patient.beside(part.note)


def unpacked(value: str) -> bytes:
    """The bytes of Base64, with or without its padding.

    Raises:
        ValueError: it is none, or cut short.
    """
    packed = "".join(value.split()).rstrip("=")
    if len(packed) % 4 == 1 or not _BASE64.fullmatch(packed):
        raise ValueError("no Base64, or cut short")
    return b64decode(packed + "=" * (-len(packed) % 4))
