"""FHIR resources as they are released: made anew, with what is on a list and the new text.

What a profile wants and no release tells, as a title or an author, is said to be masked, in FHIR's
own way (the extension data-absent-reason).
"""

from __future__ import annotations

import html
import json
import re
import uuid
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dpdeid.document import Deidentified
from dpdeid.formats.envelopes.parts import MEDIA
from dpdeid.formats.messages.codes import is_public
from dpdeid.formats.messages.narrative import scrubbed
from dpdeid.formats.messages.stretches import rewritten
from dpdeid.formats.rows import Form

Resource = Mapping[str, Any]

_ABSENT: Final = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
_MASKED: Final = {"extension": [{"url": _ABSENT, "valueCode": "masked"}]}
_STATUSES: Final = {
    "DocumentReference": {"current", "superseded", "entered-in-error"},
    "Composition": {"preliminary", "final", "amended", "entered-in-error"},
    "DiagnosticReport": {
        *("registered", "partial", "preliminary", "final", "amended", "corrected"),
        *("appended", "cancelled", "entered-in-error", "unknown"),
    },
}
_CODES: Final = {
    "DocumentReference": ("type", "category"),
    "Composition": ("type", "category"),
    "DiagnosticReport": ("code", "category", "conclusionCode"),
}
"""Elements that hold codes; the first is one concept, the others are lists."""
_REQUIRED: Final = ("code", "type")
_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")
_NOT_IN_ID: Final = re.compile(r"[^A-Za-z0-9.-]")


def texts(value: object) -> list[str]:
    """A text, or the texts in a list."""
    return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str)]


def text(value: object) -> str:
    """A text, "" if it is none."""
    return value if isinstance(value, str) else ""


def objects(value: object) -> list[Resource]:
    """An object, or the objects in a list."""
    return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict)]


def shell(resource: Resource) -> dict[str, Any]:
    """What is released of a resource beside its text and dates: kind, status and public codes."""
    kind = resource["resourceType"]
    status = text(resource.get("status"))
    new: dict[str, Any] = {"resourceType": kind}
    new |= {"status": status} if status in _STATUSES[kind] else {"_status": _MASKED}
    first, *lists = _CODES[kind]
    if one := concept(resource.get(first)):
        new[first] = one
    elif first in _REQUIRED and kind != "DocumentReference":
        new[first] = _MASKED
    for name in lists:
        if several := [one for given in objects(resource.get(name)) if (one := concept(given))]:
            new[name] = several
    return new


def concept(value: object) -> dict[str, Any]:
    """The public codes of a concept, without its words; empty if there is none."""
    codings = [
        {"system": system, "code": code}
        for given in objects(value)
        for coding in objects(given.get("coding"))
        if is_public(system := text(coding.get("system")), code := text(coding.get("code")))
    ]
    return {"coding": codings} if codings else {}


def language(value: object) -> dict[str, str]:
    """The language of a text, where it is one."""
    return {"language": text(value)} if _LANGUAGE.fullmatch(text(value)) else {}


@dataclass(frozen=True, slots=True)
class Attached:
    """A note that is an attachment of a resource, or the conclusion of a report.

    Args:
        shell: the resource without it.
        place: the element that holds it.
        media: its type, "" if it stands in the resource as it is.
        language: its language, by its key.
        inner: the form of what was attached, None if it is text.
    """

    shell: Resource
    place: str
    media: str = ""
    language: Mapping[str, str] = field(default_factory=dict)
    inner: Form | None = None
    ending: str = ".json"

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The resource, with the new text."""
        new = _called(self.shell, released_id)
        day = _day(result)
        if self.shell["resourceType"] == "DiagnosticReport" and day:
            new["effectiveDateTime"] = day
        if not self.media:
            return _bytes(new | {self.place: result.text})
        data, media = result.text.encode("utf-8", "replace"), self.media
        if self.inner is not None:
            data = self.inner.written(result, released_id)
            media = MEDIA.get(self.inner.ending, media)
        if self.place == "data":
            return _bytes(new | attached(media, data))
        attachment = attached(media, data) | dict(self.language)
        if self.place != "content":
            return _bytes(new | {self.place: [attachment]})
        if day:
            attachment["creation"] = day
        return _bytes(new | {"content": [{"attachment": attachment}]})


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a composition: where its title and its text stand in the note.

    Args:
        title, div: [start, end) of the note, None if it has none.
        status: of its narrative.
        code: its public codes.
    """

    title: tuple[int, int] | None
    div: tuple[int, int] | None
    status: str
    code: Mapping[str, Any]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Composed:
    """A note that is a composition: the text of the note holds all its sections in turn.

    Args:
        shell: the composition without them.
        text: the note as it was read.
    """

    shell: Resource
    text: str = field(repr=False)
    sections: tuple[Section, ...]
    ending: str = ".json"

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The composition, with the new titles and narratives."""
        new = _called(self.shell, released_id)
        new |= {"date": day} if (day := _day(result)) else {"_date": _MASKED}
        new |= {"author": [_MASKED], "_title": _MASKED}
        return _bytes(new | {"section": [self._section(one, result) for one in self.sections]})

    def _section(self, section: Section, result: Deidentified) -> dict[str, Any]:
        new: dict[str, Any] = {}
        if section.title:
            title = rewritten(self.text, result.surrogates, *section.title)
            new["title"] = html.unescape(title)
        if section.code:
            new["code"] = dict(section.code)
        if section.div:
            div = scrubbed(rewritten(self.text, result.surrogates, *section.div))
            new["text"] = {
                "status": section.status,
                "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{div}</div>',
            }
        if section.sections:
            new["section"] = [self._section(one, result) for one in section.sections]
        return new


def attached(media: str, data: bytes) -> dict[str, str]:
    """An attachment of new data."""
    return {"contentType": media, "data": b64encode(data).decode()}


def whole(pieces: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """A release as one Bundle on one line: notes that came as files of other kinds are attached to
    a DocumentReference, and one that failed is an OperationOutcome.
    """
    yield b'{"resourceType":"Bundle","type":"collection"'
    mark = b',"entry":['
    for piece in pieces:
        entry: dict[str, Any] = {"resource": _resource(piece)}
        if "error" not in piece:  # the id of one that failed may be that of another
            entry["fullUrl"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, piece['id'])}"
        yield mark + _bytes(entry)
        mark = b","
    yield b"}\n" if mark.endswith(b"[") else b"]}\n"


def _resource(piece: Mapping[str, Any]) -> dict[str, Any]:
    if "error" in piece:
        return _failed(piece["id"], piece["error"])
    if piece["ending"] == ".json":
        resource: dict[str, Any] = json.loads(piece["content"])
        return resource
    if piece["ending"] not in MEDIA:
        return _failed(piece["id"], f"a note that is a {piece['ending']} file is no resource")
    attachment = attached(MEDIA[piece["ending"]], piece["content"])
    new = {"resourceType": "DocumentReference", "status": "current"}
    return _called(new, piece["id"]) | {"content": [{"attachment": attachment}]}


def _failed(note: str | None, error: str) -> dict[str, Any]:
    issue = {"severity": "error", "code": "processing", "diagnostics": error}
    return _called({"resourceType": "OperationOutcome"}, note) | {"issue": [issue]}


def _called(resource: Resource, note: str | None) -> dict[str, Any]:
    """A resource with the id of a note, in the characters of one."""
    own = {"id": _NOT_IN_ID.sub("-", note)[:64]} if note else {}
    return {"resourceType": resource["resourceType"]} | own | dict(resource)


def _day(result: Deidentified) -> str:
    """The date of a released note, "" if it is none that FHIR knows."""
    day = result.note_date or ""
    return day if _DATE.fullmatch(day) else ""


def _bytes(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
