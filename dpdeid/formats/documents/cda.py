"""Clinical documents of HL7 (CDA R2): the narrative is read, the rest passes by a list.

What identifies in the header, and ids and times of entries, become `nullFlavor="MSK"` where they
stand, so that the document keeps its shape; codes of published systems and quantities stay. What no
list has goes. Of the patient all facts are looked for in the narrative. The list is `cda.tsv`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Final

from dpdeid.formats.envelopes.parts import Part, held, unpacked
from dpdeid.formats.kinds import PartError, Reading
from dpdeid.formats.markup.allowed import Allowed
from dpdeid.formats.markup.elements import Attribute, Element
from dpdeid.formats.markup.fields import PACKED, Known, known
from dpdeid.formats.messages.facts import Told
from dpdeid.formats.messages.narrative import NOT_XML
from dpdeid.labels import Label
from dpdeid.views.plain import reading_of
from dpdeid.views.reading import Edit

_SOCIAL: Final = ("1.2.250.1.213.1.4.", "2.16.756.5.32")
"""Roots of the national numbers of patients: the French INS and the Swiss AVS."""
_PUBLISHED: Final = re.compile(
    r"(?:2\.16\.840\.1\.113883\.(?:[1-9]|10|11)|1\.2\.250\.1\.213|1\.3\.6\.1\.4\.1\.19376"
    r"|2\.16\.756\.5\.30\.1\.127|1\.0\.3166|1\.2\.40\.0\.34)(?:\.\d{1,6}){1,12}"
)
"""Arcs of HL7, the French and Swiss agencies, IHE and ISO: what others give tells of a hospital."""
_CODE: Final = re.compile(r"[A-Za-z0-9._:/+*^-]{1,24}")
_SYSTEM: Final = re.compile(
    r"(?i)LOINC|SNOMED[ -]?(?:CT|3\.5)|CI[MS][ -]?(?:10|9)?|ICD-?(?:10|9)?(?:-CM)?|CCAM|ATC|UCUM"
    r"|CIS|CIP|UCD|NABM|HL7(?::?\w{1,30})?|(?:TRE|JDV)_[\w-]{1,40}|EDQM(?: Standard Terms)?"
    r"|ISO[ -]?\d{4}"
)
_VERSION: Final = re.compile(r"\d{1,4}(?:[.-]\d{1,2}){0,2}")
_NUMBER: Final = re.compile(r"[+-]?\d{1,6}(?:\.\d{1,6})?")
_TAG: Final = re.compile(r"""<[A-Za-z](?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+>""")
_WORDS: Final = re.compile(
    rf"""(?<=\s)value=(["'])(?!(?:#|(?:true|false|{_NUMBER.pattern})?\1))[^"'<>]*+\1"""
)
"""A value that is neither number, truth nor reference."""
_NUMBERS: Final = frozenset(
    ("PQ", "INT", "REAL", "PQR", "BL", "IVL_PQ", "IVL_INT", "IVL_REAL", "RTO", "RTO_PQ_PQ")
)
_CODES: Final = frozenset(("CD", "CE", "CV", "CO", "CS"))
_TEXTS: Final = frozenset(("ST", "ED"))
_VERSIONED: Final = ("templateId", "typeId")
_NUMBERED: Final = (
    ("id",),
    ("setId",),
    ("inFulfillmentOf", "order", "id"),
    ("relatedDocument", "parentDocument", "id"),
    ("componentOf", "encompassingEncounter", "id"),
)
"""Numbers of the document, its order and the stay."""
_BESIDE: Final = ("patient", "guardian", "providerOrganization")
"""Of the patient, what leads to others."""
_PERSONS: Final = (
    "assignedPerson", "relatedPerson", "associatedPerson", "informationRecipient",
    "guardianPerson",
)  # fmt: skip
_TIMES: Final = ("effectiveTime", "time")
_SUBSTANCES: Final = (
    "manufacturedMaterial", "manufacturedLabeledDrug", "playingEntity", "containerPackagedMedicine",
    "containerPackagedProduct", "ingredient",
)  # fmt: skip
"""What has a name that is no person's."""


_ALLOWED: Final = Allowed.of(__package__, "cda.tsv")


def told(root: Element, text: str) -> Known:
    """What the header says of the patient, the stay and the day of the document; and of others."""
    return replace(known(_facts(root, text)), others=_others(root, text))


def bodies(root: Element, text: str, how: Reading) -> Iterator[tuple[Edit, float | None]]:
    """The words of a body that is an embedded file, in its place; and how sure OCR is of them,
    if it read them.

    Raises:
        PartError: it cannot be read.
    """
    for body in root.at("component", "nonXMLBody", "text"):
        packed, media = body.text(text), body.get("mediaType")
        if not (_is_file(body) or (not media and PACKED.search(packed))):
            continue
        try:
            if not packed or body.get("compression"):
                raise ValueError("lies in another file, or is compressed")
            is_plain = media and body.get("representation") != "B64" and not PACKED.search(packed)
            data = packed.encode() if is_plain else unpacked(packed)
        except ValueError as error:
            raise PartError("body", str(error)) from None
        part = held(Part("body", data, media), how)
        note = part.note.text
        if media.endswith(("html", "xml")):
            note = reading_of(note).text
        words = escape(NOT_XML.sub(" ", note), quote=False)
        new = f'<{body.tag} mediaType="text/plain">{words}</{body.tag}>'
        yield Edit(body.start, body.end, new), part.ocr


def _facts(root: Element, text: str) -> Iterator[tuple[str, str]]:
    for role in root.at("recordTarget", "patientRole"):
        for one in role.at("id"):
            is_social = one.get("root").startswith(_SOCIAL)
            yield "ssn" if is_social else "ipp", one.get("extension")
        for place in (*role.at("addr"), *role.at("patient", "birthplace", "place", "addr")):
            yield from _address(place, text)
        for patient in role.at("patient"):
            yield from _person(patient, text)
        yield from map(_telecom, role.at("telecom"))
    for names in _NUMBERED:
        for one in root.at(*names):
            yield "nda", one.get("extension")
    for one in root.at("effectiveTime"):
        yield "note_date", one.get("value")


def _others(root: Element, text: str) -> Mapping[Label, tuple[str, ...]]:
    """What the header says of all who are not the patient: staff, relatives, institutions."""
    told = Told()
    todo = [child for child in root.children if child.name != "component"]
    while todo:
        one = todo.pop()
        is_patient = one.name in ("patientRole", "patient")
        todo += [child for child in one.children if not is_patient or child.name in _BESIDE]
        if is_patient:
            continue
        for name in one.at("name"):
            if one.name in _PERSONS:
                given = [part.text(text) for part in name.at("given")]
                family = [part.text(text) for part in name.at("family")]
                told.somebody(" ".join(family) if family else name.text(text), *given)
            else:
                told.institution(name.text(text))
        for place in one.at("addr"):
            for key, value in _address(place, text):
                told.add(key, value)
        for telecom in one.at("telecom"):
            told.add(*_telecom(telecom))
        if one.name.startswith(("assigned", "associated", "intended")):
            told.add("provider", *(number.get("extension") for number in one.at("id")))
    return told.others()


def _telecom(one: Element) -> tuple[str, str]:
    value = one.get("value").rpartition(":")[2]
    return "email" if "@" in value else "phone", value


def _person(patient: Element, text: str) -> Iterator[tuple[str, str]]:
    for name in patient.at("name"):
        for part in name.children:
            if part.name == "given":
                yield "first_name", part.text(text)
            elif part.name == "family":
                yield (
                    "birth_name" if part.get("qualifier") == "BR" else "last_name",
                    part.text(text),
                )
        if not name.children:
            yield "last_name", name.text(text)
    for one in patient.at("birthTime"):
        yield "birth_date", one.get("value")
    for one in patient.at("administrativeGenderCode"):
        yield "sex", one.get("code")


def _address(place: Element, text: str) -> Iterator[tuple[str, str]]:
    parts = {child.name: child.text(text) for child in place.children}
    number, street = parts.get("houseNumber", ""), parts.get("streetName", "")
    yield "address", parts.get("streetAddressLine", "") or f"{number} {street}"
    yield "city", parts.get("city", "")
    yield "zip", parts.get("postalCode", "")


def scrub(root: Element, text: str) -> Iterator[Edit]:
    """What goes from a document, and what is masked."""
    names = {
        one.value: f"x{number}"
        for number, one in enumerate(
            (a for e in root.every() for a in e.attributes if a.name == "ID"), 1
        )
    }
    todo: list[tuple[Element, Element | None]] = [(root, None)]
    while todo:
        element, parent = todo.pop()
        kind = _kind(element, parent)
        if kind in ("", "masks"):
            yield Edit(element.start, element.end, _masked(element) if kind else "")
            continue
        if kind == "reads":
            yield from _narrative(element, names)
            continue
        yield from _attributes(element, kind, names)
        yield from (
            Edit(start, end, "") for start, end, _ in element.stretches if text[start:end].strip()
        )
        todo += ((child, element) for child in element.children)


def mended(text: str) -> str:
    """A released document, with quantities masked for which words stand."""

    def of_tag(tag: re.Match[str]) -> str:
        return _WORDS.sub("" if "nullFlavor=" in tag[0] else _MSK.strip(), tag[0])

    return _TAG.sub(of_tag, text)


def _kind(element: Element, parent: Element | None) -> str:
    """What is done with an element: a first word of `cda.tsv`, "" if it goes."""
    name, above = element.name, parent.name if parent else ""
    if name in _TIMES:
        return "holds" if element.children and not element.get("value") else "masks"
    if name in ("low", "high", "center"):
        return "masks" if above in _TIMES else "numbers"
    if name == "name":
        return "reads" if above in _SUBSTANCES else "codes" if above == "qualifier" else "masks"
    if name == "value":
        return _of_type(element)
    if name in _VERSIONED and not _PUBLISHED.fullmatch(element.get("root")):
        return ""
    if name in ("text", "originalText") and _is_file(element):
        return "masks"
    return _ALLOWED.kind_of.get(name, "")


def _is_file(element: Element) -> bool:
    """Whether what an element holds is said to be no text."""
    media = element.get("mediaType") or "text/plain"
    return element.get("representation") == "B64" or not media.startswith("text/")


def _of_type(value: Element) -> str:
    """What is done with a value of an observation, by its type."""
    kind = value.get("xsi:type").rpartition(":")[2]
    if kind in _TEXTS:
        return "masks" if _is_file(value) else "reads"
    return "codes" if kind in _CODES else "numbers" if kind in _NUMBERS else "masks"


def _masked(element: Element) -> str:
    kind = element.get("xsi:type")
    typed = f' xsi:type="{kind}"' if kind and _ALLOWED.passes("xsi:type", kind) else ""
    return f'<{element.tag}{typed} nullFlavor="MSK"/>'


def _attributes(element: Element, kind: str, names: dict[str, str]) -> Iterator[Edit]:
    """The attributes that go; of what has no published code only the words stay."""
    published = _PUBLISHED.fullmatch(element.get("codeSystem") or element.get("root"))
    is_plain = not element.get("codeSystem") and kind == "codes"
    passes: dict[str, Callable[[str], object]] = {}
    if kind == "codes":
        passes["displayName"] = bool
        if published or (is_plain and element.name not in _VERSIONED):
            passes |= {"code": _CODE.fullmatch if published else _short, "codeSystem": bool}
            passes |= {"codeSystemName": _SYSTEM.fullmatch, "codeSystemVersion": _VERSION.fullmatch}
        if published and element.name in _VERSIONED:
            passes |= {"root": bool, "extension": _is_version}
    if kind in ("numbers", "codes"):
        passes["value"] = lambda value: _NUMBER.fullmatch(value) or value in ("true", "false")
    lost = False
    for one in element.attributes:
        if not _passes(one, passes):
            lost = lost or one.name in ("code", "value")
            yield Edit(one.start, one.end, "")
    if lost and not element.get("nullFlavor"):
        yield Edit(element.start + 1 + len(element.tag), element.start + 1 + len(element.tag), _MSK)


_MSK: Final = ' nullFlavor="MSK"'


def _short(code: str) -> bool:
    """Whether a code without a system is one of HL7's words: "active", "FR", "N"."""
    return re.fullmatch(r"[A-Za-z]{1,12}(?:-[A-Z]{2})?", code) is not None


def _is_version(value: str) -> bool:
    return value == "POCD_HD000040" or _VERSION.fullmatch(value) is not None


def _passes(one: Attribute, passes: dict[str, Callable[[str], object]]) -> bool:
    if one.name.partition(":")[0] == "xmlns":
        return True
    if one.name in passes:
        return bool(passes[one.name](one.value))
    return _ALLOWED.passes(one.name, one.value)


def _narrative(text: Element, names: dict[str, str]) -> Iterator[Edit]:
    """What goes from a text that is read: ids are numbered, so that entries still refer to it."""
    for element in text.every():
        if element is not text and element.name not in _ALLOWED.inside["narrative"]:
            yield Edit(element.start, element.inside, "")
            yield Edit(element.outside, element.end, "")
            continue
        for one in element.attributes:
            if one.name in ("ID", "IDREF") and one.value in names:
                yield Edit(one.first, one.last, names[one.value])
            elif element.name == "reference" and one.value[1:] in names:
                yield Edit(one.first, one.last, escape(f"#{names[one.value[1:]]}"))
            elif not _passes(one, {"displayName": bool}):
                yield Edit(one.start, one.end, "")
