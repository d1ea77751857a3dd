"""What stands beside a note in a bundle: the people and files that it refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from dpdeid.formats.messages.facts import Facts, Patient, Told
from dpdeid.formats.messages.resources import Resource, objects, text, texts

Index = Mapping[str, Resource]
"""People, institutions, stays and files, by what references to them say."""

ID: Final = re.compile(r"[A-Za-z0-9.-]{1,64}")
PEOPLE: Final = ("Patient", "Practitioner", "PractitionerRole", "Organization", "RelatedPerson")
_REFERRED: Final = (*PEOPLE, "Binary", "Encounter")
_LOCAL: Final = re.compile(
    rf"(?:\A|/)((?:{'|'.join(_REFERRED)})/([A-Za-z0-9.-]{{1,64}}))(?:/_history/.*)?\Z"
)
_OWN: Final = ("subject", "patient", "contained")
"""Where a resource leads to its patient, or holds what others of its fields refer to."""
_ROLES: Final = {"custodian": "Organization"} | dict.fromkeys(
    ("author", "authenticator", "party", "resultsInterpreter", "individual"), "Practitioner"
)
"""Fields whose references may say no more than a name, and of whom."""
_KIN: Final = "relatives of "
_DEEP: Final = 10
_PHONES: Final = ("phone", "fax", "pager", "sms")


def indexed(entries: Iterable[Resource]) -> dict[str, Resource]:
    """What of entries {"fullUrl", "resource"} may be referred to."""
    found: dict[str, Resource] = {}
    for entry in entries:
        for resource in objects(entry.get("resource")):
            if resource.get("resourceType") in _REFERRED:
                found[_name(resource)] = resource
                found[text(entry.get("fullUrl"))] = resource
            if resource.get("resourceType") == "RelatedPerson":
                own = {"reference": text(entry.get("fullUrl")) or _name(resource)}
                for whose in objects(resource.get("patient")):
                    key = _KIN + text(whose.get("reference"))
                    found.setdefault(key, {"resourceType": "", "kin": []})["kin"].append(own)
    return found


def _name(resource: Resource) -> str:
    return f"{resource.get('resourceType')}/{text(resource.get('id'))}"


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
    return replace(told.patient(named or other), others=_others(resource, found, reference, index))


def _others(resource: Resource, patient: Resource | None, named: str, index: Index) -> Facts:
    """Staff, relatives and institutions to whom a resource leads, and those of its patient,
    who is named so."""
    told, seen = Told(), set[int]()
    todo = [resource]
    if patient is not None and patient.get("resourceType") == "Patient":
        todo.append({key: one for key, one in patient.items() if key != "link"})
        todo += (index.get(_KIN + name, {}) for name in (named, _name(patient)))
        for contact in objects(patient.get("contact")):
            _somebody(told, contact)
    while todo:
        for kind, one in _references(todo.pop(), _DEEP):
            reference = text(one.get("reference"))
            found = referred(reference, resource, index)
            if found is None:
                kind = text(one.get("type")) or reference.rpartition("/")[0] or kind
                kind = kind.rpartition("/")[2]
                if kind in PEOPLE:
                    _somebody(told, {"resourceType": kind, "name": one.get("display")})
            elif id(found) not in seen and found.get("resourceType") != "Patient":
                seen.add(id(found))
                _somebody(told, found)
                todo.append(found)
    return told.others()


def _references(value: object, levels: int, key: str = "") -> Iterator[tuple[str, Resource]]:
    """The references of a resource, but for those to its patient; and of whom each should be."""
    for one in objects(value) if levels else ():
        if "reference" in one or "display" in one:
            yield _ROLES.get(key, ""), one
        for name, inner in one.items():
            if name not in _OWN:
                yield from _references(inner, levels - 1, name)


def _somebody(told: Told, one: Resource) -> None:
    """Tells who is not the patient, by a resource or what a reference says of one."""
    kind = text(one.get("resourceType"))
    if kind not in ("", *PEOPLE[1:]):
        return
    for called in texts(one.get("name")):
        (told.institution if kind == "Organization" else told.somebody)(called)
    for name in objects(one.get("name")):
        family = " ".join(texts(name.get("family")))
        told.somebody(family or text(name.get("text")), *texts(name.get("given")))
    _reached(told, one)
    told.add("provider", *(text(number.get("value")) for number in objects(one.get("identifier"))))


def _tell(told: Told, patient: Resource) -> None:
    for name in objects(patient.get("name")):
        key = "birth_name" if name.get("use") == "maiden" else "last_name"
        told.add(key, *texts(name.get("family")))
        told.add("first_name", *texts(name.get("given")))
    told.add("birth_date", text(patient.get("birthDate")))
    _reached(told, patient)
    _number(told, *objects(patient.get("identifier")))
    told.sex(text(patient.get("gender")))


def _reached(told: Told, one: Resource) -> None:
    """Tells where somebody lives and can be reached."""
    for address in objects(one.get("address")):
        told.add("address", *texts(address.get("line")))
        told.add("city", text(address.get("city")))
        told.add("zip", text(address.get("postalCode")))
    for contact in objects(one.get("telecom")):
        value = text(contact.get("value")).removeprefix("tel:").removeprefix("mailto:")
        if contact.get("system") == "email":
            told.add("email", value)
        elif contact.get("system") in _PHONES:
            told.add("phone", value)


def _number(told: Told, *identifiers: Resource) -> None:
    for one in identifiers:
        codes = [text(c.get("code")) for t in objects(one.get("type")) for c in _codings(t)]
        for value in texts(one.get("value")):
            told.number(value, "".join(codes[:1]), text(one.get("system")))


def _codings(concept: Mapping[str, Any]) -> Iterator[Resource]:
    yield from objects(concept.get("coding"))
