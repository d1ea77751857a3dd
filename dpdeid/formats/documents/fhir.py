"""FHIR R4: notes in bundles, single resources and NDJSON, released as resources made anew.

A note is an attachment of a DocumentReference or DiagnosticReport, the conclusion of the latter, or
a Composition with all its sections. Patients that stand beside them say whose they are, and what
is known. No address is fetched: an attachment is read where its data stand in the file.
"""

from __future__ import annotations

import binascii
import html
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count, islice
from typing import BinaryIO, Final

from dpdeid.document import Document
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.encodings import decoded
from dpdeid.formats.envelopes.parts import MEDIA
from dpdeid.formats.json_lines import json_lines
from dpdeid.formats.kinds import Origin, Piece, Reading, kind_of
from dpdeid.formats.messages.bundles import ID, Index, indexed, patient_of, referred
from dpdeid.formats.messages.facts import Patient
from dpdeid.formats.messages.narrative import scrubbed, words
from dpdeid.formats.messages.resources import (
    Attached,
    Composed,
    Resource,
    Section,
    concept,
    language,
    objects,
    shell,
    text,
    whole,
)
from dpdeid.formats.rows import Form, Row
from dpdeid.french.calendar import day_of

_DEEP: Final = 10
"""Bundles, or sections, in each other."""
_OTHERS: Final = {media.partition(";")[0]: ending for ending, media in MEDIA.items()} | {
    "application/xhtml+xml": ".html",
    "text/xml": ".xml",
    "text/rtf": ".rtf",
}
"""Types of attachments that the readers of other kinds of files read."""
_CHARSETS: Final = {
    **dict.fromkeys(("iso-8859-1", "latin1", "us-ascii", "windows-1252"), "cp1252"),
    **dict.fromkeys(("iso-8859-15", "utf-8", "utf-16")),
}
"""Names of encodings, and by which they are read if not by their own."""
_DATES: Final = {
    "DocumentReference": ("date",),
    "Composition": ("date",),
    "DiagnosticReport": ("issued", "effectiveDateTime"),
}


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The notes of a file: of a resource, of a bundle, or of a line each."""
    is_lines = _is_lines(file, origin)
    index = indexed(_patients(file)) if is_lines else {}
    file.seek(0)
    notes = count(1)
    number = 0
    for line, parsed in json_lines(file if is_lines else [file.read()]):
        if isinstance(parsed, str) or not text(parsed.get("resourceType")):
            number += 1
            where, place = (origin.row(line), "") if is_lines else (origin.file, "file 1")
            error = parsed if isinstance(parsed, str) else "no FHIR resource"
            yield Row(where, None, None, f"{where}: {error}", place=place)
            continue
        for resource, beside in _resources(parsed, index, _DEEP):
            for part, note in enumerate(_notes(_Source(resource, beside, how))):
                number = line if is_lines else next(notes)
                name = "" if resource is parsed and not is_lines else _name(resource, number)
                name += f"#{part + 1}" if part else ""
                yield note.row(origin.row(number), origin.note + name)
    if not number:
        yield Row(origin.file, None, None, f"{origin.file}: holds no note", place="file 1")


def write(pieces: Iterable[Piece], file: BinaryIO) -> None:
    """Writes a Bundle, on one line, so that it is NDJSON as well."""
    file.writelines(whole(pieces))


@dataclass(frozen=True, slots=True)
class _Source:
    """A resource that may hold notes, what is beside it, and how files are read."""

    resource: Resource
    beside: Index
    how: Reading

    @property
    def patient(self) -> Patient:
        return patient_of(self.resource, self.beside)

    @property
    def date(self) -> str:
        keys = _DATES[self.resource["resourceType"]]
        return next((day for key in keys if (day := text(self.resource.get(key)))), "")


@dataclass(frozen=True, slots=True)
class _Note:
    """A note, or why there is none."""

    patient: Patient
    date: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    form: Form | None = None
    error: str = ""

    def row(self, where: str, note: str) -> Row:
        """Its row."""
        who = self.patient
        if self.error:
            return Row(where, note, None, f"{where}: {self.error}", patient_id=who.id)
        document = Document(note, self.text, who.id, day_of(self.date), who.known, who.sex)
        return Row(where, note, document, patient_id=who.id, form=self.form)


def _is_lines(file: BinaryIO, origin: Origin) -> bool:
    """Whether each line of a file is a resource."""
    if origin.note.lower().endswith(".ndjson"):
        return True
    full = [*islice((line for line in file if line.strip()), 2)]
    file.seek(0)
    return len(full) > 1 and not any(isinstance(row, str) for _, row in json_lines(full[:1]))


def _patients(lines: Iterable[bytes]) -> Iterator[Resource]:
    """The patients of lines, as entries of a bundle."""
    some = (line for line in lines if b'"Patient"' in line)
    yield from ({"resource": row} for _, row in json_lines(some) if isinstance(row, dict))


def _resources(resource: Resource, index: Index, levels: int) -> Iterator[tuple[Resource, Index]]:
    """The resources that a bundle holds at any level, or the one given, each with what is beside
    it.
    """
    if resource.get("resourceType") != "Bundle":
        yield resource, index
        return
    entries = objects(resource.get("entry"))
    beside = {**index, **indexed(entries)}
    for entry in entries if levels else ():
        for inner in objects(entry.get("resource")):
            yield from _resources(inner, beside, levels - 1)


def _name(resource: Resource, number: int) -> str:
    own = text(resource.get("id"))
    return f"#{resource['resourceType']}/{own}" if ID.fullmatch(own) else f"#{number}"


def _notes(source: _Source) -> Iterator[_Note]:
    """The notes of a resource, none if it is of another type."""
    resource = source.resource
    kind = text(resource.get("resourceType"))
    if kind == "Composition":
        yield _composed(source)
    elif kind == "DocumentReference":
        for content in objects(resource.get("content")):
            for one in objects(content.get("attachment")):
                yield _attached(source, "content", one)
    elif kind == "DiagnosticReport":
        if conclusion := text(resource.get("conclusion")):
            form = Attached(shell(resource), "conclusion")
            yield _Note(source.patient, source.date, conclusion, form)
        for one in objects(resource.get("presentedForm")):
            yield _attached(source, "presentedForm", one)


def _attached(source: _Source, place: str, attachment: Resource) -> _Note:
    patient, resource = source.patient, source.resource
    date = text(attachment.get("creation")) or source.date
    try:
        media, data = _data(source, attachment)
        media, _, parameters = media.lower().partition(";")
        media = media.strip()
        own = language(attachment.get("language"))
        if media == "text/plain":
            form = Attached(shell(resource), place, MEDIA[".txt"], own)
            return _Note(patient, date, _decoded(data, parameters), form)
        if _OTHERS.get(media) == ".html" and "charset" in parameters:
            data = _decoded(data, parameters).encode("utf-8-sig")
        document, inner = _by_another(media, data, source.how)
        date = date or str(document.note_date or "")
        media = media if inner else MEDIA[".txt"]
        form = Attached(shell(resource), place, media, own, inner)
        return _Note(patient.beside(document), date, document.text, form)
    except InputError as error:
        return _Note(patient, error=str(error))


def _data(source: _Source, attachment: Resource) -> tuple[str, bytes]:
    """The type and the bytes of an attachment, or of the file beside it to which it refers.

    Raises:
        InputError: there are none.
    """
    media, data = text(attachment.get("contentType")), text(attachment.get("data"))
    if not data:
        url = text(attachment.get("url"))
        binary = referred(url, source.resource, source.beside) or {}
        media = media or text(binary.get("contentType"))
        data = text(binary.get("data")) if binary.get("resourceType") == "Binary" else ""
    if not data:
        raise InputError("an attachment has no data (no address is fetched)")
    try:
        return media, b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InputError("the data of an attachment are not base64") from None


def _decoded(data: bytes, parameters: str) -> str:
    """The text of an attachment whose type has these parameters."""
    named = [p.partition("=") for p in parameters.split(";")]
    charset = next((value.strip(" \"'") for key, _, value in named if key.strip() == "charset"), "")
    if charset and charset not in _CHARSETS:
        raise InputError("the charset of an attachment is none that is known")
    try:
        if charset and charset != "utf-16":
            return data.decode(_CHARSETS[charset] or charset).removeprefix("\ufeff")
        return decoded(data)[0]
    except UnicodeDecodeError:
        raise InputError("an attachment is not in the charset that it names") from None
    except ValueError as error:
        raise InputError(f"an attachment is {error}") from None


def _by_another(media: str, data: bytes, how: Reading) -> tuple[Document, Form | None]:
    """The note of an attachment as the reader of its kind of file reads it, and its form.

    Raises:
        InputError: there is no such reader, or it finds no note.
    """
    kind = kind_of(f"attachment{_OTHERS.get(media, '')}")
    if kind is None or not kind.releases:
        raise InputError("the type of an attachment is none that is read")
    origin = Origin("", "attachment")
    try:
        first = next(kind.reader(BytesIO(data), origin, how), None)
    except UsageError as error:
        raise InputError(str(error)) from None
    if first is None or first.document is None:
        said = first.error.partition(": ")[2] if first else "holds no note"
        raise InputError(f"an attachment: {said}")
    return first.document, first.form


class _Text:
    """The text of a note, put together."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._size = 0

    def add(self, before: str, piece: str, behind: str) -> tuple[int, int]:
        """Adds a piece between two others; where it stands."""
        start = self._size + len(before)
        self.pieces += (before, piece, behind)
        self._size = start + len(piece) + len(behind)
        return start, start + len(piece)


def _composed(source: _Source) -> _Note:
    resource, note = source.resource, _Text()
    sections = _sections(resource.get("section"), note, _DEEP)
    if not sections:  # its own narrative is all there is
        sections = _sections({"text": resource.get("text")}, note := _Text(), _DEEP)
    if not sections:
        return _Note(source.patient, error="the sections of a Composition have no text")
    whole_text = "".join(note.pieces)
    form = Composed(shell(resource), whole_text, sections)
    return _Note(source.patient, source.date, whole_text, form)


def _sections(value: object, note: _Text, levels: int) -> tuple[Section, ...]:
    """The sections that have a text, which is added to that of the note."""
    found = []
    for given in objects(value) if levels else ():
        heading = text(given.get("title"))
        title = div = None
        if heading.strip():
            title = note.add("<h3>", html.escape(heading, quote=False), "</h3>\n")
        narrative = next(iter(objects(given.get("text"))), {})
        markup = scrubbed(text(narrative.get("div")))
        if any(map(str.isalnum, words(markup))):
            div = note.add("", markup, "\n")
        if (inner := _sections(given.get("section"), note, levels - 1)) or div:
            status = text(narrative.get("status"))
            status = status if status in ("generated", "extensions") else "additional"
            found.append(Section(title, div, status, concept(given.get("code")), inner))
    return tuple(found)
