"""What stands beside a note in a bundle: the patients and files that it refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from dpdeid.formats.messages.facts import Patient, Told
from dpdeid.formats.messages.resources import Resource, objects, text, texts

Index = Mapping[str, Resource]
"""Patients and files, by what references to them say."""

ID: Final = re.compile(r"[A-Za-z0-9.-]{1,64}")
REFERRED: Final = ("Patient", "Binary")
_LOCAL: Final = re.compile(r"(?:\A|/)((?:Patient|Binary)/([A-Za-z0-9.-]{1,64}))(?:/_history/.*)?\Z")
_PHONES: Final = ("phone", "fax", "pager", "sms")


def indexed(entries: Iterable[Resource]) -> dict[str, Resource]:
    """The patients and files of entries {"fullUrl", "resource"}."""
    found: dict[str, Resource] = {}
    for entry in entries:
        for resource in objects(entry.get("resource")):
            if resource.get("resourceType") in REFERRED:
                found[f"{resource['resourceType']}/{text(resource.get('id'))}"] = resource
                found[text(entry.get("fullUrl"))] = resource
    return found


def referred(reference: str, resource: Resource, index: Index) -> Resource | None:
    """What a resource refers to: contained in it, or beside it. No address is fetched."""
    if reference.startswith("#"):
        within = objects(resource.get("contained"))
        return next((one for one in within if one.get("id") == reference[1:]), None)
    if reference in index and reference:
        return index[reference]
    local = _LOCAL.search(reference)
    return index.get(local[1]) if local else None


def patient_of(resource: Resource, index: Index) -> Patient:
    """Whose a resource is; what its subject says where the patient is not beside it.

    Called by the hospital's number where it is typed so (PI, MR), else by the id of the Patient.
    """
    told = Told()
    subjects = objects(resource.get("subject"))[:1]
    reference = "".join(text(subject.get("reference")) for subject in subjects)
    local = _LOCAL.search(reference)
    found = referred(reference, resource, index)
    if resource.get("resourceType") == "Binary":  # has no subject: of the only patient beside it
        beside = {id(one): one for one in index.values() if one["resourceType"] == "Patient"}
        found = next(iter(beside.values())) if len(beside) == 1 else None
    if found is not None and found.get("resourceType") == "Patient":
        _tell(told, found)
    for subject in subjects:
        _number(told, *objects(subject.get("identifier")))
    named = local[2] if local and local[1].startswith("Patient/") else None
    other = reference if reference.startswith("urn:") else None
    if found is not None and not reference.startswith("#"):
        named = named or text(found.get("id"))
    return told.patient(named or other)


def _tell(told: Told, patient: Resource) -> None:
    for name in objects(patient.get("name")):
        key = "birth_name" if name.get("use") == "maiden" else "last_name"
        told.add(key, *texts(name.get("family")))
        told.add("first_name", *texts(name.get("given")))
    told.add("birth_date", text(patient.get("birthDate")))
    for address in objects(patient.get("address")):
        told.add("address", *texts(address.get("line")))
        told.add("city", text(address.get("city")))
        told.add("zip", text(address.get("postalCode")))
    for contact in objects(patient.get("telecom")):
        value = text(contact.get("value")).removeprefix("tel:").removeprefix("mailto:")
        if contact.get("system") == "email":
            told.add("email", value)
        elif contact.get("system") in _PHONES:
            told.add("phone", value)
    _number(told, *objects(patient.get("identifier")))
    told.sex(text(patient.get("gender")))


def _number(told: Told, *identifiers: Resource) -> None:
    for one in identifiers:
        codes = [text(c.get("code")) for t in objects(one.get("type")) for c in _codings(t)]
        for value in texts(one.get("value")):
            told.number(value, "".join(codes[:1]), text(one.get("system")))


def _codings(concept: Mapping[str, Any]) -> Iterator[Resource]:
    yield from objects(concept.get("coding"))
