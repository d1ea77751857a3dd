"""The order of CDA R2: what an element may hold, as POCD_MT000040 publishes it.

It is the order and number of elements of the header, the bodies and sections. It is no schema:
types, attributes and what stands in entries are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element

_ROOT: Final = "realmCode* typeId? templateId*"
"""With which every element may begin."""
_ENTITY: Final = "id+ code? addr* telecom* assignedPerson? representedOrganization?"
_ORGANIZATION: Final = "id* name* telecom* addr* standardIndustryClassCode? asOrganizationPartOf?"
_PERSON: Final = "name*"

ORDER: Final[Mapping[str, str]] = {
    "ClinicalDocument": (
        "realmCode* typeId templateId* id code title? effectiveTime confidentialityCode"
        " languageCode? setId? versionNumber? copyTime? recordTarget+ author+ dataEnterer?"
        " informant* custodian informationRecipient* legalAuthenticator? authenticator*"
        " participant* inFulfillmentOf* documentationOf* relatedDocument* authorization*"
        " componentOf? component"
    ),
    "recordTarget": "patientRole",
    "patientRole": "id+ addr* telecom* patient? providerOrganization?",
    "patient": (
        "id? name* administrativeGenderCode? birthTime? maritalStatusCode?"
        " religiousAffiliationCode? raceCode? ethnicGroupCode? guardian* birthplace?"
        " languageCommunication*"
    ),
    "author": "functionCode? time assignedAuthor",
    "assignedAuthor": (
        "id+ code? addr* telecom* assignedPerson? assignedAuthoringDevice? representedOrganization?"
    ),
    "dataEnterer": "time? assignedEntity",
    "informant": "assignedEntity? relatedEntity?",
    "assignedEntity": _ENTITY,
    "relatedEntity": "code? addr* telecom* effectiveTime? relatedPerson?",
    "assignedPerson": _PERSON,
    "relatedPerson": _PERSON,
    "associatedPerson": _PERSON,
    "representedOrganization": _ORGANIZATION,
    "scopingOrganization": _ORGANIZATION,
    "receivedOrganization": _ORGANIZATION,
    "custodian": "assignedCustodian",
    "assignedCustodian": "representedCustodianOrganization",
    "representedCustodianOrganization": "id+ name? telecom? addr?",
    "intendedRecipient": "id* addr* telecom* informationRecipient? receivedOrganization?",
    "legalAuthenticator": "time signatureCode assignedEntity",
    "authenticator": "time signatureCode assignedEntity",
    "participant": "functionCode? time? associatedEntity",
    "associatedEntity": "id* code? addr* telecom* associatedPerson? scopingOrganization?",
    "inFulfillmentOf": "order",
    "order": "id+ code? priorityCode?",
    "documentationOf": "serviceEvent",
    "serviceEvent": "id* code? effectiveTime? performer*",
    "performer": "functionCode? time? assignedEntity",
    "relatedDocument": "parentDocument",
    "parentDocument": "id+ code? text? setId? versionNumber?",
    "authorization": "consent",
    "consent": "id* code? statusCode",
    "componentOf": "encompassingEncounter",
    "encompassingEncounter": (
        "id* code? effectiveTime dischargeDispositionCode? responsibleParty? encounterParticipant*"
        " location?"
    ),
    "responsibleParty": "assignedEntity",
    "nonXMLBody": "text confidentialityCode? languageCode?",
    "structuredBody": "confidentialityCode? languageCode? component+",
    "section": (
        "id? code? title? text? confidentialityCode? languageCode? subject? author* informant*"
        " entry* component*"
    ),
}


def local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def faults(root: Element) -> Iterator[str]:
    """What stands at a wrong place, or is missing, by names of elements; entries are left out."""
    todo = [root]
    while todo:
        one = todo.pop()
        name, children = local(one), [*one]
        todo += [child for child in children if local(child) != "entry"]
        if name == "component" and len(children) != 1:
            yield "component without one body or section"
        is_person = name == "informationRecipient" and all(local(c) == "name" for c in children)
        allowed = ORDER.get(name, "name*" if is_person else "")
        if allowed and (wrong := _misplaced([*map(local, children)], allowed)):
            yield f"{name}: {wrong}"


def _misplaced(children: list[str], allowed: str) -> str:
    """The first child that is missing or stands where it may not, "" if there is none."""
    steps = allowed.split() if "typeId" in allowed else f"{_ROOT} {allowed}".split()
    at = 0
    for step in steps:
        name, how = step.rstrip("?*+"), step[-1]
        count = 0
        while at < len(children) and children[at] == name and (count == 0 or how in "*+"):
            at, count = at + 1, count + 1
        if not count and how not in "?*":
            return f"no {name}"
    return f"{children[at]} at its place" if at < len(children) else ""
