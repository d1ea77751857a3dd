"""FHIR R4: notes in bundles, single resources and NDJSON, released as resources made anew.

A note is an attachment of a DocumentReference or DiagnosticReport, the conclusion of the latter, or
a Composition with all its sections. Patients that stand beside them say whose they are, and what
is known. No address is fetched: an attachment is read where its data stand in the file.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import BinaryIO, Final

from dpdeid.errors import InputError
from dpdeid.formats.encodings import decoded
from dpdeid.formats.envelopes.parts import MEDIA, UNNAMED, Part, held, together, unpacked
from dpdeid.formats.json_lines import json_lines
from dpdeid.formats.kinds import MARK, Origin, PartError, Piece, Reading
from dpdeid.formats.messages.bundles import ID, PEOPLE, Index, indexed, patient_of, referred
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
    index = indexed(_people(file)) if is_lines else {}
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
        found = [*_resources(parsed, index, _DEEP)]
        taken = {id(one) for each in found for one in _beside(*each)}
        for resource, beside in found:
            if id(resource) in taken:
                continue
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
        keys = _DATES.get(self.resource["resourceType"], ())
        return next((day for key in keys if (day := text(self.resource.get(key)))), "")


@dataclass(frozen=True, slots=True)
class _Note:
    """A note, or why there is none."""

    patient: Patient
    date: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    form: Form | None = None
    error: str = ""
    ocr: float | None = None
    lost: Counter[str] = field(default_factory=Counter)

    def row(self, where: str, note: str) -> Row:
        """Its row."""
        who = self.patient
        if self.error:
            told = self.error if self.error.startswith(MARK) else f": {self.error}"
            return Row(where, note, None, f"{where}{told}", patient_id=who.id)
        document = who.document(note, self.text, day_of(self.date))
        of = (where, note, document)
        return Row(*of, patient_id=who.id, form=self.form, lost=self.lost, ocr=self.ocr)


def _is_lines(file: BinaryIO, origin: Origin) -> bool:
    """Whether each line of a file is a resource."""
    if origin.note.lower().endswith(".ndjson"):
        return True
    full = [*islice((line for line in file if line.strip()), 2)]
    file.seek(0)
    return len(full) > 1 and not any(isinstance(row, str) for _, row in json_lines(full[:1]))


def _people(lines: Iterable[bytes]) -> Iterator[Resource]:
    """Who is told of in lines, as entries of a bundle."""
    told = [f'"{kind}"'.encode() for kind in PEOPLE]
    some = (line for line in lines if any(kind in line for kind in told))
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


def _beside(resource: Resource, beside: Index) -> Iterator[Resource]:
    """The files to which a resource refers."""
    contents = [one.get("attachment") for one in objects(resource.get("content"))]
    for place in (*contents, resource.get("presentedForm")):
        for one in objects(place):
            if found := referred(text(one.get("url")), resource, beside):
                yield found


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
        contents = [one.get("attachment") for one in objects(resource.get("content"))]
        for number, one in enumerate((one for each in contents for one in objects(each)), 1):
            yield _attached(source, "content", one, number)
    elif kind == "DiagnosticReport":
        if conclusion := text(resource.get("conclusion")):
            form = Attached(shell(resource), "conclusion")
            yield _Note(source.patient, source.date, conclusion, form)
        for number, one in enumerate(objects(resource.get("presentedForm")), 1):
            yield _attached(source, "presentedForm", one, number)
    elif kind == "Binary":
        yield _attached(source, "data", resource, 1)


def _attached(source: _Source, place: str, attachment: Resource, number: int) -> _Note:
    patient, path = source.patient, f"{place} {number}"
    try:
        media, data = _data(source, attachment)
        media, _, parameters = media.lower().partition(";")
        if "charset" in parameters and media.strip() in ("text/plain", "text/html"):
            data = _decoded(data, parameters).encode("utf-8-sig")
        part = held(Part(path, data, media), source.how)
        patient = together(patient, path, part)
        if part.lost and not part.note.text:
            raise InputError("no text in it")
    except PartError as error:
        return _Note(patient, error=f"{MARK}{error}")
    except InputError as error:
        return _Note(patient, error=f"{MARK}{path}: {error}")
    date = text(attachment.get("creation")) or source.date or str(part.note.note_date or "")
    own = language(attachment.get("language"))
    shown = {"resourceType": "Binary"} if place == "data" else shell(source.resource)
    form = Attached(shown, place, MEDIA.get(part.ending, UNNAMED), own, part.form)
    return _Note(patient, date, part.note.text, form, ocr=part.ocr, lost=part.lost)


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
        raise InputError("has no data (no address is fetched)")
    try:
        return media, unpacked(data)
    except ValueError as error:
        raise InputError(str(error)) from None


def _decoded(data: bytes, parameters: str) -> str:
    """The text of an attachment whose type has these parameters."""
    named = [p.partition("=") for p in parameters.split(";")]
    charset = next((value.strip(" \"'") for key, _, value in named if key.strip() == "charset"), "")
    if charset and charset not in _CHARSETS:
        raise InputError("in a charset that is not known")
    try:
        if charset and charset != "utf-16":
            return data.decode(_CHARSETS[charset] or charset).removeprefix("\ufeff")
        return decoded(data)[0]
    except UnicodeDecodeError:
        raise InputError("not in the charset that it names") from None
    except ValueError as error:
        raise InputError(str(error)) from None


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
